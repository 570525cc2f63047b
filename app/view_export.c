#include "app/csv.h"
#include "app/format.h"
#include "app/png_file.h"
#include "app/user_files.h"
#include "app/view_state.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a copy is of: the selection, or else what is pointed at.
static uint32_t get_subject(const mc_view *view) {
    if (view->selected_node != MC_NONE) return view->selected_node;
    return mc_city_get_node(view->city, view->hovered);
}

static void copy(mc_view *view, mc_text *text, const char *what) {
    if (text->failed || !text->data) {
        mc_view_set_message(view, "out of memory");
    } else {
        mc_window_set_clipboard(view->window, text->data);
        mc_view_set_notice(view, "Copied %s: %.600s", what, text->data);
    }
    mc_text_deinit(text);
}

void mc_view_copy_key(mc_view *view) {
    uint32_t node = get_subject(view);
    mc_text text = {0};
    if (node == MC_NONE) {
        mc_view_set_notice(view, "Select something first, to copy its full key.");
        return;
    }
    mc_trace_append_full_key(view->trace, node, &text);
    copy(view, &text, "the full key");
}

typedef struct row {
    uint64_t objects, bytes, first, value;
    double share;
} row;

static row read_row(mc_view *view, uint32_t node) {
    mc_column column = mc_metric_get_column(view->city->desc.metric);
    uint32_t step = view->playback.step;
    row r = {
        .objects = mc_view_read_value(view, step, MC_COLUMN_OBJECTS, node),
        .bytes = mc_view_read_value(view, step, MC_COLUMN_BYTES, node),
        .first = mc_view_read_value(view, view->city->desc.window.first_step, column, node),
    };
    r.value = column == MC_COLUMN_BYTES ? r.bytes : r.objects;
    uint64_t all = mc_view_read_value(view, step, column, 0);
    r.share = all > 0 ? (double)r.value / (double)all : 0;
    return r;
}

// One line with tabs, which spreadsheets and chats both take.
void mc_view_copy_row(mc_view *view) {
    uint32_t node = get_subject(view);
    if (node == MC_NONE) {
        mc_view_set_notice(view, "Select something first, to copy its numbers.");
        return;
    }
    row r = read_row(view, node);
    mc_text text = {0}, key = {0};
    mc_trace_append_full_key(view->trace, node, &key);
    mc_format_append_tsv(&text, key.data ? key.data : "", key.size);
    mc_text_format(&text, "\tstep %" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%+" PRId64,
                   view->playback.step, r.objects, r.bytes, (int64_t)(r.value - r.first));
    text.failed = text.failed || key.failed;
    mc_text_deinit(&key);
    copy(view, &text, "step, objects, bytes and growth");
}

// Tables

static void begin_table(mc_view *view, mc_text *out, const char *kind) {
    bool is_bytes = view->city->desc.metric == MC_METRIC_BYTES;
    mc_csv_append_string(out, kind);
    mc_csv_append_string(out, "step");
    mc_csv_append_string(out, "objects");
    mc_csv_append_string(out, "bytes");
    mc_csv_append_string(out, is_bytes ? "growth so far (bytes)" : "growth so far (objects)");
    mc_csv_append_string(out, is_bytes ? "share of bytes" : "share of objects");
}

static void append_node(mc_view *view, mc_text *out, uint32_t node) {
    mc_text key = {0};
    row r = read_row(view, node);
    mc_trace_append_full_key(view->trace, node, &key);
    mc_csv_append_text(out, key.data ? key.data : "", key.size);
    mc_csv_append_number(out, view->playback.step);
    mc_csv_append_number(out, r.objects);
    mc_csv_append_number(out, r.bytes);
    mc_csv_append_signed(out, (int64_t)(r.value - r.first));
    mc_csv_append_real(out, r.share);
    out->failed = out->failed || key.failed;
    mc_text_deinit(&key);
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
    uint32_t node = view->selected_node == MC_NONE ? 0 : view->selected_node;
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

// A path in the working directory, or, where that can't be written, in the home folder.
bool mc_view_append_output_path(mc_view *view, mc_text *path, const char *suffix,
                                const char *extension) {
    mc_text name = {0};
    mc_text_format(&name, "%s%s", view->trace_name ? view->trace_name : "memcity", suffix);
    const char *home = getenv("HOME");
    char *here = access(".", W_OK) == 0 ? getcwd(NULL, 0) : NULL;
    const char *folder = here ? here : home ? home : "/tmp";
    if (!name.failed) mc_user_append_free_path(path, folder, name.data, extension);
    bool fits = !name.failed && !path->failed;
    free(here);
    mc_text_deinit(&name);
    if (!fits) mc_view_set_message(view, "out of memory");
    return fits;
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
        mc_file_writer writer = {0};
        if (mc_file_writer_begin(&writer, path.data, &error) == MC_OK) {
            fwrite(table.data, 1, table.size, writer.stream);
            mc_file_writer_commit(&writer, &error);
        }
        mc_text_format(said, "%s%s", said->size > 0 ? ", " : "", path.data);
    }
    if (error.code != MC_OK) mc_view_set_message(view, error.message);
    mc_text_deinit(&path);
    mc_text_deinit(&table);
    return error.code == MC_OK;
}

void mc_view_export_table(mc_view *view) {
    const mc_ui_settings *s = &view->settings;
    mc_text said = {0};
    bool fits = true;
    bool none = !s->selection_open && !s->suspects_open;
    if (s->suspects_open || none) fits = write_table(view, "suspects", append_suspects, &said);
    if (fits && s->selection_open) fits = write_table(view, "parts", append_parts, &said);
    if (fits && !said.failed && said.data) mc_view_set_notice(view, "Wrote %s", said.data);
    mc_text_deinit(&said);
}

// Pictures

void mc_view_save_picture(mc_view *view, bool with_panels) {
    if (view->comfort.message_is_notice) mc_view_set_message(view, NULL); // not in the picture
    view->comfort.picture = with_panels ? MC_VIEW_PICTURE_WITH_PANELS : MC_VIEW_PICTURE_OF_CITY;
    view->frames_due = 3;
}

// The camera of a picture that no panel covers.
static mc_camera_view get_uncovered_view(const mc_view *view) {
    mc_camera camera = view->camera;
    mc_camera_viewport viewport = {.width = camera.viewport.width,
                                   .height = camera.viewport.height};
    mc_camera_set_viewport(&camera, viewport);
    if (view->camera_is_home) {
        mc_camera_pose pose = mc_camera_get_preset(&camera, MC_CAMERA_CITY);
        pose = mc_camera_fit_structure(&camera, pose, view->city, MC_STRUCTURE_NONE);
        mc_camera_set_pose(&camera, &pose);
    }
    return mc_camera_get_view(&camera);
}

void mc_view_take_picture(mc_view *view, const mc_scene *scene, const mc_ui_draw *draw) {
    bool alone = view->comfort.picture == MC_VIEW_PICTURE_OF_CITY;
    view->comfort.picture = MC_VIEW_NO_PICTURE;
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    mc_error error = {0};
    mc_text path = {0};
    char suffix[64] = "";
    if (view->city) snprintf(suffix, sizeof suffix, "-step%" PRIu32, view->playback.step);
    mc_scene shown = *scene;
    if (alone && view->city) {
        shown.view = get_uncovered_view(view);
        shown.hovered = MC_STRUCTURE_NONE;
    }
    uint8_t *pixels = mc_alloc((size_t)width * height, 4);
    if (!pixels) {
        mc_error_out_of_memory(&error);
    } else if (mc_view_append_output_path(view, &path, suffix, "png") &&
               mc_renderer_render_image(view->renderer, &shown, alone ? NULL : draw, width, height,
                                        pixels, &error) == MC_OK &&
               mc_png_write(path.data, pixels, width, height, &error) == MC_OK) {
        mc_view_set_notice(view, "Wrote %s", path.data);
    }
    if (error.code != MC_OK) mc_view_set_message(view, error.message);
    mc_free(pixels);
    mc_text_deinit(&path);
}
