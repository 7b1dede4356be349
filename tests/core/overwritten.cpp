// Labels that another thread overwrites while they are read. No answer is right then, but nothing outside of the
// kernels' own memory may be touched: AddressSanitizer watches. ThreadSanitizer would rightly object.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "counting/contingency.hpp"
#include "counting/differing_marks.hpp"
#include "counting/profile.hpp"
#include "graph/assignment.hpp"
#include "graph/blocks.hpp"
#include "graph/differing.hpp"
#include "graph/groups.hpp"
#include "labels/arrow.hpp"
#include "labels/codes.hpp"
#include "labels/item_codes.hpp"
#include "labels/labels.hpp"

using namespace concordant;

namespace {

using Numbers = std::vector<std::int64_t>;

// Puts `large` at a few places, waits, puts small numbers there and waits, until it is destroyed: what a kernel
// reads first may be all small, and what it reads next may not.
class Writer {
public:
    Writer(Numbers& numbers, std::int64_t small, std::int64_t large)
        : thread_([this, &numbers, small, large] {
              while (!done_.load(std::memory_order_relaxed)) {
                  std::array<std::size_t, 16> places;
                  for (std::size_t& place : places) place = random_() % numbers.size();
                  for (const std::size_t place : places) write(numbers[place], large);
                  wait();
                  for (const std::size_t place : places)
                      write(numbers[place], static_cast<std::int64_t>(random_() >> 1) % small);
                  wait();
              }
          }) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
        done_.store(true);
        thread_.join();
    }

private:
    static void write(std::int64_t& number, std::int64_t value) {
        std::atomic_ref<std::int64_t>(number).store(value, std::memory_order_relaxed);
    }

    void wait() { std::this_thread::sleep_for(std::chrono::microseconds(random_() % 2000)); }

    std::mt19937_64 random_{1};
    std::atomic<bool> done_{false};
    std::thread thread_;
};

Labels view(const Numbers& numbers) {
    return {reinterpret_cast<const std::byte*>(numbers.data()), LabelType::int64, 8, numbers.size()};
}

Numbers draw(std::size_t length, std::int64_t distinct) {
    std::mt19937_64 random(2);
    Numbers numbers(length);
    for (std::int64_t& number : numbers)
        number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(distinct));
    return numbers;
}

// Runs the kernel again and again while the numbers change. It may refuse what it is given.
void watch(const char* what, Numbers& numbers, std::int64_t small, std::int64_t large,
           const std::function<void(Control&)>& kernel) {
    constexpr auto duration = std::chrono::milliseconds(300);
    const Writer writer(numbers, small, large);
    int runs = 0, refusals = 0;
    const auto end = std::chrono::steady_clock::now() + duration;
    for (; runs < 3 || std::chrono::steady_clock::now() < end; ++runs) {
        try {
            Control control;  // of its own: one that a refusal stopped refuses all later kernels
            kernel(control);
        } catch (const std::invalid_argument&) {
            ++refusals;
        } catch (const std::length_error&) {
            ++refusals;
        } catch (const std::bad_alloc&) {
            ++refusals;
        }
    }
    std::printf("%s: %d runs, %d refused\n", what, runs, refusals);
}

void watch_labels(std::size_t length, std::int64_t distinct) {
    Numbers u = draw(length, distinct);
    const Numbers v = draw(length, distinct);
    // Twice the largest label is a little outside; the second is far away.
    for (const std::int64_t large : {2 * distinct, std::int64_t{1} << 62}) {
        watch("codes", u, distinct, large, [&](Control& control) { factorize(view(u), control); });
        watch("contingency table", u, distinct, large,
              [&](Control& control) { contingency(view(u), view(v), 2, control); });
        const DifferingMarks marks({key_of(0), key_of(distinct)}, length, true);
        watch("differing elements", u, distinct, large,
              [&](Control& control) { marks.elements(view(u), 2, control); });
        watch("profile", u, distinct, large, [&](Control& control) { profile(view(u), view(v), 2, control); });
        watch("pair sums", u, distinct, large, [&](Control& control) { pair_sums(view(v), view(u), 2, control); });
        watch("items", u, distinct, large, [&](Control& control) {
            ItemChunk chunk;
            chunk.length = length;
            chunk.data = view(u).data;
            chunk.width = 8;
            chunk.stride = 8;
            factorize_items(Items({chunk}), 2, control);
        });
    }
}

void watch_graph() {
    constexpr std::int64_t nodes = 500;
    Numbers row = draw(3000, nodes), column(row.size()), weight(row.size(), 3);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<std::int64_t>(i) % nodes;
    const std::size_t cells = row.size();
    // Large enough to be outside of what was sized before, small enough to be allocated.
    constexpr std::int64_t large = 1 << 20;
    watch("groups", row, nodes, large, [&](Control& control) { grouped(GroupNumbers(row.data(), cells), 2, control); });
    watch("blocks", row, nodes, large,
          [&](Control& control) { find_blocks(row.data(), column.data(), cells, control); });
    watch("largest first", row, nodes, large,
          [&](Control& control) { largest_first(column.data(), row.data(), cells, 2, control); });
    watch("best fractions", row, nodes, large,
          [&](Control& control) {
              best_fractions(GroupNumbers(row.data(), cells), weight.data(), weight.data(), 2, control);
          });
    watch("differing cells", row, nodes, large,
          [&](Control& control) { differing_cells(row.data(), column.data(), cells, 2, control); });
    watch("assignment", weight, 3, large,
          [&](Control& control) { assignment(view(row), view(column), weight.data(), cells, control); });
}

// Indices of an Arrow dictionary, which often are memory of NumPy's.
void watch_dictionary() {
    Numbers indices = draw(20000, 50), entries(50);
    const void* entry_buffers[] = {nullptr, entries.data()};  // all equal, so that codes have to be looked up
    const void* index_buffers[] = {nullptr, indices.data()};
    ArrowArray values{}, array{};
    values.length = 50;
    values.n_buffers = array.n_buffers = 2;
    values.buffers = entry_buffers;
    array.length = static_cast<std::int64_t>(indices.size());
    array.buffers = index_buffers;
    array.dictionary = &values;
    const arrow::Type type = arrow::type_of("l");
    std::vector<arrow::Owned<ArrowArray>> chunks;
    chunks.emplace_back(array);
    const arrow::Dictionaries dictionaries(chunks, type);
    Numbers codes(indices.size());
    watch("dictionary", indices, 50, std::int64_t{1} << 40,
          [&](Control&) { dictionaries.write_codes(0, arrow::integers_of(array, type), codes.data()); });
}

}  // namespace

int main() {
    watch_labels(3000, 20);       // the dense table
    watch_labels(100000, 2000);   // bands
    watch_labels(100000, 90000);  // partitions
    watch_graph();
    watch_dictionary();
}
