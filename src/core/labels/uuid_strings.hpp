// UUIDs as numbers of 128 bits, and keys of 64 bits for them.
//
// A number restores its string, so comparing numbers compares strings in full. Two UUIDs might share a key. The core
// proves that none do: it keeps the numbers by partition, and compares them wherever a key occurs again.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "labels/digit_strings.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

using Uuid = std::array<std::uint64_t, 2>;

// Scrambles a number so that its first word is as good as a hash; a bijection.
class UuidScramble {
public:
    explicit UuidScramble(std::uint64_t seed = process_seed()) : hash_{seed} {}

    CONCORDANT_INLINED void apply(Uuid& number) const { number[0] = hash_(number[0] ^ hash_(number[1])); }
    void undo(Uuid& number) const { number[0] = hash_.inverse(number[0]) ^ hash_(number[1]); }

private:
    Hasher hash_;
};

// A prefix, then 8, 4, 4, 4 and 12 hexadecimal digits with dashes between them; letters are all lower or all upper case.
class UuidStrings {
public:
    UuidStrings() = default;

    // The form that holds most of the sample; no string has it if that is less than half of the sample.
    explicit UuidStrings(const std::vector<std::string>& sample);

    bool has_form() const { return size_ != 0; }

    // Whether the string has the form, and its number.
    CONCORDANT_INLINED bool read(Item text, Uuid& number) const {
        if (text.size != size_ || size_ == 0 || !begins_with(text, prefix_)) return false;
        const std::byte* bytes = text.bytes + prefix_.size();
        const auto eight = [](const std::byte* at) { return read_unaligned<std::uint64_t>(at); };
        const auto four = [](const std::byte* at) { return std::uint64_t{read_unaligned<std::uint32_t>(at)}; };
        bool all = std::endian::native == std::endian::little;
        // In registers: gathering the digits in memory would wait for each store.
        number[0] = value(eight(bytes), all) | value(four(bytes + 9) | four(bytes + 14) << 32, all) << 32;
        number[1] = value(four(bytes + 19) | four(bytes + 24) << 32, all) | value(eight(bytes + 28), all) << 32;
        return all && bytes[8] == dash && bytes[13] == dash && bytes[18] == dash && bytes[23] == dash;
    }

    std::string text(const Uuid& number) const;

private:
    static constexpr std::size_t length = 36;
    static constexpr std::byte dash{'-'};

    UuidStrings(std::string prefix, char first_letter)
        : prefix_(std::move(prefix)), size_(prefix_.size() + length), first_letter_(first_letter) {}

    // Eight hexadecimal digits, of which the first two are the lowest byte; `all` becomes false if one is not a digit.
    // Each step works on all eight bytes of the text at once: digits become numbers up to 15, these are written as
    // digits again and compared with the text, and then neighbours are joined into bytes, pairs and words.
    CONCORDANT_INLINED std::uint64_t value(std::uint64_t text, bool& all) const {
        constexpr std::uint64_t each = 0x0101010101010101U;
        std::uint64_t x = (text & 15 * each) + 9 * (text >> 6 & each);  // at most 24 in each byte
        const std::uint64_t above_nine = (x + 6 * each) >> 4 & each;
        const auto gap = static_cast<std::uint64_t>(first_letter_ - '9' - 1);
        all &= x + '0' * each + gap * above_nine == text && (x & 0xf0 * each) == 0;  // the digits are written like this
        x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ffU;
        x = (x | x >> 8) & 0x0000ffff0000ffffU;
        return (x | x >> 16) & 0xffffffffU;
    }

    char digit(std::uint64_t bits) const {
        const auto value = static_cast<int>(bits & 15);
        return static_cast<char>(value < 10 ? '0' + value : first_letter_ + (value - 10));
    }

    std::string prefix_;
    std::size_t size_ = 0;
    char first_letter_ = 'a';
};

// Scrambled numbers. Numbers that differ must differ in the bits of their keys as well.
class UuidTable {
public:
    enum class Entry : std::uint8_t { fresh, known, collision };

    explicit UuidTable(std::uint64_t key_bits = ~std::uint64_t{0}) : key_bits_(key_bits) {}

    // Empties the table but keeps its size: the next partition needs about as much.
    void start() { resize(std::bit_ceil(2 * std::exchange(used_, 0) + 64)); }

    Entry add(const Uuid& number) {
        const std::size_t at = slot_of(number);
        if (is_used_[at] != 0) return slots_[at] == number ? Entry::known : Entry::collision;
        is_used_[at] = 1;
        slots_[at] = number;
        if (++used_ * 2 > is_used_.size()) grow();
        return Entry::fresh;
    }

private:
    void resize(std::size_t size) {
        slots_.resize(size);
        is_used_.assign(size, 0);
    }

    // By the bits of the key alone, so numbers of one key share a slot.
    std::size_t slot_of(const Uuid& number) const {
        const std::size_t last = is_used_.size() - 1;
        std::size_t at = static_cast<std::size_t>((number[0] & key_bits_) >> 2) & last;
        while (is_used_[at] != 0 && ((slots_[at][0] ^ number[0]) & key_bits_) != 0) at = (at + 1) & last;
        return at;
    }

    void grow() {
        const std::vector<Uuid> slots = std::move(slots_);
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
    std::vector<Uuid> slots_;
    std::vector<std::uint8_t> is_used_;
    std::size_t used_ = 0;
};

// Keys of items that are all UUIDs of one form. None if an item is not, or if two different ones share a key.
std::optional<Buffer<std::int64_t>> uuid_keys(const Items& items, const UuidStrings& form, unsigned threads,
                                              Control& control);

}  // namespace concordant
