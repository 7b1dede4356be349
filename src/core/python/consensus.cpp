#include "python/bindings.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "consensus/bounds.hpp"
#include "consensus/consensus.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;  // elements, and clusters of a draw

// Copies, since another thread may write to the arrays meanwhile.
Draws draws_of(nb::handle cluster, nb::handle weight, nb::sequence share) {
    const BufferView clusters(cluster, "cluster"), weights(weight, "weight");
    const std::int64_t *cluster_of = clusters.int64s(), *weight_of = weights.int64s();
    Draws draws;
    draws.items = weights.length();
    for (const nb::handle each : share) draws.share.push_back(nb::cast<double>(each));
    draws.draws = draws.share.size();
    if (draws.draws == 0 || clusters.length() != draws.items * draws.draws)
        throw nb::value_error("cluster must have one entry for each item and draw");
    draws.clusters.assign(draws.draws, 0);
    draws.cluster.resize(clusters.length());
    std::int64_t elements = 0;
    for (std::size_t i = 0; i < draws.items; ++i) {
        const std::int64_t own = weight_of[i];
        if (own < 1 || own > most - elements) throw nb::value_error("weights must be positive, and below 2**31 in sum");
        elements += own;
        draws.weight.push_back(static_cast<std::uint32_t>(own));
        for (std::size_t b = 0; b < draws.draws; ++b) {
            const std::int64_t number = cluster_of[i * draws.draws + b];
            if (number < 0 || number >= static_cast<std::int64_t>(draws.items))
                throw nb::value_error("clusters are numbered from 0, below the number of items");
            draws.cluster[i * draws.draws + b] = static_cast<std::uint32_t>(number);
            draws.clusters[b] = std::max(draws.clusters[b], static_cast<std::uint32_t>(number + 1));
        }
    }
    return draws;
}

Loss loss_of(const std::string& name) {
    constexpr std::pair<const char*, Loss> losses[] = {{"binder", Loss::binder}, {"vi", Loss::vi},
                                                       {"omari", Loss::omari},   {"nvi", Loss::nvi},
                                                       {"id", Loss::id},         {"nid", Loss::nid}};
    for (const auto& [known, loss] : losses)
        if (name == known) return loss;
    throw nb::value_error("no such loss");
}

nb::tuple consensus_arrays(nb::handle cluster, nb::handle weight, nb::sequence share, nb::str loss, double price,
                           std::int64_t runs, std::int64_t first, std::uint64_t seed, int threads, nb::object progress) {
    const Draws draws = draws_of(cluster, weight, std::move(share));
    if (runs < 1 || first < 0 || static_cast<std::size_t>(first) >= draws.draws)
        throw nb::value_error("runs must be positive, and first a draw");
    std::atomic<std::size_t> done{0};
    const Search search{static_cast<std::size_t>(runs), static_cast<std::size_t>(first), seed,
                        thread_count(threads, draws.items * draws.draws), done};
    // A search ends early if two starts agree, so the rest of its work is counted as done then.
    const auto report = [&] {
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) return true;
        if (progress.is_none()) return false;
        PyObject* none = PyObject_CallFunction(progress.ptr(), "nn", static_cast<Py_ssize_t>(done.load()),
                                               static_cast<Py_ssize_t>(draws.items * search.runs));
        Py_XDECREF(none);
        return none == nullptr;  // what it raised stops the search
    };
    const Loss by = loss_of(loss.c_str());
    ConsensusResult found =
        run([&](Control& control) { return consensus(draws, by, price, search, control); }, report);
    return nb::make_tuple(to_array(std::move(found.label)), to_array(std::move(found.proven)));
}

nb::list draw_overlap_sums(nb::handle cluster, nb::handle weight, nb::sequence share, nb::str loss, int threads) {
    const Draws draws = draws_of(cluster, weight, std::move(share));
    const Criterion criterion(loss_of(loss.c_str()), 1, draws.elements());
    const unsigned team = thread_count(threads, draws.items * draws.draws);
    const std::vector<double> sums =
        run([&](Control& control) { return draw_overlaps(draws, criterion, team, control); });
    nb::list listed;
    for (const double sum : sums) listed.append(sum);
    return listed;
}

double bound_of_pairs(nb::handle cluster, nb::handle weight, nb::sequence share, double price, int threads) {
    const Draws draws = draws_of(cluster, weight, std::move(share));
    const unsigned team = thread_count(threads, draws.items * draws.draws);
    return run([&](Control& control) { return pair_bound(draws, price, team, control); });
}

}  // namespace

void add_consensus(nb::module_& module) {
    module.def("consensus", consensus_arrays, "cluster"_a, "weight"_a, "share"_a, "loss"_a, "price"_a, "runs"_a,
               "first"_a, "seed"_a, "threads"_a = 0, "progress"_a = nb::none());
    module.def("draw_overlaps", draw_overlap_sums, "cluster"_a, "weight"_a, "share"_a, "loss"_a, "threads"_a = 0);
    module.def("pair_bound", bound_of_pairs, "cluster"_a, "weight"_a, "share"_a, "price"_a, "threads"_a = 0);
}

}  // namespace concordant::python
