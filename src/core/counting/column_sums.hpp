// The cells of a partition by v, each with the size of its column.
#pragma once

#include <cstddef>
#include <vector>

#include "base/chunks.hpp"
#include "counting/cell_maker.hpp"
#include "counting/pair_sums.hpp"

namespace concordant {

template <class Word>
class ColumnSums {
public:
    // Calls sink.add(n, a, b) for each cell. All cells of a column are in the partition.
    template <class Ids, class Sink>
    void count(const Gathered<Cell<Word>>& cells, Ids& id, Sink& sink) {
        start(cells, id);
        columns_.resize(cells.length());
        Word* next = columns_.data();
        cells.for_each([&](const Cell<Word>& cell) {
            const std::size_t column = id(cell.v);
            *next++ = static_cast<Word>(column);
            sums_[column] += cell.n;
        });
        const Word* column = columns_.data();
        cells.for_each([&](const Cell<Word>& cell) {
            sink.add(cell.n, cell.a, sums_[static_cast<std::size_t>(*column++)]);
        });
    }

    // For sums alone, cells and columns may come apart.
    template <class Ids>
    void count(const Gathered<Cell<Word>>& cells, Ids& id, PairSummer& sink) {
        start(cells, id);
        PairSummer summer;  // of its own, so that it lives in registers
        cells.for_each([&](const Cell<Word>& cell) {
            sums_[id(cell.v)] += cell.n;
            summer.add_cell(cell.n, cell.a);
        });
        summer.sums.bb = sum_of_squares(sums_.data(), sums_.size());
        sink.add(summer);
    }

private:
    template <class Ids>
    void start(const Gathered<Cell<Word>>& cells, Ids& id) {
        id.start(cells.length());
        sums_.assign(id.capacity(), 0);
    }

    std::vector<Word> sums_;     // per column
    std::vector<Word> columns_;  // of the cells, so that each is looked up once
};

}  // namespace concordant
