#include "counting/run_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "labels/label_ranges.hpp"

namespace concordant {

namespace {

// The range of keys that are addressed directly: all keys if that table is small enough compared with the labels.
KeyRange id_window(const Labels& labels, std::size_t labels_for_an_id) {
    const KeyRange range = likely_range(labels);
    return range.span() < labels.length / labels_for_an_id && range.span() < no_place / 2 ? range : KeyRange{};
}

}  // namespace

std::size_t runs_expected(const Labels& u, const Labels& v) {
    constexpr double short_run = 3;
    constexpr std::size_t worth_looking = 2 * worth_guessing;
    if (u.length < worth_looking) return 0;
    const double mean = mean_run(u, v);
    return mean < short_run ? 0 : static_cast<std::size_t>(static_cast<double>(u.length) / mean);
}

std::size_t runs_per_named_cell(std::size_t length, std::size_t runs) {
    constexpr std::size_t long_run = 8;
    return length / runs < long_run ? 8 : 0;
}

std::optional<RunTable> run_cells(const Labels& u, const Labels& v, std::size_t runs_per_cell, unsigned threads,
                                  Control& control, bool wants_first) {
    const std::size_t labels_for_an_id = runs_per_cell == 0 ? 8 : 64;  // no large table for what is only an attempt
    const KeyRange u_window = id_window(u, labels_for_an_id), v_window = id_window(v, labels_for_an_id);
    std::vector<std::optional<RunTable>> tables(std::max(1U, threads));
    std::vector<BlockRuns> runs(tables.size());
    const auto add = [&](unsigned worker, std::size_t begin, std::size_t count) {
        if (!tables[worker]) tables[worker].emplace(u_window, v_window, u.length, wants_first);
        if (!runs[worker].find(u, v, begin, count)) return false;
        tables[worker]->add(runs[worker], begin);
        return tables[worker]->has_runs_per_cell(runs_per_cell);
    };
    if (!parallel_blocks(control, threads, u.length, add)) return std::nullopt;
    std::optional<RunTable> all;
    for (std::optional<RunTable>& table : tables) {
        if (!table) continue;
        if (!all)
            all = std::move(table);
        else
            all->add(*table);
        table.reset();
    }
    if (all) all->remove(u.dropped, v.dropped);
    return all;
}

}  // namespace concordant
