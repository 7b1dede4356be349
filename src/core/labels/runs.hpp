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
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

// Flags the labels that differ from the one before; where none stands before, nothing is flagged.
template <class T>
inline void flag_changes_as(const std::byte* first, std::size_t count, std::uint8_t* flag) {
    for (std::size_t i = 1; i < count; ++i) {
        const bool differs = read_unaligned<T>(first + i * sizeof(T)) != read_unaligned<T>(first + (i - 1) * sizeof(T));
        flag[i] = static_cast<std::uint8_t>(flag[i] | differs);
    }
}

CONCORDANT_VECTORISED void flag_changes(const std::byte* first, std::size_t width, std::size_t count, std::uint8_t* flag) {
    switch (width) {
        case 1: return flag_changes_as<std::uint8_t>(first, count, flag);
        case 2: return flag_changes_as<std::uint16_t>(first, count, flag);
        case 4: return flag_changes_as<std::uint32_t>(first, count, flag);
        default: return flag_changes_as<std::uint64_t>(first, count, flag);
    }
}

// Where the runs of a block of elements start, and where the block ends.
class RunStarts {
public:
    std::size_t size = 0;
    std::array<std::uint16_t, block_length + 1> start;

    // The labels of both sides lie here, in integers of these widths.
    void find(const std::byte* u, std::size_t u_width, const std::byte* v, std::size_t v_width, std::size_t count,
              Ahead u_next, Ahead v_next) {
        flag_.fill(0);
        flag_changes(u, u_width, count, flag_.data());
        flag_changes(v, v_width, count, flag_.data());
        gather(count, u_next, v_next);
    }

    // Of elements that lie in the same cell.
    void find(const std::uint32_t* cell, std::size_t count, Ahead u_next, Ahead v_next) {
        flag_.fill(0);
        flag_changes(reinterpret_cast<const std::byte*>(cell), sizeof *cell, count, flag_.data());
        gather(count, u_next, v_next);
    }

private:
    void gather(std::size_t count, Ahead u_next, Ahead v_next) {
        flag_[0] = 1;
        size = 0;
        constexpr std::size_t flags = 64;
        for (std::size_t i = 0; i < count; i += flags) {
            for (std::size_t j = 0; j < flags; j += Ahead::step) {
                u_next.fetch(i + j);
                v_next.fetch(i + j);
            }
            for (std::uint64_t changes = packed(flag_.data() + i); changes != 0; changes &= changes - 1)
                start[size++] = static_cast<std::uint16_t>(i + static_cast<std::size_t>(std::countr_zero(changes)));
        }
        start[size] = static_cast<std::uint16_t>(count);
    }

    // 64 bytes of 0 or 1 as bits. The factor brings the lowest bits of 8 bytes together in the highest byte.
    static std::uint64_t packed(const std::uint8_t* flag) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, flag + 8 * i, sizeof eight);  // the first byte lowest, as on all machines we build for
            bits |= (eight * 0x0102040810204080U >> 56) << (8 * i);
        }
        return bits;
    }

    std::array<std::uint8_t, block_length> flag_;
};

// The runs of a block of elements: the keys of both sides, and where each run starts in the block.
class BlockRuns {
public:
    std::array<std::uint64_t, block_length> u, v;

    std::size_t size() const { return starts_.size; }
    std::size_t start(std::size_t run) const { return starts_.start[run]; }  // also of the one after the last

    // False when a label does not fit into the copy that is made of it.
    bool find(const Labels& u_labels, const Labels& v_labels, std::size_t begin, std::size_t count) {
        if (!u_side_.take(u_labels, begin, count) || !v_side_.take(v_labels, begin, count)) return false;
        starts_.find(u_side_.first, u_side_.width(), v_side_.first, v_side_.width(), count,
                     Ahead(u_labels, begin + count), Ahead(v_labels, begin + count));
        load_keys_at(u_side_, u.data());
        load_keys_at(v_side_, v.data());
        return true;
    }

private:
    // Where the labels of a block are read: in the copy, as they came, or in a buffer of their keys.
    struct Side {
        const std::byte* first;
        LabelType type;
        std::array<std::uint64_t, block_length> keys;

        std::size_t width() const { return width_of(type); }

        bool take(const Labels& given, std::size_t begin, std::size_t count) {
            if (given.copy != nullptr && !given.copy->take(given, begin, count)) return false;
            const Labels& labels = given.copy == nullptr ? given : given.copy->labels;
            type = labels.type;
            first = labels.data + begin * width();
            if (labels.stride != static_cast<std::ptrdiff_t>(width())) {
                load_keys(labels, begin, count, keys.data());
                type = LabelType::uint64;
                first = reinterpret_cast<const std::byte*>(keys.data());
            }
            return true;
        }
    };

    void load_keys_at(const Side& side, std::uint64_t* out) const {
        switch (side.type) {
            case LabelType::boolean: return load_as<Boolean>(side.first, out);
            case LabelType::int8: return load_as<std::int8_t>(side.first, out);
            case LabelType::int16: return load_as<std::int16_t>(side.first, out);
            case LabelType::int32: return load_as<std::int32_t>(side.first, out);
            case LabelType::int64: return load_as<std::int64_t>(side.first, out);
            case LabelType::uint8: return load_as<std::uint8_t>(side.first, out);
            case LabelType::uint16: return load_as<std::uint16_t>(side.first, out);
            case LabelType::uint32: return load_as<std::uint32_t>(side.first, out);
            default: return load_as<std::uint64_t>(side.first, out);
        }
    }

    template <class T>
    void load_as(const std::byte* first, std::uint64_t* out) const {
        for (std::size_t i = 0; i < size(); ++i) out[i] = key_of(read_unaligned<T>(first + start(i) * sizeof(T)));
    }

    RunStarts starts_;
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
