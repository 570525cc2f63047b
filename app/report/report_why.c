#include "app/report/report_why.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/report/report_walk.h"

// The line's text, escaped; the line is empty then.
static void append_escaped(mc_text *out, mc_text *line) {
    out->failed |= line->failed;
    if (line->data && !line->failed) mc_format_append_markup(out, line->data, line->size);
    mc_text_clear(line);
}

static void append_cause(mc_text *out, const mc_why *why, const mc_cause *cause, mc_text *line) {
    mc_text_append_string(out, "<section><p class=cause>");
    mc_why_append_sentence(why, cause, line);
    append_escaped(out, line);
    mc_text_append_string(out, "</p><dl>\n");
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++) {
        mc_why_append_fact(why, cause, (mc_why_fact)fact, line);
        if (line->size == 0) continue;
        mc_text_format(out, "<dt>%s</dt><dd>", mc_why_fact_names[fact]);
        append_escaped(out, line);
        mc_text_append_string(out, "</dd>\n");
    }
    mc_text_append_string(out, "</dl>\n");
    mc_report_append_stops(out, why->trace, &cause->walk);
    mc_text_append_string(out, "</section>\n");
}

void mc_report_append_headline(mc_text *out, const mc_why *why) {
    mc_text line = {0};
    mc_why_append_headline(why, &line);
    append_escaped(out, &line);
    mc_text_deinit(&line);
}

static void append_rest(mc_text *out, const mc_why *why) {
    mc_text line = {0};
    mc_why_append_rest(why->causes, &line);
    if (line.size > 0) {
        mc_text_append_string(out, "<p class=muted>… ");
        append_escaped(out, &line);
        mc_text_append_string(out, "</p>\n");
    }
    mc_text_deinit(&line);
}

static const char legend[] =
    "<p class=muted>Each list of stops goes from a group that grew up the strongest references. "
    "The cause is what piles up; symptoms grow because it does; containers grow with it; holders "
    "do not grow but hold ever more.</p>\n";

static bool has_stops(const mc_why *why) {
    return why->causes->count > 0 && why->causes->items[0].walk.count > 0 &&
           mc_trace_has_references(why->trace);
}

void mc_report_append_why(mc_text *out, const mc_why *why,
                          void (*append_picture)(mc_text *out, const void *user),
                          const void *user) {
    mc_text line = {0};
    bool is_single = why->causes->largest.count > 0;
    if (why->causes->count == 0 && !is_single) return;
    mc_text_append_string(out,
                          is_single ? "<h2>Who keeps it alive</h2>\n" : "<h2>Why it grows</h2>\n");
    append_picture(out, user);
    for (uint32_t i = 0; i < mc_why_get_shown_count(why->causes); i++)
        append_cause(out, why, &why->causes->items[i], &line);
    append_rest(out, why);
    if (is_single) {
        mc_text_append_string(out, "<section>");
        mc_report_append_stops(out, why->trace, &why->causes->largest);
        mc_text_append_string(out, "</section>\n");
    }
    if (has_stops(why)) mc_text_append_string(out, legend);
    mc_text_deinit(&line);
}

void mc_report_append_reason(mc_text *out, const mc_why *why, uint32_t node) {
    const mc_cause *cause = mc_causes_get(why->causes, node);
    mc_text line = {0};
    if (!cause || cause->node == node) return;
    mc_text_append_string(out, " · because of ");
    mc_node_append_name_line(why->trace, cause->node, &line);
    append_escaped(out, &line);
    mc_text_deinit(&line);
}
