#include "app/picture/session_caption.h"

#include "app/caption_text.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "app/session/describe.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct caption_texts {
    mc_text title, subtitle, note;
} caption_texts;

void mc_session_append_moment(const mc_session *session, uint64_t total, const char *mapping,
                              mc_text *out) {
    const mc_layout *shown = session->shown;
    mc_caption_moment moment = {.trace = session->trace,
                                .metric = shown->metric,
                                .total = total,
                                .step = session->playback.step,
                                .window = shown->window,
                                .mapping = mapping};
    if (mc_trace_is_versus(session->trace))
        mc_pair_append_moment(session->trace, shown->metric, shown->root_node,
                              session->playback.step, out);
    else
        mc_caption_append_moment(&moment, out);
}

static void write_subtitle(const mc_session *session, mc_text *out) {
    const mc_layout *shown = session->shown;
    const mc_metric_info *info = mc_trace_get_metric(session->trace, shown->metric);
    uint64_t word = mc_metric_get_word(info, session->counts.leaf_total);
    if (!info->is_additive && session->counts.node_values)
        word = session->counts.node_values[shown->root_node];
    char compared[64] = "";
    uint32_t pin = mc_session_get_pin(session);
    if (pin != MC_NONE)
        snprintf(compared, sizeof compared, MC_CAPTION_SEPARATOR "compared with step %" PRIu32,
                 pin);
    mc_session_append_moment(session, word, compared, out);
}

static void append(mc_text *out, const mc_text *text) {
    if (text->data && !text->failed) mc_text_append(out, text->data, text->size);
}

void mc_session_append_note(const mc_session *session, const char *note, mc_text *out) {
    const mc_selection *selection = &session->settings.selection;
    const char *pattern = session->search.found.text;
    const mc_walk_answer *walk = mc_asked_get_answer(session->asked[MC_QUERY_WALK]);
    const mc_text *fallen = &mc_session_get_what_if(session)->summary;
    char number[MC_FORMAT_SIZE];
    if (session->walk.is_shown) {
        append(out, &walk->summary);
    } else if (session->settings.search_open && pattern[0]) {
        mc_text_append_string(out, "“");
        mc_format_append_line(out, pattern, strlen(pattern));
        mc_text_format(out, "”: %s",
                       mc_format_counted(number, mc_session_get_hits(session)->count, "hit"));
    } else if (session->settings.demolished.count > 0 && fallen->size > 0) {
        append(out, fallen);
    } else if (note) {
        mc_text_append_string(out, note);
    } else if (selection->count > 0) {
        mc_caption_append_selection(session->trace, selection->nodes, selection->count, out);
    } else {
        mc_pair_append_end_note(session->trace, session->playback.step, out);
    }
}

void mc_session_append_title(const mc_session *session, mc_text *out) {
    const char *name = mc_session_get_trace_name(session);
    mc_text_append_string(out, name ? name : "memcity");
    if (session->shown->root_node == 0) return;
    mc_text_append_string(out, MC_CAPTION_SEPARATOR);
    mc_node_append_place_line(session->trace, session->shown->root_node, out);
}

void mc_session_draw_caption(mc_session *session, mc_ui *ui, uint32_t width, uint32_t height,
                             mc_ui_draw *draw) {
    caption_texts texts = {0};
    mc_facts facts;
    mc_ui_caption caption = {0};
    mc_session_fill_uncovered_facts(session, &facts);
    if (session->shown) {
        caption.labels = facts.labels;
        caption.label_count = facts.label_count;
        caption.drawing = facts.drawing;
    }
    if (session->shown && session->settings.panels) {
        mc_session_append_title(session, &texts.title);
        write_subtitle(session, &texts.subtitle);
        mc_session_append_note(session, NULL, &texts.note);
        caption.title = mc_text_get(&texts.title);
        caption.subtitle = mc_text_get(&texts.subtitle);
        caption.note = texts.note.size > 0 ? mc_text_get(&texts.note) : NULL;
        caption.legend = &facts.lists.legend;
        caption.is_flat = session->settings.view != 0;
    }
    mc_ui_draw_caption(ui, &caption, session->settings.look.dark, (float)width, (float)height,
                       draw);
    mc_text_deinit(&texts.title);
    mc_text_deinit(&texts.subtitle);
    mc_text_deinit(&texts.note);
}
