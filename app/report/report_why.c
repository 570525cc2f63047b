#include "app/report/report_why.h"

#include "app/format.h"
#include "app/node_text.h"
#include <inttypes.h>

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
    mc_text_append_string(out, "</dl></section>\n");
}

void mc_report_append_why(mc_text *out, const mc_why *why) {
    mc_text line = {0};
    if (why->causes->count == 0) return;
    mc_text_append_string(out, "<h2>Why it grows</h2>\n");
    for (uint32_t i = 0; i < why->causes->count; i++)
        append_cause(out, why, &why->causes->items[i], &line);
    if (why->causes->left_out_count > 0)
        mc_text_format(out, "<p class=muted>%" PRIu32 " more %s growing, by less.</p>\n",
                       why->causes->left_out_count,
                       why->causes->left_out_count == 1 ? "group keeps" : "groups keep");
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
