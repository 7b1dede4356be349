// The elements of clusters that the other side does not have.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/partitioned_profile.hpp"
#include "counting/run_table.hpp"
#include "counting/scrambled_labels.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"

namespace concordant {

// A bit for each label of one side. Several labels of a very large range may share a bit.
template <class Word>
class LabelMarks {
public:
    LabelMarks(KeyRange range, std::size_t length) {
        constexpr int bits_per_element = 3;  // as a power of 2
        const int bits = std::max(1, static_cast<int>(std::bit_width(range.span())));
        const int most = static_cast<int>(std::bit_width(length)) + bits_per_element;
        shift_ = std::max(bits - most, 0);
        words_ = std::vector<std::atomic<std::uint64_t>>((std::size_t{1} << (bits - shift_)) / word + 1);
    }

    void mark(Word scrambled) {
        const std::size_t place = place_of(scrambled);
        words_[place / word].fetch_or(std::uint64_t{1} << place % word, std::memory_order_relaxed);
    }

    bool is_marked(Word scrambled) const {
        const std::size_t place = place_of(scrambled);
        return (words_[place / word].load(std::memory_order_relaxed) >> place % word & 1) != 0;
    }

private:
    static constexpr std::size_t word = 64;

    std::size_t place_of(Word scrambled) const { return static_cast<std::size_t>(scrambled >> shift_); }

    int shift_;
    std::vector<std::atomic<std::uint64_t>> words_;
};

// A sink that marks the columns of cells that are not all of their row and of their column.
template <class Word>
class DifferingColumns {
public:
    DifferingColumns() = default;
    explicit DifferingColumns(LabelMarks<Word>& marks) : marks_(&marks) {}

    void add(const Cell<Word>& cell, Word b) {
        if (cell.n != cell.a || cell.n != b) marks_->mark(cell.v);
    }

    void add(const DifferingColumns&) {}  // all mark the same columns

private:
    LabelMarks<Word>* marks_ = nullptr;
};

// The elements of clusters that differ, ascending; they are the same on both sides. If labels share bits, some clusters
// that do not differ are among them, each with all its elements. Nothing if the labels are in runs: a table of all
// clusters is then counted faster. `u` and `v` are of the same length.
inline std::optional<Buffer<std::int64_t>> differing_elements(const Labels& u, const Labels& v, unsigned threads,
                                                              Control& control) {
    if (u.length == 0 || runs_expected(u, v) != 0) return std::nullopt;
    const KeyRange u_range = full_range(u, threads, control), v_range = full_range(v, threads, control);
    const auto find = [&]<class Word>(PartitionedProfile<Word, DifferingColumns<Word>>&& partitions) {
        LabelMarks<Word> marks(v_range, v.length);
        partitions.count(DifferingColumns<Word>(marks));
        std::vector<std::vector<std::int64_t>> of_block((v.length + block_length - 1) / block_length);
        parallel_blocks(control, threads, v.length, [&](unsigned, std::size_t begin, std::size_t count) {
            std::array<Word, block_length> labels;
            partitions.v_side().load(begin, count, labels.data());
            std::array<std::int64_t, block_length> elements;
            std::size_t kept = 0;
            for (std::size_t i = 0; i < count; ++i) {
                elements[kept] = static_cast<std::int64_t>(begin + i);
                kept += marks.is_marked(labels[i]) ? 1 : 0;
            }
            of_block[begin / block_length].assign(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(kept));
        });
        std::size_t size = 0;
        for (const std::vector<std::int64_t>& elements : of_block) size += elements.size();
        Buffer<std::int64_t> all(size);
        std::int64_t* out = all.begin();
        for (const std::vector<std::int64_t>& elements : of_block) out = std::copy(elements.begin(), elements.end(), out);
        return all;
    };
    return with_partitions<DifferingColumns>(u, v, u_range, v_range, threads, control, find);
}

}  // namespace concordant
