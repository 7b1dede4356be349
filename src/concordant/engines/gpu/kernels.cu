// The kernels of the GPU engine, built at run time by NVRTC for the types of the labels at hand.
//
// A label counts as its distance from the lowest one: its row, or its column. Labels are read once in each
// kernel and checked there: one outside the expected rows and columns is a stray, is counted
// nowhere, and sets a flag. So labels that change meanwhile are noticed or counted, and never written past
// the end of a table.

using u32 = unsigned int;
using u64 = unsigned long long;

constexpr u32 WARP = 32;
constexpr u32 EVERYONE = 0xffffffffu;
constexpr u32 SMALL = 24;  // sizes below are counted in shared memory, by triples

// ---- labels ----------------------------------------------------------------------------------------

template <int BYTES> struct Unsigned { using type = u32; };
template <> struct Unsigned<8> { using type = u64; };

template <class T> using Distance = typename Unsigned<sizeof(T)>::type;

// Exact for all labels from the lowest on, of whatever sign, since both wrap around in the same way.
template <class T> __device__ __forceinline__ Distance<T> distance(T label, u64 lowest) {
    return static_cast<Distance<T>>(label) - static_cast<Distance<T>>(lowest);
}

// Labels as unsigned integers of the same order.
template <class T> __device__ __forceinline__ u64 ordered(T label) {
    constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    return static_cast<u64>(static_cast<long long>(label)) ^ (is_signed ? 1ull << 63 : 0ull);
}

// Several neighbours, read together.
template <class T, int WIDTH> struct alignas(sizeof(T) * WIDTH) Pack { T label[WIDTH]; };

template <class T, int WIDTH>
__device__ __forceinline__ Pack<T, WIDTH> load(const T* __restrict__ labels, u64 pack) {
    return reinterpret_cast<const Pack<T, WIDTH>*>(labels)[pack];
}

__device__ __forceinline__ u64 thread_number() { return u64(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ __forceinline__ u64 thread_count() { return u64(gridDim.x) * blockDim.x; }

// ---- the lowest and the highest label ----------------------------------------------------------------

// The largest of the labels and of their complements, which a table of zeros may begin with.
template <class T, int WIDTH>
__device__ void note_extremes(const T* __restrict__ labels, u64 length, u64 step, u64* found) {
    u64 high = 0, low = 0;
    const u64 packs = length / WIDTH;
    for (u64 i = thread_number() * step; i < packs; i += thread_count() * step) {
        const Pack<T, WIDTH> pack = load<T, WIDTH>(labels, i);
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            const u64 label = ordered(pack.label[j]);
            high = max(high, label);
            low = max(low, ~label);
        }
    }
    for (u64 i = packs * WIDTH + thread_number(); i < length; i += thread_count()) {
        const u64 label = ordered(labels[i]);
        high = max(high, label);
        low = max(low, ~label);
    }
    for (u32 apart = WARP / 2; apart; apart /= 2) {
        high = max(high, __shfl_down_sync(EVERYONE, high, apart));
        low = max(low, __shfl_down_sync(EVERYONE, low, apart));
    }
    if (threadIdx.x % WARP == 0) {
        atomicMax(found, high);
        atomicMax(found + 1, low);
    }
}

template <class U, class V, int WIDTH>
__global__ void __launch_bounds__(256)
extremes(const U* __restrict__ u, const V* __restrict__ v, u64 length, u64 step, u64* found) {
    note_extremes<U, WIDTH>(u, length, step, found);
    note_extremes<V, WIDTH>(v, length, step, found + 2);
}

// ---- a table that fits into shared memory -------------------------------------------------------------

// Which labels have a row and a column. Where the labels were only sampled, there is some slack for those that
// the sample did not have; rows = 0 where no table for them fits.
struct Window {
    u64 u_lowest, v_lowest, rows, columns;
};

template <class T> __device__ __forceinline__ u64 lowest_of_type() {
    constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    return is_signed ? (1ull << 63) - (1ull << (8 * sizeof(T) - 1)) : 0;
}

template <class T> __device__ __forceinline__ u64 highest_of_type() {
    return lowest_of_type<T>() + (sizeof(T) == 8 ? ~0ull : (1ull << (8 * sizeof(T) % 64)) - 1);
}

template <class T> __device__ __forceinline__ u64 bits_of(u64 ordered_label) {
    constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    return ordered_label ^ (is_signed ? 1ull << 63 : 0ull);
}

// As `extremes` found them: the highest, and the complement of the lowest, of both sides.
template <class U, class V> __device__ Window window_of(const u64* found, bool with_slack, u64 room) {
    u64 u_low = ~found[1], u_high = found[0], v_low = ~found[3], v_high = found[2];
    u64 rows = u_high - u_low + 1, columns = v_high - v_low + 1;  // 0 where all of 64 bits are in use
    if (rows == 0 || columns == 0 || rows > room || columns > room || rows * columns > room) return {0, 0, 0, 0};
    if (with_slack) {
        u64 more_rows = rows / 16 + 4, more_columns = columns / 16 + 4;
        while ((rows + more_rows) * (columns + more_columns) > room) {
            more_rows /= 2;
            more_columns /= 2;
        }
        u_low -= min(more_rows / 4, u_low - lowest_of_type<U>());
        v_low -= min(more_columns / 4, v_low - lowest_of_type<V>());
        u_high += min(more_rows - more_rows / 4, highest_of_type<U>() - u_high);
        v_high += min(more_columns - more_columns / 4, highest_of_type<V>() - v_high);
        rows = u_high - u_low + 1;
        columns = v_high - v_low + 1;
    }
    return {bits_of<U>(u_low), bits_of<V>(v_low), rows, columns};
}

// The output for a table in shared memory: numbers for the host, then the table, then first places.
constexpr u32 EXTREMES = 0, WINDOW = 4, STRAYS = 8, SUMS = 9, UNSEEN = 18, TABLE = 19;

// Each block counts into a table of its own, in several copies side by side where they fit, so lanes that
// count the same cell do not wait for each other. One more cell, the last, takes the strays.
template <class U, class V, int WIDTH>
__global__ void __launch_bounds__(1024, 1)
count_in_shared(const U* __restrict__ u, const V* __restrict__ v, u64 length, u32 with_slack, u32 room, u64* told) {
    extern __shared__ u32 counts[];
    const Window window = window_of<U, V>(told + EXTREMES, with_slack, room);
    if (thread_number() == 0) *reinterpret_cast<Window*>(told + WINDOW) = window;
    if (window.rows == 0) return;
    const u64 u_lowest = window.u_lowest, v_lowest = window.v_lowest;
    const u32 rows = window.rows, columns = window.columns, cells = rows * columns;
    u32 copies = 5;  // as powers of two: one for each lane
    while (copies && u64(cells + 1) << copies > room + 1) --copies;
    const u32 slots = (cells + 1) << copies;
    for (u32 i = threadIdx.x; i < slots; i += blockDim.x) counts[i] = 0;
    __syncthreads();

    const u32 copy = threadIdx.x & ((1u << copies) - 1);
    const u32 lane = threadIdx.x % WARP;
    const auto cell_of = [&](U row_label, V column_label) -> u32 {
        const auto row = distance(row_label, u_lowest);
        const auto column = distance(column_label, v_lowest);
        const bool inside = row < rows && column < columns;
        return inside ? static_cast<u32>(row) * columns + static_cast<u32>(column) : cells;
    };
    const auto add = [&](u32 cell, u32 amount) { atomicAdd(&counts[(cell << copies) | copy], amount); };
    const auto count = [&](const Pack<U, WIDTH>& row_labels, const Pack<V, WIDTH>& column_labels) {
        u32 cell[WIDTH];
        bool alike = true;
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            cell[j] = cell_of(row_labels.label[j], column_labels.label[j]);
            alike = alike && cell[j] == cell[0];
        }
        if (__all_sync(EVERYONE, alike)) {  // as in sorted labels and in images
            const u32 first = __shfl_sync(EVERYONE, cell[0], 0);
            if (__all_sync(EVERYONE, cell[0] == first)) {
                if (lane == 0) add(first, WIDTH * WARP);
            } else {
                add(cell[0], WIDTH);
            }
            return;
        }
        u32 run = 0;
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            ++run;
            if (j == WIDTH - 1 || cell[j] != cell[(j + 1) % WIDTH]) {
                add(cell[j], run);
                run = 0;
            }
        }
    };

    // A warp takes two neighbouring packs a lane, and the next two are on their way while it counts them.
    const u64 packs = length / WIDTH / (2 * WARP) * (2 * WARP);
    const u64 stride = thread_count();
    Pack<U, WIDTH> rows_0, rows_1;
    Pack<V, WIDTH> columns_0, columns_1;
    const auto fetch = [&](u64 pack) {
        rows_0 = load<U, WIDTH>(u, pack);
        columns_0 = load<V, WIDTH>(v, pack);
        rows_1 = load<U, WIDTH>(u, pack + WARP);
        columns_1 = load<V, WIDTH>(v, pack + WARP);
    };
    u64 i = thread_number() / WARP * (2 * WARP) + lane;
    if (i < packs) fetch(i);
    while (i < packs) {
        const Pack<U, WIDTH> now_rows_0 = rows_0, now_rows_1 = rows_1;
        const Pack<V, WIDTH> now_columns_0 = columns_0, now_columns_1 = columns_1;
        i += 2 * stride;
        if (i < packs) fetch(i);
        count(now_rows_0, now_columns_0);
        count(now_rows_1, now_columns_1);
    }
    for (u64 rest = packs * WIDTH + thread_number(); rest < length; rest += stride) add(cell_of(u[rest], v[rest]), 1);

    __syncthreads();
    for (u32 cell = threadIdx.x; cell <= cells; cell += blockDim.x) {
        u64 sum = 0;
        for (u32 each = 0; each < 1u << copies; ++each) sum += counts[(cell << copies) | each];
        if (sum) atomicAdd(&told[cell < cells ? TABLE + cell : STRAYS], sum);
    }
}

// The value that others have written by now, read past the cache of this multiprocessor, which may be stale.
__device__ __forceinline__ u64 seen(const u64* place) { return __ldcg(place); }

// Where labels first appear among the first few, for the rows and then the columns of a window.
template <class U, class V>
__global__ void first_of_window(const U* __restrict__ u, const V* __restrict__ v, u64 end, u32 room, u64* told) {
    const Window window = *reinterpret_cast<const Window*>(told + WINDOW);
    u64* first = told + TABLE + room;
    for (u64 i = thread_number(); i < end; i += thread_count()) {
        const u64 row = distance(u[i], window.u_lowest), column = distance(v[i], window.v_lowest);
        if (row < window.rows && seen(first + row) < ~i) atomicMax(&first[row], ~i);
        u64* first_column = first + window.rows + column;
        if (column < window.columns && seen(first_column) < ~i) atomicMax(first_column, ~i);
    }
}

// ---- counters in global memory ------------------------------------------------------------------------

// Adds 1 at the place of each lane of a whole warp. The places of the first lane, and of the first that differs
// from it, are added up first: otherwise a huge cluster would keep all others waiting at one counter.
template <class Counter> __device__ __forceinline__ void count_together(Counter* counters, u64 place, bool counts) {
    const u32 lane = threadIdx.x % WARP;
    u32 left = __ballot_sync(EVERYONE, counts);
#pragma unroll
    for (int round = 0; round < 2; ++round) {
        if (!left) return;
        const u32 leader = __ffs(left) - 1;
        const u64 common = __shfl_sync(EVERYONE, place, leader);
        const u32 alike = __ballot_sync(EVERYONE, counts && place == common);
        if (lane == leader) atomicAdd(&counters[place], static_cast<Counter>(__popc(alike)));
        counts = counts && place != common;
        left &= ~alike;
    }
    if (counts) atomicAdd(&counters[place], static_cast<Counter>(1));
}

template <class U, class V, int WIDTH, class Counter>
__global__ void __launch_bounds__(512)
count_in_global(const U* __restrict__ u, const V* __restrict__ v, u64 length, u64 u_lowest, u64 v_lowest, u64 rows,
                u64 columns, Counter* table, u64* strays) {
    bool stray = false;
    const auto count = [&](U row_label, V column_label, bool is_there) {
        const u64 row = distance(row_label, u_lowest), column = distance(column_label, v_lowest);
        const bool inside = row < rows && column < columns;
        stray = stray || (is_there && !inside);
        count_together(table, row * columns + column, is_there && inside);
    };
    const u64 packs = length / WIDTH / WARP * WARP;
    for (u64 i = thread_number(); i < packs; i += thread_count()) {
        const Pack<U, WIDTH> row_labels = load<U, WIDTH>(u, i);
        const Pack<V, WIDTH> column_labels = load<V, WIDTH>(v, i);
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) count(row_labels.label[j], column_labels.label[j], true);
    }
    const u64 end = (length + WARP - 1) / WARP * WARP;  // whole warps, since they count together
    for (u64 rest = packs * WIDTH + thread_number(); rest < end; rest += thread_count()) {
        const u64 at = rest < length ? rest : length - 1;
        count(u[at], v[at], rest < length);
    }
    if (stray) atomicAdd(strays, 1ull);
}

// Row and column of each element in one key. The elements of each column are counted in the same pass, or the columns
// are listed to be sorted: counters all over a large memory would take longer than that.
template <class U, class V, int WIDTH>
__global__ void __launch_bounds__(512)
make_keys(const U* __restrict__ u, const V* __restrict__ v, u64 length, u64 u_lowest, u64 v_lowest, u64 last_row,
          u64 last_column, u32 shift, u64* __restrict__ keys, u32* column_sizes, u32* __restrict__ column_list, u64* strays) {
    bool stray = false;
    const u64 column_bits = (1ull << shift) - 1;
    const auto make = [&](U row_label, V column_label, bool is_there) -> u64 {
        const u64 row = distance(row_label, u_lowest), column = distance(column_label, v_lowest);
        const bool inside = row <= last_row && column <= last_column;
        stray = stray || (is_there && !inside);
        if (column_sizes) count_together(column_sizes, column, is_there && inside);
        return inside ? row << shift | column : ~0ull;
    };
    const u64 packs = length / WIDTH / WARP * WARP;
    for (u64 i = thread_number(); i < packs; i += thread_count()) {
        const Pack<U, WIDTH> row_labels = load<U, WIDTH>(u, i);
        const Pack<V, WIDTH> column_labels = load<V, WIDTH>(v, i);
        u64 made[WIDTH];
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) made[j] = make(row_labels.label[j], column_labels.label[j], true);
        if constexpr (WIDTH == 1) {
            keys[i] = made[0];
        } else {  // two at a time, as wide as memory takes them
            auto* places = reinterpret_cast<Pack<u64, 2>*>(keys + i * WIDTH);
#pragma unroll
            for (int j = 0; j < WIDTH; j += 2) places[j / 2] = {{made[j], made[j + 1]}};
        }
        if (column_list) {
            Pack<u32, WIDTH> columns;
#pragma unroll
            for (int j = 0; j < WIDTH; ++j) columns.label[j] = static_cast<u32>(made[j] & column_bits);
            reinterpret_cast<Pack<u32, WIDTH>*>(column_list)[i] = columns;
        }
    }
    const u64 end = (length + WARP - 1) / WARP * WARP;
    for (u64 rest = packs * WIDTH + thread_number(); rest < end; rest += thread_count()) {
        const u64 at = rest < length ? rest : length - 1;
        const u64 key = make(u[at], v[at], rest < length);
        if (rest < length) keys[rest] = key;
        if (rest < length && column_list) column_list[rest] = static_cast<u32>(key & column_bits);
    }
    if (stray) atomicAdd(strays, 1ull);
}

// Where each label first appears from begin to end, as the complement, which a table of zeros may begin with.
template <class T>
__global__ void first_places(const T* __restrict__ labels, u64 begin, u64 end, u64 lowest, u64 range, u64* first) {
    for (u64 i = begin + thread_number(); i < end; i += thread_count()) {
        const u64 place = distance(labels[i], lowest);
        if (place < range && seen(first + place) < ~i) atomicMax(&first[place], ~i);
    }
}

// ---- sums of squares -----------------------------------------------------------------------------------

// A sum of squares in three parts, each of which stays below 2**64: bits 0 to 31, 32 to 63, and beyond.
struct Squares {
    u64 low = 0, middle = 0, high = 0;

    __device__ void add(u64 count) {
        const u64 square = count * count;
        low += square & 0xffffffffu;
        middle += square >> 32;
        high += __umul64hi(count, count);
    }

    __device__ void hand_over(u64* sums) {
        for (u32 apart = WARP / 2; apart; apart /= 2) {
            low += __shfl_down_sync(EVERYONE, low, apart);
            middle += __shfl_down_sync(EVERYONE, middle, apart);
            high += __shfl_down_sync(EVERYONE, high, apart);
        }
        if (threadIdx.x % WARP == 0 && (low | middle | high)) {
            atomicAdd(sums, low);
            atomicAdd(sums + 1, middle);
            atomicAdd(sums + 2, high);
        }
    }
};

// The sums of the cells, the rows and the columns. A block takes a line, first of the rows, then of the columns.
// Where first places are given, lines that hold something and have none are counted as unseen.
template <class Counter>
__device__ void add_squares(const Counter* __restrict__ table, u64 rows, u64 columns, u64* sums,
                            const u64* __restrict__ first = nullptr, u64* unseen = nullptr) {
    __shared__ u64 total;
    for (u64 place = blockIdx.x; place < rows + columns; place += gridDim.x) {
        if (threadIdx.x == 0) total = 0;
        __syncthreads();
        const bool is_row = place < rows;
        const u64 line = is_row ? place : place - rows;
        const u64 length = is_row ? columns : rows;
        u64 own = 0;
        Squares cells;
        for (u64 i = threadIdx.x; i < length; i += blockDim.x) {
            const u64 count = is_row ? table[line * columns + i] : table[i * columns + line];
            own += count;
            if (is_row) cells.add(count);
        }
        if (own) atomicAdd(&total, own);
        if (is_row) cells.hand_over(sums);
        __syncthreads();
        if (threadIdx.x < WARP) {
            Squares lines;
            if (threadIdx.x == 0) lines.add(total);
            if (threadIdx.x == 0 && first && total && !first[place]) atomicAdd(unseen, 1ull);
            lines.hand_over(sums + (is_row ? 3 : 6));
        }
        __syncthreads();
    }
}

template <class Counter>
__global__ void __launch_bounds__(128) squares_of_table(const Counter* __restrict__ table, u64 rows, u64 columns, u64* sums) {
    add_squares(table, rows, columns, sums);
}

__global__ void __launch_bounds__(128) squares_of_window(u64* told, u32 room, u32 has_first) {
    const Window window = *reinterpret_cast<const Window*>(told + WINDOW);
    const u64* first = has_first ? told + TABLE + room : nullptr;
    add_squares(told + TABLE, window.rows, window.columns, told + SUMS, first, told + UNSEEN);
}

// ---- the profile ---------------------------------------------------------------------------------------

// Counts triples: those of small clusters in shared memory, all others in lists, to be sorted. If the lists
// are too short, only the number of their entries is returned.
struct Triples {
    u32* small;        // shared, SMALL ** 3
    u64* listed;       // how many triples are in the lists
    u64 *n, *a, *b;    // the lists
    u64 room;

    __device__ void add(u64 overlap, u64 row_size, u64 column_size) {
        if (row_size < SMALL && column_size < SMALL) {
            atomicAdd(&small[(row_size * SMALL + column_size) * SMALL + overlap], 1u);
            return;
        }
        const u32 together = __activemask();  // one of them asks for places for all
        const u32 lane = threadIdx.x % WARP, leader = __ffs(together) - 1;
        u64 place = 0;
        if (lane == leader) place = atomicAdd(listed, static_cast<u64>(__popc(together)));
        place = __shfl_sync(together, place, leader) + __popc(together & ((1u << lane) - 1));
        if (place < room) {
            n[place] = overlap;
            a[place] = row_size;
            b[place] = column_size;
        }
    }
};

__device__ void clear(u32* small) {
    for (u32 i = threadIdx.x; i < SMALL * SMALL * SMALL; i += blockDim.x) small[i] = 0;
    __syncthreads();
}

__device__ void hand_over(const u32* small, u64* counts) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < SMALL * SMALL * SMALL; i += blockDim.x)
        if (small[i]) atomicAdd(&counts[i], static_cast<u64>(small[i]));
}

// The end of the keys from `begin` on whose upper bits are those of its key: nearby ends are found quickly.
template <class Key> __device__ u64 end_of_run(const Key* __restrict__ keys, u64 begin, u64 length, u32 shift) {
    const Key wanted = keys[begin] >> shift;
    u64 low = begin, high = begin + 1;
    for (u64 step = 1; high < length && keys[high] >> shift == wanted; step *= 2) {
        low = high;
        high = low + step;
    }
    high = min(high, length);
    while (high - low > 1) {
        const u64 middle = low + (high - low) / 2;
        (keys[middle] >> shift == wanted ? low : high) = middle;
    }
    return high;
}

__device__ u64 begin_of_run(const u64* __restrict__ keys, u64 position, u32 shift) {
    const u64 wanted = keys[position] >> shift;
    u64 high = position, reach = 1;  // keys[high] is in the run
    while (high >= reach && keys[high - reach] >> shift == wanted) {
        high -= reach;
        reach *= 2;
    }
    u64 low = high >= reach ? high - reach : 0;
    if (keys[low] >> shift == wanted) return low;
    while (high - low > 1) {
        const u64 middle = low + (high - low) / 2;
        (keys[middle] >> shift == wanted ? high : low) = middle;
    }
    return high;
}

// How many elements each column has, of the sorted columns of all elements.
__global__ void sizes_of_columns(const u32* __restrict__ columns, u64 length, u64 range, u32* column_sizes) {
    for (u64 i = thread_number(); i < length; i += thread_count()) {
        const u32 column = columns[i];
        if (i > 0 && columns[i - 1] == column) continue;
        if (column < range) column_sizes[column] = static_cast<u32>(end_of_run(columns, i, length, 0) - i);
    }
}

// The triples of sorted keys. A cell is a run of equal keys, a row a run of equal upper bits.
__global__ void __launch_bounds__(1024)
profile_of_keys(const u64* __restrict__ keys, u64 length, u32 shift, const u32* __restrict__ column_sizes, u64* cells,
                u64* small_counts, u64* listed, u64* n, u64* a, u64* b, u64 room) {
    extern __shared__ u32 small[];
    clear(small);
    Triples triples{small, listed, n, a, b, room};
    const u64 column_bits = (1ull << shift) - 1;
    u64 own = 0;
    for (u64 i = thread_number(); i < length; i += thread_count()) {
        const u64 key = keys[i];
        if (i > 0 && keys[i - 1] == key) continue;
        ++own;
        const u64 end = end_of_run(keys, i, length, 0);
        u64 begin_of_row = i, end_of_row = end;
        if (i > 0 && keys[i - 1] >> shift == key >> shift) begin_of_row = begin_of_run(keys, i - 1, shift);
        if (end < length && keys[end] >> shift == key >> shift) end_of_row = end_of_run(keys, end, length, shift);
        triples.add(end - i, end_of_row - begin_of_row, column_sizes[key & column_bits]);
    }
    if (own) atomicAdd(cells, own);
    hand_over(small, small_counts);
}

// The triples of cells that are known.
__global__ void __launch_bounds__(1024)
profile_of_cells(const u64* __restrict__ overlap, const u64* __restrict__ row_size, const u64* __restrict__ column_size,
                 u64 length, u64* small_counts, u64* listed, u64* n, u64* a, u64* b, u64 room) {
    extern __shared__ u32 small[];
    clear(small);
    Triples triples{small, listed, n, a, b, room};
    for (u64 i = thread_number(); i < length; i += thread_count()) triples.add(overlap[i], row_size[i], column_size[i]);
    hand_over(small, small_counts);
}
