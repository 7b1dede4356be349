// One pass over delimited text in pieces: is it well-formed, and what does a reader need to know?
//
// Readers differ on what is not well-formed: short rows, stray quotes, mixed line endings. A file
// that passes here means the same to all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "text/utf8.hpp"

namespace concordant {

class DelimitedText {
public:
    // `ragged`: rows may have any number of fields.
    DelimitedText(char separator, bool ragged) : separator_(static_cast<unsigned char>(separator)), ragged_(ragged) {
        special_[separator_] = special_['\n'] = special_['\r'] = special_['"'] = special_[0] = true;
    }

    void feed(const unsigned char* bytes, std::size_t length) {
        if (fault) return;
        const std::size_t decoded = utf8_.first_wrong(bytes, length);
        scan(bytes, decoded);
        if (!fault && decoded < length) fail("encoding", line_);
    }

    void finish() {
        if (fault) return;
        if (state_ == State::quoted) fail("open quote", line_, quoted_line_);
        if (state_ == State::carriage_return) fail("carriage return", line_);
        if (!fault && !utf8_.is_complete()) fail("encoding", line_);
        const bool row_begun = fields_ > 0 || row_has_content_ || state_ != State::field_start;
        if (!fault && row_begun) end_row();
        measure(scanned_);
    }

    Fault fault;
    std::uint64_t width = 0;          // fields of the first row that is not blank
    std::uint64_t rows = 0;           // that are not blank, the header among them
    std::uint64_t leading_blanks = 0; // blank lines above the first row
    std::uint64_t blanks = 0;         // blank lines below it, where rows have several fields
    std::uint64_t empty_rows = 0;     // rows of several fields, all empty
    std::uint64_t line_feeds = 0;     // lines that end with \n alone
    std::uint64_t returns = 0;        // lines that end with \r\n
    std::uint64_t longest_row = 0;    // in bytes
    std::string header;               // the first row as it was written

private:
    enum class State { field_start, plain, quoted, quote_in_quoted, carriage_return };
    static constexpr std::size_t longest_header = std::size_t{1} << 24;

    void fail(const char* kind, std::uint64_t line, std::uint64_t detail = 0) {
        if (!fault) fault = {kind, line, detail};
    }

    void scan(const unsigned char* bytes, std::size_t length) {
        std::size_t begin = 0;  // of what belongs to the header
        for (std::size_t i = 0; i < length && !fault; ++i) {
            if (state_ == State::plain || state_ == State::field_start) {
                const std::size_t end = end_of_ordinary(bytes, i, length);
                if (end > i) {
                    state_ = State::plain;
                    row_has_content_ = true;
                    i = end;
                    if (i == length) break;
                }
            } else if (state_ == State::quoted) {
                i = end_of_quoted(bytes, i, length);
                if (i == length || fault) break;
            }
            const bool header_begun = rows == 0;
            step(bytes[i]);
            if (row_is_new_) measure(scanned_ + i + 1);
            if (header_begun && rows == 1) header.append(bytes + begin, bytes + i + 1);
            if (rows == 0 && row_is_new_) {  // a blank line, whose \r may have come in the piece before
                begin = i + 1;
                header.clear();
            }
            row_is_new_ = false;
        }
        scanned_ += length;
        if (rows == 0 && !fault) {
            header.append(bytes + begin, bytes + length);
            if (header.size() > longest_header) fail("header", line_);
        }
    }

    std::size_t end_of_ordinary(const unsigned char* bytes, std::size_t i, std::size_t length) const {
        while (i < length && !special_[bytes[i]]) ++i;
        return i;
    }

    std::size_t end_of_quoted(const unsigned char* bytes, std::size_t i, std::size_t length) {
        for (; i < length && bytes[i] != '"'; ++i) {
            row_has_content_ = true;
            if (bytes[i] == '\n') ++line_;
            if (bytes[i] == 0) fail("null byte", line_);
        }
        return i;
    }

    void measure(std::uint64_t end) {
        longest_row = std::max(longest_row, end - row_begin_);
        row_begin_ = end;
    }

    void step(unsigned char byte) {
        if (state_ == State::carriage_return) {
            if (byte != '\n') return fail("carriage return", line_);
            ++returns;
            return end_row();
        }
        if (state_ == State::quoted) {
            state_ = State::quote_in_quoted;
        } else if (byte == '"') {
            open_quote();
        } else if (byte == separator_) {
            ++fields_;
            state_ = State::field_start;
        } else if (byte == '\n') {
            ++line_feeds;
            end_row();
        } else if (byte == '\r') {
            // A blank line is recognised by having neither fields nor a quote, whatever ends it.
            was_quoted_ = was_quoted_ || state_ == State::quote_in_quoted;
            state_ = State::carriage_return;
        } else {
            fail(byte == 0 ? "null byte" : "after quote", line_);
        }
    }

    void open_quote() {
        if (state_ == State::plain) return fail("quote", line_);
        if (state_ == State::quote_in_quoted) row_has_content_ = true;  // a doubled quote is a quote
        quoted_line_ = state_ == State::field_start ? line_ : quoted_line_;
        state_ = State::quoted;
        was_quoted_ = true;
    }

    void end_row() {
        const bool is_blank = fields_ == 0 && !row_has_content_ && !was_quoted_;
        if (is_blank && width != 1) {
            ++(rows == 0 ? leading_blanks : blanks);
        } else {
            check_width(fields_ + 1);
            ++rows;
            if (!row_has_content_ && fields_ > 0) ++empty_rows;
        }
        fields_ = 0;
        row_has_content_ = was_quoted_ = false;
        state_ = State::field_start;
        row_is_new_ = true;
        row_line_ = ++line_;
    }

    void check_width(std::uint64_t fields) {
        if (rows == 0) width = fields;
        if (!ragged_ && fields != width) fail("fields", row_line_, fields);
    }

    unsigned char separator_;
    bool ragged_;
    std::array<bool, 256> special_{};
    Utf8 utf8_;
    State state_ = State::field_start;
    std::uint64_t line_ = 1, row_line_ = 1, quoted_line_ = 0, fields_ = 0;
    std::uint64_t scanned_ = 0, row_begin_ = 0;  // bytes
    bool row_has_content_ = false, was_quoted_ = false, row_is_new_ = false;
};

}  // namespace concordant
