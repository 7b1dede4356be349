// The components of sliced records: what each has in each slice, and the things that an exchange moves between slices.
//
// A component is exchanged whole if it is in one slice. If some are in several, their clusters of one side are exchanged
// where each is in one slice; otherwise the records of each component are, among themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "graph/groups.hpp"

namespace concordant {

inline constexpr std::size_t most_sums = 3;  // numerators and, last, a denominator

using ShareSums = std::array<double, most_sums>;
using Features = std::array<double, most_sums + 2>;  // sums, squared influence, its product with the rest of the component

struct SlicedPieces {
    GroupNumbers cell, slice, kind, component;  // of each piece, the last of each cell
    GroupNumbers row, column;                   // of each cell; empty if clusters are not exchanged
    const std::int64_t* records;
    const double* value;  // the sums of one record, kind by kind
    std::size_t sums;
};

// Sums over the things that are drawn from one urn.
struct UrnMoments {
    double count = 0;
    Features totals{};
    std::array<Features, most_sums + 2> products{};  // only j <= k

    void add(const Features& features, double times) {
        count += times;
        for (std::size_t j = 0; j < features.size(); ++j) {
            totals[j] += times * features[j];
            for (std::size_t k = j; k < features.size(); ++k) products[j][k] += times * features[j] * features[k];
        }
    }
};

// What slices draw from the records of components.
struct SliceMoments {
    double drawn = 0, pairs = 0;  // the latter: expected products of two records of one component
    Features means{};
    std::array<Features, most_sums + 2> covariances{};
};

// Columns of the table of slices, followed by the terms of the slice and those that no exchange changes.
enum SliceColumn : std::size_t {
    in_components, squared_shares, largest_share, squared_moves,  // of the slice alone
    counted_components, mixed_components, losses, squared_losses, rest_losses, squared_rest_losses,
    items, drawn_records, slice_columns
};

class SliceComponents {
public:
    struct Group {  // the records of a component in a slice
        std::int64_t records;
        std::uint32_t slice;
        ShareSums sums;
    };

    struct Thing {  // or several with equal sums
        std::int64_t count;
        std::uint32_t slice;  // of an item
        ShareSums sums;
    };

    SliceComponents(const SlicedPieces& pieces, Control& control)
        : sums_(pieces.sums), slices_(pieces.slice.groups()), place_(slices_, none), groups_(pieces.cell.length()),
          things_(pieces.cell.length()) {
        for (const GroupNumbers* numbers : {&pieces.cell, &pieces.slice, &pieces.kind})
            if (numbers->length() >= none || numbers->groups() >= none) throw std::invalid_argument("there are too many pieces");
        const std::vector<std::size_t> start = sort_by_component(pieces, control);
        find_groups(pieces, start, control);
        find_things(pieces, start, control);
        pieces_ = {};
        place_ = {};
    }

    std::size_t components() const { return whole_.size(); }
    std::size_t slices() const { return slices_; }
    std::size_t sums() const { return sums_; }
    const std::vector<ShareSums>& whole() const { return whole_; }
    const std::vector<double>& influences() const { return influence_; }

    std::vector<double> slice_sums() const {
        std::vector<double> totals(slices_ * sums_);
        for (const Group& group : groups_)
            for (std::size_t k = 0; k < sums_; ++k) totals[group.slice * sums_ + k] += group.sums[k];
        return totals;
    }

    // `slopes` turn sums into influences on the value of all records, and `own_slopes` on that of each slice.
    std::vector<double> table(const double* slopes, const double* own_slopes, Control& control) {
        std::copy_n(slopes, sums_, slopes_.begin());
        influence_.resize(components());
        const std::size_t width = slice_columns + 2 * (sums_ + 2);
        std::vector<double> table(slices_ * width);
        for (std::size_t c = 0; c < components(); ++c) {
            if (c % block_length == 0) control.checkpoint();
            const ShareSums& whole = whole_[c];
            const double influence = influence_[c] = influence_of(whole), loss = loss_of(whole);
            const bool is_fixed = thing_start_[c] == thing_start_[c + 1], is_of_records = !is_fixed && !is_of_items_[c];
            for (std::size_t g = group_start_[c]; g < group_start_[c + 1]; ++g) {
                const Group& group = groups_[g];
                double* out = table.data() + group.slice * width;
                const double share = last(group.sums), own = influence_of(group.sums);
                double moves = 0;
                for (std::size_t k = 0; k < sums_; ++k) moves += own_slopes[group.slice * sums_ + k] * group.sums[k];
                if (share > 0) {
                    ++out[in_components];
                    out[squared_shares] += share * share;
                    out[largest_share] = std::max(out[largest_share], share);
                    out[squared_moves] += moves * moves;
                }
                if (last(whole) > 0) {
                    ++out[counted_components];
                    out[mixed_components] += std::abs(share - last(whole)) > same * last(whole);
                }
                if (is_of_records) out[drawn_records] += static_cast<double>(group.records);
                ShareSums rest = whole;
                for (std::size_t k = 0; k < sums_; ++k) rest[k] -= group.sums[k];
                const double rest_loss = loss_of(rest);
                out[losses] += loss;
                out[squared_losses] += loss * loss;
                out[rest_losses] += rest_loss;
                out[squared_rest_losses] += rest_loss * rest_loss;
                for (double* terms = out + slice_columns, *end = terms + (is_fixed ? 2 : 1) * (sums_ + 2); terms != end;) {
                    for (std::size_t k = 0; k < sums_; ++k) *terms++ += group.sums[k];
                    *terms++ += own * own;
                    *terms++ += own * influence;
                }
            }
        }
        for (std::size_t c = 0; c < components(); ++c)
            if (is_of_items_[c])
                for (std::size_t t = thing_start_[c]; t < thing_start_[c + 1]; ++t)
                    ++table[things_[t].slice * width + items];
        return table;
    }

    // Sums over components: losses, their squares, squared influences, and how many have a denominator.
    std::array<double, 4> totals() const {
        std::array<double, 4> total{};
        for (std::size_t c = 0; c < components(); ++c) {
            const double loss = loss_of(whole_[c]);
            total[0] += loss;
            total[1] += loss * loss;
            total[2] += influence_[c] * influence_[c];
            total[3] += counts(c);
        }
        return total;
    }

    // Of each component: the number of its things, how much of all influence or size they have, and the sum of the 1.5th
    // powers of these parts.
    std::array<std::vector<double>, 3> parts() const {
        double number = 0, sum = 0, size = 0;
        for (std::size_t c = 0; c < components(); ++c) {
            size += last(whole_[c]);
            if (!is_of_items_[c]) continue;
            for (std::size_t t = thing_start_[c]; t < thing_start_[c + 1]; ++t) sum += influence_of(things_[t].sums);
            number += static_cast<double>(thing_start_[c + 1] - thing_start_[c]);
        }
        const double mean = number == 0 ? 0.0 : sum / number;
        std::vector<double> count(components()), mean_of(components(), mean);
        double squares = 0;
        for_each_thing([&](std::size_t c, const Thing& thing) {
            count[c] += static_cast<double>(thing.count);
        });
        for (std::size_t c = 0; c < components(); ++c)
            if (!is_of_items_[c] && count[c] > 0) mean_of[c] = influence_[c] / count[c];
        for_each_thing([&](std::size_t c, const Thing& thing) {
            const double own = influence_of(thing.sums) - mean_of[c];
            squares += own * own * static_cast<double>(thing.count);
        });
        constexpr double least_squares = 1e-24;
        std::vector<double> part(components()), powers(components());
        for_each_thing([&](std::size_t c, const Thing& thing) {
            const double own = influence_of(thing.sums) - mean_of[c];
            const double of_thing = std::max(own * own / std::max(squares, least_squares), last(thing.sums) / size);
            part[c] += of_thing * static_cast<double>(thing.count);
            powers[c] += of_thing * std::sqrt(of_thing) * static_cast<double>(thing.count);
        });
        return {std::move(count), std::move(part), std::move(powers)};
    }

    // Of the chosen components: the moments of their items, and what each slice draws from their records.
    std::pair<UrnMoments, std::vector<SliceMoments>> moments(const bool* chosen, Control& control) const {
        UrnMoments of_items;
        std::vector<SliceMoments> of_slices(slices_);
        for (std::size_t c = 0; c < components(); ++c) {
            if (c % block_length == 0) control.checkpoint();
            if (!chosen[c] || thing_start_[c] == thing_start_[c + 1]) continue;
            UrnMoments of_records;
            UrnMoments& urn = is_of_items_[c] ? of_items : of_records;
            for (std::size_t t = thing_start_[c]; t < thing_start_[c + 1]; ++t)
                urn.add(features(things_[t].sums, influence_[c]), static_cast<double>(things_[t].count));
            if (!is_of_items_[c]) add_records(of_records, c, of_slices);
        }
        return {of_items, std::move(of_slices)};
    }

    // The things of the chosen components in urns, and the slots of the slices that have a place; see exchange.hpp.
    struct DrawnUrns {
        std::vector<double> values;
        std::vector<std::int64_t> group, start{0}, slots{0}, slice, count;
    };

    // `number` is that of the items of each slice.
    DrawnUrns urns(const bool* chosen, const std::int64_t* place, const std::int64_t* number, bool of_items) const {
        DrawnUrns urns;
        const auto close = [&urns] {
            urns.start.push_back(static_cast<std::int64_t>(urns.group.size()));
            urns.slots.push_back(static_cast<std::int64_t>(urns.slice.size()));
        };
        const auto add_slot = [&](std::size_t slice, std::int64_t count) {
            if (place[slice] < 0) return;
            urns.slice.push_back(place[slice]);
            urns.count.push_back(count);
        };
        for (std::size_t c = 0; c < components(); ++c) {
            if (!chosen[c] || is_of_items_[c] != of_items) continue;
            const std::size_t first = thing_start_[c], end = thing_start_[c + 1];
            const bool is_alone = of_items && end - first == 1;
            for (std::size_t t = first; t < end; ++t)
                for (std::int64_t i = 0; i < things_[t].count; ++i) {
                    urns.values.insert(urns.values.end(), things_[t].sums.begin(), things_[t].sums.begin() + static_cast<std::ptrdiff_t>(sums_));
                    urns.values.push_back(influence_of(things_[t].sums));
                    urns.group.push_back(is_alone ? -1 : static_cast<std::int64_t>(c));
                }
            if (of_items || first == end) continue;
            for (std::size_t g = group_start_[c]; g < group_start_[c + 1]; ++g) add_slot(groups_[g].slice, groups_[g].records);
            close();
        }
        if (!of_items) return urns;
        for (std::size_t slice = 0; slice < slices_; ++slice) add_slot(slice, number[slice]);
        close();
        return urns;
    }

private:
    struct Piece {
        std::int64_t records;
        std::uint32_t cell, slice, kind;
    };

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr double same = 1e-9;  // of a sum

    double last(const ShareSums& sums) const { return sums[sums_ - 1]; }

    double influence_of(const ShareSums& sums) const {
        double influence = 0;
        for (std::size_t k = 0; k < sums_; ++k) influence += slopes_[k] * sums[k];
        return influence;
    }

    double loss_of(const ShareSums& sums) const {
        double loss = 0;
        for (std::size_t k = 0; k + 1 < sums_; ++k) loss += std::abs(sums[k] - last(sums));
        return loss;
    }

    Features features(const ShareSums& sums, double whole) const {
        Features features{};
        std::copy_n(sums.begin(), sums_, features.begin());
        const double own = influence_of(sums);
        features[sums_] = own * own;
        features[sums_ + 1] = own * (whole - own);
        return features;
    }

    template <class Use>
    void for_each_thing(Use use) const {
        for (std::size_t c = 0; c < components(); ++c)
            for (std::size_t t = thing_start_[c]; t < thing_start_[c + 1]; ++t) use(c, things_[t]);
    }

    // Where each component starts among pieces_.
    std::vector<std::size_t> sort_by_component(const SlicedPieces& pieces, Control& control) {
        const std::size_t length = pieces.cell.length();
        std::vector<std::size_t> start(pieces.component.groups() + 1);
        for (std::size_t p = 0; p < length; ++p) ++start[pieces.component[pieces.cell[p]] + 1];
        for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
        pieces_ = Buffer<Piece>(length);
        std::vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t p = 0; p < length; ++p) {
            if (p % block_length == 0) control.checkpoint();
            const std::size_t cell = pieces.cell[p], slot = next[pieces.component[cell]]++;
            if (slot >= start[start.size() - 1]) break;  // the numbers changed while they were read
            const auto narrow = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
            pieces_[slot] = {pieces.records[p], narrow(cell), narrow(pieces.slice[p]), narrow(pieces.kind[p])};
        }
        if (!std::equal(next.begin(), next.end(), start.begin() + 1))
            throw std::invalid_argument("the numbers of components changed while they were read");
        return start;
    }

    void add_piece(ShareSums& sums, const SlicedPieces& pieces, const Piece& piece) const {
        const double* value = pieces.value + piece.kind * sums_;
        for (std::size_t k = 0; k < sums_; ++k) sums[k] += static_cast<double>(piece.records) * value[k];
    }

    void find_groups(const SlicedPieces& pieces, const std::vector<std::size_t>& start, Control& control) {
        whole_.assign(start.size() - 1, {});
        group_start_.reserve(start.size());
        group_start_.assign(1, 0);
        for (std::size_t c = 0; c < components(); ++c) {
            if (c % block_length == 0) control.checkpoint();
            for (std::size_t i = start[c]; i < start[c + 1]; ++i) {
                const Piece& piece = pieces_[i];
                if (place_[piece.slice] == none) {
                    place_[piece.slice] = static_cast<std::uint32_t>(groups_.size());
                    groups_.push_back({0, piece.slice, {}});
                }
                Group& group = groups_[place_[piece.slice]];
                group.records += piece.records;
                add_piece(group.sums, pieces, piece);
            }
            for (std::size_t g = group_start_[c]; g < groups_.size(); ++g) {
                place_[groups_[g].slice] = none;
                for (std::size_t k = 0; k < sums_; ++k) whole_[c][k] += groups_[g].sums[k];
            }
            group_start_.push_back(groups_.size());
        }
    }

    bool is_pure(std::size_t c) const { return group_start_[c + 1] - group_start_[c] == 1; }
    bool counts(std::size_t c) const { return last(whole_[c]) > 0; }

    // Whether the records of each cluster are in one slice.
    static bool are_whole(const SlicedPieces& pieces, const GroupNumbers& cluster) {
        if (cluster.length() == 0) return false;
        std::vector<std::uint32_t> slice_of(cluster.groups(), none);
        for (std::size_t p = 0; p < pieces.cell.length(); ++p) {
            std::uint32_t& known = slice_of[cluster[pieces.cell[p]]];
            const auto slice = static_cast<std::uint32_t>(pieces.slice[p]);
            if (known != none && known != slice) return false;
            known = slice;
        }
        return true;
    }

    void find_things(const SlicedPieces& pieces, const std::vector<std::size_t>& start, Control& control) {
        bool all_pure = true;
        for (std::size_t c = 0; c < components(); ++c) all_pure = all_pure && (is_pure(c) || !counts(c));
        const GroupNumbers* cluster = nullptr;
        if (!all_pure)
            for (const GroupNumbers* side : {&pieces.row, &pieces.column})
                if (cluster == nullptr && are_whole(pieces, *side)) cluster = side;
        std::vector<std::uint32_t> thing_of(cluster ? cluster->groups() : 0, none);
        is_of_items_.assign(components(), false);
        thing_start_.assign(1, 0);
        for (std::size_t c = 0; c < components(); ++c) {
            if (c % block_length == 0) control.checkpoint();
            if (counts(c)) {
                is_of_items_[c] = cluster != nullptr || is_pure(c);
                if (cluster)
                    add_clusters(pieces, *cluster, start[c], start[c + 1], thing_of);
                else if (is_pure(c))
                    things_.push_back({1, groups_[group_start_[c]].slice, whole_[c]});
                else
                    add_cells(pieces, start[c], start[c + 1]);
            }
            thing_start_.push_back(things_.size());
        }
    }

    void add_clusters(const SlicedPieces& pieces, const GroupNumbers& cluster, std::size_t i, std::size_t end,
                      std::vector<std::uint32_t>& thing_of) {
        for (; i < end; ++i) {
            const Piece& piece = pieces_[i];
            std::uint32_t& thing = thing_of[cluster[piece.cell]];
            if (thing == none) {
                thing = static_cast<std::uint32_t>(things_.size());
                things_.push_back({1, piece.slice, {}});
            }
            add_piece(things_[thing].sums, pieces, piece);
        }
    }

    // If all records of a component are in one cell, an exchange changes nothing.
    void add_cells(const SlicedPieces& pieces, std::size_t i, std::size_t end) {
        const std::size_t before = things_.size();
        while (i < end) {
            Thing cell{0, 0, {}};
            for (const std::uint32_t number = pieces_[i].cell; i < end && pieces_[i].cell == number; ++i) {
                cell.count += pieces_[i].records;
                add_piece(cell.sums, pieces, pieces_[i]);
            }
            for (double& sum : cell.sums) sum /= static_cast<double>(cell.count);
            things_.push_back(cell);
        }
        if (things_.size() == before + 1) things_.resize(before, {});
    }

    // Means and covariances of drawing without replacement, from an urn with all records of the component.
    void add_records(const UrnMoments& urn, std::size_t c, std::vector<SliceMoments>& of_slices) const {
        const double n = urn.count;
        for (std::size_t g = group_start_[c]; g < group_start_[c + 1]; ++g) {
            SliceMoments& out = of_slices[groups_[g].slice];
            const auto drawn = static_cast<double>(groups_[g].records);
            const double p = drawn / n, spread = p * (1 - p) * n / (n - 1);
            out.drawn += drawn;
            out.pairs += drawn * (drawn - 1) / (n * (n - 1)) * urn.totals[sums_ + 1];
            for (std::size_t j = 0; j < sums_ + 2; ++j) {
                out.means[j] += p * urn.totals[j];
                for (std::size_t k = j; k < sums_ + 2; ++k)
                    out.covariances[j][k] += spread * (urn.products[j][k] - urn.totals[j] * urn.totals[k] / n);
            }
        }
    }

    std::size_t sums_, slices_;
    Buffer<Piece> pieces_;              // component by component, until all is found
    std::vector<std::uint32_t> place_;  // of the group of a slice
    std::vector<ShareSums> whole_;
    std::vector<double> influence_;  // of each component
    ShareSums slopes_{};
    LargeList<Group> groups_;
    LargeList<Thing> things_;
    std::vector<std::size_t> group_start_, thing_start_;  // of each component
    std::vector<bool> is_of_items_;
};

}  // namespace concordant
