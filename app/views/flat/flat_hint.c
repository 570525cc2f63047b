#include "app/views/flat/flat_hint.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/views/flat/flat_frame.h"
#include "app/views/flat/flat_steps_frame.h"
#include <inttypes.h>

static const mc_metric_info *get_metric(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    return mc_trace_get_metric(session->trace, session->shown->metric);
}

// " · 12.3 % of its group"; nothing where it makes no sense.
static void append_share(const mc_flat_view *self, uint64_t part, uint64_t whole, const char *of,
                         mc_text *text) {
    char share[MC_FORMAT_SIZE];
    if (!get_metric(self)->is_additive || whole == 0) return;
    mc_format_share(share, (double)part / (double)whole);
    mc_text_format(text, " · %s of %s", share, of);
}

// Its step, and what the node below the pointer is at that step.
static void describe_small(const mc_flat_view *self, const mc_flat_step_tree *item, mc_text *title,
                           mc_text *text) {
    const mc_session *session = self->base.session;
    const mc_metric_info *metric = get_metric(self);
    uint32_t node = session->hover.node, root = session->shown->root_node;
    uint64_t word = mc_metric_get_word(metric, item->small.value);
    char time[MC_FORMAT_SIZE];
    if (node != MC_NONE) {
        mc_node_append_path_line(session->trace, node, title);
        word = mc_view_read_value(&self->base, item->step, session->shown->metric, node);
        mc_text_format(text, "Step %" PRIu32 ": ", item->step);
    } else {
        mc_text_format(title, "Step %" PRIu32, item->step);
    }
    mc_format_append_value(text, metric, word);
    if (node != MC_NONE && node != root)
        append_share(self, mc_metric_get_count(metric, word), item->small.value,
                     root == 0 ? "the heap" : "what is shown", text);
    mc_format_time(time, mc_trace_get_step(session->trace, item->step)->time_ms);
    mc_text_format(text, " · %s%s", time,
                   item->step == session->counts.step ? "" : " · a click goes there");
}

static void describe_other(const mc_flat_view *self, uint32_t entry, mc_text *title,
                           mc_text *text) {
    const mc_session *session = self->base.session;
    const mc_tree *tree = self->tree;
    const mc_metric_info *metric = get_metric(self);
    uint64_t value = self->pane.now.values[entry];
    char groups[MC_FORMAT_SIZE];
    mc_text_append_string(title, "Other of ");
    mc_node_append_path_line(session->trace, tree->node[entry], title);
    uint32_t count = tree->other_group_count[tree->other[entry]];
    mc_text_format(text, "%s group%s · ", mc_format_count(groups, count), count == 1 ? "" : "s");
    mc_format_append_value(text, metric, mc_metric_get_word(metric, value));
    if (tree->node[entry] != 0)
        append_share(self, value, session->counts.to[tree->node[entry]], "its parent", text);
    append_share(self, value, session->counts.to[0], "the heap", text);
    mc_text_append_string(text, " · a click opens it");
}

bool mc_flat_view_describe(const mc_flat_view *self, mc_text *title, mc_text *text) {
    const mc_session *session = self->base.session;
    uint32_t at = mc_flat_steps_find(self, session->input.x, session->input.y);
    if (at != MC_NONE) {
        describe_small(self, &self->trees.items[at], title, text);
        return true;
    }
    uint32_t entry = mc_flat_view_get_pointed_other(self);
    if (entry == MC_NONE) return false;
    describe_other(self, entry, title, text);
    return true;
}
