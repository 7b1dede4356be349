// Texts as keys of 64 bits: by the number that a text is, or by a hash.
//
// Short texts are numbers of less than 64 bits (ShortTexts), which are their keys. Those that are numbers of up to 256
// bits (WideTexts) get some bits of a hash that the rest of the number makes a bijection; all others get a salted hash.
// The two highest bits tell which. TextCheck proves that no two texts have the same key. The forms are learnt from the
// first batch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/processor.hpp"
#include "labels/items.hpp"
#include "labels/short_texts.hpp"
#include "labels/wide_texts.hpp"

namespace concordant {

// How text becomes a key: another salt gives other hashes, with other texts that share one, if any.
class TextKeys {
public:
    // `bits` of a hash are used; fewer than all only to see what a collision does, and then no text is short.
    explicit TextKeys(std::uint64_t salt, unsigned bits = all_bits)
        : hash_(salt), scramble_(salt), kept_(~std::uint64_t{0} << (64 - std::clamp(bits, 1U, all_bits))) {}

    bool has_learnt() const { return has_learnt_; }
    void learn(const std::vector<std::string>& sample) {
        has_learnt_ = true;
        if (kept_ == ~std::uint64_t{0} << (64 - all_bits)) short_ = ShortTexts(sample);
        std::vector<std::string> others;
        for (const std::string& text : sample)
            if (short_(item_of(text)) == ShortTexts::none) others.push_back(text);
        wide_ = WideTexts(others);
    }

    // `number` is what that of a wide text became, scrambled.
    std::uint64_t operator()(Item text, AnyNumber& number) const {
        return wide_.visit([&](const auto& form) { return key(text, form, number); });
    }
    std::uint64_t operator()(Item text) const {
        AnyNumber unused{};
        return (*this)(text, unused);
    }

    // The texts of rows that are not null.
    template <class Block>
    void load(const ItemChunk& items, std::size_t begin, std::size_t count, Block& block) const {
        wide_.visit([&](const auto& form) {
            for (std::size_t i = 0; i < count; ++i)
                block.key[i] = block.null[i] ? 0 : key(items[begin + i], form, block.wide[i]);
        });
    }

    std::uint64_t key_of(std::uint64_t first_word) const { return wide | (first_word & kept_) >> 2; }
    std::uint64_t key_bits() const { return kept_; }  // of the first word of a scrambled number, those that its key has
    std::size_t words() const { return wide_.words(); }

    // A key that no text has, for one of the few numbers that somebody wants to see.
    static std::uint64_t key_of_place(std::size_t place) { return wide | place; }

    static bool is_hash(std::uint64_t key) { return key >= hashed; }
    static bool is_wide(std::uint64_t key) { return key >= wide; }
    // By bits of the hash, where there is one.
    static std::uint64_t first_key_of(std::size_t partition, unsigned bits, bool is_wide) {
        return (is_wide ? wide : hashed) + (static_cast<std::uint64_t>(partition) << (62 - bits));
    }
    static std::size_t partition_of(std::uint64_t key, unsigned bits) {
        return static_cast<std::size_t>(key << 2 >> (64 - bits));
    }

    // The text of a key that is not a hash, and of a scrambled number.
    std::string text(std::uint64_t key) const { return short_.text(key); }
    std::string text(AnyNumber number) const {
        scramble_.undo(number, words());
        return wide_.text(number);
    }

private:
    static constexpr unsigned all_bits = 62;
    static constexpr std::uint64_t hashed = std::uint64_t{1} << 63, wide = std::uint64_t{3} << 62;

    template <class Form>
    CONCORDANT_INLINED std::uint64_t key(Item text, const Form& form, AnyNumber& number) const {
        const std::uint64_t code = short_(text);
        if (code != ShortTexts::none) return code;
        if (!form.read(text, number)) return hashed | (hash_(text) & kept_) >> 2;
        scramble_.apply(number, form.words());
        return key_of(number[0]);
    }

    ItemHasher hash_;
    WideScramble scramble_;
    std::uint64_t kept_;
    bool has_learnt_ = false;
    ShortTexts short_;
    WideTexts wide_;
};

}  // namespace concordant
