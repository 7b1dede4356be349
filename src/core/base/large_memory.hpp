// Memory for a large array that is written once; in large pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace concordant {

class LargeMemory {
public:
    LargeMemory() = default;
    explicit LargeMemory(std::size_t bytes) {
        constexpr std::size_t page = std::size_t{1} << 21;
#if defined(__linux__)
        if (bytes >= 2 * page) {
            const std::size_t whole = (bytes + page - 1) / page * page;
            data_.reset(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
            if (data_) madvise(data_.get(), whole, MADV_HUGEPAGE);  // a wish: nothing is lost where it is refused
        } else
#endif
            data_.reset(static_cast<std::byte*>(std::malloc(bytes == 0 ? 1 : bytes)));
        if (!data_) throw std::bad_alloc();
    }

    std::byte* data() const { return data_.get(); }
    std::byte* release() { return data_.release(); }  // for std::free

private:
    struct Free {
        void operator()(std::byte* data) const { std::free(data); }
    };

    std::unique_ptr<std::byte[], Free> data_;
};

}  // namespace concordant
