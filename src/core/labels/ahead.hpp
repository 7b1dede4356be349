// Labels fetched into the cache before they are read.
//
// Kernels take labels block by block: they read a block, then count it. While they count, the processor, which
// fetches what is read in a row, sees nothing to fetch. So who counts asks for the next block on the way.
#pragma once

#include <cstddef>

#include "base/processor.hpp"
#include "labels/labels.hpp"

namespace concordant {

class Ahead {
public:
    static constexpr std::size_t step = 8;  // labels to be counted between two calls: a line of the widest

    // The labels from here on.
    Ahead(const Labels& labels, std::size_t begin)
        : first_(labels.data), stride_(labels.stride), begin_(begin), length_(labels.length) {}

    CONCORDANT_INLINED void fetch(std::size_t i) const {
        if (begin_ + i < length_) prefetch(first_ + static_cast<std::ptrdiff_t>(begin_ + i) * stride_);
    }

private:
    const std::byte* first_;
    std::ptrdiff_t stride_;
    std::size_t begin_, length_;
};

}  // namespace concordant
