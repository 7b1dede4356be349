// The pages of a column in one row group, one after the other, each as an Arrow array.
//
// Texts are views into the page or into the dictionary, so that none is copied.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "labels/arrow.hpp"
#include "labels/labels.hpp"
#include "parquet/compact.hpp"
#include "parquet/file.hpp"
#include "parquet/packed.hpp"
#include "parquet/snappy.hpp"
#include "text/utf8.hpp"

namespace concordant::parquet {

// The bytes of a piece, of which as many lie in memory as are asked for at one time.
class PieceBytes {
public:
    PieceBytes(std::ifstream& stream, const Piece& piece)
        : stream_(stream), next_(piece.begin), end_(piece.begin + piece.size) {}

    std::uint64_t left() const { return end_ - next_ + (held_.size() - begin_); }

    // The next bytes, and some slack behind them.
    const std::byte* ahead(std::size_t count) {
        require(count <= left(), "a column ends too early");
        if (held_.size() - begin_ < count) fetch(count);
        return held_.data() + begin_;
    }
    void pass(std::size_t count) { begin_ += count; }

private:
    void fetch(std::size_t count) {
        constexpr std::size_t at_least = std::size_t{1} << 16;
        const std::size_t old = held_.size() - begin_;
        if (old > 0) std::memmove(held_.data(), held_.data() + begin_, old);
        begin_ = 0;
        const std::uint64_t wanted = std::max(count - old, at_least);
        const auto more = static_cast<std::size_t>(std::min(end_ - next_, wanted));
        held_.resize(old + more);
        stream_.seekg(static_cast<std::streamoff>(next_));
        stream_.read(reinterpret_cast<char*>(held_.data() + old), static_cast<std::streamsize>(more));
        require(stream_.good(), "the file ends too early");
        next_ += more;
    }

    std::ifstream& stream_;
    std::uint64_t next_, end_;  // in the file
    SlackBytes held_;
    std::size_t begin_ = 0;
};

class ColumnPages {
public:
    // `most_bytes` is the memory that it may take.
    ColumnPages(std::ifstream& stream, const Column& column, const Piece& piece, std::size_t most_bytes)
        : bytes_(stream, piece), values_left_(piece.values), kind_(column.kind), is_optional_(column.is_optional),
          is_compressed_(piece.codec == 1), most_bytes_(most_bytes) {}

    // How many rows of the page at hand are left; of the next page, where none are.
    std::size_t rows_left() {
        while (row_ == rows_ && bytes_.left() > 0) read_page();
        return rows_ - row_;
    }

    // The next rows, which must be left.
    ArrowArray take(std::size_t count) {
        ArrowArray array{};
        array.length = static_cast<std::int64_t>(count);
        array.offset = static_cast<std::int64_t>(row_);
        array.null_count = valid_.empty() ? 0 : -1;
        const std::byte* valid = valid_.empty() ? nullptr : valid_.data();
        buffers_ = {valid, values_, page_.data(), dictionary_.data(), lengths_.data()};
        array.buffers = buffers_.data();
        array.n_buffers = kind_ == Kind::text ? 5 : 2;
        row_ += count;
        return array;
    }

private:
    enum PageType : std::int64_t { data_page = 0, dictionary_page = 2, data_page_v2 = 3 };
    enum Encoding : std::int64_t { plain = 0, plain_dictionary = 2, runs = 3, dictionary_indices = 8 };

    struct Header {
        std::int64_t type = -1, described = -1, size = 0, stored = 0, values = 0, encoding = -1, levels_encoding = runs;
        std::int64_t repetition_bytes = 0, definition_bytes = 0;
        bool is_compressed = true;
    };

    // The bytes of a value as it is handed over.
    std::size_t width() const { return kind_ == Kind::text ? view_size : kind_ == Kind::integer64 ? 8 : 4; }
    // Those that it takes in a page, at the least: a text begins with its length.
    std::size_t stored_width() const { return kind_ == Kind::text ? 4 : width(); }

    Header read_header() {
        constexpr std::size_t longest = std::size_t{1} << 24;
        for (std::size_t enough = std::size_t{1} << 12;; enough *= 4) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(enough, bytes_.left()));
            const std::byte* begin = bytes_.ahead(count);
            CompactReader reader(begin, begin + count);
            try {
                const Header header = header_of(reader);
                bytes_.pass(static_cast<std::size_t>(reader.place() - begin));
                return header;
            } catch (const EndedEarly&) {
                if (count == bytes_.left() || count >= longest) throw;
            }
        }
    }

    static Header header_of(CompactReader& reader) {
        Header header;
        reader.each_field([&](std::int64_t field, auto type) {
            switch (field) {
                case 1: header.type = reader.integer(type); return;
                case 2: header.size = reader.integer(type); return;
                case 3: header.stored = reader.integer(type); return;
                case 5: return describe(reader, type, data_page, header);
                case 7: return describe(reader, type, dictionary_page, header);
                case 8: return describe_v2(reader, type, header);
                default: reader.skip(type);
            }
        });
        require(header.described == header.type, "a page is of no known type");
        return header;
    }

    static void describe(CompactReader& reader, CompactReader::Type type, PageType of_page, Header& header) {
        require(header.described == -1, "a page says two things");
        header.described = of_page;
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            if (field == 1)
                header.values = reader.integer(of_field);
            else if (field == 2)
                header.encoding = reader.integer(of_field);
            else if (field == 3 && of_field == CompactReader::number32)
                header.levels_encoding = reader.integer(of_field);
            else
                reader.skip(of_field);
        });
    }

    static void describe_v2(CompactReader& reader, CompactReader::Type type, Header& header) {
        require(header.described == -1, "a page says two things");
        header.described = data_page_v2;
        reader.each_field(type, [&](std::int64_t field, auto of_field) {
            switch (field) {
                case 1: header.values = reader.integer(of_field); return;
                case 4: header.encoding = reader.integer(of_field); return;
                case 5: header.definition_bytes = reader.integer(of_field); return;
                case 6: header.repetition_bytes = reader.integer(of_field); return;
                case 7: header.is_compressed = reader.boolean(of_field); return;
                default: reader.skip(of_field);
            }
        });
    }

    void read_page() {
        const Header header = read_header();
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 2;
        require(header.size >= 0 && header.size <= most, "a page is too large");
        require(header.stored >= 0 && header.stored <= most, "a page is too large");
        const auto stored = static_cast<std::size_t>(header.stored);
        require(bytes_needed(header) <= most_bytes_, "a page is too large for the memory given");
        const std::byte* begin = bytes_.ahead(stored);
        if (header.type == dictionary_page)
            read_dictionary(header, begin, stored);
        else
            read_data(header, begin, stored);
        bytes_.pass(stored);
    }

    std::uint64_t bytes_needed(const Header& header) const {
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        require(header.values >= 0 && header.values <= most, "a page has too many values");
        const std::uint64_t values = static_cast<std::uint64_t>(header.values) * (width() + sizeof(std::uint32_t));
        const std::uint64_t dictionary = dictionary_.size() + entries_.size();
        return static_cast<std::uint64_t>(header.size + header.stored) + values + dictionary;
    }

    // What a page holds, with slack behind it.
    void decompress(SlackBytes& out, std::size_t size, const std::byte* begin, std::size_t stored,
                    bool is_compressed) {
        const bool is_snappy = is_compressed && is_compressed_ && size + stored > 0;
        // Before memory is taken for it: 64 bytes that came before take three.
        require(is_snappy ? size / 64 <= stored : size == stored, "a page has another size than it says");
        out.resize(size);
        if (is_snappy)
            Snappy::decompress(begin, stored, out.data(), size);
        else
            std::memcpy(out.data(), begin, size);
    }

    void read_dictionary(const Header& header, const std::byte* begin, std::size_t stored) {
        require(header.encoding == plain || header.encoding == plain_dictionary, unknown_encoding);
        require(dictionary_.size() == 0 && rows_ == 0, "a dictionary comes too late");
        decompress(dictionary_, static_cast<std::size_t>(header.size), begin, stored, true);
        const auto count = static_cast<std::size_t>(header.values);
        require(count * stored_width() <= dictionary_.size(), ends_early);
        entries_.resize(count * width());
        read_plain(dictionary_, 0, count, entries_.data(), of_dictionary);
        entry_count_ = count;
    }

    void read_data(const Header& header, const std::byte* begin, std::size_t stored) {
        rows_ = static_cast<std::size_t>(header.values);
        require(rows_ <= values_left_, "a column has more values than it says");
        values_left_ -= rows_;
        row_ = 0;
        std::size_t at = 0, present = 0;
        if (header.type == data_page) {
            decompress(page_, static_cast<std::size_t>(header.size), begin, stored, true);
            at = read_levels_before_values(header, present);
        } else {
            const auto levels = static_cast<std::size_t>(header.definition_bytes);
            require(header.repetition_bytes == 0 && header.definition_bytes >= 0, wrong_levels);
            require(levels <= stored && header.definition_bytes <= header.size, wrong_levels);
            present = is_optional_ ? read_levels(begin, begin + levels) : rows_;
            const std::size_t size = static_cast<std::size_t>(header.size) - levels;
            decompress(page_, size, begin + levels, stored - levels, header.is_compressed);
        }
        if (!is_optional_) valid_.clear();
        if (header.encoding == plain)
            read_plain_page(at, present);
        else
            read_indices(header.encoding, at, present);
        lengths_ = {static_cast<std::int64_t>(page_.size()), static_cast<std::int64_t>(dictionary_.size())};
    }

    // Returns where the values begin.
    std::size_t read_levels_before_values(const Header& header, std::size_t& present) {
        present = rows_;
        if (!is_optional_) return 0;
        require(header.levels_encoding == runs && page_.size() >= 4, unknown_encoding);
        const std::size_t length = read_unaligned<std::uint32_t>(page_.data());
        require(length <= page_.size() - 4, wrong_levels);
        present = read_levels(page_.data() + 4, page_.data() + 4 + length);
        return 4 + length;
    }

    // Which rows have a value, and how many have.
    std::size_t read_levels(const std::byte* begin, const std::byte* end) {
        valid_.assign((rows_ + 7) / 8, std::byte{0});
        std::size_t row = 0, present = 0;
        const auto note = [&](std::uint32_t level) {
            valid_[row / 8] |= static_cast<std::byte>(level << row % 8);
            present += level;
            ++row;
        };
        each_stretch(
            begin, end, 1, rows_,
            [&](std::uint32_t level, std::size_t count) {
                if (level == 1 && count == rows_)
                    row = present = rows_;
                else
                    for (std::size_t i = 0; i < count; ++i) note(level);
            },
            [&](const std::byte* place, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) note(packed_number(place, 1, i));
            });
        if (present == rows_) valid_.clear();
        return present;
    }

    void read_plain_page(std::size_t at, std::size_t present) {
        require(present * stored_width() <= page_.size() - at, ends_early);
        if (kind_ != Kind::text && valid_.empty()) {
            values_ = page_.data() + at;
            return;
        }
        made_.resize(rows_ * width());
        values_ = made_.data();
        read_plain(page_, at, present, made_.data(), of_page);
        spread(present);
    }

    void read_indices(std::int64_t encoding, std::size_t at, std::size_t present) {
        require(encoding == plain_dictionary || encoding == dictionary_indices, unknown_encoding);
        made_.resize(rows_ * width());
        values_ = made_.data();
        if (present > 0) {
            require(at < page_.size(), ends_early);
            const auto bits = std::to_integer<unsigned>(page_.data()[at]);
            require(bits <= 32, unknown_encoding);
            unpack(page_.data() + at + 1, page_.end(), bits, present, indices_);
            const std::uint32_t largest = *std::max_element(indices_.begin(), indices_.end());
            require(largest < entry_count_, "an index points beyond its dictionary");
            if (kind_ == Kind::text) look_up<view_size>();
            if (kind_ == Kind::integer64) look_up<8>();
            if (kind_ == Kind::integer32) look_up<4>();
        }
        spread(present);
    }

    template <std::size_t Width>
    void look_up() {
        std::byte* out = made_.data();
        for (const std::uint32_t index : indices_) {
            std::memcpy(out, entries_.data() + index * Width, Width);
            out += Width;
        }
    }

    // Values that lie side by side, to the rows that have one.
    void spread(std::size_t present) {
        if (valid_.empty()) return;
        const std::size_t size = width();
        for (std::size_t row = rows_; row-- > 0;) {
            if (arrow::bit_at(valid_.data(), row))
                std::memmove(made_.data() + row * size, made_.data() + --present * size, size);
            else
                std::memset(made_.data() + row * size, 0, size);
        }
    }

    void read_plain(const SlackBytes& bytes, std::size_t at, std::size_t count, std::byte* out,
                    std::uint32_t buffer) {
        if (count == 0) return;
        if (kind_ != Kind::text) {
            std::memcpy(out, bytes.data() + at, count * width());
            return;
        }
        const bool is_ascii = !has_high_bits(bytes.data() + at, bytes.size() - at);
        for (std::size_t i = 0; i < count; ++i, out += view_size) {
            require(bytes.size() - at >= 4, ends_early);
            const std::size_t size = read_unaligned<std::uint32_t>(bytes.data() + at);
            at += 4;
            require(size <= bytes.size() - at, ends_early);
            if (!is_ascii) check_text(bytes.data() + at, size);
            write_view(bytes.data() + at, size, buffer, at, out);
            at += size;
        }
    }

    // As Arrow has them: short texts whole, of others where they lie.
    static void write_view(const std::byte* text, std::size_t size, std::uint32_t buffer, std::size_t place,
                           std::byte* out) {
        constexpr std::size_t most_inside = 12;
        const auto length = static_cast<std::uint32_t>(size);
        std::memcpy(out, &length, 4);
        std::memcpy(out + 4, text, most_inside);  // there is slack behind the last
        if (size <= most_inside) return;
        const std::array<std::uint32_t, 2> where{buffer, static_cast<std::uint32_t>(place)};
        std::memcpy(out + 8, where.data(), 8);
    }

    static bool has_high_bits(const std::byte* bytes, std::size_t count) {
        std::uint64_t all = 0;
        std::size_t i = 0;
        for (; i + 8 <= count; i += 8) all |= read_unaligned<std::uint64_t>(bytes + i);
        for (; i < count; ++i) all |= std::to_integer<std::uint64_t>(bytes[i]);
        return (all & 0x8080808080808080U) != 0;
    }

    static void check_text(const std::byte* text, std::size_t size) {
        Utf8 check;
        const std::size_t wrong = check.first_wrong(reinterpret_cast<const unsigned char*>(text), size);
        require(wrong == size && check.is_complete(), "a text is not UTF-8");
    }

    static constexpr const char* ends_early = "a page ends too early";
    static constexpr const char* wrong_levels = "the levels of a page are not possible";
    static constexpr const char* unknown_encoding = "a page is encoded in a way that is not known here";
    static constexpr std::size_t view_size = 16;
    static constexpr std::uint32_t of_page = 0, of_dictionary = 1;

    PieceBytes bytes_;
    std::uint64_t values_left_;
    Kind kind_;
    bool is_optional_, is_compressed_;
    std::size_t most_bytes_;
    SlackBytes page_, dictionary_;
    std::vector<std::byte> entries_, made_;
    std::vector<std::byte> valid_;  // bits; none where all rows have a value
    std::vector<std::uint32_t> indices_;
    const std::byte* values_ = nullptr;  // of the rows of the page: views or integers
    std::size_t entry_count_ = 0, rows_ = 0, row_ = 0;
    std::array<std::int64_t, 2> lengths_{};
    std::array<const void*, 5> buffers_{};
};

}  // namespace concordant::parquet
