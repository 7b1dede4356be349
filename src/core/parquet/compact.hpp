// Structs in Thrift's compact protocol, in which Parquet says what lies where.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace concordant::parquet {

// What this reader leaves to another one: a file that is damaged, or written in a way that is not known here.
struct NotRead : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The bytes at hand end before what they say does.
struct EndedEarly : NotRead {
    using NotRead::NotRead;
};

inline void require(bool fine, const char* problem) {
    if (!fine) throw NotRead(problem);
}

class CompactReader {
public:
    CompactReader(const std::byte* begin, const std::byte* end) : at_(begin), end_(end) {}

    enum Type : unsigned { stop = 0, yes = 1, no = 2, byte = 3, number16 = 4, number32 = 5, number64 = 6, real = 7,
                           binary = 8, list = 9, set = 10, map = 11, structure = 12, uuid = 13 };

    // Where it stands after what was read.
    const std::byte* place() const { return at_; }

    // Calls use(field, type) for each field of a struct, which has to read or to skip it. None comes twice.
    template <class Use>
    void each_field(Use use) {
        constexpr std::int64_t most = 32767;
        for (std::int64_t last = 0;;) {
            const unsigned header = next();
            const auto type = static_cast<Type>(header & 15);
            if (type == stop) return;
            const std::int64_t field = header >> 4 != 0 ? last + (header >> 4) : integer();
            require(field > last && field <= most, "the fields of a struct do not ascend");
            use(field, type);
            last = field;
        }
    }

    // The same for a field or an item, which has to be a struct.
    template <class Use>
    void each_field(Type type, Use use) {
        require(type == structure, "a struct was expected");
        each_field(use);
    }

    // Calls use(type) for each item of a list.
    template <class Use>
    void each_item(Type type, Use use) {
        require(type == list || type == set, "a list was expected");
        const unsigned header = next();
        const std::uint64_t count = header >> 4 == 15 ? unsigned_integer() : header >> 4;
        for (std::uint64_t i = 0; i < count; ++i) use(static_cast<Type>(header & 15));
    }

    std::int64_t integer(Type type) {
        require(type >= byte && type <= number64, "a number was expected");
        return type == byte ? static_cast<std::int8_t>(next()) : integer();
    }

    bool boolean(Type type) {
        require(type == yes || type == no, "a truth was expected");
        return type == yes;
    }

    std::string text(Type type) {
        require(type == binary, "a text was expected");
        const std::size_t size = length();
        const auto* begin = reinterpret_cast<const char*>(at_);
        at_ += size;
        return {begin, size};
    }

    void skip(Type type, unsigned depth = 0) {
        require(depth < deepest, "structs are nested too deeply");
        switch (type) {
            case yes: case no: return;
            case byte: next(); return;
            case number16: case number32: case number64: integer(); return;
            case real: pass(8); return;
            case uuid: pass(16); return;
            case binary: pass(length()); return;
            case list: case set:
                return each_item(type, [&](Type of_item) { skip_item(of_item, depth + 1); });
            case map: return skip_map(depth);
            case structure: return each_field([&](std::int64_t, Type of_field) { skip(of_field, depth + 1); });
            default: throw NotRead("a field is of no known type");
        }
    }

private:
    static constexpr unsigned deepest = 32;

    static void expect(bool fine) {
        if (!fine) throw EndedEarly("the metadata end too early");
    }

    unsigned next() {
        expect(at_ != end_);
        return std::to_integer<unsigned>(*at_++);
    }

    void pass(std::size_t count) {
        expect(count <= static_cast<std::size_t>(end_ - at_));
        at_ += count;
    }

    std::size_t length() {
        const std::uint64_t size = unsigned_integer();
        expect(size <= static_cast<std::uint64_t>(end_ - at_));
        return static_cast<std::size_t>(size);
    }

    // Seven bits a byte, the lowest first.
    std::uint64_t unsigned_integer() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const unsigned bits = next();
            value |= std::uint64_t{bits & 127} << shift;
            if (bits < 128) return value;
        }
        throw NotRead("a number is too long");
    }

    // The lowest bit is the sign.
    std::int64_t integer() {
        const std::uint64_t value = unsigned_integer();
        return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
    }

    // A truth takes a byte of its own there.
    void skip_item(Type type, unsigned depth) { type == yes || type == no ? pass(1) : skip(type, depth); }

    void skip_map(unsigned depth) {
        const std::uint64_t count = unsigned_integer();
        if (count == 0) return;
        const unsigned types = next();
        for (std::uint64_t i = 0; i < count; ++i)
            for (const unsigned type : {types >> 4, types & 15})
                skip_item(static_cast<Type>(type), depth + 1);
    }

    const std::byte* at_;
    const std::byte* end_;
};

}  // namespace concordant::parquet
