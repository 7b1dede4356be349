// Texts of 32 hexadecimal digits, as UUIDs and sums of MD5 are: numbers of 128 bits.
//
// Their keys have 64 bits, so that two texts might share one. That none do is proved: what a key does not tell of
// its number is kept beside it, by partition, and compared wherever a key comes again.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/chunks.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct WideNumber {
    std::uint64_t high = 0, low = 0;
};

// 32 digits, or 8, 4, 4, 4 and 12 with dashes between; letters are all small or all large.
class HexTexts {
public:
    // The form of the first text of the sample.
    explicit HexTexts(const std::vector<std::string>& sample) {
        if (sample.empty() || std::endian::native != std::endian::little) return;
        length_ = sample.front().size();
        for (const std::string& text : sample)
            if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'F'; })) from_nine_to_a_ = 'A' - '9' - 1;
    }

    bool read(Item text, WideNumber& number) const {
        if (text.size != length_ || (length_ != bare && length_ != dashed)) return false;
        const std::array<std::uint64_t, 4> eights = length_ == bare ? eights_of_bare(text.bytes) : eights_of_dashed(text.bytes);
        std::array<std::uint64_t, 4> part{};
        bool all = true;
        for (std::size_t i = 0; i < part.size(); ++i) all &= read_eight(eights[i], part[i]);
        number = {part[0] << 32 | part[1], part[2] << 32 | part[3]};
        return all && (length_ == bare || has_dashes(text.bytes));
    }

private:
    static constexpr std::size_t bare = 32, dashed = 36;
    static constexpr std::uint64_t each = 0x0101010101010101U;
    static constexpr std::byte dash{'-'};

    static bool has_dashes(const std::byte* text) {
        return text[8] == dash && text[13] == dash && text[18] == dash && text[23] == dash;
    }

    // In registers: to gather them in memory would wait for each store.
    static std::array<std::uint64_t, 4> eights_of_bare(const std::byte* text) {
        return {eight(text), eight(text + 8), eight(text + 16), eight(text + 24)};
    }
    static std::array<std::uint64_t, 4> eights_of_dashed(const std::byte* text) {
        return {eight(text), four(text + 9) | four(text + 14) << 32, four(text + 19) | four(text + 24) << 32, eight(text + 28)};
    }
    static std::uint64_t eight(const std::byte* text) { return read_unaligned<std::uint64_t>(text); }
    static std::uint64_t four(const std::byte* text) { return read_unaligned<std::uint32_t>(text); }

    // Eight digits at once; false where they are not what their number would be written as.
    bool read_eight(std::uint64_t digits, std::uint64_t& number) const {
        const std::uint64_t letters = digits >> 6 & each;
        std::uint64_t x = (digits & 15 * each) + 9 * letters;  // of each byte at most 24
        const std::uint64_t above_nine = (x + 6 * each) >> 4 & each;
        const bool is_written_so = x + '0' * each + from_nine_to_a_ * above_nine == digits && (x & 0xf0 * each) == 0;
        x = (x | x >> 4) & 0x00ff00ff00ff00ffU;
        x = (x | x >> 8) & 0x0000ffff0000ffffU;
        number = (x | x >> 16) & 0xffffffffU;
        return is_written_so;
    }

    std::size_t length_ = 0;
    std::uint64_t from_nine_to_a_ = 'a' - '9' - 1;
};

// Keys of items that are all such texts; none where one is not, or where two that differ share a key.
class WideKeys {
public:
    WideKeys(const Items& items, HexTexts form, unsigned threads, Control& control)
        : items_(items), form_(form), threads_(threads), control_(control), bits_(bits_of_partitions(items.length())),
          workers_(threads) {
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
    struct Entry {
        std::uint64_t key, rest;
    };

    struct Worker {
        ChunkPool pool;
        std::vector<Entry> slots;
        std::vector<std::uint8_t> is_used;
    };

    void scatter(Buffer<std::int64_t>& made) {
        constexpr std::size_t task_length = std::size_t{1} << 16;
        const std::size_t tasks = (items_.length() + task_length - 1) / task_length;
        const Hasher hasher;
        parallel_for(control_, threads_, tasks, [&](unsigned worker, std::size_t task) {
            if (has_failed_.load(std::memory_order_relaxed)) return;
            bool all = true;
            const std::size_t begin = task * task_length, end = std::min(items_.length(), begin + task_length);
            items_.for_each(begin, end, [&](std::size_t i, Item item) {
                WideNumber number;
                all &= form_.read(item, number);
                const std::uint64_t key = hasher(number.high ^ hasher(number.low));  // with low, it tells high
                made[i] = static_cast<std::int64_t>(key);
                parts_[worker].push(static_cast<std::size_t>(key >> 1 >> (63 - bits_)), {key, number.low});
            });
            if (!all) has_failed_.store(true, std::memory_order_relaxed);
        });
    }

    bool are_told_apart(std::size_t partition, Worker& worker) {
        Gathered<Entry> entries(parts_, partition);
        const std::size_t size = std::bit_ceil(4 * std::max<std::size_t>(entries.length(), 1));
        worker.slots.resize(std::max(worker.slots.size(), size));
        worker.is_used.assign(size, 0);
        bool all = true;
        entries.for_each([&](const Entry& entry) {
            std::size_t at = static_cast<std::size_t>(entry.key) & (size - 1);
            while (worker.is_used[at] != 0 && worker.slots[at].key != entry.key) at = (at + 1) & (size - 1);
            if (worker.is_used[at] == 0) {
                worker.is_used[at] = 1;
                worker.slots[at] = entry;
            }
            all &= worker.slots[at].rest == entry.rest;
        });
        entries.give_back(worker.pool);
        return all;
    }

    const Items& items_;
    HexTexts form_;
    unsigned threads_;
    Control& control_;
    unsigned bits_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Entry>> parts_;
    std::atomic<bool> has_failed_{false};
};

}  // namespace concordant
