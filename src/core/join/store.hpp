// Items by partition, in memory up to a limit and in a file beyond it.
//
// Each worker appends to its own chunks. When the memory budget is used up, the worker writes all chunks of its store
// to the file, one piece for each partition, and reuses their memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <sys/types.h>
#endif

#include "base/chunks.hpp"
#include "base/processor.hpp"

namespace concordant {

class SpillFile {
public:
    explicit SpillFile(const std::string& path) : file_(std::fopen(path.c_str(), "w+bx")), path_(path) {
        if (file_ == nullptr) fail("cannot make");
        std::setvbuf(file_, nullptr, _IONBF, 0);  // pieces are large
    }
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;
    ~SpillFile() {
        std::fclose(file_);
        std::remove(path_.c_str());  // now, so a later stage can use the disk space
    }

    // Reserves `bytes`; returns where they begin.
    std::uint64_t reserve(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        const std::uint64_t begin = end_;
        end_ += bytes;
        return begin;
    }

    void write(std::uint64_t offset, const void* data, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        seek(offset);
        errno = 0;
        if (std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write to");
    }

    void read(std::uint64_t offset, void* data, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        seek(offset);
        errno = 0;
        if (std::fread(data, 1, bytes, file_) != bytes) fail("cannot read from");
    }

private:
    void seek(std::uint64_t offset) {
#if defined(_WIN32)
        if (_fseeki64(file_, static_cast<std::int64_t>(offset), SEEK_SET) != 0) fail("cannot seek in");
#else
        if (fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) fail("cannot seek in");
#endif
    }

    [[noreturn]] void fail(const char* what) const {
        throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), std::string(what) + " " + path_);
    }

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

template <class Item>
class Store {
public:
    Store(std::size_t partitions, std::vector<ChunkPool>& pools, MemoryBudget& budget)
        : partitions_(partitions), pools_(&pools), budget_(&budget), writers_(pools.size(), Writer(partitions)) {}

    CONCORDANT_INLINED void push(unsigned worker, std::size_t partition, const Item& item) {
        Cursor& cursor = writers_[worker].cursors[partition];
        if (cursor.next == cursor.end) [[unlikely]]
            open_chunk(worker, partition);
        *cursor.next++ = item;
    }

    // Items that stay in order, after those that the same worker appended before.
    void append(unsigned worker, std::size_t partition, const Item* items, std::size_t count) {
        while (count > 0) {
            Cursor& cursor = writers_[worker].cursors[partition];
            if (cursor.next == cursor.end) open_chunk(worker, partition);
            const std::size_t fits = std::min(count, static_cast<std::size_t>(cursor.end - cursor.next));
            cursor.next = std::copy_n(items, fits, cursor.next);
            items += fits;
            count -= fits;
        }
    }

    // The functions from here on may be called only after all items were appended.
    std::size_t length(std::size_t partition) {
        std::size_t sum = 0;
        for (Writer& writer : writers_) {
            for (Chunk* chunk = writer.chunks(partition); chunk != nullptr; chunk = chunk->next) sum += chunk->count;
            for (const Extent* extent : extents_of(writer, partition)) sum += extent->count;
        }
        return sum;
    }

    // Calls use(item) for the items of a partition, in no particular order.
    template <class Use>
    void for_each(std::size_t partition, Use use) {
        std::vector<Item> piece;
        for (std::size_t writer = 0; writer < writers_.size(); ++writer)
            for_pieces(partition, writer, piece, [&](const Item* items, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) use(items[i]);
            });
    }

    // Calls use(items, count) for pieces of a partition that one worker wrote, in order.
    template <class Use>
    void for_pieces(std::size_t partition, std::size_t writer, Use use) {
        std::vector<Item> piece;
        for_pieces(partition, writer, piece, use);
    }

    // Leaves a partition empty, and its memory for another use by this worker.
    void release(std::size_t partition, unsigned worker) {
        for (Writer& writer : writers_) {
            for (Extent* extent : extents_of(writer, partition)) extent->count = 0;
            Chunk* chunk = std::exchange(writer.heads[partition], nullptr);
            writer.cursors[partition] = {};
            while (chunk != nullptr) (*pools_)[worker].give_back(std::exchange(chunk, chunk->next));
        }
    }

    // Frees the disk space when all partitions are released.
    void close() { file_.reset(); }

    std::size_t writers() const { return writers_.size(); }

private:
    struct Cursor {
        Item* next = nullptr;
        Item* end = nullptr;
    };

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

        Chunk* chunks(std::size_t partition) {
            Chunk* head = heads[partition];
            if (head != nullptr) head->count = static_cast<std::size_t>(cursors[partition].next - head->items<Item>());
            return head;
        }
    };

    static constexpr std::size_t piece_length = (std::size_t{1} << 18) / sizeof(Item);

    CONCORDANT_SELDOM void open_chunk(unsigned worker, std::size_t partition) {
        Writer& writer = writers_[worker];
        ChunkPool& pool = (*pools_)[worker];
        if (pool.needs_slab()) {
            if (!budget_->has(pool.next_slab()) && writer.open >= partitions_ / 2 + 1)
                write_out(worker);
            else
                budget_->take(pool.next_slab());
        }
        Chunk* chunk = pool.take();
        chunk->next = writer.heads[partition];
        if (chunk->next != nullptr) chunk->next->count = chunk_capacity<Item>;
        writer.heads[partition] = chunk;
        writer.cursors[partition] = {chunk->items<Item>(), chunk->items<Item>() + chunk_capacity<Item>};
        ++writer.open;
    }

    void write_out(unsigned worker) {
        Writer& writer = writers_[worker];
        SpillFile& file = spill_file();
        writer.first_extents.push_back(writer.extents.size());
        std::vector<Item> piece;
        std::vector<Chunk*> oldest_first;
        for (std::size_t partition = 0; partition < partitions_; ++partition) {
            std::size_t count = 0;
            oldest_first.clear();
            for (Chunk* chunk = writer.chunks(partition); chunk != nullptr; chunk = chunk->next) {
                oldest_first.push_back(chunk);
                count += chunk->count;
            }
            if (count == 0) continue;
            std::reverse(oldest_first.begin(), oldest_first.end());
            const std::uint64_t offset = file.reserve(count * sizeof(Item));
            std::uint64_t next = offset;
            const auto write_piece = [&] {
                file.write(next, piece.data(), piece.size() * sizeof(Item));
                next += piece.size() * sizeof(Item);
                piece.clear();
            };
            for (Chunk* chunk : oldest_first) {
                const Item* items = chunk->items<Item>();
                piece.insert(piece.end(), items, items + chunk->count);
                (*pools_)[worker].give_back(chunk);
                if (piece.size() >= piece_length) write_piece();
            }
            write_piece();
            writer.extents.push_back({partition, offset, count});
            budget_->note_spill(count * sizeof(Item));
            writer.heads[partition] = nullptr;
            writer.cursors[partition] = {};
        }
        writer.open = 0;
    }

    SpillFile& spill_file() {
        const std::lock_guard lock(*mutex_);
        if (file_ == nullptr) file_ = budget_->file();
        return *file_;
    }

    template <class Use>
    void for_pieces(std::size_t partition, std::size_t number, std::vector<Item>& piece, Use use) {
        Writer& writer = writers_[number];
        for (const Extent* extent : extents_of(writer, partition))
            for (std::size_t done = 0; done < extent->count; done += piece.size()) {
                piece.resize(std::min(piece_length, extent->count - done));
                file_->read(extent->offset + done * sizeof(Item), piece.data(), piece.size() * sizeof(Item));
                use(piece.data(), piece.size());
            }
        std::vector<Chunk*> oldest_first;
        for (Chunk* chunk = writer.chunks(partition); chunk != nullptr; chunk = chunk->next)
            oldest_first.push_back(chunk);
        for (auto chunk = oldest_first.rbegin(); chunk != oldest_first.rend(); ++chunk)
            use((*chunk)->template items<Item>(), (*chunk)->count);
    }

    // Those of a partition, the oldest first: each time, partitions were written in their order.
    static std::vector<Extent*> extents_of(Writer& writer, std::size_t partition) {
        std::vector<Extent*> found;
        for (std::size_t time = 0; time < writer.first_extents.size(); ++time) {
            const bool last = time + 1 == writer.first_extents.size();
            const auto begin = writer.extents.begin() + static_cast<std::ptrdiff_t>(writer.first_extents[time]);
            const auto end = last ? writer.extents.end()
                                  : writer.extents.begin() + static_cast<std::ptrdiff_t>(writer.first_extents[time + 1]);
            const auto at = std::lower_bound(begin, end, partition, [](const Extent& extent, std::size_t wanted) {
                return extent.partition < wanted;
            });
            if (at != end && at->partition == partition) found.push_back(&*at);
        }
        return found;
    }

    std::size_t partitions_;
    std::vector<ChunkPool>* pools_;
    MemoryBudget* budget_;
    std::vector<Writer> writers_;
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
    std::unique_ptr<SpillFile> file_;
};

}  // namespace concordant
