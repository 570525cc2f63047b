// user_files.h - paths of the user's own files, by the XDG Base Directory Specification.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// The folders that these lie in are private to the user.
#define MC_USER_FOLDER_MODE 0700

// Appends the path of memcity's settings ("settings.json"), of its folder of bookmarks, or of what
// was typed at the prompt of `memcity query`. False if the environment says neither $HOME nor an
// absolute $XDG_… folder, or memory is out.
bool mc_user_append_settings_path(mc_text *path);
bool mc_user_append_bookmarks_path(mc_text *path);
bool mc_user_append_history_path(mc_text *path);
// The same of a file that may be made anew any time, by its name below memcity's folder.
bool mc_user_append_cache_path(mc_text *path, const char *name);

// Replaces what stands for a folder, blank or control character in a file's name.
void mc_user_append_file_name(mc_text *out, const char *name);

// Appends FOLDER/NAME.EXTENSION, or FOLDER/NAME-2.EXTENSION and so on: a name that is not taken. An
// empty folder is the working directory. Two programs may still choose the same.
void mc_user_append_free_path(mc_text *out, const char *folder, const char *name,
                              const char *extension);
