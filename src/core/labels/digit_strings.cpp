#include "labels/digit_strings.hpp"

namespace concordant {

DigitStrings::DigitStrings(const std::vector<std::string>& sample) {
    constexpr std::size_t longest_prefix = 64;
    std::size_t most = 0;
    for (std::size_t length = 0; length <= longest_prefix; ++length) {
        DigitStrings tried;
        if (sample.empty() || length > sample.front().size()) return;
        tried.prefix_ = sample.front().substr(0, length);
        tried.has_form_ = true;
        const auto is_shared = [&](const std::string& text) { return text.starts_with(tried.prefix_); };
        if (!std::all_of(sample.begin(), sample.end(), is_shared)) return;
        const std::size_t held =
            count_of_form(sample, [&](const std::string& text) { return tried(item_of(text)) != none; });
        if (held <= most) continue;
        most = held;
        *this = tried;
    }
}

}  // namespace concordant
