// Keys of 64 bits for texts that are numbers of up to 256.
//
// Two such texts might share a key. That none do is proved: what a key does not tell of its number is kept beside it,
// by partition, and compared wherever a key comes again.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/chunks.hpp"
#include "base/parallel.hpp"
#include "labels/items.hpp"
#include "labels/wide_texts.hpp"

namespace concordant {

enum class Met : std::uint8_t { first, again, other };

// Scrambled numbers, of which those that differ must differ in the bits of their keys as well.
template <std::size_t Words>
class NumberTable {
public:
    using Number = WideNumber<Words>;

    explicit NumberTable(std::uint64_t key_bits = ~std::uint64_t{0}) : key_bits_(key_bits) {}

    // Empties the table, which stays as large as the last partition needed it: the next is much like it.
    void start() { resize(std::bit_ceil(2 * std::exchange(used_, 0) + 64)); }

    Met add(const Number& number) {
        const std::size_t at = slot_of(number);
        if (is_used_[at] != 0) return slots_[at] == number ? Met::again : Met::other;
        is_used_[at] = 1;
        slots_[at] = number;
        if (++used_ * 2 > is_used_.size()) grow();
        return Met::first;
    }

private:
    void resize(std::size_t size) {
        slots_.resize(size);
        is_used_.assign(size, 0);
    }

    std::size_t slot_of(const Number& number) const {
        const std::size_t last = is_used_.size() - 1;
        // By the bits of its key alone, so that those of one key meet.
        std::size_t at = static_cast<std::size_t>((number[0] & key_bits_) >> 2) & last;
        while (is_used_[at] != 0 && ((slots_[at][0] ^ number[0]) & key_bits_) != 0) at = (at + 1) & last;
        return at;
    }

    void grow() {
        const std::vector<Number> slots = std::move(slots_);
        const std::vector<std::uint8_t> is_used = std::move(is_used_);
        resize(4 * is_used.size());
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (is_used[i] != 0) {
                const std::size_t at = slot_of(slots[i]);
                slots_[at] = slots[i];
                is_used_[at] = 1;
            }
    }

    std::uint64_t key_bits_;
    std::vector<Number> slots_;
    std::vector<std::uint8_t> is_used_;
    std::size_t used_ = 0;
};

// Keys of items that are all texts of one form; none where one is not, or where two that differ share a key.
template <std::size_t Words>
class WideKeys {
public:
    WideKeys(const Items& items, WideTexts form, unsigned threads, Control& control)
        : items_(items), form_(std::move(form)), threads_(threads), control_(control),
          bits_(bits_of_partitions(items.length())), workers_(threads) {
        for (Worker& worker : workers_) parts_.emplace_back(std::size_t{1} << bits_, worker.pool);
    }

    std::optional<Buffer<std::int64_t>> keys() {
        Buffer<std::int64_t> made(items_.length());
        scatter(made);
        if (has_failed_) return std::nullopt;
        parallel_for(control_, threads_, std::size_t{1} << bits_, [&](unsigned worker, std::size_t partition) {
            if (!are_told_apart(partition, workers_[worker])) has_failed_.store(true, std::memory_order_relaxed);
        });
        if (has_failed_) return std::nullopt;
        return made;
    }

private:
    struct Worker {
        ChunkPool pool;
        NumberTable<Words> table;
    };

    void scatter(Buffer<std::int64_t>& made) {
        constexpr std::size_t task_length = std::size_t{1} << 16;
        const std::size_t tasks = (items_.length() + task_length - 1) / task_length;
        const WideScramble scramble;
        parallel_for(control_, threads_, tasks, [&](unsigned worker, std::size_t task) {
            if (has_failed_.load(std::memory_order_relaxed)) return;
            bool all = true;
            const std::size_t begin = task * task_length, end = std::min(items_.length(), begin + task_length);
            form_.visit([&](const auto& form) {
                items_.for_each(begin, end, [&](std::size_t i, Item item) {
                    AnyNumber number{};
                    all &= form.read(item, number);
                    scramble.apply(number, Words);
                    made[i] = static_cast<std::int64_t>(number[0]);
                    const auto partition = static_cast<std::size_t>(number[0] >> 1 >> (63 - bits_));
                    parts_[worker].push(partition, first_words<Words>(number));
                });
            });
            if (!all) has_failed_.store(true, std::memory_order_relaxed);
        });
    }

    bool are_told_apart(std::size_t partition, Worker& worker) {
        Gathered<WideNumber<Words>> numbers(parts_, partition);
        worker.table.start();
        bool all = true;
        numbers.for_each([&](const WideNumber<Words>& number) { all &= worker.table.add(number) != Met::other; });
        numbers.give_back(worker.pool);
        return all;
    }

    const Items& items_;
    WideTexts form_;
    unsigned threads_;
    Control& control_;
    unsigned bits_;
    std::vector<Worker> workers_;
    std::vector<Scatter<WideNumber<Words>>> parts_;
    std::atomic<bool> has_failed_{false};
};

inline std::optional<Buffer<std::int64_t>> wide_keys(const Items& items, const WideTexts& form, unsigned threads, Control& control) {
    switch (form.words()) {
        case 2: return WideKeys<2>(items, form, threads, control).keys();
        case 3: return WideKeys<3>(items, form, threads, control).keys();
        case 4: return WideKeys<4>(items, form, threads, control).keys();
        default: return std::nullopt;
    }
}

}  // namespace concordant
