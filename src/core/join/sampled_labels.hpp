// A few wanted records of a source: their labels, and how often every label occurs, in one pass.
//
// Labels of a narrow range are counted in a byte each, so the counts of millions of clusters stay in the cache;
// counts that exceed a byte are carried. Labels of a wide range are kept for the caller to sort, and so are strings
// of a common form, which are numbers. A string of another form ends the pass: another string may have its hash.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "labels/items.hpp"

namespace concordant {

// Integers or strings, which are found by their key; strings are then compared in full.
class WantedRecords {
public:
    WantedRecords(const std::vector<std::uint64_t>& keys, std::vector<std::string> texts, TextKeys& keys_of_texts)
        : are_text_(!texts.empty()), texts_(std::move(texts)) {
        if (are_text_ && !keys.empty()) throw std::invalid_argument("records are integers or texts");
        keys_ = keys;
        if (are_text_) keys_of_texts.learn({texts_.begin(), texts_.begin() + std::min<std::ptrdiff_t>(1024, std::ssize(texts_))});
        Uuid unused{};
        for (const std::string& text : texts_) keys_.push_back(keys_of_texts(item_of(text), unused));
        slots_.assign(std::bit_ceil(2 * keys_.size() + 64), 0);
        filter_shift_ = 64 - filter_share - static_cast<unsigned>(std::countr_zero(slots_.size()));
        filter_.assign(slots_.size() << filter_share >> 6, 0);
        for (std::size_t place = 0; place < keys_.size(); ++place) add(place);
    }

    bool are_text() const { return are_text_; }

    // The rows that may be wanted. Most are not, and for nearly all of those a single bit rules them out.
    std::size_t candidates(const std::uint64_t* keys, std::size_t count, std::uint32_t* rows) const {
        const std::uint64_t* filter = filter_.data();
        const unsigned shift = filter_shift_;
        const std::uint64_t factor = factor_;
        std::size_t found = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t bit = keys[i] * factor >> shift;
            rows[found] = static_cast<std::uint32_t>(i);
            found += filter[bit >> 6] >> (bit & 63) & 1;
        }
        return found;
    }

    // Calls use(place) for each wanted record that equals the one in this row.
    template <class Use>
    void find_records(std::uint64_t key, const KeyColumn& ids, std::size_t row, Use use) const {
        for (std::size_t at = home_of(key); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
            const std::size_t place = slots_[at] - 1;
            if (keys_[place] == key && (!are_text_ || same_bytes(item_of(texts_[place]), ids.text(row)))) use(place);
        }
    }

private:
    static constexpr unsigned filter_share = 6;  // bits of the filter for a slot, as a power of two

    std::uint64_t bit_of(std::uint64_t key) const { return key * factor_ >> filter_shift_; }
    std::size_t home_of(std::uint64_t key) const { return static_cast<std::size_t>(bit_of(key) >> filter_share); }

    void add(std::size_t place) {
        const std::uint64_t bit = bit_of(keys_[place]);
        filter_[static_cast<std::size_t>(bit >> 6)] |= std::uint64_t{1} << (bit & 63);
        std::size_t at = home_of(keys_[place]);
        while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = place + 1;
    }

    bool are_text_;
    std::vector<std::string> texts_;
    std::uint64_t factor_ = process_seed() | 1;  // random and odd, so nobody can construct keys that collide
    std::vector<std::uint64_t> keys_;  // by place
    std::vector<std::size_t> slots_;   // places from 1
    unsigned filter_shift_ = 0;
    std::vector<std::uint64_t> filter_;
};

// How often each label occurs.
class LabelCounts {
public:
    // Of keys from `low` on, `range` of them; without a range, keys are kept. `rows` is the number of rows to expect.
    LabelCounts(std::uint64_t low, std::size_t range, std::size_t rows) : low_(low), bytes_(range) {
        if (range > 0)
            std::memset(bytes_.begin(), 0, range);
        else
            kept_.reserve(rows);
    }

    void add(const std::uint64_t* keys, const bool* left_out, std::size_t count) {
        if (bytes_.size == 0) {
            for (std::size_t i = 0; i < count; ++i)
                if (!left_out[i]) kept_.push_back(static_cast<std::int64_t>(keys[i]));
            return;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (!left_out[i]) add_one(keys[i]);
    }

    // Counts what was kept, where its range turns out to be narrow; false where it has to be sorted.
    bool count_kept() {
        if (kept_.empty()) return false;
        const auto by_key = [](std::int64_t x, std::int64_t y) { return static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(y); };
        const auto [least, largest] = std::minmax_element(kept_.begin(), kept_.end(), by_key);
        const std::uint64_t low = static_cast<std::uint64_t>(*least), width = static_cast<std::uint64_t>(*largest) - low;
        if (width >= sizeof(std::int64_t) * kept_.size()) return false;
        LabelCounts counted(low, static_cast<std::size_t>(width) + 1, 0);
        for (const std::int64_t key : kept_) counted.add_one(static_cast<std::uint64_t>(key));
        *this = std::move(counted);
        return true;
    }

    std::uint64_t times(std::uint64_t key) const {
        const std::uint64_t offset = key - low_;
        const auto carried = carried_.find(offset);
        return (offset < bytes_.size ? bytes_[static_cast<std::size_t>(offset)] : 0U) +
               (carried == carried_.end() ? 0U : carried->second);
    }

    // For each number of occurrences, how many labels have it.
    std::map<std::uint64_t, std::uint64_t> sizes() const {
        std::array<std::uint64_t, 256> small{};
        for (const std::uint8_t byte : bytes_) ++small[byte];
        std::map<std::uint64_t, std::uint64_t> found;
        for (const auto& [offset, count] : carried_) {
            const bool is_counted = offset < bytes_.size;
            const std::uint8_t byte = is_counted ? bytes_[static_cast<std::size_t>(offset)] : std::uint8_t{0};
            if (is_counted) --small[byte];
            ++found[count + byte];
        }
        for (std::size_t size = 1; size < small.size(); ++size)
            if (small[size] > 0) found[size] += small[size];
        return found;
    }

    std::vector<std::int64_t> take_kept() { return std::move(kept_); }

private:
    void add_one(std::uint64_t key) {
        const std::uint64_t offset = key - low_;
        if (offset >= bytes_.size)
            ++carried_[offset];  // the file's own statistics are wrong about it
        else if (++bytes_[static_cast<std::size_t>(offset)] == 0)
            carried_[offset] += 256;
    }

    std::uint64_t low_;
    Buffer<std::uint8_t> bytes_;
    std::unordered_map<std::uint64_t, std::uint64_t, Hasher> carried_;  // by offset
    std::vector<std::int64_t> kept_;                                    // keys by their bits
};

class SampledLabels {
public:
    struct Found {
        std::size_t place;  // of the record among those wanted
        std::uint64_t label;
        bool null;
    };

    SampledLabels(WantedRecords wanted, LabelCounts none) : counts(std::move(none)), wanted_(std::move(wanted)) {}

    void add(const KeyColumn& ids, const KeyColumn& labels, std::size_t length, Control& control) {
        if (ids.is_text() != wanted_.are_text()) throw std::invalid_argument("records of the wrong type are wanted");
        for (std::size_t begin = 0; begin < length && are_exact; begin += block_length) {
            control.checkpoint();
            add_block(ids, labels, begin, std::min(block_length, length - begin));
        }
        rows += length;
    }

    bool are_exact = true;  // as long as every string was a number
    LabelCounts counts;
    std::vector<Found> found;
    std::size_t rows = 0, named = 0, unlabelled = 0;

private:
    static bool any_hash(const KeyBlock& block, std::size_t count) {
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) any |= !block.null[i] && TextKeys::is_hash(block.key[i]);
        return any;
    }

    void add_block(const KeyColumn& ids, const KeyColumn& labels, std::size_t begin, std::size_t count) {
        KeyBlock id, label;
        ids.load(begin, count, id);
        labels.load(begin, count, label);
        if (labels.is_text() && any_hash(label, count)) return void(are_exact = false);
        std::array<std::uint32_t, block_length> candidate;
        const std::size_t candidates = wanted_.candidates(id.key.data(), count, candidate.data());
        for (std::size_t k = 0; k < candidates; ++k) {
            const std::size_t i = candidate[k];
            if (!id.null[i])
                wanted_.find_records(id.key[i], ids, begin + i,
                             [&](std::size_t place) { found.push_back({place, label.key[i], label.null[i]}); });
        }
        std::size_t nameless = 0, left_out = 0;
        for (std::size_t i = 0; i < count; ++i) {
            nameless += id.null[i];
            label.null[i] = label.null[i] | id.null[i];
            left_out += label.null[i];
        }
        named += count - nameless;
        unlabelled += left_out - nameless;
        counts.add(label.key.data(), label.null.data(), count);
    }

    WantedRecords wanted_;
};

}  // namespace concordant
