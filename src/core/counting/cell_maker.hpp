// Clusters of one side turned into cells, and cells into the columns of the table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "base/chunks.hpp"

namespace concordant {

template <class Word>
struct Cell {
    Word v, a, n;
};

// A cell that still has its row.
template <class Word>
struct NamedCell : Cell<Word> {
    Word u;
};

// Turns groups of values into cells (value, size of the group, how often the value is in it).
//
// Groups are mostly tiny and of unpredictable size, so they are handled size by size, by code
// without branches on data: a cell is always written, and kept if its value is the first of its kind.
template <class Word>
class CellMaker {
public:
    // Group g holds values[ends[g-1]..ends[g]). Calls emit(cell, first value of its group).
    template <class Emit>
    void operator()(const std::vector<Word>& ends, const Word* values, Emit emit) {
        order_by_size(ends);
        by_size<1>(values, emit);
        for (std::size_t i = first_of_size_[most + 1]; i < first_of_size_[most + 2]; ++i)
            of_large_group(values + group_[i].begin, values + group_[i].end, emit);
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

    template <class Emit>
    void of_large_group(const Word* begin, const Word* end, Emit emit) {
        const auto a = static_cast<Word>(end - begin);
        const Word* const first = begin;
        const std::size_t slots = std::bit_ceil(2 * static_cast<std::size_t>(end - begin));
        slots_.assign(slots, Slot{0, 0});
        for (; begin != end; ++begin) {
            std::size_t at = static_cast<std::size_t>(*begin) & (slots - 1);
            while (slots_[at].n != 0 && slots_[at].value != *begin) at = (at + 1) & (slots - 1);
            slots_[at].value = *begin;
            ++slots_[at].n;
        }
        for (const Slot& slot : slots_)
            if (slot.n != 0) emit(Cell<Word>{slot.value, a, slot.n}, first);
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
            for (std::size_t i = 0; i < kept; ++i) emit(cells[i], value);
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

// The cells of a partition by v, each with the size of its column.
template <class Word>
class ColumnSums {
public:
    // Calls sink.add(cell, b) for each cell, or sink.add(n, a, b) if the sink does not take cells. All cells of a column
    // are in the partition.
    template <class Item, class Ids, class Sink>
    void count(const Gathered<Item>& cells, Ids& id, Sink& sink) {
        id.start(cells.length());
        sums_.assign(id.capacity(), 0);
        columns_.resize(cells.length());
        Word* next = columns_.data();
        cells.for_each([&](const Item& cell) {
            const std::size_t column = id(cell.v);
            *next++ = static_cast<Word>(column);
            sums_[column] += cell.n;
        });
        const Word* column = columns_.data();
        cells.for_each([&](const Item& cell) {
            const Word b = sums_[static_cast<std::size_t>(*column++)];
            if constexpr (requires { sink.add(cell, b); })
                sink.add(cell, b);
            else
                sink.add(cell.n, cell.a, b);
        });
    }

private:
    std::vector<Word> sums_;     // per column
    std::vector<Word> columns_;  // of the cells, so each is looked up once
};

}  // namespace concordant
