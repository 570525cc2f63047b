#include "engine/graph/dominator_tree.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/graph/dominators.h"

#define WINDOW 64 // vertices whose memory is fetched at a time

void mc_dominator_tree_deinit(mc_dominator_tree *tree) {
    mc_free(tree->sizes);
    *tree = (mc_dominator_tree){.count = 0};
}

// ---- from numbers of the walk to preorder

// By number of the walk. `begins` has the dominators first.
typedef struct ordering {
    uint32_t count;
    uint32_t *begins, *sizes;
    uint32_t *next; // where the next child of each begins
} ordering;

static bool is_leaf(const mc_graph *graph, uint32_t position) {
    return !mc_graph_has_edges(graph, position) && position < graph->first_root;
}

// Vertices that follow one another. What goes by the numbers that the walk gave them is fetched for
// all before it is needed.
typedef struct vertex_window {
    uint32_t positions[WINDOW];
    uint32_t count, next; // next: the position behind
} vertex_window;

static void fill_window(const mc_graph *graph, vertex_window *window, const uint32_t *column) {
    uint32_t at = window->next;
    for (window->count = 0; window->count < WINDOW && at < graph->word_count;) {
        window->positions[window->count++] = at;
        __builtin_prefetch(&column[graph->words[at]], 1);
        at = mc_graph_skip(graph, at);
    }
    window->next = at;
}

static void measure_subtrees(const mc_graph *graph, ordering *order) {
    vertex_window window = {.next = MC_GRAPH_HEAD};
    for (uint32_t i = 0; i <= order->count; i++)
        order->sizes[i] = 1;
    for (;;) {
        fill_window(graph, &window, order->sizes);
        if (window.count == 0) break;
        for (uint32_t i = 0; i < window.count; i++) {
            const uint32_t at = window.positions[i];
            if (is_leaf(graph, at) && graph->words[at] != 0) order->sizes[graph->words[at]]++;
        }
    }
    for (uint32_t i = order->count; i > 1; i--)
        order->sizes[order->begins[i]] += order->sizes[i];
}

// Dominators have lower numbers, so that their own place is known.
static void place_subtrees(ordering *order) {
    order->begins[1] = 0;
    order->next[1] = 1;
    for (uint32_t i = 2; i <= order->count; i++) {
        uint32_t dominator = order->begins[i], size = order->sizes[i];
        uint32_t whole = order->sizes[dominator];
        if (size > whole / 2) {
            order->begins[i] = order->begins[dominator] + whole - size;
        } else {
            order->begins[i] = order->next[dominator];
            order->next[dominator] += size;
        }
        order->next[i] = order->begins[i] + 1;
    }
}

static void number_vertices(mc_graph *graph, ordering *order, mc_dominator_tree *tree) {
    uint32_t unreached = tree->reachable;
    vertex_window window = {.next = MC_GRAPH_HEAD};
    for (uint32_t i = 0; i < tree->count; i++)
        tree->sizes[i] = 1;
    for (;;) {
        fill_window(graph, &window, order->next);
        if (window.count == 0) break;
        for (uint32_t i = 0; i < window.count; i++) {
            const uint32_t at = window.positions[i], known = graph->words[at];
            graph->words[at] = known == 0           ? unreached++
                               : is_leaf(graph, at) ? order->next[known]++
                                                    : order->begins[known];
        }
    }
    for (uint32_t i = 1; i <= order->count; i++)
        tree->sizes[order->begins[i]] = order->sizes[i];
}

// An entry for each vertex, and one more. NULL: out of memory.
static uint32_t *create_column(mc_graph *graph, uint32_t thread_count) {
    const size_t count = (size_t)graph->vertex_count + 1;
    uint32_t *column = mc_graph_take_column(graph, count, sizeof *column);
    if (column) mc_parallel_touch(column, count * sizeof *column, thread_count);
    return column;
}

static mc_result make_tree(mc_graph *graph, mc_depth_first *walk, mc_dominator_tree *tree,
                           uint32_t thread_count, mc_error *error) {
    ordering order = {.count = walk->count, .begins = walk->parents};
    const size_t room = (size_t)walk->count + 2;
    order.sizes = mc_graph_take_column(graph, 2 * room, sizeof *order.sizes);
    if (order.sizes) order.next = order.sizes + room;
    tree->sizes = create_column(graph, thread_count);
    mc_result result = MC_OK;
    if (order.sizes && tree->sizes) {
        measure_subtrees(graph, &order);
        place_subtrees(&order);
        tree->count = graph->vertex_count;
        tree->reachable = order.sizes[1];
        number_vertices(graph, &order, tree);
        for (uint32_t i = 0; i < graph->late_root_count; i++)
            tree->late_roots[tree->late_root_count++] =
                mc_graph_get_number(graph, graph->late_roots[i].position);
    } else {
        result = mc_error_out_of_memory(error);
    }
    // As large as a column of all vertices, so that what comes takes no more memory than this did.
    const size_t wanted = (size_t)graph->vertex_count + 2;
    uint32_t *column = NULL;
    if (order.sizes && 2 * room >= wanted) column = mc_realloc(order.sizes, wanted, sizeof *column);
    if (!column) mc_free(order.sizes);
    mc_graph_spare_column(graph, column, wanted * sizeof *column);
    mc_graph_spare_column(graph, walk->parents, wanted * sizeof *walk->parents);
    walk->parents = NULL;
    return result;
}

mc_result mc_dominator_tree_init(mc_dominator_tree *tree, mc_graph *graph, uint32_t thread_count,
                                 const mc_progress *progress, mc_error *error) {
    mc_depth_first walk = {.count = 0};
    *tree = (mc_dominator_tree){.count = 0};
    mc_result result = mc_depth_first_walk(graph, progress, &walk, error);
    if (result == MC_OK) result = mc_dominators_find(graph, &walk, thread_count, progress, error);
    if (result == MC_OK) result = make_tree(graph, &walk, tree, thread_count, error);
    mc_depth_first_deinit(&walk);
    return result;
}

uint32_t *mc_dominator_tree_list_parents(const mc_dominator_tree *tree) {
    uint32_t *parents = mc_alloc_scattered((size_t)tree->count + 1, sizeof *parents);
    if (!parents) return NULL;
    for (uint32_t i = 0; i < tree->count; i++) {
        // The one before is the parent, or its subtree ends here.
        uint32_t parent = i > 0 && i < tree->reachable ? i - 1 : MC_NONE;
        while (parent != MC_NONE && mc_dominator_tree_get_end(tree, parent) <= i)
            parent = parents[parent];
        parents[i] = parent;
    }
    return parents;
}

// ---- sizes

typedef struct large_list {
    mc_graph_large *items; // by number
    size_t count, capacity;
    bool is_out_of_memory;
} large_list;

typedef struct measurer {
    const mc_graph *graph;
    mc_vertex_sizes *sizes;
    large_list *lists; // a thread
} measurer;

static void measure_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const measurer *self = user;
    large_list *list = &self->lists[thread];
    for (uint32_t at = begin; at < end; at = mc_graph_skip(self->graph, at)) {
        uint64_t size = mc_graph_get_size(self->graph, at), units = size / MC_GRAPH_UNIT;
        uint32_t number = mc_graph_get_number(self->graph, at);
        if (size % MC_GRAPH_UNIT == 0 && units < UINT16_MAX) {
            self->sizes->units[number] = (uint16_t)units;
            continue;
        }
        self->sizes->units[number] = UINT16_MAX;
        if (mc_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
            list->items[list->count++] = (mc_graph_large){number, size};
        else
            list->is_out_of_memory = true;
    }
}

static bool merge_large(mc_vertex_sizes *sizes, const large_list *lists, uint32_t thread_count) {
    size_t count = 0;
    for (uint32_t i = 0; i < thread_count; i++) {
        if (lists[i].is_out_of_memory) return false;
        count += lists[i].count;
    }
    sizes->large = mc_alloc_scattered(count + 1, sizeof *sizes->large);
    if (!sizes->large) return false;
    for (uint32_t i = 0; i < thread_count; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            sizes->large[sizes->large_count++] = lists[i].items[k];
    mc_graph_large_sort(sizes->large, sizes->large_count);
    return true;
}

mc_result mc_vertex_sizes_init(mc_vertex_sizes *sizes, const mc_graph *graph, uint32_t thread_count,
                               mc_error *error) {
    large_list lists[MC_PARALLEL_THREADS_MAX] = {{.count = 0}};
    measurer self = {graph, sizes, lists};
    *sizes = (mc_vertex_sizes){.large_count = 0};
    if (thread_count > MC_PARALLEL_THREADS_MAX) thread_count = MC_PARALLEL_THREADS_MAX;
    sizes->units = mc_alloc_scattered((size_t)graph->vertex_count + 1, sizeof *sizes->units);
    bool is_done = sizes->units != NULL;
    if (is_done) mc_graph_scan(graph, thread_count, measure_range, &self);
    is_done = is_done && merge_large(sizes, lists, MC_PARALLEL_THREADS_MAX);
    for (uint32_t i = 0; i < MC_PARALLEL_THREADS_MAX; i++)
        mc_free(lists[i].items);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

void mc_vertex_sizes_deinit(mc_vertex_sizes *sizes) {
    mc_free(sizes->units);
    mc_free(sizes->large);
    *sizes = (mc_vertex_sizes){.large_count = 0};
}
