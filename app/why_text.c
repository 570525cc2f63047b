#include "app/why_text.h"

#include "app/call_path_text.h"
#include "app/finding_text.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/old_objects_text.h"
#include "app/owner_text.h"
#include "app/pace_text.h"
#include "app/root_path_text.h"
#include "app/subject_text.h"
#include "app/unit_text.h"
#include "app/walk_text.h"
#include "engine/trace/notes.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_NAMED 4u        // of what is told in one line
#define CLEAR_CONFIDENCE 0.5 // of a rate that did not change: less is no knowledge

const char *const mc_why_fact_names[] = {
    "What", "Since", "Rate", "Until", "Held by", "Called by", "Comes with", "Began then", "New"};
const char *const mc_suspect_reason_names[] = {"cause",   "explained", "left-out",    "small",
                                               "stopped", "slows",     "up-and-down", "shrinks",
                                               "steady",  "absent",    "short",       "chance"};

uint64_t mc_why_get_limit(const mc_trace *trace, mc_step_range window) {
    return mc_trace_get_step(trace, window.last_step)->heap_limit;
}

static const mc_metric_info *get_unit(const mc_why *why) {
    return mc_trace_get_metric(why->trace, why->causes->unit);
}

static bool is_short(const mc_why *why) {
    return why->causes->suspects.is_short;
}

static void append_name(const mc_why *why, uint32_t node, mc_text *out) {
    mc_subject_append_group(why->trace, node, out);
}

// ---- rates and times

static void append_rate(const mc_why *why, double per_s, mc_text *out) {
    mc_pace_append(why->trace, why->causes->desc.window, get_unit(why), per_s, out);
}

// The heap's limit where it can be told when it is reached; 0: not.
static uint64_t get_limit(const mc_why *why) {
    return why->causes->unit == MC_METRIC_BYTES ? why->limit : 0;
}

static void append_string(const mc_why *why, uint32_t string, mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(why->trace, string, &size);
    mc_format_append_line(out, text, size);
}

// ---- the way from a GC root

uint32_t mc_why_get_path(const mc_walk *walk, mc_why_hop hops[MC_WHY_MOST_HOPS]) {
    uint32_t count = 0, last = mc_walk_get_found(walk);
    if (!mc_walk_knows_way(walk)) return 0;
    for (uint32_t i = walk->trail.count; i-- > 0;)
        hops[count++] = (mc_why_hop){walk->trail.hops[i].node, walk->trail.hops[i].field};
    for (uint32_t i = walk->count; i-- > last + 1;)
        hops[count++] = (mc_why_hop){walk->stops[i].node, walk->stops[i - 1].field};
    return count;
}

void mc_why_append_root(const mc_why *why, const mc_root_path *trail, mc_text *out) {
    bool is_one = trail->root_name != MC_NONE &&
                  (trail->root_kind != MC_ROOT_THREAD || trail->root_name_count == 1);
    if (is_one && trail->means != MC_ROOT_PATH_THREAD_LOCAL)
        append_string(why, trail->root_name, out);
    else
        mc_root_path_append_root(trail, why->trace, out);
}

// ---- of what a process has in memory

#define SMALL_SHARE 0.05 // of all growth: so little is none

// Of all growth in the time window; less than 0: not known.
static double get_growth_share(const mc_why *why, uint32_t node) {
    const mc_step_range window = why->causes->desc.window;
    uint64_t all[2], some[2];
    for (int i = 0; i < 2; i++) {
        uint32_t step = i == 0 ? window.first_step : window.last_step;
        if (mc_trace_read_value(why->trace, step, MC_METRIC_BYTES, 0, &all[i], NULL) != MC_OK ||
            mc_trace_read_value(why->trace, step, MC_METRIC_BYTES, node, &some[i], NULL) != MC_OK)
            return -1;
    }
    double whole = (double)all[1] - (double)all[0];
    return whole > 0 ? ((double)some[1] - (double)some[0]) / whole : -1;
}

// "RSS grows by 12 MiB/h, the Java heap does not: ", before what does.
static void append_resident(const mc_why *why, const mc_cause *cause, mc_text *out) {
    const mc_causes *causes = why->causes;
    if (cause != causes->items || causes->unit != MC_METRIC_BYTES || is_short(why) ||
        causes->heap_per_s <= 0 || !mc_subject_is_resident_memory(why->trace))
        return;
    mc_text rate = {0};
    append_rate(why, causes->heap_per_s, &rate);
    const char *unsigned_rate = mc_text_get(&rate);
    mc_text_format(out, "RSS grows by %s", unsigned_rate + (*unsigned_rate == '+'));
    mc_text_deinit(&rate);
    uint32_t heap = mc_subject_find_java_heap(why->trace);
    if (heap != MC_NONE && !mc_nodes_is_inside(mc_trace_get_nodes(why->trace), cause->node, heap)) {
        double share = get_growth_share(why, heap);
        if (share < SMALL_SHARE && share > -SMALL_SHARE)
            mc_text_append_string(out, ", the Java heap does not");
    }
    double own = get_growth_share(why, cause->node);
    if (own >= 0 && own < SMALL_SHARE)
        mc_text_append_string(out, ", of which this is a small part");
    mc_text_append_string(out, ": ");
}

void mc_why_append_sentence(const mc_why *why, const mc_cause *cause, mc_text *out) {
    const mc_finding finding = {why->trace, why->causes, cause, why->limit};
    append_resident(why, cause, out);
    if (cause->owner.hops)
        mc_owner_append_sentence(&finding, out);
    else
        mc_finding_append_sentence(&finding, out);
}

// ---- the evidence

static void append_what(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_node_append_path_line(why->trace, cause->node, out);
    mc_text_append_string(out, ": ");
    bool has_objects = mc_trace_get_usual_metric(why->trace) == MC_METRIC_BYTES &&
                       mc_trace_counts_objects(why->trace);
    if (has_objects)
        mc_format_append_growth(out, mc_trace_get_metric(why->trace, MC_METRIC_OBJECTS),
                                cause->growth_objects);
    if (why->causes->unit != MC_METRIC_OBJECTS) {
        mc_text_append_string(out, has_objects ? ", " : "");
        mc_format_append_growth(out, get_unit(why), cause->own_growth);
    }
    if (cause->growth > cause->own_growth) {
        mc_text_append_string(out, mc_trace_has_references(why->trace)
                                       ? "; with what it holds "
                                       : "; with what grows as it does ");
        mc_format_append_growth(out, get_unit(why), cause->growth);
    }
}

static void append_step(const mc_why *why, uint32_t step, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    mc_text_format(out, "step %" PRIu32 " (%s)", step,
                   mc_format_time(text, mc_trace_get_step(why->trace, step)->time_ms));
}

// It has grown as long as it is watched.
static void append_ever_since(const mc_why *why, const mc_cause *cause, mc_text *out) {
    bool is_clear = cause->change.confidence >= CLEAR_CONFIDENCE;
    mc_text_append_string(out, why->causes->desc.window.first_step == 0
                                   ? "the recording began, or before"
                                   : "the time window began, or before");
    mc_text_append_string(out, is_clear ? ", at an even rate"
                                        : "; whether its rate changed is not clear");
}

static void append_since_when(const mc_why *why, const mc_cause *cause, mc_text *out) {
    char share[MC_FORMAT_SIZE];
    if (is_short(why)) {
        mc_text_append_string(out, why->causes->suspects.is_byte_clock
                                       ? "a clock of allocated bytes cannot show since when"
                                       : "so few steps cannot show since when, nor whether it goes "
                                         "on");
        return;
    }
    if (!cause->change.is_found) {
        append_ever_since(why, cause, out);
        return;
    }
    append_step(why, cause->since_step, out);
    if (cause->since_early < cause->since_late)
        mc_text_format(out, ", or between steps %" PRIu32 " and %" PRIu32 " (%s certain)",
                       cause->since_early, cause->since_late,
                       mc_format_share(share, MC_CHANGE_INTERVAL));
    mc_text_format(out, "; that its rate changed is %s certain",
                   mc_format_share(share, cause->change.confidence));
}

static void append_how_fast(const mc_why *why, const mc_cause *cause, mc_text *out) {
    if (is_short(why)) return;
    append_rate(why, cause->growth_per_s, out);
    mc_text_append_string(out, " (median)");
    if (why->causes->heap_per_s == 0) return;
    if (!mc_subject_is_heap(why->trace)) {
        mc_text_append_string(out, "; all together ");
        append_rate(why, why->causes->heap_per_s, out);
        return;
    }
    mc_text rate = {0};
    append_rate(why, fabs(why->causes->heap_per_s), &rate);
    const char *text = mc_text_get(&rate);
    mc_text_format(out, "; the whole heap %s by %s",
                   why->causes->heap_per_s < 0 ? "shrinks" : "grows", text + (text[0] == '+'));
    out->failed |= rate.failed;
    mc_text_deinit(&rate);
}

static void append_until(const mc_why *why, mc_text *out) {
    char heap[MC_FORMAT_SIZE], limit[MC_FORMAT_SIZE];
    if (get_limit(why) == 0 || is_short(why)) return;
    double left = mc_causes_get_seconds_left(why->causes, get_limit(why));
    mc_text_format(out, "%s of %s are used at step %" PRIu32,
                   mc_format_bytes(heap, why->causes->heap), mc_format_bytes(limit, why->limit),
                   why->causes->desc.window.last_step);
    if (left > 0) {
        mc_text_append_string(out, "; full in ");
        mc_finding_append_duration(left, out);
        mc_text_append_string(out, " at the heap's rate");
    } else if (left < 0) {
        mc_text_append_string(out, left == MC_SECONDS_NOT_SURE
                                       ? "; its rate varies too much to say when it is full"
                                       : "; the heap as a whole does not grow");
    }
}

// Field by field.
static void append_fields(const mc_why *why, const mc_walk *walk, mc_text *out) {
    static const char *const only[MC_ROOT_PATH_WEAK + 1] = {
        [MC_ROOT_PATH_FINALIZER] = "; by nothing but the queue of objects to be finalized",
        [MC_ROOT_PATH_SOFT] = "; by nothing but soft references, which go when memory is short",
        [MC_ROOT_PATH_WEAK] = "; by nothing but weak references, gone with the next collection"};
    const mc_root_path *trail = &walk->trail;
    mc_why_hop hops[MC_WHY_MOST_HOPS];
    uint32_t count = mc_why_get_path(walk, hops);
    mc_why_append_root(why, trail, out);
    for (uint32_t i = 0; i < count; i++) {
        mc_text_append_string(out, " → ");
        if (hops[i].field != MC_NONE)
            append_string(why, hops[i].field, out);
        else
            append_name(why, hops[i].node, out);
    }
    if (only[trail->means]) mc_text_append_string(out, only[trail->means]);
    mc_root_path_append_others(trail, why->trace, out);
}

// What Go's runtime allocates for each goroutine: none of the program's lines is on that stack.
static bool is_of_goroutines(const mc_why *why, uint32_t node) {
    static const char *const names[] = {"runtime.malg (", "runtime.allgadd ("};
    uint32_t site = mc_subject_find_site(why->trace, node);
    size_t size;
    const char *name = mc_trace_get_name(why->trace, site, &size);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (size > strlen(names[i]) && memcmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static void append_callers(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_step_range window = why->causes->desc.window;
    if (!mc_subject_is_profile(why->trace)) return;
    mc_call_path_append(why->trace, cause->node, why->causes->unit, window.first_step,
                        window.last_step, out);
    if (is_of_goroutines(why, cause->node))
        mc_text_append_string(out, "; this is what goroutines need: they are not ending, and "
                                   "goroutine profiles (/debug/pprof/goroutine) say where");
}

static void append_referrer(const mc_why *why, const mc_cause *cause, mc_text *out) {
    const mc_walk *walk = &cause->walk;
    if (mc_walk_knows_way(walk)) {
        append_fields(why, walk, out);
        return;
    }
    if (cause->is_unit) {
        char growth[MC_FORMAT_SIZE];
        mc_text_format(out,
                       "this file does not say: %" PRIu32 " classes of the program grew by exactly "
                       "%s objects, so whole object graphs pile up",
                       walk->unit.count, mc_format_count(growth, (uint64_t)walk->unit.growth));
        return;
    }
    if (walk->count == 0 || walk->cause_index == MC_NONE) {
        if (mc_trace_has_references(why->trace))
            mc_text_append_string(out, "this file does not say");
        else if (mc_subject_is_heap(why->trace) && !mc_subject_is_profile(why->trace))
            mc_text_append_string(out, "this file does not say: it has no references, which heap "
                                       "dumps have (memcity record --references)");
        return;
    }
    uint32_t last = walk->cause_index;
    for (; last + 1 < walk->count; last++) {
        if (last > walk->cause_index) mc_text_append_string(out, "; ");
        if (last > walk->cause_index) append_name(why, walk->stops[last].node, out);
        if (last > walk->cause_index) mc_text_append_string(out, ": ");
        mc_walk_append_link(walk, why->trace, last, out);
    }
    if (last > walk->cause_index) mc_text_append_string(out, "; ");
    mc_walk_append_end(walk, why->trace, out);
}

static void append_more(uint32_t all, uint32_t named, mc_text *out) {
    if (all > named) mc_text_format(out, " and %" PRIu32 " more", all - named);
}

static void append_explained(const mc_why *why, const mc_cause *cause, mc_text *out) {
    char share[MC_FORMAT_SIZE];
    uint32_t named = cause->explained_count < MOST_NAMED ? cause->explained_count : MOST_NAMED;
    for (uint32_t i = 0; i < named; i++) {
        mc_text_append_string(out, i > 0 ? ", " : "");
        append_name(why, cause->explained[i].node, out);
        if (cause->explained[i].share < 0.995)
            mc_text_format(out, " (%s of its growth)",
                           mc_format_share(share, cause->explained[i].share));
    }
    append_more(cause->explained_count, named, out);
}

static void append_new_roots(const mc_why *why, const mc_cause *cause, bool goes_on, mc_text *out) {
    uint32_t named = cause->root_count < MOST_NAMED ? cause->root_count : MOST_NAMED;
    for (uint32_t i = 0; i < named; i++) {
        const mc_cause_root *root = &cause->roots[i];
        mc_text_append_string(out, i > 0 ? ", " : goes_on ? "; new GC roots: " : "new GC roots: ");
        if (root->kind == MC_ROOT_STATIC)
            mc_static_append_whole(why->trace, root->name, "static ", out);
        else
            mc_root_append(why->trace, root->kind, root->name, out);
    }
    append_more(cause->all_root_count, named, out);
}

static void append_begun(const mc_why *why, const mc_cause *cause, mc_text *out) {
    uint32_t named = cause->begun_count < MOST_NAMED ? cause->begun_count : MOST_NAMED;
    bool is_heap = mc_subject_is_heap(why->trace);
    for (uint32_t i = 0; i < named; i++) {
        mc_text_append_string(out, i > 0 ? ", " : is_heap ? "first objects of " : "first seen: ");
        append_name(why, cause->begun[i], out);
    }
    append_more(cause->all_begun_count, named, out);
    for (uint32_t i = 0; i < cause->referrer_count && i < MOST_NAMED; i++) {
        mc_text_append_string(out, i > 0       ? ", "
                                   : named > 0 ? "; it is referenced for the first time by "
                                               : "it is referenced for the first time by ");
        append_name(why, cause->referrers[i], out);
    }
    append_more(cause->referrer_count, MOST_NAMED, out);
    append_new_roots(why, cause, named > 0 || cause->referrer_count > 0, out);
}

// Where objects keep their ids from step to step, it is no estimate.
static void append_new(const mc_why *why, const mc_cause *cause, mc_text *out) {
    const mc_metric metric = mc_trace_find_metric(why->trace, MC_METRIC_NEW);
    const uint32_t step = why->causes->desc.window.last_step;
    uint64_t fresh = 0, all = 0;
    char count[MC_FORMAT_SIZE], whole[MC_FORMAT_SIZE];
    if (metric == MC_NONE || cause->node == MC_NONE) return;
    if (mc_trace_read_value(why->trace, step, metric, cause->node, &fresh, NULL) != MC_OK ||
        mc_trace_read_value(why->trace, step, MC_METRIC_OBJECTS, cause->node, &all, NULL) != MC_OK)
        return;
    if (fresh == 0) return; // or it is not known: some step is of another process
    mc_text_format(out, "%s of %s objects are not in the first step, by their ids",
                   mc_format_count(count, fresh), mc_format_count(whole, all));
}

void mc_why_append_fact(const mc_why *why, const mc_cause *cause, mc_why_fact fact, mc_text *out) {
    bool is_single = why->causes->suspects.verdict == MC_HEAP_SINGLE;
    const mc_finding owned = {why->trace, why->causes, cause, get_limit(why)};
    if (cause->owner.hops && fact == MC_WHY_WHAT) {
        mc_owner_append_content(&owned, out);
        return;
    }
    if (cause->owner.hops && fact == MC_WHY_HOLDER) {
        mc_owner_append_path(&owned, out);
        return;
    }
    if (is_single) return;
    switch (fact) {
    case MC_WHY_WHAT: append_what(why, cause, out); break;
    case MC_WHY_SINCE: append_since_when(why, cause, out); break;
    case MC_WHY_RATE: append_how_fast(why, cause, out); break;
    case MC_WHY_UNTIL: append_until(why, out); break;
    case MC_WHY_HOLDER: append_referrer(why, cause, out); break;
    case MC_WHY_CALLERS: append_callers(why, cause, out); break;
    case MC_WHY_EXPLAINS: append_explained(why, cause, out); break;
    case MC_WHY_BEGUN: append_begun(why, cause, out); break;
    case MC_WHY_NEW: append_new(why, cause, out); break;
    default: break;
    }
}

// ---- why not

void mc_why_append_shared(const mc_why *why, const mc_suspect_reason *reason, mc_text *out) {
    char share[MC_FORMAT_SIZE];
    double part;
    const mc_cause *other = mc_causes_find_explaining(why->causes, reason->node, &part);
    bool is_cause = reason->kind == MC_SUSPECT_REASON_CAUSE && reason->cause &&
                    reason->cause->node == reason->node;
    if (!is_cause || !other || other == reason->cause) return;
    mc_text_format(out, "%s of the growth of ", mc_format_share(share, part));
    append_name(why, reason->node, out);
    mc_text_append_string(out, " comes with ");
    append_name(why, other->node, out);
    mc_text_append_string(out, ".");
}

void mc_why_append_suspect_reason(const mc_why *why, const mc_suspect_reason *s, mc_text *out) {
    const mc_causes *causes = why->causes;
    const mc_metric_info *info = mc_trace_get_metric(why->trace, causes->desc.metric);
    append_name(why, s->node, out);
    if (s->kind == MC_SUSPECT_REASON_SHORT && causes->suspects.verdict == MC_HEAP_SINGLE) {
        mc_text_append_string(out, " takes ");
        mc_format_append_value(out, info, mc_metric_get_word(info, s->last));
        mc_text_append_string(out, "; one step cannot show whether it grows.");
        return;
    }
    switch (s->kind) {
    case MC_SUSPECT_REASON_CAUSE:
        mc_text_append_string(out,
                              s->cause->node == s->node ? " is a cause." : " has a cause in it.");
        return;
    case MC_SUSPECT_REASON_EXPLAINED:
        mc_text_append_string(out, is_short(why) ? " is not a cause of its own: it grew because "
                                                 : " is not a cause of its own: it grows because ");
        append_name(why, s->cause->node, out);
        mc_text_append_string(out, is_short(why) ? " did." : " does.");
        return;
    case MC_SUSPECT_REASON_LEFT_OUT:
        mc_text_format(out, " %s%s; who holds it was not looked for.",
                       is_short(why) ? "grew" : "keeps growing",
                       causes->count > 0 ? ", but by little beside others" : "");
        return;
    default: mc_text_append_string(out, " is not a suspect: "); break;
    }
    switch (s->kind) {
    case MC_SUSPECT_REASON_SMALL:
        mc_text_format(out,
                       "it %s, but by little beside %s: ", is_short(why) ? "grew" : "keeps growing",
                       mc_subject_get_whole(why->trace, why->causes->desc.metric));
        mc_format_append_growth(out, info, s->trend.growth.amount);
        mc_text_format(out, " from step %" PRIu32 " to %" PRIu32, s->since_step, s->until_step);
        break;
    case MC_SUSPECT_REASON_CHANCE:
        mc_format_append_growth(out, info, s->trend.growth.amount);
        mc_text_format(out, " from step %" PRIu32 " to %" PRIu32, s->since_step, s->until_step);
        mc_text_append_string(out, ", as one of so many groups may by chance; more steps tell");
        break;
    case MC_SUSPECT_REASON_STOPPED:
        mc_text_format(out,
                       "it stopped growing at step %" PRIu32 "; from step %" PRIu32
                       " to there it grew by ",
                       s->until_step, s->since_step);
        mc_format_append_amount(out, info, s->trend.growth.amount);
        break;
    case MC_SUSPECT_REASON_SLOWS: {
        mc_trend trend = s->trend;
        if (causes->suspects.is_byte_clock) trend.look_again_s = 0;
        mc_text_append_string(out, "it ");
        mc_suspects_append_slowing(&trend, out);
        mc_text_format(out, "; since step %" PRIu32 " it grew by ", s->since_step);
        mc_format_append_amount(out, info, s->trend.growth.amount);
        break;
    }
    case MC_SUSPECT_REASON_UP_AND_DOWN:
        mc_text_append_string(out, "it goes up and down, and its low points do not keep rising: "
                                   "it is between ");
        mc_format_append_value(out, info, mc_metric_get_word(info, s->least));
        mc_text_append_string(out, " and ");
        mc_format_append_value(out, info, mc_metric_get_word(info, s->most));
        mc_text_format(out, " (at step %" PRIu32 "), in the end at ", s->most_step);
        mc_format_append_value(out, info, mc_metric_get_word(info, s->last));
        break;
    case MC_SUSPECT_REASON_SHRINKS:
        mc_text_append_string(out, "it shrinks: ");
        mc_format_append_growth(out, info, (int64_t)(s->last - s->first));
        break;
    case MC_SUSPECT_REASON_STEADY:
        mc_text_append_string(out, "it does not change: ");
        mc_format_append_value(out, info, mc_metric_get_word(info, s->last));
        break;
    case MC_SUSPECT_REASON_ABSENT:
        mc_text_append_string(out, mc_subject_is_resident_memory(why->trace)
                                       ? "it has no memory at any step of the time window"
                                       : "it has no objects at any step of the time window");
        break;
    default:
        mc_text_append_string(out, "so few steps cannot show whether it keeps growing: ");
        mc_format_append_growth(out, info, (int64_t)(s->last - s->first));
        break;
    }
    mc_text_append_string(out, ".");
}

// ---- all of it

void mc_why_append_headline(const mc_why *why, mc_text *out) {
    const mc_causes *causes = why->causes;
    if (mc_old_objects_is_told(causes))
        mc_old_objects_append_sentence(why->trace, causes, out);
    else if (causes->count > 0)
        mc_why_append_sentence(why, &causes->items[0], out);
    else if (causes->largest.count > 0)
        mc_walk_append_summary(&causes->largest, why->trace, out);
    else
        mc_suspects_append_verdict(&causes->suspects, why->trace, causes->desc.metric,
                                   causes->desc.window, out);
}

uint32_t mc_why_get_shown_count(const mc_causes *causes) {
    return causes->count < MC_WHY_MOST_SHOWN ? causes->count : MC_WHY_MOST_SHOWN;
}

void mc_why_append_rest(const mc_causes *causes, mc_text *out) {
    uint32_t count = causes->count - mc_why_get_shown_count(causes) + causes->left_out_count;
    if (causes->count == 0 || count == 0) return;
    mc_text_format(out, "and %" PRIu32 " small %s", count, count == 1 ? "one" : "ones");
}

static void append_line(const char *label, const mc_text *line, mc_text *out) {
    out->failed |= line->failed;
    if (line->size == 0) return;
    mc_text_format(out, "  %-10s  ", label);
    mc_text_append(out, line->data, line->size);
    mc_text_append_string(out, "\n");
}

void mc_why_append_cause(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_text line = {0};
    mc_why_append_sentence(why, cause, out);
    mc_text_append_string(out, "\n");
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++) {
        mc_text_clear(&line);
        mc_why_append_fact(why, cause, (mc_why_fact)fact, &line);
        append_line(mc_why_fact_names[fact], &line, out);
    }
    mc_text_deinit(&line);
}

void mc_why_append_single_referrer(const mc_why *why, mc_text *out) {
    const mc_walk *walk = &why->causes->largest;
    if (mc_walk_knows_way(walk)) append_fields(why, walk, out);
}

// Of a recording that has native allocations beside what the Java heap is judged by.
static void append_native(const mc_why *why, mc_text *out) {
    char first[MC_FORMAT_SIZE], last[MC_FORMAT_SIZE];
    const mc_step_range window = why->causes->desc.window;
    const uint64_t before = mc_trace_get_step(why->trace, window.first_step)->bytes;
    const uint64_t after = mc_trace_get_step(why->trace, window.last_step)->bytes;
    if (before == 0 && after == 0) return;
    mc_text_format(out, "allocated blocks went from %s to %s; why --metric bytes judges them",
                   mc_format_bytes(first, before), mc_format_bytes(last, after));
}

// Of one step, or of samples, below its sentence.
static void append_single(const mc_why *why, mc_text *out) {
    mc_text line = {0};
    if (mc_old_objects_is_told(why->causes))
        mc_old_objects_append_held(why->trace, why->causes, &line);
    else
        mc_why_append_single_referrer(why, &line);
    append_line(mc_why_fact_names[MC_WHY_HOLDER], &line, out);
    mc_text_clear(&line);
    if (mc_old_objects_is_told(why->causes)) append_native(why, &line);
    append_line("Native", &line, out);
    mc_text_deinit(&line);
}

const char *mc_why_get_thrower(const mc_why *why) {
    static const char begin[] = MC_NOTE_OUT_OF_MEMORY;
    const char *note = mc_trace_get_note(why->trace, why->causes->desc.window.last_step);
    return note && strncmp(note, begin, sizeof begin - 1) == 0 ? note : NULL;
}

// Of one dump.
static void append_thrower(const mc_why *why, mc_text *out) {
    const char *thrower = mc_why_get_thrower(why);
    mc_text line = {0};
    if (thrower) mc_text_append_string(&line, thrower);
    append_line("Thrown", &line, out);
    mc_text_deinit(&line);
}

// Why what grew is no suspect, those that grew the most.
static void append_stopped(const mc_why *why, mc_text *out) {
    const mc_causes *causes = why->causes;
    uint32_t first = causes->desc.window.first_step;
    if (causes->suspects.verdict != MC_HEAP_STOPPED) return;
    for (uint32_t i = 0; i < causes->suspects.count && i < MOST_NAMED; i++) {
        const mc_suspect *suspect = &causes->suspects.items[i];
        mc_suspect_reason standing = {.node = suspect->node,
                                      .trend = suspect->trend,
                                      .since_step = first + suspect->trend.growth.since,
                                      .until_step = first + suspect->trend.growth.until};
        bool slows = standing.until_step == causes->desc.window.last_step;
        standing.kind = slows ? MC_SUSPECT_REASON_SLOWS : MC_SUSPECT_REASON_STOPPED;
        mc_text_append_string(out, "  ");
        mc_why_append_suspect_reason(why, &standing, out);
        mc_text_append_string(out, "\n");
    }
    if (causes->suspects.count > MOST_NAMED)
        mc_text_format(out, "  %" PRIu32 " more grew, and have stopped.\n",
                       causes->suspects.count - MOST_NAMED);
}

// What the JVM itself keeps.
static void append_jvm(const mc_why *why, mc_text *out) {
    mc_text line = {0};
    mc_owner_append_jvm(why->trace, why->causes, &line);
    if (line.size > 0) mc_text_format(out, "\nBesides, %s.\n", line.data);
    out->failed |= line.failed;
    mc_text_deinit(&line);
}

void mc_why_append_text(const mc_why *why, mc_text *out) {
    const mc_causes *causes = why->causes;
    if (causes->count == 0) {
        mc_why_append_headline(why, out);
        mc_text_append_string(out, "\n");
        append_stopped(why, out);
        append_single(why, out);
        append_thrower(why, out);
        return;
    }
    mc_text rest = {0};
    for (uint32_t i = 0; i < mc_why_get_shown_count(causes); i++) {
        if (i > 0) mc_text_append_string(out, "\n");
        mc_why_append_cause(why, &causes->items[i], out);
    }
    mc_why_append_rest(causes, &rest);
    if (rest.size > 0) mc_text_format(out, "\n… %s\n", mc_text_get(&rest));
    out->failed |= rest.failed;
    mc_text_deinit(&rest);
    const char *thrower = mc_why_get_thrower(why);
    bool is_single = causes->desc.window.first_step == causes->desc.window.last_step;
    if (thrower)
        mc_text_format(out, "\nThe %sdump was left by an %s.\n", is_single ? "" : "last ", thrower);
    append_jvm(why, out);
}
