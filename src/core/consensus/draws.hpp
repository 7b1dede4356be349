// Many partitions of the same items, from which a consensus is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

// An item is a set of elements that no draw separates; its weight is their number.
struct Draws {
    std::size_t items = 0, draws = 0;
    std::vector<std::uint32_t> cluster;   // of each item in each draw, item by item; numbered from 0 in each draw
    std::vector<std::uint32_t> clusters;  // how many each draw has
    std::vector<std::uint32_t> weight;    // elements of each item
    std::vector<double> share;            // how much each draw counts

    std::uint32_t cluster_of(std::size_t item, std::size_t draw) const { return cluster[item * draws + draw]; }

    std::vector<std::uint32_t> column(std::size_t draw) const {
        std::vector<std::uint32_t> of_items(items);
        for (std::size_t i = 0; i < items; ++i) of_items[i] = cluster_of(i, draw);
        return of_items;
    }

    double total_share() const {
        double total = 0;
        for (const double each : share) total += each;
        return total;
    }

    std::uint64_t elements() const {
        std::uint64_t total = 0;
        for (const std::uint32_t each : weight) total += each;
        return total;
    }
};

// Selects some of the items and renumbers their clusters.
class DrawPart {
public:
    explicit DrawPart(const Draws& whole) : whole_(whole), number_(whole.draws), stamp_(whole.draws) {
        for (std::size_t b = 0; b < whole.draws; ++b) {
            number_[b].resize(whole.clusters[b]);
            stamp_[b].resize(whole.clusters[b], 0);
        }
    }

    template <class Items>
    Draws of(const Items& chosen) {
        ++round_;
        Draws part;
        part.items = chosen.size();
        part.draws = whole_.draws;
        part.share = whole_.share;
        part.clusters.assign(whole_.draws, 0);
        part.cluster.reserve(part.items * part.draws);
        part.weight.reserve(part.items);
        for (const auto item : chosen) {
            part.weight.push_back(whole_.weight[static_cast<std::size_t>(item)]);
            for (std::size_t b = 0; b < whole_.draws; ++b) {
                const std::uint32_t c = whole_.cluster_of(static_cast<std::size_t>(item), b);
                if (stamp_[b][c] != round_) {
                    stamp_[b][c] = round_;
                    number_[b][c] = part.clusters[b]++;
                }
                part.cluster.push_back(number_[b][c]);
            }
        }
        return part;
    }

private:
    const Draws& whole_;
    std::vector<std::vector<std::uint32_t>> number_;
    std::vector<std::vector<std::uint64_t>> stamp_;
    std::uint64_t round_ = 0;
};

}  // namespace concordant
