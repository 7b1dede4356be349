// One pass over JSON lines in pieces: is each line an object, and what do the wanted keys hold?
//
// Labels and records are text. A number is taken as it is written, and where readers would spell it in another
// way, it is refused: with an exponent, with needless zeros, or with more digits than a double holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/utf8.hpp"

namespace concordant {

class JsonLines {
public:
    using Column = std::vector<std::optional<std::string>>;

    // `keep`: collect what the wanted keys hold, until `take` fetches it.
    JsonLines(std::vector<std::string> wanted, bool keep)
        : found(wanted.size(), 0), wanted_(std::move(wanted)), keep_(keep), columns_(wanted_.size()) {}

    void feed(const char* bytes, std::size_t length) {
        if (fault) return;
        const auto* raw = reinterpret_cast<const unsigned char*>(bytes);
        const std::size_t decoded = utf8_.first_wrong(raw, length);
        scan({bytes, decoded});
        if (decoded < length) fail("encoding");
    }

    void finish() {
        if (!fault && !utf8_.is_complete()) fail("encoding");
        if (!fault && !begun_.empty()) parse_line(begun_);
        begun_.clear();
    }

    std::vector<Column> take() { return std::exchange(columns_, std::vector<Column>(wanted_.size())); }

    Fault fault;
    std::uint64_t rows = 0;
    std::vector<std::uint64_t> found;  // how many objects have each of the wanted keys

private:
    static constexpr std::size_t longest_line = std::size_t{1} << 24;  // what DuckDB takes
    static constexpr int deepest = 100;

    enum class Kind { text, number, word, null, nested };

    struct Value {
        Kind kind;
        std::string_view written;  // of a text: without its quotes
        bool escaped = false;
    };

    void fail(const char* kind, std::uint64_t detail = 0) {
        if (!fault) fault = {kind, line_, detail};
    }

    void scan(std::string_view piece) {
        while (!piece.empty() && !fault) {
            const std::size_t end = piece.find('\n');
            if (begun_.size() + std::min(end, piece.size()) > longest_line) return fail("long line");
            if (end == std::string_view::npos) {
                begun_.append(piece);
                return;
            }
            if (begun_.empty()) {
                parse_line(piece.substr(0, end));
            } else {
                begun_.append(piece.substr(0, end));
                parse_line(begun_);
                begun_.clear();
            }
            ++line_;
            piece.remove_prefix(end + 1);
        }
    }

    void parse_line(std::string_view line) {
        rest_ = line;
        skip_spaces();
        if (rest_.empty()) return;
        if (rest_.front() != '{') return fail(rest_.front() == '[' ? "array" : "no object");
        values_.assign(wanted_.size(), std::nullopt);
        if (!parse_object(0)) return fail("grammar", position(line));
        skip_spaces();
        if (!rest_.empty()) return fail("grammar", position(line));
        ++rows;
        for (std::size_t i = 0; i < wanted_.size(); ++i) hand_over(i);
    }

    std::uint64_t position(std::string_view line) const { return line.size() - rest_.size() + 1; }

    void hand_over(std::size_t number) {
        const std::optional<Value>& value = values_[number];
        if (value) ++found[number];
        if (value && value->kind == Kind::nested) return fail("nested", number);
        if (value && value->kind == Kind::number && !has_one_spelling(value->written)) return fail("number", number);
        std::optional<std::string> held;
        if (value && value->kind == Kind::text && value->escaped) {
            held.emplace();
            if (!unescape(value->written, *held)) return fail("character", number);
        } else if (value && value->kind != Kind::null && keep_) {
            held.emplace(value->written);
        }
        if (keep_) columns_[number].push_back(std::move(held));
    }

    void skip_spaces() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r'))
            rest_.remove_prefix(1);
    }

    bool take(char character) {
        skip_spaces();
        if (rest_.empty() || rest_.front() != character) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // At depth 0 the members that are wanted are remembered.
    bool parse_object(int depth) {
        if (!take('{') || depth > deepest) return false;
        if (take('}')) return true;
        do {
            Value key{}, value{};
            skip_spaces();
            if (!parse_text(key) || !take(':') || !parse_value(value, depth)) return false;
            if (depth == 0 && !remember(key, value)) return false;
        } while (take(','));
        return take('}');
    }

    bool remember(const Value& key, const Value& value) {
        std::string plain;
        if (key.escaped && !unescape(key.written, plain)) return true;  // such a key is not wanted
        const std::string_view name = key.escaped ? std::string_view(plain) : key.written;
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            if (wanted_[i] != name) continue;
            if (values_[i]) fail("doubled key", i);
            values_[i] = value;
        }
        return true;
    }

    bool parse_array(int depth) {
        if (!take('[') || depth > deepest) return false;
        if (take(']')) return true;
        Value value{};
        do {
            if (!parse_value(value, depth)) return false;
        } while (take(','));
        return take(']');
    }

    bool parse_value(Value& value, int depth) {
        skip_spaces();
        if (rest_.empty()) return false;
        switch (rest_.front()) {
            case '"': return parse_text(value);
            case '{': value.kind = Kind::nested; return parse_object(depth + 1);
            case '[': value.kind = Kind::nested; return parse_array(depth + 1);
            case 't': return parse_word(value, "true", Kind::word);
            case 'f': return parse_word(value, "false", Kind::word);
            case 'n': return parse_word(value, "null", Kind::null);
            default: return parse_number(value);
        }
    }

    bool parse_word(Value& value, std::string_view word, Kind kind) {
        if (!rest_.starts_with(word)) return false;
        value = {kind, word};
        rest_.remove_prefix(word.size());
        return true;
    }

    bool parse_text(Value& text) {
        if (rest_.empty() || rest_.front() != '"') return false;
        text = {Kind::text, {}};
        for (std::size_t i = 1; i < rest_.size(); ++i) {
            const char c = rest_[i];
            if (c == '"') {
                text.written = rest_.substr(1, i - 1);
                rest_.remove_prefix(i + 1);
                return true;
            }
            if (static_cast<unsigned char>(c) < 0x20) return false;
            if (c != '\\') continue;
            text.escaped = true;
            const std::size_t length = escape_length(rest_.substr(i));
            if (length == 0) return false;
            i += length - 1;
        }
        return false;
    }

    static std::size_t escape_length(std::string_view escape) {
        if (escape.size() < 2) return 0;
        if (escape[1] != 'u') return std::string_view("\"\\/bfnrt").find(escape[1]) == std::string_view::npos ? 0 : 2;
        std::uint32_t ignored;
        return hexadecimal(escape, ignored) ? 6 : 0;
    }

    static bool hexadecimal(std::string_view escape, std::uint32_t& code) {
        code = 0;
        if (escape.size() < 6 || escape[0] != '\\' || escape[1] != 'u') return false;
        for (const char c : escape.substr(2, 4)) {
            const char lower = static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c);
            const std::size_t digit = std::string_view("0123456789abcdef").find(lower);
            if (digit == std::string_view::npos) return false;
            code = code * 16 + static_cast<std::uint32_t>(digit);
        }
        return true;
    }

    // False for an unpaired surrogate, which UTF-8 cannot hold, and for the null character,
    // at which some readers stop.
    static bool unescape(std::string_view written, std::string& plain) {
        for (std::size_t i = 0; i < written.size();) {
            if (written[i] != '\\') {
                plain += written[i++];
                continue;
            }
            const std::size_t simple = std::string_view("bfnrt").find(written[i + 1]);
            if (written[i + 1] != 'u') {
                plain += simple == std::string_view::npos ? written[i + 1] : "\b\f\n\r\t"[simple];
                i += 2;
                continue;
            }
            std::uint32_t code = 0, low = 0;
            hexadecimal(written.substr(i), code);
            i += 6;
            const bool paired = code >= 0xD800 && code < 0xDC00 && hexadecimal(written.substr(i), low);
            if (paired && low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 6;
            } else if (code == 0 || (code >= 0xD800 && code < 0xE000)) {
                return false;
            }
            append_utf8(plain, code);
        }
        return true;
    }

    static void append_utf8(std::string& text, std::uint32_t code) {
        const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        constexpr unsigned leads[] = {0x00, 0xC0, 0xE0, 0xF0};
        text += static_cast<char>(leads[more] | (code >> (6 * more)));
        for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
    }

    bool parse_number(Value& value) {
        std::size_t i = rest_.front() == '-' ? 1 : 0;
        const std::size_t whole = digits(i);
        if (whole == 0 || (whole > 1 && rest_[i] == '0')) return false;
        i += whole;
        if (i < rest_.size() && rest_[i] == '.') {
            const std::size_t fraction = digits(i + 1);
            if (fraction == 0) return false;
            i += 1 + fraction;
        }
        if (i < rest_.size() && (rest_[i] == 'e' || rest_[i] == 'E')) {
            ++i;
            if (i < rest_.size() && (rest_[i] == '+' || rest_[i] == '-')) ++i;
            const std::size_t exponent = digits(i);
            if (exponent == 0) return false;
            i += exponent;
        }
        value = {Kind::number, rest_.substr(0, i)};
        rest_.remove_prefix(i);
        return true;
    }

    std::size_t digits(std::size_t begin) const {
        std::size_t i = begin;
        while (i < rest_.size() && rest_[i] >= '0' && rest_[i] <= '9') ++i;
        return i - begin;
    }

    // Whether every reader, whatever it makes of the number, spells it as it is written.
    static bool has_one_spelling(std::string_view number) {
        const bool negative = number.front() == '-';
        if (negative) number.remove_prefix(1);
        if (number.find_first_of("eE") != std::string_view::npos) return false;
        const std::size_t point = number.find('.');
        if (point == std::string_view::npos) return !(negative && number == "0");
        const std::string_view whole = number.substr(0, point), fraction = number.substr(point + 1);
        if (fraction == "0") return whole.size() <= 15 && !(negative && whole == "0");
        const bool tiny = whole == "0" && fraction.starts_with("0000");
        return !tiny && fraction.back() != '0' && whole.size() + fraction.size() <= 15;
    }

    std::vector<std::string> wanted_;
    bool keep_;
    std::vector<Column> columns_;
    std::vector<std::optional<Value>> values_;
    Utf8 utf8_;
    std::string begun_;  // of a line that is not complete yet
    std::string_view rest_;
    std::uint64_t line_ = 1;
};

}  // namespace concordant
