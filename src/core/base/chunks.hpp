// Partitions as linked lists of small chunks: items are appended in one pass, without knowing
// their number in advance, and the memory of a partition is reused once it has been read.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/processor.hpp"

namespace concordant {

struct Chunk {
    Chunk* next;
    std::size_t count;

    template <class Item>
    Item* items() {
        return reinterpret_cast<Item*>(this + 1);
    }
};

// The number of bits to partition this many items by so that a partition's table stays in the second-level cache.
inline unsigned bits_of_partitions(std::size_t items) {
    constexpr std::size_t items_per_partition = std::size_t{1} << 14;
    constexpr unsigned most = 11;  // with more, the open chunks themselves no longer fit
    return std::min(most, static_cast<unsigned>(std::bit_width(items / items_per_partition)));
}

// A little more than a page, so chunks that fill at the same rate do not compete for the same cache sets.
inline constexpr std::size_t chunk_bytes = 4096 + 64;

template <class Item>
inline constexpr std::size_t chunk_capacity = (chunk_bytes - sizeof(Chunk)) / sizeof(Item);

// One worker's supply of chunks. A chunk may be given back to the pool of another worker: all
// pools of a computation live until its end.
class ChunkPool {
public:
    Chunk* take() {
        if (needs_slab()) allocate_slab();
        if (free_ != nullptr) return std::exchange(free_, free_->next);
        return ::new (std::exchange(fresh_, fresh_ + chunk_bytes)) Chunk{nullptr, 0};
    }

    // Whether the next chunk takes memory that the pool does not have yet, and how much.
    bool needs_slab() const { return free_ == nullptr && fresh_ + chunk_bytes > end_; }
    std::size_t next_slab() const { return slab_bytes_; }

    void give_back(Chunk* chunk) {
        chunk->next = free_;
        free_ = chunk;
    }

private:
    static constexpr std::size_t first_slab = std::size_t{1} << 16, huge_page = std::size_t{1} << 21;

    struct Release {
        std::size_t alignment = 0;
        void operator()(std::byte* slab) const { ::operator delete(slab, std::align_val_t(alignment)); }
    };

    void allocate_slab() {
        slabs_.reserve(slabs_.size() + 1);
        const std::size_t alignment = slab_bytes_ < huge_page ? alignof(std::max_align_t) : huge_page;
        fresh_ = static_cast<std::byte*>(::operator new(slab_bytes_, std::align_val_t(alignment)));
        slabs_.emplace_back(fresh_, Release{alignment});
        end_ = fresh_ + slab_bytes_;
#if defined(__linux__)
        if (slab_bytes_ >= huge_page) madvise(fresh_, slab_bytes_, MADV_HUGEPAGE);  // fewer page faults
#endif
        slab_bytes_ = slab_bytes_ < huge_page ? slab_bytes_ * 4 : huge_page * 4;
    }

    std::vector<std::unique_ptr<std::byte, Release>> slabs_;
    std::size_t slab_bytes_ = first_slab;
    std::byte* fresh_ = nullptr;
    std::byte* end_ = nullptr;
    Chunk* free_ = nullptr;
};

// The items that one worker appends to each partition.
template <class Item>
class Scatter {
public:
    Scatter(std::size_t partitions, ChunkPool& pool)
        : cursors_(partitions), heads_(partitions, nullptr), pool_(&pool) {}

    void push(std::size_t partition, const Item& item) {
        Cursor& cursor = cursors_[partition];
        if (cursor.next == cursor.end) [[unlikely]]
            open_chunk(partition);
        *cursor.next++ = item;
    }

    // The chunks of a partition; only after all items were pushed.
    Chunk* chunks(std::size_t partition) {
        Chunk* head = heads_[partition];
        if (head != nullptr) head->count = static_cast<std::size_t>(cursors_[partition].next - head->items<Item>());
        return head;
    }

private:
    struct Cursor {
        Item* next = nullptr;
        Item* end = nullptr;
    };

    CONCORDANT_SELDOM void open_chunk(std::size_t partition) {
        Chunk* chunk = pool_->take();
        chunk->next = heads_[partition];
        if (chunk->next != nullptr) chunk->next->count = chunk_capacity<Item>;
        heads_[partition] = chunk;
        cursors_[partition] = {chunk->items<Item>(), chunk->items<Item>() + chunk_capacity<Item>};
    }

    std::vector<Cursor> cursors_;
    std::vector<Chunk*> heads_;
    ChunkPool* pool_;
};

// One partition as all workers left it.
template <class Item>
class Gathered {
public:
    Gathered(std::vector<Scatter<Item>>& scatters, std::size_t partition) {
        for (Scatter<Item>& scatter : scatters)
            if (Chunk* head = scatter.chunks(partition)) {
                heads_.push_back(head);
                for (Chunk* chunk = head; chunk != nullptr; chunk = chunk->next) length_ += chunk->count;
            }
    }

    std::size_t length() const { return length_; }

    // Calls use(items, count) for each chunk.
    template <class Use>
    void for_each_chunk(Use use) const {
        for (Chunk* head : heads_)
            for (Chunk* chunk = head; chunk != nullptr; chunk = chunk->next)
                use(static_cast<const Item*>(chunk->items<Item>()), chunk->count);
    }

    template <class Use>
    void for_each(Use use) const {
        for_each_chunk([&use](const Item* items, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) use(items[i]);
        });
    }

    void give_back(ChunkPool& pool) {
        for (Chunk* chunk : heads_)
            while (chunk != nullptr) pool.give_back(std::exchange(chunk, chunk->next));
        heads_.clear();
    }

private:
    std::vector<Chunk*> heads_;
    std::size_t length_ = 0;
};

}  // namespace concordant
