#include "app/session/view_file.h"

#include "app/trace_location.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/city/style.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/scene/flat_color.h"
#include <stddef.h>
#include <string.h>

#define VERSION 1
#define SIZE_MAX_BYTES (4u << 20) // a key may be long, but not that long
#define FAR 1e12                  // no city is so large
#define SIDE_MAX 16384

enum { VIEW = MC_USE_VIEW };

// What a file may lack is written only if it is there, by bits of its own.
enum {
    WITH_WINDOW = MC_USE_OTHERS,
    WITH_CAMERA = MC_USE_OTHERS << 1,
    WITH_SIZE = MC_USE_OTHERS << 2,
    WITH_OPENED = MC_USE_OTHERS << 3,
    WITH_DEMOLISHED = MC_USE_OTHERS << 4,
    WITH_MORE_SELECTED = MC_USE_OTHERS << 5,
    WITH_VERSUS = MC_USE_OTHERS << 6,
    WITH_LINKED = MC_USE_OTHERS << 7,
    WITH_BASE_WINDOW = MC_USE_OTHERS << 8,
    WITH_VERSUS_WINDOW = MC_USE_OTHERS << 9,
    ALL = VIEW | WITH_WINDOW | WITH_CAMERA | WITH_SIZE | WITH_OPENED | WITH_DEMOLISHED |
          WITH_MORE_SELECTED | WITH_VERSUS | WITH_LINKED | WITH_BASE_WINDOW | WITH_VERSUS_WINDOW
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

#define FIELD(field_name, member_name, field_kind, field_uses)                                 \
    .name = (field_name), .kind = (field_kind), .offset = offsetof(mc_view_file, member_name), \
    .uses = (field_uses)

static const mc_form_field fields[] = {
    {FIELD("memcity_view", version, MC_FORM_UINT, VIEW), .most = UINT32_MAX, .is_required = true},
    {FIELD("trace", paths, MC_FORM_TEXTS, VIEW)},
    {FIELD("versus", versus, MC_FORM_TEXT, WITH_VERSUS)},
    {FIELD("base_window", pair_windows[0], MC_FORM_RANGE, WITH_BASE_WINDOW)},
    {FIELD("versus_window", pair_windows[1], MC_FORM_RANGE, WITH_VERSUS_WINDOW)},
    {FIELD("with", with, MC_FORM_TEXT, WITH_LINKED)},
    {FIELD("trace_name", trace_name, MC_FORM_TEXT, VIEW)},
    {FIELD("step", settings.step, MC_FORM_UINT, VIEW), .most = UINT32_MAX - 1},
    {FIELD("window", settings.layout.window, MC_FORM_RANGE, WITH_WINDOW)},
    {FIELD("selection", selection, MC_FORM_TEXT, VIEW)},
    {FIELD("root", root, MC_FORM_TEXT, VIEW)},
    {FIELD("search", search, MC_FORM_TEXT, VIEW)},
    {FIELD("opened", opened, MC_FORM_TEXTS, WITH_OPENED)},
    {FIELD("demolished", demolished, MC_FORM_TEXTS, WITH_DEMOLISHED)},
    {FIELD("more_selected", more_selected, MC_FORM_TEXTS, WITH_MORE_SELECTED)},
    {FIELD("search_is_regex", settings.search_is_regex, MC_FORM_BOOL, VIEW)},
    {FIELD("camera", settings.pose, MC_FORM_OBJECT, WITH_CAMERA), .fields = camera_fields,
     .count = sizeof camera_fields / sizeof *camera_fields},
    {FIELD("width", width, MC_FORM_UINT, WITH_SIZE), .least = 1, .most = SIDE_MAX},
    {FIELD("height", height, MC_FORM_UINT, WITH_SIZE), .least = 1, .most = SIDE_MAX},
    {FIELD("settings", settings, MC_FORM_OBJECT, VIEW), .fields = mc_settings_fields,
     .count = MC_SETTINGS_FIELD_COUNT},
};
#define FIELD_COUNT ((uint32_t)(sizeof fields / sizeof *fields))

void mc_view_file_init(mc_view_file *file) {
    *file = (mc_view_file){.version = VERSION,
                           .pair_windows = {{MC_NONE, MC_NONE}, {MC_NONE, MC_NONE}},
                           .settings = mc_settings_default()};
}

void mc_view_file_deinit(mc_view_file *file) {
    mc_form_texts_deinit(&file->paths);
    mc_form_texts_deinit(&file->opened);
    mc_form_texts_deinit(&file->demolished);
    mc_form_texts_deinit(&file->more_selected);
    mc_free(file->versus);
    mc_free(file->with);
    mc_free(file->trace_name);
    mc_free(file->selection);
    mc_free(file->root);
    mc_free(file->search);
    *file = (mc_view_file){0};
}

void mc_view_file_append(const mc_view_file *file, mc_text *out) {
    uint32_t uses = VIEW;
    if (file->settings.layout.window[0] != MC_NONE) uses |= WITH_WINDOW;
    if (file->versus) uses |= WITH_VERSUS;
    if (file->versus && file->pair_windows[0][0] != MC_NONE) uses |= WITH_BASE_WINDOW;
    if (file->versus && file->pair_windows[1][0] != MC_NONE) uses |= WITH_VERSUS_WINDOW;
    if (file->with) uses |= WITH_LINKED;
    if (file->opened.count > 0) uses |= WITH_OPENED;
    if (file->demolished.count > 0) uses |= WITH_DEMOLISHED;
    if (file->more_selected.count > 0) uses |= WITH_MORE_SELECTED;
    if (!file->settings.is_home) uses |= WITH_CAMERA;
    if (file->width > 0 && file->height > 0) uses |= WITH_SIZE;
    mc_form_append(out, fields, FIELD_COUNT, uses, file);
    mc_text_append_string(out, "\n");
}

mc_result mc_view_file_parse(mc_view_file *file, const unsigned char *data, size_t size,
                             mc_error *error) {
    mc_view_file_init(file);
    // Those that don't say it are older, and look as they did.
    file->settings.look.opacity_mode = MC_OPACITY_PAPER;
    file->settings.look.light = false;
    file->settings.look.color_mode = MC_COLOR_MODE_GROWTH;
    file->settings.tree_color = MC_FLAT_COLOR_BRANCH;
    mc_result result = mc_form_read(fields, FIELD_COUNT, ALL, data, size, file, error);
    if (result != MC_OK) return result;
    if (file->version != VERSION) {
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "memcity_view: expected %d, found %u: a newer memcity made it", VERSION,
                       file->version);
    }
    file->settings.is_home = !(file->settings.pose.distance > 0);
    return MC_OK;
}

mc_result mc_view_file_read(mc_view_file *file, const char *path, mc_error *error) {
    mc_view_file_init(file);
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    if (map.size > SIZE_MAX_BYTES) {
        result = mc_fail(error, MC_ERROR_BAD_DATA,
                         "%s: expected a view, which is small; this has %zu bytes", path, map.size);
    } else {
        result = mc_view_file_parse(file, map.data, map.size, error);
        if (result == MC_ERROR_BAD_DATA) mc_error_prepend(error, path);
    }
    result = mc_file_map_finish(&map, path, result, error);
    mc_file_map_close(&map);
    return result;
}

// In the folder of the view at `path`. NULL: out of memory.
static char *join(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    mc_text beside = {0};
    mc_text_append(&beside, path, slash ? (size_t)(slash - path) + 1 : 0);
    mc_text_append_string(&beside, name);
    if (!beside.failed) return beside.data;
    mc_text_deinit(&beside);
    return NULL;
}

static void replace(char **trace, char *other) {
    mc_free(*trace);
    *trace = other;
}

static bool find_in_folder(char **trace, const char *path, const char *name) {
    char *beside = join(path, name), *whole = beside ? mc_trace_location_make_whole(beside) : NULL;
    mc_free(beside);
    if (!whole) return false;
    replace(trace, whole);
    return true;
}

static void find_beside(char **trace, const char *path) {
    if (!*trace || mc_ws_is_address(*trace)) return;
    const char *name = strrchr(*trace, '/');
    bool is_absolute = **trace == '/';
    if (is_absolute && mc_trace_location_is_there(*trace)) return;
    if (!is_absolute && find_in_folder(trace, path, *trace)) return;
    if (find_in_folder(trace, path, name ? name + 1 : *trace) || is_absolute) return;
    char *beside = join(path, *trace); // which is not there: where it should be
    if (beside) replace(trace, beside);
}

void mc_view_file_find_trace(mc_view_file *file, const char *path) {
    for (uint32_t i = 0; i < file->paths.count; i++)
        find_beside(&file->paths.items[i], path);
    find_beside(&file->versus, path);
    find_beside(&file->with, path);
}

mc_result mc_view_file_write(const mc_view_file *file, const char *path, mc_error *error) {
    mc_text text = {0};
    mc_view_file_append(file, &text);
    mc_result result = text.failed ? mc_error_out_of_memory(error)
                                   : mc_file_write(path, text.data, text.size, error);
    mc_text_deinit(&text);
    return result;
}
