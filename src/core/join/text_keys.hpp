// Texts as keys of 64 bits: short ones by the numbers that they are (ShortTexts), others by a hash.
//
// A text that is no such number gets a salted hash with the highest bit set, and is kept, so that TextCheck proves
// that no two texts have the same. The form of the short ones is learnt from the first batch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/processor.hpp"
#include "labels/items.hpp"
#include "labels/short_texts.hpp"

namespace concordant {

// How text becomes a key: another salt gives other hashes, with other texts that share one, if any.
class TextKeys {
public:
    // `bits` of the hash are used; fewer than all only to see what a collision does, and then for every text.
    explicit TextKeys(std::uint64_t salt, unsigned bits = 63) : hash_(salt), bits_(std::min(bits, 63U)) {}

    bool has_learnt() const { return has_learnt_; }
    void learn(const std::vector<std::string>& sample) {
        has_learnt_ = true;
        if (bits_ == 63) short_ = ShortTexts(sample);
    }

    CONCORDANT_INLINED std::uint64_t operator()(Item text) const {
        const std::uint64_t code = short_(text);
        return code != ShortTexts::none ? code : hashed | hash_(text) >> 1 >> (63 - bits_) << (63 - bits_);
    }

    static bool is_hash(std::uint64_t key) { return key >= hashed; }

    // The text of a key that is not a hash.
    std::string text(std::uint64_t key) const { return short_.text(key); }

private:
    static constexpr std::uint64_t hashed = std::uint64_t{1} << 63;

    ItemHasher hash_;
    unsigned bits_;
    bool has_learnt_ = false;
    ShortTexts short_;
};

}  // namespace concordant
