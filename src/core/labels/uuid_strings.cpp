#include "labels/uuid_strings.hpp"

#include <algorithm>
#include <atomic>

#include "base/chunks.hpp"

namespace concordant {

UuidStrings::UuidStrings(const std::vector<std::string>& sample) {
    if (sample.empty()) return;
    std::size_t most = 0;
    for (const std::string& like : {sample.front(), sample[sample.size() / 2], sample.back()})
        for (const char first_letter : {'a', 'A'}) {
            if (like.size() < length) continue;
            UuidStrings tried;
            tried.prefix_ = like.substr(0, like.size() - length);
            tried.size_ = like.size();
            tried.first_letter_ = first_letter;
            Uuid number{};
            const std::size_t held =
                count_of_form(sample, [&](const std::string& text) { return tried.read(item_of(text), number); });
            if (held <= most) continue;
            most = held;
            *this = tried;
        }
}

std::string UuidStrings::text(const Uuid& number) const {
    std::string made;
    for (const std::uint64_t word : number)
        for (unsigned shift = 0; shift < 64; shift += 8) (made += digit(word >> (shift + 4))) += digit(word >> shift);
    for (const std::size_t place : {8U, 13U, 18U, 23U}) made.insert(place, 1, '-');
    return prefix_ + made;
}

std::optional<Buffer<std::int64_t>> uuid_keys(const Items& items, const UuidStrings& form, unsigned threads,
                                              Control& control) {
    struct Worker {
        ChunkPool pool;
        UuidTable table;
    };
    if (!form.has_form()) return std::nullopt;
    const unsigned bits = bits_of_partitions(items.length());
    std::vector<Worker> workers(std::max(1U, threads));
    std::vector<Scatter<Uuid>> parts;
    for (Worker& worker : workers) parts.emplace_back(std::size_t{1} << bits, worker.pool);
    Buffer<std::int64_t> keys(items.length());
    const UuidScramble scramble;
    const auto scatter = [&](unsigned worker, std::size_t begin, std::size_t count) {
        bool all = true;
        items.for_each(begin, begin + count, [&](std::size_t i, Item item) {
            Uuid number{};
            all &= form.read(item, number);
            scramble.apply(number);
            keys[i] = static_cast<std::int64_t>(number[0]);
            parts[worker].push(static_cast<std::size_t>(number[0] >> 1 >> (63 - bits)), number);
        });
        return all;
    };
    if (!parallel_blocks(control, threads, items.length(), scatter)) return std::nullopt;
    std::atomic<bool> has_collision{false};
    parallel_for(control, threads, std::size_t{1} << bits, [&](unsigned worker, std::size_t partition) {
        Gathered<Uuid> numbers(parts, partition);
        UuidTable& table = workers[worker].table;
        table.start();
        numbers.for_each([&](const Uuid& number) {
            if (table.add(number) == UuidTable::Entry::collision) has_collision.store(true, std::memory_order_relaxed);
        });
        numbers.give_back(workers[worker].pool);
    });
    if (has_collision) return std::nullopt;
    return keys;
}

}  // namespace concordant
