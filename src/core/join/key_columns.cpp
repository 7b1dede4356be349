#include "join/key_columns.hpp"

#include <algorithm>
#include <stdexcept>

#include "labels/arrow_checks.hpp"

namespace concordant {

KeyColumn::KeyColumn(const ArrowSchema& schema, const ArrowArray& array, std::size_t offset, std::size_t length,
                     TextKeys& texts)
    : array_(array), texts_(texts), type_(type_of(schema)) {
    arrow::check_structure(array, type_);
    const auto held = static_cast<std::size_t>(array.length);
    arrow::require(offset <= held && length <= held - offset, "a column is shorter than its batch");
    array_.offset += static_cast<std::int64_t>(offset);
    array_.length = static_cast<std::int64_t>(length);
    if (schema.dictionary != nullptr) read_dictionary(schema, array);
    const arrow::Kind kind = values_type_.kind;
    if (kind == arrow::Kind::nested || kind == arrow::Kind::unknown)
        throw std::invalid_argument("a column of this type has no keys");
    if (is_dictionary_ || kind != arrow::Kind::items) return;
    arrow::check_items(array_, type_);
    if (!texts.has_learnt()) teach(texts);
}

void KeyColumn::load(std::size_t begin, std::size_t count, KeyBlock& block) const {
    load_nulls(begin, count, block.null.data());
    if (is_dictionary_) return load_by_index(begin, count, block);
    switch (type_.kind) {
        case arrow::Kind::null: return;
        case arrow::Kind::boolean:
            for (std::size_t i = 0; i < count; ++i) block.key[i] = bit(begin + i);
            return;
        case arrow::Kind::items: {
            const ItemChunk items = arrow::chunk_of(array_, type_);
            for (std::size_t i = 0; i < count; ++i)
                block.key[i] = block.null[i] ? 0 : texts_(items[begin + i], block.uuid[i]);
            return;
        }
        default: load_keys(numbers(), begin, count, block.key.data());
    }
}

Item KeyColumn::text(std::size_t i) const {
    if (!is_dictionary_) return arrow::chunk_of(array_, type_)[i];
    std::uint64_t index = 0;
    load_keys(numbers(), i, 1, &index);
    return arrow::chunk_of(dictionary_, values_type_)[entry(index)];
}

arrow::Type KeyColumn::type_of(const ArrowSchema& schema) {
    arrow::require(schema.format != nullptr, "a column has no type");
    return arrow::type_of(schema.format);
}

void KeyColumn::read_dictionary(const ArrowSchema& schema, const ArrowArray& array) {
    arrow::require(array.dictionary != nullptr, "a dictionary is absent");
    arrow::require(type_.kind == arrow::Kind::integer, "the indices of a dictionary are no integers");
    arrow::require(schema.dictionary->dictionary == nullptr, "a dictionary has one of its own");
    is_dictionary_ = true;
    dictionary_ = *array.dictionary;
    values_type_ = type_of(*schema.dictionary);
    arrow::check_structure(dictionary_, values_type_);
    const std::size_t entries = arrow::length_of(dictionary_);
    const KeyColumn values(*schema.dictionary, dictionary_, 0, entries, texts_);
    KeyBlock block;
    for (std::size_t begin = 0; begin < entries; begin += block_length) {
        const std::size_t count = std::min(block_length, entries - begin);
        values.load(begin, count, block);
        for (std::size_t i = 0; i < count; ++i) entries_.push_back({block.key[i], block.uuid[i], block.null[i]});
    }
}

void KeyColumn::load_nulls(std::size_t begin, std::size_t count, bool* null) const {
    const bool all = type_.kind == arrow::Kind::null;
    const bool some = array_.null_count != 0 && array_.n_buffers > 0 && arrow::buffer_of(array_, 0) != nullptr;
    if (all || !some) return std::fill_n(null, count, all), void();
    for (std::size_t i = 0; i < count; ++i) null[i] = !arrow::is_valid(array_, begin + i);
}

bool KeyColumn::bit(std::size_t i) const {
    return arrow::bit_at(arrow::buffer_of(array_, 1), static_cast<std::size_t>(array_.offset) + i);
}

Labels KeyColumn::numbers() const {
    arrow::Type bits = type_;
    if (bits.kind == arrow::Kind::floating) bits.is_signed = false;
    return arrow::integers_of(array_, bits);
}

void KeyColumn::teach(TextKeys& texts) const {
    constexpr std::size_t enough = 1024;
    const ItemChunk items = arrow::chunk_of(array_, type_);
    std::vector<std::string> sample;
    const std::size_t step = std::max<std::size_t>(1, items.length / enough);
    for (std::size_t i = 0; i < items.length; i += step)
        if (arrow::is_valid(array_, i)) {
            const Item item = items[i];
            sample.emplace_back(reinterpret_cast<const char*>(item.bytes), item.size);
        }
    if (sample.empty() && items.length > 0) sample = first_text(items);
    if (!sample.empty()) texts.learn(sample);
}

std::vector<std::string> KeyColumn::first_text(const ItemChunk& items) const {
    for (std::size_t i = 0; i < items.length; ++i)
        if (arrow::is_valid(array_, i))
            return {std::string(reinterpret_cast<const char*>(items[i].bytes), items[i].size)};
    return {};
}

void KeyColumn::load_by_index(std::size_t begin, std::size_t count, KeyBlock& block) const {
    load_keys(numbers(), begin, count, block.key.data());
    for (std::size_t i = 0; i < count; ++i) {
        if (block.null[i]) continue;
        const Entry& known = entries_[entry(block.key[i])];
        block.key[i] = known.key;
        block.uuid[i] = known.uuid;
        block.null[i] = known.null;
    }
}

std::size_t KeyColumn::entry(std::uint64_t index) const {
    if (type_.is_signed) index ^= std::uint64_t{1} << 63;
    if (index >= entries_.size()) throw std::invalid_argument("an index of a dictionary is out of range");
    return static_cast<std::size_t>(index);
}

KeyColumn key_column(const ArrowSchema& schema, const ArrowArray& batch, std::size_t number, TextKeys& texts) {
    if (schema.n_children <= static_cast<std::int64_t>(number) || batch.n_children != schema.n_children)
        throw std::invalid_argument("the batch has no such column");
    arrow::require(schema.children != nullptr && schema.children[number] != nullptr && batch.children != nullptr &&
                       batch.children[number] != nullptr,
                   "a column is absent");
    arrow::require(batch.length >= 0 && batch.offset >= 0, "a length or an offset is negative");
    return {*schema.children[number], *batch.children[number], static_cast<std::size_t>(batch.offset),
            arrow::length_of(batch), texts};
}

}  // namespace concordant
