#include "join/text_keys.hpp"

namespace concordant {

void TextKeys::learn(const std::vector<std::string>& sample) {
    has_learnt_ = true;
    if (kept_ == ~std::uint64_t{0} << (64 - all_bits)) digits_ = DigitStrings(sample);
    std::vector<std::string> others;
    for (const std::string& text : sample)
        if (digits_(item_of(text)) == DigitStrings::none) others.push_back(text);
    uuids_ = UuidStrings(others);
}

}  // namespace concordant
