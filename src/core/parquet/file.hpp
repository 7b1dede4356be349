// A Parquet file: what its footer says of some columns, and where their pieces lie.
// https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "labels/labels.hpp"
#include "parquet/compact.hpp"

namespace concordant::parquet {

// What can be read: signed integers, and texts in UTF-8.
enum class Kind : std::uint8_t { integer32, integer64, text };

// The pages of a column in a row group.
struct Piece {
    std::uint64_t begin = 0, size = 0, values = 0;
    std::int64_t codec = 0;
    bool is_known = true;  // how its pages are encoded, that they lie in this file, and the dictionary before others
};

struct RowGroup {
    std::uint64_t rows = 0;
    std::vector<Piece> pieces;  // of the columns that were asked for
};

struct Column {
    std::string name;
    bool is_text = false, is_optional = false;
    Kind kind = Kind::text;
};

class File {
public:
    // The columns are told by their names and by whether they are text; others are refused.
    File(const std::string& path, const std::vector<Column>& columns) : columns_(columns), path_(path) {
        std::ifstream stream = open();
        stream.seekg(0, std::ios::end);
        size_ = static_cast<std::uint64_t>(std::max<std::streamoff>(0, stream.tellg()));
        constexpr std::uint64_t tail = 8;  // how long the footer is, and four letters
        require(size_ >= 12, no_file);
        const std::vector<std::byte> end = read(stream, size_ - tail, tail);
        require(std::equal(end.begin() + 4, end.begin() + tail, reinterpret_cast<const std::byte*>("PAR1")), no_file);
        const std::uint64_t length = read_unaligned<std::uint32_t>(end.data());
        require(length <= size_ - tail, no_file);
        const std::vector<std::byte> footer = read(stream, size_ - tail - length, length);
        read_footer({footer.data(), footer.data() + length});
        std::erase_if(groups_, [](const RowGroup& group) { return group.rows == 0; });  // which may lie nowhere
        for (const RowGroup& group : groups_) check(group);
    }

    const std::vector<Column>& columns() const { return columns_; }
    const std::vector<RowGroup>& row_groups() const { return groups_; }

    std::ifstream open() const {
#if defined(_WIN32)
        std::ifstream stream(std::filesystem::path(std::u8string(path_.begin(), path_.end())), std::ios::binary);
#else
        std::ifstream stream(path_, std::ios::binary);
#endif
        require(stream.good(), "the file cannot be opened");
        return stream;
    }

private:
    struct Element {
        std::string name;
        std::int64_t type = -1, repetition = 0, children = 0, converted = -1;
        bool has_logical = false, is_signed = false, is_string = false;
    };

    static constexpr const char* no_file = "this is no Parquet file";
    static constexpr const char* outside = "a column lies outside of the file";

    static std::vector<std::byte> read(std::ifstream& stream, std::uint64_t begin, std::uint64_t count) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(count));
        stream.seekg(static_cast<std::streamoff>(begin));
        stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
        require(stream.good(), "the file ends too early");
        return bytes;
    }

    void read_footer(CompactReader reader) {
        std::vector<std::size_t> places;
        bool has_schema = false;
        reader.each_field([&](std::int64_t field, auto type) {
            if (field == 2) {
                std::vector<Element> schema;
                reader.each_item(type, [&](auto of_item) { schema.push_back(element(reader, of_item)); });
                places = places_of_columns(schema);
                has_schema = true;
            } else if (field == 4) {
                require(has_schema, "there is no schema");
                reader.each_item(type, [&](auto of_item) { groups_.push_back(row_group(reader, of_item, places)); });
            } else {
                require(field != 8, "the file is encrypted");
                reader.skip(type);
            }
        });
        require(has_schema, "there is no schema");
    }

    static Element element(CompactReader& reader, CompactReader::Type type) {
        Element made;
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            switch (field) {
                case 1: made.type = reader.integer(of_field); return;
                case 3: made.repetition = reader.integer(of_field); return;
                case 4: made.name = reader.text(of_field); return;
                case 5: made.children = reader.integer(of_field); return;
                case 6: made.converted = reader.integer(of_field); return;
                case 10: read_logical(reader, of_field, made); return;
                default: reader.skip(of_field);
            }
        });
        return made;
    }

    // What the values stand for: of all that may be said, a string or a signed integer.
    static void read_logical(CompactReader& reader, CompactReader::Type type, Element& made) {
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            made.has_logical = true;
            made.is_string = field == 1;
            if (field != 10 || of_field != CompactReader::structure) return reader.skip(of_field);
            reader.each_field([&](std::int64_t part, auto of_part) {
                if (part == 2)
                    made.is_signed = reader.boolean(of_part);
                else
                    reader.skip(of_part);
            });
        });
    }

    // Where the columns stand among all that are not nested, which are numbered as they come.
    std::vector<std::size_t> places_of_columns(const std::vector<Element>& schema) {
        constexpr std::size_t nowhere = ~std::size_t{0};
        std::vector<std::size_t> places(columns_.size(), nowhere);
        require(!schema.empty(), "there is no schema");
        refuse_doubled_names(schema);
        std::size_t number = 0;
        for (std::size_t i = 1; i < schema.size(); ++i) {
            if (schema[i].children != 0) {
                skip_nested(schema, i, number);
                continue;
            }
            for (std::size_t column = 0; column < columns_.size(); ++column) {
                if (columns_[column].name != schema[i].name) continue;
                places[column] = number;
                settle(columns_[column], schema[i]);
            }
            ++number;
        }
        require(std::find(places.begin(), places.end(), nowhere) == places.end(), "a column is absent or nested");
        return places;
    }

    // DuckDB, which was asked for the names, gives others to those that it takes for one.
    static void refuse_doubled_names(const std::vector<Element>& schema) {
        std::vector<std::string> names;
        for (std::size_t i = 1; i < schema.size(); ++i) {
            names.push_back(schema[i].name);
            for (char& letter : names.back())
                if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
            std::size_t unused = 0;
            if (schema[i].children != 0) skip_nested(schema, i, unused);
        }
        std::sort(names.begin(), names.end());
        const bool are_apart = std::adjacent_find(names.begin(), names.end()) == names.end();
        require(are_apart, "two columns have one name, or names that differ by case alone");
    }

    static void skip_nested(const std::vector<Element>& schema, std::size_t& i, std::size_t& number) {
        for (std::int64_t pending = 1;; ++i) {
            require(i < schema.size(), "the schema is not whole");
            require(schema[i].children >= 0 && schema[i].children < 1 << 20, "the schema is not possible");
            pending += schema[i].children - 1;
            if (schema[i].children == 0) ++number;
            if (pending == 0) return;
        }
    }

    static void settle(Column& column, const Element& element) {
        constexpr std::int64_t nothing = -1, int32 = 1, int64 = 2, byte_array = 6, utf8 = 0, int_32 = 17, int_64 = 18;
        require(element.repetition == 0 || element.repetition == 1, "a column repeats");
        column.is_optional = element.repetition == 1;
        if (column.is_text) {
            const bool agrees = element.has_logical ? element.is_string : element.converted == utf8;
            const bool is_string = agrees && (element.converted == utf8 || element.converted == nothing);
            require(element.type == byte_array && is_string, "a column is not text");
            column.kind = Kind::text;
            return;
        }
        // Narrower ones may hold numbers that are too large for what they say, which readers cut off.
        const std::int64_t own = element.type == int32 ? int_32 : int_64;
        const bool is_signed = !element.has_logical || element.is_signed;
        require(element.type == int32 || element.type == int64, "a column is not of integers");
        const bool agrees = element.converted == own || element.converted == nothing;
        require(is_signed && agrees, "a column is not of signed integers");
        column.kind = element.type == int32 ? Kind::integer32 : Kind::integer64;
    }

    static RowGroup row_group(CompactReader& reader, CompactReader::Type type, const std::vector<std::size_t>& places) {
        RowGroup group;
        std::vector<Piece> all;
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            if (field == 1)
                reader.each_item(of_field, [&](auto of_item) { all.push_back(chunk(reader, of_item)); });
            else if (field == 3)
                group.rows = natural(reader.integer(of_field));
            else
                reader.skip(of_field);
        });
        for (const std::size_t place : places) {
            require(place < all.size(), "a row group lacks a column");
            require(all[place].values == group.rows, "a column has more or fewer values than its row group has rows");
            group.pieces.push_back(all[place]);
        }
        return group;
    }

    static Piece chunk(CompactReader& reader, CompactReader::Type type) {
        Piece piece;
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            if (field == 3) return read_piece(reader, of_field, piece);
            if (field == 1 || field == 8) piece.is_known = false;  // it lies in another file, or is encrypted
            reader.skip(of_field);
        });
        return piece;
    }

    static void read_piece(CompactReader& reader, CompactReader::Type type, Piece& piece) {
        std::int64_t data = 0, dictionary = 0;
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            switch (field) {
                case 2:
                    return reader.each_item(of_field, [&](auto type_of_item) {
                        piece.is_known &= is_known(reader.integer(type_of_item));
                    });
                case 4: piece.codec = reader.integer(of_field); return;
                case 5: piece.values = natural(reader.integer(of_field)); return;
                case 7: piece.size = natural(reader.integer(of_field)); return;
                case 9: data = reader.integer(of_field); return;
                case 11: dictionary = reader.integer(of_field); return;
                default: reader.skip(of_field);
            }
        });
        piece.is_known &= dictionary < data || dictionary <= 0;
        piece.begin = natural(dictionary > 0 ? dictionary : data);
    }

    // Plain, by a dictionary, or as runs, as levels are; the fourth is of old levels, which a page tells by itself.
    static bool is_known(std::int64_t encoding) {
        return encoding == 0 || encoding == 2 || encoding == 3 || encoding == 4 || encoding == 8;
    }

    static std::uint64_t natural(std::int64_t number) {
        require(number >= 0, "a number is negative");
        return static_cast<std::uint64_t>(number);
    }

    void check(const RowGroup& group) const {
        for (const Piece& piece : group.pieces) {
            require(piece.is_known, "a column is encoded in a way that is not known here");
            require(piece.codec == 0 || piece.codec == 1, "a column is compressed in a way that is not known here");
            require(piece.begin >= 4 && piece.begin <= size_, outside);
            require(piece.size <= size_ - piece.begin, outside);
        }
    }

    std::vector<Column> columns_;
    std::string path_;
    std::uint64_t size_ = 0;
    std::vector<RowGroup> groups_;
};

}  // namespace concordant::parquet
