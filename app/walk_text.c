#include "app/walk_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const mc_walk_verdict_names[] = {"symptom", "cause", "container", "holder"};
const char *const mc_walk_end_names[] = {"root",  "cycle",  "scattered",
                                         "limit", "no-map", "nothing-grew"};

static void append_count(mc_text *out, uint64_t count) {
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, mc_format_count(text, count));
}

static void append_growth(mc_text *out, int64_t growth) {
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, mc_format_growth(text, growth));
}

// "all 80,000", "79,991 of 80,000 (> 99.9 %)", "most" said in numbers.
static void append_part(mc_text *out, uint64_t part, uint64_t all) {
    if (part == all) {
        mc_text_append_string(out, all == 1 ? "the only one" : "all ");
        if (all != 1) append_count(out, all);
        return;
    }
    append_count(out, part);
    mc_text_append_string(out, " of ");
    append_count(out, all);
}

void mc_walk_append_link(const mc_walk *walk, uint32_t stop_index, mc_text *out) {
    const mc_walk_stop *stop = &walk->stops[stop_index];
    const mc_link *link = &stop->link;
    if (link->flags & MC_LINK_NODE_UNKNOWN) {
        mc_text_append_string(out, "some");
    } else {
        append_part(out, link->node_objects, stop->objects);
        // Most of a list's nodes are held by each other.
        if (stop->share - link->node_share > 0.05) {
            char share[MC_FORMAT_SIZE];
            mc_text_format(out, ", %s of those that do not hold each other,",
                           mc_format_share(share, stop->share));
        }
    }
    mc_text_append_string(out, " held by ");
    if (link->flags & MC_LINK_PARTNER_UNKNOWN) {
        mc_text_append_string(out, "objects of");
        return;
    }
    append_count(out, link->partner_objects);
    if (walk->stops[stop_index + 1].verdict == MC_WALK_HOLDER && walk->count > 0 &&
        stop->verdict != MC_WALK_HOLDER && stop->link_growth > 0) {
        mc_text_append_string(out, " (at first ");
        append_count(out, link->node_objects - (uint64_t)stop->link_growth);
        mc_text_append_string(out, " by ");
        append_count(out, stop->first_holders);
        mc_text_append_string(out, ")");
    }
}

void mc_walk_append_end(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    static const char *const why[] = {
        [MC_WALK_END_ROOT] = "nothing references %s: a GC root holds it",
        [MC_WALK_END_CYCLE] = "only what was passed already references %s",
        [MC_WALK_END_SCATTERED] = "many hold a little of %s each: references say no more",
        [MC_WALK_END_LIMIT] = "the walk goes no further than %s",
        [MC_WALK_END_NO_MAP] =
            "step %u has no references, so nobody knows what holds %s: heap dumps have them"};
    if (walk->end == MC_WALK_END_NOTHING_GREW) {
        mc_text_append_string(out, "nothing grew");
        return;
    }
    const char *text = why[walk->end], *place;
    if (walk->end == MC_WALK_END_NO_MAP) {
        mc_text_format(out, "step %" PRIu32, walk->desc.step);
        text += strlen("step %u");
    }
    place = strstr(text, "%s");
    mc_text_append(out, text, (size_t)(place - text));
    mc_node_append_name_line(trace, walk->stops[walk->count - 1].node, out);
    mc_text_append_string(out, place + 2);
}

static void append_holders(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    uint32_t cause = walk->cause_index;
    const mc_walk_stop *stop = &walk->stops[cause], *next = stop + 1;
    if (cause + 1 == walk->count) return;
    mc_text_append_string(out, " ");
    mc_node_append_name_line(trace, next->node, out);
    mc_text_append_string(out, next->verdict == MC_WALK_HOLDER ? " holds " : " keeps ");
    append_part(out, stop->link.node_objects, stop->objects);
    mc_text_append_string(out, next->verdict == MC_WALK_HOLDER ? "." : " alive");
    if (next->verdict == MC_WALK_HOLDER) return;
    for (uint32_t i = cause + 1; i < walk->count; i++) {
        if (walk->stops[i].verdict != MC_WALK_HOLDER) continue;
        mc_text_append_string(out, "; ");
        append_count(out, walk->stops[i - 1].link.partner_objects);
        mc_text_append_string(out, " ");
        mc_node_append_name_line(trace, walk->stops[i].node, out);
        mc_text_append_string(out, " hold ever more of them");
        break;
    }
    mc_text_append_string(out, ".");
}

static void append_unit(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    if (walk->unit_node == MC_NONE) return;
    mc_text_append_string(out, " ");
    append_count(out, walk->unit_count);
    mc_text_append_string(out, " groups of the program grew by exactly ");
    append_growth(out, walk->unit_growth);
    mc_text_append_string(out, ", among them ");
    mc_node_append_name_line(trace, walk->unit_node, out);
    mc_text_append_string(out, ": whole object graphs pile up.");
}

void mc_walk_append_summary(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    bool is_blind = walk->count == 1 && walk->end == MC_WALK_END_NO_MAP;
    if (is_blind && walk->stops[0].growth > 0) {
        const mc_walk_stop *stop = &walk->stops[0];
        mc_node_append_name_line(trace, stop->node, out);
        mc_text_append_string(out, " grew the most: ");
        append_growth(out, stop->metric_growth);
        mc_text_append_string(out, walk->desc.metric == MC_METRIC_BYTES ? " bytes." : " objects.");
        return;
    }
    if (walk->cause_index == MC_NONE) {
        mc_text_append_string(out, walk->count == 0 ? "Nothing grew." : "This did not grow.");
        return;
    }
    const mc_walk_stop *cause = &walk->stops[walk->cause_index];
    mc_node_append_name_line(trace, cause->node, out);
    mc_text_append_string(out, " piles up: ");
    append_growth(out, cause->growth);
    mc_text_format(out, " objects since step %" PRIu32 ".", walk->desc.window.first_step);
    append_holders(walk, trace, out);
    append_unit(walk, trace, out);
}

void mc_walk_append_text(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    mc_walk_append_summary(walk, trace, out);
    mc_text_append_string(out, "\n");
    if (walk->count == 0) return;
    mc_text_format(out, "\n%-9s %14s %14s  objects, steps %" PRIu32 " to %" PRIu32 "\n", "", "now",
                   "growth", walk->desc.window.first_step, walk->desc.step);
    for (uint32_t i = 0; i < walk->count; i++) {
        const mc_walk_stop *stop = &walk->stops[i];
        char now[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
        mc_format_growth(growth, stop->growth);
        // The signs of none and minus are more than one byte wide.
        int width = 14 + (growth[0] == '+' ? 0 : (unsigned char)growth[0] == 0xe2 ? 2 : 1);
        mc_text_format(out, "%-9s %14s %*s  ", mc_walk_verdict_names[stop->verdict],
                       mc_format_count(now, stop->objects), width, growth);
        mc_node_append_place_line(trace, stop->node, out);
        mc_text_append_string(out, "\n");
        if (stop->link.partner == MC_NONE) continue;
        mc_text_append_string(out, "            ↑ ");
        mc_walk_append_link(walk, i, out);
        mc_text_append_string(out, "\n");
    }
    mc_text_append_string(out, "            • ");
    mc_walk_append_end(walk, trace, out);
    mc_text_append_string(out, "\n");
}
