#include "engine/analyze/walk.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.25         // of a stop's growth, for a partner to go on to
#define LEAST_REFERRER_SHARE 0.8 // of the objects of one that does not grow
#define LEAST_LARGE_SHARE 0.5    // … of one step
#define CLEAR_SHARE 0.5          // a link that carries less says nothing of who holds it
#define KNOWN_SHARE 0.5          // of a class's objects: then what holds the class holds them
#define SHARING 1.25             // more partners than objects of the stop: they share them
#define GROWING_SHARE 0.1        // of the referrers of a link that are new, if the referrers grow
#define LEAST_LOADERS 3          // that keep growing, to be a leak
#define LEAST_PROGRAM_SHARE 0.1  // of the first suspect's growth, for a start in its place
#define MOST_CANDIDATES 16       // that are looked at more closely
#define LARGER_SHARE 0.1         // of the bytes' relative growth: objects hardly become more

struct mc_walker {
    const mc_trace *trace;
    const mc_walk_desc *desc;
    mc_walk_desc own_desc;                 // of several walks: what they have in common
    mc_suspects suspects;                  // … of the heap
    mc_walk *walk;                         // the one that is being found
    mc_link_finder *finder, *first_finder; // at the step, at the window's first
    mc_root_path_finder *trail_finder;     // NULL: was not needed yet
    uint64_t *objects, *first_objects;     // per node
    uint64_t *values, *first_values;       // in the metric; may be the same
    uint8_t *is_stop;                      // per node
    uint8_t *is_library;                   // likewise: it, or what it lies in, has such a name
    uint8_t *object_growth; // likewise: what is known of whether its objects keep growing; NULL
    mc_links links, first_links; // of the current stop
    double share;                // of the start that has been followed
};

typedef mc_walker walker;

enum { UNKNOWN, GROWS, DOES_NOT_GROW }; // of objects

// A partner to go on to.
typedef struct candidate {
    const mc_link *link;
    int64_t growth, referrer_growth; // of the link's ends since the window's first step
    uint64_t first_referrers;
    uint64_t score; // objects of the stop that it holds
    double share;
    bool is_of_growth, is_shared, is_mutual;
} candidate;

void mc_walk_deinit(mc_walk *walk) {
    mc_suspects_deinit(&walk->suspects);
    mc_free(walk->stops);
    memset(walk, 0, sizeof *walk);
}

static int64_t subtract(uint64_t a, uint64_t b) {
    return (int64_t)(a - b); // counts are at most MC_COUNT_MAX
}

static double divide(double part, double all) {
    return all > 0 ? (part < all ? part / all : 1) : 0;
}

// ---- where to start

static bool is_leaf(const walker *w, uint32_t node) {
    return mc_trace_get_nodes(w->trace)->child_count[node] == 0;
}

// Class loaders that keep growing while java.lang.Class does: then all else that grows is what they
// loaded.
static uint32_t find_loader(walker *w) {
    const mc_suspects *suspects = &w->walk->suspects;
    uint32_t loader = MC_NONE;
    int64_t most = LEAST_LOADERS - 1, class_growth = 0;
    if (suspects->is_short) return MC_NONE;
    for (uint32_t i = 0; i < suspects->growing_count; i++) {
        uint32_t node = suspects->items[i].node;
        int64_t growth = subtract(w->objects[node], w->first_objects[node]);
        if (mc_class_is_class(w->trace, node)) class_growth += growth;
        if (!mc_class_is_loader(w->trace, node) || growth <= most) continue;
        most = growth;
        loader = node;
    }
    if (loader == MC_NONE || class_growth < most) return MC_NONE;
    w->walk->class_growth = class_growth;
    return loader;
}

static uint32_t find_start(walker *w) {
    const mc_suspects *suspects = &w->walk->suspects;
    uint32_t from = w->desc->from_node;
    if (from != MC_NONE && is_leaf(w, from)) return from;
    bool starts = suspects->verdict == MC_HEAP_GROWS || suspects->verdict == MC_HEAP_SINGLE;
    if (!starts || suspects->count == 0 || !is_leaf(w, suspects->items[0].node)) return MC_NONE;
    uint32_t loader = suspects->verdict == MC_HEAP_GROWS ? find_loader(w) : MC_NONE;
    return loader != MC_NONE ? loader : suspects->items[0].node;
}

// Whether bytes grow by far more than objects do.
static bool grows_in_bytes(const walker *w, uint32_t start) {
    double objects = (double)w->objects[start], values = (double)w->values[start];
    double more_objects = objects - (double)w->first_objects[start];
    double more_values = values - (double)w->first_values[start];
    return more_objects * values < LARGER_SHARE * more_values * objects;
}

// Whether the start's bytes grow and its objects do not.
static mc_result becomes_larger(const walker *w, uint32_t start, bool *result, mc_error *error) {
    *result = false;
    if (w->desc->metric != MC_METRIC_BYTES || w->walk->suspects.verdict != MC_HEAP_GROWS ||
        !mc_trace_has_references(w->trace))
        return MC_OK;
    if (w->walk->suspects.is_short) {
        *result = grows_in_bytes(w, start);
        return MC_OK;
    }
    if (w->object_growth && w->object_growth[start] != UNKNOWN) {
        *result = w->object_growth[start] == DOES_NOT_GROW && grows_in_bytes(w, start);
        return MC_OK;
    }
    mc_suspects suspects = {0};
    mc_result code = mc_suspects_find(w->trace, MC_METRIC_OBJECTS, w->desc->window, start, NULL,
                                      &suspects, error);
    *result = code == MC_OK && suspects.verdict != MC_HEAP_GROWS && grows_in_bytes(w, start);
    mc_suspects_deinit(&suspects);
    return code;
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

// What of a stop others than its own class hold: of its growth, or of its objects. A chain is held
// by its first object, however long it becomes.
typedef struct outside {
    bool grows, is_chain;
    double all;
} outside;

static outside get_outside(const walker *w, const mc_walk_stop *stop) {
    outside o = {.grows = stop->growth > 0 && stop->verdict != MC_WALK_HOLDER &&
                          stop->verdict != MC_WALK_LARGEST};
    uint64_t self = count_self(&w->links), first_self = count_self(&w->first_links);
    double objects = stop->objects > self ? (double)(stop->objects - self) : 0;
    double growth = (double)stop->growth - (double)subtract(self, first_self);
    o.is_chain = o.grows && growth < LEAST_SHARE * (double)stop->growth;
    o.all = o.grows && !o.is_chain ? growth : objects;
    return o;
}

static candidate make_candidate(const walker *w, const mc_link *link, const outside *o) {
    const mc_link *first = find_link(&w->first_links, link->partner, MC_LINK_INCOMING);
    candidate c = {.link = link, .first_referrers = first ? first->partner_objects : 0};
    c.growth = subtract(link->node_objects, first ? first->node_objects : 0);
    c.referrer_growth = subtract(link->partner_objects, c.first_referrers);
    c.is_of_growth = o->grows && !o->is_chain;
    c.score = !c.is_of_growth ? link->node_objects : c.growth > 0 ? (uint64_t)c.growth : 0;
    c.share = divide((double)c.score, o->all > (double)c.score ? o->all : (double)c.score);
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

// Rather no companion, if another carries the most of it as well.
static uint32_t choose(const candidate *candidates, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!candidates[i].is_mutual && candidates[i].is_shared == candidates[0].is_shared &&
            candidates[i].share >= CLEAR_SHARE)
            return i;
    return 0;
}

// Where the walk's objects are few of their class, whoever holds so much of the class that it must
// hold most of them too.
static bool must_hold(const mc_walk_stop *stop, const mc_link *link) {
    double carried = stop->carried_share * (double)stop->objects;
    double missing = (double)stop->objects - (double)link->node_objects;
    return carried - missing >= KNOWN_SHARE * carried;
}

static bool is_acceptable(const walker *w, const mc_walk_stop *stop, const candidate *c,
                          const outside *o) {
    // A share of nothing known is none, but the only clue.
    if (c->link->flags & MC_LINK_NODE_UNKNOWN) return true;
    bool is_single = w->walk->suspects.verdict == MC_HEAP_SINGLE;
    double least = o->grows ? LEAST_SHARE : is_single ? LEAST_LARGE_SHARE : LEAST_REFERRER_SHARE;
    if (c->score == 0 || c->share < least || c->share * w->share < LEAST_SHARE) return false;
    return o->grows || stop->carried_share >= KNOWN_SHARE || must_hold(stop, c->link);
}

// Where roots are known, the trail tells what comes from here: static fields are roots, whatever
// holds their classes, and what a ThreadLocal holds is its thread's.
static bool is_of_trail(const walker *w, uint32_t node, bool *has_incoming, bool *has_new) {
    if (!mc_trace_get_step(w->trace, w->desc->step)->has_referrers) return false;
    bool is_thread_local = mc_class_is_thread_local(w->trace, node);
    *has_incoming |= is_thread_local; // which is no root itself
    *has_new |= is_thread_local;
    return is_thread_local || mc_class_is_class(w->trace, node);
}

static uint32_t gather(const walker *w, const mc_walk_stop *stop, candidate *candidates,
                       bool *has_incoming, bool *has_new) {
    outside o = get_outside(w, stop);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->links.count && count < MOST_CANDIDATES; i++) {
        const mc_link *link = &w->links.links[i];
        if (link->direction != MC_LINK_INCOMING || link->flags & MC_LINK_SELF) continue;
        if (is_of_trail(w, link->partner, has_incoming, has_new)) continue;
        *has_incoming = true;
        if (w->is_stop[link->partner]) continue;
        *has_new = true;
        candidates[count] = make_candidate(w, link, &o);
        count += is_acceptable(w, stop, &candidates[count], &o);
    }
    return count;
}

// Why there is no next stop, and who holds this one all the same.
static void note_end(walker *w, const mc_walk_stop *stop, bool has_incoming, bool is_closed) {
    mc_walk *walk = w->walk;
    bool is_referrer = stop->verdict == MC_WALK_HOLDER && stop->objects > 1;
    walk->end = !w->links.has_map[0] && !w->links.has_map[1] ? MC_WALK_END_NO_MAP
                : !has_incoming                              ? MC_WALK_END_ROOT
                : is_closed                                  ? MC_WALK_END_CYCLE
                : is_referrer                                ? MC_WALK_END_INSTANCES
                                                             : MC_WALK_END_SCATTERED;
    walk->other_count = 0;
    for (uint32_t i = 0; i < w->links.count && walk->other_count < MC_WALK_OTHER_COUNT; i++) {
        const mc_link *link = &w->links.links[i];
        if (link->direction == MC_LINK_INCOMING && !(link->flags & MC_LINK_SELF))
            walk->others[walk->other_count++] = *link;
    }
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
    note_end(w, stop, has_incoming, !has_new || mirrored);
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
                          .link = {.partner = MC_NONE},
                          .field = MC_NONE,
                          .carried_share = 1};
}

// Whether the referrers of a link have become more, as far as that is known.
static bool do_referrers_grow(const candidate *c, const mc_walk_stop *referrer) {
    if (referrer->growth <= 0) return false;
    if (c->link->flags & MC_LINK_PARTNER_UNKNOWN)
        return (double)referrer->growth > GROWING_SHARE * (double)referrer->objects;
    mc_link_growth growth = {.held = (double)c->link->node_objects,
                             .referrers = (double)c->link->partner_objects,
                             .more_held = (double)c->growth,
                             .more_referrers = (double)c->referrer_growth};
    return mc_link_do_referrers_grow(&growth);
}

// The referrer grows with the leak if more of it come, and most of those hold the stop.
static mc_walk_stop make_next(walker *w, mc_walk_stop *stop, const candidate *next) {
    const mc_link *link = next->link;
    const mc_link_field *field = mc_links_get_field(&w->links, link);
    stop->link = *link;
    stop->field = field ? field->name : MC_NONE;
    stop->field_references = field ? field->count : 0;
    stop->field_count = link->field_count;
    stop->link_growth = next->growth;
    stop->first_referrers = next->first_referrers;
    stop->share = next->share;
    stop->share_is_of_growth = next->is_of_growth;
    mc_walk_stop referrer = make_stop(w, link->partner);
    referrer.is_companion = next->is_mutual;
    bool grows = stop->verdict == MC_WALK_SYMPTOM && do_referrers_grow(next, &referrer);
    if (!(link->flags & MC_LINK_PARTNER_UNKNOWN)) {
        double by_count = divide((double)link->partner_objects, (double)referrer.objects);
        double by_growth =
            grows ? divide((double)next->referrer_growth, (double)referrer.growth) : 0;
        referrer.carried_share = by_count > by_growth ? by_count : by_growth;
    }
    referrer.verdict =
        grows && referrer.carried_share >= KNOWN_SHARE ? MC_WALK_SYMPTOM : MC_WALK_HOLDER;
    return referrer;
}

static mc_result follow(walker *w, uint32_t start, mc_error *error) {
    mc_walk *walk = w->walk;
    bool is_larger;
    walk->stops[0] = make_stop(w, start);
    walk->count = 1;
    w->share = 1;
    if (walk->suspects.verdict == MC_HEAP_SINGLE) walk->stops[0].verdict = MC_WALK_LARGEST;
    mc_result result = becomes_larger(w, start, &is_larger, error);
    if (walk->class_growth > 0 || is_larger) {
        walk->end = is_larger ? MC_WALK_END_LARGER : MC_WALK_END_LOADER;
        return result;
    }
    while (result == MC_OK) {
        mc_walk_stop *stop = &walk->stops[walk->count - 1];
        candidate next;
        result = find_next(w, stop, &next, error);
        if (result != MC_OK || !next.link) return result;
        if (!(next.link->flags & MC_LINK_NODE_UNKNOWN) && next.share < CLEAR_SHARE) {
            note_end(w, stop, true, false);
            return MC_OK;
        }
        if (walk->count == MC_WALK_MOST_STOPS) {
            walk->end = MC_WALK_END_LIMIT;
            return MC_OK;
        }
        if (!(next.link->flags & MC_LINK_NODE_UNKNOWN)) w->share *= next.share;
        walk->stops[walk->count++] = make_next(w, stop, &next);
    }
    return result;
}

// ---- what it comes to

// Of a leak of nothing but the library's classes: what stands highest and is no container's part.
static uint32_t find_library_cause(const walker *w, uint32_t growing) {
    for (uint32_t i = growing; i-- > 0;)
        if (!mc_class_is_container_part(w->trace, w->walk->stops[i].node)) return i;
    return growing - 1;
}

// The last that grows and is the program's own, and no companion of one.
static uint32_t find_cause(const mc_walk *walk, uint32_t growing) {
    uint32_t cause = MC_NONE;
    for (uint32_t i = 0; i < growing; i++) {
        if (!walk->stops[i].is_library && !walk->stops[i].is_companion) cause = i;
    }
    return cause;
}

static void judge(walker *w) {
    mc_walk *walk = w->walk;
    uint32_t growing = 0;
    walk->cause_index = MC_NONE;
    if (walk->count == 0 || walk->suspects.verdict != MC_HEAP_GROWS ||
        walk->stops[0].metric_growth <= 0)
        return;
    if (walk->count == 1 && walk->end == MC_WALK_END_NO_MAP) return;
    while (growing < walk->count && walk->stops[growing].verdict == MC_WALK_SYMPTOM)
        growing++;
    uint32_t cause = find_cause(walk, growing);
    if (cause == MC_NONE) cause = find_library_cause(w, growing);
    walk->cause_index = cause;
    walk->stops[cause].verdict = MC_WALK_CAUSE;
    for (uint32_t i = cause + 1; i < growing; i++)
        walk->stops[i].verdict = MC_WALK_CONTAINER;
}

// Where no link leads from the library's classes to the program's, and a class of the program grows
// by much itself, that one is the better start.
static uint32_t find_better_start(const walker *w) {
    const mc_walk *walk = w->walk;
    if (walk->desc.from_node != MC_NONE || walk->cause_index == MC_NONE || walk->class_growth > 0)
        return MC_NONE;
    if (!walk->stops[walk->cause_index].is_library) return MC_NONE;
    for (uint32_t i = 1; i < walk->suspects.growing_count; i++) {
        const mc_suspect *suspect = &walk->suspects.items[i];
        if ((double)suspect->growth < LEAST_PROGRAM_SHARE * (double)walk->suspects.items[0].growth)
            continue;
        if (is_leaf(w, suspect->node) && !w->is_library[suspect->node]) return suspect->node;
    }
    return MC_NONE;
}

static mc_result walk_from(walker *w, uint32_t start, mc_error *error) {
    memset(w->is_stop, 0, mc_trace_get_nodes(w->trace)->count);
    mc_result result = follow(w, start, error);
    if (result == MC_OK) judge(w);
    return result;
}

// How many hops of the trail lead to the node, it included; 0: it does not come by it.
static uint32_t count_hops_to(const mc_root_path *trail, uint32_t node) {
    uint32_t count = trail->count;
    while (count > 0 && trail->hops[count - 1].node != node)
        count--;
    return count;
}

// The walk ends at that stop, and the trail begins there.
static void end_at(mc_walk *walk, uint32_t stop, uint32_t hop_count) {
    mc_root_path *trail = &walk->trail;
    mc_walk_stop *last = &walk->stops[stop];
    last->link = (mc_link){.from = MC_NONE, .partner = MC_NONE};
    last->field = MC_NONE;
    walk->count = stop + 1;
    walk->other_count = 0;
    walk->end = MC_WALK_END_INSTANCES;
    trail->start = last->node;
    trail->count -= hop_count;
    memmove(trail->hops, trail->hops + hop_count, trail->count * sizeof *trail->hops);
}

// Most maps may be held by sets, and those of the leak by a field: a trail that comes by a referrer
// that was passed already went round for nothing.
static void leave_out_round(mc_walk *walk) {
    uint32_t first = walk->cause_index != MC_NONE ? walk->cause_index : 0;
    for (uint32_t stop = first + 1; walk->trail.is_known && stop + 1 < walk->count; stop++) {
        uint32_t hop_count = count_hops_to(&walk->trail, walk->stops[stop].node);
        if (hop_count == 0) continue;
        end_at(walk, stop, hop_count);
        return;
    }
}

// From as many objects of the last stop as hold what came before.
static mc_result find_trail(walker *w, mc_error *error) {
    mc_walk *walk = w->walk;
    if (walk->count == 0) return MC_OK;
    const mc_walk_stop *last = &walk->stops[walk->count - 1];
    mc_root_path_desc desc = {.leaf = last->node, .grows = last->growth > 0};
    if (walk->count > 1 && !(last[-1].link.flags & MC_LINK_PARTNER_UNKNOWN)) {
        const mc_walk_stop *held = last - 1;
        desc.objects = held->link.partner_objects;
        mc_link_growth growth = {.held = (double)held->link.node_objects,
                                 .referrers = (double)desc.objects,
                                 .more_held = (double)held->link_growth,
                                 .more_referrers =
                                     (double)subtract(desc.objects, held->first_referrers)};
        desc.grows = mc_link_do_referrers_grow(&growth);
    }
    mc_result result = MC_OK;
    if (!w->trail_finder)
        result = mc_root_path_finder_create(w->trace, w->desc->step, w->desc->window.first_step,
                                            &w->trail_finder, error);
    if (result == MC_OK)
        result = mc_root_path_finder_find(w->trail_finder, &desc, &walk->trail, error);
    if (result == MC_OK) leave_out_round(walk);
    return result;
}

// What is not known at one of the steps has not grown, for all one knows.
static mc_result forget_unknown(walker *w, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(w->trace)->count;
    const uint32_t steps[] = {w->desc->window.first_step, w->desc->step};
    if (mc_trace_get_metric(w->trace, w->desc->metric)->is_additive) return MC_OK;
    uint64_t *words = mc_alloc(count, sizeof *words);
    mc_result result = words ? MC_OK : mc_error_out_of_memory(error);
    for (int i = 0; i < 2 && result == MC_OK; i++) {
        result = mc_trace_read_column(w->trace, steps[i], w->desc->metric, words, error);
        for (uint32_t node = 0; node < count && result == MC_OK; node++)
            if (words[node] == MC_COUNT_UNKNOWN) w->first_values[node] = w->values[node];
    }
    mc_free(words);
    return result;
}

static mc_result read_columns(walker *w, mc_error *error) {
    uint32_t first = w->desc->window.first_step;
    mc_metric wanted = w->desc->metric;
    const struct {
        uint32_t step;
        mc_metric metric;
        uint64_t *values;
    } reads[] = {{w->desc->step, MC_METRIC_OBJECTS, w->objects},
                 {first, MC_METRIC_OBJECTS, w->first_objects},
                 {w->desc->step, wanted, w->values},
                 {first, wanted, w->first_values}};
    for (int i = 0; i < 4; i++) {
        mc_result result =
            mc_trace_read_counts(w->trace, reads[i].step, reads[i].metric, reads[i].values, error);
        if (result != MC_OK) return result;
    }
    return forget_unknown(w, error);
}

static mc_result prepare(walker *w, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(w->trace)->count;
    w->objects = mc_alloc(count, sizeof *w->objects);
    w->first_objects = mc_alloc(count, sizeof *w->first_objects);
    w->values = mc_alloc(count, sizeof *w->values);
    w->first_values = mc_alloc(count, sizeof *w->first_values);
    w->is_stop = mc_alloc(count, 1);
    w->is_library = mc_alloc(count, 1);
    if (!w->objects || !w->first_objects || !w->values || !w->first_values || !w->is_stop ||
        !w->is_library)
        return mc_error_out_of_memory(error);
    mc_class_find_libraries(w->trace, w->is_library);
    mc_result result = read_columns(w, error);
    if (result == MC_OK) result = mc_link_finder_create(w->trace, &w->finder, error);
    if (result == MC_OK) result = mc_link_finder_create(w->trace, &w->first_finder, error);
    return result;
}

static mc_result walk_begin(walker *w, mc_walk *walk, mc_error *error) {
    mc_walk_deinit(walk);
    *walk = (mc_walk){.desc = *w->desc,
                      .cause_index = MC_NONE,
                      .unit.node = MC_NONE,
                      .end = MC_WALK_END_NOTHING_GREW};
    walk->stops = mc_alloc_zero(MC_WALK_MOST_STOPS, sizeof *walk->stops);
    w->walk = walk;
    return walk->stops ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result find_unit(walker *w, mc_error *error) {
    mc_walk *walk = w->walk;
    const mc_walk_unit_desc desc = {.trace = w->trace,
                                    .window = walk->desc.window,
                                    .step = walk->desc.step,
                                    .objects = w->objects,
                                    .first_objects = w->first_objects,
                                    .is_library = w->is_library,
                                    .most_growth = walk->stops[walk->cause_index].growth,
                                    .finder = w->finder};
    return mc_walk_unit_find(&desc, &walk->unit, error);
}

// From where its suspects and what was asked for say.
static mc_result walk_all(walker *w, mc_error *error) {
    mc_walk *walk = w->walk;
    uint32_t start = find_start(w);
    if (start == MC_NONE) return MC_OK;
    mc_result result = walk_from(w, start, error);
    uint32_t better = result == MC_OK ? find_better_start(w) : MC_NONE;
    if (better != MC_NONE) result = walk_from(w, better, error);
    if (result == MC_OK && walk->cause_index != MC_NONE) result = find_unit(w, error);
    return result == MC_OK ? find_trail(w, error) : result;
}

static void walker_deinit(walker *w) {
    mc_suspects_deinit(&w->suspects);
    mc_link_finder_destroy(w->finder);
    mc_link_finder_destroy(w->first_finder);
    mc_root_path_finder_destroy(w->trail_finder);
    mc_links_deinit(&w->links);
    mc_links_deinit(&w->first_links);
    mc_free(w->objects);
    mc_free(w->first_objects);
    mc_free(w->values);
    mc_free(w->first_values);
    mc_free(w->is_stop);
    mc_free(w->is_library);
    mc_free(w->object_growth);
}

mc_result mc_walk_compute(const mc_trace *trace, const mc_walk_desc *desc, mc_walk *walk,
                          mc_error *error) {
    assert(desc->window.first_step <= desc->step && desc->step <= desc->window.last_step);
    mc_walk_desc wanted = *desc; // that may be the walk's own
    walker w = {.trace = trace, .desc = &wanted};
    uint32_t district = wanted.from_node != MC_NONE ? wanted.from_node : 0;
    mc_result result = walk_begin(&w, walk, error);
    if (result == MC_OK) result = prepare(&w, error);
    if (result == MC_OK)
        result = mc_suspects_find(trace, wanted.metric, wanted.window, district, NULL,
                                  &walk->suspects, error);
    if (result == MC_OK) result = walk_all(&w, error);
    walker_deinit(&w);
    if (result != MC_OK) mc_walk_deinit(walk);
    return result;
}

uint32_t mc_walk_get_found(const mc_walk *walk) {
    if (walk->cause_index != MC_NONE) return walk->cause_index;
    if (walk->suspects.verdict != MC_HEAP_SINGLE) return 0;
    for (uint32_t i = 0; i < walk->count; i++)
        if (!walk->stops[i].is_library) return i;
    return 0;
}

bool mc_walk_knows_way(const mc_walk *walk) {
    return walk->trail.is_known && walk->trail.means != MC_ROOT_PATH_WEAK;
}

// ---- several walks

// Of the suspects, in one go: by themselves they would be read from every step once more each.
static mc_result find_object_growth(walker *w, mc_error *error) {
    const mc_suspects *suspects = &w->suspects;
    uint32_t count = suspects->growing_count;
    if (w->desc->metric != MC_METRIC_BYTES || suspects->is_short || count == 0) return MC_OK;
    uint32_t *nodes = mc_alloc(count, sizeof *nodes);
    mc_trend *trends = mc_alloc(count, sizeof *trends);
    w->object_growth = mc_alloc_zero(mc_trace_get_nodes(w->trace)->count, 1);
    mc_result result = nodes && trends && w->object_growth ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        for (uint32_t i = 0; i < count; i++)
            nodes[i] = suspects->items[i].node;
        result = mc_trend_compute_nodes(w->trace, MC_METRIC_OBJECTS, w->desc->window, nodes, count,
                                        trends, NULL, error);
    }
    for (uint32_t i = 0; result == MC_OK && i < count; i++)
        w->object_growth[nodes[i]] =
            trends[i].growth.kind == MC_GROWTH_GOES_ON ? GROWS : DOES_NOT_GROW;
    mc_free(nodes);
    mc_free(trends);
    return result;
}

mc_result mc_walker_create(const mc_trace *trace, const mc_walk_desc *desc,
                           const mc_progress *progress, mc_walker **self, mc_error *error) {
    assert(desc->window.first_step <= desc->step && desc->step <= desc->window.last_step);
    mc_walker *w = *self = mc_alloc_zero(1, sizeof *w);
    if (!w) return mc_error_out_of_memory(error);
    w->trace = trace;
    w->own_desc = *desc;
    w->own_desc.from_node = MC_NONE;
    w->desc = &w->own_desc;
    mc_result result = prepare(w, error);
    if (result == MC_OK)
        result =
            mc_suspects_find(trace, desc->metric, desc->window, 0, progress, &w->suspects, error);
    if (result == MC_OK && mc_trace_has_references(trace)) result = find_object_growth(w, error);
    if (result == MC_OK) return MC_OK;
    mc_walker_destroy(w);
    *self = NULL;
    return result;
}

void mc_walker_destroy(mc_walker *self) {
    if (!self) return;
    walker_deinit(self);
    mc_free(self);
}

const mc_suspects *mc_walker_get_suspects(const mc_walker *self) {
    return &self->suspects;
}

int64_t mc_walker_get_object_growth(const mc_walker *self, uint32_t node) {
    return subtract(self->objects[node], self->first_objects[node]);
}

static mc_result copy_suspects(const mc_suspect *items, uint32_t count, const mc_suspects *like,
                               mc_suspects *copy, mc_error *error) {
    *copy = *like;
    copy->items = mc_alloc((size_t)count + 1, sizeof *copy->items);
    copy->count = count;
    if (copy->growing_count > count) copy->growing_count = count;
    if (!copy->items) return mc_error_out_of_memory(error);
    if (count > 0) memcpy(copy->items, items, count * sizeof *items);
    return MC_OK;
}

mc_result mc_walker_walk(mc_walker *self, uint32_t suspect_index, mc_walk *walk, mc_error *error) {
    const mc_suspects *all = &self->suspects;
    bool is_one = suspect_index != MC_NONE;
    mc_result result = walk_begin(self, walk, error);
    if (result == MC_OK)
        result = is_one ? copy_suspects(&all->items[suspect_index], 1, all, &walk->suspects, error)
                        : copy_suspects(all->items, all->count, all, &walk->suspects, error);
    if (result == MC_OK && is_one) {
        walk->desc.from_node = all->items[suspect_index].node;
        if (is_leaf(self, walk->desc.from_node))
            result = walk_from(self, walk->desc.from_node, error);
    } else if (result == MC_OK) {
        result = walk_all(self, error);
    }
    self->walk = NULL;
    if (result != MC_OK) mc_walk_deinit(walk);
    return result;
}

mc_result mc_walker_find_root_path(mc_walker *self, mc_walk *walk, mc_error *error) {
    self->walk = walk;
    mc_result result = find_trail(self, error);
    self->walk = NULL;
    return result;
}
