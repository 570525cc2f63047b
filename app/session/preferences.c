#include "app/session/preferences.h"

#include "app/trace_location.h"
#include "app/user_files.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define VERSION 1
#define FILE_SIZE_MAX (1u << 20)
#define SIDE_MAX 16384

#define FIELD(field_name, member_name, field_kind)                                               \
    .name = (field_name), .kind = (field_kind), .offset = offsetof(mc_preferences, member_name), \
    .uses = MC_USE_PREFERENCE

static const mc_form_field fields[] = {
    {FIELD("memcity_settings", version, MC_FORM_UINT), .least = 1, .most = UINT32_MAX,
     .is_required = true},
    {FIELD("width", width, MC_FORM_UINT), .most = SIDE_MAX},
    {FIELD("height", height, MC_FORM_UINT), .most = SIDE_MAX},
    {FIELD("settings", settings, MC_FORM_OBJECT), .fields = mc_settings_fields,
     .count = MC_SETTINGS_FIELD_COUNT},
    {FIELD("recent", recent, MC_FORM_TEXTS)},
};
#define FIELD_COUNT ((uint32_t)(sizeof fields / sizeof *fields))

void mc_preferences_init(mc_preferences *preferences) {
    *preferences = (mc_preferences){.version = VERSION, .settings = mc_settings_default()};
}

void mc_preferences_deinit(mc_preferences *preferences) {
    mc_form_texts_deinit(&preferences->recent);
    mc_free(preferences->path);
    preferences->path = NULL;
}

// Keeps a file that can't be used, so that whoever wrote it by hand can mend it.
static mc_result put_aside(const char *path, mc_error *error) {
    mc_text bad = {0};
    mc_text_format(&bad, "%s.bad", path);
    mc_error why = *error;
    if (!bad.failed && rename(path, bad.data) == 0) {
        mc_fail(error, why.code, "The settings are damaged and were put aside as %s: %.600s",
                bad.data, why.message);
    }
    mc_text_deinit(&bad);
    return why.code;
}

mc_result mc_preferences_read(mc_preferences *preferences, const char *path, mc_error *error) {
    mc_preferences_init(preferences);
    if (access(path, F_OK) != 0) return MC_OK;
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    if (map.size > FILE_SIZE_MAX) {
        result = mc_fail(error, MC_ERROR_BAD_DATA, "expected at most %u bytes", FILE_SIZE_MAX);
    } else {
        result = mc_form_read(fields, FIELD_COUNT, MC_USE_PREFERENCE, map.data, map.size,
                              preferences, error);
    }
    result = mc_file_map_finish(&map, path, result, error);
    mc_file_map_close(&map);
    // The version comes first. Nothing needs to be wrong with it: it stays for who made it.
    if (result != MC_ERROR_OUT_OF_MEMORY && preferences->version > VERSION) {
        result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                         "%s: a newer memcity made the settings, which are left as they are "
                         "and not used",
                         path);
    }
    if (result == MC_OK) return MC_OK;
    mc_preferences_deinit(preferences);
    mc_preferences_init(preferences);
    if (result != MC_ERROR_BAD_DATA) return result;
    mc_error_prepend(error, path);
    return put_aside(path, error);
}

mc_result mc_preferences_write(const mc_preferences *preferences, const char *path,
                               mc_error *error) {
    mc_text text = {0};
    mc_form_append(&text, fields, FIELD_COUNT, MC_USE_PREFERENCE, preferences);
    mc_text_append_string(&text, "\n");
    mc_result result = text.failed ? mc_error_out_of_memory(error) : MC_OK;
    if (result == MC_OK) result = mc_file_make_parents(path, MC_USER_FOLDER_MODE, error);
    if (result == MC_OK) result = mc_file_write(path, text.data, text.size, error);
    mc_text_deinit(&text);
    return result;
}

void mc_preferences_add_recent(mc_preferences *preferences, const char *path) {
    mc_form_texts *recent = &preferences->recent;
    if (!mc_form_texts_add(recent, path, strlen(path))) return;
    char *added = recent->items[recent->count - 1];
    uint32_t kept = 0;
    // Everything that is not the same moves one place back.
    char *before = added;
    for (uint32_t i = 0; i < recent->count; i++) {
        char *item = recent->items[i];
        bool is_last = i + 1 == recent->count;
        bool drops = !is_last && (strcmp(item, added) == 0 || kept + 1 >= MC_RECENT_CAPACITY);
        if (drops) {
            mc_free(item);
        } else {
            recent->items[kept++] = before;
            before = item;
        }
    }
    recent->count = kept;
}

mc_result mc_preferences_load(mc_preferences *preferences, mc_error *error) {
    mc_text path = {0};
    mc_error why = {0};
    if (!mc_user_append_settings_path(&path)) {
        mc_text_deinit(&path);
        mc_preferences_init(preferences);
        return MC_OK;
    }
    mc_result result = mc_preferences_read(preferences, path.data, &why);
    // What can't be read is not to be written over.
    if (result == MC_OK || result == MC_ERROR_BAD_DATA)
        preferences->path = path.data;
    else
        mc_text_deinit(&path);
    if (result != MC_OK && error) *error = why;
    return result;
}

// Takes what the file says by now in the place of what it said.
static mc_result read_again(mc_preferences *preferences, mc_error *error) {
    mc_preferences now;
    mc_result result = mc_preferences_read(&now, preferences->path, error);
    now.path = preferences->path;
    preferences->path = NULL;
    mc_preferences_deinit(preferences);
    *preferences = now;
    return result;
}

mc_result mc_preferences_update(mc_preferences *preferences, const mc_settings *remembered,
                                const mc_settings *settings, uint32_t width, uint32_t height,
                                mc_error *error) {
    mc_result result = read_again(preferences, error);
    if (result != MC_OK) return result;
    mc_settings kept = *settings;
    // Of a pair, and not of what is opened next.
    if (kept.frame_s * 1000 > MC_SLIDING_WINDOW_MOST_MS) kept.frame_s = remembered->frame_s;
    mc_settings_move(&preferences->settings, remembered, &kept, MC_USE_PREFERENCE);
    if (width > 0 && height > 0) {
        preferences->width = width;
        preferences->height = height;
    }
    return mc_preferences_write(preferences, preferences->path, error);
}

mc_result mc_preferences_remember_path(mc_preferences *preferences, const char *path,
                                       mc_error *error) {
    char *whole =
        mc_trace_location_is_pair(path) ? mc_copy_string(path) : mc_trace_location_make_whole(path);
    if (!whole) return MC_OK;
    mc_result result = preferences->path ? read_again(preferences, error) : MC_OK;
    if (result == MC_OK) {
        mc_preferences_add_recent(preferences, whole);
        if (preferences->path) result = mc_preferences_write(preferences, preferences->path, error);
    }
    mc_free(whole);
    return result;
}
