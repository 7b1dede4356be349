// Proof that no two texts have one hash, so that what was joined by hash was joined by text.
//
// Every text that has a hash for its key is kept beside its hash, by partition; in the end, texts of one hash are compared in full. Texts
// that many rows have are compared at once with the one that came before. What somebody wants to see of them
// is picked in the same pass.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "join/store.hpp"
#include "labels/items.hpp"

namespace concordant {

struct Texts {
    std::vector<std::uint64_t> hash;
    std::vector<std::size_t> end;  // of each text among the bytes
    std::string bytes;
};

class TextCheck {
public:
    TextCheck(unsigned bits, std::vector<ChunkPool>& pools, Room& room, bool repeat)
        : bits_(bits), store_(std::size_t{1} << bits, pools, room), seen_(pools.size(), Seen(repeat)) {}

    void add(unsigned worker, std::uint64_t hash, Item text) {
        if (text.size <= longest_seen && seen_[worker].is_worth_a_look()) {
            const Known known = seen_[worker].look(hash, text);
            if (known == Known::other) collided_.store(true, std::memory_order_relaxed);
            if (known != Known::no) return;
        }
        const Header header{hash, text.size};
        const std::size_t partition = static_cast<std::size_t>(hash << 1 >> (64 - bits_));  // all have the highest bit
        std::array<std::byte, sizeof header + short_text> both;
        std::memcpy(both.data(), &header, sizeof header);
        const std::size_t beginning = std::min(text.size, short_text);
        std::copy_n(text.bytes, beginning, both.data() + sizeof header);
        store_.append(worker, partition, both.data(), sizeof header + beginning);
        store_.append(worker, partition, text.bytes + beginning, text.size - beginning);
    }

    // Whether all texts are different or equal as their hashes are; picks those of the wanted hashes, which are
    // sorted.
    bool passes(const std::vector<std::uint64_t>& wanted, unsigned threads, Control& control, Texts& picked) {
        std::vector<Texts> parts(store_.writers());
        parallel_for(control, threads, std::size_t{1} << bits_, [&](unsigned worker, std::size_t partition) {
            if (!collided_.load(std::memory_order_relaxed)) check(partition, worker, wanted, parts[worker]);
        });
        for (const Texts& part : parts) {
            picked.hash.insert(picked.hash.end(), part.hash.begin(), part.hash.end());
            for (const std::size_t end : part.end) picked.end.push_back(picked.bytes.size() + end);
            picked.bytes += part.bytes;
        }
        return !collided_.load(std::memory_order_relaxed);
    }

private:
    struct Header {
        std::uint64_t hash;
        std::uint64_t size;
    };

    static constexpr std::size_t longest_seen = 4096, short_text = 48;

    enum class Known : std::uint8_t { no, same, other };

    // Texts that one worker met lately, and whether any came again.
    class Seen {
    public:
        explicit Seen(bool repeat) : texts_(repeat ? slots : 0) {}

        bool is_worth_a_look() {
            if (++looks_ % look_again == 0) looks_ = hits_ = 0;
            return !texts_.empty() && (looks_ < enough_to_tell || hits_ * 8 >= looks_);
        }

        Known look(std::uint64_t hash, Item text) {
            Text& seen = texts_[hash % slots];
            if (seen.there && seen.hash == hash) {
                ++hits_;
                const bool same = seen.text.size() == text.size &&
                                  std::equal(text.bytes, text.bytes + text.size,
                                             reinterpret_cast<const std::byte*>(seen.text.data()));
                return same ? Known::same : Known::other;
            }
            seen.there = true;
            seen.hash = hash;
            seen.text.assign(reinterpret_cast<const char*>(text.bytes), text.size);
            return Known::no;
        }

    private:
        struct Text {
            bool there = false;
            std::uint64_t hash = 0;
            std::string text;
        };

        static constexpr std::size_t slots = 4096, enough_to_tell = 4 * slots, look_again = std::size_t{1} << 20;

        std::vector<Text> texts_;
        std::size_t looks_ = 0, hits_ = 0;
    };

    void check(std::size_t partition, unsigned worker, const std::vector<std::uint64_t>& wanted, Texts& picked) {
        std::vector<std::byte> bytes;
        std::size_t used = 0;
        for (std::size_t writer = 0; writer < store_.writers(); ++writer) store_.gather(partition, writer, bytes);
        store_.release(partition, worker);
        std::vector<std::size_t> slots(std::bit_ceil(bytes.size() / (2 * sizeof(Header)) + 64), 0);  // begins, from 1
        for (std::size_t at = 0; at < bytes.size();) {
            const Header header = read_unaligned<Header>(bytes.data() + at);
            const Item text{bytes.data() + at + sizeof header, static_cast<std::size_t>(header.size)};
            std::size_t& slot = slots[slot_of(header.hash, slots, bytes)];
            if (slot == 0) {
                slot = at + 1;
                pick(header.hash, text, wanted, picked);
                if (++used * 2 > slots.size()) slots = grown(slots, bytes);
            } else {
                const Header other = read_unaligned<Header>(bytes.data() + slot - 1);
                const Item before{bytes.data() + slot - 1 + sizeof other, static_cast<std::size_t>(other.size)};
                if (!same_bytes(before, text)) collided_.store(true, std::memory_order_relaxed);
            }
            at += sizeof header + text.size;
        }
    }

    static std::size_t slot_of(std::uint64_t hash, const std::vector<std::size_t>& slots,
                               const std::vector<std::byte>& bytes) {
        std::size_t at = static_cast<std::size_t>(hash) & (slots.size() - 1);
        while (slots[at] != 0 && read_unaligned<Header>(bytes.data() + slots[at] - 1).hash != hash)
            at = (at + 1) & (slots.size() - 1);
        return at;
    }

    static std::vector<std::size_t> grown(const std::vector<std::size_t>& slots, const std::vector<std::byte>& bytes) {
        std::vector<std::size_t> larger(slots.size() * 4, 0);
        for (const std::size_t begin : slots)
            if (begin != 0) larger[slot_of(read_unaligned<Header>(bytes.data() + begin - 1).hash, larger, bytes)] = begin;
        return larger;
    }

    static void pick(std::uint64_t hash, Item text, const std::vector<std::uint64_t>& wanted, Texts& picked) {
        if (!std::binary_search(wanted.begin(), wanted.end(), hash)) return;
        picked.hash.push_back(hash);
        picked.bytes.append(reinterpret_cast<const char*>(text.bytes), text.size);
        picked.end.push_back(picked.bytes.size());
    }

    unsigned bits_;
    Store<std::byte> store_;
    std::vector<Seen> seen_;
    std::atomic<bool> collided_{false};
};

}  // namespace concordant
