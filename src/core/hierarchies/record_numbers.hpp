// Records numbered 0, 1, ... in the order in which the columns of a stream name them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/code_table.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "labels/items.hpp"

namespace concordant {

class RecordNumbers {
public:
    std::size_t size() const { return are_texts_ ? ends_.size() : keys_.size(); }
    bool are_texts() const { return are_texts_; }
    const std::vector<std::uint64_t>& keys() const { return keys_; }  // of records that are not strings
    const std::vector<std::int64_t>& ends() const { return ends_; }   // where the bytes of each string end
    const std::string& bytes() const { return bytes_; }

    // The numbers of `count` rows, -1 for those that are null.
    void load(const KeyColumn& column, std::size_t begin, std::size_t count, std::int64_t* numbers) {
        if (size() > 0 && column.is_text() != are_texts_) throw std::invalid_argument("records of two types");
        are_texts_ = column.is_text();
        column.load(begin, count, block_);
        for (std::size_t i = 0; i < count; ++i) {
            if (block_.null[i]) continue;
            if (are_texts_) text_[i] = column.text(begin + i);
            hash_[i] = are_texts_ ? text_hash_(text_[i]) : key_hash_(block_.key[i]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 12;
            if (i + ahead < count && !block_.null[i + ahead]) table_.prefetch(hash_[i + ahead]);
            numbers[i] = block_.null[i] ? -1 : number(i);
        }
    }

private:
    std::int64_t number(std::size_t i) {
        const auto fresh = static_cast<std::int64_t>(size());
        // Equal hashes mean equal keys, but not equal strings.
        const std::int64_t known = table_.find_or_insert(hash_[i], fresh, [&](std::int64_t number) {
            return !are_texts_ || same_bytes(text_[i], text(static_cast<std::size_t>(number)));
        });
        if (known != no_code) return known;
        if (!are_texts_) {
            keys_.push_back(block_.key[i]);
        } else {
            bytes_.append(reinterpret_cast<const char*>(text_[i].bytes), text_[i].size);
            ends_.push_back(static_cast<std::int64_t>(bytes_.size()));
        }
        return fresh;
    }

    Item text(std::size_t number) const {
        const auto begin = number == 0 ? 0 : static_cast<std::size_t>(ends_[number - 1]);
        return {reinterpret_cast<const std::byte*>(bytes_.data()) + begin,
                static_cast<std::size_t>(ends_[number]) - begin};
    }

    bool are_texts_ = false;
    CodeTable table_;
    const Hasher key_hash_;
    const ItemHasher text_hash_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::int64_t> ends_;
    std::string bytes_;
    KeyBlock block_;
    std::array<Item, block_length> text_;
    std::array<std::uint64_t, block_length> hash_;
};

}  // namespace concordant
