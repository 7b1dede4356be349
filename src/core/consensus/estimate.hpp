// An estimate that is improved item by item: each moves to where the loss is smallest, until no item moves.
//
// Only clusters that share a cluster of some draw with the item are candidates; a singleton is better than any other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "consensus/criterion.hpp"
#include "consensus/draws.hpp"
#include "consensus/overlaps.hpp"

namespace concordant {

// The same numbers on every platform.
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

    template <class Value>
    void shuffle(std::vector<Value>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

private:
    std::uint64_t state_;
};

struct RoughCosts {
    double second, most_gain;  // the second-smallest cost, and the largest gain
};

// The cost of joining each cluster. Each lane of a line has its own sums, so the processor compares many at a time.
[[maybe_unused]] CONCORDANT_VECTORISED static RoughCosts rough_costs(const double* join_cost, const std::vector<CompanyLine>& gain,
                                             double price, double* cost) {
    constexpr std::size_t width = CompanyLine::width;
    double least[width], second[width], most_gain[width];
    std::fill_n(least, width, std::numeric_limits<double>::infinity());
    std::fill_n(second, width, std::numeric_limits<double>::infinity());
    std::fill_n(most_gain, width, 1e-30);
    for (std::size_t at = 0; at < gain.size(); ++at) {
        const CompanyLine each = gain[at];
        for (std::size_t j = 0; j < width; ++j) {
            const double of = each.of[j], one = join_cost[at * width + j] - price * of;
            cost[at * width + j] = one;
            second[j] = std::min(second[j], std::max(least[j], one));
            least[j] = std::min(least[j], one);
            most_gain[j] = std::max(most_gain[j], of);
        }
    }
    for (std::size_t j = 1; j < width; ++j) {
        second[0] = std::min({second[0], second[j], std::max(least[0], least[j])});
        least[0] = std::min(least[0], least[j]);
        most_gain[0] = std::max(most_gain[0], most_gain[j]);
    }
    return {second[0], most_gain[0]};
}

class Estimate {
public:
    using Labels = std::vector<std::uint32_t>;
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    Estimate(const Draws& draws, const Criterion& criterion, Control& control)
        : d_(draws), c_(criterion), control_(control), total_share_(draws.total_share()),
          relative_share_(draws.share), offset_(offsets(draws)),
          overlaps_(offset_.back(), criterion), own_(draws.draws, 0), met_(draws.draws, 0),
          label_(draws.items, nowhere), rows_(draws.draws), margin_(draws.items, 0) {
        for (double& share : relative_share_) share /= total_share_;
        std::vector<std::uint64_t> sizes(offset_.back(), 0);
        for (std::size_t i = 0; i < d_.items; ++i)
            for (std::size_t b = 0; b < d_.draws; ++b) sizes[offset_[b] + d_.cluster_of(i, b)] += d_.weight[i];
        for (std::size_t b = 0; b < d_.draws; ++b)
            for (std::size_t c = offset_[b]; c < offset_[b + 1]; ++c) own_[b] += c_.f(sizes[c]);
    }

    const Labels& labels() const { return label_; }

    // Moves only the items whose cluster differs.
    void begin_with(const Labels& labels) {
        std::uint32_t clusters = 0;
        for (const std::uint32_t each : labels) clusters = std::max(clusters, each + 1);
        while (size_.size() < clusters) new_slot();
        for (std::size_t i = 0; i < d_.items; ++i) {
            if (label_[i] == labels[i]) continue;
            if (label_[i] != nowhere) take(i);
            put(i, labels[i]);
        }
        free_.clear();
        for (std::uint32_t k = 0; k < size_.size(); ++k)
            if (size_[k] == 0) free_.push_back(k);
    }

    // Places unassigned items, each where the loss is smallest. There are at most this many clusters, unless an item
    // shares no draw's cluster with any of them.
    void place(const std::vector<std::uint32_t>& items, std::size_t most_clusters) {
        std::size_t step = 0;
        for (const std::uint32_t i : items) {
            if (++step % 64 == 0) control_.checkpoint();
            if (step < items.size()) prefetch_item(items[step]);
            put(i, best_for(i, size_.size() - free_.size() < most_clusters));
        }
    }

    // Sweeps in a random order until nothing changes; merges whole clusters if moving single items does not help.
    void settle(RandomNumbers& random) {
        std::vector<std::uint32_t> order(d_.items);
        std::iota(order.begin(), order.end(), 0U);
        for (int round = 0; round < most_rounds; ++round) {
            int sweeps = 0;
            do {
                random.shuffle(order);
            } while (sweep(order) && settle_undecided(random) && ++sweeps < most_sweeps);
            if (!c_.is_linear() || !merge_clusters()) return;
        }
    }

    // Dissolves a cluster: its items are placed again, and may then move once more.
    void dissolve(std::uint32_t cluster, RandomNumbers& random) {
        std::vector<std::uint32_t> members;
        for (std::size_t i = 0; i < d_.items; ++i)
            if (label_[i] == cluster) members.push_back(static_cast<std::uint32_t>(i));
        for (const std::uint32_t i : members) take(i);
        random.shuffle(members);
        place(members, d_.items);
        sweep(members);
    }

    std::vector<std::uint32_t> clusters() const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t k = 0; k < size_.size(); ++k)
            if (size_[k] > 0) found.push_back(k);
        return found;
    }

    // The sum of the losses to all draws, weighted by share; recomputed in full, so rounding errors do not accumulate.
    double cost() const {
        double s = 0, sum = 0;
        for (const std::uint64_t size : size_) s += c_.f(size);
        for (std::size_t b = 0; b < d_.draws; ++b) {
            double o = 0;
            for (std::size_t c = offset_[b]; c < offset_[b + 1]; ++c)
                overlaps_.for_each(c, [&](std::uint32_t, std::uint32_t n) { o += c_.f(n); });
            sum += d_.share[b] * c_.of(s, o, own_[b]);
        }
        return sum;
    }

private:
    static constexpr int most_rounds = 50, most_sweeps = 200;
    static constexpr std::size_t most_pairs = 50'000'000, most_slots = 1000;

    // The position of each draw's first cluster among the clusters of all draws.
    static std::vector<std::size_t> offsets(const Draws& draws) {
        std::vector<std::size_t> offset(draws.draws + 1, 0);
        for (std::size_t b = 0; b < draws.draws; ++b) offset[b + 1] = offset[b] + draws.clusters[b];
        return offset;
    }

    double price() const { return c_.own_price() * total_share_; }  // of a sum over clusters that grows by 1

    std::size_t row(std::size_t item, std::size_t draw) const { return offset_[draw] + d_.cluster_of(item, draw); }

    void prefetch_item(std::size_t item) const {
        constexpr std::size_t line = 64 / sizeof(std::uint32_t);
        for (std::size_t b = 0; b < d_.draws; b += line) prefetch(&d_.cluster[item * d_.draws + b]);
    }

    void new_slot() {
        size_.push_back(0);
        overlaps_.make_room(size_.size());
        gain_.push_back(0);
        join_cost_.resize((size_.size() + CompanyLine::width - 1) / CompanyLine::width * CompanyLine::width,
                          std::numeric_limits<double>::infinity());
        slot_.push_back(nowhere);
    }

    void put(std::size_t i, std::uint32_t k) {
        if (k == nowhere) {
            if (free_.empty()) {
                free_.push_back(static_cast<std::uint32_t>(size_.size()));
                new_slot();
            }
            k = free_.back();
            free_.pop_back();
        }
        change(i, k, true);
        label_[i] = k;
    }

    void take(std::size_t i) {
        const std::uint32_t k = label_[i];
        change(i, k, false);
        if (size_[k] == 0) free_.push_back(k);
        label_[i] = nowhere;
    }

    void change(std::size_t i, std::uint32_t k, bool in) {
        const std::uint32_t w = d_.weight[i];
        const std::uint64_t before = size_[k];
        size_[k] = in ? before + w : before - w;
        summed_ += c_.f(size_[k]) - c_.f(before);
        join_cost_[k] = size_[k] == 0 ? std::numeric_limits<double>::infinity() : join_cost(size_[k]);
        for (std::size_t b = 0; b < d_.draws; ++b) rows_[b] = row(i, b);
        const bool is_linear = c_.is_linear();
        overlaps_.change(rows_, relative_share_, k, w, in, [&](std::size_t b, std::uint32_t from, std::uint32_t to) {
            if (!is_linear) met_[b] += c_.f(to) - c_.f(from);
        });
    }

    // Sweeps over items with a nearly equal alternative for as long as one of them moves: most others will not move.
    bool settle_undecided(RandomNumbers& random) {
        std::vector<double> sorted(margin_);
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 5);
        std::nth_element(sorted.begin(), middle, sorted.end());
        std::vector<std::uint32_t> undecided;
        for (std::size_t i = 0; i < d_.items; ++i)
            if (margin_[i] < *middle) undecided.push_back(static_cast<std::uint32_t>(i));
        int sweeps = 0;
        do {
            random.shuffle(undecided);
        } while (sweep(undecided) && ++sweeps < most_sweeps);
        return true;
    }

    bool sweep(const std::vector<std::uint32_t>& order) {
        bool moved = false;
        std::size_t step = 0;
        for (const std::uint32_t i : order) {
            if (++step % 64 == 0) control_.checkpoint();
            if (step < order.size()) prefetch_item(order[step]);
            const std::uint32_t here = label_[i], there = best_for(i);
            if (there == here) continue;
            take(i);
            put(i, there);
            moved = true;
        }
        return moved;
    }

    // The best cluster for an item, which is not counted as its own co-member. `nowhere` is a new cluster, which the item
    // gets only if it may begin one or shares no draw's cluster with any other.
    std::uint32_t best_for(std::size_t i, bool may_begin = true) {
        return c_.is_linear() ? best_linear(i, may_begin) : best_by_ratio(i, may_begin);
    }

    std::uint32_t best_linear(std::size_t i, bool may_begin) {
        const std::uint32_t w = d_.weight[i], own = label_[i];
        const double alone = c_.f(w);
        find_company(i);
        const double new_cost = price() * alone;
        const bool was_alone = own != nowhere && size_[own] == w;
        const double tolerance = 1e-10 * (1 + new_cost);
        std::uint32_t best = was_alone ? own : nowhere;
        constexpr double endless = std::numeric_limits<double>::infinity();
        double least = may_begin ? new_cost : endless, second = endless;
        if (own != nowhere && !was_alone) {  // staying wins a tie
            const std::uint64_t size = size_[own] - w;
            const double stay = price() * (c_.f(size + w) - c_.f(size)) - 2 * gain_[own];
            second = std::max(stay, new_cost);
            if (stay <= new_cost + tolerance) {
                best = own;
                least = stay;
            }
        }
        for (const std::uint32_t k : touched_) {
            if (k == own) continue;
            const double cost = price() * (c_.f(size_[k] + w) - c_.f(size_[k])) - 2 * gain_[k];
            if (cost < least - tolerance) {
                second = least;
                least = cost;
                best = k;
            } else {
                second = std::min(second, cost);
            }
        }
        margin_[i] = second > least ? second - least : 0;
        return best;
    }

    // The gain of an item from its co-members in each cluster it could join, the item itself excluded.
    void find_company(std::size_t i) {
        touched_.clear();
        if (d_.weight[i] == 1 && overlaps_.are_in_rows())
            add_best_rows(i);
        else
            add_cells(i);
    }

    // The item's own cluster, and those that may be among the two best: approximate sums do not rule them out.
    // No other cluster can change the best one or its margin.
    void add_best_rows(std::size_t i) {
        const std::uint32_t own = label_[i];
        for (std::size_t b = 0; b < d_.draws; ++b) rows_[b] = row(i, b);
        overlaps_.sum_company(rows_, rough_gain_);
        cost_.resize(join_cost_.size());
        if (own != nowhere) {  // the sums count the item as its own co-member, which adds at most f(2) - 2 f(1) = 2
            touched_.push_back(own);
            join_cost_[own] = size_[own] == 1 ? std::numeric_limits<double>::infinity()
                                              : join_cost(size_[own] - 1) + 4 * total_share_;
        }
        const RoughCosts rough = rough_costs(join_cost_.data(), rough_gain_, 2 * total_share_, cost_.data());
        if (own != nowhere) join_cost_[own] = join_cost(size_[own]);
        const double error = 2 * total_share_ * rough.most_gain * static_cast<double>(d_.draws + 1) / (1 << 23);
        const double limit =
            rough.second + 2 * error + 1e-10 * (1 + price() * c_.f(1)) + 1e-14 * std::abs(rough.second);
        for (std::uint32_t k = 0; k < size_.size(); ++k)
            if (cost_[k] <= limit && size_[k] != 0 && k != own) touched_.push_back(k);
        std::size_t at = 0;
        for (; at + 2 <= touched_.size(); at += 2) set_gains<2>(&touched_[at], own);
        if (at < touched_.size()) set_gains<1>(&touched_[at], own);
    }

    // The cost of one more element in a cluster of this size, without its gain.
    double join_cost(std::uint64_t size) const { return price() * (c_.f(size + 1) - c_.f(size)); }

    // The gains of these clusters, summed together: a sum has to wait for each of its additions.
    template <std::size_t together>
    void set_gains(const std::uint32_t* clusters, std::uint32_t own) {
        double gain[together]{};
        for (std::size_t b = 0; b < d_.draws; ++b)
            for (std::size_t j = 0; j < together; ++j)
                gain[j] += d_.share[b] * c_.company(overlaps_.in_row(rows_[b], clusters[j]) - (clusters[j] == own), 1);
        for (std::size_t j = 0; j < together; ++j) gain_[clusters[j]] = gain[j];
    }

    void add_cells(std::size_t i) {
        const std::uint32_t w = d_.weight[i], own = label_[i];
        for (std::size_t b = 0; b < d_.draws; ++b) {
            const double share = d_.share[b];
            overlaps_.for_each(row(i, b), [&](std::uint32_t k, std::uint32_t met) {
                if (slot_[k] == nowhere) {
                    slot_[k] = 0;
                    gain_[k] = 0;
                    touched_.push_back(k);
                }
                gain_[k] += share * c_.company(k == own ? met - w : met, w);
            });
        }
        for (const std::uint32_t k : touched_) slot_[k] = nowhere;
    }

    std::uint32_t best_by_ratio(std::size_t i, bool may_begin) {
        const std::uint32_t w = d_.weight[i], own = label_[i];
        const double alone = c_.f(w);
        touched_.clear();
        more_.clear();
        left_.assign(met_.begin(), met_.end());  // without the item
        for (std::size_t b = 0; b < d_.draws; ++b) {
            overlaps_.for_each(row(i, b), [&](std::uint32_t k, std::uint32_t met) {
                const std::uint32_t n = k == own ? met - w : met;
                if (slot_[k] == nowhere) {
                    slot_[k] = static_cast<std::uint32_t>(touched_.size());
                    touched_.push_back(k);
                    more_.resize(touched_.size() * d_.draws, alone);
                }
                more_[slot_[k] * d_.draws + b] = c_.f(n + w) - c_.f(n);
                if (k == own) left_[b] -= c_.f(met) - c_.f(n);
            });
        }
        const bool was_alone = own != nowhere && size_[own] == w;
        double summed = summed_;
        if (own != nowhere) summed -= c_.f(size_[own]) - c_.f(size_[own] - w);
        const double tolerance = 1e-12 * total_share_;
        double least = 0;
        for (std::size_t b = 0; b < d_.draws; ++b)
            least += d_.share[b] * c_.of(summed + alone, left_[b] + alone, own_[b]);
        if (!may_begin) least = std::numeric_limits<double>::infinity();
        std::uint32_t best = was_alone ? own : nowhere;
        const auto cost_of = [&](std::uint32_t k) {
            const std::uint64_t size = k == own ? size_[k] - w : size_[k];
            const double s = summed + c_.f(size + w) - c_.f(size);
            const double* more = more_.data() + slot_[k] * d_.draws;
            double cost = 0;
            for (std::size_t b = 0; b < d_.draws; ++b) cost += d_.share[b] * c_.of(s, left_[b] + more[b], own_[b]);
            return cost;
        };
        if (own != nowhere && !was_alone) {
            const double stay = cost_of(own);
            if (stay <= least + tolerance) {
                best = own;
                least = stay;
            }
        }
        for (const std::uint32_t k : touched_) {
            if (k == own) continue;
            const double cost = cost_of(k);
            if (cost < least - tolerance) {
                least = cost;
                best = k;
            }
        }
        for (const std::uint32_t k : touched_) slot_[k] = nowhere;
        return best;
    }

    // Pairs of clusters that overlap the same cluster of a draw, counted once per such cluster, in both orders.
    std::size_t pairs_that_meet() const {
        std::size_t pairs = 0;
        for (std::size_t c = 0; c < offset_.back(); ++c) {
            std::size_t met = 0;
            overlaps_.for_each(c, [&](std::uint32_t, std::uint32_t) { ++met; });
            pairs += met * met;
        }
        return pairs;
    }

    // Merges pairs of clusters if that lowers the loss, starting with those that lower it most.
    bool merge_clusters() {
        if (pairs_that_meet() > most_pairs) return false;
        const std::size_t slots = size_.size();
        std::vector<double> dense(slots <= most_slots ? slots * slots : 0, 0.0);
        std::unordered_map<std::uint64_t, double, Hasher> shared;
        std::vector<Overlaps::Cell> cells;
        for (std::size_t b = 0; b < d_.draws; ++b) {
            control_.checkpoint();
            for (std::size_t c = offset_[b]; c < offset_[b + 1]; ++c) {
                cells.clear();
                overlaps_.for_each(c, [&](std::uint32_t k, std::uint32_t n) { cells.push_back({k, n}); });
                for (std::size_t i = 0; i < cells.size(); ++i)
                    for (std::size_t j = i + 1; j < cells.size(); ++j) {
                        const auto [one, other] = std::minmax(cells[i].cluster, cells[j].cluster);
                        const double met = d_.share[b] * c_.company(cells[i].n, cells[j].n);
                        if (!dense.empty())
                            dense[one * slots + other] += met;
                        else
                            shared[(std::uint64_t{one} << 32) | other] += met;
                    }
            }
        }
        for (std::size_t at = 0; at < dense.size(); ++at)
            if (dense[at] != 0) shared[(std::uint64_t{at / slots} << 32) | (at % slots)] = dense[at];
        std::vector<std::pair<double, std::uint64_t>> better;
        for (const auto& [pair, met] : shared) {
            const std::uint64_t s = size_[pair >> 32], t = size_[pair & 0xffffffffU];
            const double cost = c_.own_price() * total_share_ * (c_.f(s + t) - c_.f(s) - c_.f(t)) - 2 * met;
            if (cost < -1e-9) better.emplace_back(cost, pair);
        }
        std::sort(better.begin(), better.end());
        std::vector<std::uint32_t> into(slots, nowhere);
        std::vector<char> used(slots, 0);
        for (const auto& [cost, pair] : better) {
            const auto one = static_cast<std::uint32_t>(pair >> 32), other = static_cast<std::uint32_t>(pair);
            if (used[one] || used[other]) continue;
            used[one] = used[other] = 1;
            into[other] = one;
        }
        for (std::size_t i = 0; i < d_.items; ++i)
            if (const std::uint32_t target = into[label_[i]]; target != nowhere) {
                take(i);
                put(i, target);
            }
        return !better.empty();
    }

    const Draws& d_;
    const Criterion& c_;
    Control& control_;
    double total_share_;
    std::vector<double> relative_share_;  // of each draw
    std::vector<std::size_t> offset_;
    Overlaps overlaps_;
    std::vector<double> own_, met_;  // D and O of each draw
    double summed_ = 0;                // S
    Labels label_;
    std::vector<std::size_t> rows_;  // of one item
    std::vector<std::uint64_t> size_;  // of the estimate's clusters; 0 where free
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> touched_, slot_;
    std::vector<double> gain_, more_, left_;
    std::vector<CompanyLine> rough_gain_;   // of each cluster, as a share of all
    std::vector<double> join_cost_, cost_;  // of one more element in each cluster, without and with its rough gain
    std::vector<double> margin_;  // how much better an item's place is than the next
};

}  // namespace concordant
