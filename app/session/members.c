#include "app/session/members.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/pairing.h"
#include "app/session/selection.h"
#include "engine/scene/theme.h"
#include <inttypes.h>
#include <stdio.h>

// Words of the metric; what is not known leaves the sum unknown.
static uint64_t add_words(const mc_metric_info *info, uint64_t a, uint64_t b) {
    if (a == MC_COUNT_UNKNOWN || b == MC_COUNT_UNKNOWN || !info->is_additive)
        return MC_COUNT_UNKNOWN;
    return mc_metric_get_word(info, mc_metric_get_count(info, a) + mc_metric_get_count(info, b));
}

mc_session_row mc_session_read_group_row(mc_session *session) {
    const mc_metric_info *info = mc_session_get_metric(session);
    mc_selection outer = mc_session_get_outer(session);
    mc_session_row sum = mc_session_read_row(session, mc_selection_get(&outer));
    for (uint32_t i = 1; i < outer.count; i++) {
        mc_session_row row = mc_session_read_row(session, outer.nodes[i]);
        sum.objects += row.objects;
        sum.bytes += row.bytes;
        sum.value = add_words(info, sum.value, row.value);
        sum.first = add_words(info, sum.first, row.first);
        sum.last = add_words(info, sum.last, row.last);
        sum.share = sum.share < 0 || row.share < 0 ? -1 : sum.share + row.share;
    }
    return sum;
}

uint64_t mc_session_read_group_value(mc_session *session, uint32_t step) {
    const mc_metric_info *info = mc_session_get_metric(session);
    mc_selection outer = mc_session_get_outer(session);
    mc_metric metric = mc_session_get_told_metric(session, session->shown->metric);
    uint64_t sum = mc_session_read_value(session, step, metric, mc_selection_get(&outer));
    for (uint32_t i = 1; i < outer.count; i++)
        sum = add_words(info, sum, mc_session_read_value(session, step, metric, outer.nodes[i]));
    return sum;
}

static void write_name(mc_session *session, mc_text *out) {
    mc_selection outer = mc_session_get_outer(session);
    uint32_t count = session->settings.selection.count;
    mc_text_format(out, "%" PRIu32 " selected", count);
    if (outer.count < count)
        mc_text_format(out, ", %" PRIu32 " within others", count - outer.count);
}

static uint32_t get_color(const mc_session *session, uint32_t index) {
    const mc_look *look = &session->settings.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    return mc_theme_pack(theme.categories[index % MC_CLASS_COUNT], 255);
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    const mc_session *session = user;
    uint32_t node = session->settings.selection.nodes[index];
    char text[MC_FORMAT_SIZE];
    row->name = mc_session_get_name(session, node);
    row->lit = session->hover.node == node;
    for (uint32_t i = 0; i < session->charts.member_count; i++)
        if (session->charts.members[i] == node) row->color = get_color(session, i);
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             mc_format_brief(text, mc_session_get_metric(session),
                             mc_session_get_told_value(session, node)));
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    mc_node_append_path_line(session->trace, session->settings.selection.nodes[index], text);
}

void mc_session_fill_group(mc_session *session, mc_facts *model) {
    mc_text *name = &session->group_name;
    mc_text_clear(name);
    write_name(session, name);
    model->selection_name = mc_text_get(name);
    model->selection_role = "Together";
    model->lists.members = (mc_fact_list){.count = session->settings.selection.count,
                                          .describe = describe,
                                          .describe_more = describe_more,
                                          .user = session,
                                          .wanted_row = MC_NONE};
    if (!session->charts.has_selection) return;
    model->member_count = session->charts.member_count;
    for (uint32_t i = 0; i < session->charts.member_count; i++) {
        uint32_t step_count = mc_trace_get_step_count(session->trace);
        model->members[i] = (mc_fact_line){session->charts.member_values + (size_t)i * step_count,
                                           get_color(session, i)};
    }
}

void mc_session_show_member(mc_session *session, uint32_t row) {
    if (row < session->settings.selection.count)
        mc_session_visit(session, session->settings.selection.nodes[row]);
}

void mc_session_select_hits(mc_session *session) {
    const mc_hits *found = mc_session_get_hits(session);
    mc_selection hits = mc_selection_of(MC_NONE);
    for (uint32_t i = 0; i < found->count && hits.count < MC_SELECTION_CAPACITY; i++)
        mc_selection_add(&hits, found->nodes[i]);
    if (hits.count == 0) {
        mc_session_set_notice(session, "Search for something first: / or Ctrl+F.");
        return;
    }
    if (hits.count < found->count)
        mc_session_set_notice(
            session, "The %" PRIu32 " largest of %" PRIu32 " hits are selected, the most possible.",
            hits.count, found->count);
    mc_session_select_all(session, &hits, true);
}
