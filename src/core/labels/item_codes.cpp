#include "labels/item_codes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/code_table.hpp"
#include "base/processor.hpp"
#include "labels/digit_strings.hpp"
#include "labels/uuid_strings.hpp"

namespace concordant {

namespace {

// The distinct items found so far, in order.
class DistinctItems {
public:
    std::size_t size() const { return first_.size(); }
    Item item(std::size_t code) const { return item_[code]; }
    std::uint64_t hash(std::size_t code) const { return hash_[code]; }
    std::vector<std::int64_t>& first() { return first_; }

    CONCORDANT_INLINED void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }

    std::int64_t code_of(Item item, std::uint64_t hash, std::int64_t position) {
        const auto fresh = static_cast<std::int64_t>(size());
        const std::int64_t known = table_.find_or_insert(
            hash, fresh, [&](std::int64_t code) { return same_bytes(item, item_[static_cast<std::size_t>(code)]); });
        if (known != no_code) return known;
        item_.push_back(item);
        hash_.push_back(hash);
        first_.push_back(position);
        return fresh;
    }

private:
    CodeTable table_;
    std::vector<Item> item_;
    std::vector<std::uint64_t> hash_;
    std::vector<std::int64_t> first_;
};

// Codes of the items from begin to end.
void encode_range(const Items& items, std::size_t begin, std::size_t end, DistinctItems& distinct,
                         std::int64_t* codes, Control& control) {
    const ItemHasher hasher;
    std::array<std::uint64_t, block_length> hashes;
    std::array<Item, block_length> block;
    for (; begin < end; begin += block_length) {
        control.checkpoint();
        const std::size_t count = std::min(block_length, end - begin);
        items.for_each(begin, begin + count, [&](std::size_t i, Item item) {
            block[i - begin] = item;
            hashes[i - begin] = hasher(item);
        });
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 12;
            if (i + ahead < count) distinct.prefetch(hashes[i + ahead]);
            codes[begin + i] = distinct.code_of(block[i], hashes[i], static_cast<std::int64_t>(begin + i));
        }
    }
}

bool has_few_distinct(const Items& items, Control& control) {
    constexpr std::size_t samples = 4096;
    DistinctItems distinct;
    const ItemHasher hasher;
    const std::size_t step = items.length() / samples;
    control.checkpoint();
    for (std::size_t i = 0; i < samples; ++i) {
        const Item item = items[i * step];
        distinct.code_of(item, hasher(item), 0);
    }
    return distinct.size() < samples / 16 * 15;  // some 30,000 at most, were they equally frequent
}

Codes encode_by_tasks(const Items& items, std::size_t tasks, unsigned threads, Control& control) {
    Codes codes{Buffer<std::int64_t>(items.length()), {}};
    std::vector<DistinctItems> distinct(tasks);
    const std::size_t step = (items.length() + tasks - 1) / tasks;
    const auto end_of = [&](std::size_t task) { return std::min(items.length(), (task + 1) * step); };
    parallel_for(control, threads, tasks, [&](unsigned, std::size_t task) {
        encode_range(items, std::min(items.length(), task * step), end_of(task), distinct[task], codes.code.begin(),
                     control);
    });

    DistinctItems& all = distinct[0];
    std::vector<std::vector<std::int64_t>> renamed(tasks);
    for (std::size_t task = 1; task < tasks; ++task) {
        DistinctItems& part = distinct[task];
        for (std::size_t code = 0; code < part.size(); ++code) {
            if (code % block_length == 0) control.checkpoint();
            renamed[task].push_back(all.code_of(part.item(code), part.hash(code), part.first()[code]));
        }
    }
    parallel_for(control, threads, tasks - 1, [&](unsigned, std::size_t task) {
        const std::vector<std::int64_t>& names = renamed[task + 1];
        for (std::size_t i = std::min(items.length(), (task + 1) * step); i < end_of(task + 1); ++i)
            codes.code[i] = names[static_cast<std::size_t>(codes.code[i])];
    });
    codes.first = std::move(all.first());
    return codes;
}

// Which positions are marked, and how many before each.
class Marks {
public:
    explicit Marks(std::size_t length) : words_(length / 64 + 1), before_(words_.size(), 0) {}

    void mark(std::size_t i) { words_[i / 64].fetch_or(bit(i), std::memory_order_relaxed); }

    std::size_t count_all() {
        std::size_t total = 0;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            before_[word] = total;
            total += static_cast<std::size_t>(std::popcount(load(word)));
        }
        return total;
    }

    std::size_t rank(std::size_t i) const {
        return before_[i / 64] + static_cast<std::size_t>(std::popcount(load(i / 64) & (bit(i) - 1)));
    }

private:
    static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }
    std::uint64_t load(std::size_t word) const { return words_[word].load(std::memory_order_relaxed); }

    std::vector<std::atomic<std::uint64_t>> words_;
    std::vector<std::size_t> before_;
};

class PartitionedItems {
public:
    PartitionedItems(const Items& items, unsigned threads, Control& control)
        : items_(items), threads_(threads), control_(control), tasks_((items.length() + task_length - 1) / task_length),
          bits_(std::clamp(static_cast<unsigned>(std::bit_width(items.length() / partition_length)), 1U, most_bits)) {}

    Codes codes() {
        scatter();
        std::vector<std::vector<Word>> first(partitions());
        Marks marks(items_.length());
        parallel_for(control_, threads_, partitions(), [&](unsigned, std::size_t partition) {
            first[partition] = number(partition);
            for (const Word position : first[partition]) marks.mark(position);
        });
        Codes codes{Buffer<std::int64_t>(items_.length()), {}};
        codes.first.resize(marks.count_all());
        parallel_for(control_, threads_, partitions(), [&](unsigned, std::size_t partition) {
            write(partition, first[partition], marks, codes);
        });
        return codes;
    }

private:
    using Word = std::uint32_t;

    // The hash is replaced by the item's number within its partition.
    struct Entry {
        Word hash, position;
    };

    static constexpr std::size_t task_length = std::size_t{1} << 16, partition_length = std::size_t{1} << 14;
    static constexpr unsigned most_bits = 10;

    std::size_t partitions() const { return std::size_t{1} << bits_; }
    std::size_t partition_of(std::uint64_t hash) const { return hash >> (64 - bits_); }
    std::size_t task_end(std::size_t task) const { return std::min(items_.length(), (task + 1) * task_length); }

    void scatter() {
        Buffer<std::uint64_t> hashes(items_.length());
        Buffer<std::size_t> place(tasks_ * partitions());
        parallel_for(control_, threads_, tasks_, [&](unsigned, std::size_t task) {
            const ItemHasher hasher;
            std::size_t* counts = &place[task * partitions()];
            std::fill_n(counts, partitions(), 0);
            items_.for_each(task * task_length, task_end(task), [&](std::size_t i, Item item) {
                hashes[i] = hasher(item);
                ++counts[partition_of(hashes[i])];
            });
        });
        place_partitions(place);
        entries_ = Buffer<Entry>(items_.length());
        parallel_for(control_, threads_, tasks_, [&](unsigned, std::size_t task) {
            std::size_t* next = &place[task * partitions()];
            for (std::size_t i = task * task_length; i < task_end(task); ++i)
                entries_[next[partition_of(hashes[i])]++] = {static_cast<Word>(hashes[i]), static_cast<Word>(i)};
        });
    }

    // Turns counts per task and partition into the place of the first entry of each.
    void place_partitions(Buffer<std::size_t>& counts) {
        std::size_t total = 0;
        for (std::size_t partition = 0; partition < partitions(); ++partition) {
            start_.push_back(total);
            for (std::size_t task = 0; task < tasks_; ++task)
                total += std::exchange(counts[task * partitions() + partition], total);
        }
        start_.push_back(total);
    }

    // Numbers the items of a partition in order; returns where each appears first.
    std::vector<Word> number(std::size_t partition) {
        DistinctItems distinct;
        const std::size_t end = start_[partition + 1];
        for (std::size_t i = start_[partition]; i < end; ++i) {
            constexpr std::size_t ahead = 16;
            if (i + ahead < end) prefetch(items_[entries_[i + ahead].position].bytes);
            Entry& entry = entries_[i];
            entry.hash = static_cast<Word>(distinct.code_of(items_[entry.position], entry.hash, entry.position));
        }
        return {distinct.first().begin(), distinct.first().end()};
    }

    void write(std::size_t partition, const std::vector<Word>& first, const Marks& marks, Codes& codes) const {
        std::vector<std::int64_t> code;
        for (const Word position : first) {
            code.push_back(static_cast<std::int64_t>(marks.rank(position)));
            codes.first[static_cast<std::size_t>(code.back())] = position;
        }
        for (std::size_t i = start_[partition]; i < start_[partition + 1]; ++i)
            codes.code[entries_[i].position] = code[entries_[i].hash];
    }

    const Items& items_;
    unsigned threads_;
    Control& control_;
    std::size_t tasks_;
    unsigned bits_;
    Buffer<Entry> entries_;
    std::vector<std::size_t> start_;
};

}  // namespace

std::vector<std::string> sample_of(const Items& items) {
    constexpr std::size_t enough = 1024;
    std::vector<std::string> sample;
    for (std::size_t i = 0; i < items.length(); i += items.length() / enough + 1) {
        const Item item = items[i];
        sample.emplace_back(reinterpret_cast<const char*>(item.bytes), item.size);
    }
    return sample;
}

std::optional<Buffer<std::int64_t>> numbers_of_items(const Items& items, const DigitStrings& form, unsigned threads,
                                                     Control& control) {
    Buffer<std::int64_t> numbers(items.length());
    const auto read = [&](unsigned, std::size_t begin, std::size_t count) {
        bool all = true;
        items.for_each(begin, begin + count, [&](std::size_t i, Item item) {
            const std::uint64_t number = form(item);
            all &= number != DigitStrings::none;
            numbers[i] = static_cast<std::int64_t>(number);
        });
        return all;
    };
    if (!parallel_blocks(control, threads, items.length(), read)) return std::nullopt;
    return numbers;
}

Codes factorize_items(const Items& items, unsigned threads, Control& control) {
    constexpr std::size_t worth_a_task = std::size_t{1} << 15, tasks_per_thread = 2;
    if (items.length() == 0) return {};
    const bool long_enough = items.length() >= 2 * worth_a_task;
    if (long_enough && items.length() <= std::numeric_limits<std::uint32_t>::max() &&
        !has_few_distinct(items, control))
        return PartitionedItems(items, threads, control).codes();
    const std::size_t most = threads == 1 ? 1 : threads * tasks_per_thread;
    const std::size_t tasks = std::clamp<std::size_t>(items.length() / worth_a_task, 1, most);
    return encode_by_tasks(items, tasks, threads, control);
}

Buffer<std::int64_t> keys_of_items(const Items& items, unsigned threads, Control& control) {
    constexpr std::size_t worth_a_sample = std::size_t{1} << 16;
    if (items.length() >= worth_a_sample && !has_few_distinct(items, control)) {
        const std::vector<std::string> sample = sample_of(items);
        if (auto numbers = numbers_of_items(items, DigitStrings(sample), threads, control)) return *std::move(numbers);
        if (auto keys = uuid_keys(items, UuidStrings(sample), threads, control)) return *std::move(keys);
    }
    return factorize_items(items, threads, control).code;
}

}  // namespace concordant
