// preferences.h - what is remembered from one run of the window to the next.
//
// One JSON file (see docs/views.md), written beside its name and renamed. Threads: the main thread.
#pragma once
#include "app/session/settings.h"

#define MC_RECENT_CAPACITY 20

typedef struct mc_preferences {
    uint32_t version;
    uint32_t width, height; // of the window, in screen coordinates; 0: not known
    mc_settings settings;   // those for MC_USE_PREFERENCE
    char *path;             // of the file; NULL: nothing is remembered
    mc_form_texts recent;   // absolute paths of traces and views, the latest first
} mc_preferences;

void mc_preferences_init(mc_preferences *preferences); // as a user has them who never changed any
void mc_preferences_deinit(mc_preferences *preferences);

// Initialises `preferences`; a file that is not there leaves it at that. A damaged file is renamed
// to PATH.bad and the error says so; the preferences are those of a new user then.
// MC_ERROR_UNSUPPORTED: a newer memcity's, which stays where it is.
mc_result mc_preferences_read(mc_preferences *preferences, const char *path, mc_error *error);
// Makes the file's folder if it is missing.
mc_result mc_preferences_write(const mc_preferences *preferences, const char *path,
                               mc_error *error);

// Those of the user's own file; `path` says which, unless there is none, or what is there must not
// be written over. Initialised in any case; an error is worth saying and nothing more.
mc_result mc_preferences_load(mc_preferences *preferences, mc_error *error);

// Reads anew, for another window may have written meanwhile, changes what `settings` does not have
// in common with `remembered` any more, and the size of the window (0: not), and writes it.
mc_result mc_preferences_update(mc_preferences *preferences, const mc_settings *remembered,
                                const mc_settings *settings, uint32_t width, uint32_t height,
                                mc_error *error);

// Likewise with a path that was opened, of a file or a folder that is there.
// A path, or two as mc_trace_location_make_pair() has made them.
mc_result mc_preferences_remember_path(mc_preferences *preferences, const char *path,
                                       mc_error *error);

// Puts `path` first, without a second time.
void mc_preferences_add_recent(mc_preferences *preferences, const char *path);
