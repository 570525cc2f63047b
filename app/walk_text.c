#include "app/walk_text.h"

#include "app/finding_text.h"
#include "app/format.h"
#include "app/link_text.h"
#include "app/node_text.h"
#include "app/owner_text.h"
#include "app/root_path_text.h"
#include "app/subject_text.h"
#include "engine/analyze/class_names.h"
#include <inttypes.h>

const char *const mc_heap_verdict_names[] = {"grows", "stopped", "steady", "single", "unknown"};
const char *const mc_walk_verdict_names[] = {"symptom", "cause", "container", "holder", "largest"};
const char *const mc_walk_end_names[] = {"root",      "cycle",  "scattered",
                                         "limit",     "no-map", "nothing-grew",
                                         "instances", "loader", "larger"};

static void append_count(mc_text *out, uint64_t count) {
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, mc_format_count(text, count));
}

static void append_share(mc_text *out, double share) {
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, mc_format_share(text, share));
}

static void append_growth(mc_text *out, const mc_trace *trace, mc_metric metric, int64_t growth) {
    mc_format_append_growth(out, mc_trace_get_metric(trace, metric), growth);
}

// "all 80,000", "79,991 of 80,000", "the only": a noun follows.
static void append_part(mc_text *out, uint64_t part, uint64_t all) {
    if (part == all) {
        mc_text_append_string(out, all == 1 ? "the only" : "all ");
        if (all != 1) append_count(out, all);
        return;
    }
    append_count(out, part);
    mc_text_append_string(out, " of ");
    append_count(out, all);
}

// The same without one.
static void append_part_alone(mc_text *out, uint64_t part, uint64_t all) {
    append_part(out, part, all);
    if (all == 1 && part == 1) mc_text_append_string(out, " one");
}

// ---- the verdict

// Of what has a whole; 0: nothing is said of it.
static double get_total(const mc_trace *trace, mc_metric metric, uint32_t step) {
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    uint64_t total = 0;
    if (!info->is_additive || mc_trace_read_total(trace, step, metric, &total, NULL) != MC_OK)
        return 0;
    return (double)mc_metric_get_count(info, total);
}

void mc_suspects_append_slowing(const mc_trend *trend, mc_text *out) {
    char share[MC_FORMAT_SIZE];
    if (trend->growth.slower_share == 0) {
        mc_text_append_string(out, "grows ever more slowly");
        return;
    }
    mc_text_format(out, "grows, %s slower than at first",
                   mc_format_share(share, trend->growth.slower_share));
    if (trend->look_again_s <= 0) return;
    mc_text_append_string(out, "; look again after ");
    mc_finding_append_duration(trend->look_again_s, out);
}

// What grows, but ever more slowly, before what has stopped.
static bool is_slowing(const mc_suspects *suspects) {
    for (uint32_t i = 0; i < suspects->count; i++)
        if (suspects->items[i].trend.growth.slower_share > 0) return true;
    return false;
}

static void append_stopped(const mc_suspects *suspects, const mc_trace *trace, mc_metric metric,
                           mc_step_range window, mc_text *out) {
    // Rather a class of the program than what it is made of.
    uint32_t chosen = MC_NONE, first = MC_NONE;
    bool slows = is_slowing(suspects);
    for (uint32_t i = 0; i < suspects->count && chosen == MC_NONE; i++) {
        if (slows && suspects->items[i].trend.growth.slower_share == 0) continue;
        if (first == MC_NONE) first = i;
        if (!mc_class_is_library(trace, suspects->items[i].node)) chosen = i;
    }
    const mc_suspect *one = &suspects->items[chosen != MC_NONE ? chosen : first];
    const mc_growth *growth = &one->trend.growth;
    mc_node_append_name_line(trace, one->node, out);
    mc_text_append_string(out, " ");
    if (slows) mc_suspects_append_slowing(&one->trend, out);
    mc_text_append_string(out, slows ? ": it grew by " : "grew by ");
    mc_format_append_amount(out, mc_trace_get_metric(trace, metric), growth->amount);
    mc_text_format(out, " from step %" PRIu32 " to %" PRIu32, window.first_step + growth->since,
                   window.first_step + growth->until);
    if (slows) {
        mc_text_append_string(out, ".");
        return;
    }
    bool still_rises = window.first_step + growth->until == window.last_step;
    mc_text_append_string(out, still_rises ? ", ever more slowly" : " and then stopped");
    if (suspects->count == 2) mc_text_append_string(out, ", as did another group");
    if (suspects->count > 2)
        mc_text_format(out, ", as did %" PRIu32 " other groups", suspects->count - 1);
    mc_text_append_string(out, ".");
}

// "24.7 MiB, 32.3 % of the heap."
static void append_amount(const mc_trace *trace, mc_metric metric, uint32_t step, int64_t amount,
                          mc_text *out) {
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    double total = get_total(trace, metric, step);
    mc_format_append_value(out, info, mc_metric_get_word(info, (uint64_t)amount));
    if (total > 0) {
        mc_text_append_string(out, ", ");
        append_share(out, (double)amount / total);
        mc_text_format(out, " of %s", mc_subject_get_whole(trace, metric));
    }
    mc_text_append_string(out, ".");
}

static void append_largest(const mc_suspects *suspects, const mc_trace *trace, mc_metric metric,
                           mc_step_range window, mc_text *out) {
    if (suspects->count == 0) return;
    mc_node_append_name_line(trace, suspects->items[0].node, out);
    mc_text_append_string(out, " is the largest group: ");
    append_amount(trace, metric, window.first_step, suspects->items[0].growth, out);
}

// 0 where it is not known.
static uint64_t get_count(const mc_trace *trace, uint32_t step, mc_metric metric, uint32_t node) {
    uint64_t value;
    if (metric == MC_NONE || mc_trace_read_value(trace, step, metric, node, &value, NULL) != MC_OK)
        return 0;
    return mc_metric_get_count(mc_trace_get_metric(trace, metric), value);
}

// Of the root's groups the one that takes the most; MC_NONE: none takes anything.
static uint32_t find_most(const mc_trace *trace, mc_metric metric, uint32_t step, uint64_t *most) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t largest = MC_NONE;
    *most = 0;
    for (uint32_t i = 0; i < nodes->child_count[0]; i++) {
        uint32_t node = nodes->first_child[0] + i;
        uint64_t value = get_count(trace, step, metric, node);
        if (value <= *most) continue;
        *most = value;
        largest = node;
    }
    return largest;
}

// What takes the most at the end, of sites that hardly grew: profiles of one run may know no more.
static void append_most(const mc_trace *trace, mc_metric metric, uint32_t step, mc_text *out) {
    uint64_t most;
    if (!mc_subject_is_profile(trace)) return;
    uint32_t largest = find_most(trace, metric, step, &most);
    if (largest == MC_NONE) return;
    mc_text_append_string(out, " The largest group at the end is ");
    mc_node_append_name_line(trace, largest, out);
    mc_text_append_string(out, ": ");
    append_amount(trace, metric, step, (int64_t)most, out);
}

// It comes last: what one step does say is worth more.
static void append_one_step(const mc_trace *trace, mc_text *out) {
    if (out->size > 0) mc_text_append_string(out, " ");
    bool is_dump = mc_subject_is_heap(trace) && mc_trace_has_references(trace);
    mc_text_format(out, "One %s cannot show growth: take a second.",
                   is_dump                        ? "dump"
                   : mc_subject_is_profile(trace) ? "profile"
                                                  : "step");
}

// ---- sums of a run

#define NEXT_TO_NOTHING 0.01 // of the peak

// "Of 400 objects that it allocated, 303 were never freed."
static void append_never_freed(const mc_trace *trace, uint32_t node, uint32_t step, mc_text *out) {
    uint64_t all = get_count(trace, step, mc_trace_find_metric(trace, "alloc_objects"), node);
    uint64_t alive = get_count(trace, step, MC_METRIC_OBJECTS, node);
    if (all == 0 || alive > all) return;
    if (all == 1 && alive == 1) {
        mc_text_append_string(out, " It never freed the one object that it allocated.");
        return;
    }
    mc_text_append_string(out, alive == all ? " It freed none of the " : " Of ");
    append_count(out, all);
    mc_text_append_string(out, all == 1 ? " object" : " objects");
    mc_text_append_string(out, alive == all ? " that it allocated." : " that it allocated, ");
    if (alive == all) return;
    append_count(out, alive);
    mc_text_append_string(out, alive == 1 ? " was never freed." : " were never freed.");
}

static void append_at_peak(const mc_trace *trace, mc_metric metric, uint32_t step, uint32_t node,
                           mc_text *out) {
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    uint64_t value = get_count(trace, step, metric, node);
    mc_text_append_string(out, " At the peak it had ");
    mc_format_append_value(out, info, mc_metric_get_word(info, value));
    mc_text_append_string(out, ".");
}

static void append_what_shows(const mc_trace *trace, mc_text *out) {
    bool is_of_dhat = mc_trace_find_metric(trace, "lifetimes") != MC_NONE;
    mc_text_format(out, " A peak and an end cannot show growth: %s.",
                   is_of_dhat ? "valgrind --tool=massif --time-unit=ms --detailed-freq=1 and "
                                "heaptrack do"
                              : "a recording without --aggregate does");
}

// What a peak and an end do tell, and what would tell of growth.
static void append_sums(const mc_trace *trace, mc_metric metric, mc_step_range window,
                        mc_text *out) {
    // The others are not of what is alive. Where nothing is at the end, bytes may seem to be none.
    if (metric != MC_METRIC_OBJECTS || get_total(trace, MC_METRIC_BYTES, window.first_step) > 0)
        metric = MC_METRIC_BYTES;
    const double peak = get_total(trace, metric, window.first_step);
    const double end = get_total(trace, metric, window.last_step);
    bool is_freed = end <= NEXT_TO_NOTHING * peak;
    uint32_t step = is_freed ? window.first_step : window.last_step;
    uint64_t most;
    uint32_t largest = find_most(trace, metric, step, &most);
    if (is_freed)
        mc_text_append_string(out, end > 0 ? "Next to nothing is alive at the end."
                                           : "Nothing is alive at the end.");
    if (largest != MC_NONE) {
        if (is_freed) mc_text_append_string(out, " ");
        mc_node_append_name_line(trace, largest, out);
        mc_text_append_string(out, is_freed ? " had the most at the peak: "
                                            : " has the most that is alive at the end: ");
        append_amount(trace, metric, step, (int64_t)most, out);
    }
    if (largest != MC_NONE && !is_freed) {
        append_at_peak(trace, metric, window.first_step, largest, out);
        append_never_freed(trace, largest, step, out);
    }
    append_what_shows(trace, out);
}

// Of a leaf that was asked for.
static void append_asked_sums(const mc_trace *trace, uint32_t node, mc_step_range window,
                              mc_text *out) {
    const bool has_bytes = get_total(trace, MC_METRIC_BYTES, window.first_step) > 0;
    const mc_metric metric = has_bytes ? MC_METRIC_BYTES : MC_METRIC_OBJECTS;
    uint64_t end = get_count(trace, window.last_step, metric, node);
    mc_node_append_name_line(trace, node, out);
    mc_text_append_string(out, " has alive at the end: ");
    append_amount(trace, metric, window.last_step, (int64_t)end, out);
    append_at_peak(trace, metric, window.first_step, node, out);
    append_never_freed(trace, node, window.last_step, out);
    append_what_shows(trace, out);
}

void mc_suspects_append_verdict(const mc_suspects *suspects, const mc_trace *trace,
                                mc_metric metric, mc_step_range window, mc_text *out) {
    switch (suspects->verdict) {
    case MC_HEAP_STEADY:
        if (!suspects->is_short) {
            mc_text_append_string(out, "Nothing keeps growing.");
            break;
        }
        mc_text_format(out,
                       "Nothing has grown much. %" PRIu32
                       " steps cannot show slow growth: take at least "
                       "%d.",
                       window.last_step - window.first_step + 1, MC_GROWTH_LEAST_POINTS);
        append_most(trace, metric, window.last_step, out);
        break;
    case MC_HEAP_STOPPED:
        mc_text_append_string(out, is_slowing(suspects) ? "Nothing is sure to keep growing. "
                                                        : "Nothing keeps growing. ");
        append_stopped(suspects, trace, metric, window, out);
        break;
    case MC_HEAP_UNKNOWN:
        if (mc_suspects_are_of_sums(trace, window)) {
            append_sums(trace, metric, window, out);
            break;
        }
        mc_text_format(
            out,
            "Too early to tell: %u of the steps %s right after a collection of the whole heap, and "
            "%d are needed. Other steps also count garbage. --gc \"every 30s\" collects it while "
            "recording.",
            suspects->live_count, suspects->live_count == 1 ? "is" : "are", MC_GROWTH_LEAST_POINTS);
        break;
    case MC_HEAP_SINGLE:
        append_largest(suspects, trace, metric, window, out);
        append_one_step(trace, out);
        break;
    default: break;
    }
}

// ---- links and ends

// Most of a list's nodes are held by each other: the referrer holds the first of each chain.
static void append_share_of_part(const mc_walk_stop *stop, mc_text *out) {
    double growth = stop->growth > 0 ? (double)stop->link_growth / (double)stop->growth : 0;
    double plain = stop->share_is_of_growth ? growth : stop->link.node_share;
    bool is_all = stop->share >= 0.9995;
    if (stop->share - plain > 0.05) {
        mc_text_append_string(out, is_all ? ", the first of every " : ", the first of ");
        if (!is_all) append_share(out, stop->share);
        mc_text_append_string(out, is_all ? "" : " of the ");
        mc_text_append_string(out, stop->share_is_of_growth ? "new chain" : "chain");
        mc_text_append_string(out, is_all ? "," : "s,");
    } else if (stop->share - stop->link.node_share > 0.05) {
        mc_text_append_string(out, " (");
        append_share(out, stop->share);
        mc_text_append_string(out, " of the new ones)");
    }
}

void mc_walk_append_link(const mc_walk *walk, const mc_trace *trace, uint32_t stop_index,
                         mc_text *out) {
    const mc_walk_stop *stop = &walk->stops[stop_index], *next = stop + 1;
    const mc_link *link = &stop->link;
    if (link->flags & MC_LINK_NODE_UNKNOWN) {
        mc_text_append_string(out, "some objects");
    } else {
        append_part(out, link->node_objects, stop->objects);
        mc_text_append_string(out, stop->objects == 1 ? " object" : " objects");
        append_share_of_part(stop, out);
    }
    mc_text_append_string(out, " held by ");
    if (link->flags & MC_LINK_PARTNER_UNKNOWN) {
        mc_node_append_name_line(trace, next->node, out);
        return;
    }
    append_count(out, link->partner_objects);
    if (link->partner_objects < next->objects) {
        mc_text_append_string(out, " of ");
        append_count(out, next->objects);
    }
    mc_text_append_string(out, " ");
    mc_node_append_name_line(trace, next->node, out);
    if (next->verdict == MC_WALK_HOLDER && stop->verdict != MC_WALK_HOLDER &&
        stop->verdict != MC_WALK_LARGEST && stop->link_growth > 0) {
        uint64_t first = link->node_objects - (uint64_t)stop->link_growth;
        mc_text_append_string(out, " (at first ");
        if (first > 0) {
            append_count(out, first);
            mc_text_append_string(out, " by ");
            append_count(out, stop->first_referrers);
        } else {
            mc_text_append_string(out, "none");
        }
        mc_text_append_string(out, ")");
    }
}

void mc_walk_append_through(const mc_walk *walk, const mc_trace *trace, uint32_t stop_index,
                            mc_text *out) {
    const mc_walk_stop *stop = &walk->stops[stop_index];
    if (stop->field == MC_NONE) return;
    mc_text_append_string(out, " through ");
    mc_field_append_line(trace, stop->field, false, out);
    mc_field_append_times(stop->field_references, out);
    if (stop->field_count > 1) mc_text_format(out, ", and %" PRIu32 " more", stop->field_count - 1);
}

static void append_others(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    for (uint32_t i = 0; i < walk->other_count; i++) {
        const mc_link *link = &walk->others[i];
        mc_text_append_string(out, i > 0 ? ", " : "");
        mc_node_append_name_line(trace, link->partner, out);
        if (link->flags & MC_LINK_NODE_UNKNOWN) continue;
        mc_text_append_string(out, " ");
        append_share(out, link->node_share);
    }
}

static void append_cycle(const mc_walk *walk, const mc_trace *trace, uint32_t last, mc_text *out) {
    mc_text_append_string(out,
                          "only what was passed already, or what it holds itself, references ");
    mc_node_append_name_line(trace, last, out);
    if (walk->other_count > 0) {
        mc_text_append_string(out, ": ");
        append_others(walk, trace, out);
    }
}

static void append_instances(const mc_walk *walk, const mc_trace *trace, uint32_t last,
                             mc_text *out) {
    mc_text_append_string(out, "this file does not say which of the ");
    append_count(out, walk->stops[walk->count - 1].objects);
    mc_text_append_string(out, " ");
    mc_node_append_name_line(trace, last, out);
}

void mc_walk_append_end(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    uint32_t last = walk->count > 0 ? walk->stops[walk->count - 1].node : 0;
    if (walk->is_owned) {
        if (walk->is_shared) {
            mc_text_append_string(out, "kept alive by ");
            mc_owner_append_sharers_whole(trace, &walk->sharers, out);
        } else {
            mc_text_append_string(out, "a GC root holds it");
        }
        return;
    }
    switch (walk->end) {
    case MC_WALK_END_NOTHING_GREW: mc_text_append_string(out, "nothing grew"); return;
    case MC_WALK_END_CYCLE: append_cycle(walk, trace, last, out); return;
    case MC_WALK_END_INSTANCES: append_instances(walk, trace, last, out); return;
    case MC_WALK_END_ROOT: mc_text_append_string(out, "nothing references "); break;
    case MC_WALK_END_SCATTERED: mc_text_append_string(out, "many hold "); break;
    case MC_WALK_END_LIMIT: mc_text_append_string(out, "the walk goes no further than "); break;
    case MC_WALK_END_LOADER: mc_text_append_string(out, "all that was loaded by "); break;
    case MC_WALK_END_LARGER: mc_text_append_string(out, "objects of "); break;
    case MC_WALK_END_NO_MAP:
        mc_text_format(out, "step %" PRIu32 " has no references, so it does not say what holds ",
                       walk->desc.step);
        break;
    }
    mc_node_append_name_line(trace, last, out);
    switch (walk->end) {
    case MC_WALK_END_ROOT: mc_text_append_string(out, ": a GC root holds it"); break;
    case MC_WALK_END_SCATTERED:
        mc_text_append_string(out, " objects, none of them much (");
        append_others(walk, trace, out);
        mc_text_append_string(out, ")");
        break;
    case MC_WALK_END_LOADER:
        mc_text_append_string(out, " references it: it goes when no object of its classes is left");
        break;
    case MC_WALK_END_LARGER:
        mc_text_append_string(out, " become larger, not more; this file does not say which, "
                                   "nor who holds them");
        break;
    case MC_WALK_END_NO_MAP:
        if (mc_subject_is_profile(trace))
            mc_text_append_string(out, ": an allocation profile knows what allocates; "
                                       "\"memcity why\" says who calls that");
        else if (mc_subject_is_heap(trace))
            mc_text_append_string(out, ": heap dumps have them (memcity record --references)");
        break;
    default: break;
    }
}

void mc_walk_append_last(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    mc_walk_append_end(walk, trace, out);
    if (!walk->is_owned || walk->is_shared || !mc_walk_knows_way(walk) || walk->trail.count > 0)
        return;
    mc_text_append_string(out, ": ");
    mc_root_path_append_root(&walk->trail, trace, out);
}

// ---- the way from a root

void mc_walk_append_way(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    uint32_t last = mc_walk_get_found(walk);
    mc_root_path_append_way(&walk->trail, trace, out);
    for (uint32_t i = walk->count; i-- > last;) {
        const mc_walk_stop *stop = &walk->stops[i];
        bool has_field = i > last && !stop->is_library && stop[-1].field != MC_NONE;
        mc_text_append_string(out, " → ");
        if (has_field)
            mc_field_append_line(trace, stop[-1].field, false, out);
        else
            mc_node_append_name_line(trace, stop->node, out);
    }
}

void mc_walk_append_pin(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_root_path *trail = &walk->trail;
    if (trail->root_kind == MC_ROOT_STATIC && trail->root_name != MC_NONE)
        mc_static_append_name(trace, trail->root_name, out);
    else
        mc_root_path_append_root(trail, trace, out);
    mc_text_append_string(out, " · ");
    mc_node_append_name_line(trace, walk->stops[walk->count - 1].node, out);
}

static void append_trail(const mc_walk *walk, const mc_trace *trace, const char *subject,
                         mc_text *out) {
    static const char *const means[] = {
        [MC_ROOT_PATH_PLAIN] = "eld by ",
        [MC_ROOT_PATH_THREAD_LOCAL] = "eld as long as its thread lives, by ",
        [MC_ROOT_PATH_LOADER] = "eld as the loader of a class, by ",
        [MC_ROOT_PATH_FINALIZER] = "eld only by the queue of objects to be finalized: ",
        [MC_ROOT_PATH_SOFT] = "eld only by soft references, which go when memory is short: ",
        [MC_ROOT_PATH_WEAK] = "eld only by weak references, gone with the next collection: "};
    if (!mc_walk_knows_way(walk)) return;
    // What many fields may hold, this one holds as likely as not.
    bool is_likely = walk->trail.other_count > MC_ROOT_PATH_OTHER_COUNT;
    mc_text_format(out, " %s%sh", subject, is_likely ? "probably " : "");
    mc_text_append_string(out, means[walk->trail.means]);
    mc_walk_append_way(walk, trace, out);
    mc_root_path_append_others(&walk->trail, trace, out);
    mc_text_append_string(out, ".");
}

// ---- the summary

// "1 Object[] holds all 5,250", and that nobody knows which.
static void append_referrer(const mc_walk *walk, const mc_trace *trace, uint32_t index,
                            mc_text *out) {
    const mc_walk_stop *stop = &walk->stops[index], *referrer = stop + 1;
    const mc_link *link = &stop->link;
    uint64_t count = link->flags & MC_LINK_PARTNER_UNKNOWN ? 0 : link->partner_objects;
    mc_text_append_string(out, " ");
    if (count > 0) append_count(out, count);
    mc_text_append_string(out, count > 0 ? " " : "");
    mc_node_append_name_line(trace, referrer->node, out);
    mc_text_append_string(out, count == 1 ? " holds " : " hold ");
    if (link->flags & MC_LINK_NODE_UNKNOWN)
        mc_text_append_string(out, "some of them");
    else
        append_part_alone(out, link->node_objects, stop->objects);
    if (count > 0 && count < referrer->objects && !mc_walk_knows_way(walk)) {
        mc_text_append_string(out, "; which ");
        if (count == 1)
            mc_text_append_string(out, "one");
        else
            append_count(out, count);
        mc_text_append_string(out, " of the ");
        append_count(out, referrer->objects);
        mc_text_append_string(out, ", this file does not say");
    }
    mc_text_append_string(out, ".");
}

// The first of those that do not grow behind the containers, from stop `from` on.
static void append_container_referrer(const mc_walk *walk, const mc_trace *trace, uint32_t from,
                                      mc_text *out) {
    uint32_t i = from;
    while (i < walk->count && walk->stops[i].verdict != MC_WALK_HOLDER)
        i++;
    if (i >= walk->count) return;
    const mc_walk_stop *held = &walk->stops[i - 1];
    uint64_t count = held->link.flags & MC_LINK_PARTNER_UNKNOWN ? 0 : held->link.partner_objects;
    bool holds_more = held->link_growth > 1;
    if (held->share_is_of_growth && !holds_more) return; // it holds no more than it did
    mc_text_append_string(out, holds_more && count > 1 ? "; some of the " : "; ");
    if (count > 0) append_count(out, count);
    mc_text_append_string(out, count > 0 ? " " : "");
    mc_node_append_name_line(trace, walk->stops[i].node, out);
    if (holds_more && count > 1)
        mc_text_append_string(out, mc_walk_knows_way(walk)
                                       ? " hold ever more of them"
                                       : " hold ever more of them; this file does not say which");
    else if (holds_more)
        mc_text_append_string(out, " holds ever more of them");
    else
        mc_text_append_string(out, count == 1 ? " holds their chain" : " hold their chains");
    // Every hop behind it is certain, so the program's own class is worth a word.
    while (i < walk->count && walk->stops[i].is_library)
        i++;
    if (i >= walk->count) return;
    mc_text_append_string(out, ", and ");
    mc_node_append_name_line(trace, walk->stops[i].node, out);
    mc_text_append_string(out, " that");
}

// The containers that grow with it, then who holds them.
static void append_containers(const mc_walk *walk, const mc_trace *trace, uint32_t cause,
                              mc_text *out) {
    const mc_walk_stop *stop = &walk->stops[cause];
    mc_text_append_string(out, " ");
    mc_node_append_name_line(trace, stop[1].node, out);
    mc_text_append_string(out, " keeps ");
    if (stop->link.flags & MC_LINK_NODE_UNKNOWN)
        mc_text_append_string(out, "some");
    else
        append_part_alone(out, stop->link.node_objects, stop->objects);
    mc_text_append_string(out, " alive");
    append_container_referrer(walk, trace, cause + 2, out);
    mc_text_append_string(out, ".");
}

static void append_unit(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    char growth[MC_FORMAT_SIZE];
    append_count(out, walk->unit.count);
    mc_text_append_string(out, " groups of the program grew by exactly ");
    mc_text_append_string(out, mc_format_count(growth, (uint64_t)walk->unit.growth));
    mc_text_append_string(out, ", among them ");
    mc_node_append_name_line(trace, walk->unit.node, out);
    mc_text_append_string(out, ": whole object graphs pile up.");
}

static void append_loader(const mc_walk *walk, mc_text *out) {
    char classes[MC_FORMAT_SIZE];
    mc_text_format(out,
                   " Class loaders are not let go, as when a program is deployed anew: %s classes "
                   "came with them.",
                   mc_format_growth(classes, walk->class_growth));
}

static void append_since(mc_step_range window, mc_text *out) {
    if (window.first_step == 0)
        mc_text_append_string(out, " since the recording began");
    else
        mc_text_format(out, " since step %" PRIu32, window.first_step);
}

static void append_cause(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_walk_stop *cause = &walk->stops[walk->cause_index];
    const mc_suspects *suspects = &walk->suspects;
    mc_step_range window = walk->desc.window;
    bool is_larger = walk->end == MC_WALK_END_LARGER;
    // Where references lead nowhere, what grew alike says more than what grew the most.
    bool unit_is_first = walk->unit.node != MC_NONE && walk->cause_index + 1 == walk->count;
    if (unit_is_first) {
        append_unit(walk, trace, out);
        mc_text_append_string(out, " ");
    }
    bool is_many = mc_finding_append_subject(trace, cause->node, out);
    mc_text_append_string(out, suspects->is_short ? " grew the most: "
                               : is_larger        ? " become larger: "
                               : is_many          ? " pile up: "
                                                  : " keeps growing: ");
    append_growth(out, trace, is_larger ? walk->desc.metric : MC_METRIC_OBJECTS,
                  is_larger ? cause->metric_growth : cause->growth);
    append_since(window, out);
    if (is_larger) {
        mc_text_append_string(out, ", at ");
        append_growth(out, trace, MC_METRIC_OBJECTS, cause->growth);
    }
    mc_text_append_string(out, ".");
    if (walk->class_growth > 0) append_loader(walk, out);
    if (walk->cause_index + 1 < walk->count) {
        if (cause[1].verdict == MC_WALK_HOLDER)
            append_referrer(walk, trace, walk->cause_index, out);
        else
            append_containers(walk, trace, walk->cause_index, out);
    }
    append_trail(walk, trace, "They are ", out);
    if (walk->unit.node != MC_NONE && !unit_is_first) {
        mc_text_append_string(out, " ");
        append_unit(walk, trace, out);
    }
    if (suspects->is_short) {
        mc_text_append_string(out, " ");
        mc_finding_append_short(suspects, window, out);
    }
}

// Of one step: what is largest, or takes so much of what was asked for, and the program's own class
// that holds it, by way of all between.
static void append_single(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_suspects *suspects = &walk->suspects;
    uint32_t asked = walk->desc.from_node, found = mc_walk_get_found(walk);
    bool is_asked = suspects->count > 0 && suspects->items[0].node == asked;
    if (is_asked) {
        mc_node_append_name_line(trace, asked, out);
        mc_text_append_string(out, " takes ");
        append_amount(trace, walk->desc.metric, walk->desc.step, suspects->items[0].growth, out);
    } else {
        append_largest(suspects, trace, walk->desc.metric, walk->desc.window, out);
    }
    if (found > 0) {
        double share = 1;
        for (uint32_t i = 0; i < found; i++)
            share *= walk->stops[i].share;
        mc_text_append_string(out, " ");
        append_share(out, share);
        mc_text_append_string(out, " of its objects hang on ");
        append_count(out, walk->stops[found].objects);
        mc_text_append_string(out, " ");
        mc_node_append_name_line(trace, walk->stops[found].node, out);
        mc_text_append_string(out, walk->stops[found].objects == 1 ? " object." : " objects.");
    }
    append_trail(walk, trace, found > 0 ? "Those are " : "They are ", out);
    append_one_step(trace, out);
}

// A leaf that was asked for.
static void append_asked(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    if (walk->suspects.verdict == MC_HEAP_STOPPED) {
        append_stopped(&walk->suspects, trace, walk->desc.metric, walk->desc.window, out);
        return;
    }
    mc_node_append_name_line(trace, walk->stops[0].node, out);
    mc_text_append_string(out, " does not keep growing: ");
    append_growth(out, trace, walk->desc.metric, walk->stops[0].metric_growth);
    append_since(walk->desc.window, out);
    mc_text_append_string(out, ".");
}

// Of a sentence on growth: whether it goes on may not be known.
static void append_end(const mc_suspects *suspects, mc_step_range window, mc_text *out) {
    mc_text_append_string(out, ".");
    if (!suspects->is_short) return;
    mc_text_append_string(out, " ");
    mc_finding_append_short(suspects, window, out);
}

void mc_walk_append_summary(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_suspects *suspects = &walk->suspects;
    mc_step_range window = walk->desc.window;
    if (walk->cause_index != MC_NONE) {
        append_cause(walk, trace, out);
    } else if (suspects->verdict == MC_HEAP_GROWS && walk->count > 0) {
        mc_node_append_name_line(trace, walk->stops[0].node, out);
        mc_text_append_string(out, suspects->is_short ? " grew the most: " : " keeps growing: ");
        append_growth(out, trace, walk->desc.metric, walk->stops[0].metric_growth);
        append_end(suspects, window, out);
    } else if (suspects->verdict == MC_HEAP_GROWS) {
        mc_node_append_name_line(trace, suspects->items[0].node, out);
        mc_text_append_string(out, suspects->is_short
                                       ? " grew, though no group in it did by itself: "
                                       : " keeps growing, though no group in it does by itself: ");
        append_growth(out, trace, walk->desc.metric, suspects->items[0].growth);
        append_end(suspects, window, out);
    } else if (mc_suspects_are_of_sums(trace, window) && walk->count > 0) {
        append_asked_sums(trace, walk->stops[0].node, window, out);
    } else if (mc_suspects_are_of_sums(trace, window)) {
        append_sums(trace, walk->desc.metric, window, out);
    } else if (suspects->verdict != MC_HEAP_SINGLE && walk->count > 0) {
        append_asked(walk, trace, out);
    } else if (suspects->verdict == MC_HEAP_SINGLE) {
        append_single(walk, trace, out);
    } else {
        mc_suspects_append_verdict(suspects, trace, walk->desc.metric, window, out);
    }
}

// ---- all of it

static void append_stop(const mc_walk *walk, const mc_trace *trace, uint32_t index, mc_text *out) {
    const mc_walk_stop *stop = &walk->stops[index];
    char now[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
    bool has_objects = mc_trace_counts_objects(trace);
    if (has_objects)
        mc_format_growth(growth, stop->growth);
    else // of a profile that counts bytes alone
        mc_format_value_growth(growth, mc_trace_get_metric(trace, walk->desc.metric),
                               stop->metric_growth);
    bool is_single = walk->suspects.verdict == MC_HEAP_SINGLE;
    if (walk->is_owned && (index > 0 || is_single)) growth[0] = '\0';
    // The signs of none and minus are more than one byte wide.
    int width = 14 + (growth[0] == '+' || growth[0] == '\0' ? 0
                      : (unsigned char)growth[0] == 0xe2    ? 2
                                                            : 1);
    mc_text_format(out, "%2" PRIu32 "  %-9s %14s %*s  ", index + 1,
                   mc_walk_verdict_names[stop->verdict],
                   has_objects ? mc_format_count(now, stop->objects) : "", width, growth);
    mc_node_append_place_line(trace, stop->node, out);
    mc_text_append_string(out, "\n");
    if (stop->link.partner == MC_NONE) return;
    mc_text_append_string(out, "                ↑ ");
    mc_walk_append_link(walk, trace, index, out);
    mc_walk_append_through(walk, trace, index, out);
    mc_text_append_string(out, "\n");
}

// From the last stop up to the root.
static void append_hops(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_root_path *trail = &walk->trail;
    for (uint32_t i = 0; i < trail->count; i++) {
        mc_text_append_string(out, "                ↑ ");
        mc_node_append_place_line(trace, trail->hops[i].node, out);
        mc_text_append_string(out, " through ");
        mc_field_append_line(trace, trail->hops[i].field, false, out);
        mc_field_append_times(trail->hops[i].count, out);
        mc_text_append_string(out, "\n");
    }
    mc_text_append_string(out, "                ↑ ");
    mc_root_path_append_root(trail, trace, out);
    mc_text_append_string(out, "\n");
}

void mc_walk_append_evidence(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    if (walk->count == 0) return;
    bool has_objects = mc_trace_counts_objects(trace);
    mc_text_format(out, "\n%-13s %14s %14s  %s, steps %" PRIu32 " to %" PRIu32 "\n", "",
                   has_objects ? "now" : "", "growth",
                   has_objects ? "objects" : mc_trace_get_metric(trace, walk->desc.metric)->key,
                   walk->desc.window.first_step, walk->desc.step);
    for (uint32_t i = 0; i < walk->count; i++)
        append_stop(walk, trace, i, out);
    mc_text_append_string(out, "                • ");
    mc_walk_append_end(walk, trace, out);
    mc_text_append_string(out, "\n");
    if (mc_walk_knows_way(walk)) append_hops(walk, trace, out);
    if (walk->end != MC_WALK_END_NO_MAP &&
        !mc_trace_get_step(trace, walk->desc.step)->has_referrers)
        mc_text_append_string(out,
                              "                • this file has references between classes, but no "
                              "fields and GC roots\n");
}
