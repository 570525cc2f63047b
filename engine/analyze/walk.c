#include "engine/analyze/walk.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LEAST_SHARE 0.1        // of a growing stop, for a partner to go on to
#define LEAST_HOLDER_SHARE 0.8 // of one that does not grow
#define SHARING 1.25           // more partners than objects of the stop: they share them
#define NEAR_EQUAL 0.95        // of the best partner's score
#define GROWING_SHARE 0.1      // of the holders of a link that are new, if the holders grow
#define LEAST_GROWTH 8         // of holders that are many already; less may be chance
#define MOST_CANDIDATES 16     // that are looked at more closely

typedef struct walker {
    const mc_trace *trace;
    const mc_walk_desc *desc;
    mc_walk *walk;
    mc_link_finder *finder, *first_finder; // at the step, at the window's first
    uint64_t *objects, *first_objects;     // per node
    uint64_t *values, *first_values;       // in the metric; may be the same
    uint8_t *is_stop;                      // per node
    uint8_t *is_library;                   // likewise: it, or what it lies in, has such a name
    mc_links links, first_links;           // of the current stop
} walker;

// A partner to go on to.
typedef struct candidate {
    const mc_link *link;
    int64_t growth;
    uint64_t first_holders;
    uint64_t score; // objects of the stop that it holds
    double share;
    bool is_shared, is_mutual;
} candidate;

void mc_walk_deinit(mc_walk *walk) {
    mc_free(walk->stops);
    memset(walk, 0, sizeof *walk);
}

// ---- names

static bool is_library_name(const char *name, size_t size) {
    static const char *const roots[] = {"java",    "javax",   "jdk",      "sun",
                                        "kotlin",  "kotlinx", "scala",    "groovy",
                                        "clojure", "System",  "Microsoft"};
    if (size >= 2 && memcmp(name + size - 2, "[]", 2) == 0) return true;
    if (size == 11 && memcmp(name, "(primitive)", 11) == 0) return true;
    if (size >= 5 && memcmp(name, "std::", 5) == 0) return true;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        size_t length = strlen(roots[i]);
        if (size > length && memcmp(name, roots[i], length) == 0 && name[length] == '.')
            return true;
    }
    return false;
}

// In any case; `word` is in lower case.
static bool has_word(const char *name, size_t size, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (strncasecmp(name + i, word, length) == 0) return true;
    return false;
}

static bool is_place(const mc_trace *trace, uint32_t role) {
    if (role == MC_NONE) return false;
    size_t size;
    const char *name = mc_trace_get_classifier(trace, role, &size);
    return has_word(name, size, "site") || has_word(name, size, "thread");
}

static bool has_library_name(const mc_trace *trace, uint32_t node) {
    size_t size;
    const char *name = mc_trace_get_name(trace, node, &size);
    return is_library_name(name, size) && !is_place(trace, mc_trace_get_nodes(trace)->role[node]);
}

bool mc_walk_is_library(const mc_trace *trace, uint32_t node) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    for (; parent[node] != MC_NONE; node = parent[node])
        if (has_library_name(trace, node)) return true;
    return false;
}

// The same of all nodes: parents come first.
static void find_libraries(const mc_trace *trace, uint8_t *is_library) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    is_library[0] = 0;
    for (uint32_t node = 1; node < nodes->count; node++)
        is_library[node] = is_library[nodes->parent[node]] || has_library_name(trace, node);
}

// ---- where to start

static int64_t subtract(uint64_t a, uint64_t b) {
    return (int64_t)(a - b); // counts are at most MC_COUNT_MAX
}

static uint32_t find_start(const walker *w) {
    const mc_node_columns *nodes = mc_trace_get_nodes(w->trace);
    uint32_t from = w->desc->from_node, best = MC_NONE;
    if (from != MC_NONE && nodes->child_count[from] == 0) return from;
    int64_t most = 0;
    uint8_t *is_within = w->is_library; // which is filled when this is done
    for (uint32_t node = 0; node < nodes->count; node++) {
        int64_t growth = subtract(w->values[node], w->first_values[node]);
        is_within[node] =
            from == MC_NONE || node == from || (node > from && is_within[nodes->parent[node]]);
        if (nodes->child_count[node] > 0 || growth <= most || !is_within[node]) continue;
        most = growth;
        best = node;
    }
    return best;
}

// ---- the next stop

static const mc_link *find_link(const mc_links *links, uint32_t partner,
                                mc_link_direction direction) {
    for (uint32_t i = 0; i < links->count; i++)
        if (links->links[i].partner == partner && links->links[i].direction == direction)
            return &links->links[i];
    return NULL;
}

static uint64_t count_self(const mc_links *links) {
    for (uint32_t i = 0; i < links->count; i++)
        if ((links->links[i].flags & MC_LINK_SELF) && links->links[i].direction == MC_LINK_INCOMING)
            return links->links[i].node_objects;
    return 0;
}

// Most of both ends reference each other: companions, of which none owns the other.
static bool is_mutual(const mc_links *links, const mc_link *link) {
    const mc_link *back = find_link(links, link->partner, MC_LINK_OUTGOING);
    return back && back->node_objects >= link->node_objects / 2 &&
           back->partner_objects >= link->partner_objects / 2;
}

static candidate make_candidate(const walker *w, const mc_link *link, const mc_walk_stop *stop) {
    const mc_link *first = find_link(&w->first_links, link->partner, MC_LINK_INCOMING);
    candidate c = {.link = link, .first_holders = first ? first->partner_objects : 0};
    c.growth = subtract(link->node_objects, first ? first->node_objects : 0);
    uint64_t self = count_self(&w->links);
    uint64_t others = stop->objects > self ? stop->objects - self : 0;
    if (others < link->node_objects) others = link->node_objects;
    c.share = others > 0 ? (double)link->node_objects / (double)others : 0;
    bool grows = stop->growth > 0 && stop->verdict != MC_WALK_HOLDER;
    c.score = !grows ? link->node_objects : c.growth > 0 ? (uint64_t)c.growth : 0;
    c.is_shared = (double)link->partner_objects > SHARING * (double)link->node_objects;
    c.is_mutual = is_mutual(&w->links, link);
    return c;
}

static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->is_shared != y->is_shared) return x->is_shared ? 1 : -1;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->link->partner_objects != y->link->partner_objects)
        return x->link->partner_objects < y->link->partner_objects ? -1 : 1;
    return x->link->partner < y->link->partner ? -1 : 1;
}

// Only what the walk has seen, and the partner itself, references it.
static mc_result is_mirror(walker *w, uint32_t partner, bool *result, mc_error *error) {
    mc_links links = {0};
    mc_result code = mc_link_finder_find(w->finder, w->desc->step, partner, &links, error);
    bool seen = false, other = false;
    for (uint32_t i = 0; i < links.count; i++) {
        if (links.links[i].direction != MC_LINK_INCOMING || links.links[i].flags & MC_LINK_SELF)
            continue;
        if (w->is_stop[links.links[i].partner])
            seen = true;
        else
            other = true;
    }
    mc_links_deinit(&links);
    *result = seen && !other;
    return code;
}

// The best of those that are nearly as good: rather no companion.
static uint32_t choose(const candidate *candidates, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!candidates[i].is_mutual && candidates[i].is_shared == candidates[0].is_shared &&
            (double)candidates[i].score >= NEAR_EQUAL * (double)candidates[0].score)
            return i;
    return 0;
}

static uint32_t gather(const walker *w, const mc_walk_stop *stop, candidate *candidates,
                       bool *has_incoming, bool *has_new) {
    uint32_t count = 0;
    bool grows = stop->growth > 0 && stop->verdict != MC_WALK_HOLDER;
    double least = grows ? LEAST_SHARE : LEAST_HOLDER_SHARE;
    for (uint32_t i = 0; i < w->links.count && count < MOST_CANDIDATES; i++) {
        const mc_link *link = &w->links.links[i];
        if (link->direction != MC_LINK_INCOMING || link->flags & MC_LINK_SELF) continue;
        *has_incoming = true;
        if (w->is_stop[link->partner]) continue;
        *has_new = true;
        candidates[count] = make_candidate(w, link, stop);
        // A share of nothing known is none, but the only clue.
        bool is_known = !(link->flags & MC_LINK_NODE_UNKNOWN);
        count += !is_known || (candidates[count].share >= least && candidates[count].score > 0);
    }
    return count;
}

// Sets `next` to the partner to go on to, or its link to NULL and says why the walk ends.
static mc_result find_next(walker *w, const mc_walk_stop *stop, candidate *next, mc_error *error) {
    candidate candidates[MOST_CANDIDATES];
    const mc_walk_desc *desc = w->desc;
    next->link = NULL;
    mc_result result = mc_link_finder_find(w->finder, desc->step, stop->node, &w->links, error);
    if (result == MC_OK)
        result = mc_link_finder_find(w->first_finder, desc->window.first_step, stop->node,
                                     &w->first_links, error);
    if (result != MC_OK) return result;
    bool has_incoming = false, has_new = false, mirrored = false;
    uint32_t count = gather(w, stop, candidates, &has_incoming, &has_new);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    while (count > 0) {
        uint32_t chosen = choose(candidates, count);
        result = is_mirror(w, candidates[chosen].link->partner, &mirrored, error);
        if (result != MC_OK) return result;
        if (!mirrored) {
            *next = candidates[chosen];
            return MC_OK;
        }
        count--;
        memmove(&candidates[chosen], &candidates[chosen + 1],
                (count - chosen) * sizeof *candidates);
    }
    w->walk->end = !w->links.has_map[0] && !w->links.has_map[1] ? MC_WALK_END_NO_MAP
                   : !has_incoming                              ? MC_WALK_END_ROOT
                   : !has_new || mirrored                       ? MC_WALK_END_CYCLE
                                                                : MC_WALK_END_SCATTERED;
    return MC_OK;
}

// ---- stops

static mc_walk_stop make_stop(walker *w, uint32_t node) {
    w->is_stop[node] = 1;
    return (mc_walk_stop){.node = node,
                          .is_library = w->is_library[node] != 0,
                          .objects = w->objects[node],
                          .growth = subtract(w->objects[node], w->first_objects[node]),
                          .metric_growth = subtract(w->values[node], w->first_values[node]),
                          .link = {.partner = MC_NONE}};
}

// Whether the holders of a link have become more, and not only what they hold. A leak whose window
// begins late adds little to what has piled up: its holders are held against what they hold.
static bool do_holders_grow(const candidate *c, const mc_walk_stop *holder) {
    if (holder->growth <= 0) return false;
    if (c->link->flags & MC_LINK_PARTNER_UNKNOWN)
        return (double)holder->growth > GROWING_SHARE * (double)holder->objects;
    double more = (double)subtract(c->link->partner_objects, c->first_holders);
    double least = GROWING_SHARE * (double)c->link->partner_objects;
    double new_share = (double)c->growth / (double)c->link->node_objects;
    return more > least || (more >= LEAST_GROWTH && more > least * new_share);
}

static mc_result follow(walker *w, uint32_t start, mc_error *error) {
    mc_walk *walk = w->walk;
    walk->stops[walk->count++] = make_stop(w, start);
    for (;;) {
        mc_walk_stop *stop = &walk->stops[walk->count - 1];
        candidate next;
        mc_result result = find_next(w, stop, &next, error);
        if (result != MC_OK || !next.link) return result;
        if (walk->count == MC_WALK_MOST_STOPS) {
            walk->end = MC_WALK_END_LIMIT;
            return MC_OK;
        }
        stop->link = *next.link;
        stop->link_growth = next.growth;
        stop->first_holders = next.first_holders;
        stop->share = next.share;
        mc_walk_stop holder = make_stop(w, next.link->partner);
        bool grows = stop->verdict != MC_WALK_HOLDER && do_holders_grow(&next, &holder);
        holder.verdict = grows ? MC_WALK_SYMPTOM : MC_WALK_HOLDER;
        walk->stops[walk->count++] = holder;
    }
}

static void judge(mc_walk *walk) {
    uint32_t growing = 0, cause = MC_NONE;
    walk->cause_index = MC_NONE;
    if (walk->count == 0 || walk->stops[0].growth <= 0) return;
    if (walk->count == 1 && walk->end == MC_WALK_END_NO_MAP) return;
    for (; growing < walk->count && walk->stops[growing].verdict != MC_WALK_HOLDER; growing++)
        if (!walk->stops[growing].is_library) cause = growing;
    // A leak of nothing but the library's classes: what grows and stands highest.
    if (cause == MC_NONE) cause = growing - 1;
    walk->cause_index = cause;
    walk->stops[cause].verdict = MC_WALK_CAUSE;
    for (uint32_t i = cause + 1; i < growing; i++)
        walk->stops[i].verdict = MC_WALK_CONTAINER;
}

// ---- what grew by the same number

static int compare_growth(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// The growth that most program leaves share; 0: none does. `growths` is sorted.
static int64_t find_shared_growth(const int64_t *growths, uint32_t count, uint32_t *shared_by) {
    int64_t best = 0;
    *shared_by = MC_WALK_LEAST_UNIT - 1;
    for (uint32_t i = 0, k; i < count; i = k) {
        for (k = i; k < count && growths[k] == growths[i]; k++) {
        }
        if (k - i <= *shared_by) continue;
        *shared_by = k - i;
        best = growths[i];
    }
    return best;
}

static mc_result choose_unit_node(walker *w, int64_t growth, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(w->trace);
    uint32_t most = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0 || w->is_library[node] ||
            subtract(w->objects[node], w->first_objects[node]) != growth)
            continue;
        mc_result result = mc_link_finder_find(w->finder, w->desc->step, node, &w->links, error);
        if (result != MC_OK) return result;
        uint32_t outgoing = 0;
        for (uint32_t i = 0; i < w->links.count; i++)
            outgoing += w->links.links[i].direction == MC_LINK_OUTGOING;
        if (outgoing <= most) continue;
        most = outgoing;
        w->walk->unit_node = node;
    }
    return MC_OK;
}

static mc_result find_unit(walker *w, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(w->trace);
    mc_walk *walk = w->walk;
    walk->unit_node = MC_NONE;
    if (walk->cause_index == MC_NONE) return MC_OK;
    int64_t cause_growth = walk->stops[walk->cause_index].growth, *growths;
    growths = mc_alloc(nodes->leaf_count, sizeof *growths);
    if (!growths) return mc_error_out_of_memory(error);
    uint32_t count = 0, shared_by;
    for (uint32_t node = 0; node < nodes->count; node++) {
        int64_t growth = subtract(w->objects[node], w->first_objects[node]);
        // One or two may be chance.
        if (nodes->child_count[node] == 0 && growth > 2 && growth <= cause_growth &&
            !w->is_library[node])
            growths[count++] = growth;
    }
    qsort(growths, count, sizeof *growths, compare_growth);
    walk->unit_growth = find_shared_growth(growths, count, &shared_by);
    mc_free(growths);
    if (walk->unit_growth == 0) return MC_OK;
    walk->unit_count = shared_by;
    return choose_unit_node(w, walk->unit_growth, error);
}

// ----

static mc_result prepare(walker *w, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(w->trace)->count, first = w->desc->window.first_step;
    mc_column column = mc_metric_get_column(w->desc->metric);
    w->objects = mc_alloc(count, sizeof *w->objects);
    w->first_objects = mc_alloc(count, sizeof *w->first_objects);
    w->values = mc_alloc(count, sizeof *w->values);
    w->first_values = mc_alloc(count, sizeof *w->first_values);
    w->is_stop = mc_alloc_zero(count, 1);
    w->is_library = mc_alloc(count, 1);
    w->walk->stops = mc_alloc(MC_WALK_MOST_STOPS, sizeof *w->walk->stops);
    if (!w->objects || !w->first_objects || !w->values || !w->first_values || !w->is_stop ||
        !w->is_library || !w->walk->stops)
        return mc_error_out_of_memory(error);
    const struct {
        uint32_t step;
        mc_column column;
        uint64_t *values;
    } reads[] = {{w->desc->step, MC_COLUMN_OBJECTS, w->objects},
                 {first, MC_COLUMN_OBJECTS, w->first_objects},
                 {w->desc->step, column, w->values},
                 {first, column, w->first_values}};
    for (int i = 0; i < 4; i++) {
        mc_result result =
            mc_trace_read_column(w->trace, reads[i].step, reads[i].column, reads[i].values, error);
        if (result != MC_OK) return result;
    }
    mc_result result = mc_link_finder_create(w->trace, &w->finder, error);
    return result == MC_OK ? mc_link_finder_create(w->trace, &w->first_finder, error) : result;
}

static void walker_deinit(walker *w) {
    mc_link_finder_destroy(w->finder);
    mc_link_finder_destroy(w->first_finder);
    mc_links_deinit(&w->links);
    mc_links_deinit(&w->first_links);
    mc_free(w->objects);
    mc_free(w->first_objects);
    mc_free(w->values);
    mc_free(w->first_values);
    mc_free(w->is_stop);
    mc_free(w->is_library);
}

mc_result mc_walk_compute(const mc_trace *trace, const mc_walk_desc *desc, mc_walk *walk,
                          mc_error *error) {
    assert(desc->window.first_step <= desc->step && desc->step <= desc->window.last_step);
    mc_walk_deinit(walk);
    *walk = (mc_walk){.desc = *desc,
                      .cause_index = MC_NONE,
                      .unit_node = MC_NONE,
                      .end = MC_WALK_END_NOTHING_GREW};
    walker w = {.trace = trace, .desc = &walk->desc, .walk = walk};
    mc_result result = prepare(&w, error);
    uint32_t start = result == MC_OK ? find_start(&w) : MC_NONE;
    if (start != MC_NONE) {
        find_libraries(trace, w.is_library);
        result = follow(&w, start, error);
        judge(walk);
        if (result == MC_OK) result = find_unit(&w, error);
    }
    walker_deinit(&w);
    if (result != MC_OK) mc_walk_deinit(walk);
    return result;
}
