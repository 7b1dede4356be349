#include "join/store.hpp"

#include <cerrno>
#include <system_error>

#if !defined(_WIN32)
#include <sys/types.h>
#endif

namespace concordant {

SpillFile::SpillFile(const std::string& path) : file_(std::fopen(path.c_str(), "w+bx")), path_(path) {
    if (file_ == nullptr) fail("cannot make");
    std::setvbuf(file_, nullptr, _IONBF, 0);  // pieces are large
}

SpillFile::~SpillFile() {
    std::fclose(file_);
    std::remove(path_.c_str());  // now, so a later stage can use the disk space
}

std::uint64_t SpillFile::reserve(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t begin = end_;
    end_ += bytes;
    return begin;
}

void SpillFile::write(std::uint64_t offset, const void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    seek(offset);
    errno = 0;
    if (std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write to");
}

void SpillFile::read(std::uint64_t offset, void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    seek(offset);
    errno = 0;
    if (std::fread(data, 1, bytes, file_) != bytes) fail("cannot read from");
}

void SpillFile::seek(std::uint64_t offset) {
#if defined(_WIN32)
    if (_fseeki64(file_, static_cast<std::int64_t>(offset), SEEK_SET) != 0) fail("cannot seek in");
#else
    if (fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) fail("cannot seek in");
#endif
}

void SpillFile::fail(const char* what) const {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), std::string(what) + " " + path_);
}

ByteStore::ByteStore(std::size_t item_bytes, std::size_t partitions, std::vector<ChunkPool>& pools, MemoryBudget& budget)
    : item_bytes_(item_bytes), partitions_(partitions), pools_(&pools), budget_(&budget),
      writers_(pools.size(), Writer(partitions)) {}

std::size_t ByteStore::length(std::size_t partition) {
    std::size_t sum = 0;
    for (Writer& writer : writers_) {
        for (Chunk* chunk = chunks(writer, partition); chunk != nullptr; chunk = chunk->next) sum += chunk->count;
        for (const Extent* extent : extents_of(writer, partition)) sum += extent->count;
    }
    return sum;
}

void ByteStore::for_pieces(std::size_t partition, std::size_t number, FunctionRef<void(const std::byte*, std::size_t)> use) {
    Writer& writer = writers_[number];
    std::vector<std::byte> piece;
    for (const Extent* extent : extents_of(writer, partition))
        for (std::size_t done = 0, count = 0; done < extent->count; done += count) {
            count = std::min(piece_items(), extent->count - done);
            piece.resize(count * item_bytes_);
            file_->read(extent->offset + done * item_bytes_, piece.data(), piece.size());
            use(piece.data(), count);
        }
    for (Chunk* chunk : oldest_first(writer, partition)) use(chunk->items<std::byte>(), chunk->count);
}

void ByteStore::release(std::size_t partition, unsigned worker) {
    for (Writer& writer : writers_) {
        for (Extent* extent : extents_of(writer, partition)) extent->count = 0;
        Chunk* chunk = std::exchange(writer.heads[partition], nullptr);
        writer.cursors[partition] = {};
        while (chunk != nullptr) (*pools_)[worker].give_back(std::exchange(chunk, chunk->next));
    }
}

Chunk* ByteStore::chunks(Writer& writer, std::size_t partition) const {
    Chunk* head = writer.heads[partition];
    if (head != nullptr)
        head->count = static_cast<std::size_t>(writer.cursors[partition].next - head->items<std::byte>()) / item_bytes_;
    return head;
}

std::vector<Chunk*> ByteStore::oldest_first(Writer& writer, std::size_t partition) const {
    std::vector<Chunk*> found;
    for (Chunk* chunk = chunks(writer, partition); chunk != nullptr; chunk = chunk->next) found.push_back(chunk);
    std::reverse(found.begin(), found.end());
    return found;
}

// Those of a partition, the oldest first: each time, partitions were written in their order.
std::vector<ByteStore::Extent*> ByteStore::extents_of(Writer& writer, std::size_t partition) {
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

void ByteStore::open_chunk(unsigned worker, std::size_t partition) {
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
    if (chunk->next != nullptr) chunk->next->count = chunk_items();
    writer.heads[partition] = chunk;
    std::byte* first = chunk->items<std::byte>();
    writer.cursors[partition] = {first, first + chunk_items() * item_bytes_};
    ++writer.open;
}

void ByteStore::write_out(unsigned worker) {
    Writer& writer = writers_[worker];
    SpillFile& file = spill_file();
    writer.first_extents.push_back(writer.extents.size());
    const std::size_t piece_bytes = piece_items() * item_bytes_;
    std::vector<std::byte> piece;
    for (std::size_t partition = 0; partition < partitions_; ++partition) {
        const std::vector<Chunk*> written = oldest_first(writer, partition);
        std::size_t count = 0;
        for (const Chunk* chunk : written) count += chunk->count;
        if (count == 0) continue;
        const std::uint64_t offset = file.reserve(count * item_bytes_);
        std::uint64_t next = offset;
        const auto write_piece = [&] {
            file.write(next, piece.data(), piece.size());
            next += piece.size();
            piece.clear();
        };
        for (Chunk* chunk : written) {
            const std::byte* items = chunk->items<std::byte>();
            piece.insert(piece.end(), items, items + chunk->count * item_bytes_);
            (*pools_)[worker].give_back(chunk);
            if (piece.size() >= piece_bytes) write_piece();
        }
        write_piece();
        writer.extents.push_back({partition, offset, count});
        budget_->note_spill(count * item_bytes_);
        writer.heads[partition] = nullptr;
        writer.cursors[partition] = {};
    }
    writer.open = 0;
}

SpillFile& ByteStore::spill_file() {
    const std::lock_guard lock(*mutex_);
    if (file_ == nullptr) file_ = budget_->file();
    return *file_;
}

}  // namespace concordant
