// Proof that no two texts have one key, so that what was joined by key was joined by text.
//
// Every text that has a hash for its key is kept beside it, by partition: as the number that it is, or in full. In the
// end, those of one key are compared. Texts that many rows have are compared at once with the one that came before. What
// somebody wants to see of them is picked in the same pass.
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
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/store.hpp"
#include "join/text_keys.hpp"
#include "labels/items.hpp"
#include "labels/wide_keys.hpp"

namespace concordant {

struct Texts {
    std::vector<std::uint64_t> hash;
    std::vector<std::size_t> end;  // of each text among the bytes
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
    TextCheck(unsigned bits, std::vector<ChunkPool>& pools, Room& room, bool repeat)
        : bits_(bits), pools_(&pools), room_(&room), numbers_(std::in_place_type<Numbers<2>>, partitions(), pools, room),
          texts_(partitions(), pools, room), lately_(pools.size(), Lately(repeat)) {}

    // How many words the numbers have that will come; to be told before the first.
    void expect(std::size_t words) {
        if (words == 3) numbers_.emplace<Numbers<3>>(partitions(), *pools_, *room_);
        if (words == 4) numbers_.emplace<Numbers<4>>(partitions(), *pools_, *room_);
    }

    // Those of some rows of a column whose keys are hashes.
    void add(unsigned worker, const KeyColumn& column, const KeyBlock& block, std::size_t begin, std::size_t count,
             const bool* left_out, bool with_numbers) {
        std::visit(
            [&](auto& numbers) {
                for (std::size_t i = 0; i < count; ++i) {
                    if (!TextKeys::is_hash(block.key[i]) || block.null[i] || left_out[i]) continue;
                    if (!TextKeys::is_wide(block.key[i]))
                        add(worker, block.key[i], column.text(begin + i));
                    else if (with_numbers)
                        add(numbers, worker, block.key[i], block.wide[i]);
                }
            },
            numbers_);
    }

    // A text that is a number, scrambled.
    void add(unsigned worker, std::uint64_t key, const AnyNumber& number) {
        std::visit([&](auto& numbers) { add(numbers, worker, key, number); }, numbers_);
    }

    void add(unsigned worker, std::uint64_t key, Item text) {
        if (text.size <= longest_seen && lately_[worker].has(key, text)) return;
        const Header header{key, text.size};
        const std::size_t partition = TextKeys::partition_of(key, bits_);
        std::array<std::byte, sizeof header + short_text> both;
        std::memcpy(both.data(), &header, sizeof header);
        const std::size_t beginning = std::min(text.size, short_text);
        std::copy_n(text.bytes, beginning, both.data() + sizeof header);
        texts_.append(worker, partition, both.data(), sizeof header + beginning);
        texts_.append(worker, partition, text.bytes + beginning, text.size - beginning);
    }

    // Whether all texts are different or equal as their keys are; picks those of the wanted keys, which are sorted.
    bool passes(const TextKeys& keys, const std::vector<std::uint64_t>& wanted, unsigned threads, Control& control,
                Texts& picked) {
        for (const std::uint64_t key : wanted)
            if (key != ShortTexts::none && !TextKeys::is_hash(key)) picked.add(key, keys.text(key));
        std::vector<Texts> parts(texts_.writers());
        std::visit(
            [&](auto& numbers) {
                std::vector tables(texts_.writers(), table_for(numbers, keys.key_bits()));
                parallel_for(control, threads, partitions(), [&](unsigned worker, std::size_t partition) {
                    if (collided_.load(std::memory_order_relaxed)) return;
                    check_numbers(numbers, partition, worker, keys, wanted, tables[worker], parts[worker]);
                    check_texts(partition, worker, wanted, parts[worker]);
                });
            },
            numbers_);
        for (const Texts& part : parts) picked.add(part);
        return !collided_.load(std::memory_order_relaxed);
    }

private:
    struct Header {
        std::uint64_t hash;
        std::uint64_t size;
    };

    template <std::size_t Words>
    using Numbers = Store<WideNumber<Words>>;

    template <std::size_t Words>
    static NumberTable<Words> table_for(const Numbers<Words>&, std::uint64_t key_bits) {
        return NumberTable<Words>(key_bits);
    }

    std::size_t partitions() const { return std::size_t{1} << bits_; }

    template <std::size_t Words>
    void add(Numbers<Words>& numbers, unsigned worker, std::uint64_t key, const AnyNumber& number) {
        const auto kept = first_words<Words>(number);
        if (!lately_[worker].has(key, kept)) numbers.push(worker, TextKeys::partition_of(key, bits_), kept);
    }

    static constexpr std::size_t longest_seen = 4096, short_text = 48;

    // Texts that one worker kept lately, and whether any came again.
    class Lately {
    public:
        explicit Lately(bool repeat) : numbers_(repeat ? slots : 0), texts_(numbers_.size()) {}

        template <std::size_t Words>
        bool has(std::uint64_t key, const WideNumber<Words>& number) {
            if (!is_worth_a_look()) return false;
            std::optional<AnyNumber>& seen = numbers_[key % slots];
            if (seen && first_words<Words>(*seen) == number) return ++hits_ > 0;
            std::copy(number.begin(), number.end(), seen.emplace().begin());
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

        std::vector<std::optional<AnyNumber>> numbers_;
        std::vector<std::optional<std::string>> texts_;
        std::size_t looks_ = 0, hits_ = 0;
    };

    // The wanted keys that a partition may have.
    struct Wanted {
        Wanted(const std::vector<std::uint64_t>& all, std::size_t partition, unsigned bits, bool is_wide)
            : begin(std::lower_bound(all.begin(), all.end(), TextKeys::first_key_of(partition, bits, is_wide))),
              end(std::find_if(begin, all.end(), [&](std::uint64_t key) {
                  return TextKeys::is_wide(key) != is_wide || TextKeys::partition_of(key, bits) != partition;
              })) {}

        bool has(std::uint64_t key) const { return begin != end && std::binary_search(begin, end, key); }

        std::vector<std::uint64_t>::const_iterator begin, end;
    };

    template <std::size_t Words>
    void check_numbers(Numbers<Words>& numbers, std::size_t partition, unsigned worker, const TextKeys& keys,
                       const std::vector<std::uint64_t>& all, NumberTable<Words>& table, Texts& picked) {
        const Wanted wanted(all, partition, bits_, true);
        table.start();
        bool collided = false;
        numbers.for_each(partition, [&](const WideNumber<Words>& number) {
            const Met met = table.add(number);
            collided |= met == Met::other;
            const std::uint64_t key = keys.key_of(number[0]);
            if (met != Met::first || !wanted.has(key)) return;
            AnyNumber padded{};
            std::copy(number.begin(), number.end(), padded.begin());
            picked.add(key, keys.text(padded));
        });
        numbers.release(partition, worker);
        if (collided) collided_.store(true, std::memory_order_relaxed);
    }

    void check_texts(std::size_t partition, unsigned worker, const std::vector<std::uint64_t>& all, Texts& picked) {
        const Wanted wanted(all, partition, bits_, false);
        std::vector<std::byte> bytes;
        bytes.reserve(texts_.length(partition));
        std::size_t used = 0;
        for (std::size_t writer = 0; writer < texts_.writers(); ++writer) texts_.gather(partition, writer, bytes);
        texts_.release(partition, worker);
        std::vector<std::size_t> slots(std::bit_ceil(bytes.size() / (2 * sizeof(Header)) + 64), 0);  // begins, from 1
        for (std::size_t at = 0; at < bytes.size();) {
            const Header header = read_unaligned<Header>(bytes.data() + at);
            const Item text{bytes.data() + at + sizeof header, static_cast<std::size_t>(header.size)};
            std::size_t& slot = slots[slot_of(header.hash, slots, bytes)];
            if (slot == 0) {
                slot = at + 1;
                if (wanted.has(header.hash)) picked.add(header.hash, {reinterpret_cast<const char*>(text.bytes), text.size});
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

    unsigned bits_;
    std::vector<ChunkPool>* pools_;
    Room* room_;
    std::variant<Numbers<2>, Numbers<3>, Numbers<4>> numbers_;
    Store<std::byte> texts_;
    std::vector<Lately> lately_;
    std::atomic<bool> collided_{false};
};

}  // namespace concordant
