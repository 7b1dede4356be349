// Both trees together: along each heavy path of one, with the other tree restricted to the leaves below that path.
//
// A leaf is below at most log n heavy paths, so the restrictions have O(n log n) leaves in all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "hierarchies/balanced_paths.hpp"
#include "hierarchies/drawn_tree.hpp"

namespace concordant {

// The leaves of a sequence by group, each group as a sequence of its own. group[leaf] is no_node for leaves in no group.
class Restriction {
public:
    void split(const LeafSequence& sequence, const std::vector<Node>& group, std::vector<LeafSequence>& parts) {
        last_.assign(parts.size(), 0);
        maxima_.clear();
        for (std::size_t k = 0; k < sequence.leaves.size(); ++k) {
            if (k > 0) {
                while (!maxima_.empty() && sequence.joins[maxima_.back()] <= sequence.joins[k - 1]) maxima_.pop_back();
                maxima_.push_back(k - 1);
            }
            const Node own = group[sequence.leaves[k]];
            if (own == no_node) continue;
            LeafSequence& part = parts[own];
            if (!part.leaves.empty())
                part.joins.push_back(sequence.joins[*std::lower_bound(maxima_.begin(), maxima_.end(), last_[own])]);
            part.leaves.push_back(sequence.leaves[k]);
            last_[own] = k;
        }
    }

private:
    std::vector<std::size_t> last_;    // the place of the last leaf of each group
    std::vector<std::size_t> maxima_;  // places of the joins that are larger than all after them
};

// Calls use(path, paths, place) for every heavy path of u that starts above at least `least` leaves. The path is given
// from its leaf up, `paths` are those of the restriction of v, and place[leaf] is where a leaf hangs from.
template <class Use>
void for_each_heavy_path(const DrawnTree& u, const DrawnTree& v, std::size_t least, Control& control, Use use) {
    struct Job {
        Node top;
        LeafSequence sequence;
    };
    std::vector<Job> jobs;
    if (u.leaves >= least) jobs.push_back({u.root(), v.sequence()});
    std::vector<Node> place(u.leaves), group(u.leaves, no_node), path, tops;
    std::vector<LeafSequence> parts;
    BalancedPaths paths;
    Restriction restriction;
    while (!jobs.empty()) {
        control.checkpoint();
        const Job job = std::move(jobs.back());
        jobs.pop_back();
        path.assign(1, job.top);
        tops.clear();
        while (path.back() >= u.leaves) {
            const auto below = u.children_of(path.back());
            const Node heavy = *std::max_element(below.begin(), below.end(),
                                                 [&](Node a, Node b) { return u.size[a] < u.size[b]; });
            for (const Node child : below) {
                if (child == heavy || u.size[child] < least) continue;
                for (const Node leaf : u.leaves_of(child)) group[leaf] = static_cast<Node>(tops.size());
                tops.push_back(child);
            }
            path.push_back(heavy);
        }
        std::reverse(path.begin(), path.end());
        paths.build(job.sequence);
        for (std::size_t k = 0; k < job.sequence.leaves.size(); ++k) place[job.sequence.leaves[k]] = paths.of_leaf()[k];
        use(path, paths, place);
        parts.assign(tops.size(), {});
        for (std::size_t i = 0; i < tops.size(); ++i) parts[i].leaves.reserve(u.size[tops[i]]);
        restriction.split(job.sequence, group, parts);
        for (std::size_t i = 0; i < tops.size(); ++i) {
            for (const Node leaf : parts[i].leaves) group[leaf] = no_node;
            jobs.push_back({tops[i], std::move(parts[i])});
        }
    }
}

}  // namespace concordant
