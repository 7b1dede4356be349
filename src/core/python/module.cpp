// The compiled core of concordant as a Python module: arrays in, arrays out, no arithmetic here.
//
// The core counts. From two labellings of the same elements it makes their profile or their contingency table
// (counting/), having turned labels of any kind into integers (labels/); on the graph of overlapping clusters
// it finds matchings, blocks and biconnected components (graph/); and it knows what chance alone would give
// (chance/), and finds the partition nearest to many (consensus/). It walks trees, compares them and makes them
// of scored pairs (hierarchies/). It joins sources by record within the memory given (join/), and checks text before an engine
// reads it (text/). Threads, hash tables, buffers and wide integers are in base/. Only this folder knows Python:
// buffers of arrays, objects, Arrow columns, and how a call gives up the GIL.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "chance/expected_mutual_information.hpp"
#include "counting/cell_triples.hpp"
#include "counting/contingency.hpp"
#include "counting/differing_marks.hpp"
#include "counting/overlap_sums.hpp"
#include "counting/pair_sums.hpp"
#include "counting/profile.hpp"
#include "counting/shared_clusters.hpp"
#include "counting/triples.hpp"
#include "labels/among.hpp"
#include "labels/codes.hpp"
#include "labels/item_codes.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"
#include "labels/record_match.hpp"
#include "labels/gather.hpp"
#include "python/arrow_columns.hpp"
#include "python/bindings.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

// Rows of n, a, b and count.
IntTable table_of(const std::vector<Triple>& triples) {
    Buffer<std::int64_t> rows(4 * triples.size());
    std::int64_t* out = rows.begin();
    for (const auto member : {&Triple::n, &Triple::a, &Triple::b, &Triple::count})
        for (const Triple& triple : triples) *out++ = static_cast<std::int64_t>(triple.*member);
    return to_table(std::move(rows), 4);
}

// Two labellings of the same elements, and with how many threads to count them.
struct Labellings {
    BufferView u_view, v_view;
    Labels u, v;
    unsigned threads;

    Labellings(nb::handle u_given, nb::handle v_given, int threads_given)
        : u_view(u_given, "u"), v_view(v_given, "v"), u(u_view.labels()), v(v_view.labels()),
          threads(thread_count(threads_given, u.length)) {
        require_equal_lengths(u_view, v_view);
    }

    // Elements with one of these labels do not count; None leaves out none.
    Labellings(nb::handle u_given, nb::handle v_given, int threads_given, nb::handle u_dropped, nb::handle v_dropped)
        : Labellings(u_given, v_given, threads_given) {
        u.dropped = key_of_label(u_dropped, u.type);
        v.dropped = key_of_label(v_dropped, v.type);
    }

private:
    static std::optional<std::uint64_t> key_of_label(nb::handle label, LabelType type) {
        if (label.is_none()) return std::nullopt;
        std::int64_t number = 0;
        std::uint64_t natural = 0;
        if (is_signed(type) ? nb::try_cast(label, number) : nb::try_cast(label, natural))
            return is_signed(type) ? key_of(number) : natural;
        throw nb::value_error("a dropped label must be an integer of the kind that the labels are");
    }
};

// Calls count(marks, control) and then gives `marks` what it marked, if they are wanted; several threads may count.
template <class Count>
auto run_marking(DifferingMarks* marks, Count count) {
    DifferingMarks found;
    auto result = run([&](Control& control) { return count(marks == nullptr ? nullptr : &found, control); });
    if (marks != nullptr) *marks = std::move(found);
    return result;
}

IntTable profile_table(nb::handle u, nb::handle v, int threads, nb::handle u_dropped, nb::handle v_dropped,
                       DifferingMarks* marks) {
    const Labellings both(u, v, threads, u_dropped, v_dropped);
    return table_of(run_marking(marks, [&](DifferingMarks* found, Control& control) {
        return profile(both.u, both.v, both.threads, control, found);
    }));
}

nb::object to_integer(Uint128 value) {
    const nb::int_ low(low_word(value));
    return high_word(value) == 0 ? nb::object(low) : (nb::int_(high_word(value)) << nb::int_(64)) | low;
}

nb::tuple kept_profile_arrays(nb::handle u, nb::handle v, int threads, nb::handle u_dropped, nb::handle v_dropped,
                              DifferingMarks* marks) {
    const Labellings both(u, v, threads, u_dropped, v_dropped);
    KeptProfile kept = run_marking(marks, [&](DifferingMarks* found, Control& control) {
        return kept_profile(both.u, both.v, both.threads, control, found);
    });
    const PairSums sums = pair_sums(kept.triples);
    return nb::make_tuple(table_of(kept.triples), to_array(std::move(kept.u)), to_array(std::move(kept.v)),
                          nb::make_tuple(to_integer(sums.nn), to_integer(sums.aa), to_integer(sums.bb)));
}

nb::tuple pair_sum_integers(nb::handle u, nb::handle v, int threads, nb::handle u_dropped, nb::handle v_dropped) {
    const Labellings both(u, v, threads, u_dropped, v_dropped);
    const PairSums sums = run([&](Control& control) { return pair_sums(both.u, both.v, both.threads, control); });
    return nb::make_tuple(sums.elements, to_integer(sums.nn), to_integer(sums.aa), to_integer(sums.bb));
}

IntTable triple_table(nb::handle n, nb::handle a, nb::handle b, int threads) {
    const BufferView n_view(n, "n"), a_view(a, "a"), b_view(b, "b");
    const std::int64_t *overlap = n_view.int64s(), *row_size = a_view.int64s(), *column_size = b_view.int64s();
    require_equal_lengths(n_view, a_view);
    require_equal_lengths(n_view, b_view);
    const unsigned team = thread_count(threads, n_view.length());
    return table_of(run([&](Control& control) {
        return count_triples(overlap, row_size, column_size, n_view.length(), team, control);
    }));
}

IntTable cell_triple_table(nb::handle row, nb::handle column, nb::handle n, int threads) {
    const BufferView rows(row, "row"), columns(column, "column"), overlaps(n, "n");
    const std::int64_t *row_of = rows.int64s(), *column_of = columns.int64s(), *overlap = overlaps.int64s();
    require_equal_lengths(rows, columns);
    require_equal_lengths(rows, overlaps);
    const unsigned team = thread_count(threads, rows.length());
    return table_of(run(
        [&](Control& control) { return cell_triples(row_of, column_of, overlap, rows.length(), team, control); }));
}

nb::tuple cell_arrays(nb::handle u, nb::handle v, int threads) {
    const Labellings both(u, v, threads);
    Contingency table = run([&](Control& control) { return contingency(both.u, both.v, both.threads, control); });
    return nb::make_tuple(to_array(std::move(table.row)), to_array(std::move(table.column)),
                          to_array(std::move(table.n)), to_array(std::move(table.row_first)),
                          to_array(std::move(table.column_first)));
}

nb::object differing_element_array(const DifferingMarks& marks, nb::handle labels, int threads) {
    if (!marks.are_known()) return nb::none();
    const BufferView view(labels, "labels");
    const Labels given = view.labels();
    const unsigned team = thread_count(threads, given.length);
    return nb::cast(to_array(run([&](Control& control) { return marks.elements(given, team, control); })));
}

nb::tuple code_arrays(Codes codes) {
    return nb::make_tuple(to_array(std::move(codes.code)), to_array(std::move(codes.first)));
}

LabelArray narrowed_labels(nb::handle labels, int threads) {
    const BufferView view(labels, "labels");
    const Labels given = view.labels();
    const unsigned team = thread_count(threads, given.length);
    return to_array(run([&](Control& control) { return std::move(copy_narrowed(given, team, control).copy); }));
}

nb::tuple factorize_labels(nb::handle labels) {
    const BufferView view(labels, "labels");
    const Labels given = view.labels();
    return code_arrays(run([&](Control& control) { return factorize(given, control); }));
}

nb::object repetition(const Repetition& found) {
    return found.again < 0 ? nb::none() : nb::object(nb::make_tuple(found.first, found.again));
}

nb::tuple matched_records(nb::handle u, nb::handle v, int threads) {
    const BufferView u_view(u, "u"), v_view(v, "v");
    const Labels u_ids = u_view.labels(), v_ids = v_view.labels();
    const unsigned team = thread_count(threads, u_ids.length + v_ids.length);
    const auto as_arrays = [](auto match) {
        return nb::make_tuple(to_array(std::move(match.u)), to_array(std::move(match.v)), to_array(std::move(match.only_u)),
                              to_array(std::move(match.only_v)), repetition(match.in_u), repetition(match.in_v));
    };
    return std::visit(as_arrays, run([&](Control& control) { return match_records(u_ids, v_ids, team, control); }));
}

LabelArray gathered_labels(nb::handle labels, nb::handle positions, int threads) {
    const BufferView view(labels, "labels"), position_view(positions, "positions");
    const Labels given = view.labels(), wanted = position_view.labels();
    const unsigned team = thread_count(threads, wanted.length);
    return to_array(run([&](Control& control) { return gather(given, wanted, team, control); }));
}

IntArray among_array(nb::handle labels, nb::handle wanted, int threads) {
    const BufferView view(labels, "labels"), wanted_view(wanted, "wanted");
    const Labels given = view.labels(), sought = wanted_view.labels();
    if (is_signed(given.type) != is_signed(sought.type)) throw nb::type_error("both must be signed, or neither");
    const unsigned team = thread_count(threads, given.length);
    return to_array(run([&](Control& control) { return positions_among(given, sought, team, control); }));
}

nb::tuple factorize_byte_items(nb::handle items, int threads) {
    const BufferView view(items, "items");
    const Items given({view.items()});
    const unsigned team = thread_count(threads, given.length());
    return code_arrays(run([&](Control& control) { return factorize_items(given, team, control); }));
}

// Copies, since another thread may write to the arrays meanwhile.
Sizes sizes_of(const BufferView& sizes, const BufferView& counts) {
    const std::int64_t *size = sizes.int64s(), *count = counts.int64s();
    require_equal_lengths(sizes, counts);
    return {{size, size + sizes.length()}, {count, count + counts.length()}};
}

double expected_mi(nb::handle row_sizes, nb::handle row_counts, nb::handle column_sizes, nb::handle column_counts,
                   int threads) {
    const BufferView a(row_sizes, "row_sizes"), a_count(row_counts, "row_counts");
    const BufferView b(column_sizes, "column_sizes"), b_count(column_counts, "column_counts");
    const Sizes rows = sizes_of(a, a_count), columns = sizes_of(b, b_count);
    const unsigned team = thread_count(threads);
    return run([&](Control& control) { return expected_mutual_information(rows, columns, team, control); });
}

FloatArray excesses(nb::handle row_sizes, nb::handle column_sizes, std::int64_t total, int threads) {
    const BufferView a(row_sizes, "row_sizes"), b(column_sizes, "column_sizes");
    const std::vector<std::int64_t> rows(a.int64s(), a.int64s() + a.length()), columns(b.int64s(), b.int64s() + b.length());
    const unsigned team = thread_count(threads);
    return to_array(run([&](Control& control) { return pair_excesses(rows, columns, total, team, control); }));
}

// Copies, since another thread may write to the arrays meanwhile.
std::vector<std::int64_t> copied(nb::handle integers, const char* name) {
    const BufferView view(integers, name);
    const std::int64_t* values = view.int64s();
    return {values, values + view.length()};
}

nb::tuple shared_cluster_arrays(nb::handle u_start, nb::handle u_cluster, nb::handle v_start, nb::handle v_cluster,
                                nb::handle elements, bool by_subsets, int threads) {
    const Memberships u{copied(u_start, "u_start"), copied(u_cluster, "u_cluster")};
    const Memberships v{copied(v_start, "v_start"), copied(v_cluster, "v_cluster")};
    const std::vector<std::int64_t> counts = copied(elements, "elements");
    const unsigned team = thread_count(threads, counts.size());
    SharedClusters found =
        run([&](Control& control) { return shared_clusters(u, v, counts, by_subsets, team, control); });
    return nb::make_tuple(to_array(std::move(found.type)), to_array(std::move(found.p)), to_array(std::move(found.q)),
                          to_array(std::move(found.count)));
}

nb::tuple piece_arrays(nb::handle u, nb::handle v, nb::handle values, int threads) {
    const Labellings both(u, v, threads);
    const BufferView value_view(values, "values");
    const std::int64_t* value = value_view.int64s();
    require_equal_lengths(both.u_view, value_view);
    std::int64_t least = 0, most = 0;
    for (std::size_t i = 0; i < value_view.length(); ++i) {
        least = std::min(least, value[i]);
        most = std::max(most, value[i]);
    }
    constexpr unsigned most_bits = 31;
    const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(most)));
    if (least < 0 || bits > most_bits) throw nb::value_error("values are numbered from 0, and fewer than 2**31");
    Pieces pieces;
    Contingency table = run([&](Control& control) {
        return contingency_of_pieces(both.u, both.v, {value, bits}, &pieces, both.threads, control);
    });
    return nb::make_tuple(to_array(std::move(table.row)), to_array(std::move(table.column)), to_array(std::move(table.n)),
                          to_array(std::move(table.row_first)), to_array(std::move(table.column_first)),
                          to_array(std::move(pieces.cell)), to_array(std::move(pieces.value)),
                          to_array(std::move(pieces.n)));
}

nb::tuple overlap_sum_arrays(nb::handle u, nb::handle v, std::size_t clusters, int threads) {
    const Labellings both(u, v, threads);
    if (both.u.length >= std::size_t{1} << 31) throw nb::value_error("the sums of so many elements would overflow");
    const std::uint64_t zero = is_signed(both.u.type) ? key_of(0) : 0;
    Buffer<std::int64_t> a(clusters), together(clusters), over_border(clusters);
    Buffer<double> jaccard(clusters);
    run([&](Control& control) {
        const Buffer<OverlapSums> sums = overlap_sums(both.u, both.v, zero, clusters, both.threads, control);
        for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
            a[cluster] = static_cast<std::int64_t>(sums[cluster].a);
            together[cluster] = static_cast<std::int64_t>(sums[cluster].together);
            over_border[cluster] = static_cast<std::int64_t>(sums[cluster].over_border);
            jaccard[cluster] = sums[cluster].a == 0 ? std::numeric_limits<double>::quiet_NaN() : sums[cluster].jaccard;
        }
        return 0;
    });
    return nb::make_tuple(to_array(std::move(a)), to_array(std::move(together)), to_array(std::move(over_border)),
                          to_array(std::move(jaccard)));
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of concordant.";
    nb::set_leak_warnings(false);  // a comparison that still exists when Python ends is no leak
    // None is let in, so that it gets the same message as any other object that is no array.
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    // A copy in another process knows nothing: the process seed, which scrambles labels, is another there.
    nb::class_<DifferingMarks>(module, "DifferingMarks")
        .def(nb::init<>())
        .def("elements", differing_element_array, any("labels"), "threads"_a = 0)
        .def("__reduce__", [](nb::handle self) { return nb::make_tuple(self.type(), nb::make_tuple()); });
    module.def("profile", profile_table, any("u"), any("v"), "threads"_a = 0, "u_dropped"_a = nb::none(),
               "v_dropped"_a = nb::none(), "marks"_a = nb::none());
    module.def("kept_profile", kept_profile_arrays, any("u"), any("v"), "threads"_a = 0, "u_dropped"_a = nb::none(),
               "v_dropped"_a = nb::none(), "marks"_a = nb::none());
    module.def("pair_sums", pair_sum_integers, any("u"), any("v"), "threads"_a = 0, "u_dropped"_a = nb::none(),
               "v_dropped"_a = nb::none());
    module.def("threads_variable", [] {
        const char* wanted = std::getenv("CONCORDANT_THREADS");
        return wanted == nullptr ? nb::none() : nb::steal(PyUnicode_DecodeFSDefault(wanted));
    });
    module.def("cells", cell_arrays, any("u"), any("v"), "threads"_a = 0);
    module.def("pieces", piece_arrays, any("u"), any("v"), any("values"), "threads"_a = 0);
    module.def("overlap_sums", overlap_sum_arrays, any("u"), any("v"), "clusters"_a, "threads"_a = 0);
    module.def("triples", triple_table, any("n"), any("a"), any("b"), "threads"_a = 0);
    module.def("cell_triples", cell_triple_table, any("row"), any("column"), any("n"), "threads"_a = 0);
    module.def("narrowed", narrowed_labels, any("labels"), "threads"_a = 0);
    module.def("factorize", factorize_labels, any("labels"));
    module.def("gather", gathered_labels, any("labels"), any("positions"), "threads"_a = 0);
    module.def("among", among_array, any("labels"), any("wanted"), "threads"_a = 0);
    module.def("match_records", matched_records, any("u"), any("v"), "threads"_a = 0);
    module.def("factorize_items", factorize_byte_items, any("items"), "threads"_a = 0);
    module.def("factorize_objects", factorize_objects, "objects"_a);
    module.def("integers", integers_of, "objects"_a);
    module.def("floats", floats_of, "objects"_a);
    module.def("encode_arrow", encode_arrow, "values"_a, "threads"_a = 0);
    module.def("expected_mutual_information", expected_mi, any("row_sizes"), any("row_counts"), any("column_sizes"),
               any("column_counts"), "threads"_a = 0);
    module.def("pair_excesses", excesses, any("row_sizes"), any("column_sizes"), "total"_a, "threads"_a = 0);
    module.def("shared_clusters", shared_cluster_arrays, any("u_start"), any("u_cluster"), any("v_start"),
               any("v_cluster"), any("elements"), "by_subsets"_a, "threads"_a = 0);
    add_consensus(module);
    add_graphs(module);
    add_hierarchies(module);
    add_levels(module);
    add_record_join(module);
    add_sampled_labels(module);
    add_slices(module);
    add_soft(module);
    add_text(module);
    add_two_trees(module);
    add_weighted_table(module);
}

}  // namespace concordant::python
