// Random sources joined by record, against a std::map: numbers and text, in memory and spilled, by several threads.
// Built with sanitizers by the Makefile beside it; an argument sets the number of rounds.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/record_join.hpp"

using namespace concordant;

namespace {

using Random = std::mt19937_64;
using Counts = std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t>;

[[noreturn]] void fail(const char* what, unsigned long round) {
    std::fprintf(stderr, "FAILED: %s (round %lu)\n", what, round);
    std::exit(1);
}

// Another text for each number: of several lengths, or like a UUID, some with large letters, or 24 letters,
// or like a digest, or an address.
std::string text_of(std::int64_t value, unsigned form) {
    const std::uint64_t hash = Hasher{7}(static_cast<std::uint64_t>(value));
    std::array<char, 80> made{};
    switch (form) {
        case 0: return std::string(static_cast<std::size_t>(value % 37), 'x') + std::to_string(value);
        case 1:
            std::snprintf(made.data(), made.size(), hash % 97 == 0 ? "%08X-%04X-%04X-0000-%012X" : "%08x-%04x-%04x-0000-%012x",
                          static_cast<unsigned>(hash >> 32), static_cast<unsigned>(hash >> 16 & 0xffff),
                          static_cast<unsigned>(hash & 0xffff), static_cast<unsigned>(value & 0xffff));
            break;
        case 2: std::snprintf(made.data(), made.size(), "%040llx", static_cast<unsigned long long>(hash)); break;
        case 3: std::snprintf(made.data(), made.size(), "%048llx%010llx", static_cast<unsigned long long>(hash), static_cast<unsigned long long>(value)); break;
        case 4: return std::string(static_cast<std::size_t>(value % 9), '.') + std::to_string(hash) + "@example.org";
        default: std::snprintf(made.data(), made.size(), "01%024llo", static_cast<unsigned long long>(hash));
    }
    return made.data();
}

// A column of 64-bit integers or of text, some of it null, with an offset.
struct Column {
    std::vector<std::int64_t> numbers;
    std::vector<std::int32_t> ends;
    std::string bytes;
    std::vector<std::uint8_t> valid;
    std::array<const void*, 3> buffers{};
    ArrowArray array{};
    ArrowSchema schema{};

    Column(const std::vector<std::optional<std::int64_t>>& values, bool text, std::size_t offset, unsigned form) {
        const std::size_t length = values.size() + offset;
        valid.assign(length / 8 + 1, 0);
        ends.push_back(0);
        for (std::size_t i = 0; i < length; ++i) {
            const auto value = i < offset ? std::optional<std::int64_t>(7) : values[i - offset];
            if (value) valid[i / 8] = static_cast<std::uint8_t>(valid[i / 8] | 1U << (i % 8));
            numbers.push_back(value.value_or(0));
            if (value) bytes += text_of(*value, form);
            ends.push_back(static_cast<std::int32_t>(bytes.size()));
        }
        buffers = {valid.data(), text ? static_cast<const void*>(ends.data()) : numbers.data(), bytes.data()};
        array.length = static_cast<std::int64_t>(values.size());
        array.offset = static_cast<std::int64_t>(offset);
        array.null_count = -1;
        array.n_buffers = text ? 3 : 2;
        array.buffers = buffers.data();
        schema.format = text ? "u" : "l";
    }
    Column(const Column&) = delete;
};

struct Side {
    std::vector<std::optional<std::int64_t>> ids, labels;
};

Side random_side(Random& random, std::size_t records, std::size_t clusters) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < records; ++i)
        if (random() % 10 != 0) ids.push_back(static_cast<std::int64_t>(i * (std::uint64_t{1} << 33)));
    std::shuffle(ids.begin(), ids.end(), random);
    Side side;
    for (const std::int64_t id : ids) {
        side.ids.push_back(random() % 50 == 0 ? std::nullopt : std::optional(id));
        const auto label = static_cast<std::int64_t>(random() % 3 == 0 ? 0 : random() % clusters);
        side.labels.push_back(random() % 20 == 0 ? std::nullopt : std::optional(label));
    }
    return side;
}

// Triples of the records that both sides have with a label; a null label of the reference stands alone.
Counts expected(const Side& u, const Side& v) {
    std::map<std::int64_t, std::optional<std::int64_t>> of_u;
    for (std::size_t i = 0; i < u.ids.size(); ++i)
        if (u.ids[i]) of_u[*u.ids[i]] = u.labels[i];
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> cells;
    std::map<std::int64_t, std::uint64_t> a, b;
    std::int64_t fresh = -1;
    for (std::size_t i = 0; i < v.ids.size(); ++i) {
        if (!v.ids[i] || !v.labels[i] || !of_u.count(*v.ids[i])) continue;
        const auto label = of_u[*v.ids[i]];
        const std::int64_t row = label ? *label : fresh--;
        ++cells[{row, *v.labels[i]}];
        ++a[row];
        ++b[*v.labels[i]];
    }
    Counts counts;
    for (const auto& [cell, n] : cells) ++counts[{n, a[cell.first], b[cell.second]}];
    return counts;
}

void run_round(Random& random, unsigned long round, const std::string& folder) {
    const std::size_t records = 1 + static_cast<std::size_t>(random() % 30'000), clusters = 1 + records / (1 + random() % 9);
    const bool text_ids = random() % 2 == 0, text_labels = random() % 2 == 0;
    const unsigned form = static_cast<unsigned>(random() % 6);
    const unsigned bits = RecordJoin::least_bits + static_cast<unsigned>(random() % 4), threads = 1 + static_cast<unsigned>(random() % 4);
    const std::size_t memory = random() % 2 == 0 ? std::size_t{1} << 30 : static_cast<std::size_t>(random() % (1U << 21));
    constexpr Treatment count = Treatment::count, alone = Treatment::alone, drop = Treatment::drop;
    const Policy policy{{{count, alone, drop, drop}, {count, drop, drop, drop}}};
    RecordJoin join(bits, threads, memory, folder, TextKeys(random()), policy,
                    random() % 2 == 0 ? 1 + random() % 20 : OverlapCounter::usual_few);
    const std::array<Side, 2> sides{random_side(random, records, clusters), random_side(random, records, clusters)};
    Control control;
    for (unsigned side = 0; side < 2; ++side) {
        const std::size_t offset = random() % 3;
        const Column ids(sides[side].ids, text_ids, offset, form), labels(sides[side].labels, text_labels, random() % 9, form);
        const std::size_t rows = sides[side].ids.size(), cut = rows / 3;
        for (const auto& [begin, length] : {std::pair<std::size_t, std::size_t>{0, cut}, {cut, rows - cut}}) {
            const KeyColumn id(ids.schema, ids.array, begin, length, join.keys_of_ids());
            const KeyColumn label(labels.schema, labels.array, begin, length, join.keys_of_labels(side));
            join.add(side, id, label, length, false, control);
        }
    }
    join.match(control);
    Texts picked;
    if (!join.ids_are_proved({}, picked, control)) fail("texts of ids collide", round);
    const JoinedOverlaps found = join.overlaps(random() % 2 == 0 ? 0 : 1'000'000, true, control);
    for (unsigned side = 0; side < 2; ++side)
        if (!join.labels_are_proved(side, {}, picked, control)) fail("texts of labels collide", round);
    Counts counts;
    for (const auto& triples : found.triples)
        for (const Triple& triple : triples) counts[{triple.n, triple.a, triple.b}] += triple.count;
    if (counts != expected(sides[0], sides[1])) fail("counts differ", round);
    if (memory == 0 && records > 20'000 && join.spilled() == 0) fail("nothing was spilled", round);
}

// Texts of the form that was learnt, and such as nearly have it: a key that is no hash tells its text again, and a text
// has the same key each time.
void check_texts(Random& random, unsigned long round) {
    const std::array<std::string, 5> prefixes{"", "n", "entity-", "customer-00", std::string(70, 'p')};
    std::string any;
    for (int byte = -128; byte < 128; ++byte) any += static_cast<char>(byte);
    const std::array<std::string, 5> alphabets{"0123456789", "0123456789abcdef", "acgt-0", std::string("\0\x80\xff*", 4), any};
    const std::string &prefix = prefixes[random() % 5], &letters = alphabets[random() % 5];
    const std::size_t long_ones = std::array<std::size_t, 3>{12, 32, 64}[random() % 3];
    const auto text = [&](std::size_t longest) {
        std::string made = prefix;
        for (std::size_t i = random() % (longest + 1); i > 0; --i) made += letters[random() % letters.size()];
        if (random() % 20 == 0) made += 'z';
        if (random() % 20 == 0) made = made.substr(std::min<std::size_t>(1, made.size()));
        return made;
    };
    std::vector<std::string> sample;
    for (std::size_t i = 0; i < 50; ++i) sample.push_back(text(long_ones));
    TextKeys keys(random());
    keys.learn(sample);
    std::map<std::uint64_t, std::string> seen;
    for (std::size_t i = 0; i < 2000; ++i) {
        const std::string one = text(long_ones + 8);
        Uuid number{};
        const std::uint64_t key = keys(item_of(one), number);
        if (!TextKeys::is_hash(key) && keys.text(key) != one) fail("a key tells another text", round);
        if (TextKeys::is_uuid(key) && keys.text(number) != one) fail("a number tells another text", round);
        if (!seen.emplace(key, one).second && seen[key] != one) fail("two texts have one key", round);
    }
}

}  // namespace

int main(int count, char** arguments) {
    const unsigned long rounds = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 30;
    const std::string folder = std::filesystem::temp_directory_path() / ("concordant-join-" + std::to_string(random_bits()));
    std::filesystem::create_directory(folder);
    Random random(20261115);
    for (unsigned long round = 0; round < rounds; ++round) {
        check_texts(random, round);
        run_round(random, round, folder);
    }
    const bool clean = std::filesystem::is_empty(folder);
    std::filesystem::remove_all(folder);
    if (!clean) fail("files are left", rounds);
    std::printf("%lu rounds of joins\n", rounds);
}
