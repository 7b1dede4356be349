// Random labels of every type, stride and shape against a std::map, for several numbers of threads.
// Built with sanitizers by the Makefile beside it; an argument sets the number of rounds.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "chance/expected_mutual_information.hpp"
#include "counting/contingency.hpp"
#include "counting/differing_marks.hpp"
#include "counting/pair_sums.hpp"
#include "counting/profile.hpp"
#include "counting/triples.hpp"
#include "fuzz_records.hpp"
#include "fuzz_text.hpp"
#include "fuzzing.hpp"
#include "graph/assignment.hpp"
#include "graph/blocks.hpp"
#include "graph/groups.hpp"
#include "labels/arrow.hpp"
#include "labels/codes.hpp"
#include "labels/digit_strings.hpp"
#include "labels/item_codes.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"
#include "labels/uuid_strings.hpp"

using namespace concordant;

namespace {

constexpr LabelType all_types[] = {LabelType::boolean, LabelType::int8,  LabelType::int16,
                                   LabelType::int32,   LabelType::int64, LabelType::uint8,
                                   LabelType::uint16,  LabelType::uint32, LabelType::uint64};

// Labels in a block of memory of exactly the needed size, so that any read outside is caught.
struct Sample {
    std::vector<std::byte> memory;
    Labels labels;
    std::vector<std::uint64_t> values;  // as their bytes read, cut to the type
};

enum class Pattern { few, many, distinct, equal, extremes, giant, strided_values, skewed, count };

std::uint64_t draw(Random& random, Pattern pattern, std::size_t i, std::size_t length) {
    switch (pattern) {
        case Pattern::few: return below(random, 7);
        case Pattern::many: return below(random, length / 3 + 1);
        case Pattern::distinct: return i * 0x9e3779b97f4a7c15U;
        case Pattern::equal: return 42;
        case Pattern::extremes: return random() % 2 ? std::uint64_t{1} << 63 : ~(std::uint64_t{1} << 63);
        case Pattern::giant: return random() % 10 ? 5 : random();
        case Pattern::strided_values: return below(random, length / 2 + 1) * 1024;
        default: return std::uint64_t{1} << below(random, 64);
    }
}

Sample make_sample(Random& random, std::size_t length) {
    Sample sample;
    const LabelType type = all_types[below(random, std::size(all_types))];
    const std::size_t width = width_of(type), step = random() % 3 ? width : width + below(random, 9);
    const bool backwards = random() % 4 == 0;
    const std::size_t offset = below(random, 5);
    const auto pattern = static_cast<Pattern>(below(random, static_cast<std::size_t>(Pattern::count)));
    sample.memory.resize(offset + (length == 0 ? 0 : (length - 1) * step + width));
    for (std::size_t i = 0; i < length; ++i) {
        std::uint64_t value = draw(random, pattern, i, length);
        std::memcpy(sample.memory.data() + offset + (backwards ? length - 1 - i : i) * step, &value, width);
        if (width < 8) value &= (std::uint64_t{1} << (8 * width)) - 1;
        sample.values.push_back(type == LabelType::boolean ? value != 0 : value);
    }
    const auto stride = static_cast<std::ptrdiff_t>(step);
    const std::byte* first = sample.memory.data() + offset + (backwards && length > 0 ? (length - 1) * step : 0);
    sample.labels = {first, type, backwards ? -stride : stride, length};
    return sample;
}

using Profile = std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t>;  // (a, b, n) -> count

Profile expected_profile(const Sample& u, const Sample& v) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> cell;
    std::map<std::uint64_t, std::uint64_t> a, b;
    for (std::size_t i = 0; i < u.values.size(); ++i) {
        ++cell[{u.values[i], v.values[i]}];
        ++a[u.values[i]];
        ++b[v.values[i]];
    }
    Profile profile;
    for (const auto& [key, n] : cell) ++profile[{a[key.first], b[key.second], n}];
    return profile;
}

bool same(const std::vector<Triple>& triples, const Profile& expected) {
    return std::equal(triples.begin(), triples.end(), expected.begin(), expected.end(),
                      [](const Triple& triple, const auto& entry) {
                          return std::tuple(triple.a, triple.b, triple.n) == entry.first &&
                                 triple.count == entry.second;
                      });
}

// The copy holds what the labels hold, whatever their type was narrowed to.
bool same(const NarrowCopy& copy, const Labels& labels) {
    std::vector<std::uint64_t> kept(labels.length), given(labels.length);
    if (copy.labels.length != labels.length) return false;
    load_keys(labels, 0, labels.length, given.data());
    load_keys(copy.labels, 0, labels.length, kept.data());
    const bool lost_sign = is_signed(labels.type) && !is_signed(copy.labels.type);
    for (std::uint64_t& key : kept) key += lost_sign ? std::uint64_t{1} << 63 : 0;
    return kept == given;
}

std::vector<std::int64_t> expected_codes(const Sample& sample) {
    std::map<std::uint64_t, std::int64_t> code;
    std::vector<std::int64_t> codes;
    for (const std::uint64_t value : sample.values)
        codes.push_back(code.try_emplace(value, static_cast<std::int64_t>(code.size())).first->second);
    return codes;
}

void check_codes(const Codes& codes, const std::vector<std::int64_t>& expected, unsigned long round) {
    if (!std::equal(codes.code.begin(), codes.code.end(), expected.begin(), expected.end())) fail("factorize", round);
    for (std::size_t code = 0; code < codes.first.size(); ++code)
        if (expected[static_cast<std::size_t>(codes.first[code])] != static_cast<std::int64_t>(code))
            fail("first appearance", round);
}

void check_cells(const Contingency& table, const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                 unsigned long round) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> expected;
    for (std::size_t i = 0; i < rows.size(); ++i) ++expected[{rows[i], columns[i]}];
    if (expected.size() != table.n.size) fail("number of cells", round);
    std::size_t i = 0;
    for (const auto& [cell, n] : expected) {
        if (cell != std::pair(table.row[i], table.column[i]) || n != table.n[i]) fail("cells", round);
        ++i;
    }
}

// Marks find the elements of all clusters that differ, and of no part of a cluster.
void check_marks(const DifferingMarks& marks, const Labels& labels, const std::vector<std::int64_t>& rows,
                 const std::vector<std::int64_t>& columns, unsigned threads, unsigned long round) {
    if (!marks.are_known()) return;
    Control control;
    std::vector<bool> found(rows.size());
    for (const std::int64_t element : marks.elements(labels, threads, control)) found[static_cast<std::size_t>(element)] = true;
    std::map<std::int64_t, std::set<std::int64_t>> of_row, of_column;
    std::map<std::int64_t, std::set<bool>> in_row, in_column;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        of_row[rows[i]].insert(columns[i]);
        of_column[columns[i]].insert(rows[i]);
        in_row[rows[i]].insert(found[i]);
        in_column[columns[i]].insert(found[i]);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool differs = of_row[rows[i]].size() > 1 || of_column[columns[i]].size() > 1;
        if (differs && !found[i]) fail("marks of clusters that differ", round);
        if (in_row[rows[i]].size() > 1 || in_column[columns[i]].size() > 1) fail("marks of a part of a cluster", round);
    }
}

// -- items of bytes --------------------------------------------------------------------------------------

// 32 digits as UUIDs have them; few are written in another way, so that most columns are of one form.
std::string draw_uuid(Random& pick, bool has_dashes, bool may_differ) {
    constexpr char digits[] = "0123456789abcdef", strange[] = "gG:/@`-A\x80";
    std::string text;
    for (std::size_t i = 0; i < 32; ++i) {
        if (has_dashes && (i == 8 || i == 12 || i == 16 || i == 20)) text += '-';
        text += digits[below(pick, i % 8 == 0 ? 16 : 2)];  // so that some parts are equal
    }
    if (may_differ && below(pick, 50) == 0) text[below(pick, text.size())] = strange[below(pick, std::size(strange))];
    return text;
}

std::vector<std::string> draw_texts(Random& random, std::size_t length) {
    constexpr std::size_t counts[] = {1, 20, 3000, 1000000};
    const std::size_t distinct = counts[below(random, std::size(counts))], longest = 1 + below(random, 50);
    const bool are_uuids = below(random, 3) == 0, has_dashes = below(random, 2) == 0, may_differ = below(random, 2) == 0;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < length; ++i) {
        Random pick(below(random, distinct));  // the same text for the same number
        if (are_uuids) {
            texts.push_back(draw_uuid(pick, has_dashes, may_differ));
            continue;
        }
        std::string text(below(pick, longest + 1), 'a');
        for (char& letter : text) letter = static_cast<char>(below(pick, 3));  // zeros among them
        texts.push_back(std::move(text));
    }
    return texts;
}

// Some of the texts in memory of exactly the needed size, behind a few that are skipped.
struct TextChunk {
    std::vector<std::byte> characters, addresses;
    std::vector<std::vector<std::byte>> long_texts;
    std::vector<const void*> buffers;
    ArrowArray array{};
    arrow::Type type;
};

void append(std::vector<std::byte>& memory, const void* from, std::size_t size) {
    const std::size_t old = memory.size();
    memory.resize(old + size);
    if (size > 0) std::memcpy(memory.data() + old, from, size);
}

void append_view(TextChunk& chunk, const std::string& text) {
    std::int32_t head[4] = {static_cast<std::int32_t>(text.size()), 0, 0, 0};
    if (text.size() <= 12) {
        std::memcpy(head + 1, text.data(), text.size());
    } else {
        std::memcpy(head + 1, text.data(), 4);
        head[2] = static_cast<std::int32_t>(chunk.long_texts.size());
        append(chunk.long_texts.emplace_back(), text.data(), text.size());
    }
    append(chunk.addresses, head, sizeof head);
}

template <class Offset>
void append_offsets(TextChunk& chunk, const std::vector<std::string>& texts) {
    Offset at = 0;
    append(chunk.addresses, &at, sizeof at);
    for (const std::string& text : texts) {
        append(chunk.characters, text.data(), text.size());
        at += static_cast<Offset>(text.size());
        append(chunk.addresses, &at, sizeof at);
    }
}

TextChunk make_texts(const char* format, std::vector<std::string> texts, std::size_t skipped) {
    TextChunk chunk;
    chunk.type = arrow::type_of(format);
    chunk.array.length = static_cast<std::int64_t>(texts.size());
    chunk.array.offset = static_cast<std::int64_t>(skipped);
    texts.insert(texts.begin(), skipped, "skipped, and long enough");
    if (chunk.type.layout == Layout::offsets32) append_offsets<std::int32_t>(chunk, texts);
    if (chunk.type.layout == Layout::offsets64) append_offsets<std::int64_t>(chunk, texts);
    if (chunk.type.layout == Layout::views)
        for (const std::string& text : texts) append_view(chunk, text);
    chunk.buffers = {nullptr, chunk.addresses.data()};
    if (chunk.type.layout != Layout::views) chunk.buffers.push_back(chunk.characters.data());
    for (const auto& text : chunk.long_texts) chunk.buffers.push_back(text.data());
    return chunk;
}

std::vector<std::int64_t> expected_codes(const std::vector<std::string>& texts) {
    std::map<std::string, std::int64_t> code;
    std::vector<std::int64_t> codes;
    for (const std::string& text : texts)
        codes.push_back(code.try_emplace(text, static_cast<std::int64_t>(code.size())).first->second);
    return codes;
}

// Numbers are equal where codes are.
void check_numbers(const std::optional<Buffer<std::int64_t>>& numbers, const std::vector<std::int64_t>& codes,
                   unsigned long round) {
    if (!numbers) return;
    std::map<std::int64_t, std::int64_t> number_of, code_of;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::int64_t number = (*numbers)[i];
        if (number_of.emplace(codes[i], number).first->second != number) fail("one text is two numbers", round);
        if (code_of.emplace(number, codes[i]).first->second != codes[i]) fail("two texts are one number", round);
    }
}

void check_texts(Random& random, const std::vector<std::string>& texts, unsigned long round) {
    const char* format = std::array{"u", "Z", "vu"}[below(random, 3)];
    const std::size_t pieces = 1 + below(random, 4);
    std::vector<TextChunk> chunks;
    for (std::size_t piece = 0, begin = 0; piece < pieces; ++piece) {
        const std::size_t end = piece + 1 == pieces ? texts.size() : begin + below(random, texts.size() - begin + 1);
        const auto at = [&](std::size_t i) { return texts.begin() + static_cast<std::ptrdiff_t>(i); };
        chunks.push_back(make_texts(format, {at(begin), at(end)}, below(random, 3)));
        begin = end;
    }
    Items items;
    for (TextChunk& chunk : chunks) {
        chunk.array.buffers = chunk.buffers.data();
        items.append(arrow::chunk_of(chunk.array, chunk.type));
    }
    Control control;
    const auto expected = expected_codes(texts);
    for (const unsigned threads : {1U, 2U, 7U}) {
        check_codes(factorize_items(items, threads, control), expected, round);
        if (texts.empty()) continue;
        const std::vector<std::string> sample = sample_of(items);
        check_numbers(numbers_of_items(items, DigitStrings(sample), threads, control), expected, round);
        check_numbers(uuid_keys(items, UuidStrings(sample), threads, control), expected, round);
    }
}

// Texts padded with zeros to one width, forwards or backwards.
void check_fixed(Random& random, std::vector<std::string> texts, unsigned long round) {
    std::size_t width = 0;
    for (const std::string& text : texts) width = std::max(width, text.size());
    const std::size_t step = width + below(random, 3);
    const bool backwards = random() % 2 == 0;
    std::vector<std::byte> memory(texts.empty() ? 0 : (texts.size() - 1) * step + width);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        texts[i].resize(width);
        const std::size_t place = backwards ? texts.size() - 1 - i : i;
        if (width > 0) std::memcpy(memory.data() + place * step, texts[i].data(), width);
    }
    ItemChunk chunk;
    chunk.length = texts.size();
    chunk.width = width;
    chunk.data = memory.data() + (backwards && !texts.empty() ? (texts.size() - 1) * step : 0);
    chunk.stride = backwards ? -static_cast<std::ptrdiff_t>(step) : static_cast<std::ptrdiff_t>(step);
    Control control;
    for (const unsigned threads : {1U, 2U, 7U})
        check_codes(factorize_items(Items({chunk}), threads, control), expected_codes(texts), round);
}

void check_items(Random& random, std::size_t length, unsigned long round) {
    const auto texts = draw_texts(random, length);
    check_texts(random, texts, round);
    check_fixed(random, texts, round);
}

// The largest total by trying every way to match; for a few rows only.
std::int64_t best_total(const std::vector<std::vector<std::int64_t>>& weight, std::size_t row, unsigned used) {
    if (row == weight.size()) return 0;
    std::int64_t best = best_total(weight, row + 1, used);
    for (std::size_t column = 0; column < weight[row].size(); ++column)
        if ((used >> column & 1) == 0 && weight[row][column] > 0)
            best = std::max(best, weight[row][column] + best_total(weight, row + 1, used | 1U << column));
    return best;
}

Labels view(const std::vector<std::int64_t>& values) {
    return {reinterpret_cast<const std::byte*>(values.data()), LabelType::int64, 8, values.size()};
}

void check_assignment(Random& random, unsigned long round) {
    Control control;
    const std::size_t rows = 1 + below(random, 5), columns = 1 + below(random, 5);
    const std::int64_t largest = std::int64_t{1} << below(random, 20);
    std::vector<std::vector<std::int64_t>> table(rows, std::vector<std::int64_t>(columns, 0));
    std::vector<std::int64_t> row, column, weight;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            if (random() % 3 == 0) continue;
            table[i][j] = static_cast<std::int64_t>(1 + below(random, static_cast<std::size_t>(largest)));
            row.push_back(static_cast<std::int64_t>(i));
            column.push_back(static_cast<std::int64_t>(j));
            weight.push_back(table[i][j]);
        }
    const std::int64_t best = best_total(table, 0, 0);
    std::set<std::int64_t> used_rows, used_columns;
    std::int64_t total = 0;
    for (const std::int64_t position : assignment(view(row), view(column), weight.data(), 1 << 20, control)) {
        const auto i = static_cast<std::size_t>(position);
        total += weight[i];
        if (!used_rows.insert(row[i]).second || !used_columns.insert(column[i]).second) fail("one to one", round);
    }
    if (total != best) fail("assignment", round);
}

// Singletons match singletons however they are relabelled, and one cluster tells nothing.
void check_expected_mi() {
    Control control;
    const Sizes singletons{{1}, {1000}}, one_cluster{{1000}, {1}};
    const double value = expected_mutual_information(singletons, singletons, 2, control);
    if (std::abs(value - std::log(1000.0)) > 1e-12) fail("expected mutual information of singletons", 0);
    if (expected_mutual_information(one_cluster, singletons, 2, control) != 0) fail("of one cluster", 0);
    const std::vector<double> excesses = pair_excesses({1, 1000}, {1}, 1000, 2, control);
    if (excesses.size() != 2 || std::abs(excesses[0] - std::log(1000.0)) > 1e-9 || excesses[1] != 0) fail("excesses", 0);
}

void check_failures() {
    Control control([] { return true; });
    std::vector<std::int64_t> many(500000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * 0x9e3779b97f4a7c15U);
    try {
        for (int i = 0; i < 100; ++i) profile(view(many), view(many), 3, control);
        fail("an interruption that went unnoticed", 0);
    } catch (const Interrupted&) {
    }
    Control other;
    try {
        parallel_for(other, 4, 100, [](unsigned, std::size_t i) {
            if (i == 50) throw std::bad_alloc();
        });
        fail("an exception that stayed in its thread", 0);
    } catch (const std::bad_alloc&) {
    }
}

// -- the overlap graph, against a walk from node to node -----------------------------------------------

struct SmallGraph {
    std::vector<std::int64_t> row, column;

    // Nodes that can be reached; columns follow the rows.
    std::set<std::int64_t> reached(std::int64_t from, std::int64_t rows) const {
        std::set<std::int64_t> seen{from};
        for (std::size_t before = 0; before != seen.size();) {
            before = seen.size();
            for (std::size_t cell = 0; cell < row.size(); ++cell) {
                const std::int64_t one = row[cell], other = rows + column[cell];
                if (seen.count(one) || seen.count(other)) seen.insert({one, other});
            }
        }
        return seen;
    }
};

SmallGraph random_graph(Random& random, std::int64_t& rows) {
    std::set<std::pair<std::int64_t, std::int64_t>> cells;
    const std::size_t side = 1 + below(random, 6), count = 1 + below(random, 14);
    for (std::size_t i = 0; i < count; ++i)
        cells.insert({static_cast<std::int64_t>(below(random, side)), static_cast<std::int64_t>(below(random, side))});
    std::map<std::int64_t, std::int64_t> row_number, column_number;
    SmallGraph graph;
    for (const auto& [row, column] : cells) {
        graph.row.push_back(row_number.insert({row, static_cast<std::int64_t>(row_number.size())}).first->second);
        graph.column.push_back(
            column_number.insert({column, static_cast<std::int64_t>(column_number.size())}).first->second);
    }
    rows = static_cast<std::int64_t>(row_number.size());
    return graph;
}

void check_overlap_graph(Random& random, unsigned long round) {
    std::int64_t rows = 0;
    const SmallGraph graph = random_graph(random, rows);
    const std::size_t cells = graph.row.size();
    Control control;
    const Blocks blocks = find_blocks(graph.row.data(), graph.column.data(), cells, control);
    for (std::int64_t row = 0; row < rows; ++row)
        for (const std::int64_t node : graph.reached(row, rows)) {
            const auto& side = node < rows ? blocks.of_row : blocks.of_column;
            if (side[static_cast<std::size_t>(node < rows ? node : node - rows)] !=
                blocks.of_row[static_cast<std::size_t>(row)])
                fail("linked clusters in two blocks", round);
        }
    const Grouped order = largest_first(graph.row.data(), graph.column.data(), cells, 2, control);
    for (std::size_t g = 0; g < order.groups(); ++g)
        for (std::int64_t i = order.start[g] + 1; i < order.start[g + 1]; ++i) {
            const auto before = static_cast<std::size_t>(order.position[static_cast<std::size_t>(i - 1)]);
            const auto after = static_cast<std::size_t>(order.position[static_cast<std::size_t>(i)]);
            if (graph.row[after] != static_cast<std::int64_t>(g) || graph.column[before] < graph.column[after])
                fail("largest first", round);
        }
}

void check_round(Random& random, unsigned long round) {
    constexpr std::size_t longest[] = {4, 40, 3000, 3000, 40000, 150000};
    const std::size_t length = below(random, longest[below(random, std::size(longest))]);
    const Sample u = make_sample(random, length), v = make_sample(random, length);
    Control control;
    const Profile expected = expected_profile(u, v);
    const auto rows = expected_codes(u), columns = expected_codes(v);
    for (const unsigned threads : {1U, 2U, 7U}) {
        DifferingMarks marks, kept_marks;
        const std::vector<Triple> triples = profile(u.labels, v.labels, threads, control, &marks);
        if (!same(triples, expected)) fail("profile", round);
        check_marks(marks, v.labels, rows, columns, threads, round);
        const KeptProfile kept = kept_profile(u.labels, v.labels, threads, control, &kept_marks);
        check_marks(kept_marks, kept.v.labels, rows, columns, threads, round);
        if (!same(kept.triples, expected)) fail("kept profile", round);
        if (!same(kept.u, u.labels) || !same(kept.v, v.labels)) fail("kept labels", round);
        const PairSums sums = pair_sums(u.labels, v.labels, threads, control), summed = pair_sums(triples);
        if (sums.nn != summed.nn || sums.aa != summed.aa || sums.bb != summed.bb) fail("pair sums", round);
        check_cells(contingency(u.labels, v.labels, threads, control), rows, columns, round);
    }
    check_codes(factorize(u.labels, control), rows, round);
    check_items(random, length, round);
    check_record_match(random, length, round);
    for (int i = 0; i < 20; ++i) check_shared_clusters(random, round);
    for (int i = 0; i < 20; ++i) check_text(random, round);
    for (int i = 0; i < 20; ++i) check_assignment(random, round);
    for (int i = 0; i < 20; ++i) check_overlap_graph(random, round);
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
    check_expected_mi();
    check_failures();
    for (unsigned long round = 0; round < rounds; ++round) {
        Random random(round);
        check_round(random, round);
    }
    std::printf("%lu rounds passed\n", rounds);
}
