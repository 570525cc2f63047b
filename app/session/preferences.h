// preferences.h - the user's preferences, kept from one run of the window to the next.
//
// One JSON file (see docs/reference/views.md), replaced atomically: written under another name,
// then renamed. Threads: the main thread.
#pragma once
#include "app/session/settings.h"

#define MC_RECENT_CAPACITY 20

typedef struct mc_preferences {
    uint32_t version;
    uint32_t width, height; // of the window, in screen coordinates; 0: not known
    mc_settings settings;   // the fields for MC_USE_PREFERENCE
    char *path;             // of the file; NULL: nothing is saved
    mc_form_texts recent;   // absolute paths of traces and views, the latest first
} mc_preferences;

void mc_preferences_init(mc_preferences *preferences); // the defaults
void mc_preferences_deinit(mc_preferences *preferences);

// Initialises `preferences` from the file; a missing file means the defaults. A damaged file is
// renamed to PATH.bad, the error says so, and the preferences are the defaults.
// MC_ERROR_UNSUPPORTED: a newer memcity wrote the file; it is left alone.
mc_result mc_preferences_read(mc_preferences *preferences, const char *path, mc_error *error);
// Makes the file's folder if it is missing.
mc_result mc_preferences_write(const mc_preferences *preferences, const char *path,
                               mc_error *error);

// Reads the user's own file. `path` is then set, unless there is no such place or the file there
// must not be overwritten. Initialises the preferences in any case; an error is for a message only.
mc_result mc_preferences_load(mc_preferences *preferences, mc_error *error);

// Reads the file again, as another window may have written it meanwhile, applies the differences
// from `remembered` to `settings` and the size of the window (0: unchanged), and writes it.
mc_result mc_preferences_update(mc_preferences *preferences, const mc_settings *remembered,
                                const mc_settings *settings, uint32_t width, uint32_t height,
                                mc_error *error);

// Likewise adds a path that was opened: of an existing file or folder, or of two
// (mc_trace_location_make_pair()).
mc_result mc_preferences_remember_path(mc_preferences *preferences, const char *path,
                                       mc_error *error);

// Moves `path` to the front of the list, or adds it there.
void mc_preferences_add_recent(mc_preferences *preferences, const char *path);
