// Small numbers for labels, by which tables are addressed.
//
// Labels of a window have their distance from its lower end, so that they are looked up nowhere. All others are
// numbered behind it as they come: while they ascend, as in sorted files, each is new that is larger than the last.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hashing.hpp"
#include "base/large_list.hpp"
#include "base/place_table.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Where labels of these are addressed directly: all of them, where the table is as small against the labels as this.
inline KeyRange id_window(const Labels& labels, std::size_t labels_for_an_id) {
    const KeyRange range = likely_range(labels);
    return range.span() < labels.length / labels_for_an_id && range.span() < no_place / 2 ? range : KeyRange{};
}

class LabelIds {
public:
    explicit LabelIds(KeyRange window) : low_(window.low), extent_(window.empty() ? 0 : window.span() + 1) {}

    std::size_t size() const { return extent_ + key_.size(); }  // all ids lie below

    std::uint64_t key(std::uint32_t id) const { return id < extent_ ? low_ + id : key_[id - extent_]; }

    // The ids of these keys.
    void number(const std::uint64_t* key, std::size_t count, std::uint32_t* id) {
        if (extent_ == 0 && !ascending_)
            for (std::size_t i = 0; i < count; ++i) place_.prefetch(hasher_(key[i]));
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t offset = key[i] - low_;
            id[i] = static_cast<std::uint32_t>(offset < extent_ ? offset : extent_ + number_outside(key[i]));
        }
    }

private:
    std::uint32_t number_outside(std::uint64_t key) {
        const auto fresh = static_cast<std::uint32_t>(key_.size());
        if (ascending_) {
            if (fresh != 0 && key == key_[fresh - 1]) return fresh - 1;
            if (fresh == 0 || key > key_[fresh - 1]) {
                key_.push_back(key);
                return fresh;
            }
            enter_all();
        }
        const std::uint32_t place = find_or_insert(key, fresh);
        if (place != no_place) return place;
        key_.push_back(key);
        return fresh;
    }

    // Now that one may have come before.
    void enter_all() {
        ascending_ = false;
        for (std::uint32_t i = 0; i < key_.size(); ++i) find_or_insert(key_[i], i);
    }

    std::uint32_t find_or_insert(std::uint64_t key, std::uint32_t fresh) {
        return place_.find_or_insert(hasher_(key), fresh, [&](std::uint32_t place) { return key_[place] == key; });
    }

    std::uint64_t low_;
    std::size_t extent_;
    bool ascending_ = true;
    Hasher hasher_;
    PlaceTable place_;
    LargeList<std::uint64_t> key_;  // of those outside of the window
};

}  // namespace concordant
