#include "engine/graph/depth_first.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define AHEAD 8                 // edges whose targets are fetched before it is their turn
#define REPORT_COUNT (1u << 20) // vertices between two reports
_Static_assert(AHEAD <= MC_GRAPH_PADDING, "edges are read ahead of the stream's end");

// Where the walk goes on when what is below has been seen.
typedef struct frame {
    uint32_t edge, source;
} frame;

typedef struct walker {
    mc_graph *graph;
    mc_depth_first *walk;
    frame *stack;
    size_t depth, capacity;
    uint32_t region; // the number at which it begins
    uint32_t next_report;
    // The late root that is walked from; NULL: the root is.
    const mc_graph_late_root *late;
    bool *is_condition; // by kind: of some of its edges
    size_t *ready;      // those of its edges that are there
    size_t ready_count, ready_capacity;
    bool is_out_of_memory;
} walker;

void mc_depth_first_deinit(mc_depth_first *walk) {
    mc_free(walk->parents);
    mc_free(walk->crosses.items);
    mc_free(walk->to_leaves.items);
    mc_free(walk->crossed);
    *walk = (mc_depth_first){.count = 0};
}

static inline bool add_edge(mc_cross_edges *edges, uint32_t target, uint32_t source) {
    if (edges->count == edges->capacity &&
        !mc_reserve(&edges->items, &edges->capacity, edges->count + 1, sizeof *edges->items))
        return false;
    edges->items[edges->count++] = (mc_cross_edge){target, source};
    return true;
}

static inline bool push(walker *self, uint32_t edge, uint32_t source) {
    if (self->depth == self->capacity &&
        !mc_reserve(&self->stack, &self->capacity, self->depth + 1, sizeof *self->stack))
        return false;
    self->stack[self->depth++] = (frame){edge, source};
    return true;
}

static inline void fetch(const uint32_t *words, uint32_t edge) {
    __builtin_prefetch(&words[words[edge] & MC_GRAPH_POSITION], 1);
}

static void add_ready(walker *self, size_t edge) {
    if (mc_reserve(&self->ready, &self->ready_capacity, self->ready_count + 1, sizeof edge))
        self->ready[self->ready_count++] = edge;
    else
        self->is_out_of_memory = true;
}

// A vertex was found that may be the condition of edges.
static void note_condition(walker *self, uint32_t position) {
    const mc_graph_late_root *late = self->late;
    size_t low = 0, high = late->edge_count;
    if (!self->is_condition[mc_graph_get_kind(self->graph, position)]) return;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (late->edges[middle].condition < position)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < late->edge_count && late->edges[low].condition == position)
        add_ready(self, low++);
}

// A vertex was found: its number.
static inline uint32_t enter(walker *self, uint32_t position, uint32_t source) {
    uint32_t *words = self->graph->words;
    uint32_t number = ++self->walk->count;
    words[position] = number;
    self->walk->parents[number] = source;
    if (self->late) note_condition(self, position);
    for (uint32_t edge = position + MC_GRAPH_HEAD, i = 0; i < AHEAD; i++, edge++) {
        fetch(words, edge);
        if (words[edge] & MC_GRAPH_LAST) break;
    }
    return number;
}

// Follows one edge. *entered: the number of the vertex that was found; 0: none was. False if memory
// is out.
static inline bool follow(walker *self, uint32_t target, uint32_t source, uint32_t *entered) {
    uint32_t *words = self->graph->words;
    uint32_t known = words[target];
    *entered = 0;
    if (words[target + 1] & MC_GRAPH_HAS_EDGES) {
        if (known == 0)
            *entered = enter(self, target, source);
        else if (known >= self->region && known != source &&
                 known != 1) { // the root has no dominator
            self->walk->crossed[known >> 6] |= UINT64_C(1) << (known & 63);
            return add_edge(&self->walk->crosses, known, source);
        }
    } else if (known == 0) {
        words[target] = source;
        if (self->late) note_condition(self, target);
    } else if (known >= self->region && known != source) {
        return add_edge(&self->walk->to_leaves, target, source);
    }
    return true;
}

// Follows the edges of a vertex that was entered, and all from there on.
static mc_result run(walker *self, uint32_t position, const mc_progress *progress,
                     mc_error *error) {
    const uint32_t *words = self->graph->words;
    uint32_t source = words[position], edge = position + MC_GRAPH_HEAD;
    if (!mc_graph_has_edges(self->graph, position)) return MC_OK;
    for (;;) {
        uint32_t word = words[edge], entered = 0, target = word & MC_GRAPH_POSITION;
        bool is_last = word & MC_GRAPH_LAST;
        fetch(words, edge + AHEAD);
        if (target != 0 && !follow(self, target, source, &entered))
            return mc_error_out_of_memory(error);
        if (entered != 0) {
            if (!is_last && !push(self, edge + 1, source)) return mc_error_out_of_memory(error);
            edge = target + MC_GRAPH_HEAD;
            source = entered;
            if (source < self->next_report) continue;
            self->next_report += REPORT_COUNT;
            if (!mc_progress_report(progress, source, self->graph->vertex_count))
                return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        } else if (!is_last) {
            edge++;
        } else if (self->depth > 0) {
            frame top = self->stack[--self->depth];
            edge = top.edge;
            source = top.source;
        } else {
            break;
        }
    }
    return self->is_out_of_memory ? mc_error_out_of_memory(error) : MC_OK;
}

// ---- late roots

static void begin_late(walker *self, const mc_graph_late_root *late) {
    const mc_graph *graph = self->graph;
    memset(self->is_condition, 0, graph->kind_count * sizeof *self->is_condition);
    for (size_t i = 0; i < late->edge_count; i++)
        self->is_condition[mc_graph_get_kind(graph, late->edges[i].condition)] = true;
    self->ready_count = 0;
    for (size_t i = 0; i < late->edge_count; i++)
        if (graph->words[late->edges[i].condition] != 0) add_ready(self, i);
    self->region = enter(self, late->position, 1);
    self->late = late;
}

static int compare_positions(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// Puts edges into the stream, by target, so that they do not depend on the walk.
static void put_edges(const walker *self, uint32_t *targets, size_t count) {
    uint32_t *edges = self->graph->words + self->late->position + MC_GRAPH_HEAD;
    if (count > 1) qsort(targets, count, sizeof *targets, compare_positions);
    for (size_t i = 0; i < count; i++)
        edges[i] |= targets[i];
}

// What is found on the way makes more edges ready.
static mc_result run_late(walker *self, const mc_progress *progress, mc_error *error) {
    const mc_graph_late_root *late = self->late;
    uint32_t *targets = mc_alloc_scattered(late->edge_count + 1, sizeof *targets);
    size_t count = 0;
    mc_result result = targets ? MC_OK : mc_error_out_of_memory(error);
    while (self->ready_count > 0 && result == MC_OK) {
        uint32_t target = late->edges[self->ready[--self->ready_count]].target, entered;
        if (!follow(self, target, self->region, &entered)) result = mc_error_out_of_memory(error);
        if (self->graph->words[target] >= self->region) targets[count++] = target;
        if (entered != 0) result = run(self, target, progress, error);
    }
    if (result == MC_OK && self->is_out_of_memory) result = mc_error_out_of_memory(error);
    if (result == MC_OK) put_edges(self, targets, count);
    mc_free(targets);
    return result;
}

static mc_result walk_late_roots(walker *self, const mc_progress *progress, mc_error *error) {
    mc_graph *graph = self->graph;
    mc_result result = MC_OK;
    self->is_condition =
        mc_alloc_scattered((size_t)graph->kind_count + 1, sizeof *self->is_condition);
    if (!self->is_condition) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < graph->late_root_count && result == MC_OK; i++) {
        begin_late(self, &graph->late_roots[i]);
        result = run_late(self, progress, error);
        mc_free(graph->late_roots[i].edges);
        graph->late_roots[i].edges = NULL;
        self->late = NULL;
    }
    return result;
}

mc_result mc_depth_first_walk(mc_graph *graph, const mc_progress *progress, mc_depth_first *walk,
                              mc_error *error) {
    walker self = {.graph = graph, .walk = walk, .next_report = REPORT_COUNT};
    *walk = (mc_depth_first){.count = 0};
    walk->parents =
        mc_graph_take_column(graph, (size_t)graph->vertex_count + 2, sizeof *walk->parents);
    walk->crossed =
        mc_alloc_zero_scattered(((size_t)graph->vertex_count >> 6) + 1, sizeof *walk->crossed);
    // Memory that is not touched costs nothing.
    walk->crosses.capacity = (size_t)graph->vertex_count + 2;
    walk->crosses.items = mc_alloc_scattered(walk->crosses.capacity, sizeof *walk->crosses.items);
    if (!walk->parents || !walk->crossed || !walk->crosses.items)
        return mc_error_out_of_memory(error);
    walk->parents[0] = 0;
    enter(&self, graph->root, 0);
    mc_result result = run(&self, graph->root, progress, error);
    if (result == MC_OK && graph->late_root_count > 0)
        result = walk_late_roots(&self, progress, error);
    mc_free(self.stack);
    mc_free(self.is_condition);
    mc_free(self.ready);
    return result;
}
