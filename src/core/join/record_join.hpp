// Two sources joined by record: ids and labels arrive in batches, and the result is counted overlaps.
//
// Records are joined by their ids (HashJoin), and label pairs go straight to where overlaps are counted. TextCheck proves
// that different strings have different keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/hash_join.hpp"
#include "join/overlaps.hpp"
#include "join/store.hpp"
#include "join/text_check.hpp"

namespace concordant {

enum class Treatment : std::uint8_t { count, alone, drop };

using Policy = std::array<std::array<Treatment, 4>, 2>;  // by side and state

class RecordJoin {
public:
    // Partitions by this many bits of the hash; `bytes` is the memory for all that is kept.
    RecordJoin(unsigned bits, unsigned threads, std::size_t bytes, const std::string& folder,
               const TextKeys& texts, const Policy& policy,
               std::size_t always_few_cells = OverlapCounter::usual_few)
        : bits_(bits), threads_(threads), keys_of_ids_(texts), keys_of_labels_{texts, texts}, policy_(policy), budget_(bytes, folder), pools_(threads),
          hash_join_(std::in_place_type<HashJoin<KeyEntry>>, bits, pools_, budget_),
          overlaps_(bits, pools_, budget_, always_few_cells), ids_(bits, pools_, budget_, false),
          labels_{TextCheck(bits, pools_, budget_, true), TextCheck(bits, pools_, budget_, true)}, findings_(threads) {}

    static constexpr unsigned least_bits = HashJoin<KeyEntry>::least_bits;

    TextKeys& keys_of_ids() { return keys_of_ids_; }
    TextKeys& keys_of_labels(unsigned side) { return keys_of_labels_[side]; }
    std::uint64_t spilled() const { return budget_.spilled(); }

    void set_noise(unsigned side, std::uint64_t key) { noise_[side] = key; }
    void set_noise(unsigned side, std::string text) { noise_text_[side] = std::move(text); }

    // Rows of one side. `again` is true if the ids were given for the other side already.
    void add(unsigned side, const KeyColumn& ids, const KeyColumn& labels, std::size_t rows, bool again,
             Control& control) {
        learn_ids(ids);
        learn_labels(side, labels);
        in_tasks(rows, control, [&](unsigned worker, std::size_t begin, std::size_t count) {
            add_block(worker, side, ids, labels, begin, count, again);
        });
    }

    // Rows that have both labels, where records have no names.
    void add_pairs(const KeyColumn& u, const KeyColumn& v, std::size_t rows, Control& control) {
        learn_labels(0, u);
        learn_labels(1, v);
        in_tasks(rows, control, [&](unsigned worker, std::size_t begin, std::size_t count) {
            add_block_of_pairs(worker, u, v, begin, count);
        });
    }

    // Matches the records of both sides.
    Findings match(Control& control) {
        std::visit(
            [&](auto& hash_join) {
                parallel_for(control, threads_, std::size_t{1} << bits_, [&](unsigned worker, std::size_t partition) {
                    hash_join.join(partition, worker, findings_[worker], control,
                                 [&](std::uint64_t u_state, std::uint64_t u, std::uint64_t v_state, std::uint64_t v) {
                                     emit(worker, u_state, u, v_state, v);
                                 });
                });
                hash_join.close();
            },
            hash_join_);
        Findings all;
        for (const Findings& found : findings_) all.add(found);
        return all;
    }

    JoinedOverlaps overlaps(std::size_t few, bool keeps, Control& control) {
        return overlaps_.overlaps(few, keeps, threads_, control);
    }

    // Checks that different strings among the ids, or the labels of a side, have different keys; picks the strings of
    // some keys, which are sorted.
    bool ids_are_proved(const std::vector<std::uint64_t>& wanted, Texts& picked, Control& control) {
        return ids_.passes(keys_of_ids_, wanted, threads_, control, picked);
    }
    bool labels_are_proved(unsigned side, const std::vector<std::uint64_t>& wanted, Texts& picked, Control& control) {
        return labels_[side].passes(keys_of_labels_[side], wanted, threads_, control, picked);
    }

private:
    void add_block(unsigned worker, unsigned side, const KeyColumn& ids, const KeyColumn& labels, std::size_t begin,
                   std::size_t count, bool again) {
        KeyBlock id, label;
        ids.load(begin, count, id);
        labels.load(begin, count, label);
        Findings& found = findings_[worker];
        found.rows[side] += count;
        std::visit(
            [&](auto& hash_join) {
                for (std::size_t i = 0; i < count; ++i) {
                    if (id.null[i]) continue;
                    ++found.named[side];
                    const std::uint64_t state = state_of(side, label.null[i], label.key[i]);
                    hash_join.add(worker, side, id.key[i], id.uuid[i], state, label.key[i]);
                }
            },
            hash_join_);
        // UUIDs are joined by both of their words.
        if (ids.is_text() && !again) ids_.add(worker, ids, id, begin, count, id.null.data(), false);
        if (labels.is_text()) labels_[side].add(worker, labels, label, begin, count, id.null.data(), true);
    }

    // Equal pairs in a row are added together.
    void add_block_of_pairs(unsigned worker, const KeyColumn& u, const KeyColumn& v, std::size_t begin,
                            std::size_t count) {
        KeyBlock one, other;
        u.load(begin, count, one);
        v.load(begin, count, other);
        for (std::size_t i = 0, end = 0; i < count; i = end) {
            for (end = i + 1; end < count && one.are_equal(i, end) && other.are_equal(i, end);) ++end;
            emit(worker, state_of(0, one.null[i], one.key[i]), one.key[i], state_of(1, other.null[i], other.key[i]),
                 other.key[i], end - i);
        }
        if (u.is_text()) labels_[0].add(worker, u, one, begin, count, one.null.data(), true);
        if (v.is_text()) labels_[1].add(worker, v, other, begin, count, other.null.data(), true);
    }

    template <class Use>
    void in_tasks(std::size_t rows, Control& control, Use use) {
        constexpr std::size_t task_length = std::size_t{1} << 15, at_once = block_length / 4;  // whose numbers stay near
        parallel_for(control, threads_, (rows + task_length - 1) / task_length, [&](unsigned worker, std::size_t task) {
            const std::size_t end = std::min(rows, (task + 1) * task_length);
            for (std::size_t begin = task * task_length; begin < end; begin += at_once)
                use(worker, begin, std::min(at_once, end - begin));
        });
    }

    std::uint64_t state_of(unsigned side, bool null, std::uint64_t key) const {
        if (null) return null_label;
        return noise_[side] && *noise_[side] == key ? noise_label : labelled;
    }

    // The first strings show whether ids are UUIDs; none came before.
    void learn_ids(const KeyColumn& ids) {
        if (!ids.is_text() || knows_ids_ || !keys_of_ids_.has_learnt()) return;
        knows_ids_ = true;
        if (keys_of_ids_.has_uuids()) hash_join_.emplace<HashJoin<UuidEntry>>(bits_, pools_, budget_);
    }

    void learn_labels(unsigned side, const KeyColumn& labels) {
        if (!labels.is_text() || knows_labels_[side] || !keys_of_labels_[side].has_learnt()) return;
        knows_labels_[side] = true;
        look_for_noise(side);
    }

    void look_for_noise(unsigned side) {
        if (!noise_text_[side]) return;
        const Item text = item_of(*noise_text_[side]);
        Uuid number{};
        noise_[side] = keys_of_labels_[side](text, number);
        if (TextKeys::is_uuid(*noise_[side]))
            labels_[side].add(0, *noise_[side], number);
        else if (TextKeys::is_hash(*noise_[side]))
            labels_[side].add(0, *noise_[side], text);
    }

    void emit(unsigned worker, std::uint64_t u_state, std::uint64_t u, std::uint64_t v_state, std::uint64_t v,
              std::size_t rows = 1) {
        findings_[worker].states[u_state][v_state] += rows;
        const Treatment of_u = policy_[0][u_state], of_v = policy_[1][v_state];
        if (of_u == Treatment::drop || of_v == Treatment::drop) return;
        if (of_u == Treatment::count && of_v == Treatment::count)
            overlaps_.add(worker, u, v, rows);
        else
            emit_alone(worker, of_u == Treatment::count, u, of_v == Treatment::count, v, rows);
    }

    // Rows that are in no cluster on one or both sides.
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
    MemoryBudget budget_;
    std::vector<ChunkPool> pools_;
    std::variant<HashJoin<KeyEntry>, HashJoin<UuidEntry>> hash_join_;
    OverlapCounter overlaps_;
    TextCheck ids_;
    std::array<TextCheck, 2> labels_;
    std::array<std::optional<std::uint64_t>, 2> noise_;
    std::array<std::optional<std::string>, 2> noise_text_;
    bool knows_ids_ = false;
    std::array<bool, 2> knows_labels_{};
    std::vector<Findings> findings_;  // of each worker
};

}  // namespace concordant
