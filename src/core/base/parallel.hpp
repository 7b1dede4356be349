// Threads that pass exceptions on to the caller and stop soon after it is interrupted.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace concordant {

struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

inline unsigned available_threads() {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}

inline constexpr std::size_t block_length = 1024;  // elements

// Every kernel calls checkpoint() once per block. Only the calling thread may ask the outside
// world whether to go on (Python handles signals there), and it does so a few times a second.
class Control {
public:
    explicit Control(std::function<bool()> is_interrupted = {})
        : is_interrupted_(std::move(is_interrupted)), caller_(std::this_thread::get_id()) {}

    void checkpoint() {
        if (stopped_.load(std::memory_order_relaxed)) throw Interrupted();
        if (!is_interrupted_ || std::this_thread::get_id() != caller_) return;
        const auto now = Clock::now();
        if (now < next_poll_) return;
        next_poll_ = now + poll_interval;
        if (is_interrupted_()) {
            stop();
            throw Interrupted();
        }
    }

    void stop() { stopped_.store(true, std::memory_order_relaxed); }

    static constexpr auto poll_interval = std::chrono::milliseconds(50);

private:
    using Clock = std::chrono::steady_clock;

    std::function<bool()> is_interrupted_;
    std::thread::id caller_;
    Clock::time_point next_poll_ = Clock::now() + poll_interval;
    std::atomic<bool> stopped_{false};
};

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

// Calls task(worker, index) for every index below `count`, each once, by up to `threads` workers
// numbered from 0; the caller is worker 0. If a worker cannot be started, the others do its work.
template <class Task>
void parallel_for(Control& control, unsigned threads, std::size_t count, Task task) {
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

// Calls use(worker, begin, count) for blocks of all elements. If `use` returns a bool, the first false ends the work.
// Returns false in that case, else true.
template <class Use>
bool parallel_blocks(Control& control, unsigned threads, std::size_t length, Use use) {
    constexpr std::size_t task_length = std::size_t{1} << 16;
    std::atomic<bool> has_failed{false};
    parallel_for(control, threads, (length + task_length - 1) / task_length, [&](unsigned worker, std::size_t task) {
        const std::size_t end = std::min(length, (task + 1) * task_length);
        for (std::size_t begin = task * task_length; begin < end; begin += block_length) {
            const std::size_t count = std::min(block_length, end - begin);
            if constexpr (std::is_void_v<decltype(use(worker, begin, count))>)
                use(worker, begin, count);
            else if (has_failed.load(std::memory_order_relaxed) || !use(worker, begin, count))
                return has_failed.store(true, std::memory_order_relaxed);
        }
    });
    return !has_failed;
}

}  // namespace concordant
