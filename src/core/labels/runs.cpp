#include "labels/runs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/processor.hpp"
#include "labels/narrow_copy.hpp"
#include "labels/prefetch.hpp"

namespace concordant {

namespace {

constexpr std::size_t labels_at_once = 64;

#if defined(CONCORDANT_HAS_NEON)
// Of the labels of a vector, ones for those that are the same as the one before.
template <std::size_t width>
CONCORDANT_INLINED uint8x16_t same_labels(const std::byte* first) {
    const auto load = [](const std::byte* from) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from)); };
    const uint8x16_t here = load(first), before = load(first - width);
    if constexpr (width == 1)
        return vceqq_u8(here, before);
    else if constexpr (width == 2)
        return vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(here), vreinterpretq_u16_u8(before)));
    else if constexpr (width == 4)
        return vreinterpretq_u8_u32(vceqq_u32(vreinterpretq_u32_u8(here), vreinterpretq_u32_u8(before)));
    else
        return vreinterpretq_u8_u64(vceqq_u64(vreinterpretq_u64_u8(here), vreinterpretq_u64_u8(before)));
}

// The same of 16 labels, a byte for each: every other byte of two vectors makes one, until each label has one left.
template <std::size_t width, std::size_t bytes_of_label = width>
CONCORDANT_INLINED uint8x16_t sixteen_same(const std::byte* first) {
    constexpr std::size_t half = bytes_of_label / 2;
    if constexpr (half == 0)
        return same_labels<width>(first);
    else
        return vuzp1q_u8(sixteen_same<width, half>(first), sixteen_same<width, half>(first + 16 * half));
}

using SameLabels = std::array<uint8x16_t, labels_at_once / 16>;

template <std::size_t width>
CONCORDANT_INLINED void keep_same(SameLabels& same, const std::byte* first) {
    for (uint8x16_t& sixteen : same) {
        sixteen = vandq_u8(sixteen, sixteen_same<width>(first));
        first += 16 * width;
    }
}

CONCORDANT_INLINED void keep_same(SameLabels& same, const std::byte* first, std::size_t width) {
    switch (width) {
        case 1: return keep_same<1>(same, first);
        case 2: return keep_same<2>(same, first);
        case 4: return keep_same<4>(same, first);
        default: return keep_same<8>(same, first);
    }
}

// A set bit for each of 64 elements that has another label than the one before on either side.
CONCORDANT_INLINED std::uint64_t changes_of(const std::byte* u, std::size_t u_width, const std::byte* v,
                                            std::size_t v_width) {
    const uint8x16_t ones = vdupq_n_u8(0xff), bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
    SameLabels same{ones, ones, ones, ones};
    keep_same(same, u, u_width);
    keep_same(same, v, v_width);
    const auto pairs = [&](std::size_t i) { return vpaddq_u8(vbicq_u8(bit, same[i]), vbicq_u8(bit, same[i + 1])); };
    const uint8x16_t fours = vpaddq_u8(pairs(0), pairs(2));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)), 0);
}
#else
// Flags those of 64 labels that differ from the one before.
template <class T>
void flag_changes(const std::byte* first, std::uint8_t* flag) {
    for (std::size_t i = 0; i < labels_at_once; ++i) {
        const bool differs = read_unaligned<T>(first + i * sizeof(T)) != read_unaligned<T>(first + i * sizeof(T) - sizeof(T));
        flag[i] = static_cast<std::uint8_t>(flag[i] | differs);
    }
}

// The same as bits, where a label is as wide as all flags together: a vector then holds the bits as they are.
std::uint64_t changes_of_words(const std::byte* first) {
    static constexpr std::array<std::uint64_t, labels_at_once> bit = [] {
        std::array<std::uint64_t, labels_at_once> bits{};
        for (std::size_t i = 0; i < labels_at_once; ++i) bits[i] = std::uint64_t{1} << i;
        return bits;
    }();
    std::uint64_t changes = 0;
    for (std::size_t i = 0; i < labels_at_once; ++i)
        changes |= read_unaligned<std::uint64_t>(first + 8 * i) != read_unaligned<std::uint64_t>(first + 8 * i - 8) ? bit[i] : 0;
    return changes;
}

// Either flags or returns the changes.
std::uint64_t changes_or_flags(const std::byte* first, std::size_t width, std::uint8_t* flag) {
    switch (width) {
        case 1: flag_changes<std::uint8_t>(first, flag); return 0;
        case 2: flag_changes<std::uint16_t>(first, flag); return 0;
        case 4: flag_changes<std::uint32_t>(first, flag); return 0;
        default: return changes_of_words(first);
    }
}

// 64 bytes of 0 or 1 as bits.
std::uint64_t packed(const std::uint8_t* flag) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < labels_at_once; i += flags_at_once) bits |= std::uint64_t{bits_of_flags(flag + i)} << i;
    return bits;
}

// A set bit for each of 64 elements that has another label than the one before on either side.
CONCORDANT_INLINED std::uint64_t changes_of(const std::byte* u, std::size_t u_width, const std::byte* v,
                                            std::size_t v_width) {
    std::array<std::uint8_t, labels_at_once> flag{};
    std::uint64_t changes = changes_or_flags(u, u_width, flag.data());
    changes |= changes_or_flags(v, v_width, flag.data());
    if (std::min(u_width, v_width) < sizeof changes) changes |= packed(flag.data());
    return changes;
}
#endif

// Writes the positions of set bits, counted from `from`, and returns their number. It always writes several: their
// number is unpredictable, and a mispredicted branch costs more than the extra writes.
std::size_t write_places(std::uint64_t bits, std::size_t from, std::uint16_t* place) {
    constexpr std::uint64_t last = std::uint64_t{1} << 63;  // so at least one bit is set; processors differ on zero
    const auto count = static_cast<std::size_t>(std::popcount(bits));
    std::size_t i = 0;
    do {
        for (std::size_t end = i + places_at_once; i < end; ++i, bits &= bits - 1)
            place[i] = static_cast<std::uint16_t>(from + static_cast<std::size_t>(std::countr_zero(bits | last)));
    } while (i < count);
    return count;
}

// Labels of a block, side by side in integers of this width.
struct Packed {
    const std::byte* first;
    std::size_t width;

    const std::byte* at(std::size_t i) const { return first + i * width; }
    bool differs(std::size_t i) const { return std::memcmp(at(i), at(i - 1), width) != 0; }
};

// Writes where runs start in a block, then where the block ends. Reads both sides at the same pace and prefetches the
// next block, so memory is never idle. Returns the number of runs.
CONCORDANT_VECTORISED std::size_t find_starts(Packed u, Packed v, std::size_t count, Prefetcher u_next, Prefetcher v_next,
                                              std::uint16_t* start) {
    std::size_t size = 0, done = 1;
    start[size++] = 0;
    while (done < count && count > labels_at_once) {
        const std::size_t from = std::min(done, count - labels_at_once);  // the last may overlap what is done
        const std::uint64_t changes = changes_of(u.at(from), u.width, v.at(from), v.width);
        u_next.fetch(done - 1, labels_at_once);
        v_next.fetch(done - 1, labels_at_once);
        size += write_places(changes & ~std::uint64_t{0} << (done - from), from, start + size);
        done = from + labels_at_once;
    }
    for (; done < count; ++done)
        if (u.differs(done) || v.differs(done)) start[size++] = static_cast<std::uint16_t>(done);
    start[size] = static_cast<std::uint16_t>(count);
    return size;
}

}  // namespace

bool BlockRuns::find(const Labels& u_labels, const Labels& v_labels, std::size_t begin, std::size_t count) {
    if (!u_side_.take(u_labels, begin, count) || !v_side_.take(v_labels, begin, count)) return false;
    size_ = find_starts({u_side_.first, width_of(u_side_.type)}, {v_side_.first, width_of(v_side_.type)}, count,
                        Prefetcher(u_labels, begin + count),
                        Prefetcher(v_labels, begin + count), start_.data());
    load_keys_at(u_side_, u.data());
    load_keys_at(v_side_, v.data());
    return true;
}

bool BlockRuns::Side::take(const Labels& given, std::size_t begin, std::size_t count) {
    if (given.copy != nullptr && !given.copy->take(given, begin, count)) return false;
    const Labels& labels = given.copy == nullptr ? given : given.copy->labels;
    type = labels.type;
    shift = key_of_zero(given.type) - key_of_zero(type);
    first = labels.data + begin * width_of(type);
    if (labels.stride != static_cast<std::ptrdiff_t>(width_of(type))) {
        load_keys(labels, begin, count, keys.data());
        type = LabelType::uint64;
        first = reinterpret_cast<const std::byte*>(keys.data());
    }
    return true;
}

template <class T>
void BlockRuns::load_as(const Side& side, std::uint64_t* out) const {
    const std::byte* first = side.first;  // copies: otherwise the compiler must assume that `out` changes them
    const std::uint64_t shift = side.shift;
    for (std::size_t i = 0, count = size(); i < count; ++i)
        out[i] = key_of(read_unaligned<T>(first + start(i) * sizeof(T))) + shift;
}

void BlockRuns::load_keys_at(const Side& side, std::uint64_t* out) const {
    switch (side.type) {
        case LabelType::boolean: return load_as<Boolean>(side, out);
        case LabelType::int8: return load_as<std::int8_t>(side, out);
        case LabelType::int16: return load_as<std::int16_t>(side, out);
        case LabelType::int32: return load_as<std::int32_t>(side, out);
        case LabelType::int64: return load_as<std::int64_t>(side, out);
        case LabelType::uint8: return load_as<std::uint8_t>(side, out);
        case LabelType::uint16: return load_as<std::uint16_t>(side, out);
        case LabelType::uint32: return load_as<std::uint32_t>(side, out);
        default: return load_as<std::uint64_t>(side, out);
    }
}

double mean_run(Labels u, Labels v) {
    constexpr std::size_t piece = 256, fewest = 4, most = 32, share = 128;
    u.copy = v.copy = nullptr;  // only looked at
    const std::size_t pieces = std::clamp(u.length / (share * piece), fewest, most);
    if (u.length < pieces * piece) return 1;
    BlockRuns runs;
    std::size_t found = 0;
    for (std::size_t i = 0; i < pieces; ++i) {
        runs.find(u, v, (u.length - piece) / (pieces - 1) * i, piece);
        found += runs.size();
    }
    return static_cast<double>(pieces * piece) / static_cast<double>(found);
}

}  // namespace concordant
