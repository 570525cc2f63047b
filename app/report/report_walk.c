#include "app/report/report_walk.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/walk_text.h"

#define MOST_STARTS 10u // of walks, among the suspects

static bool was_passed(const mc_report_walks *walks, uint32_t node) {
    for (uint32_t i = 0; i < walks->count; i++) {
        for (uint32_t k = 0; k < walks->items[i].count; k++)
            if (walks->items[i].stops[k].node == node) return true;
    }
    return false;
}

// Then the start is noted with the earlier walk, and this one given back.
static bool is_of_earlier_cause(mc_report_walks *walks, mc_walk *walk) {
    if (walk->cause_index == MC_NONE) return false;
    uint32_t cause = walk->stops[walk->cause_index].node, start = walk->stops[0].node;
    for (uint32_t i = 0; i < walks->count; i++) {
        const mc_walk *other = &walks->items[i];
        if (other->cause_index == MC_NONE || other->stops[other->cause_index].node != cause)
            continue;
        if (walks->same_count < MC_REPORT_SAME_COUNT) {
            walks->same[walks->same_count].node = start;
            walks->same[walks->same_count++].walk_index = i;
        }
        mc_walk_deinit(walk);
        return true;
    }
    return false;
}

mc_result mc_report_walks_find(mc_report_walks *walks, const mc_trace *trace, mc_metric metric,
                               mc_step_range window, mc_error *error) {
    mc_walk_desc desc = {
        .metric = metric, .window = window, .step = window.last_step, .from_node = MC_NONE};
    mc_walk *first = &walks->items[0];
    mc_result result = mc_walk_compute(trace, &desc, first, error);
    if (result != MC_OK) return result;
    walks->count = 1;
    const mc_suspects *suspects = &first->suspects;
    bool has_more = suspects->verdict == MC_HEAP_GROWS && first->class_growth == 0 &&
                    mc_trace_has_references(trace);
    for (uint32_t i = 1; has_more && i < suspects->growing_count && i < MOST_STARTS; i++) {
        const mc_suspect *suspect = &suspects->items[i];
        if (walks->count == MC_REPORT_WALK_COUNT || result != MC_OK) break;
        // What grew by next to nothing beside the first needs no explanation.
        if (suspect->growth < suspects->items[0].growth / 50 || was_passed(walks, suspect->node))
            continue;
        desc.from_node = suspect->node;
        mc_walk *walk = &walks->items[walks->count];
        result = mc_walk_compute(trace, &desc, walk, error);
        if (result == MC_OK && !is_of_earlier_cause(walks, walk)) walks->count++;
    }
    return result;
}

void mc_report_walks_deinit(mc_report_walks *walks) {
    for (uint32_t i = 0; i < walks->count; i++)
        mc_walk_deinit(&walks->items[i]);
    *walks = (mc_report_walks){0};
}

// What `append` says, escaped.
static void append_escaped(mc_text *out, const mc_text *text) {
    out->failed |= text->failed;
    if (text->data && !text->failed) mc_format_append_markup(out, text->data, text->size);
}

static void append_node(mc_text *out, const mc_trace *trace, uint32_t node) {
    mc_text text = {0};
    mc_text_append_string(out, "<b>");
    mc_node_append_name_line(trace, node, &text);
    append_escaped(out, &text);
    mc_text_append_string(out, "</b>");
    uint32_t parent = node > 0 ? mc_trace_get_nodes(trace)->parent[node] : 0;
    if (parent > 0) {
        mc_text_clear(&text);
        mc_node_append_place_line(trace, parent, &text);
        mc_text_append_string(out, " <small>");
        append_escaped(out, &text);
        mc_text_append_string(out, "</small>");
    }
    mc_text_deinit(&text);
}

static void append_stop(mc_text *out, const mc_trace *trace, const mc_walk *walk, uint32_t index) {
    const mc_walk_stop *stop = &walk->stops[index];
    const char *verdict = mc_walk_verdict_names[stop->verdict];
    char objects[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
    mc_text text = {0};
    mc_text_format(out, "<li class=\"%s\"><i>%s</i><div>", verdict, verdict);
    append_node(out, trace, stop->node);
    mc_text_format(out, "<p>%s, %s</p>", mc_format_counted(objects, stop->objects, "object"),
                   mc_format_growth(growth, stop->growth));
    bool is_last = stop->link.partner == MC_NONE;
    if (is_last) {
        mc_walk_append_end(walk, trace, &text);
    } else {
        mc_walk_append_link(walk, trace, index, &text);
        mc_walk_append_through(walk, trace, index, &text);
    }
    mc_text_append_string(out, "<p class=muted>");
    append_escaped(out, &text);
    mc_text_append_string(out, is_last ? "</p></div></li>\n" : " ↓</p></div></li>\n");
    mc_text_deinit(&text);
}

void mc_report_append_summary(mc_text *out, const mc_trace *trace, const mc_walk *walk) {
    mc_text summary = {0};
    mc_walk_append_summary(walk, trace, &summary);
    append_escaped(out, &summary);
    mc_text_deinit(&summary);
}

static void append_same(mc_text *out, const mc_trace *trace, const mc_report_walks *walks,
                        uint32_t walk_index) {
    mc_text names = {0};
    for (uint32_t i = 0; i < walks->same_count; i++) {
        if (walks->same[i].walk_index != walk_index) continue;
        mc_text_append_string(&names, names.size > 0 ? ", " : "For the same cause grew ");
        mc_node_append_name_line(trace, walks->same[i].node, &names);
    }
    if (names.size > 0) {
        mc_text_append_string(out, "<p>");
        append_escaped(out, &names);
        mc_text_append_string(out, ".</p>");
    }
    mc_text_deinit(&names);
}

bool mc_report_has_walks(const mc_trace *trace, const mc_report_walks *walks) {
    return walks->count > 0 && walks->items[0].count > 0 && mc_trace_has_references(trace);
}

void mc_report_append_walks(mc_text *out, const mc_trace *trace, const mc_report_walks *walks) {
    for (uint32_t i = 0; i < walks->count; i++) {
        mc_text_append_string(out, "<section><p class=summary>");
        mc_report_append_summary(out, trace, &walks->items[i]);
        mc_text_append_string(out, "</p><ol class=walk>\n");
        for (uint32_t k = 0; k < walks->items[i].count; k++)
            append_stop(out, trace, &walks->items[i], k);
        mc_text_append_string(out, "</ol>");
        append_same(out, trace, walks, i);
        mc_text_append_string(out, "</section>\n");
    }
    mc_text_append_string(
        out, "<p class=muted>Each walk goes from a group that grew up the strongest references. "
             "The cause is what piles up; symptoms grow because it does; containers grow with it; "
             "holders do not grow but hold ever more.</p>\n");
}
