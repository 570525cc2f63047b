#include "engine/graph/depth_first.h"

#include "engine/base/memory.h"

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
} walker;

void mc_depth_first_deinit(mc_depth_first *walk) {
    mc_free(walk->parents);
    mc_free(walk->crosses.items);
    mc_free(walk->to_leaves.items);
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

// A vertex was found: its number.
static inline uint32_t enter(walker *self, uint32_t position, uint32_t source) {
    uint32_t *words = self->graph->words;
    uint32_t number = ++self->walk->count;
    words[position] = number;
    self->walk->parents[number] = source;
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
        else if (known != source && known != 1) // nothing dominates the root but itself
            return add_edge(&self->walk->crosses, known, source);
    } else if (known == 0) {
        words[target] = source;
    } else if (known != source) {
        return add_edge(&self->walk->to_leaves, target, source);
    }
    return true;
}

static mc_result run(walker *self, const mc_progress *progress, mc_error *error) {
    const uint32_t *words = self->graph->words;
    uint32_t source = enter(self, self->graph->root, 0);
    uint32_t edge = self->graph->root + MC_GRAPH_HEAD, next_report = REPORT_COUNT;
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
            if (source < next_report) continue;
            next_report += REPORT_COUNT;
            if (!mc_progress_report(progress, source, self->graph->vertex_count))
                return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        } else if (!is_last) {
            edge++;
        } else if (self->depth > 0) {
            frame top = self->stack[--self->depth];
            edge = top.edge;
            source = top.source;
        } else {
            return MC_OK;
        }
    }
}

mc_result mc_depth_first_walk(mc_graph *graph, const mc_progress *progress, mc_depth_first *walk,
                              mc_error *error) {
    walker self = {.graph = graph, .walk = walk};
    *walk = (mc_depth_first){.count = 0};
    walk->parents = mc_alloc((size_t)graph->vertex_count + 2, sizeof *walk->parents);
    if (!walk->parents) return mc_error_out_of_memory(error);
    walk->parents[0] = 0;
    mc_result result = MC_OK;
    if (mc_graph_has_edges(graph, graph->root)) {
        result = run(&self, progress, error);
    } else {
        graph->words[graph->root] = walk->count = 1;
        walk->parents[1] = 0;
    }
    mc_free(self.stack);
    return result;
}
