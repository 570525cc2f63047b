// bookmarks.h - the user's bookmarks: view files in one folder, named after their files.
//
// Another program may change the folder at any time: a file that is gone is reported. Threads: any.
#pragma once
#include "engine/base/text.h"

typedef struct mc_bookmark {
    char *path, *name;
    char *detail; // what it shows, in a few words, or that it is damaged
} mc_bookmark;

typedef struct mc_bookmarks {
    mc_bookmark *items; // the latest first
    size_t capacity;
    uint32_t count;
} mc_bookmarks;

#define MC_BOOKMARKS_MOST 200 // that are listed

// Reads all bookmarks; a missing folder has none. If memory runs out, the list is shorter. Deinit
// in either case.
void mc_bookmarks_read(mc_bookmarks *bookmarks);
void mc_bookmarks_deinit(mc_bookmarks *bookmarks); // safe on a zeroed one

// Appends the path for a bookmark of this name. Characters that a file name can't have are
// replaced. MC_ERROR_BAD_DATA: the name is empty; MC_ERROR_UNSUPPORTED: there is no home folder;
// MC_ERROR_IO: a bookmark of this name exists already.
mc_result mc_bookmark_append_path(mc_text *path, const char *name, mc_error *error);

mc_result mc_bookmark_rename(const char *path, const char *name, mc_error *error);
mc_result mc_bookmark_delete(const char *path, mc_error *error);
