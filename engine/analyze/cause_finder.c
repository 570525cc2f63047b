#include "engine/analyze/cause_finder.h"

#include "engine/analyze/cause_facts.h"
#include "engine/analyze/cause_units.h"
#include "engine/analyze/class_names.h"
#include "engine/analyze/live_causes.h"
#include "engine/analyze/owner_causes.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/live_steps.h"
#include "engine/trace/versus/versus.h"
#include <stdlib.h>
#include <string.h>

#define OVERLAP_SHARE 0.5 // of the referrers of the one that hold the other as well
#define LEAST_ABSORBED_SHARE 0.5
#define LEAST_FIRST_SHARE 0.25  // of the growth of what would lead, for what is the program's own
#define MOST_BYTES_PER_ENTRY 16 // of an array: a reference, and as much again that is free

typedef struct finder {
    const mc_trace *trace;
    mc_causes *causes;
    mc_walker *walker;
    uint32_t *cause_of; // per growing suspect: MC_NONE: not explained yet
} finder;

static const mc_walk no_walk = {.cause_index = MC_NONE, .unit.node = MC_NONE};

// ---- what a walk explains

static double multiply_shares(const mc_walk *walk, uint32_t from, uint32_t to) {
    double share = 1;
    for (uint32_t i = from; i < to; i++)
        share *= walk->stops[i].share;
    return share;
}

// A list's array becomes longer with what it holds.
static bool is_longer_array(const mc_trace *trace, const mc_walk *walk, uint32_t stop) {
    const mc_walk_stop *array = &walk->stops[stop];
    if (stop == 0 || array->verdict != MC_WALK_HOLDER) return false;
    return mc_class_is_container_part(trace, array->node) &&
           array->metric_growth <= MOST_BYTES_PER_ENTRY * walk->stops[stop - 1].link_growth;
}

// The share of what a stop of the cause's walk grew by that is the cause's.
static double get_stop_share(const mc_trace *trace, const mc_walk *walk, uint32_t stop) {
    uint32_t cause = walk->cause_index != MC_NONE ? walk->cause_index : 0;
    if (stop <= cause) return multiply_shares(walk, stop, cause);
    if (walk->stops[stop].verdict == MC_WALK_CONTAINER) return walk->stops[stop].carried_share;
    return is_longer_array(trace, walk, stop) ? 1 : 0;
}

static double find_share(const mc_trace *trace, const mc_walk *walk, uint32_t node) {
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->stops[i].node == node) return get_stop_share(trace, walk, i);
    return 0;
}

// Where references lead nowhere, what grew alike is the cause of all that grew.
static bool is_unit(const mc_walk *walk) {
    return walk->unit.node != MC_NONE && walk->cause_index + 1 == walk->count;
}

static uint32_t get_cause_node(const mc_walk *walk, uint32_t start) {
    if (is_unit(walk)) return walk->unit.node;
    return walk->cause_index != MC_NONE ? walk->stops[walk->cause_index].node : start;
}

// The stop that holds the cause; NULL: it is not known.
static const mc_walk_stop *get_held(const mc_walk *walk) {
    if (walk->cause_index == MC_NONE || walk->cause_index + 1 >= walk->count) return NULL;
    const mc_walk_stop *cause = &walk->stops[walk->cause_index];
    return cause->link.flags & MC_LINK_PARTNER_UNKNOWN ? NULL : cause;
}

// Whether most objects that hold the cause of the one must hold that of the other as well.
static bool are_held_together(const mc_walk *a, const mc_walk *b) {
    const mc_walk_stop *x = get_held(a), *y = get_held(b);
    if (!x || !y || x->link.partner != y->link.partner) return false;
    double referrers = (double)x[1].objects;
    double of_a = (double)x->link.partner_objects, of_b = (double)y->link.partner_objects;
    return of_a + of_b - referrers >= OVERLAP_SHARE * (of_a < of_b ? of_a : of_b);
}

// ---- causes

static mc_result add_explained(mc_cause *cause, uint32_t node, double share, mc_error *error) {
    if (node == cause->node) return MC_OK;
    for (uint32_t i = 0; i < cause->explained_count; i++)
        if (cause->explained[i].node == node) return MC_OK;
    mc_explained *more =
        mc_realloc(cause->explained, (size_t)cause->explained_count + 1, sizeof *more);
    if (!more) return mc_error_out_of_memory(error);
    cause->explained = more;
    more[cause->explained_count++] = (mc_explained){node, share};
    return MC_OK;
}

static mc_result explain(finder *f, uint32_t cause_index, uint32_t suspect_index, double share,
                         mc_error *error) {
    f->cause_of[suspect_index] = cause_index;
    return add_explained(&f->causes->items[cause_index],
                         f->causes->suspects.items[suspect_index].node, share, error);
}

static uint32_t find_cause(const finder *f, const mc_walk *walk, uint32_t node) {
    for (uint32_t i = 0; i < f->causes->count; i++) {
        const mc_cause *cause = &f->causes->items[i];
        if (cause->node == node || are_held_together(&cause->walk, walk)) return i;
    }
    return MC_NONE;
}

// Takes over the walk, from a suspect or, MC_NONE, from where a walk begins by itself.
static mc_result add_walk(finder *f, uint32_t suspect_index, mc_walk *walk, mc_error *error) {
    mc_causes *causes = f->causes;
    uint32_t start =
        suspect_index != MC_NONE ? causes->suspects.items[suspect_index].node : walk->stops[0].node;
    uint32_t node = get_cause_node(walk, start), index = find_cause(f, walk, node);
    double share = find_share(f->trace, walk, start);
    if (walk->count == 0 || causes->suspects.items[0].node == node) share = 1;
    if (index == MC_NONE) {
        index = causes->count++;
        causes->items[index] = (mc_cause){.node = node, .walk = *walk, .is_unit = is_unit(walk)};
    } else {
        mc_walk_deinit(walk);
    }
    *walk = no_walk;
    return suspect_index != MC_NONE ? explain(f, index, suspect_index, share, error) : MC_OK;
}

// Suspects that the cause added last explains without a walk of their own.
static mc_result explain_passed(finder *f, mc_error *error) {
    const mc_suspects *suspects = &f->causes->suspects;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < suspects->growing_count && result == MC_OK; i++) {
        for (uint32_t k = 0; k < f->causes->count && f->cause_of[i] == MC_NONE; k++) {
            const mc_cause *cause = &f->causes->items[k];
            double share = suspects->items[i].node == cause->node
                               ? 1
                               : find_share(f->trace, &cause->walk, suspects->items[i].node);
            if (cause->walk.class_growth > 0 || cause->is_unit) share = 1;
            if (share > 0) result = explain(f, k, i, share, error);
            if (result != MC_OK) break;
        }
    }
    return result;
}

// Leaves that grew by the unit's number belong to it.
static mc_result explain_unit(finder *f, mc_error *error) {
    const mc_causes *causes = f->causes;
    if (causes->count == 0 || causes->items[0].walk.unit.node == MC_NONE) return MC_OK;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < causes->suspects.growing_count && result == MC_OK; i++) {
        uint32_t node = causes->suspects.items[i].node;
        int64_t growth = mc_walker_get_object_growth(f->walker, node);
        if (f->cause_of[i] == MC_NONE && growth == causes->items[0].walk.unit.growth)
            result = explain(f, 0, i, 1, error);
    }
    return result;
}

static mc_result collect(finder *f, mc_error *error) {
    mc_causes *causes = f->causes;
    const mc_suspects *suspects = &causes->suspects;
    mc_walk walk = no_walk;
    bool can_walk = mc_trace_has_references(f->trace);
    mc_result result = MC_OK;
    if (can_walk) {
        result = mc_walker_walk(f->walker, MC_NONE, &walk, error);
        if (result == MC_OK && walk.count > 0) {
            result = add_walk(f, MC_NONE, &walk, error);
            if (result == MC_OK) result = explain_passed(f, error);
            if (result == MC_OK) result = explain_unit(f, error);
        }
    }
    for (uint32_t i = 0, walks = 0; i < suspects->growing_count && result == MC_OK; i++) {
        if (f->cause_of[i] != MC_NONE) continue;
        if (walks == MC_CAUSES_MOST_WALKS) break;
        walks += can_walk;
        if (causes->count == MC_CAUSES_MOST_WALKS) break;
        mc_walk_deinit(&walk);
        walk = no_walk;
        if (can_walk) result = mc_walker_walk(f->walker, i, &walk, error);
        if (result == MC_OK) result = add_walk(f, i, &walk, error);
        if (result == MC_OK && can_walk) result = explain_passed(f, error);
    }
    mc_walk_deinit(&walk);
    return result;
}

// The other cause whose walk came past this one's node, if such walks came past most of it.
static mc_cause *find_absorber(finder *f, const mc_cause *cause, double *share) {
    mc_cause *found = NULL;
    double all = 0;
    *share = 0;
    for (uint32_t i = 0; i < f->causes->count; i++) {
        mc_cause *other = &f->causes->items[i];
        if (other == cause || other->is_unit) continue;
        double one = find_share(f->trace, &other->walk, cause->node);
        all += one;
        if (one <= *share) continue;
        *share = one;
        found = other;
    }
    return all >= LEAST_ABSORBED_SHARE ? found : NULL;
}

// A container that grew more than any of what it holds was walked from first, and taken for a
// cause.
static mc_result absorb(finder *f, mc_error *error) {
    mc_causes *causes = f->causes;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < causes->count && result == MC_OK;) {
        double share;
        mc_cause *cause = &causes->items[i], *other = find_absorber(f, cause, &share);
        if (!other || cause->is_unit) {
            i++;
            continue;
        }
        result = add_explained(other, cause->node, share, error);
        for (uint32_t k = 0; k < cause->explained_count && result == MC_OK; k++)
            result = add_explained(other, cause->explained[k].node,
                                   share * cause->explained[k].share, error);
        mc_cause_deinit(cause);
        *cause = causes->items[--causes->count];
    }
    return result;
}

// ---- who holds them

static mc_result find_trails(finder *f, mc_error *error) {
    mc_causes *causes = f->causes;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++)
        result = mc_walker_find_root_path(f->walker, &causes->items[i].walk, error);
    return result;
}

// ---- their order

static int compare_causes(const void *a, const void *b) {
    const mc_cause *x = a, *y = b;
    if (x->growth != y->growth) return x->growth > y->growth ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static void swap_causes(mc_cause *a, mc_cause *b) {
    mc_cause held = *a;
    *a = *b;
    *b = held;
}

// The program's own before arrays, strings and collections, which hold whatever they are given;
// where references are known, if it grew by no small part of what the first did. Stable.
static void put_program_first(const mc_trace *trace, mc_causes *causes) {
    uint32_t place = 0;
    double least =
        mc_trace_has_references(trace) ? LEAST_FIRST_SHARE * (double)causes->items[0].growth : 0;
    for (uint32_t i = 0; i < causes->count; i++) {
        bool is_small = (double)causes->items[i].growth < least;
        if (is_small || mc_class_is_library(trace, causes->items[i].node)) continue;
        for (uint32_t k = i; k > place; k--)
            swap_causes(&causes->items[k], &causes->items[k - 1]);
        place++;
    }
}

static void sort_causes(finder *f) {
    mc_causes *causes = f->causes;
    if (causes->count == 0) return;
    qsort(causes->items, causes->count, sizeof *causes->items, compare_causes);
    put_program_first(f->trace, causes);
    while (causes->count > MC_CAUSES_MOST) {
        mc_cause *last = &causes->items[--causes->count];
        causes->left_out_count += 1 + last->explained_count;
        mc_cause_deinit(last);
    }
}

static mc_result copy_suspects(finder *f, mc_error *error) {
    const mc_suspects *from = mc_walker_get_suspects(f->walker);
    mc_suspects *to = &f->causes->suspects;
    *to = *from;
    uint32_t count = from->count + from->chance_count;
    to->items = mc_alloc((size_t)count + 1, sizeof *to->items);
    f->cause_of = mc_alloc((size_t)from->count + 1, sizeof *f->cause_of);
    f->causes->items = mc_alloc_zero(MC_CAUSES_MOST_WALKS + 1, sizeof *f->causes->items);
    if (!to->items || !f->cause_of || !f->causes->items) return mc_error_out_of_memory(error);
    if (count > 0) memcpy(to->items, from->items, count * sizeof *to->items);
    memset(f->cause_of, 0xff, ((size_t)from->count + 1) * sizeof *f->cause_of);
    return MC_OK;
}

mc_metric mc_causes_choose_metric(const mc_trace *trace, const mc_causes_desc *desc) {
    bool is_plain = desc->metric < MC_METRIC_FIRST_OWN ||
                    desc->metric == mc_trace_find_metric(trace, mc_metric_retained);
    if (!is_plain) return desc->metric;
    bool has_bytes = mc_trace_get_step(trace, desc->window.last_step)->bytes > 0;
    return has_bytes ? MC_METRIC_BYTES : MC_METRIC_OBJECTS;
}

static mc_result find(finder *f, const mc_progress *progress, mc_error *error) {
    mc_causes *causes = f->causes;
    bool is_owned;
    mc_result found = mc_owner_causes_find(f->trace, progress, causes, &is_owned, error);
    if (found == MC_OK && is_owned)
        return mc_cause_units_add_to_owned(f->trace, progress, causes, error);
    if (found != MC_OK) return found;
    mc_walk_desc desc = {.metric = causes->desc.metric,
                         .window = causes->desc.window,
                         .step = causes->desc.window.last_step,
                         .from_node = MC_NONE};
    mc_result result = mc_walker_create(f->trace, &desc, progress, &f->walker, error);
    if (result == MC_OK) result = copy_suspects(f, error);
    if (result == MC_OK && causes->suspects.verdict == MC_HEAP_SINGLE &&
        mc_trace_has_references(f->trace))
        return mc_walker_walk(f->walker, MC_NONE, &causes->largest, error);
    if (result != MC_OK || causes->suspects.verdict != MC_HEAP_GROWS) return result;
    result = collect(f, error);
    if (result == MC_OK) result = absorb(f, error);
    // Where a unit is the cause, what led to it is a symptom.
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i].is_unit)
            causes->items[i].walk.stops[causes->items[i].walk.cause_index].verdict =
                MC_WALK_SYMPTOM;
    for (uint32_t i = 0; i < causes->suspects.growing_count; i++)
        causes->left_out_count += f->cause_of[i] == MC_NONE;
    if (result == MC_OK)
        result = mc_cause_units_find(f->trace, MC_CAUSES_MOST_WALKS, progress, causes, error);
    if (result == MC_OK) result = mc_cause_facts_measure(f->trace, causes, error);
    if (result != MC_OK) return result;
    sort_causes(f);
    result = find_trails(f, error);
    if (result != MC_OK) return result;
    return mc_cause_facts_find_begun(f->trace, causes, error);
}

static mc_result find_samples(const mc_trace *trace, mc_causes *causes, mc_error *error) {
    causes->is_of_samples = true;
    mc_result result = mc_old_objects_find(trace, causes->desc.window, &causes->old_objects, error);
    causes->suspects.verdict = causes->old_objects.verdict;
    return result;
}

static mc_result find_in(const mc_trace *trace, const mc_progress *progress, mc_causes *causes,
                         mc_error *error) {
    finder f = {.trace = trace, .causes = causes};
    mc_result result = find(&f, progress, error);
    mc_walker_destroy(f.walker);
    mc_free(f.cause_of);
    return result;
}

mc_result mc_causes_find(const mc_trace *trace, const mc_causes_desc *desc,
                         const mc_progress *progress, mc_causes *causes, mc_error *error) {
    mc_causes_deinit(causes);
    causes->desc = *desc;
    causes->desc.metric = causes->unit = mc_causes_choose_metric(trace, desc);
    // What is known of holders is the second trace's.
    bool is_alone = mc_versus_is_before(trace, causes->desc.metric);
    mc_result result =
        is_alone ? mc_suspects_find(trace, causes->desc.metric, desc->window, 0, progress,
                                    &causes->suspects, error)
        : mc_old_objects_speak(trace, causes->desc.metric) ? find_samples(trace, causes, error)
        : mc_trace_counts_garbage(trace, desc->window.first_step, desc->window.last_step)
            ? mc_live_causes_find(trace, find_in, progress, causes, error)
            : find_in(trace, progress, causes, error);
    if (result != MC_OK) mc_causes_deinit(causes);
    return result;
}

static mc_result copy_suspects_of(const mc_suspects *from, mc_suspects *to, mc_error *error) {
    mc_suspect *items = mc_alloc((size_t)from->count + 1, sizeof *items);
    if (!items) return mc_error_out_of_memory(error);
    if (from->count > 0) memcpy(items, from->items, from->count * sizeof *items);
    mc_suspects_deinit(to);
    *to = *from;
    to->items = items;
    return MC_OK;
}

// Where the walk of a cause begins; MC_NONE: it has none, as a district.
static uint32_t get_start(const mc_trace *trace, const mc_cause *cause) {
    if (cause->walk.count > 0) return cause->walk.stops[0].node;
    return mc_trace_get_nodes(trace)->child_count[cause->node] == 0 ? cause->node : MC_NONE;
}

// From what piles up to the root, by the places of its owner. Of those without a group nothing is
// shown.
static mc_result walk_owner(const mc_trace *trace, const mc_cause *cause, mc_walk *walk,
                            mc_error *error) {
    uint32_t owner_count;
    const mc_owner *owners = mc_trace_get_owners(trace, &owner_count);
    const mc_cause_owner *from = &cause->owner;
    *walk = no_walk;
    walk->end = MC_WALK_END_ROOT;
    walk->stops = mc_alloc_zero(MC_WALK_MOST_STOPS, sizeof *walk->stops);
    if (!walk->stops) return mc_error_out_of_memory(error);
    for (uint32_t i = from->count; i-- > 0 && walk->count < MC_WALK_MOST_STOPS;) {
        const mc_owner *owner = &owners[from->hops[i].owner];
        bool is_last = i + 1 == from->count;
        uint32_t node = is_last ? cause->node : owner->place;
        if (node == MC_NONE) continue;
        mc_walk_stop *stop = &walk->stops[walk->count++];
        *stop = (mc_walk_stop){.node = node,
                               .verdict = is_last ? MC_WALK_CAUSE : MC_WALK_HOLDER,
                               .is_library = from->hops[i].is_library,
                               .objects = from->hops[i].objects,
                               .growth = is_last ? from->more_objects : 0,
                               .link = {.partner = MC_NONE},
                               .field = owner->field,
                               .carried_share = 1};
        if (walk->count < 2) continue;
        stop[-1].link = (mc_link){.from = MC_NONE,
                                  .partner = node,
                                  .node_objects = stop[-1].objects,
                                  .partner_objects = stop->objects,
                                  .node_share = 1};
        stop[-1].share = 1;
        stop[-1].field_count = stop[-1].field != MC_NONE;
        stop[-1].field_references = stop[-1].objects;
    }
    if (walk->count == 0) return MC_OK;
    walk->cause_index = 0;
    walk->is_owned = true;
    mc_walk_stop *last = &walk->stops[walk->count - 1];
    const mc_owner *root = &owners[from->hops[0].owner];
    last->field = MC_NONE;
    walk->is_shared = root->root == MC_OWNER_SHARED;
    walk->sharers = from->sharers;
    if (root->root < MC_ROOT_COUNT && root->field != MC_NONE)
        walk->trail = (mc_root_path){.is_known = true,
                                     .start = last->node,
                                     .root_kind = (mc_root_kind)root->root,
                                     .root_name = root->field,
                                     .root_name_count = 1,
                                     .root_count = 1};
    return MC_OK;
}

mc_result mc_causes_take_walk(const mc_trace *trace, mc_causes *causes, uint32_t index,
                              uint32_t step, mc_walk *walk, mc_error *error) {
    mc_cause *cause = index < causes->count ? &causes->items[index] : NULL;
    mc_walk *from = cause ? &cause->walk : &causes->largest;
    mc_result result = MC_OK;
    mc_walk_deinit(walk);
    uint32_t start = cause ? get_start(trace, cause) : MC_NONE;
    if (cause && cause->owner.hops) {
        result = walk_owner(trace, cause, walk, error);
    } else if (from->count > 0 && from->desc.step == step) {
        *walk = *from;
        *from = no_walk;
    } else if (start != MC_NONE) {
        const mc_walk_desc desc = {causes->desc.metric, causes->desc.window, step, start};
        result = mc_walk_compute(trace, &desc, walk, error);
    } else {
        *walk = no_walk;
        walk->end = MC_WALK_END_NOTHING_GREW;
    }
    if (result == MC_OK) result = copy_suspects_of(&causes->suspects, &walk->suspects, error);
    walk->desc = (mc_walk_desc){causes->desc.metric, causes->desc.window, step, MC_NONE};
    if (result != MC_OK) mc_walk_deinit(walk);
    return result;
}
