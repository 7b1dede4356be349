// Items by partition, in memory up to a limit and in a file beyond it.
//
// Each worker appends to its own chunks. When the memory budget is used up, the worker writes all chunks of its store
// to the file, one piece for each partition, and reuses their memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/function_ref.hpp"
#include "base/processor.hpp"

namespace concordant {

class SpillFile {
public:
    explicit SpillFile(const std::string& path);
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;
    ~SpillFile();

    // Reserves `bytes`; returns where they begin.
    std::uint64_t reserve(std::size_t bytes);

    void write(std::uint64_t offset, const void* data, std::size_t bytes);
    void read(std::uint64_t offset, void* data, std::size_t bytes);

private:
    void seek(std::uint64_t offset);
    [[noreturn]] void fail(const char* what) const;

    std::FILE* file_;
    std::string path_;
    std::mutex mutex_;
    std::uint64_t end_ = 0;
};

// The memory that all stores of a join share, and the folder for what exceeds it.
class MemoryBudget {
public:
    MemoryBudget(std::size_t bytes, std::string folder) : limit_(bytes), folder_(std::move(folder)) {}

    bool has(std::size_t bytes) const { return used_.load(std::memory_order_relaxed) + bytes <= limit_; }
    void take(std::size_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }
    std::size_t limit() const { return limit_; }

    std::unique_ptr<SpillFile> file() {
        const unsigned number = files_.fetch_add(1, std::memory_order_relaxed);
        return std::make_unique<SpillFile>(folder_ + "/" + std::to_string(number));
    }

    std::uint64_t spilled() const { return spilled_.load(std::memory_order_relaxed); }
    void note_spill(std::uint64_t bytes) { spilled_.fetch_add(bytes, std::memory_order_relaxed); }

private:
    std::size_t limit_;
    std::string folder_;
    std::atomic<std::size_t> used_{0};
    std::atomic<unsigned> files_{0};
    std::atomic<std::uint64_t> spilled_{0};
};

// A store of items of any type, by their size: the part that is compiled once. The functions after `cursor` may be
// called only after all items were appended.
class ByteStore {
public:
    // Where a worker writes the next item of a partition, and where the chunk ends.
    struct Cursor {
        std::byte* next = nullptr;
        std::byte* end = nullptr;
    };

    ByteStore(std::size_t item_bytes, std::size_t partitions, std::vector<ChunkPool>& pools, MemoryBudget& budget);

    // With space for at least one item.
    CONCORDANT_INLINED Cursor& cursor(unsigned worker, std::size_t partition) {
        Cursor& cursor = writers_[worker].cursors[partition];
        if (cursor.next == cursor.end) [[unlikely]]
            open_chunk(worker, partition);
        return cursor;
    }

    std::size_t length(std::size_t partition);

    // Calls use(items, count) for pieces of a partition that one worker wrote, in order.
    void for_pieces(std::size_t partition, std::size_t writer, FunctionRef<void(const std::byte*, std::size_t)> use);

    // Leaves a partition empty, and its memory for another use by this worker.
    void release(std::size_t partition, unsigned worker);

    // Frees the disk space when all partitions are released.
    void close() { file_.reset(); }

    std::size_t writers() const { return writers_.size(); }

private:
    struct Extent {
        std::size_t partition;
        std::uint64_t offset;
        std::size_t count;
    };

    struct Writer {
        explicit Writer(std::size_t partitions) : cursors(partitions), heads(partitions, nullptr) {}

        std::vector<Cursor> cursors;
        std::vector<Chunk*> heads;  // the newest first
        std::vector<Extent> extents;
        std::vector<std::size_t> first_extents;  // of each time that the chunks were written out
        std::size_t open = 0;                    // chunks
    };

    std::size_t chunk_items() const { return (chunk_bytes - sizeof(Chunk)) / item_bytes_; }
    std::size_t piece_items() const { return (std::size_t{1} << 18) / item_bytes_; }

    Chunk* chunks(Writer& writer, std::size_t partition) const;
    std::vector<Chunk*> oldest_first(Writer& writer, std::size_t partition) const;
    static std::vector<Extent*> extents_of(Writer& writer, std::size_t partition);
    void open_chunk(unsigned worker, std::size_t partition);
    void write_out(unsigned worker);
    SpillFile& spill_file();

    std::size_t item_bytes_;
    std::size_t partitions_;
    std::vector<ChunkPool>* pools_;
    MemoryBudget* budget_;
    std::vector<Writer> writers_;
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
    std::unique_ptr<SpillFile> file_;
};

template <class Item>
class Store : private ByteStore {
    static_assert(std::is_trivially_copyable_v<Item>);

public:
    Store(std::size_t partitions, std::vector<ChunkPool>& pools, MemoryBudget& budget)
        : ByteStore(sizeof(Item), partitions, pools, budget) {}

    using ByteStore::close;
    using ByteStore::length;
    using ByteStore::release;
    using ByteStore::writers;

    CONCORDANT_INLINED void push(unsigned worker, std::size_t partition, const Item& item) {
        Cursor& at = cursor(worker, partition);
        *reinterpret_cast<Item*>(at.next) = item;
        at.next += sizeof(Item);
    }

    // Items that stay in order, after those that the same worker appended before.
    void append(unsigned worker, std::size_t partition, const Item* items, std::size_t count) {
        while (count > 0) {
            Cursor& at = cursor(worker, partition);
            const std::size_t fits = std::min(count, static_cast<std::size_t>(at.end - at.next) / sizeof(Item));
            std::copy_n(items, fits, reinterpret_cast<Item*>(at.next));
            at.next += fits * sizeof(Item);
            items += fits;
            count -= fits;
        }
    }

    // Calls use(item) for the items of a partition, in no particular order.
    template <class Use>
    void for_each(std::size_t partition, Use use) {
        for (std::size_t writer = 0; writer < writers(); ++writer)
            for_pieces(partition, writer, [&use](const Item* items, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) use(items[i]);
            });
    }

    // Calls use(items, count) for pieces of a partition that one worker wrote, in order.
    template <class Use>
    void for_pieces(std::size_t partition, std::size_t writer, Use use) {
        ByteStore::for_pieces(partition, writer, [&use](const std::byte* items, std::size_t count) {
            use(reinterpret_cast<const Item*>(items), count);
        });
    }
};

}  // namespace concordant
