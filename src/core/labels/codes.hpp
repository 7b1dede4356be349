// The codes of labels: 0..k-1 in order of first appearance.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/code_table.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

template <class Code>
struct CodesOf {
    Buffer<Code> code;                // of each element
    std::vector<std::int64_t> first;  // position where each code appears first
};

using Codes = CodesOf<std::int64_t>;

template <class Code>
CodesOf<Code> factorize_by_hash(const Labels& labels, Control& control) {
    CodesOf<Code> codes{Buffer<Code>(labels.length), {}};
    CodeTable table;
    const Hasher hasher;
    std::array<std::uint64_t, block_length> hashes;
    for (std::size_t begin = 0; begin < labels.length; begin += block_length) {
        control.checkpoint();
        const std::size_t count = std::min(block_length, labels.length - begin);
        load_keys(labels, begin, count, hashes.data());
        for (std::size_t i = 0; i < count; ++i) hashes[i] = hasher(hashes[i]);
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 16;
            if (i + ahead < count) table.prefetch(hashes[i + ahead]);
            const auto fresh = static_cast<std::int64_t>(codes.first.size());
            // Equal hashes mean equal keys.
            std::int64_t code = table.find_or_insert(hashes[i], fresh, [](std::int64_t) { return true; });
            if (code == no_code) {
                code = fresh;
                codes.first.push_back(static_cast<std::int64_t>(begin + i));
            }
            codes.code[begin + i] = static_cast<Code>(code);
        }
    }
    return codes;
}

// Nothing if a label is outside the range, which happens only if it was changed meanwhile.
template <class Code>
std::optional<CodesOf<Code>> factorize_by_table(const Labels& labels, KeyRange range, Control& control) {
    CodesOf<Code> codes{Buffer<Code>(labels.length), {}};
    codes.first.reserve(std::min<std::size_t>(range.span() + 1, labels.length));
    constexpr std::uint32_t none = no_place;
    Buffer<std::uint32_t> code_of(range.span() + 1);
    std::fill(code_of.begin(), code_of.end(), none);
    std::array<std::uint32_t, block_length> offset;
    for (std::size_t begin = 0; begin < labels.length; begin += block_length) {
        control.checkpoint();
        const std::size_t count = std::min(block_length, labels.length - begin);
        if (!load_inside(labels, begin, count, range.low, code_of.size, offset.data())) return std::nullopt;
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 16;
            if (i + ahead < count) prefetch(&code_of[offset[i + ahead]]);
            std::uint32_t& code = code_of[offset[i]];
            if (code == none) {
                code = static_cast<std::uint32_t>(codes.first.size());
                codes.first.push_back(static_cast<std::int64_t>(begin + i));
            }
            codes.code[begin + i] = code;
        }
    }
    return codes;
}

// Code is an integer type that holds the number of labels.
template <class Code = std::int64_t>
CodesOf<Code> factorize(const Labels& labels, Control& control) {
    if (labels.length == 0) return {};
    const KeyRange range = scan_range(labels, 0, labels.length);
    // A table with 4 bytes for each key of the range is faster than one of hashes up to here, and not much larger.
    constexpr std::uint64_t widest = std::numeric_limits<std::uint32_t>::max(), keys_per_label = 16;
    if (range.span() <= widest && labels.length < widest && range.span() / keys_per_label <= labels.length)
        if (auto codes = factorize_by_table<Code>(labels, range, control)) return *std::move(codes);
    return factorize_by_hash<Code>(labels, control);
}

}  // namespace concordant
