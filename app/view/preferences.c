#include "app/view/preferences.h"

#include "app/user_files.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define VERSION 1
#define FILE_SIZE_MAX (1u << 20)
#define SIDE_MAX 16384

// The settings come last: their table is another file's.
static uint32_t fill_fields(mc_form_field fields[5]) {
    uint32_t settings_count;
    const mc_form_field *settings = mc_settings_get_fields(&settings_count);
    const mc_form_field filled[5] = {
        {.name = "memcity_settings",
         .kind = MC_FORM_UINT,
         .offset = offsetof(mc_preferences, version),
         .least = 1,
         .most = UINT32_MAX,
         .is_required = true},
        {.name = "width",
         .kind = MC_FORM_UINT,
         .offset = offsetof(mc_preferences, width),
         .most = SIDE_MAX},
        {.name = "height",
         .kind = MC_FORM_UINT,
         .offset = offsetof(mc_preferences, height),
         .most = SIDE_MAX},
        {.name = "settings",
         .kind = MC_FORM_OBJECT,
         .offset = offsetof(mc_preferences, settings),
         .fields = settings,
         .count = settings_count},
        {.name = "recent", .kind = MC_FORM_TEXTS, .offset = offsetof(mc_preferences, recent)},
    };
    for (uint32_t i = 0; i < 5; i++) {
        fields[i] = filled[i];
        fields[i].uses = MC_SETTING_PREFERENCE;
    }
    return 5;
}

void mc_preferences_init(mc_preferences *preferences) {
    *preferences = (mc_preferences){.version = VERSION, .settings = mc_settings_default()};
}

void mc_preferences_deinit(mc_preferences *preferences) {
    mc_form_texts_deinit(&preferences->recent);
}

// Keeps a file that can't be used, so that whoever wrote it by hand can mend it.
static mc_result put_aside(const char *path, mc_error *error) {
    mc_text bad = {0};
    mc_text_format(&bad, "%s.bad", path);
    mc_error why = *error;
    if (!bad.failed && rename(path, bad.data) == 0) {
        mc_error_set(error, why.code, MC_ERROR_NO_OFFSET,
                     "The settings are damaged and were put aside as %s: %.600s", bad.data,
                     why.message);
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
    mc_form_field fields[5];
    uint32_t count = fill_fields(fields);
    if (map.size > FILE_SIZE_MAX) {
        result = mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                              "expected at most %u bytes", FILE_SIZE_MAX);
    } else {
        result = mc_form_read(fields, count, MC_SETTING_PREFERENCE, map.data, map.size, preferences,
                              error);
    }
    result = mc_file_map_finish(&map, path, result, error);
    mc_file_map_close(&map);
    // The version comes first. Nothing needs to be wrong with it: it stays for who made it.
    if (result != MC_ERROR_OUT_OF_MEMORY && preferences->version > VERSION) {
        result = mc_error_set(error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
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
    mc_form_field fields[5];
    uint32_t count = fill_fields(fields);
    mc_text text = {0};
    mc_form_append(&text, fields, count, MC_SETTING_PREFERENCE, preferences);
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
