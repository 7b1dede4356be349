// Proof that no two strings have the same key, so joining by key is the same as joining by string.
//
// Every string whose key is a hash is kept beside it, by partition: UUIDs as numbers, others in full. In the end, those
// of one key are compared. Strings that occur in many rows are compared immediately with recent ones. The
// same pass picks the strings that the caller wants to see.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/store.hpp"
#include "join/text_keys.hpp"
#include "labels/items.hpp"
#include "labels/uuid_strings.hpp"

namespace concordant {

struct Texts {
    std::vector<std::uint64_t> hash;
    std::vector<std::size_t> end;  // of each string among the bytes
    std::string bytes;

    void add(std::uint64_t key, const std::string& text) {
        hash.push_back(key);
        bytes += text;
        end.push_back(bytes.size());
    }
    void add(const Texts& other) {
        hash.insert(hash.end(), other.hash.begin(), other.hash.end());
        for (const std::size_t each : other.end) end.push_back(bytes.size() + each);
        bytes += other.bytes;
    }
};

class TextCheck {
public:
    TextCheck(unsigned bits, std::vector<ChunkPool>& pools, MemoryBudget& budget, bool repeat)
        : bits_(bits), uuids_(partitions(), pools, budget),
          texts_(partitions(), pools, budget), most_bytes_(std::max(budget.limit() / (4 * pools.size()), least_bytes)),
          recent_(pools.size(), RecentTexts(repeat)) {}

    // The strings of some rows of a column whose keys are hashes.
    void add(unsigned worker, const KeyColumn& column, const KeyBlock& block, std::size_t begin, std::size_t count,
             const bool* left_out, bool with_uuids) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!TextKeys::is_hash(block.key[i]) || block.null[i] || left_out[i]) continue;
            if (!TextKeys::is_uuid(block.key[i]))
                add(worker, block.key[i], column.text(begin + i));
            else if (with_uuids)
                add(worker, block.key[i], block.uuid[i]);
        }
    }

    // The scrambled number of a UUID.
    void add(unsigned worker, std::uint64_t key, const Uuid& number) {
        if (!recent_[worker].has(key, number)) uuids_.push(worker, TextKeys::partition_of(key, bits_), number);
    }

    void add(unsigned worker, std::uint64_t key, Item text) {
        if (text.size <= longest_seen && recent_[worker].has(key, text)) return;
        const Header header{key, text.size};
        const std::size_t partition = TextKeys::partition_of(key, bits_);
        std::array<std::byte, sizeof header + short_text> both;
        std::memcpy(both.data(), &header, sizeof header);
        const std::size_t beginning = std::min(text.size, short_text);
        std::copy_n(text.bytes, beginning, both.data() + sizeof header);
        texts_.append(worker, partition, both.data(), sizeof header + beginning);
        texts_.append(worker, partition, text.bytes + beginning, text.size - beginning);
    }

    // Whether strings are equal if and only if their keys are; picks the strings of the wanted keys, which are sorted.
    bool passes(const TextKeys& keys, const std::vector<std::uint64_t>& wanted, unsigned threads, Control& control,
                Texts& picked) {
        for (const std::uint64_t key : wanted)
            if (key != DigitStrings::none && !TextKeys::is_hash(key)) picked.add(key, keys.text(key));
        std::vector<Texts> parts(texts_.writers());
        std::vector<UuidTable> tables(texts_.writers(), UuidTable(keys.key_bits()));
        parallel_for(control, threads, partitions(), [&](unsigned worker, std::size_t partition) {
            if (collided_.load(std::memory_order_relaxed)) return;
            check_uuids(partition, worker, keys, wanted, tables[worker], parts[worker]);
            check_texts(partition, worker, wanted, parts[worker]);
        });
        for (const Texts& part : parts) picked.add(part);
        return !collided_.load(std::memory_order_relaxed);
    }

private:
    struct Header {
        std::uint64_t hash;
        std::uint64_t size;
    };

    std::size_t partitions() const { return std::size_t{1} << bits_; }

    static constexpr std::size_t longest_seen = 4096, short_text = 48, least_bytes = std::size_t{1} << 22;

    // Strings that one worker kept recently, and whether any occurred again.
    class RecentTexts {
    public:
        explicit RecentTexts(bool repeat) : uuids_(repeat ? slots : 0), texts_(uuids_.size()) {}

        bool has(std::uint64_t key, const Uuid& number) {
            if (!is_worth_a_look()) return false;
            std::optional<Uuid>& seen = uuids_[key % slots];
            if (seen == number) return ++hits_ > 0;
            seen = number;
            return false;
        }

        bool has(std::uint64_t key, Item text) {
            if (!is_worth_a_look()) return false;
            std::optional<std::string>& seen = texts_[key % slots];
            if (seen && same_bytes(item_of(*seen), text)) return ++hits_ > 0;
            seen.emplace(reinterpret_cast<const char*>(text.bytes), text.size);
            return false;
        }

    private:
        static constexpr std::size_t slots = 4096, enough_to_tell = 4 * slots, look_again = std::size_t{1} << 20;

        bool is_worth_a_look() {
            if (texts_.empty()) return false;
            if (++looks_ % look_again == 0) looks_ = hits_ = 0;
            return looks_ < enough_to_tell || hits_ * 8 >= looks_;
        }

        std::vector<std::optional<Uuid>> uuids_;
        std::vector<std::optional<std::string>> texts_;
        std::size_t looks_ = 0, hits_ = 0;
    };

    // The wanted keys that a partition may have.
    struct Wanted {
        Wanted(const std::vector<std::uint64_t>& all, std::size_t partition, unsigned bits, bool is_uuid)
            : begin(std::lower_bound(all.begin(), all.end(), TextKeys::first_key_of(partition, bits, is_uuid))),
              end(std::find_if(begin, all.end(), [&](std::uint64_t key) {
                  return TextKeys::is_uuid(key) != is_uuid || TextKeys::partition_of(key, bits) != partition;
              })) {}

        bool has(std::uint64_t key) const { return begin != end && std::binary_search(begin, end, key); }

        std::vector<std::uint64_t>::const_iterator begin, end;
    };

    void check_uuids(std::size_t partition, unsigned worker, const TextKeys& keys,
                     const std::vector<std::uint64_t>& all, UuidTable& table, Texts& picked) {
        const Wanted wanted(all, partition, bits_, true);
        table.start();
        bool collided = false;
        uuids_.for_each(partition, [&](const Uuid& number) {
            const UuidTable::Entry entry = table.add(number);
            collided |= entry == UuidTable::Entry::collision;
            const std::uint64_t key = keys.key_of(number[0]);
            if (entry == UuidTable::Entry::fresh && wanted.has(key)) picked.add(key, keys.text(number));
        });
        uuids_.release(partition, worker);
        if (collided) collided_.store(true, std::memory_order_relaxed);
    }

    // Memory holds the distinct strings of a partition, in rounds by further bits of the hash if they may be too many.
    void check_texts(std::size_t partition, unsigned worker, const std::vector<std::uint64_t>& all, Texts& picked) {
        const Wanted wanted(all, partition, bits_, false);
        const std::size_t length = texts_.length(partition);
        const auto round_bits = static_cast<unsigned>(std::bit_width(length / most_bytes_));
        for (std::size_t round = 0; round < std::size_t{1} << round_bits; ++round) {
            DistinctTexts distinct(std::min(length, most_bytes_));
            for (std::size_t writer = 0; writer < texts_.writers(); ++writer)
                texts_.for_pieces(partition, writer, [&](const std::byte* piece, std::size_t count) {
                    distinct.add(piece, count, [&](const Header& header, Item text) {
                        const std::size_t finer = TextKeys::partition_of(header.hash, bits_ + round_bits);
                        if ((finer & ((std::size_t{1} << round_bits) - 1)) != round) return false;
                        const std::optional<Item> before = distinct.find(header.hash);
                        if (!before && wanted.has(header.hash))
                            picked.add(header.hash, {reinterpret_cast<const char*>(text.bytes), text.size});
                        if (before && !same_bytes(*before, text)) collided_.store(true, std::memory_order_relaxed);
                        return !before;
                    });
                });
        }
        texts_.release(partition, worker);
    }

    // Strings with their headers, one after the other, and a hash table of where each begins.
    class DistinctTexts {
    public:
        explicit DistinctTexts(std::size_t expected) : slots_(std::bit_ceil(expected / (2 * sizeof(Header)) + 64), 0) {
            bytes_.reserve(expected);
        }

        // Appends a piece of a stream of strings, and keeps those that is_kept(header, text).
        template <class Keep>
        void add(const std::byte* piece, std::size_t count, Keep is_kept) {
            bytes_.insert(bytes_.end(), piece, piece + count);
            std::size_t at = end_;
            while (bytes_.size() - at >= sizeof(Header)) {
                const Header header = header_at(at);
                const std::size_t size = sizeof header + static_cast<std::size_t>(header.size);
                if (bytes_.size() - at < size) break;
                if (is_kept(header, text_at(at))) {
                    if (at != end_) std::memmove(bytes_.data() + end_, bytes_.data() + at, size);
                    if (++used_ * 2 > slots_.size()) grow();
                    slots_[slot_of(header.hash, slots_)] = end_ + 1;
                    end_ += size;
                }
                at += size;
            }
            bytes_.erase(bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
        }

        std::optional<Item> find(std::uint64_t hash) const {
            const std::size_t begin = slots_[slot_of(hash, slots_)];
            return begin == 0 ? std::nullopt : std::optional(text_at(begin - 1));
        }

    private:
        Header header_at(std::size_t at) const { return read_unaligned<Header>(bytes_.data() + at); }
        Item text_at(std::size_t at) const {
            return {bytes_.data() + at + sizeof(Header), static_cast<std::size_t>(header_at(at).size)};
        }

        std::size_t slot_of(std::uint64_t hash, const std::vector<std::size_t>& slots) const {
            std::size_t at = static_cast<std::size_t>(hash) & (slots.size() - 1);
            while (slots[at] != 0 && header_at(slots[at] - 1).hash != hash) at = (at + 1) & (slots.size() - 1);
            return at;
        }

        void grow() {
            std::vector<std::size_t> larger(slots_.size() * 4, 0);
            for (const std::size_t begin : slots_)
                if (begin != 0) larger[slot_of(header_at(begin - 1).hash, larger)] = begin;
            slots_ = std::move(larger);
        }

        std::vector<std::byte> bytes_;
        std::vector<std::size_t> slots_;  // where each begins, from 1
        std::size_t used_ = 0;
        std::size_t end_ = 0;  // of the strings that are kept; the beginning of one that is not complete may follow
    };

    unsigned bits_;
    Store<Uuid> uuids_;
    Store<std::byte> texts_;
    std::size_t most_bytes_;  // of the strings that one worker compares with each other
    std::vector<RecentTexts> recent_;
    std::atomic<bool> collided_{false};
};

}  // namespace concordant
