// The cells of a partition by v, each with the size of its column.
#pragma once

#include <cstddef>
#include <vector>

#include "base/chunks.hpp"
#include "counting/cell_maker.hpp"

namespace concordant {

template <class Word>
class ColumnSums {
public:
    // Calls sink.add(n, a, b) for each cell. All cells of a column are in the partition.
    template <class Ids, class Sink>
    void count(const Gathered<Cell<Word>>& cells, Ids& id, Sink& sink) {
        id.start(cells.length());
        sums_.assign(id.capacity(), 0);
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

private:
    std::vector<Word> sums_;     // per column
    std::vector<Word> columns_;  // of the cells, so that each is looked up once
};

}  // namespace concordant
