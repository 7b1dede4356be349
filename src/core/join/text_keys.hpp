// Strings as keys of 64 bits: by the number that a string represents, or by a hash.
//
// The key of a prefix with digits (DigitStrings) is its number. A UUID (UuidStrings) gets some bits of a hash that the
// rest of its number makes a bijection; all other strings get a salted hash. The two highest bits show which it is.
// TextCheck proves that no two strings have the same key. The forms are learnt from the first batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/processor.hpp"
#include "labels/digit_strings.hpp"
#include "labels/items.hpp"
#include "labels/uuid_strings.hpp"

namespace concordant {

// Another salt gives other hashes, and other strings that share one, if any.
class TextKeys {
public:
    // Tests use fewer `bits` of a hash to provoke collisions; no string is taken as digits then.
    explicit TextKeys(std::uint64_t salt, unsigned bits = all_bits)
        : hash_(salt), scramble_(salt), kept_(~std::uint64_t{0} << (64 - std::clamp(bits, 1U, all_bits))) {}

    bool has_learnt() const { return has_learnt_; }
    void learn(const std::vector<std::string>& sample);

    // `number` becomes the scrambled number of a UUID.
    CONCORDANT_INLINED std::uint64_t operator()(Item text, Uuid& number) const {
        const std::uint64_t code = digits_(text);
        if (code != DigitStrings::none) return code;
        if (!uuids_.read(text, number)) return hashed | (hash_(text) & kept_) >> 2;
        scramble_.apply(number);
        return key_of(number[0]);
    }

    std::uint64_t key_of(std::uint64_t first_word) const { return uuid | (first_word & kept_) >> 2; }
    std::uint64_t key_bits() const { return kept_; }  // the bits of a scrambled number's first word that its key has
    bool has_uuids() const { return uuids_.has_form(); }

    // A key that no string has, for one of the few numbers whose strings are shown.
    static std::uint64_t key_of_place(std::size_t place) { return uuid | place; }

    static bool is_hash(std::uint64_t key) { return key >= hashed; }
    static bool is_uuid(std::uint64_t key) { return key >= uuid; }
    // By bits of the hash, if there is one.
    static std::uint64_t first_key_of(std::size_t partition, unsigned bits, bool is_uuid) {
        return (is_uuid ? uuid : hashed) + (static_cast<std::uint64_t>(partition) << (62 - bits));
    }
    static std::size_t partition_of(std::uint64_t key, unsigned bits) {
        return static_cast<std::size_t>(key << 2 >> (64 - bits));
    }

    // The string of a key that is not a hash, and of a scrambled number.
    std::string text(std::uint64_t key) const { return digits_.text(key); }
    std::string text(Uuid number) const {
        scramble_.undo(number);
        return uuids_.text(number);
    }

private:
    static constexpr unsigned all_bits = 62;
    static constexpr std::uint64_t hashed = std::uint64_t{1} << 63, uuid = std::uint64_t{3} << 62;

    ItemHasher hash_;
    UuidScramble scramble_;
    std::uint64_t kept_;
    bool has_learnt_ = false;
    DigitStrings digits_;
    UuidStrings uuids_;
};

}  // namespace concordant
