#include "counting/partitioned_profile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace concordant {

namespace {

// Partitions of some 32,000 elements stay in the second-level cache with their tables.
unsigned bits_for_cache(std::size_t length) {
    constexpr std::size_t elements = std::size_t{1} << 15;
    constexpr unsigned most = 11;  // with more, the open chunks themselves no longer fit
    return std::min(most, static_cast<unsigned>(std::bit_width(length / elements)));
}

unsigned threads_worth(std::size_t length, unsigned threads) {
    constexpr std::size_t elements_per_thread = std::size_t{1} << 15;
    return static_cast<unsigned>(std::clamp<std::size_t>(length / elements_per_thread, 1, threads));
}

}  // namespace

template <class Word>
PartitionedProfile<Word>::PartitionedProfile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range,
                                             unsigned threads, Control& control)
    : length_(u.length), threads_(threads_worth(u.length, threads)), control_(control), u_(u, u_range, bits_for_cache(u.length), u.length),
      v_(v, v_range, bits_for_cache(u.length), u.length), workers_(threads_) {}

template <class Word>
void PartitionedProfile<Word>::count_cells(FunctionRef<void(unsigned, const Item*, const Word*, std::size_t)> use) {
    for (Worker& worker : workers_) {
        pairs_.emplace_back(u_.partitions(), worker.pool);
        cells_.emplace_back(v_.partitions(), worker.pool);
    }
    partition_pairs();
    u_.dense() ? make_cells<DenseIds<Word>>() : make_cells<HashedIds<Word>>();
    v_.dense() ? sum_columns<DenseIds<Word>>(use) : sum_columns<HashedIds<Word>>(use);
}

template <class Word>
void PartitionedProfile<Word>::partition_pairs() {
    const DroppedLabels<Word> dropped{u_.dropped(), v_.dropped()};
    parallel_blocks(control_, threads_, length_, [&](unsigned worker, std::size_t begin, std::size_t count) {
        std::array<Word, block_length> u_block, v_block;
        u_.load(begin, count, u_block.data());
        v_.load(begin, count, v_block.data());
        if (dropped.any()) count = dropped.take_out(u_block.data(), v_block.data(), count);
        push_block(pairs_[worker], u_block.data(), v_block.data(), count);
    });
}

template <class Word>
void PartitionedProfile<Word>::push_block(Scatter<Pair>& pairs, const Word* u, const Word* v, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) pairs.push(u_.partition_of(u[i]), {u[i], v[i]});
}

template <class Word>
template <class Ids>
void PartitionedProfile<Word>::make_cells() {
    std::vector<Ids> ids(threads_, Ids(u_));
    parallel_for(control_, threads_, u_.partitions(), [&](unsigned index, std::size_t partition) {
        Worker& worker = workers_[index];
        Gathered<Pair> pairs(pairs_, partition);
        group_by_u(pairs, ids[index], worker);
        pairs.give_back(worker.pool);
        Scatter<Item>& scatter = cells_[index];
        const auto push = [this, &scatter](const Item* cells, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) scatter.push(v_.partition_of(cells[i].v), cells[i]);
        };
        worker.make_cells(worker.sums, worker.sorted.data(), push);
    });
}

// Sorts the v of a partition by u; `sums` then holds the end of each group.
template <class Word>
template <class Ids>
void PartitionedProfile<Word>::group_by_u(const Gathered<Pair>& pairs, Ids& ids, Worker& worker) {
    ids.start(pairs.length());
    std::vector<Word>& sums = worker.sums;
    sums.assign(ids.capacity(), 0);
    pairs.for_each([&](const Pair& pair) { ++sums[ids(pair.u)]; });
    Word total = 0;
    for (Word& sum : sums) total += std::exchange(sum, total);
    worker.sorted.resize(std::max(worker.sorted.size(), pairs.length()));
    pairs.for_each([&](const Pair& pair) { worker.sorted[static_cast<std::size_t>(sums[ids(pair.u)]++)] = pair.v; });
}

template <class Word>
template <class Ids>
void PartitionedProfile<Word>::sum_columns(FunctionRef<void(unsigned, const Item*, const Word*, std::size_t)> use) {
    std::vector<Ids> ids(threads_, Ids(v_));
    parallel_for(control_, threads_, v_.partitions(), [&](unsigned index, std::size_t partition) {
        const auto pass_on = [&](const Item* cells, const Word* sizes, std::size_t count) { use(index, cells, sizes, count); };
        workers_[index].columns.count(Gathered<Item>(cells_, partition), ids[index], pass_on);
    });
}

template class PartitionedProfile<std::uint32_t>;
template class PartitionedProfile<std::uint64_t>;

std::vector<Triple> partitioned_profile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range,
                                        unsigned threads, Control& control, DifferingMarks* marks) {
    return with_partitions(u, v, u_range, v_range, threads, control, [&]<class Word>(PartitionedProfile<Word>&& partitions) {
        if (marks == nullptr) return partitions.count(TripleCounter()).take_sorted();
        *marks = DifferingMarks(v_range, v.length, sizeof(Word) == sizeof(std::uint32_t));
        return partitions.count(MarkedTriples<Word>(*marks)).take_sorted();
    });
}

}  // namespace concordant
