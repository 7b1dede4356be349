// Runs: consecutive elements with the same labels on both sides, as in images and sorted files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/parallel.hpp"
#include "labels/labels.hpp"

namespace concordant {

inline constexpr std::size_t places_at_once = 8;  // extra room, see write_places

// The runs of a block of elements: the keys of both sides, and where each run starts in the block.
class BlockRuns {
public:
    std::array<std::uint64_t, block_length> u, v;

    std::size_t size() const { return size_; }
    std::size_t start(std::size_t run) const { return start_[run]; }  // also of the one after the last
    std::size_t length(std::size_t run) const { return start(run + 1) - start(run); }

    // False when a label does not fit into the copy that is made of it.
    bool find(const Labels& u_labels, const Labels& v_labels, std::size_t begin, std::size_t count);

private:
    // Where the labels of a block are read: in the copy, as they came, or in a buffer of their keys.
    struct Side {
        const std::byte* first;
        LabelType type;
        std::uint64_t shift;  // from a key of the copy to a key of the labels
        std::array<std::uint64_t, block_length> keys;

        bool take(const Labels& given, std::size_t begin, std::size_t count);
    };

    void load_keys_at(const Side& side, std::uint64_t* out) const;
    template <class T>
    void load_as(const Side& side, std::uint64_t* out) const;

    std::size_t size_ = 0;
    std::array<std::uint16_t, block_length + places_at_once> start_;
    Side u_side_, v_side_;
};

// The mean length of runs in a small sample of pieces from all over the labels.
double mean_run(Labels u, Labels v);

}  // namespace concordant
