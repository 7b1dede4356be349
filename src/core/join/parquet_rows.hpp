// Parquet files whose row groups are read by the workers of a join, each of which adds what it decoded itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/text_keys.hpp"
#include "labels/arrow.hpp"
#include "parquet/file.hpp"
#include "parquet/row_batches.hpp"

namespace concordant {

class ParquetRows {
public:
    // `most_bytes` is the memory for what is decoded at one time.
    ParquetRows(const std::vector<std::string>& paths, const std::vector<parquet::Column>& columns, unsigned threads,
                std::size_t most_bytes, Control& control)
        : threads_(threads),
          most_bytes_of_a_column_(std::min(most_bytes / threads / columns.size(), most_of_any_page)) {
        std::uint64_t rows = 0;
        for (const std::string& path : paths) {
            control.checkpoint();
            files_.emplace_back(path, columns);
        }
        for (const parquet::File& file : files_)
            for (const parquet::RowGroup& group : file.row_groups()) {
                groups_.emplace_back(&file, &group);
                rows += group.rows;
            }
        // Where others would wait, a reader that hands its rows to all workers is the better one.
        constexpr std::uint64_t soon_read = std::uint64_t{1} << 20;
        const bool is_shared = groups_.size() >= threads || rows <= soon_read;
        parquet::require(is_shared, "there are too few row groups for all threads");
    }

    // Calls learn(columns, rows) for the first batches, until each column of text has told how it is read, and then
    // add(worker, columns, rows) for all; a key maker for each column.
    template <class Learn, class Add>
    void read(const std::vector<TextKeys*>& keys, Control& control, Learn learn, Add add) {
        constexpr std::size_t most_learnt_from = std::size_t{1} << 20;
        bool is_known = groups_.empty();
        std::size_t seen = 0;
        for (std::size_t group = 0; group < groups_.size() && !is_known && seen < most_learnt_from; ++group)
            each_batch(group, keys, control, [&](const std::vector<KeyColumn>& columns, std::size_t rows) {
                learn(columns, rows);
                is_known = true;
                for (std::size_t i = 0; i < keys.size(); ++i)
                    is_known &= !columns[i].is_text() || keys[i]->has_learnt();
                seen += rows;
                return !is_known;
            });
        parquet::require(is_known, "a column of texts begins with many nulls");
        parallel_for(control, threads_, groups_.size(), [&](unsigned worker, std::size_t group) {
            each_batch(group, keys, control, [&](const std::vector<KeyColumn>& columns, std::size_t rows) {
                add(worker, columns, rows);
                return true;
            });
            done_.fetch_add(1, std::memory_order_relaxed);
        });
    }

    // The part of the row groups that was read.
    double progress() const {
        const auto all = static_cast<double>(std::max<std::size_t>(1, groups_.size()));
        return static_cast<double>(done_.load(std::memory_order_relaxed)) / all;
    }

private:
    template <class Use>
    void each_batch(std::size_t number, const std::vector<TextKeys*>& keys, Control& control, Use use) const {
        const auto& [file, group] = groups_[number];
        parquet::RowBatches batches(*file, *group, most_bytes_of_a_column_);
        for (std::size_t count; (count = batches.next()) > 0;) {
            control.checkpoint();
            std::vector<KeyColumn> columns;
            columns.reserve(keys.size());
            for (std::size_t i = 0; i < keys.size(); ++i)
                columns.emplace_back(parquet::schema_of(file->columns()[i]), batches.column(i), 0, count, *keys[i]);
            if (!use(columns, count)) return;
        }
    }

    static constexpr std::size_t most_of_any_page = std::size_t{1} << 28;  // few bytes may claim to be many values

    unsigned threads_;
    std::size_t most_bytes_of_a_column_;
    std::vector<parquet::File> files_;
    std::vector<std::pair<const parquet::File*, const parquet::RowGroup*>> groups_;
    std::atomic<std::size_t> done_{0};
};

}  // namespace concordant
