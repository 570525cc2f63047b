#include "app/old_objects_text.h"

#include "app/finding_words.h"
#include "app/format.h"
#include "app/pace_text.h"
#include <inttypes.h>
#include <math.h>

#define MS_PER_S 1000.0
#define LONGER 1.25 // than would just do
#define ROUND_S 30.0

bool mc_old_objects_is_told(const mc_causes *causes) {
    return causes->is_of_samples;
}

static void append_string(const mc_trace *trace, uint32_t string, mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    mc_format_append_line(out, text, size);
}

static const mc_retaining_path *get_hop(const mc_trace *trace, const mc_causes *causes,
                                        uint32_t hop) {
    uint32_t count;
    return &mc_trace_get_paths(trace, &count)[causes->old_objects.hops[hop]];
}

void mc_old_objects_append_root(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    if (causes->old_objects.hop_count == 0) return;
    const mc_retaining_path *root = get_hop(trace, causes, 0);
    append_string(trace, root->field != MC_NONE ? root->field : root->class, out);
}

static void append_share(const mc_causes *causes, mc_text *out) {
    const mc_old_objects *old = &causes->old_objects;
    char held[MC_FORMAT_SIZE], all[MC_FORMAT_SIZE];
    mc_text_format(out, "%s of %s sampled old objects%s", mc_format_count(held, old->held),
                   mc_format_count(all, old->rooted),
                   old->rooted < old->sampled ? " whose GC root is known" : "");
}

static const mc_metric_info *get_heap(const mc_trace *trace) {
    const mc_metric metric = mc_trace_find_metric(trace, MC_METRIC_HEAP_AFTER_GC);
    return mc_trace_get_metric(trace, metric == MC_NONE ? MC_METRIC_BYTES : metric);
}

static void append_range(const mc_old_objects *old, mc_text *out) {
    char least[MC_FORMAT_SIZE], most[MC_FORMAT_SIZE];
    mc_text_format(out, "the heap after collections is between %s and %s",
                   mc_format_bytes(least, old->least_bytes),
                   mc_format_bytes(most, old->most_bytes));
}

static void append_held_by(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    if (!causes->old_objects.is_clear) return;
    mc_text_append_string(out, "; ");
    append_share(causes, out);
    mc_text_append_string(out, " are held by ");
    mc_old_objects_append_root(trace, causes, out);
}

// A step stands for the time up to it, as long for the first one as for the others.
static double get_seconds(const mc_trace *trace, mc_step_range window) {
    const uint32_t count = window.last_step - window.first_step;
    return (double)(mc_trace_get_step(trace, window.last_step)->time_ms -
                    mc_trace_get_step(trace, window.first_step)->time_ms) /
           MS_PER_S * (count > 0 ? (count + 1.0) / count : 1);
}

// How long a recording is that has as many collections as are needed, at the pace of this one.
static void append_longer(const mc_old_objects *old, double seconds, mc_text *out) {
    mc_text_append_string(out, " Record ");
    if (old->point_count > 0 && seconds > 0) {
        double needed = LONGER * seconds * MC_OLD_OBJECTS_LEAST_POINTS / old->point_count;
        mc_text_append_string(out, "for ");
        mc_finding_append_duration(ceil(needed / ROUND_S) * ROUND_S, out);
        mc_text_append_string(out, " or more");
    } else {
        mc_text_append_string(out, "for longer");
    }
    mc_text_append_string(out, ", or by memcity record --pid PID, which collects at each step.");
}

// Of too few collections: what they left, and who holds what is sampled.
static void append_few(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    const mc_old_objects *old = &causes->old_objects;
    const double seconds = get_seconds(trace, causes->desc.window);
    char first[MC_FORMAT_SIZE], last[MC_FORMAT_SIZE];
    mc_text_append_string(out, "Whether the heap grows is not known");
    if (seconds > 0) {
        mc_text_append_string(out, " after ");
        mc_finding_append_duration(seconds, out);
    }
    if (old->point_count == 0)
        mc_text_append_string(out, ": of no collection it is known what it left");
    else
        mc_text_format(out, ": %" PRIu32 " %s a collection, and %d are needed", old->point_count,
                       old->point_count == 1 ? "step has" : "steps have",
                       MC_OLD_OBJECTS_LEAST_POINTS);
    if (old->point_count == 1)
        mc_text_format(out, "; it left %s", mc_format_bytes(last, old->last_bytes));
    if (old->point_count > 1)
        mc_text_format(out, "; the first left %s, the last %s",
                       mc_format_bytes(first, old->first_bytes),
                       mc_format_bytes(last, old->last_bytes));
    append_held_by(trace, causes, out);
    if (causes->old_objects.is_clear) mc_text_append_string(out, ", which need not grow");
    mc_text_append_string(out, ".");
    append_longer(old, seconds, out);
}

// Of less than a minute: it grew, and does no more, or ever more slowly.
static void append_brief(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    char growth[MC_FORMAT_SIZE];
    mc_text_append_string(out, "Whether the heap keeps growing is not known after ");
    mc_finding_append_duration(get_seconds(trace, causes->desc.window), out);
    mc_text_format(out, ": after collections it grew by %s, and %s",
                   mc_format_bytes(growth, (uint64_t)causes->old_objects.growth),
                   causes->old_objects.rests ? "rests at the end" : "ever more slowly");
    append_held_by(trace, causes, out);
    if (causes->old_objects.is_clear) mc_text_append_string(out, ", which need not grow");
    mc_text_append_string(out, ". Record for some minutes, or by memcity record --pid PID, which "
                               "collects at each step.");
}

static void append_unknown(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    const mc_old_objects *old = &causes->old_objects;
    char first[MC_FORMAT_SIZE], last[MC_FORMAT_SIZE];
    if (old->point_count < MC_OLD_OBJECTS_LEAST_POINTS) {
        append_few(trace, causes, out);
        return;
    }
    if (old->has_slowed) {
        append_brief(trace, causes, out);
        return;
    }
    mc_text_format(out,
                   "Whether the heap grows is not known: the heap after collections went from %s "
                   "to %s, and hardly fell meanwhile, so how much of that is garbage does not "
                   "show. A longer recording tells; sooner, memcity record --pid PID, which "
                   "collects at each step.",
                   mc_format_bytes(first, old->first_bytes),
                   mc_format_bytes(last, old->last_bytes));
}

// "The heap is full: a collection leaves 193 MiB of the 200 MiB that it may become, +175 MiB so
// far; 213 of 255 sampled old objects are held by static Orders.REGISTRY."
static void append_full(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    const mc_old_objects *old = &causes->old_objects;
    char last[MC_FORMAT_SIZE], limit[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
    mc_text_format(out, "The heap is full: a collection leaves %s of the %s that it may become",
                   mc_format_bytes(last, old->last_bytes),
                   mc_format_bytes(limit, old->limit_bytes));
    if (old->growth > 0)
        mc_text_format(out, ", +%s so far", mc_format_bytes(growth, (uint64_t)old->growth));
    append_held_by(trace, causes, out);
    mc_text_append_string(out, ".");
}

void mc_old_objects_append_sentence(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    const mc_old_objects *old = &causes->old_objects;
    char growth[MC_FORMAT_SIZE];
    if (old->is_full && old->verdict != MC_HEAP_GROWS) {
        append_full(trace, causes, out);
        return;
    }
    switch (old->verdict) {
    case MC_HEAP_GROWS:
        mc_text_append_string(out, "The heap after collections keeps growing: ");
        mc_pace_append(trace, causes->desc.window, get_heap(trace), old->growth_per_s, out);
        mc_text_append_string(out, ", ");
        mc_text_format(out, "+%s so far", mc_format_bytes(growth, (uint64_t)old->growth));
        append_held_by(trace, causes, out);
        mc_text_append_string(out, ".");
        break;
    case MC_HEAP_STOPPED:
        mc_text_format(out,
                       "Nothing keeps growing: the heap after collections grew by %s, and does no "
                       "more.",
                       mc_format_bytes(growth, (uint64_t)old->growth));
        break;
    case MC_HEAP_STEADY:
        mc_text_append_string(out, "Nothing keeps growing: ");
        append_range(old, out);
        mc_text_append_string(out, ".");
        break;
    default: append_unknown(trace, causes, out); break;
    }
}

void mc_old_objects_append_held(const mc_trace *trace, const mc_causes *causes, mc_text *out) {
    const mc_old_objects *old = &causes->old_objects;
    if (old->sampled == 0) {
        mc_text_append_string(out, "not known: the recording has no old objects, which "
                                   "\"memcity record --jfr\" asks for");
        return;
    }
    if (old->hop_count == 0) {
        char count[MC_FORMAT_SIZE];
        mc_text_format(out,
                       "not known: %s old objects are sampled, without the references that hold "
                       "them (JFR.dump path-to-gc-roots=true)",
                       mc_format_count(count, old->sampled));
        return;
    }
    if (!old->is_clear) {
        char count[MC_FORMAT_SIZE];
        mc_text_format(out,
                       "not clear: too few old objects are sampled, or no root holds most of them "
                       "(%s %s sampled",
                       mc_format_count(count, old->sampled), old->sampled == 1 ? "is" : "are");
        if (old->held > 0) {
            mc_text_format(out, "; the most, %s, by ", mc_format_count(count, old->held));
            mc_old_objects_append_root(trace, causes, out);
        }
        mc_text_append_string(out, ")");
        return;
    }
    append_share(causes, out);
    mc_text_append_string(out, ": ");
    for (uint32_t i = 0; i < old->hop_count; i++) {
        const mc_retaining_path *hop = get_hop(trace, causes, i);
        mc_text_append_string(out, i > 0 ? " → " : "");
        append_string(trace, hop->field != MC_NONE ? hop->field : hop->class, out);
    }
    mc_text_append_string(out, " → ");
    append_string(trace, get_hop(trace, causes, old->hop_count - 1)->class, out);
    if (old->verdict != MC_HEAP_GROWS)
        mc_text_append_string(out, " (what holds old objects need not grow: a cache does, too)");
}
