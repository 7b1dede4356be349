#include "labels/uuid_strings.hpp"

#include <algorithm>
#include <atomic>

#include "base/chunks.hpp"

namespace concordant {

UuidStrings::UuidStrings(const std::vector<std::string>& sample) {
    if (sample.empty()) return;
    std::size_t most = 0;
    for (const std::string& example : {sample.front(), sample[sample.size() / 2], sample.back()}) {
        if (example.size() < length) continue;
        for (const char first_letter : {'a', 'A'}) {
            const UuidStrings form(example.substr(0, example.size() - length), first_letter);
            Uuid unused{};
            const std::size_t held =
                count_of_form(sample, [&](const std::string& text) { return form.read(item_of(text), unused); });
            if (held <= most) continue;
            most = held;
            *this = form;
        }
    }
}

std::string UuidStrings::text(const Uuid& number) const {
    std::string made;
    for (const std::uint64_t word : number)
        for (unsigned shift = 0; shift < 64; shift += 8) (made += digit(word >> (shift + 4))) += digit(word >> shift);
    for (const std::size_t place : {8U, 13U, 18U, 23U}) made.insert(place, 1, '-');
    return prefix_ + made;
}

namespace {

// The scrambled numbers of all items, by partition; numbers of one key are in one partition.
class UuidPartitions {
public:
    UuidPartitions(std::size_t length, unsigned threads)
        : bits_(bits_of_partitions(length)), threads_(threads), workers_(std::max(1U, threads)) {
        for (Worker& worker : workers_) parts_.emplace_back(std::size_t{1} << bits_, worker.pool);
    }

    // Reads all items and writes the key of each; false if an item is not of the form.
    bool read(const Items& items, const UuidStrings& form, Buffer<std::int64_t>& keys, Control& control) {
        const UuidScramble scramble;
        return parallel_blocks(control, threads_, items.length(),
                               [&](unsigned worker, std::size_t begin, std::size_t count) {
                                   bool all = true;
                                   items.for_each(begin, begin + count, [&](std::size_t i, Item item) {
                                       Uuid number{};
                                       all &= form.read(item, number);
                                       scramble.apply(number);
                                       keys[i] = static_cast<std::int64_t>(number[0]);
                                       parts_[worker].push(partition_of(number), number);
                                   });
                                   return all;
                               });
    }

    // Whether two different numbers share a key. The numbers are released.
    bool share_a_key(Control& control) {
        std::atomic<bool> found{false};
        parallel_for(control, threads_, std::size_t{1} << bits_, [&](unsigned worker, std::size_t partition) {
            Gathered<Uuid> numbers(parts_, partition);
            UuidTable& table = workers_[worker].table;
            table.start();
            numbers.for_each([&](const Uuid& number) {
                if (table.add(number) == UuidTable::Entry::collision) found.store(true, std::memory_order_relaxed);
            });
            numbers.give_back(workers_[worker].pool);
        });
        return found;
    }

private:
    struct Worker {
        ChunkPool pool;
        UuidTable table;
    };

    // The first bits of the key; two shifts, as there may be a single partition.
    std::size_t partition_of(const Uuid& number) const {
        return static_cast<std::size_t>(number[0] >> 1 >> (63 - bits_));
    }

    unsigned bits_, threads_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Uuid>> parts_;
};

}  // namespace

std::optional<Buffer<std::int64_t>> uuid_keys(const Items& items, const UuidStrings& form, unsigned threads,
                                              Control& control) {
    if (!form.has_form()) return std::nullopt;
    Buffer<std::int64_t> keys(items.length());
    UuidPartitions numbers(items.length(), threads);
    if (!numbers.read(items, form, keys, control) || numbers.share_a_key(control)) return std::nullopt;
    return keys;
}

}  // namespace concordant
