// The profile of two labellings, or the sums of squares alone that pair counts need.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "counting/differing_marks.hpp"
#include "counting/pair_sums.hpp"
#include "counting/triples.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

// Distinct triples sorted by (a, b, n), the same for any number of threads. `u` and `v` are of the
// same length. `marks`, if any, gets the clusters of `v` that differ, if these are known.
std::vector<Triple> profile(const Labels& u, const Labels& v, unsigned threads, Control& control,
                            DifferingMarks* marks = nullptr);

// The profile, and the labels that were counted, in memory of our own.
struct KeptProfile {
    std::vector<Triple> triples;
    NarrowCopy u, v;
};

KeptProfile kept_profile(const Labels& u, const Labels& v, unsigned threads, Control& control,
                         DifferingMarks* marks = nullptr);

// The sums alone, which take less time than the triples.
PairSums pair_sums(const Labels& u, const Labels& v, unsigned threads, Control& control);

}  // namespace concordant
