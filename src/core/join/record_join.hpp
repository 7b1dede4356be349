// Two sources joined by record: ids and labels come in batches, and leave as counted overlaps.
//
// Both sides are partitioned by a hash of the id's key, and records are met inside of their partition. The hash is a
// bijection; that the keys of text differ as the texts do is proved for those at hand (TextCheck). Label pairs go
// straight to where overlaps are counted. Who stands twice, or on one side only, falls out of the match.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/overlaps.hpp"
#include "join/store.hpp"
#include "join/text_check.hpp"

namespace concordant {

// What a label is, as the Python side numbers it.
enum State : unsigned { labelled = 0, null_label = 1, noise_label = 2, absent_label = 3 };

enum class Treatment : std::uint8_t { count, alone, drop };

using Policy = std::array<std::array<Treatment, 4>, 2>;  // by side and state

// What the match found besides label pairs.
struct Findings {
    std::array<std::array<std::uint64_t, 4>, 4> states{};  // elements by what their labels are on both sides
    std::array<std::uint64_t, 2> rows{}, named{};          // of each source; named: that name a record
    std::array<std::map<std::uint64_t, std::uint64_t>, 2> repeated;  // a few hashes of ids, and how often
    std::array<std::vector<std::uint64_t>, 2> only;        // a few hashes of ids that only one side has

    static constexpr std::size_t few = 64;

    void note_only(unsigned side, std::uint64_t hash) {
        if (only[side].size() < few) only[side].push_back(hash);
    }
    // The second time that an id comes counts for two.
    void note_repeated(unsigned side, std::uint64_t hash) {
        std::map<std::uint64_t, std::uint64_t>& found = repeated[side];
        const auto at = found.find(hash);
        if (at != found.end())
            ++at->second;
        else if (found.size() < few)
            found.emplace(hash, 2);
    }
    void add(const Findings& other) {
        for (unsigned u = 0; u < 4; ++u)
            for (unsigned v = 0; v < 4; ++v) states[u][v] += other.states[u][v];
        for (unsigned side = 0; side < 2; ++side) {
            rows[side] += other.rows[side];
            named[side] += other.named[side];
            repeated[side].insert(other.repeated[side].begin(), other.repeated[side].end());
            only[side].insert(only[side].end(), other.only[side].begin(), other.only[side].end());
        }
    }
};

class RecordJoin {
public:
    // Partitions by this many bits of the hash; `bytes` is the memory for all that is kept.
    RecordJoin(unsigned bits, unsigned threads, std::size_t bytes, const std::string& folder,
               const TextKeys& texts, const Policy& policy,
               std::size_t always_few_cells = OverlapCounter::usual_few)
        : bits_(bits), threads_(threads), keys_of_ids_(texts), keys_of_labels_{texts, texts}, policy_(policy), room_(bytes, folder), pools_(threads),
          entries_{Store<Entry>(partitions(), pools_, room_), Store<Entry>(partitions(), pools_, room_)},
          overlaps_(bits, pools_, room_, always_few_cells), ids_(bits, pools_, room_, false),
          labels_{TextCheck(bits, pools_, room_, true), TextCheck(bits, pools_, room_, true)}, workers_(threads) {}

    static constexpr unsigned least_bits = 4;  // the highest bits of a hash follow from its partition, and are used

    TextKeys& keys_of_ids() { return keys_of_ids_; }
    TextKeys& keys_of_labels(unsigned side) { return keys_of_labels_[side]; }
    std::uint64_t spilled() const { return room_.spilled(); }

    void set_noise(unsigned side, std::uint64_t key) { noise_[side] = key; }
    void set_noise(unsigned side, std::string text) { noise_text_[side] = std::move(text); }

    // Rows of one side. `again` where the ids were given for the other side already.
    void add(unsigned side, const KeyColumn& ids, const KeyColumn& labels, std::size_t rows, bool again,
             Control& control) {
        const Hasher scramble;
        look_for_noise(side, labels);
        in_tasks(rows, control, [&](unsigned index, std::size_t begin, std::size_t count) {
            KeyBlock id, label;
            ids.load(begin, count, id);
            labels.load(begin, count, label);
            Findings& found = workers_[index].findings;
            found.rows[side] += count;
            if (KeyRange& seen = workers_[index].labels[side]; seen.span() < DensePairs::most_cells) label.widen(count, seen);
            for (std::size_t i = 0; i < count; ++i) {
                if (id.null[i]) continue;
                ++found.named[side];
                const std::uint64_t state = state_of(side, label.null[i], label.key[i]), hash = scramble(id.key[i]);
                entries_[side].push(index, partition_of(hash),
                                    {(hash & hash_bits) | state << state_shift, label.key[i]});
            }
            if (ids.is_text() && !again) keep_texts(ids_, index, ids, id, begin, count, id.null.data());
            if (labels.is_text()) keep_texts(labels_[side], index, labels, label, begin, count, id.null.data());
        });
    }

    // Rows that have both labels, where records have no names. Those of a run are handed over together.
    void add_pairs(const KeyColumn& u, const KeyColumn& v, std::size_t rows, Control& control) {
        look_for_noise(0, u);
        look_for_noise(1, v);
        if (!std::exchange(have_pairs_, true)) overlaps_.expect(u.range(rows), v.range(rows), rows);
        in_tasks(rows, control, [&](unsigned index, std::size_t begin, std::size_t count) {
            KeyBlock one, other;
            u.load(begin, count, one);
            v.load(begin, count, other);
            for (std::size_t i = 0, end = 0; i < count; i = end) {
                for (end = i + 1; end < count && one.are_equal(i, end) && other.are_equal(i, end);) ++end;
                emit(index, state_of(0, one.null[i], one.key[i]), one.key[i], state_of(1, other.null[i], other.key[i]),
                     other.key[i], end - i);
            }
            if (u.is_text()) keep_texts(labels_[0], index, u, one, begin, count, one.null.data());
            if (v.is_text()) keep_texts(labels_[1], index, v, other, begin, count, other.null.data());
        });
    }

    // Meets the records of both sides.
    Findings match(Control& control) {
        expect_labels();
        parallel_for(control, threads_, partitions(),
                     [&](unsigned worker, std::size_t partition) { meet(partition, worker, control); });
        for (Store<Entry>& side : entries_) side.close();
        Findings all;
        for (const Worker& worker : workers_) all.add(worker.findings);
        return all;
    }

    JoinedOverlaps overlaps(std::size_t few, bool keeps, Control& control) {
        return overlaps_.overlaps(few, keeps, threads_, control);
    }

    // Proves the keys of ids, or of the labels of a side, to differ as their texts do; picks the texts of some keys,
    // which are sorted.
    bool ids_are_proved(const std::vector<std::uint64_t>& wanted, Texts& picked, Control& control) {
        return ids_.passes(keys_of_ids_, wanted, threads_, control, picked);
    }
    bool labels_are_proved(unsigned side, const std::vector<std::uint64_t>& wanted, Texts& picked, Control& control) {
        return labels_[side].passes(keys_of_labels_[side], wanted, threads_, control, picked);
    }

private:
    // The highest bits of the hash give way to what the label is.
    struct Entry {
        std::uint64_t hash, label;
    };
    // The same, with the sides that have the record.
    using Slot = Entry;

    static constexpr unsigned state_shift = 60;
    static constexpr std::uint64_t hash_bits = (std::uint64_t{1} << state_shift) - 1;
    static constexpr std::uint64_t in_u = std::uint64_t{1} << 62, in_v = std::uint64_t{1} << 63;

    struct Worker {
        Findings findings;
        std::array<KeyRange, 2> labels;  // of each side
        std::vector<Slot> slots;
        std::size_t used = 0;
    };

    std::size_t partitions() const { return std::size_t{1} << bits_; }
    std::size_t partition_of(std::uint64_t hash) const { return static_cast<std::size_t>(hash >> (64 - bits_)); }

    template <class Use>
    void in_tasks(std::size_t rows, Control& control, Use use) {
        constexpr std::size_t task_length = std::size_t{1} << 15;
        parallel_for(control, threads_, (rows + task_length - 1) / task_length, [&](unsigned index, std::size_t task) {
            const std::size_t end = std::min(rows, (task + 1) * task_length);
            for (std::size_t begin = task * task_length; begin < end; begin += block_length)
                use(index, begin, std::min(block_length, end - begin));
        });
    }

    void expect_labels() {
        std::array<KeyRange, 2> labels;
        std::uint64_t records = 0;
        for (const Worker& worker : workers_) {
            for (unsigned side = 0; side < 2; ++side) labels[side].widen(worker.labels[side]);
            records += worker.findings.named[0];
        }
        overlaps_.expect(labels[0], labels[1], records);
    }

    std::uint64_t state_of(unsigned side, bool null, std::uint64_t key) const {
        if (null) return null_label;
        return noise_[side] && *noise_[side] == key ? noise_label : labelled;
    }

    static void keep_texts(TextCheck& texts, unsigned worker, const KeyColumn& column, const KeyBlock& block,
                           std::size_t begin, std::size_t count, const bool* left_out) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!TextKeys::is_hash(block.key[i]) || block.null[i] || left_out[i]) continue;
            if (TextKeys::is_wide(block.key[i]))
                texts.add(worker, block.key[i], block.wide[i]);
            else
                texts.add(worker, block.key[i], column.text(begin + i));
        }
    }

    // The key of text is known when the first labels came.
    void look_for_noise(unsigned side, const KeyColumn& labels) {
        if (!noise_text_[side] || noise_[side] || !labels.is_text() || !keys_of_labels_[side].has_learnt()) return;
        const Item text = item_of(*noise_text_[side]);
        WideNumber number{};
        noise_[side] = keys_of_labels_[side](text, number);
        if (TextKeys::is_wide(*noise_[side]))
            labels_[side].add(0, *noise_[side], number);
        else if (TextKeys::is_hash(*noise_[side]))
            labels_[side].add(0, *noise_[side], text);
    }

    void meet(std::size_t partition, unsigned index, Control& control) {
        Worker& worker = workers_[index];
        std::vector<Slot>& slots = worker.slots;
        slots.assign(std::bit_ceil(2 * worker.used + 64), Slot{0, 0});
        worker.used = 0;
        const std::uint64_t high = static_cast<std::uint64_t>(partition) << (64 - bits_) & ~hash_bits;
        std::size_t done = 0;
        const auto pause = [&] {
            if (++done % (std::size_t{1} << 16) == 0) control.checkpoint();
        };
        entries_[0].for_each(partition, [&](const Entry& entry) {
            pause();
            Slot& slot = slot_of(entry.hash & hash_bits, worker);
            if (is_used(slot))
                worker.findings.note_repeated(0, (entry.hash & hash_bits) | high);
            else
                enter(slot, {entry.hash | in_u, entry.label}, worker);
        });
        entries_[1].for_each(partition, [&](const Entry& entry) {
            pause();
            Slot& slot = slot_of(entry.hash & hash_bits, worker);
            const std::uint64_t hash = (entry.hash & hash_bits) | high;
            if ((slot.hash & in_v) != 0) {
                worker.findings.note_repeated(1, hash);
            } else if ((slot.hash & in_u) != 0) {
                slot.hash |= in_v;
                emit(index, state(slot.hash), slot.label, state(entry.hash), entry.label);
            } else {
                worker.findings.note_only(1, hash);
                emit(index, absent_label, 0, state(entry.hash), entry.label);
                enter(slot, {entry.hash | in_v, entry.label}, worker);
            }
        });
        for (const Slot& slot : slots)
            if ((slot.hash & (in_u | in_v)) == in_u) {
                worker.findings.note_only(0, (slot.hash & hash_bits) | high);
                emit(index, state(slot.hash), slot.label, absent_label, 0);
            }
        entries_[0].release(partition, index);
        entries_[1].release(partition, index);
    }

    static std::uint64_t state(std::uint64_t hash) { return hash >> state_shift & 3; }
    static bool is_used(const Slot& slot) { return (slot.hash & (in_u | in_v)) != 0; }

    static Slot& slot_of(std::uint64_t hash, Worker& worker) {
        std::vector<Slot>& slots = worker.slots;
        std::size_t at = static_cast<std::size_t>(hash) & (slots.size() - 1);
        while (is_used(slots[at]) && (slots[at].hash & hash_bits) != hash) at = (at + 1) & (slots.size() - 1);
        return slots[at];
    }

    static void enter(Slot& slot, const Slot& entry, Worker& worker) {
        slot = entry;
        if (++worker.used * 2 <= worker.slots.size()) return;
        std::vector<Slot> before(worker.slots.size() * 4, Slot{0, 0});
        before.swap(worker.slots);
        for (const Slot& each : before)
            if (is_used(each)) slot_of(each.hash & hash_bits, worker) = each;
    }

    void emit(unsigned worker, std::uint64_t u_state, std::uint64_t u, std::uint64_t v_state, std::uint64_t v,
              std::size_t rows = 1) {
        workers_[worker].findings.states[u_state][v_state] += rows;
        const Treatment of_u = policy_[0][u_state], of_v = policy_[1][v_state];
        if (of_u == Treatment::drop || of_v == Treatment::drop) return;
        if (of_u == Treatment::count && of_v == Treatment::count)
            overlaps_.add(worker, u, v, rows);
        else
            emit_alone(worker, of_u == Treatment::count, u, of_v == Treatment::count, v, rows);
    }

    // Rows that one or both sides do not count to a cluster.
    CONCORDANT_SELDOM void emit_alone(unsigned worker, bool has_u, std::uint64_t u, bool has_v, std::uint64_t v,
                                      std::size_t rows) {
        for (; rows > 0; --rows) {
            if (has_v)
                overlaps_.add_alone_in_reference(worker, v);
            else if (has_u)
                overlaps_.add_alone_in_candidate(worker, u);
            else
                overlaps_.add_alone_in_both(worker);
        }
    }

    unsigned bits_, threads_;
    TextKeys keys_of_ids_;
    std::array<TextKeys, 2> keys_of_labels_;
    Policy policy_;
    Room room_;
    std::vector<ChunkPool> pools_;
    std::array<Store<Entry>, 2> entries_;
    OverlapCounter overlaps_;
    TextCheck ids_;
    std::array<TextCheck, 2> labels_;
    bool have_pairs_ = false;
    std::array<std::optional<std::uint64_t>, 2> noise_;
    std::array<std::optional<std::string>, 2> noise_text_;
    std::vector<Worker> workers_;
};

}  // namespace concordant
