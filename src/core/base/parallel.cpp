#include "base/parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace concordant {

namespace {

// Keeps the first failure and tells the others to stop.
class FirstFailure {
public:
    explicit FirstFailure(Control& control) : control_(control) {}

    template <class Work>
    void guard(Work&& work) {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            control_.stop();
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    Control& control_;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace

unsigned available_threads() {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(Control& control, unsigned threads, std::size_t count, FunctionRef<void(unsigned, std::size_t)> task) {
    std::atomic<std::size_t> next{0};
    const auto work = [&](unsigned worker) {
        for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
            control.checkpoint();
            task(worker, i);
        }
    };
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
    if (threads <= 1) return work(0);

    FirstFailure failure(control);
    std::mutex mutex;
    std::condition_variable finished;
    unsigned running = 0;
    std::vector<std::thread> team;
    team.reserve(threads - 1);
    for (unsigned worker = 1; worker < threads; ++worker) {
        try {
            const std::lock_guard lock(mutex);
            team.emplace_back([&, worker] {
                failure.guard([&] { work(worker); });
                const std::lock_guard leaving(mutex);
                --running;
                finished.notify_one();
            });
            ++running;
        } catch (const std::exception&) {  // no thread left, or no memory for one
            break;
        }
    }
    failure.guard([&] { work(0); });
    failure.guard([&] {
        std::unique_lock lock(mutex);
        while (!finished.wait_for(lock, Control::poll_interval, [&] { return running == 0; })) {
            lock.unlock();
            control.checkpoint();
            lock.lock();
        }
    });
    for (std::thread& member : team) member.join();
    failure.rethrow();
}

bool parallel_checked_blocks(Control& control, unsigned threads, std::size_t length,
                             FunctionRef<bool(unsigned, std::size_t, std::size_t)> use) {
    constexpr std::size_t task_length = std::size_t{1} << 16;
    std::atomic<bool> has_failed{false};
    parallel_for(control, threads, (length + task_length - 1) / task_length, [&](unsigned worker, std::size_t task) {
        const std::size_t end = std::min(length, (task + 1) * task_length);
        for (std::size_t begin = task * task_length; begin < end; begin += block_length)
            if (has_failed.load(std::memory_order_relaxed) || !use(worker, begin, std::min(block_length, end - begin)))
                return has_failed.store(true, std::memory_order_relaxed);
    });
    return !has_failed;
}

}  // namespace concordant
