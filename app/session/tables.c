#include "app/session/tables.h"

#include "app/csv.h"
#include "app/format.h"
#include "app/session/methods.h"
#include "app/session/metrics.h"
#include "app/session/pairing.h"
#include "app/user_files.h"
#include "app/walk_text.h"
#include "engine/base/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a node is a part of, in the metric that is told.
static uint64_t count_all(mc_session *session, mc_metric column, uint32_t node) {
    const mc_metric_info *info = mc_session_get_metric(session);
    if (column != session->shown->metric) // the city has the larger of two
        return mc_metric_get_count(
            info, mc_session_read_value(session, session->playback.step, column, 0));
    // An input whose root is smaller than its parts contradicts itself; no part is more than all.
    uint64_t root = mc_metric_get_count(info, session->counts.node_values[0]);
    return node > 0 && session->counts.leaf_total > root ? session->counts.leaf_total : root;
}

static double get_share(mc_session *session, mc_metric column, uint64_t value, uint32_t node) {
    const mc_metric_info *info = mc_session_get_metric(session);
    if (!info->is_additive) return -1;
    uint64_t all = count_all(session, column, node);
    return all > 0 ? (double)mc_metric_get_count(info, value) / (double)all : 0;
}

mc_session_row mc_session_read_row(mc_session *session, uint32_t node) {
    const mc_metric column = mc_session_get_told_metric(session, session->shown->metric);
    const mc_metric objects = mc_session_get_told_metric(session, MC_METRIC_OBJECTS);
    const mc_metric bytes = mc_session_get_told_metric(session, MC_METRIC_BYTES);
    mc_step_range window = session->shown->window;
    uint32_t step = session->playback.step;
    mc_session_row r = {
        .objects = mc_session_read_value(session, step, objects, node),
        .bytes = mc_session_read_value(session, step, bytes, node),
        .first = mc_session_read_value(session, window.first_step, column, node),
        .last = mc_session_read_value(session, window.last_step, column, node),
    };
    r.value = column == bytes     ? r.bytes
              : column == objects ? r.objects
                                  : mc_session_read_value(session, step, column, node);
    r.share = get_share(session, column, r.value, node);
    return r;
}

uint64_t mc_session_get_told_value(const mc_session *session, uint32_t node) {
    mc_metric told = mc_session_get_told_metric(session, session->shown->metric);
    uint64_t value;
    if (told == session->shown->metric) return session->counts.node_values[node];
    mc_result result =
        mc_trace_read_value(session->trace, session->counts.step, told, node, &value, NULL);
    return result == MC_OK ? value : MC_COUNT_UNKNOWN;
}

static bool shows_own(const mc_session *session) {
    return mc_pair_get_plain(session->trace, session->shown->metric) >= MC_METRIC_FIRST_OWN;
}

static void append_heading(mc_text *out, const char *before, const mc_metric_info *info,
                           const char *behind) {
    mc_text text = {0};
    mc_text_append_string(&text, before);
    mc_text_append(&text, info->key, info->key_size);
    mc_text_append_string(&text, behind);
    mc_csv_append_text(out, text.data ? text.data : "", text.size);
    out->failed = out->failed || text.failed;
    mc_text_deinit(&text);
}

// What is not known has an empty field.
static void append_exact(mc_text *out, const char *number) {
    mc_csv_append_written(out, strcmp(number, "null") == 0 ? NULL : number);
}

static void begin_table(mc_session *session, mc_text *out, const char *kind) {
    const mc_metric_info *info = mc_session_get_metric(session);
    mc_csv_append_string(out, kind);
    mc_csv_append_string(out, "step");
    mc_csv_append_string(out, "objects");
    mc_csv_append_string(out, "bytes");
    if (shows_own(session)) mc_csv_append_text(out, info->key, info->key_size);
    append_heading(out, "growth so far (", info, ")");
    append_heading(out, "share of ", info, "");
}

static void append_key(const mc_session *session, mc_text *out, uint32_t node) {
    mc_text key = {0};
    mc_trace_append_full_key(session->trace, node, &key);
    mc_csv_append_text(out, key.data ? key.data : "", key.size);
    out->failed = out->failed || key.failed;
    mc_text_deinit(&key);
}

static void append_node(mc_session *session, mc_text *out, uint32_t node) {
    mc_session_row r = mc_session_read_row(session, node);
    append_key(session, out, node);
    mc_csv_append_number(out, session->playback.step);
    mc_csv_append_number(out, r.objects);
    mc_csv_append_number(out, r.bytes);
    const mc_metric_info *info = mc_session_get_metric(session);
    char number[MC_FORMAT_SIZE];
    if (shows_own(session)) append_exact(out, mc_format_exact(number, info, r.value));
    append_exact(out, mc_format_exact_growth(number, info, r.first, r.value));
    if (r.share < 0)
        mc_csv_append_string(out, "");
    else
        mc_csv_append_real(out, r.share);
}

static void append_suspects(mc_session *session, mc_text *out) {
    begin_table(session, out, "suspect");
    mc_csv_append_string(out, "growth in the time window");
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        append_node(session, out, session->suspects.items[i].node);
        const mc_metric_info *info = mc_session_get_metric(session);
        int64_t growth = session->suspects.items[i].growth;
        if (info->is_real)
            mc_csv_append_real(out, mc_metric_scale_back(info, (double)growth));
        else
            mc_csv_append_signed(out, growth);
        mc_csv_end_row(out);
    }
}

// Of the selection, or of the whole heap; of several each by itself.
static void append_parts(mc_session *session, mc_text *out) {
    const mc_selection *selection = &session->settings.selection;
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    uint32_t node =
        mc_session_get_selected(session) == MC_NONE ? 0 : mc_session_get_selected(session);
    begin_table(session, out, "part");
    mc_csv_end_row(out);
    append_node(session, out, node);
    mc_csv_end_row(out);
    for (uint32_t i = 1; i < selection->count; i++) {
        append_node(session, out, selection->nodes[i]);
        mc_csv_end_row(out);
    }
    if (selection->count > 1) return;
    uint32_t first = nodes->first_child[node];
    for (uint32_t i = 0; i < nodes->child_count[node]; i++) {
        append_node(session, out, first + i);
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

// The end of a link that is selected: one of several, or all of them together.
static void append_here(const mc_session *session, const mc_link *link, mc_text *out) {
    const mc_references_key *found = mc_asked_get_key(session->asked[MC_QUERY_REFERENCES]);
    if (link->from != MC_NONE || found->selection.count <= 1) {
        append_key(session, out, link->from != MC_NONE ? link->from : found->node);
        return;
    }
    mc_text keys = {0};
    for (uint32_t i = 0; i < found->selection.count; i++) {
        if (i > 0) mc_text_append_string(&keys, " + ");
        mc_trace_append_full_key(session->trace, found->selection.nodes[i], &keys);
    }
    mc_csv_append_text(out, keys.data ? keys.data : "", keys.size);
    out->failed = out->failed || keys.failed;
    mc_text_deinit(&keys);
}

static void append_references(mc_session *session, mc_text *out) {
    static const char *const columns[] = {
        "selection",    "step",       "direction",     "partner",
        "objects here", "share here", "objects there", "share there",
    };
    const mc_references *references = mc_session_get_references(session);
    const mc_references_key *key = mc_asked_get_key(session->asked[MC_QUERY_REFERENCES]);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        mc_csv_append_string(out, columns[i]);
    }
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < references->links.count; i++) {
        const mc_link *link = &references->links.links[references->order[i]];
        append_here(session, link, out);
        mc_csv_append_number(out, key->step);
        mc_csv_append_string(out, link->direction == MC_LINK_INCOMING ? "incoming" : "outgoing");
        append_key(session, out, link->partner);
        append_involved(out, link->node_objects, link->node_share,
                        link->flags & MC_LINK_NODE_UNKNOWN);
        append_involved(out, link->partner_objects, link->partner_share,
                        link->flags & MC_LINK_PARTNER_UNKNOWN);
        mc_csv_end_row(out);
    }
}

static void append_hits(mc_session *session, mc_text *out) {
    const mc_hits *hits = mc_session_get_hits(session);
    begin_table(session, out, "hit");
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < hits->count && !out->failed; i++) {
        append_node(session, out, hits->nodes[i]);
        mc_csv_end_row(out);
    }
}

static void append_walk(mc_session *session, mc_text *out) {
    const mc_walk *walk = mc_session_get_walk(session);
    begin_table(session, out, "stop of the walk");
    mc_csv_append_string(out, "verdict");
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < walk->count; i++) {
        append_node(session, out, walk->stops[i].node);
        mc_csv_append_string(out, mc_walk_verdict_names[walk->stops[i].verdict]);
        mc_csv_end_row(out);
    }
}

static bool write_table(mc_session *session, const char *kind,
                        void (*append)(mc_session *, mc_text *), mc_text *said) {
    char suffix[64];
    mc_text path = {0}, table = {0};
    mc_error error = {0};
    snprintf(suffix, sizeof suffix, "-%s-step%" PRIu32, kind, session->playback.step);
    append(session, &table);
    if (table.failed) {
        mc_error_out_of_memory(&error);
    } else if (mc_session_append_output_path(session, &path, suffix, "csv")) {
        mc_file_write(path.data, table.data, table.size, &error);
        mc_text_format(said, "%s%s", said->size > 0 ? ", " : "", path.data);
    }
    if (error.code != MC_OK) mc_session_set_message(session, error.message);
    mc_text_deinit(&path);
    mc_text_deinit(&table);
    return error.code == MC_OK;
}

// Those that are open, or, if none is, what has grown.
void mc_session_export_table(mc_session *session) {
    const mc_settings *s = &session->settings;
    bool has_methods = mc_session_has_methods(session);
    const struct {
        const char *kind;
        void (*append)(mc_session *, mc_text *);
        bool is_open;
    } tables[] = {
        {"hits", append_hits, s->search_open && mc_session_get_hits(session)->count > 0},
        {"parts", append_parts, s->selection_open},
        {"references", append_references,
         s->references_open && mc_session_get_references(session)->links.count > 0},
        {"walk", append_walk, s->walk_open && session->walk.is_known},
        {has_methods ? "methods" : "suspects",
         has_methods ? mc_session_append_methods_csv : append_suspects, s->suspects_open},
    };
    size_t count = sizeof tables / sizeof *tables;
    bool any = false, fits = true;
    mc_text said = {0};
    for (size_t i = 0; i < count && fits; i++) {
        bool is_last = i + 1 == count;
        if (!tables[i].is_open && !(is_last && !any)) continue;
        any = true;
        fits = write_table(session, tables[i].kind, tables[i].append, &said);
    }
    if (fits && !said.failed && said.data) mc_session_set_notice(session, "Wrote %s", said.data);
    mc_text_deinit(&said);
}

// A path in the working directory, or, where that can't be written, in the home folder.
bool mc_session_append_output_path(mc_session *session, mc_text *path, const char *suffix,
                                   const char *extension) {
    mc_text name = {0};
    const char *trace_name = mc_session_get_trace_name(session);
    mc_text_format(&name, "%s%s", trace_name ? trace_name : "memcity", suffix);
    const char *home = getenv("HOME");
    char *here = access(".", W_OK) == 0 ? getcwd(NULL, 0) : NULL;
    const char *folder = here ? here : home ? home : "/tmp";
    if (!name.failed) mc_user_append_free_path(path, folder, name.data, extension);
    bool fits = !name.failed && !path->failed;
    free(here);
    mc_text_deinit(&name);
    if (!fits) mc_session_set_message(session, "out of memory");
    return fits;
}

static void append_copied_numbers(const mc_session *session, const mc_session_row *r,
                                  mc_text *text) {
    const mc_metric_info *info = mc_session_get_metric(session);
    char value[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
    mc_text_format(text, "\tstep %" PRIu32 "\t%" PRIu64 "\t%" PRIu64, session->playback.step,
                   r->objects, r->bytes);
    if (shows_own(session)) mc_text_format(text, "\t%s", mc_format_exact(value, info, r->value));
    mc_format_exact_growth(growth, info, r->first, r->value);
    bool has_sign = growth[0] == '-' || growth[0] == 'n'; // of null
    mc_text_format(text, "\t%s%s", has_sign ? "" : "+", growth);
}

static void append_copied(mc_session *session, uint32_t node, bool is_row, mc_text *text) {
    mc_text key = {0};
    mc_trace_append_full_key(session->trace, node, &key);
    if (is_row) {
        mc_session_row r = mc_session_read_row(session, node);
        mc_format_append_tsv(text, key.data ? key.data : "", key.size);
        append_copied_numbers(session, &r, text);
    } else {
        mc_text_append(text, key.data ? key.data : "", key.size);
    }
    text->failed |= key.failed;
    mc_text_deinit(&key);
}

static bool append_finding(mc_session *session, mc_text *text) {
    const mc_text *sentence = &session->suspects.text;
    if (!session->suspects.has_verdict || sentence->size == 0 || sentence->failed) {
        mc_session_set_notice(session, "Nothing is found by now.");
        return false;
    }
    mc_text_append(text, sentence->data, sentence->size);
    return !text->failed;
}

bool mc_session_append_copy(mc_session *session, mc_session_copy what, mc_text *text) {
    if (what == MC_COPY_FINDING) return append_finding(session, text);
    bool is_row = what == MC_COPY_ROW;
    mc_selection copied = session->settings.selection;
    if (copied.count == 0) copied = mc_selection_of(session->hover.node);
    if (copied.count == 0) {
        mc_session_set_notice(session, "Select something first, to copy its %s.",
                              is_row ? "numbers" : "full key");
        return false;
    }
    for (uint32_t i = 0; i < copied.count; i++) {
        if (i > 0) mc_text_append_string(text, "\n");
        append_copied(session, copied.nodes[i], is_row, text);
    }
    bool fits = !text->failed && text->data;
    if (!fits) mc_session_set_message(session, "out of memory");
    return fits;
}
