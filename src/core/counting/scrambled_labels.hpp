// The labels of one side, scrambled and distributed over partitions, and their numbers within a partition.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hashing.hpp"
#include "labels/labels.hpp"

namespace concordant {

// A bijection of the numbers with this many bits: each of its steps is one. Word is uint32 where all ranges
// and counts fit, else uint64.
template <class Word>
struct Scramble {
    int half;
    Word mask;
    Word seed = static_cast<Word>(process_seed());

    explicit Scramble(int bits) : half((bits + 1) / 2), mask(static_cast<Word>(~std::uint64_t{0} >> (64 - bits))) {}

    Word operator()(Word x) const {
        x = ((x ^ seed) * static_cast<Word>(0x9e3779b97f4a7c15U)) & mask;
        x = ((x ^ (x >> half)) * static_cast<Word>(0xd6e8feb86659fd93U)) & mask;
        return x ^ (x >> half);
    }

    // Shifts by half of the bits undo themselves; the factors are the inverses modulo 2^64.
    Word inverse(Word x) const {
        x = ((x ^ (x >> half)) * static_cast<Word>(0xcfee444d8b59a89bU)) & mask;
        x = ((x ^ (x >> half)) * static_cast<Word>(0xf1de83e19937733dU)) & mask;
        return (x ^ seed) & mask;
    }
};

// One side's labels: how they are scrambled and partitioned.
template <class Word>
class ScrambledLabels {
public:
    // `items`: how many labels are distributed; one label may represent several elements.
    ScrambledLabels(const Labels& labels, KeyRange range, unsigned wanted_partition_bits, std::size_t items)
        : labels_(&labels), low_(range.low), bits_(std::max(1, static_cast<int>(std::bit_width(range.span())))),
          scramble_(bits_),
          partition_bits_(std::clamp(static_cast<int>(wanted_partition_bits), 1, bits_)),
          dense_(bits_ < 48 && (std::uint64_t{1} << bits_) / 8 <= items) {
        if (labels.dropped && *labels.dropped - low_ <= range.span())
            dropped_ = scramble_(static_cast<Word>(*labels.dropped - low_));
    }

    void load(std::size_t begin, std::size_t count, Word* out) const {
        if constexpr (sizeof(Word) == sizeof(std::uint32_t)) {
            load_offsets(*labels_, begin, count, low_, out);
        } else {
            load_keys(*labels_, begin, count, out);
            for (std::size_t i = 0; i < count; ++i) out[i] -= low_;
        }
        const Scramble<Word> scramble = scramble_;  // a copy: `out` might alias the member
        for (std::size_t i = 0; i < count; ++i) out[i] = scramble(out[i]);
    }

    // A label by its distance from the low end of the range.
    Word scrambled(Word offset) const { return scramble_(offset); }
    Word offset(Word scrambled) const { return scramble_.inverse(scrambled); }

    // The label whose elements do not count, where some may have it.
    std::optional<Word> dropped() const { return dropped_; }

    std::size_t partitions() const { return std::size_t{1} << partition_bits_; }
    std::size_t partition_of(Word scrambled) const {
        return static_cast<std::size_t>(scrambled >> (bits_ - partition_bits_));
    }

    // Whether a table of all possible labels of a partition is about as small as its elements.
    bool dense() const { return dense_; }
    std::size_t labels_per_partition() const { return std::size_t{1} << (bits_ - partition_bits_); }

private:
    const Labels* labels_;
    std::uint64_t low_;
    int bits_;
    Scramble<Word> scramble_;
    int partition_bits_;
    bool dense_;
    std::optional<Word> dropped_;
};

// Numbers the labels of one partition 0..size()-1: by the label itself where labels are dense.
template <class Word>
class DenseIds {
public:
    explicit DenseIds(const ScrambledLabels<Word>& side) : size_(side.labels_per_partition()) {}
    void start(std::size_t) {}
    std::size_t operator()(Word label) const { return static_cast<std::size_t>(label) & (size_ - 1); }
    std::size_t capacity() const { return size_; }

private:
    std::size_t size_;
};

// Else by a hash table; labels are scrambled, so their low bits serve as the hash.
template <class Word>
class HashedIds {
public:
    explicit HashedIds(const ScrambledLabels<Word>&) {}

    void start(std::size_t elements) {
        slots_.assign(std::bit_ceil(2 * elements), Slot{0, 0});
        used_ = 0;
        capacity_ = elements;
    }

    std::size_t operator()(Word label) {
        std::size_t at = static_cast<std::size_t>(label) & (slots_.size() - 1);
        for (; slots_[at].id != 0; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].label == label) return static_cast<std::size_t>(slots_[at].id - 1);
        slots_[at] = {label, ++used_};
        return static_cast<std::size_t>(used_ - 1);
    }

    std::size_t capacity() const { return capacity_; }

private:
    struct Slot {
        Word label;
        Word id;  // plus 1; 0 is an empty slot
    };

    std::vector<Slot> slots_;
    Word used_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace concordant
