// Marks for the clusters of one side that the other side does not have, left by counting the profile.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/scrambled_labels.hpp"
#include "counting/triples.hpp"
#include "labels/labels.hpp"

namespace concordant {

// A bit for each label of the candidate. Several labels of a very large range may share a bit.
class DifferingMarks {
public:
    DifferingMarks() = default;
    DifferingMarks(DifferingMarks&&) = default;
    DifferingMarks& operator=(DifferingMarks&&) = default;

    DifferingMarks(KeyRange range, std::size_t length, bool is_narrow) : range_(range), is_narrow_(is_narrow) {
        constexpr int bits_per_element = 1;  // as a power of 2
        const int bits = std::max(1, static_cast<int>(std::bit_width(range.span())));
        const int most = static_cast<int>(std::bit_width(length)) + bits_per_element;
        shift_ = std::max(bits - most, 0);
        words_ = std::vector<std::atomic<std::uint64_t>>((std::size_t{1} << (bits - shift_)) / word + 1);
    }

    // Whether clusters were marked: not if the labels were counted in runs, or by a table of all their combinations.
    bool are_known() const { return !words_.empty(); }

    void mark(std::uint64_t scrambled) {
        if (is_marked(scrambled)) return;  // writing takes longer
        const std::size_t place = place_of(scrambled);
        words_[place / word].fetch_or(std::uint64_t{1} << place % word, std::memory_order_relaxed);
    }

    // The elements of marked clusters, ascending. Both sides hold the same elements in clusters that differ. If labels
    // share bits, some clusters that do not differ are among them, each with all its elements.
    Buffer<std::int64_t> elements(const Labels& v, unsigned threads, Control& control) const {
        return is_narrow_ ? elements<std::uint32_t>(v, threads, control) : elements<std::uint64_t>(v, threads, control);
    }

private:
    static constexpr std::size_t word = 64;

    std::size_t place_of(std::uint64_t scrambled) const { return static_cast<std::size_t>(scrambled >> shift_); }

    bool is_marked(std::uint64_t scrambled) const {
        const std::size_t place = place_of(scrambled);
        return (words_[place / word].load(std::memory_order_relaxed) >> place % word & 1) != 0;
    }

    template <class Word>
    Buffer<std::int64_t> elements(const Labels& v, unsigned threads, Control& control) const {
        const ScrambledLabels<Word> side(v, range_, 1, v.length);
        std::vector<std::vector<std::int64_t>> of_block((v.length + block_length - 1) / block_length);
        parallel_blocks(control, threads, v.length, [&](unsigned, std::size_t begin, std::size_t count) {
            std::array<Word, block_length> labels;
            side.load(begin, count, labels.data());
            std::array<std::int64_t, block_length> found;
            std::size_t kept = 0;
            for (std::size_t i = 0; i < count; ++i) {
                found[kept] = static_cast<std::int64_t>(begin + i);
                kept += is_marked(labels[i]) ? 1 : 0;
            }
            of_block[begin / block_length].assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept));
        });
        std::size_t size = 0;
        for (const std::vector<std::int64_t>& found : of_block) size += found.size();
        Buffer<std::int64_t> all(size);
        std::int64_t* out = all.begin();
        for (const std::vector<std::int64_t>& found : of_block) out = std::copy(found.begin(), found.end(), out);
        return all;
    }

    KeyRange range_;
    bool is_narrow_ = false;  // whether words of 32 bits were counted
    int shift_ = 0;
    std::vector<std::atomic<std::uint64_t>> words_;
};

// A sink that counts triples and marks the columns of cells that are not all of their row and of their column.
template <class Word>
class MarkedTriples {
public:
    MarkedTriples() = default;
    explicit MarkedTriples(DifferingMarks& marks) : marks_(&marks) {}

    void add(const Cell<Word>& cell, Word b) {
        triples_.add(cell.n, cell.a, b);
        if (cell.n != cell.a || cell.n != b) marks_->mark(cell.v);
    }

    void add(const MarkedTriples& other) { triples_.add(other.triples_); }

    std::vector<Triple> take_sorted() { return triples_.take_sorted(); }

private:
    TripleCounter triples_;
    DifferingMarks* marks_ = nullptr;
};

}  // namespace concordant
