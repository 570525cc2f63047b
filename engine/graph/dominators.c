#include "engine/graph/dominators.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"

#define AHEAD 16
#define REPORT_MASK ((1u << 20) - 1)
#define SORTERS_MAX 4 // threads; each reads all edges

// First for the semidominators: the next vertex up the compressed path to the root of what is
// linked, and the least semidominator on the path up to there, without it. Then for the nearest
// common ancestors: a pointer that skips a part of the way up, and how long the whole way is.
typedef union link {
    struct {
        uint32_t ancestor, least;
    } path;
    struct {
        uint32_t jump, depth;
    } way;
} link;

// The targets of cross edges, "heads", in ascending order, and each one's sources. All others have
// their parent for a dominator.
typedef struct head_table {
    uint64_t *bits;  // which numbers they are
    uint32_t *ranks; // how many are in the words before
    uint32_t count;
    uint32_t *begins; // in `sources`, count + 1
    uint32_t *sources;
    uint32_t *semis; // semidominators
} head_table;

typedef struct finder {
    mc_graph *graph;
    mc_depth_first *walk;
    uint32_t thread_count;
    const mc_progress *progress;
    head_table heads;
    link *links;
    mc_error *error;
} finder;

static void deinit(finder *self) {
    mc_free(self->heads.bits);
    mc_free(self->heads.ranks);
    mc_free(self->heads.begins);
    mc_free(self->heads.sources);
    mc_free(self->heads.semis);
    mc_free(self->links);
}

static mc_result report(const finder *self, uint32_t number) {
    if ((number & REPORT_MASK) != 0 ||
        mc_progress_report(self->progress, number, self->walk->count))
        return MC_OK;
    return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
}

// ---- cross edges by target

static bool is_head(const head_table *heads, uint32_t number) {
    // They are there: nobody asks unless edges could be sorted.
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    return heads->bits[number >> 6] >> (number & 63) & 1;
}

static uint32_t get_head(const head_table *heads, uint32_t number) {
    uint64_t below = heads->bits[number >> 6] & ((UINT64_C(1) << (number & 63)) - 1);
    return heads->ranks[number >> 6] + mc_count_bits(below);
}

// The edges to a range of targets, which one thread sorts.
typedef struct sorter {
    uint32_t begin, end; // words of the bits of heads
    uint32_t head_count, first_head;
    uint32_t edge_count, first_edge;
} sorter;

typedef struct edge_sort {
    const mc_cross_edges *edges;
    head_table *heads;
    sorter parts[SORTERS_MAX];
    uint32_t part_count;
} edge_sort;

static bool is_in(const sorter *part, uint32_t target) {
    return target >> 6 >= part->begin && target >> 6 < part->end;
}

static void mark_heads(void *user, uint32_t index, uint32_t thread) {
    edge_sort *self = user;
    sorter *part = &self->parts[index];
    uint64_t *bits = self->heads->bits;
    (void)thread;
    for (size_t i = 0; i < self->edges->count; i++) {
        uint32_t target = self->edges->items[i].target;
        if (!is_in(part, target)) continue;
        bits[target >> 6] |= UINT64_C(1) << (target & 63);
        part->edge_count++;
    }
    for (uint32_t i = part->begin; i < part->end; i++)
        part->head_count += mc_count_bits(bits[i]);
}

// A counting sort. Sources of a head come in the order of the walk.
static void sort_sources(void *user, uint32_t index, uint32_t thread) {
    const edge_sort *self = user;
    const sorter *part = &self->parts[index];
    head_table *heads = self->heads;
    uint32_t *ends = heads->begins + 1; // of each head: first how many, then where it begins
    uint32_t head = part->first_head, at = part->first_edge;
    (void)thread;
    for (uint32_t i = part->begin; i < part->end; i++) {
        heads->ranks[i] = head;
        head += mc_count_bits(heads->bits[i]);
    }
    for (size_t i = 0; i < self->edges->count; i++)
        if (is_in(part, self->edges->items[i].target))
            ends[get_head(heads, self->edges->items[i].target)]++;
    for (uint32_t i = part->first_head; i < head; i++) {
        uint32_t count = ends[i];
        ends[i] = at;
        at += count;
    }
    for (size_t i = 0; i < self->edges->count; i++) {
        const mc_cross_edge *edge = &self->edges->items[i];
        if (is_in(part, edge->target))
            heads->sources[ends[get_head(heads, edge->target)]++] = edge->source;
    }
}

static void place_parts(edge_sort *self) {
    uint32_t edge = 0;
    for (uint32_t i = 0; i < self->part_count; i++) {
        self->parts[i].first_head = self->heads->count;
        self->parts[i].first_edge = edge;
        self->heads->count += self->parts[i].head_count;
        edge += self->parts[i].edge_count;
    }
}

static mc_result run_sort(edge_sort *self, mc_error *error) {
    const mc_cross_edges *edges = self->edges;
    head_table *heads = self->heads;
    mc_parallel_run(self->part_count, self->part_count, mark_heads, self);
    place_parts(self);
    heads->begins = mc_alloc_zero_scattered((size_t)heads->count + 1, sizeof *heads->begins);
    heads->sources = mc_alloc_scattered(edges->count + AHEAD, sizeof *heads->sources);
    heads->semis = mc_alloc_scattered((size_t)heads->count + 1, sizeof *heads->semis);
    if (!heads->begins || !heads->sources || !heads->semis) return mc_error_out_of_memory(error);
    mc_parallel_run(self->part_count, self->part_count, sort_sources, self);
    return MC_OK;
}

static mc_result sort_edges(finder *self) {
    mc_cross_edges *edges = &self->walk->crosses;
    head_table *heads = &self->heads;
    const uint32_t word_count = (self->walk->count >> 6) + 1;
    edge_sort sort = {.edges = edges, .heads = heads, .part_count = self->thread_count};
    if (edges->count >= MC_NONE)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many references: 2^32 or more");
    heads->bits = mc_alloc_zero_scattered(word_count, sizeof *heads->bits);
    heads->ranks = mc_alloc_scattered(word_count, sizeof *heads->ranks);
    if (!heads->bits || !heads->ranks) return mc_error_out_of_memory(self->error);
    if (sort.part_count > SORTERS_MAX) sort.part_count = SORTERS_MAX;
    for (uint32_t i = 0; i < sort.part_count; i++) {
        sort.parts[i].begin = (uint32_t)((uint64_t)word_count * i / sort.part_count);
        sort.parts[i].end = (uint32_t)((uint64_t)word_count * (i + 1) / sort.part_count);
    }
    mc_result result = run_sort(&sort, self->error);
    mc_free(edges->items);
    *edges = (mc_cross_edges){.count = 0};
    return result;
}

// ---- semidominators

// The least semidominator on the way from `number`, which is above `root`, up to the last vertex
// that is. Halves the way on it.
static inline uint32_t evaluate(link *links, uint32_t number, uint32_t root) {
    uint32_t least = links[number].path.least;
    for (uint32_t next; (next = links[number].path.ancestor) > root;) {
        uint32_t beyond = links[next].path.ancestor, next_least = links[next].path.least;
        if (next_least < links[number].path.least) links[number].path.least = next_least;
        if (next_least < least) least = next_least;
        links[number].path.ancestor = beyond;
        if (beyond <= root) break;
        number = beyond;
        if (links[number].path.least < least) least = links[number].path.least;
    }
    return least;
}

static uint32_t find_semidominator(finder *self, uint32_t number, uint32_t head) {
    link *links = self->links;
    const uint32_t *sources = self->heads.sources;
    uint32_t least = self->walk->parents[number];
    // Downwards, as the heads, so that those whose turn comes soon lie before. Each step of a path
    // names where the next one is: the second is fetched when the first has come, then the third.
    for (uint32_t i = self->heads.begins[head + 1]; i-- > self->heads.begins[head];) {
        uint32_t source = sources[i];
        if (i >= 3 * AHEAD) {
            uint32_t next = links[sources[i - AHEAD]].path.ancestor;
            __builtin_prefetch(&links[sources[i - 3 * AHEAD]]);
            __builtin_prefetch(&links[links[sources[i - 2 * AHEAD]].path.ancestor]);
            __builtin_prefetch(&links[links[next].path.ancestor]);
        }
        uint32_t found = source > number ? evaluate(links, source, number) : source;
        if (found < least) least = found;
    }
    return least;
}

// All of a higher number are linked. Those that are no heads have their parent for a semidominator,
// which is what the links begin with.
static mc_result find_semidominators(finder *self) {
    const uint32_t *parents = self->walk->parents;
    uint32_t head = self->heads.count;
    mc_result result = MC_OK;
    self->links = mc_alloc_scattered((size_t)self->walk->count + 1, sizeof *self->links);
    if (!self->links) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i <= self->walk->count; i++)
        self->links[i].path.ancestor = self->links[i].path.least = parents[i];
    for (uint32_t i = self->walk->count; i > 1 && head > 0 && result == MC_OK; i--) {
        result = report(self, self->walk->count - i);
        if (!is_head(&self->heads, i)) continue;
        head--;
        uint32_t least = find_semidominator(self, i, head);
        self->heads.semis[head] = self->links[i].path.least = least;
    }
    return result;
}

// ---- nearest common ancestors

// Extends the ways up by a vertex whose dominator is known, so that from each vertex there are ways
// of every length in steps whose number is logarithmic.
static inline void set_way(link *links, uint32_t number, uint32_t dominator) {
    uint32_t jump = links[dominator].way.jump, beyond = links[jump].way.jump;
    uint32_t depth = links[dominator].way.depth;
    bool is_even = depth - links[jump].way.depth == links[jump].way.depth - links[beyond].way.depth;
    links[number].way.jump = is_even ? beyond : dominator;
    links[number].way.depth = depth + 1;
}

// The nearest on the way up from `number`, itself included, that is not above `most`.
static inline uint32_t climb(const link *links, const uint32_t *dominators, uint32_t number,
                             uint32_t most) {
    while (number > most)
        number = links[number].way.jump > most ? links[number].way.jump : dominators[number];
    return number;
}

// Numbers of the walk part the tree so that this climbs three times at most.
static inline uint32_t find_common(const link *links, const uint32_t *dominators, uint32_t a,
                                   uint32_t b) {
    while (a != b) {
        if (a > b)
            a = climb(links, dominators, a, b);
        else
            b = climb(links, dominators, b, a);
    }
    return a;
}

static mc_result find_dominators(finder *self) {
    uint32_t *dominators = self->walk->parents, head = 0;
    mc_result result = MC_OK;
    link *links = self->links;
    links[0].way.jump = links[0].way.depth = 0;
    links[1].way.jump = links[1].way.depth = 0;
    if (self->walk->count > 0) links[1].way.jump = 1;
    for (uint32_t i = 2; i <= self->walk->count && result == MC_OK; i++) {
        result = report(self, i);
        if (is_head(&self->heads, i))
            dominators[i] = climb(links, dominators, dominators[i], self->heads.semis[head++]);
        set_way(links, i, dominators[i]);
    }
    return result;
}

// Leaves that several vertices reference: each thread has those of a range of positions.
static void fold_range(void *user, uint32_t part, uint32_t thread) {
    const finder *self = user;
    const mc_cross_edges *edges = &self->walk->to_leaves;
    uint32_t *words = self->graph->words;
    const uint64_t word_count = self->graph->word_count;
    const uint32_t begin = (uint32_t)(word_count * part / self->thread_count);
    const uint32_t end = (uint32_t)(word_count * (part + 1) / self->thread_count);
    (void)thread;
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t target = edges->items[i].target;
        if (target < begin || target >= end) continue;
        if (i + AHEAD < edges->count) __builtin_prefetch(&words[edges->items[i + AHEAD].target], 1);
        if (words[target] != 1)
            words[target] = find_common(self->links, self->walk->parents, words[target],
                                        edges->items[i].source);
    }
}

static void fold_leaves(finder *self) {
    mc_parallel_run(self->thread_count, self->thread_count, fold_range, self);
    mc_free(self->walk->to_leaves.items);
    self->walk->to_leaves = (mc_cross_edges){.count = 0};
}

mc_result mc_dominators_find(mc_graph *graph, mc_depth_first *walk, uint32_t thread_count,
                             const mc_progress *progress, mc_error *error) {
    finder self = {.graph = graph,
                   .walk = walk,
                   .thread_count = thread_count > 1 ? thread_count : 1,
                   .progress = progress,
                   .error = error};
    if (self.thread_count > MC_PARALLEL_THREADS_MAX) self.thread_count = MC_PARALLEL_THREADS_MAX;
    mc_result result = sort_edges(&self);
    if (result == MC_OK) result = find_semidominators(&self);
    if (result == MC_OK) result = find_dominators(&self);
    if (result == MC_OK) fold_leaves(&self);
    deinit(&self);
    return result;
}
