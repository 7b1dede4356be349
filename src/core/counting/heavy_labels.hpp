// Labels so frequent that their cluster alone would fill a partition.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting/scrambled_labels.hpp"

namespace concordant {

inline constexpr std::size_t not_heavy = ~std::size_t{0};

// The labels that make up about 1/64 of a sample or more. Their elements are counted on the way and
// shared out by the other side's label instead, so that one giant cluster keeps all threads busy.
// Which labels are caught decides about speed only, never about the result.
template <class Word>
class HeavyLabels {
public:
    HeavyLabels(const ScrambledLabels<Word>& side, std::size_t length) {
        if (length < worth_looking) return;
        std::vector<Word> sample(samples);
        for (std::size_t i = 0; i < samples; ++i) side.load(i * (length / samples), 1, &sample[i]);
        std::sort(sample.begin(), sample.end());
        for (auto run = sample.begin(); run != sample.end();) {
            const auto end = std::upper_bound(run, sample.end(), *run);
            if (end - run >= frequent && side.dropped() != *run) insert(*run);
            run = end;
        }
    }

    std::size_t size() const { return labels_.size(); }

    // A number below size(), or not_heavy.
    std::size_t find(Word label) const {
        for (std::size_t at = static_cast<std::size_t>(label) % slots; index_[at] != 0; at = (at + 1) % slots)
            if (labels_[index_[at] - 1U] == label) return index_[at] - 1U;
        return not_heavy;
    }

private:
    static constexpr std::size_t worth_looking = std::size_t{1} << 16, samples = 2048, slots = 256;
    static constexpr std::ptrdiff_t frequent = samples / 64;  // so there are at most 64 of them

    void insert(Word label) {
        labels_.push_back(label);
        std::size_t at = static_cast<std::size_t>(label) % slots;
        while (index_[at] != 0) at = (at + 1) % slots;
        index_[at] = static_cast<std::uint8_t>(labels_.size());
    }

    std::vector<Word> labels_;
    std::array<std::uint8_t, slots> index_{};  // plus 1; 0 is an empty slot
};

// How many elements have each heavy label, and each pair of heavy labels.
template <class Word>
struct HeavyCounts {
    std::vector<Word> u, v, both;

    HeavyCounts(std::size_t u_labels, std::size_t v_labels)
        : u(u_labels, 0), v(v_labels, 0), both(u_labels * v_labels, 0) {}

    void add(const HeavyCounts& other) {
        for (auto member : {&HeavyCounts::u, &HeavyCounts::v, &HeavyCounts::both})
            for (std::size_t i = 0; i < (this->*member).size(); ++i) (this->*member)[i] += (other.*member)[i];
    }
};

}  // namespace concordant
