// Prefetching labels into the cache.
//
// Kernels read a block of labels, then count it. While they count, the processor sees no reads in a row and prefetches
// nothing. So the counting loops prefetch the next block.
#pragma once

#include <cstddef>

#include "base/processor.hpp"
#include "labels/labels.hpp"

namespace concordant {

class Prefetcher {
public:
    static constexpr std::size_t step = 8;  // labels to be counted between two calls: a line of the widest

    // The labels from here on.
    Prefetcher(const Labels& labels, std::size_t begin)
        : first_(labels.data), stride_(labels.stride), begin_(begin), length_(labels.length),
          labels_of_a_line_(labels.stride > 0 && labels.stride < 8 ? line / static_cast<std::size_t>(labels.stride) : step) {}

    CONCORDANT_INLINED void fetch(std::size_t i) const {
        if (begin_ + i < length_) prefetch(first_ + static_cast<std::ptrdiff_t>(begin_ + i) * stride_);
    }

    // `count` labels, each cache line once.
    CONCORDANT_INLINED void fetch(std::size_t i, std::size_t count) const {
        for (std::size_t j = 0; j < count; j += labels_of_a_line_) fetch(i + j);
    }

private:
    static constexpr std::size_t line = 64;  // bytes

    const std::byte* first_;
    std::ptrdiff_t stride_;
    std::size_t begin_, length_, labels_of_a_line_;
};

}  // namespace concordant
