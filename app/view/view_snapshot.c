#include "app/view/view_snapshot.h"

#include "app/command.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/city/style.h"
#include "engine/scene/playback.h"
#include "engine/scene/theme.h"
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define VERSION 1
#define SIZE_MAX_BYTES (4u << 20) // a key may be long, but not that long
#define FAR 1e12                  // no city is so large
#define SIDE_MAX 16384

enum { VIEW = MC_SETTING_VIEW, PREFERENCE = MC_SETTING_PREFERENCE };

static const char *const palettes[] = {"heat", "color-blind-safe", NULL};

#define SETTING(field_name, member_name, field_kind, field_uses)                                 \
    .name = (field_name), .kind = (field_kind), .offset = offsetof(mc_ui_settings, member_name), \
    .uses = (field_uses)

static const mc_form_field settings_fields[] = {
    {SETTING("metric", metric, MC_FORM_CHOICE, VIEW), .choices = mc_metric_names},
    {SETTING("scaling", scaling, MC_FORM_CHOICE, VIEW), .choices = mc_scaling_names},
    {SETTING("tiling", tiling, MC_FORM_CHOICE, VIEW), .choices = mc_tiling_names},
    {SETTING("child_limit", child_limit, MC_FORM_UINT, VIEW), .most = UINT32_MAX},
    {SETTING("color_by_growth", color_by_growth, MC_FORM_BOOL, VIEW)},
    {SETTING("opacity_by_growth", opacity_by_growth, MC_FORM_BOOL, VIEW)},
    {SETTING("opaque_count", opaque_count, MC_FORM_UINT, VIEW), .most = UINT32_MAX},
    {SETTING("opacity", opacity, MC_FORM_FLOAT, VIEW), .most = 1},
    {SETTING("dark", dark, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {SETTING("palette", palette, MC_FORM_CHOICE, VIEW | PREFERENCE), .choices = palettes},
    {SETTING("edges", edges, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {SETTING("names", labels, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {SETTING("loop", loop, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {SETTING("step_duration", step_duration_s, MC_FORM_DOUBLE, VIEW | PREFERENCE),
     .least = MC_PLAYBACK_MIN_DURATION_S, .most = MC_PLAYBACK_MAX_DURATION_S},
    {SETTING("color_by", color_mode, MC_FORM_CHOICE, VIEW), .choices = mc_color_mode_names},
    {SETTING("height_by", height_mode, MC_FORM_CHOICE, VIEW), .choices = mc_height_mode_names},
    {SETTING("show_incoming", show_incoming, MC_FORM_BOOL, VIEW)},
    {SETTING("show_outgoing", show_outgoing, MC_FORM_BOOL, VIEW)},
    {SETTING("most_references", most_references, MC_FORM_UINT, VIEW), .most = UINT32_MAX},
    {SETTING("arcs", arcs, MC_FORM_BOOL, VIEW | PREFERENCE)},
    {SETTING("motion", motion, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("panels", panels, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("selection_open", selection_open, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("suspects_open", suspects_open, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("references_open", references_open, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("contents_open", contents_open, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("walk_open", walk_open, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("view_open", view_open, MC_FORM_BOOL, PREFERENCE)},
    {SETTING("text_scale", text_scale, MC_FORM_FLOAT, PREFERENCE), .least = 0.5, .most = 4},
};
#define SETTINGS_COUNT ((uint32_t)(sizeof settings_fields / sizeof *settings_fields))

// What a file may lack is written only if it is there, by bits of its own.
enum {
    WITH_WINDOW = 4,
    WITH_CAMERA = 8,
    WITH_SIZE = 16,
    ALL = VIEW | WITH_WINDOW | WITH_CAMERA | WITH_SIZE
};

static const mc_form_field camera_fields[] = {
    {.name = "target",
     .kind = MC_FORM_NUMBERS,
     .offset = offsetof(mc_camera_pose, target),
     .least = -FAR,
     .most = FAR,
     .count = 3,
     .uses = ALL,
     .is_required = true},
    {.name = "distance",
     .kind = MC_FORM_DOUBLE,
     .offset = offsetof(mc_camera_pose, distance),
     .least = 1e-12,
     .most = FAR,
     .uses = ALL,
     .is_required = true},
    {.name = "azimuth_rad",
     .kind = MC_FORM_DOUBLE,
     .offset = offsetof(mc_camera_pose, azimuth_rad),
     .least = -1e6,
     .most = 1e6,
     .uses = ALL,
     .is_required = true},
    {.name = "elevation_rad",
     .kind = MC_FORM_DOUBLE,
     .offset = offsetof(mc_camera_pose, elevation_rad),
     .least = 0,
     .most = 1.5707963267948968,
     .uses = ALL,
     .is_required = true},
};

#define FIELD(field_name, member_name, field_kind, field_uses)                                     \
    .name = (field_name), .kind = (field_kind), .offset = offsetof(mc_view_snapshot, member_name), \
    .uses = (field_uses)

static const mc_form_field fields[] = {
    {FIELD("memcity_view", version, MC_FORM_UINT, VIEW), .most = UINT32_MAX, .is_required = true},
    {FIELD("trace", paths, MC_FORM_TEXTS, VIEW)},
    {FIELD("trace_name", trace_name, MC_FORM_TEXT, VIEW)},
    {FIELD("step", step, MC_FORM_UINT, VIEW), .most = UINT32_MAX - 1},
    {FIELD("window", window, MC_FORM_RANGE, WITH_WINDOW)},
    {FIELD("selection", selection, MC_FORM_TEXT, VIEW)},
    {FIELD("root", root, MC_FORM_TEXT, VIEW)},
    {FIELD("search", search, MC_FORM_TEXT, VIEW)},
    {FIELD("search_is_regex", search_is_regex, MC_FORM_BOOL, VIEW)},
    {FIELD("camera", camera, MC_FORM_OBJECT, WITH_CAMERA), .fields = camera_fields,
     .count = sizeof camera_fields / sizeof *camera_fields},
    {FIELD("width", width, MC_FORM_UINT, WITH_SIZE), .least = 1, .most = SIDE_MAX},
    {FIELD("height", height, MC_FORM_UINT, WITH_SIZE), .least = 1, .most = SIDE_MAX},
    {FIELD("settings", settings, MC_FORM_OBJECT, VIEW), .fields = settings_fields,
     .count = SETTINGS_COUNT},
};
#define FIELD_COUNT ((uint32_t)(sizeof fields / sizeof *fields))

const mc_form_field *mc_settings_get_fields(uint32_t *count) {
    *count = SETTINGS_COUNT;
    return settings_fields;
}

bool mc_settings_differ(const mc_ui_settings *a, const mc_ui_settings *b, uint32_t uses) {
    for (uint32_t i = 0; i < SETTINGS_COUNT; i++) {
        const mc_form_field *field = &settings_fields[i];
        if ((field->uses & uses) && mc_form_differs(field, a, b)) return true;
    }
    return false;
}

void mc_settings_move(mc_ui_settings *settings, const mc_ui_settings *from,
                      const mc_ui_settings *to, uint32_t uses) {
    for (uint32_t i = 0; i < SETTINGS_COUNT; i++) {
        const mc_form_field *field = &settings_fields[i];
        if ((field->uses & uses) && mc_form_differs(field, from, to)) {
            mc_form_copy(field, settings, to);
        }
    }
}

mc_ui_settings mc_settings_default(void) {
    return (mc_ui_settings){
        .metric = MC_METRIC_BYTES,
        .scaling = MC_SCALING_LINEAR,
        .tiling = MC_TILING_SQUARIFY,
        .color_by_growth = true,
        .opacity_by_growth = true,
        .opaque_count = 10,
        .opacity = 0.4f,
        .edges = true,
        .labels = true,
        .motion = true,
        .step_duration_s = 0.5,
        .panels = true,
        .selection_open = true,
        .suspects_open = true,
        .references_open = true,
        .show_incoming = true,
        .show_outgoing = true,
        .arcs = true,
        .most_references = 20,
        .text_scale = 1,
    };
}

void mc_view_snapshot_init(mc_view_snapshot *snapshot) {
    *snapshot =
        (mc_view_snapshot){.version = VERSION, .is_home = true, .settings = mc_settings_default()};
}

void mc_view_snapshot_deinit(mc_view_snapshot *snapshot) {
    mc_form_texts_deinit(&snapshot->paths);
    mc_free(snapshot->trace_name);
    mc_free(snapshot->selection);
    mc_free(snapshot->root);
    mc_free(snapshot->search);
    *snapshot = (mc_view_snapshot){0};
}

void mc_view_snapshot_append(const mc_view_snapshot *snapshot, mc_text *out) {
    uint32_t uses = VIEW;
    if (snapshot->has_window) uses |= WITH_WINDOW;
    if (!snapshot->is_home) uses |= WITH_CAMERA;
    if (snapshot->width > 0 && snapshot->height > 0) uses |= WITH_SIZE;
    mc_form_append(out, fields, FIELD_COUNT, uses, snapshot);
    mc_text_append_string(out, "\n");
}

mc_result mc_view_snapshot_parse(mc_view_snapshot *snapshot, const unsigned char *data, size_t size,
                                 mc_error *error) {
    mc_view_snapshot_init(snapshot);
    snapshot->window[0] = MC_NONE;
    mc_result result = mc_form_read(fields, FIELD_COUNT, ALL, data, size, snapshot, error);
    if (result != MC_OK) return result;
    if (snapshot->version != VERSION) {
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "memcity_view: expected %d, found %u: a newer memcity made it", VERSION,
                            snapshot->version);
    }
    snapshot->has_window = snapshot->window[0] != MC_NONE;
    snapshot->is_home = !(snapshot->camera.distance > 0);
    return MC_OK;
}

mc_result mc_view_snapshot_read(mc_view_snapshot *snapshot, const char *path, mc_error *error) {
    mc_view_snapshot_init(snapshot);
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    if (map.size > SIZE_MAX_BYTES) {
        result =
            mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                         "%s: expected a view, which is small; this has %zu bytes", path, map.size);
    } else {
        result = mc_view_snapshot_parse(snapshot, map.data, map.size, error);
        if (result == MC_ERROR_BAD_DATA) mc_error_prepend(error, path);
    }
    mc_file_map_close(&map);
    return result;
}

void mc_view_snapshot_find_trace(mc_view_snapshot *snapshot, const char *path) {
    for (uint32_t i = 0; i < snapshot->paths.count; i++) {
        char **trace = &snapshot->paths.items[i];
        if (access(*trace, F_OK) == 0) continue;
        const char *slash = strrchr(path, '/'), *name = strrchr(*trace, '/');
        mc_text beside = {0};
        mc_text_append(&beside, path, slash ? (size_t)(slash - path) + 1 : 0);
        mc_text_append_string(&beside, name ? name + 1 : *trace);
        if (!beside.failed && access(beside.data, F_OK) == 0) {
            mc_free(*trace);
            *trace = beside.data;
        } else {
            mc_text_deinit(&beside);
        }
    }
}

mc_result mc_view_snapshot_write(const mc_view_snapshot *snapshot, const char *path,
                                 mc_error *error) {
    mc_text text = {0};
    mc_view_snapshot_append(snapshot, &text);
    mc_result result = text.failed ? mc_error_out_of_memory(error)
                                   : mc_file_write(path, text.data, text.size, error);
    mc_text_deinit(&text);
    return result;
}
