#include "app/csv.h"
#include "app/view/view_state.h"

#include "engine/base/file.h"
#include <inttypes.h>
#include <stdio.h>

mc_view_row mc_view_read_row(mc_view *view, uint32_t node) {
    mc_column column = mc_metric_get_column(view->city->desc.metric);
    uint32_t step = view->playback.step;
    mc_view_row r = {
        .objects = mc_view_read_value(view, step, MC_COLUMN_OBJECTS, node),
        .bytes = mc_view_read_value(view, step, MC_COLUMN_BYTES, node),
        .first = mc_view_read_value(view, view->city->desc.window.first_step, column, node),
    };
    r.value = column == MC_COLUMN_BYTES ? r.bytes : r.objects;
    uint64_t all = mc_view_read_value(view, step, column, 0);
    r.share = all > 0 ? (double)r.value / (double)all : 0;
    return r;
}

static void begin_table(mc_view *view, mc_text *out, const char *kind) {
    bool is_bytes = view->city->desc.metric == MC_METRIC_BYTES;
    mc_csv_append_string(out, kind);
    mc_csv_append_string(out, "step");
    mc_csv_append_string(out, "objects");
    mc_csv_append_string(out, "bytes");
    mc_csv_append_string(out, is_bytes ? "growth so far (bytes)" : "growth so far (objects)");
    mc_csv_append_string(out, is_bytes ? "share of bytes" : "share of objects");
}

static void append_key(const mc_view *view, mc_text *out, uint32_t node) {
    mc_text key = {0};
    mc_trace_append_full_key(view->trace, node, &key);
    mc_csv_append_text(out, key.data ? key.data : "", key.size);
    out->failed = out->failed || key.failed;
    mc_text_deinit(&key);
}

static void append_node(mc_view *view, mc_text *out, uint32_t node) {
    mc_view_row r = mc_view_read_row(view, node);
    append_key(view, out, node);
    mc_csv_append_number(out, view->playback.step);
    mc_csv_append_number(out, r.objects);
    mc_csv_append_number(out, r.bytes);
    mc_csv_append_signed(out, (int64_t)(r.value - r.first));
    mc_csv_append_real(out, r.share);
}

static void append_suspects(mc_view *view, mc_text *out) {
    begin_table(view, out, "suspect");
    mc_csv_append_string(out, "growth in the time window");
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < view->suspect_count; i++) {
        append_node(view, out, view->suspects[i].node);
        mc_csv_append_signed(out, view->suspects[i].growth);
        mc_csv_end_row(out);
    }
}

// Of the selection, or of the whole heap.
static void append_parts(mc_view *view, mc_text *out) {
    const mc_node_columns *nodes = mc_trace_get_nodes(view->trace);
    uint32_t node = mc_view_get_selected(view) == MC_NONE ? 0 : mc_view_get_selected(view);
    begin_table(view, out, "part");
    mc_csv_end_row(out);
    append_node(view, out, node);
    mc_csv_end_row(out);
    uint32_t first = nodes->first_child[node];
    for (uint32_t i = 0; i < nodes->child_count[node]; i++) {
        append_node(view, out, first + i);
        mc_csv_end_row(out);
    }
}

// As many objects as the pointer maps tell of; nothing where they do not.
static void append_involved(mc_text *out, uint64_t objects, double share, bool is_unknown) {
    if (is_unknown) {
        mc_csv_append_string(out, "");
        mc_csv_append_string(out, "");
    } else {
        mc_csv_append_number(out, objects);
        mc_csv_append_real(out, share);
    }
}

static void append_references(mc_view *view, mc_text *out) {
    static const char *const columns[] = {
        "selection",    "step",       "direction",     "partner",
        "objects here", "share here", "objects there", "share there",
    };
    const mc_view_references *references = &view->explore.references;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        mc_csv_append_string(out, columns[i]);
    }
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < references->links.count; i++) {
        const mc_link *link = &references->links.links[references->order[i]];
        append_key(view, out, references->found.node);
        mc_csv_append_number(out, references->found.step);
        mc_csv_append_string(out, link->direction == MC_LINK_INCOMING ? "incoming" : "outgoing");
        append_key(view, out, link->partner);
        append_involved(out, link->node_objects, link->node_share,
                        link->flags & MC_LINK_NODE_UNKNOWN);
        append_involved(out, link->partner_objects, link->partner_share,
                        link->flags & MC_LINK_PARTNER_UNKNOWN);
        mc_csv_end_row(out);
    }
}

static void append_hits(mc_view *view, mc_text *out) {
    const mc_view_search *search = &view->explore.search;
    begin_table(view, out, "hit");
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < search->hit_count && !out->failed; i++) {
        append_node(view, out, search->hits[i]);
        mc_csv_end_row(out);
    }
}

static void append_walk(mc_view *view, mc_text *out) {
    const mc_walk *walk = &view->explore.walk.walk;
    static const char *const verdicts[] = {"symptom", "cause", "container", "holder"};
    begin_table(view, out, "stop of the walk");
    mc_csv_append_string(out, "verdict");
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < walk->count; i++) {
        append_node(view, out, walk->stops[i].node);
        mc_csv_append_string(out, verdicts[walk->stops[i].verdict]);
        mc_csv_end_row(out);
    }
}

static bool write_table(mc_view *view, const char *kind, void (*append)(mc_view *, mc_text *),
                        mc_text *said) {
    char suffix[64];
    mc_text path = {0}, table = {0};
    mc_error error = {0};
    snprintf(suffix, sizeof suffix, "-%s-step%" PRIu32, kind, view->playback.step);
    append(view, &table);
    if (table.failed) {
        mc_error_out_of_memory(&error);
    } else if (mc_view_append_output_path(view, &path, suffix, "csv")) {
        mc_file_write(path.data, table.data, table.size, &error);
        mc_text_format(said, "%s%s", said->size > 0 ? ", " : "", path.data);
    }
    if (error.code != MC_OK) mc_view_set_message(view, error.message);
    mc_text_deinit(&path);
    mc_text_deinit(&table);
    return error.code == MC_OK;
}

// Those that are open, or, if none is, what has grown.
void mc_view_export_table(mc_view *view) {
    const mc_wish *s = &view->wish;
    const mc_view_explore *explore = &view->explore;
    const struct {
        const char *kind;
        void (*append)(mc_view *, mc_text *);
        bool is_open;
    } tables[] = {
        {"hits", append_hits, s->search_open && explore->search.hit_count > 0},
        {"parts", append_parts, s->selection_open},
        {"references", append_references,
         s->references_open && explore->references.links.count > 0},
        {"walk", append_walk, s->walk_open && explore->walk.is_known},
        {"suspects", append_suspects, s->suspects_open},
    };
    size_t count = sizeof tables / sizeof *tables;
    bool any = false, fits = true;
    mc_text said = {0};
    for (size_t i = 0; i < count && fits; i++) {
        bool is_last = i + 1 == count;
        if (!tables[i].is_open && !(is_last && !any)) continue;
        any = true;
        fits = write_table(view, tables[i].kind, tables[i].append, &said);
    }
    if (fits && !said.failed && said.data) mc_view_set_notice(view, "Wrote %s", said.data);
    mc_text_deinit(&said);
}
