// A column of an Arrow batch as keys of 64 bits: equal keys for equal values, and nothing else is equal.
//
// Integers, dates and times are their own keys; those of text and other bytes are in text_keys.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "join/text_keys.hpp"
#include "labels/arrow.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

// The keys of some rows, which rows are null, and the scrambled numbers of UUIDs.
struct KeyBlock {
    std::array<std::uint64_t, block_length> key;
    std::array<bool, block_length> null;
    std::array<Uuid, block_length> uuid;

    bool are_equal(std::size_t i, std::size_t j) const { return null[i] == null[j] && (null[i] || key[i] == key[j]); }
};

class KeyColumn {
public:
    // The rows of `array` from `offset`, which is that of the batch; `schema` is the column's. The first strings
    // show `texts` how to read all of them.
    KeyColumn(const ArrowSchema& schema, const ArrowArray& array, std::size_t offset, std::size_t length,
              TextKeys& texts);

    bool is_text() const { return values_type_.kind == arrow::Kind::items; }

    // `count` rows from `begin`.
    void load(std::size_t begin, std::size_t count, KeyBlock& block) const;

    // The bytes of a row's string, which is not null.
    Item text(std::size_t i) const;

private:
    struct Entry {
        std::uint64_t key;
        Uuid uuid;
        bool null;
    };

    static arrow::Type type_of(const ArrowSchema& schema);

    void read_dictionary(const ArrowSchema& schema, const ArrowArray& array);

    void load_nulls(std::size_t begin, std::size_t count, bool* null) const;

    bool bit(std::size_t i) const;

    // Floats by their bits: equal values were given equal bits before.
    Labels numbers() const;

    // Learns the form from strings all over the column.
    void teach(TextKeys& texts) const;

    // No row may get a key before the form was learnt from the first string.
    std::vector<std::string> first_text(const ItemChunk& items) const;

    void load_by_index(std::size_t begin, std::size_t count, KeyBlock& block) const;

    std::size_t entry(std::uint64_t index) const;

    ArrowArray array_;  // a copy of the description, not of the data
    TextKeys& texts_;
    arrow::Type type_, values_type_ = type_;
    bool is_dictionary_ = false;
    ArrowArray dictionary_{};
    std::vector<Entry> entries_;  // of the dictionary
};

// A column of a batch, by its number.
KeyColumn key_column(const ArrowSchema& schema, const ArrowArray& batch, std::size_t number, TextKeys& texts);

}  // namespace concordant
