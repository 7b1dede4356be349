// The profile of labels against the cuts of a tree, level by level: only overlaps of merged clusters are counted again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "counting/triples.hpp"
#include "hierarchies/truth_levels.hpp"

namespace concordant {

class LevelProfiles {
public:
    LevelProfiles(std::vector<std::int64_t> parent, std::vector<std::int64_t> level, std::size_t levels,
                  std::vector<std::int64_t> label, std::size_t labels)
        : parent_(std::move(parent)), level_(std::move(level)), label_(std::move(label)), levels_(levels),
          label_size_(labels), cells_(level_.size()), size_(level_.size()), next_(label_.size()) {
        Control control;
        if (level_.size() + label_.size() != parent_.size()) throw std::invalid_argument("every leaf has a label");
        tree().check(control);
        levels::check_labels(label_.data(), label_.size(), labels);
        for (const std::int64_t each : label_) ++label_size_[static_cast<std::size_t>(each)];
        for (const std::int64_t each : label_) change({static_cast<std::uint32_t>(each), 1}, 1, 1);
        children_.assign(parent_.size() + 1, 0);
        for (std::size_t x = 0; x < parent_.size(); ++x)
            if (parent_[x] >= 0) ++children_[static_cast<std::size_t>(parent_[x]) + 1];
        for (std::size_t x = 0; x < parent_.size(); ++x) children_[x + 1] += children_[x];
        child_.resize(children_.back());
        std::vector<std::size_t> place(children_.begin(), children_.end() - 1);
        for (std::size_t x = 0; x < parent_.size(); ++x)
            if (parent_[x] >= 0) child_[place[static_cast<std::size_t>(parent_[x])]++] = static_cast<std::uint32_t>(x);
    }

    // Triples in the order of a, b and n. Levels are asked for in ascending order.
    std::vector<Triple> at(std::size_t level, Control& control) {
        if (level < level_reached_ || level > levels_) throw std::invalid_argument("levels are asked for in ascending order");
        level_reached_ = level;
        for (; next_ < parent_.size() && tree().level_of(next_) <= level; ++next_) merge(next_, control);
        std::vector<Triple> triples;
        triples.reserve(count_.size());
        for (const auto& [sizes, count] : count_) triples.push_back({sizes.n, sizes.a, sizes.b, count});
        std::sort(triples.begin(), triples.end(), [](const Triple& x, const Triple& y) {
            return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.n < y.n;
        });
        return triples;
    }

private:
    struct Cell {
        std::uint32_t label, n;
    };
    struct Sizes {
        std::uint32_t n, a, b;
        bool operator==(const Sizes&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Sizes& sizes) const {
            return static_cast<std::size_t>(fold(hasher(std::uint64_t{sizes.n} << 32 | sizes.a), hasher(sizes.b)));
        }
        Hasher hasher;
    };

    LevelTree tree() const { return {parent_.data(), parent_.size(), label_.size(), level_.data(), levels_}; }

    void change(Cell cell, std::uint32_t b, int by) {
        const Sizes sizes{cell.n, label_size_[cell.label], b};
        const auto found = count_.try_emplace(sizes, 0).first;
        if ((found->second += static_cast<std::uint64_t>(static_cast<std::int64_t>(by))) == 0) count_.erase(found);
    }

    // The cells of a node, which is part of another from now on.
    std::vector<Cell> take(std::uint32_t node, std::uint32_t& size) {
        std::vector<Cell> cells;
        std::uint32_t own = 1;
        if (node < label_.size())
            cells.push_back({static_cast<std::uint32_t>(label_[node]), 1});
        else {
            cells = std::move(cells_[node - label_.size()]);
            own = size_[node - label_.size()];
        }
        for (const Cell& cell : cells) change(cell, own, -1);
        size += own;
        return cells;
    }

    void merge(std::size_t node, Control& control) {
        std::vector<Cell> merged, joined;
        std::uint32_t size = 0;
        for (std::size_t i = children_[node]; i < children_[node + 1]; ++i) {
            control.checkpoint();
            const std::vector<Cell> part = take(child_[i], size);
            joined.clear();
            joined.reserve(merged.size() + part.size());
            auto x = merged.begin();
            for (const Cell& cell : part) {
                for (; x != merged.end() && x->label < cell.label; ++x) joined.push_back(*x);
                joined.push_back(cell);
                if (x != merged.end() && x->label == cell.label) joined.back().n += (x++)->n;
            }
            joined.insert(joined.end(), x, merged.end());
            std::swap(merged, joined);
        }
        for (const Cell& cell : merged) change(cell, size, 1);
        cells_[node - label_.size()] = std::move(merged);
        size_[node - label_.size()] = size;
    }

    std::vector<std::int64_t> parent_, level_, label_;
    std::size_t levels_, level_reached_ = 0;
    std::vector<std::uint32_t> label_size_;
    std::vector<std::vector<Cell>> cells_;  // of the nodes that are clusters now, by label
    std::vector<std::uint32_t> size_, child_;
    std::vector<std::size_t> children_;
    std::size_t next_;
    std::unordered_map<Sizes, std::uint64_t, Hash> count_;
};

}  // namespace concordant
