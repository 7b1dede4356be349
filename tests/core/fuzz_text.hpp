// The checkers of text: bytes of any kind, from memory of exactly their size, and cut at every place, which must
// change nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fuzzing.hpp"
#include "text/delimited.hpp"
#include "text/json_lines.hpp"
#include "text/utf8.hpp"

// Whether all bytes are UTF-8, one character at a time, by the table of the Unicode standard.
inline bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = [&](std::size_t at) -> unsigned {
            return i + at < text.size() ? static_cast<unsigned char>(text[i + at]) : 0U;
        };
        const auto follows = [&](std::size_t at, unsigned low = 0x80, unsigned high = 0xBF) {
            return byte(at) >= low && byte(at) <= high;
        };
        const unsigned lead = byte(0);
        if (lead < 0x80) {
            i += 1;
        } else if (lead >= 0xC2 && lead <= 0xDF && follows(1)) {
            i += 2;
        } else if (lead >= 0xE0 && lead <= 0xEF && follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) &&
                   follows(2)) {
            i += 3;
        } else if (lead >= 0xF0 && lead <= 0xF4 && follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) &&
                   follows(2) && follows(3)) {
            i += 4;
        } else {
            return false;
        }
    }
    return true;
}

inline std::string draw_text(Random& random) {
    using namespace std::string_view_literals;
    constexpr std::array pieces{
        "a"sv, "b1"sv, ","sv, ","sv, "\n"sv, "\n"sv, "\r\n"sv, "\""sv, "\"\""sv, "\"a,b\""sv, "\xC3\xA9"sv, "\xF0\x9F\x98\x80"sv,
        " "sv, "\0"sv, "\r"sv, "\xFF"sv, "\xC0\x80"sv, "\xED\xA0\x80"sv, "\xE2\x82"sv, "{"sv, "}"sv, "{\"id\":"sv, "\"id\""sv, ":"sv,
        "["sv, "]"sv, "null"sv, "true"sv, "-1.5e3"sv, "0.10"sv, "\\u00e9"sv, "\\ud83d\\ude00"sv, "\\ud800"sv, "\\"sv, "\\n"sv};
    std::string text;
    for (std::size_t i = below(random, 30); i > 0; --i) text += pieces[below(random, pieces.size())];
    return text;
}

// Feeds the two parts of the text from memory of their own.
template <class Reader>
void feed_cut(Reader& reader, std::string_view text, std::size_t cut) {
    for (const std::string_view part : {text.substr(0, cut), text.substr(cut)}) {
        using Byte = std::conditional_t<std::is_same_v<Reader, concordant::DelimitedText>, unsigned char, char>;
        const std::vector<Byte> memory(part.begin(), part.end());
        reader.feed(memory.data(), memory.size());
    }
    reader.finish();
}

inline bool same(const concordant::Fault& one, const concordant::Fault& other) {
    if (!one || !other) return !one && !other;
    return std::string_view(one.kind) == other.kind && one.line == other.line && one.detail == other.detail;
}

inline void check_delimited(std::string_view text, bool ragged, unsigned long round) {
    concordant::DelimitedText whole(',', ragged);
    feed_cut(whole, text, 0);
    if (!is_utf8(text) && !whole.fault) fail("text that is no UTF-8", round);
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
        concordant::DelimitedText parts(',', ragged);
        feed_cut(parts, text, cut);
        if (!same(parts.fault, whole.fault)) fail("fault of cut text", round);
        if (whole.fault) continue;
        if (parts.header != whole.header || parts.rows != whole.rows || parts.width != whole.width ||
            parts.blanks != whole.blanks || parts.leading_blanks != whole.leading_blanks ||
            parts.longest_row != whole.longest_row || parts.returns != whole.returns)
            fail("cut text", round);
    }
}

inline void check_json_lines(std::string_view text, unsigned long round) {
    concordant::JsonLines whole({"id", "a"}, true);
    feed_cut(whole, text, 0);
    if (!is_utf8(text) && !whole.fault) fail("JSON lines that are no UTF-8", round);
    const auto columns = whole.take();
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
        concordant::JsonLines parts({"id", "a"}, true);
        feed_cut(parts, text, cut);
        if (!same(parts.fault, whole.fault) || parts.rows != whole.rows || parts.take() != columns)
            fail("cut JSON lines", round);
    }
}

inline void check_text(Random& random, unsigned long round) {
    const std::string text = draw_text(random);
    check_delimited(text, random() % 2 == 0, round);
    check_json_lines(text, round);
    check_json_lines("{\"id\":\"" + text + "\",\"a\":1}\n{\"id\":null}", round);
}
