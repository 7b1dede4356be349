// A file for what does not fit into memory: written from front to back, read anywhere.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <system_error>

#if !defined(_WIN32)
#include <sys/types.h>
#endif

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
        std::remove(path_.c_str());  // at once, so that a later stage has the room
    }

    // Makes room for so many bytes; returns where it begins.
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

}  // namespace concordant
