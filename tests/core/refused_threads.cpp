// Threads that cannot be started: the system has none left, or there is no memory for one. The work is then done
// by those there are.

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "base/parallel.hpp"

namespace {

// How many more threads the system starts, and how many more allocations succeed, before each fails.
std::atomic<int> threads_left{1 << 30}, allocations_left{1 << 30};

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "FAILED: %s\n", what);
    std::exit(1);
}

}  // namespace

// In place of the system's, which libstdc++ calls.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    return threads_left.fetch_sub(1) > 0 ? create(thread, attributes, start, argument) : EAGAIN;
}

void* operator new(std::size_t size) {
    if (allocations_left.fetch_sub(1) <= 0) throw std::bad_alloc();
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

// Every task is done once, whatever is refused.
void check(const char* what, std::atomic<int>& limit, int left) {
    std::vector<std::atomic<int>> done(1000);
    concordant::Control control;
    limit.store(left);
    concordant::parallel_for(control, 8, done.size(), [&](unsigned worker, std::size_t task) {
        if (worker >= 8) std::abort();
        ++done[task];
    });
    limit.store(1 << 30);
    for (const std::atomic<int>& times : done)
        if (times != 1) fail(what);
}

}  // namespace

int main() {
    for (int left = 0; left < 8; ++left) check("a system without threads", threads_left, left);
    // The first allocation is the list of threads; the others belong to one thread each.
    for (int left = 1; left < 8; ++left) check("no memory for a thread", allocations_left, left);
    std::puts("threads that cannot be started are done without");
}
