// Columns that Python objects export through the Arrow C data interface.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "labels/arrow.hpp"

namespace concordant::python {

// The batches of an Arrow stream, one after the other. What the stream fails with is a ValueError.
class ArrowBatches {
public:
    explicit ArrowBatches(nanobind::handle source);

    bool next();  // needs no GIL
    const ArrowSchema& schema() const { return *schema_; }
    const ArrowArray& batch() const { return *batch_; }
    arrow::Owned<ArrowSchema> take_schema() { return std::move(schema_); }
    arrow::Owned<ArrowArray> take_batch() { return std::move(batch_); }

private:
    void require(int status);

    arrow::Owned<ArrowArrayStream> stream_;
    arrow::Owned<ArrowSchema> schema_;
    arrow::Owned<ArrowArray> batch_;
};

// (kind of the labels, arrays, position of the first null or -1)
nanobind::tuple encode_arrow(nanobind::handle values, int threads);

}  // namespace concordant::python
