// Threads that pass exceptions on to the caller and stop soon after it is interrupted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/function_ref.hpp"

namespace concordant {

struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

unsigned available_threads();

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

// Calls task(worker, index) for every index below `count`, each once, by up to `threads` workers
// numbered from 0; the caller is worker 0. If a worker cannot be started, the others do its work.
void parallel_for(Control& control, unsigned threads, std::size_t count, FunctionRef<void(unsigned, std::size_t)> task);

// Calls use(worker, begin, count) for blocks of all elements. The first false ends the work, and is returned.
bool parallel_checked_blocks(Control& control, unsigned threads, std::size_t length,
                             FunctionRef<bool(unsigned, std::size_t, std::size_t)> use);

// The same for a `use` that returns a bool or nothing.
template <class Use>
bool parallel_blocks(Control& control, unsigned threads, std::size_t length, Use use) {
    if constexpr (std::is_void_v<std::invoke_result_t<Use, unsigned, std::size_t, std::size_t>>)
        return parallel_checked_blocks(control, threads, length, [&](unsigned worker, std::size_t begin, std::size_t count) {
            use(worker, begin, count);
            return true;
        });
    else
        return parallel_checked_blocks(control, threads, length, use);
}

}  // namespace concordant
