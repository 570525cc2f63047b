#include "app/user_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE_MAX 120 // of a file that is named after a trace
#define FREE_TRIES 10000

// The specification has relative folders ignored.
static bool append_folder(mc_text *path, const char *variable, const char *below_home) {
    const char *folder = getenv(variable), *home = getenv("HOME");
    if (folder && folder[0] == '/') {
        mc_text_append_string(path, folder);
    } else if (home && home[0] == '/') {
        mc_text_format(path, "%s/%s", home, below_home);
    } else {
        return false;
    }
    return !path->failed;
}

bool mc_user_append_settings_path(mc_text *path) {
    if (!append_folder(path, "XDG_CONFIG_HOME", ".config")) return false;
    mc_text_append_string(path, "/memcity/settings.json");
    return !path->failed;
}

bool mc_user_append_bookmarks_path(mc_text *path) {
    if (!append_folder(path, "XDG_DATA_HOME", ".local/share")) return false;
    mc_text_append_string(path, "/memcity/bookmarks");
    return !path->failed;
}

bool mc_user_append_history_path(mc_text *path) {
    if (!append_folder(path, "XDG_STATE_HOME", ".local/state")) return false;
    mc_text_append_string(path, "/memcity/query_history");
    return !path->failed;
}

bool mc_user_append_cache_path(mc_text *path, const char *name) {
    if (!append_folder(path, "XDG_CACHE_HOME", ".cache")) return false;
    mc_text_format(path, "/memcity/%s", name);
    return !path->failed;
}

void mc_user_append_file_name(mc_text *out, const char *name) {
    size_t size = strlen(name);
    if (size > NAME_SIZE_MAX) {
        size = NAME_SIZE_MAX;
        while (size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80) {
            size--; // not within a character
        }
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)name[i];
        bool is_plain = byte > ' ' && !strchr("/\\:", byte) && byte != 0x7f;
        if (i == 0 && byte == '.') is_plain = false;
        mc_text_append(out, is_plain ? name + i : "_", 1);
    }
}

void mc_user_append_free_path(mc_text *out, const char *folder, const char *name,
                              const char *extension) {
    size_t before = out->size;
    for (int i = 1; i < FREE_TRIES && !out->failed; i++) {
        out->size = before;
        mc_text_format(out, "%s%s", folder, folder[0] ? "/" : "");
        mc_user_append_file_name(out, name);
        if (i > 1) mc_text_format(out, "-%d", i);
        mc_text_format(out, ".%s", extension);
        if (!out->failed && access(out->data, F_OK) != 0) return;
    }
}
