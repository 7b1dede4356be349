// Clusters of one side turned into cells, and cells into the columns of the table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "base/chunks.hpp"
#include "base/function_ref.hpp"

namespace concordant {

template <class Word>
struct Cell {
    Word v, a, n;
};

// Turns groups of values into cells (value, size of the group, how often the value is in it).
//
// Groups are mostly tiny and of unpredictable size, so they are handled size by size, by code
// without branches on data: a cell is always written, and kept if its value is the first of its kind.
template <class Word>
class CellMaker {
public:
    using Emit = FunctionRef<void(const Cell<Word>*, std::size_t)>;

    // Group g holds values[ends[g-1]..ends[g]). Calls emit(cells, count) for some cells at a time.
    void operator()(const std::vector<Word>& ends, const Word* values, Emit emit) {
        order_by_size(ends);
        size_ = 0;
        by_size<1>(values, emit);
        for (std::size_t i = first_of_size_[most + 1]; i < first_of_size_[most + 2]; ++i)
            of_large_group(values, group_[i], emit);
        emit(cells_.data(), size_);
    }

private:
    static constexpr std::size_t most = 12;       // larger groups are hashed
    static constexpr std::size_t at_once = 1024;  // cells that are passed on together

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

    void of_large_group(const Word* values, const Group& group, Emit emit) {
        const Word a = group.end - group.begin;
        const std::size_t slots = std::bit_ceil(2 * static_cast<std::size_t>(a));
        slots_.assign(slots, Slot{0, 0});
        for (Word i = group.begin; i != group.end; ++i) {
            const Word value = values[static_cast<std::size_t>(i)];
            std::size_t at = static_cast<std::size_t>(value) & (slots - 1);
            while (slots_[at].n != 0 && slots_[at].value != value) at = (at + 1) & (slots - 1);
            slots_[at].value = value;
            ++slots_[at].n;
        }
        for (const Slot& slot : slots_)
            if (slot.n != 0) {
                if (size_ >= at_once) pass_on(emit);
                cells_[size_++] = {slot.value, a, slot.n};
            }
    }

    template <std::size_t size>
    void by_size(const Word* values, Emit emit) {
        for (std::size_t g = first_of_size_[size]; g < first_of_size_[size + 1]; ++g) {
            if (size_ >= at_once) pass_on(emit);
            const Group group = group_[g];
            const Word* value = values + group.begin;
            Cell<Word>* out = cells_.data() + size_;
            for (std::size_t i = 0; i < size; ++i) {
                Word before = 0, from_here = 0;
                for (std::size_t j = 0; j < i; ++j) before |= value[j] == value[i];
                for (std::size_t j = i; j < size; ++j) from_here += value[j] == value[i];
                *out = {value[i], static_cast<Word>(size), from_here};
                out += before ^ 1;
            }
            size_ = static_cast<std::size_t>(out - cells_.data());
        }
        if constexpr (size < most) by_size<size + 1>(values, emit);
    }

    void pass_on(Emit emit) {
        emit(cells_.data(), size_);
        size_ = 0;
    }

    struct Slot {
        Word value, n;
    };

    std::vector<Slot> slots_;
    std::vector<Group> group_;
    std::array<std::size_t, most + 3> first_of_size_;
    std::array<Cell<Word>, at_once + most> cells_;  // the cells of a small group are written without a check
    std::size_t size_ = 0;
};

// The cells of a partition by v, each with the size of its column.
template <class Word>
class ColumnSums {
public:
    using Item = Cell<Word>;

    // Calls use(cells, sizes of their columns, count) for some cells at a time. All cells of a column are in the partition.
    template <class Ids>
    void count(const Gathered<Item>& cells, Ids& id, FunctionRef<void(const Item*, const Word*, std::size_t)> use) {
        id.start(cells.length());
        sums_.assign(id.capacity(), 0);
        columns_.resize(cells.length());
        Word* next = columns_.data();
        cells.for_each([&](const Item& cell) {
            const std::size_t column = id(cell.v);
            *next++ = static_cast<Word>(column);
            sums_[column] += cell.n;
        });
        Word* column = columns_.data();
        cells.for_each_chunk([&](const Item* chunk, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) column[i] = sums_[static_cast<std::size_t>(column[i])];
            use(chunk, column, count);
            column += count;
        });
    }

private:
    std::vector<Word> sums_;     // per column
    std::vector<Word> columns_;  // of the cells, so each is looked up once; then the sizes of these columns
};

// Passes cells and the sizes of their columns to a sink, with their labels if the sink takes these.
template <class Sink, class Word>
void add_cells(Sink& sink, const Cell<Word>* cells, const Word* sizes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (requires { sink.add(cells[i], sizes[i]); })
            sink.add(cells[i], sizes[i]);
        else
            sink.add(cells[i].n, cells[i].a, sizes[i]);
    }
}

}  // namespace concordant
