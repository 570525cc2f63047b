#include "app/report/report_walk.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/walk_text.h"

// The text, escaped.
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
        mc_walk_append_last(walk, trace, &text);
    } else {
        mc_walk_append_link(walk, trace, index, &text);
        mc_walk_append_through(walk, trace, index, &text);
    }
    mc_text_append_string(out, "<p class=muted>");
    append_escaped(out, &text);
    mc_text_append_string(out, is_last ? "</p></div></li>\n" : " ↓</p></div></li>\n");
    mc_text_deinit(&text);
}

void mc_report_append_stops(mc_text *out, const mc_trace *trace, const mc_walk *walk) {
    if (walk->count == 0 || !mc_trace_has_references(trace)) return;
    mc_text_append_string(out, "<ol class=walk>\n");
    for (uint32_t i = 0; i < walk->count; i++)
        append_stop(out, trace, walk, i);
    mc_text_append_string(out, "</ol>\n");
}
