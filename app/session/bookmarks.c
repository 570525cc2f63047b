#include "app/session/bookmarks.h"

#include "app/session/view_file.h"
#include "app/user_files.h"
#include "engine/base/memory.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_CAPACITY 20000 // names that are looked at
#define NAME_SIZE_MAX 120
#define EXTENSION ".json"

// ---- the list

typedef struct found_file {
    char *path;
    struct timespec changed;
} found_file;

static int compare_times(const void *a, const void *b) {
    const found_file *x = a, *y = b;
    if (x->changed.tv_sec != y->changed.tv_sec)
        return x->changed.tv_sec < y->changed.tv_sec ? 1 : -1;
    if (x->changed.tv_nsec != y->changed.tv_nsec)
        return x->changed.tv_nsec < y->changed.tv_nsec ? 1 : -1;
    return strcmp(x->path, y->path);
}

static bool has_extension(const char *name) {
    size_t size = strlen(name), end = strlen(EXTENSION);
    return size > end && name[0] != '.' && strcmp(name + size - end, EXTENSION) == 0;
}

static found_file *find_files(const char *folder, size_t *count) {
    found_file *files = NULL;
    size_t capacity = 0;
    struct dirent *entry;
    int looked = 0;
    DIR *stream = opendir(folder);
    *count = 0;
    while (stream && looked++ < FOLDER_CAPACITY && (entry = readdir(stream))) {
        struct stat status;
        mc_text path = {0};
        if (!has_extension(entry->d_name)) continue;
        if (fstatat(dirfd(stream), entry->d_name, &status, 0) != 0 || !S_ISREG(status.st_mode))
            continue;
        mc_text_format(&path, "%s/%s", folder, entry->d_name);
        if (path.failed || !mc_reserve(&files, &capacity, *count + 1, sizeof *files)) {
            mc_text_deinit(&path);
            break;
        }
        files[(*count)++] = (found_file){path.data, status.st_mtim};
    }
    if (stream) closedir(stream);
    if (*count > 1) qsort(files, *count, sizeof *files, compare_times);
    return files;
}

static void append_detail(const char *path, mc_text *out) {
    mc_view_file view;
    if (mc_view_file_read(&view, path, NULL) == MC_OK) {
        if (view.trace_name) mc_text_format(out, "%s · ", view.trace_name);
        mc_text_format(out, "step %u", view.settings.step);
        const char *name = view.selection ? strrchr(view.selection, '#') : NULL;
        if (view.selection) mc_text_format(out, " · %s", name ? name + 1 : view.selection);
    } else {
        mc_text_append_string(out, "damaged");
    }
    mc_view_file_deinit(&view);
}

// Takes over `path`.
static bool add(mc_bookmarks *bookmarks, char *path) {
    mc_text name = {0}, detail = {0};
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    mc_text_append(&name, last, strlen(last) - strlen(EXTENSION));
    append_detail(path, &detail);
    bool fits = !name.failed && !detail.failed && detail.data &&
                mc_reserve(&bookmarks->items, &bookmarks->capacity, (size_t)bookmarks->count + 1,
                           sizeof *bookmarks->items);
    if (fits) {
        bookmarks->items[bookmarks->count++] = (mc_bookmark){path, name.data, detail.data};
        return true;
    }
    mc_free(path);
    mc_text_deinit(&name);
    mc_text_deinit(&detail);
    return false;
}

void mc_bookmarks_read(mc_bookmarks *bookmarks) {
    mc_text folder = {0};
    size_t count = 0;
    *bookmarks = (mc_bookmarks){0};
    found_file *files =
        mc_user_append_bookmarks_path(&folder) ? find_files(folder.data, &count) : NULL;
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        if (fits && i < MC_BOOKMARKS_MOST)
            fits = add(bookmarks, files[i].path);
        else
            mc_free(files[i].path);
    }
    mc_free(files);
    mc_text_deinit(&folder);
}

void mc_bookmarks_deinit(mc_bookmarks *bookmarks) {
    for (uint32_t i = 0; i < bookmarks->count; i++) {
        mc_free(bookmarks->items[i].path);
        mc_free(bookmarks->items[i].name);
        mc_free(bookmarks->items[i].detail);
    }
    mc_free(bookmarks->items);
    *bookmarks = (mc_bookmarks){0};
}

// ---- one of them

// Blanks may stay, unlike in files that are named after a trace: people choose these names.
static void append_name(mc_text *path, const char *name) {
    size_t size = strlen(name);
    if (size > NAME_SIZE_MAX) {
        size = NAME_SIZE_MAX;
        while (size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80)
            size--; // not within a character
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)name[i];
        bool is_plain = byte >= ' ' && byte != '/' && byte != 0x7f && (i > 0 || byte != '.');
        mc_text_append(path, is_plain ? name + i : "_", 1);
    }
}

mc_result mc_bookmark_append_path(mc_text *path, const char *name, mc_error *error) {
    name += strspn(name, " ");
    if (!name[0]) return mc_fail(error, MC_ERROR_BAD_DATA, "A bookmark needs a name.");
    if (!mc_user_append_bookmarks_path(path))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "There is no home folder to keep bookmarks in.");
    mc_text_append_string(path, "/");
    append_name(path, name);
    mc_text_append_string(path, EXTENSION);
    if (path->failed) return mc_error_out_of_memory(error);
    if (access(path->data, F_OK) == 0)
        return mc_fail(error, MC_ERROR_IO, "There is a bookmark \"%.200s\" already.", name);
    return MC_OK;
}

mc_result mc_bookmark_rename(const char *path, const char *name, mc_error *error) {
    mc_text to = {0};
    mc_result result = mc_bookmark_append_path(&to, name, error);
    if (result == MC_OK && rename(path, to.data) != 0)
        result = mc_fail(error, MC_ERROR_IO, "%.300s: can't rename it: %s", path, strerror(errno));
    mc_text_deinit(&to);
    return result;
}

mc_result mc_bookmark_delete(const char *path, mc_error *error) {
    if (unlink(path) == 0) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "%.300s: can't delete it: %s", path, strerror(errno));
}
