// Runs: stretches of elements whose labels stay the same on both sides, as in images and in sorted files.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/parallel.hpp"
#include "labels/ahead.hpp"
#include "labels/changes.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

inline constexpr std::size_t places_at_once = 8;

// Writes where the bits are set, from `from` on, and returns how many these are. Some are written whether there are so
// many or not: how many there are is not to be foreseen, and a branch taken wrongly costs more than they do.
inline std::size_t write_places(std::uint64_t bits, std::size_t from, std::uint16_t* place) {
    constexpr std::uint64_t last = std::uint64_t{1} << 63;  // so that never none is set, for which processors differ
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

// Writes where runs start in a block, and at last where it ends. Both sides are read at the same pace, and what
// comes after the block is fetched as it goes, so that memory is never idle. Returns the number of runs.
CONCORDANT_VECTORISED std::size_t find_starts(Packed u, Packed v, std::size_t count, Ahead u_next, Ahead v_next,
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

// The runs of a block of elements: the keys of both sides, and where each run starts in the block.
class BlockRuns {
public:
    std::array<std::uint64_t, block_length> u, v;

    std::size_t size() const { return size_; }
    std::size_t start(std::size_t run) const { return start_[run]; }  // also of the one after the last
    std::size_t length(std::size_t run) const { return start(run + 1) - start(run); }

    // False when a label does not fit into the copy that is made of it.
    bool find(const Labels& u_labels, const Labels& v_labels, std::size_t begin, std::size_t count) {
        if (!u_side_.take(u_labels, begin, count) || !v_side_.take(v_labels, begin, count)) return false;
        size_ = find_starts(u_side_.packed(), v_side_.packed(), count, Ahead(u_labels, begin + count),
                            Ahead(v_labels, begin + count), start_.data());
        load_keys_at(u_side_, u.data());
        load_keys_at(v_side_, v.data());
        return true;
    }

private:
    // Where the labels of a block are read: in the copy, as they came, or in a buffer of their keys.
    struct Side {
        const std::byte* first;
        LabelType type;
        std::uint64_t shift;  // from a key of the copy to a key of the labels
        std::array<std::uint64_t, block_length> keys;

        Packed packed() const { return {first, width_of(type)}; }

        bool take(const Labels& given, std::size_t begin, std::size_t count) {
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
    };

    void load_keys_at(const Side& side, std::uint64_t* out) const {
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

    template <class T>
    void load_as(const Side& side, std::uint64_t* out) const {
        const std::byte* first = side.first;  // copies: `out` might else be taken to change them
        const std::uint64_t shift = side.shift;
        for (std::size_t i = 0, count = size(); i < count; ++i)
            out[i] = key_of(read_unaligned<T>(first + start(i) * sizeof(T))) + shift;
    }

    std::size_t size_ = 0;
    std::array<std::uint16_t, block_length + places_at_once> start_;
    Side u_side_, v_side_;
};

// How long runs are in the mean, by pieces from all over the labels: so few that looking costs nothing.
inline double mean_run(Labels u, Labels v) {
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
