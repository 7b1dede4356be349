// The rows of a row group, in batches of which each column lies in one page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <fstream>
#include <vector>

#include "labels/arrow.hpp"
#include "parquet/column_pages.hpp"
#include "parquet/file.hpp"

namespace concordant::parquet {

class RowBatches {
public:
    RowBatches(const File& file, const RowGroup& group, std::size_t most_bytes_of_a_column) : left_(group.rows) {
        for (std::size_t i = 0; i < group.pieces.size(); ++i) {
            std::ifstream& stream = streams_.emplace_back(file.open());
            columns_.emplace_back(stream, file.columns()[i], group.pieces[i], most_bytes_of_a_column);
        }
    }

    // How many rows come next; none at the end.
    std::size_t next() {
        std::uint64_t count = left_;
        for (ColumnPages& column : columns_) {
            const std::size_t of_page = column.rows_left();
            require((of_page == 0) == (left_ == 0), "a column has more or fewer rows than its row group");
            count = std::min<std::uint64_t>(count, of_page);
        }
        left_ -= count;
        batch_.clear();
        for (ColumnPages& column : columns_) batch_.push_back(column.take(static_cast<std::size_t>(count)));
        return static_cast<std::size_t>(count);
    }

    const ArrowArray& column(std::size_t number) const { return batch_[number]; }

private:
    std::uint64_t left_;
    std::deque<std::ifstream> streams_;
    std::deque<ColumnPages> columns_;  // which refer to their streams
    std::vector<ArrowArray> batch_;
};

// The type of what a column's arrays hold.
inline ArrowSchema schema_of(const Column& column) {
    ArrowSchema schema{};
    schema.format = column.kind == Kind::text ? "vu" : column.kind == Kind::integer64 ? "l" : "i";
    return schema;
}

}  // namespace concordant::parquet
