// The parts of the partitioned profile: scrambled labels, their numbering, groups turned into cells.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hashing.hpp"
#include "labels.hpp"

namespace concordant::detail {

// Word is uint32 where all ranges and counts fit, else uint64.
template <class Word>
struct Pair {
    Word u, v;
};

template <class Word>
struct Cell {
    Word v, a, n;
};

// A bijection of the numbers of some bits, being one in each step.
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
};

// One side's labels: how they are scrambled and partitioned.
template <class Word>
class Side {
public:
    Side(const Labels& labels, KeyRange range, unsigned wanted_partition_bits)
        : labels_(&labels), low_(range.low), bits_(std::max(1, static_cast<int>(std::bit_width(range.span())))),
          scramble_(bits_),
          partition_bits_(std::clamp(static_cast<int>(wanted_partition_bits), 1, bits_)),
          dense_(bits_ < 48 && (std::uint64_t{1} << bits_) / 8 <= labels.length) {}

    void load(std::size_t begin, std::size_t count, Word* out) const {
        if constexpr (sizeof(Word) == sizeof(std::uint32_t)) {
            load_offsets(*labels_, begin, count, low_, out);
        } else {
            load_keys(*labels_, begin, count, out);
            for (std::size_t i = 0; i < count; ++i) out[i] -= low_;
        }
        const Scramble<Word> scramble = scramble_;  // a copy: `out` might else be taken to change it
        for (std::size_t i = 0; i < count; ++i) out[i] = scramble(out[i]);
    }

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
};

// Numbers the labels of one partition 0..size()-1: by the label itself where labels are dense.
template <class Word>
class DenseIds {
public:
    explicit DenseIds(const Side<Word>& side) : size_(side.labels_per_partition()) {}
    void start(std::size_t) {}
    std::size_t operator()(Word label) const { return static_cast<std::size_t>(label) & (size_ - 1); }
    std::size_t capacity() const { return size_; }

private:
    std::size_t size_;
};

// Heavy labels come as their numbers.
template <class Word>
struct HeavyIds {
    std::size_t size;

    explicit HeavyIds(std::size_t labels) : size(labels) {}
    void start(std::size_t) {}
    std::size_t operator()(Word number) const { return static_cast<std::size_t>(number); }
    std::size_t capacity() const { return size; }
};

// Else by a hash table; labels are scrambled, so their low bits serve as the hash.
template <class Word>
class HashedIds {
public:
    explicit HashedIds(const Side<Word>&) {}

    void start(std::size_t elements) {
        slots_.assign(ceil_power_of_two(2 * elements), Slot{0, 0});
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

// Turns groups of values into cells (value, size of the group, how often the value is in it).
//
// Groups are mostly tiny and of unpredictable size, so they are handled size by size, by code
// without branches on data: a cell is always written, and kept if its value is the first of its kind.
template <class Word>
class CellMaker {
public:
    // Group g holds values[ends[g-1]..ends[g]). Calls emit(cell).
    template <class Emit>
    void operator()(const std::vector<Word>& ends, const Word* values, Emit emit) {
        order_by_size(ends);
        by_size<1>(values, emit);
        for (std::size_t i = first_of_size_[most + 1]; i < first_of_size_[most + 2]; ++i)
            of_group(values + group_[i].begin, values + group_[i].end, group_[i].end - group_[i].begin, emit);
    }

    // The cells of one large group, or of a part of one, whose size is a.
    template <class Emit>
    void of_group(const Word* begin, const Word* end, Word a, Emit emit) {
        const std::size_t slots = ceil_power_of_two(2 * static_cast<std::size_t>(end - begin));
        slots_.assign(slots, Slot{0, 0});
        for (; begin != end; ++begin) {
            std::size_t at = static_cast<std::size_t>(*begin) & (slots - 1);
            while (slots_[at].n != 0 && slots_[at].value != *begin) at = (at + 1) & (slots - 1);
            slots_[at].value = *begin;
            ++slots_[at].n;
        }
        for (const Slot& slot : slots_)
            if (slot.n != 0) emit(Cell<Word>{slot.value, a, slot.n});
    }

private:
    static constexpr std::size_t most = 12;  // larger groups are hashed

    struct Group {
        Word begin, end;
        std::size_t size_class() const { return std::min<std::size_t>(end - begin, most + 1); }
    };

    void order_by_size(const std::vector<Word>& ends) {
        first_of_size_.fill(0);
        Group group{0, 0};
        for (const Word end : ends) {
            group = {group.end, end};
            ++first_of_size_[group.size_class() + 1];
        }
        for (std::size_t size = 1; size < first_of_size_.size(); ++size)
            first_of_size_[size] += first_of_size_[size - 1];
        group_.resize(ends.size());
        auto next = first_of_size_;
        group = {0, 0};
        for (const Word end : ends) {
            group = {group.end, end};
            group_[next[group.size_class()]++] = group;
        }
    }

    template <std::size_t size, class Emit>
    void by_size(const Word* values, Emit emit) {
        std::array<Cell<Word>, size> cells;
        for (std::size_t g = first_of_size_[size]; g < first_of_size_[size + 1]; ++g) {
            const Word* value = values + group_[g].begin;
            std::size_t kept = 0;
            for (std::size_t i = 0; i < size; ++i) {
                Word before = 0, from_here = 0;
                for (std::size_t j = 0; j < i; ++j) before |= value[j] == value[i];
                for (std::size_t j = i; j < size; ++j) from_here += value[j] == value[i];
                cells[kept] = {value[i], static_cast<Word>(size), from_here};
                kept += before ^ 1;
            }
            for (std::size_t i = 0; i < kept; ++i) emit(cells[i]);
        }
        if constexpr (size < most) by_size<size + 1>(values, emit);
    }

    struct Slot {
        Word value, n;
    };

    std::vector<Slot> slots_;
    std::vector<Group> group_;
    std::array<std::size_t, most + 3> first_of_size_;
};

}  // namespace concordant::detail
