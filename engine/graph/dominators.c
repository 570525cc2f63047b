#include "engine/graph/dominators.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"

#define AHEAD 16
#define REPORT_MASK ((1u << 20) - 1)
#define LINKS (1u << 18) // that one thread fills at a time
#define STRIPE_SHIFT 12  // numbers whose edges one thread sorts, as a power of two
#define BLOCK 64         // edges whose memory is fetched at a time

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
_Static_assert(sizeof(link) == sizeof(mc_cross_edge), "links lie where edges were");

// The targets of cross edges, "heads", in ascending order, and each one's sources, as far as they
// matter. All others have their parent for a dominator.
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
    size_t link_size; // in bytes, of all
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

// Several threads sort, each the edges to every so many numbers. All read all edges.
typedef struct edge_sort {
    mc_cross_edges *edges;
    const uint32_t *parents;
    head_table *heads;
    uint32_t *tops;
    uint32_t *counts; // by head: of the edges that are kept, then where they go
    uint32_t mask;    // one less than the threads, which are a power of two
} edge_sort;

static bool is_of(const edge_sort *self, uint32_t part, uint32_t target) {
    return (target >> STRIPE_SHIFT & self->mask) == part;
}

// The edges of a block that a part sorts, in their order, each with its head.
typedef struct edge_block {
    mc_cross_edge *edges[BLOCK];
    uint32_t heads[BLOCK];
    uint32_t count;
} edge_block;

static void read_block(const edge_sort *self, uint32_t part, size_t begin, edge_block *block) {
    const size_t left = self->edges->count - begin;
    mc_cross_edge *edges = self->edges->items + begin;
    uint32_t own = 0;
    // Whose an edge is and whether it is kept no processor foresees: so there is no branch.
    for (size_t i = 0; i < BLOCK && i < left; i++) {
        block->edges[own] = &edges[i];
        own += is_of(self, part, edges[i].target);
    }
    // The sources of other parts are written meanwhile.
    block->count = 0;
    for (uint32_t i = 0; i < own; i++) {
        block->edges[block->count] = block->edges[i];
        block->count += block->edges[i]->source != 0;
    }
    for (uint32_t i = 0; i < block->count; i++) {
        const uint32_t word = block->edges[i]->target >> 6;
        __builtin_prefetch(&self->heads->bits[word]);
        __builtin_prefetch(&self->heads->ranks[word]);
    }
    for (uint32_t i = 0; i < block->count; i++) {
        block->heads[i] = get_head(self->heads, block->edges[i]->target);
        __builtin_prefetch(&self->counts[block->heads[i]], 1);
    }
}

// The nearest head on the way up from each number, itself included; 1 if there is none.
static void list_tops(const edge_sort *self, uint32_t count) {
    self->tops[0] = 0;
    self->tops[1] = 1;
    for (uint32_t i = 2; i <= count; i++)
        self->tops[i] = is_head(self->heads, i) ? i : self->tops[self->parents[i]];
}

// What is no head adds nothing to the least semidominator on the way up to `target`, because its
// own is its parent. True: no head is met, so that the least is the nearest common ancestor.
static bool shorten(const edge_sort *self, uint32_t target, uint32_t *source) {
    if (*source <= target || self->tops[*source] <= target) return true;
    *source = self->tops[*source];
    return false;
}

// The later the walk met an edge, the higher up is the ancestor that both ends have in common, for
// the walk had left the target by then (before, the source is below the target, and without a head
// between them such an edge adds nothing). So of edges that are no more than that the last is
// enough, and none is needed before one that is more.
static void choose_edges(void *user, uint32_t part, uint32_t thread) {
    const edge_sort *self = user;
    (void)thread;
    for (size_t blocks = (self->edges->count + BLOCK - 1) / BLOCK; blocks-- > 0;) {
        edge_block block;
        read_block(self, part, blocks * BLOCK, &block);
        for (uint32_t i = 0; i < block.count; i++)
            __builtin_prefetch(&self->tops[block.edges[i]->source]);
        for (uint32_t i = block.count; i-- > 0;) {
            mc_cross_edge *edge = block.edges[i];
            uint32_t *count = &self->counts[block.heads[i]];
            if (shorten(self, edge->target, &edge->source) && *count > 0)
                edge->source = 0;
            else
                ++*count;
        }
    }
}

// A counting sort. Sources of a head come in the order of the walk.
static void put_sources(void *user, uint32_t part, uint32_t thread) {
    const edge_sort *self = user;
    uint32_t *sources = self->heads->sources, *places[BLOCK];
    (void)thread;
    for (size_t begin = 0; begin < self->edges->count; begin += BLOCK) {
        edge_block block;
        read_block(self, part, begin, &block);
        for (uint32_t i = 0; i < block.count; i++) {
            places[i] = &sources[self->counts[block.heads[i]]++];
            __builtin_prefetch(places[i], 1);
        }
        for (uint32_t i = 0; i < block.count; i++)
            *places[i] = block.edges[i]->source;
    }
}

static void rank_heads(head_table *heads, uint32_t word_count) {
    for (uint32_t i = 0; i < word_count; i++) {
        heads->ranks[i] = heads->count;
        heads->count += mc_count_bits(heads->bits[i]);
    }
}

static mc_result run_sort(edge_sort *self, uint32_t count, mc_error *error) {
    head_table *heads = self->heads;
    const uint32_t parts = self->mask + 1;
    uint32_t sum = 0;
    rank_heads(heads, (count >> 6) + 1);
    heads->begins = mc_alloc_zero_scattered((size_t)heads->count + 1, sizeof *heads->begins);
    heads->semis = mc_alloc_scattered((size_t)heads->count + 1, sizeof *heads->semis);
    if (!heads->begins || !heads->semis) return mc_error_out_of_memory(error);
    list_tops(self, count);
    self->counts = heads->begins + 1; // once sources are put, it is where the next head's begin
    mc_parallel_run(parts, parts, choose_edges, self);
    for (uint32_t i = 0; i < heads->count; i++) {
        uint32_t of_head = self->counts[i];
        self->counts[i] = sum;
        sum += of_head;
    }
    heads->sources = mc_alloc_scattered((size_t)sum + AHEAD, sizeof *heads->sources);
    if (!heads->sources) return mc_error_out_of_memory(error);
    mc_parallel_run(parts, parts, put_sources, self);
    return MC_OK;
}

static mc_result sort_edges(finder *self) {
    mc_cross_edges *edges = &self->walk->crosses;
    head_table *heads = &self->heads;
    const uint32_t word_count = (self->walk->count >> 6) + 1;
    edge_sort sort = {.edges = edges,
                      .parents = self->walk->parents,
                      .heads = heads,
                      .mask = self->thread_count >= 4 ? 3 : self->thread_count / 2};
    if (edges->count >= MC_NONE)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many references: 2^32 or more");
    heads->bits = self->walk->crossed;
    self->walk->crossed = NULL;
    heads->ranks = mc_alloc_scattered(word_count, sizeof *heads->ranks);
    const size_t top_count = (size_t)self->graph->vertex_count + 1;
    sort.tops = mc_graph_take_column(self->graph, top_count, sizeof *sort.tops);
    if (!heads->ranks || !sort.tops) {
        mc_free(sort.tops);
        return mc_error_out_of_memory(self->error);
    }
    mc_parallel_touch(sort.tops, (size_t)self->walk->count * sizeof *sort.tops, self->thread_count);
    mc_result result = run_sort(&sort, self->walk->count, self->error);
    mc_graph_spare_column(self->graph, sort.tops, top_count * sizeof *sort.tops);
    // More edges than vertices are more memory than links take.
    const size_t link_count = (size_t)self->graph->vertex_count + 2;
    link *shorter = NULL;
    if (edges->capacity > link_count)
        shorter = mc_realloc(edges->items, link_count, sizeof *shorter);
    self->links = shorter ? shorter : (link *)edges->items;
    self->link_size = link_count * sizeof *self->links;
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

// They lie where the edges were. Fresh memory is slow to touch.
static void init_links(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const finder *self = user;
    const uint32_t *parents = self->walk->parents;
    (void)thread;
    for (uint32_t i = begin; i < end; i++)
        self->links[i].path.ancestor = self->links[i].path.least = parents[i];
}

// All of a higher number are linked. Those that are no heads have their parent for a semidominator,
// which is what the links begin with.
static mc_result find_semidominators(finder *self) {
    uint32_t head = self->heads.count;
    mc_result result = MC_OK;
    mc_parallel_run_ranges(self->walk->count + 1, LINKS, self->thread_count, init_links, self);
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
    mc_graph_spare_column(graph, self.links, self.link_size);
    self.links = NULL;
    deinit(&self);
    return result;
}
