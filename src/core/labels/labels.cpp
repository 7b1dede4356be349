#include "labels/labels.hpp"

namespace concordant {

namespace {

struct StoreKey {
    std::uint64_t* out;
    void operator()(std::size_t i, std::uint64_t key) { out[i] = key; }
};

struct StoreOffset {
    std::uint32_t* out;
    std::uint64_t low;
    std::uint64_t bits = 0;
    void operator()(std::size_t i, std::uint64_t key) {
        bits |= key - low;
        out[i] = static_cast<std::uint32_t>(key - low);
    }
};

struct FindRange {
    KeyRange range;
    void operator()(std::size_t, std::uint64_t key) {
        range.low = std::min(range.low, key);
        range.high = std::max(range.high, key);
    }
};

}  // namespace

CONCORDANT_VECTORISED void load_keys(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t* out) {
    for_keys(labels, begin, count, StoreKey{out});
}

CONCORDANT_VECTORISED std::uint64_t load_offsets(const Labels& labels, std::size_t begin, std::size_t count,
                                                 std::uint64_t low, std::uint32_t* out) {
    return for_keys(labels, begin, count, StoreOffset{out, low}).bits;
}

CONCORDANT_VECTORISED KeyRange scan_range(const Labels& labels, std::size_t begin, std::size_t count) {
    return for_keys(labels, begin, count, FindRange{}).range;
}

CONCORDANT_VECTORISED std::uint32_t largest_of(const std::uint32_t* values, std::size_t count) {
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, values[i]);
    return largest;
}

}  // namespace concordant
