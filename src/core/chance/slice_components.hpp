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
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "graph/groups.hpp"

namespace concordant {

inline constexpr std::size_t most_sums = 3;  // numerators and, last, a denominator

using ShareSums = std::array<double, most_sums>;
using Features = std::array<double, most_sums + 2>;  // sums, squared influence, its product with the rest of the component

struct SlicedPieces {
    GroupNumbers cell, slice;      // of each piece
    GroupNumbers kind, component;  // of each cell, and where pieces of a cell differ in kind, that of each piece
    GroupNumbers row, column;      // of each cell; empty if clusters are not exchanged
    const std::int64_t* records;
    const double* value;  // the sums of one record, kind by kind
    std::size_t sums;
};

// Sums over the things that are drawn from one urn.
struct UrnMoments {
    double count = 0;
    Features totals{};
    std::array<Features, most_sums + 2> products{};  // only j <= k

    void add(const UrnMoments& other) {
        count += other.count;
        for (std::size_t j = 0; j < totals.size(); ++j) {
            totals[j] += other.totals[j];
            for (std::size_t k = j; k < totals.size(); ++k) products[j][k] += other.products[j][k];
        }
    }

    // From now on, products are of the distances from the means.
    void centre() {
        for (std::size_t j = 0; j < totals.size(); ++j)
            for (std::size_t k = j; k < totals.size(); ++k) products[j][k] -= totals[j] * totals[k] / count;
    }

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

    void add(const SliceMoments& other) {
        drawn += other.drawn;
        pairs += other.pairs;
        for (std::size_t j = 0; j < means.size(); ++j) {
            means[j] += other.means[j];
            for (std::size_t k = j; k < means.size(); ++k) covariances[j][k] += other.covariances[j][k];
        }
    }
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

    SliceComponents(const SlicedPieces& pieces, unsigned threads, Control& control)
        : sums_(pieces.sums), slices_(pieces.slice.groups()), threads_(threads) {
        for (const GroupNumbers* numbers : {&pieces.cell, &pieces.slice, &pieces.kind})
            if (numbers->length() >= none || numbers->groups() >= none) throw std::invalid_argument("there are too many pieces");
        value_.assign(pieces.kind.groups(), {});
        for (std::size_t kind = 0; kind < value_.size(); ++kind) std::copy_n(pieces.value + kind * sums_, sums_, value_[kind].begin());
        sort_by_component(pieces, control);
        choose_ranges();
        find_things(pieces, control);
    }

    std::size_t components() const { return start_.size() - 1; }
    std::size_t slices() const { return slices_; }
    std::size_t sums() const { return sums_; }
    const std::vector<ShareSums>& whole() const { return whole_; }
    const std::vector<double>& influences() const { return influence_; }

    std::vector<double> slice_sums() const {
        std::vector<double> all;
        for (const ShareSums& own : slice_sums_) all.insert(all.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(sums_));
        return all;
    }

    std::size_t table_width() const { return slice_columns + 2 * (sums_ + 2); }

    // `slopes` turn sums into influences on the value of all records, and `own_slopes` on that of each slice.
    std::vector<double> table(const double* slopes, const double* own_slopes, Control& control) {
        std::copy_n(slopes, sums_, slopes_.begin());
        influence_.resize(components());
        const std::size_t width = table_width();
        return sum_over_ranges(slices_ * width, control, [&](std::size_t c, Scratch& scratch, double* table) {
            influence_[c] = influence_of(whole_[c]);
            for (const Group& group : groups_of(c, scratch))
                add_to_table(c, group, own_slopes + group.slice * sums_, table + group.slice * width);
            if (role_[c] == Role::items)
                for_things(c, [&](const Thing& thing) { ++table[thing.slice * width + items]; });
        }, [width](std::size_t i, double x, double y) { return i % width == largest_share ? std::max(x, y) : x + y; });
    }

    // Sums over components: losses, their squares, squared influences, and how many have a denominator.
    std::vector<double> totals(Control& control) const {
        return sum_over_ranges(4, control, [&](std::size_t c, Scratch&, double* total) {
            const double loss = loss_of(whole_[c]);
            total[0] += loss;
            total[1] += loss * loss;
            total[2] += influence_[c] * influence_[c];
            total[3] += counts(c);
        });
    }

    // Of each component: the number of its things, how much of all influence or size they have, and the skew of these if
    // things are drawn one by one.
    std::array<std::vector<double>, 3> parts(Control& control) const {
        std::vector<double> count(components()), part(components()), powers(components()), of_sizes(components());
        const std::vector<double> all = sum_over_ranges(3, control, [&](std::size_t c, Scratch&, double* sums) {
            sums[0] += last(whole_[c]);
            count[c] = static_cast<double>(count_[c]);
            if (role_[c] != Role::items) return;
            sums[1] += count[c];
            sums[2] += influence_[c];
        });
        const double mean_of_items = all[1] == 0 ? 0.0 : all[2] / all[1];
        const std::vector<double> squares = sum_over_ranges(1, control, [&](std::size_t c, Scratch&, double* sum) {
            const double mean = role_[c] == Role::items ? mean_of_items : influence_[c] / count[c];
            for_things(c, [&](const Thing& thing) {
                const double own = std::abs(influence_of(thing.sums) - mean), size = last(thing.sums) / all[0];
                const auto times = static_cast<double>(thing.count);
                part[c] += times * own * own;
                powers[c] += times * own * own * own;
                of_sizes[c] += times * size * std::sqrt(size);
            });
            *sum += part[c];
        });
        constexpr double least_squares = 1e-24;
        const double scale = 1 / std::max(squares[0], least_squares);
        for (std::size_t c = 0; c < components(); ++c) {
            if (count_[c] == 0) continue;
            part[c] = std::max(part[c] * scale, last(whole_[c]) / all[0]);
            powers[c] = std::max(powers[c] * scale * std::sqrt(scale), of_sizes[c]);
        }
        return {std::move(count), std::move(part), std::move(powers)};
    }

    // Of the chosen components: the moments of their items, and what each slice draws from their records.
    std::pair<UrnMoments, std::vector<SliceMoments>> moments(const bool* chosen, Control& control) const {
        std::vector<UrnMoments> of_items(ranges_.size());
        std::vector<std::vector<SliceMoments>> of_slices(ranges_.size());
        for_ranges(control, [&](std::size_t range, std::size_t c, Scratch& scratch) {
            if (!chosen[c] || role_[c] == Role::fixed) return;
            UrnMoments of_records;
            UrnMoments& urn = role_[c] == Role::items ? of_items[range] : of_records;
            for_things(c, [&](const Thing& thing) {
                urn.add(features(thing.sums, influence_[c]), static_cast<double>(thing.count));
            });
            if (role_[c] == Role::items) return;
            of_slices[range].resize(slices_);
            of_records.centre();
            for (const Group& group : groups_of(c, scratch)) add_records(of_records, group, of_slices[range][group.slice]);
        });
        std::vector<SliceMoments> all_slices(slices_);
        for (std::size_t range = 0; range < ranges_.size(); ++range) {
            if (range != 0) of_items[0].add(of_items[range]);
            for (std::size_t slice = 0; slice < of_slices[range].size(); ++slice) all_slices[slice].add(of_slices[range][slice]);
        }
        return {of_items[0], std::move(all_slices)};
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
        Scratch scratch;
        for (std::size_t c = 0; c < components(); ++c) {
            if (!chosen[c] || role_[c] != (of_items ? Role::items : Role::records)) continue;
            const auto has_place = [place](const Group& group) { return place[group.slice] >= 0; };
            if (!of_items && std::ranges::none_of(groups_of(c, scratch), has_place)) continue;
            const bool is_alone = of_items && count_[c] == 1;
            for_things(c, [&](const Thing& thing) {
                for (std::int64_t i = 0; i < thing.count; ++i) {
                    urns.values.insert(urns.values.end(), thing.sums.begin(), thing.sums.begin() + static_cast<std::ptrdiff_t>(sums_));
                    urns.values.push_back(influence_of(thing.sums));
                    urns.group.push_back(is_alone ? -1 : static_cast<std::int64_t>(c));
                }
            });
            if (of_items) continue;
            for (const Group& group : scratch.groups) add_slot(group.slice, group.records);
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
        std::uint32_t thing, slice, kind;  // pieces with the same number, one after the other, are of one thing
    };

    enum class Role : std::uint8_t { fixed, items, records };

    struct Scratch {
        std::vector<std::uint32_t> place;  // of the group of each slice
        std::vector<Group> groups;
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

    std::span<const Group> groups_of(std::size_t c, Scratch& scratch) const {
        scratch.place.resize(slices_, none);
        scratch.groups.clear();
        for (std::size_t i = start_[c]; i < start_[c + 1]; ++i) {
            const Piece& piece = pieces_[i];
            std::uint32_t& place = scratch.place[piece.slice];
            if (place == none) {
                place = static_cast<std::uint32_t>(scratch.groups.size());
                scratch.groups.push_back({0, piece.slice, {}});
            }
            scratch.groups[place].records += piece.records;
            add_piece(scratch.groups[place].sums, piece);
        }
        for (const Group& group : scratch.groups) scratch.place[group.slice] = none;
        return scratch.groups;
    }

    template <class Use>
    void for_things(std::size_t c, Use use) const {
        if (role_[c] == Role::fixed) return;
        for (std::size_t i = start_[c], end = start_[c + 1]; i < end;) {
            Thing thing{0, pieces_[i].slice, {}};
            for (const std::uint32_t number = pieces_[i].thing; i < end && pieces_[i].thing == number; ++i) {
                thing.count += pieces_[i].records;
                add_piece(thing.sums, pieces_[i]);
            }
            if (role_[c] == Role::items)
                thing.count = 1;
            else
                for (const double share = 1 / static_cast<double>(thing.count); double& sum : thing.sums) sum *= share;
            use(thing);
        }
    }

    // Sums are those of ranges, one after the other, so they do not depend on the number of threads.
    void choose_ranges() {
        constexpr std::size_t most = 16, slices_at_once = std::size_t{1} << 12;
        const std::size_t number = slices_ > slices_at_once ? 1 : most, pieces = start_.back();
        for (std::size_t range = 0, c = 0; range < number; ++range) {
            const std::size_t first = c;
            while (c < components() && start_[c + 1] <= (range + 1) * (pieces / number + 1)) ++c;
            if (range + 1 == number) c = components();
            ranges_.emplace_back(first, c);
        }
    }

    template <class Use>
    void for_ranges(Control& control, Use use) const {
        parallel_for(control, threads_, ranges_.size(), [&](unsigned, std::size_t range) {
            Scratch scratch;
            for (std::size_t c = ranges_[range].first; c < ranges_[range].second; ++c) {
                if (c % block_length == 0) control.checkpoint();
                use(range, c, scratch);
            }
        });
    }

    // The number is that of the sum.
    static double sum_of_two(std::size_t, double x, double y) { return x + y; }

    template <class Add, class Join = double (*)(std::size_t, double, double)>
    std::vector<double> sum_over_ranges(std::size_t width, Control& control, Add add, Join join = sum_of_two) const {
        std::vector<std::vector<double>> sums(ranges_.size(), std::vector<double>(width));
        for_ranges(control, [&](std::size_t range, std::size_t c, Scratch& scratch) { add(c, scratch, sums[range].data()); });
        for (std::size_t range = 1; range < sums.size(); ++range)
            for (std::size_t i = 0; i < width; ++i) sums[0][i] = join(i, sums[0][i], sums[range][i]);
        return std::move(sums[0]);
    }

    void add_to_table(std::size_t c, const Group& group, const double* own_slopes, double* out) const {
        const ShareSums& whole = whole_[c];
        const double share = last(group.sums), own = influence_of(group.sums), loss = loss_of(whole);
        double moves = 0;
        for (std::size_t k = 0; k < sums_; ++k) moves += own_slopes[k] * group.sums[k];
        if (share > 0) {
            ++out[in_components];
            out[squared_shares] += share * share;
            out[largest_share] = std::max(out[largest_share], share);
            out[squared_moves] += moves * moves;
        }
        if (counts(c)) {
            ++out[counted_components];
            out[mixed_components] += std::abs(share - last(whole)) > same * last(whole);
        }
        if (role_[c] == Role::records) out[drawn_records] += static_cast<double>(group.records);
        ShareSums rest = whole;
        for (std::size_t k = 0; k < sums_; ++k) rest[k] -= group.sums[k];
        const double rest_loss = loss_of(rest);
        out[losses] += loss;
        out[squared_losses] += loss * loss;
        out[rest_losses] += rest_loss;
        out[squared_rest_losses] += rest_loss * rest_loss;
        for (double *terms = out + slice_columns, *end = terms + (role_[c] == Role::fixed ? 2 : 1) * (sums_ + 2); terms != end;) {
            for (std::size_t k = 0; k < sums_; ++k) *terms++ += group.sums[k];
            *terms++ += own * own;
            *terms++ += own * influence_[c];
        }
    }

    void sort_by_component(const SlicedPieces& pieces, Control& control) {
        const std::size_t length = pieces.cell.length();
        start_.assign(pieces.component.groups() + 1, 0);
        for (std::size_t p = 0; p < length; ++p) ++start_[pieces.component[pieces.cell[p]] + 1];
        for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
        pieces_ = Buffer<Piece>(length);
        slice_sums_.assign(slices_, {});
        const bool kind_by_cell = pieces.kind.length() == pieces.component.length();
        std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
        constexpr std::size_t ahead = 16;
        for (std::size_t p = 0; p < length; ++p) {
            if (p % block_length == 0) control.checkpoint();
            if (p + 2 * ahead < length) prefetch(&next[pieces.component[pieces.cell[p + 2 * ahead]]]);
            if (p + ahead < length) prefetch(pieces_.begin() + next[pieces.component[pieces.cell[p + ahead]]]);
            const std::size_t cell = pieces.cell[p], slot = next[pieces.component[cell]]++;
            if (slot >= length) break;  // the numbers changed while they were read
            const auto narrow = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
            const std::size_t kind = pieces.kind[kind_by_cell ? cell : p];
            pieces_[slot] = {pieces.records[p], narrow(cell), narrow(pieces.slice[p]), narrow(kind)};
            add_piece(slice_sums_[pieces_[slot].slice], pieces_[slot]);
        }
        if (!std::equal(next.begin(), next.end(), start_.begin() + 1))
            throw std::invalid_argument("the numbers of components changed while they were read");
    }

    void add_piece(ShareSums& sums, const Piece& piece) const {
        const ShareSums& value = value_[piece.kind];
        const auto records = static_cast<double>(piece.records);
        for (std::size_t k = 0; k < most_sums; ++k) sums[k] += records * value[k];
    }

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

    void find_things(const SlicedPieces& pieces, Control& control) {
        whole_.assign(start_.size() - 1, {});
        role_.assign(components(), Role::fixed);
        count_.assign(components(), 0);
        for_ranges(control, [&](std::size_t, std::size_t c, Scratch&) {
            bool has_slices = false, has_cells = false;
            for (std::size_t i = start_[c]; i < start_[c + 1]; ++i) {
                has_slices |= pieces_[i].slice != pieces_[start_[c]].slice;
                has_cells |= pieces_[i].thing != pieces_[start_[c]].thing;
                add_piece(whole_[c], pieces_[i]);
            }
            // If all records of a component are in one cell, an exchange changes nothing.
            if (counts(c)) role_[c] = !has_slices ? Role::items : has_cells ? Role::records : Role::fixed;
        });
        const auto is_mixed = [&](std::size_t c) { return counts(c) && role_[c] != Role::items; };
        bool any_mixed = false;
        for (std::size_t c = 0; c < components(); ++c) any_mixed = any_mixed || is_mixed(c);
        const GroupNumbers* cluster = nullptr;
        if (any_mixed)
            for (const GroupNumbers* side : {&pieces.row, &pieces.column})
                if (cluster == nullptr && are_whole(pieces, *side)) cluster = side;
        for_ranges(control, [&](std::size_t, std::size_t c, Scratch&) {
            if (!counts(c)) return;
            Piece *begin = pieces_.begin() + start_[c], *end = pieces_.begin() + start_[c + 1];
            if (cluster) {
                role_[c] = Role::items;
                for (Piece* piece = begin; piece != end; ++piece) piece->thing = static_cast<std::uint32_t>((*cluster)[piece->thing]);
                std::stable_sort(begin, end, [](const Piece& x, const Piece& y) { return x.thing < y.thing; });
            } else if (role_[c] == Role::items) {
                for (Piece* piece = begin; piece != end; ++piece) piece->thing = 0;
            }
            for (const Piece* piece = begin; piece != end; ++piece)
                if (role_[c] == Role::records)
                    count_[c] += piece->records;
                else if (role_[c] == Role::items)
                    count_[c] += piece == begin || piece[-1].thing != piece->thing;
        });
    }

    // Means and covariances of drawing without replacement, from an urn with all records of the component.
    void add_records(const UrnMoments& urn, const Group& group, SliceMoments& out) const {
        const auto drawn = static_cast<double>(group.records);
        const double p = drawn / urn.count, pair = (drawn - 1) / (urn.count - 1), spread = p * (1 - pair);
        out.drawn += drawn;
        out.pairs += p * pair * urn.totals[sums_ + 1];
        for (std::size_t j = 0; j < sums_ + 2; ++j) {
            out.means[j] += p * urn.totals[j];
            for (std::size_t k = j; k < sums_ + 2; ++k) out.covariances[j][k] += spread * urn.products[j][k];
        }
    }

    std::size_t sums_, slices_;
    unsigned threads_;
    std::vector<ShareSums> value_;  // of a record of each kind
    std::vector<std::size_t> start_;  // of each component, among pieces
    std::vector<std::pair<std::size_t, std::size_t>> ranges_;  // of components
    Buffer<Piece> pieces_;
    std::vector<Role> role_;
    std::vector<std::int64_t> count_;  // of the things of each component
    std::vector<ShareSums> whole_, slice_sums_;
    std::vector<double> influence_;  // of each component
    ShareSums slopes_{};
};

}  // namespace concordant
