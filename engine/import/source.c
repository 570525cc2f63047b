#include "engine/import/source.h"

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/import/formats.h"
#include "engine/import/json/json_import.h"
#include "engine/import/websocket/ws_address.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char points_to_folder[] = "points-to-maps";
static const char pointed_from_folder[] = "pointed-from-maps";

void mc_source_list_deinit(mc_source_list *list) {
    for (size_t i = 0; i < list->count; i++)
        mc_free(list->files[i].path);
    mc_free(list->files);
    memset(list, 0, sizeof *list);
}

static mc_result fail_io(const char *path, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
}

// "folder/name", to be freed; NULL if memory is out.
static char *join(const char *folder, const char *name) {
    size_t folder_size = strlen(folder), name_size = strlen(name);
    while (folder_size > 1 && folder[folder_size - 1] == '/')
        folder_size--;
    char *path = mc_alloc(folder_size + name_size + 2, 1);
    if (!path) return NULL;
    snprintf(path, folder_size + name_size + 2, "%.*s/%s", (int)folder_size, folder, name);
    return path;
}

// Takes over `path`, which may be NULL.
static mc_result add_file(mc_source_list *list, char *path, mc_source_kind kind, uint32_t group,
                          uint64_t size, mc_error *error) {
    if (!path || !mc_reserve(&list->files, &list->capacity, list->count + 1, sizeof *list->files)) {
        mc_free(path);
        return mc_error_out_of_memory(error);
    }
    list->files[list->count++] =
        (mc_source_file){.path = path, .kind = kind, .group = group, .size = size};
    list->size += size;
    return MC_OK;
}

// ---- a folder

// What lies in a folder under a name of ours.
typedef struct candidate {
    char *path;
    const char *name; // in `path`
    uint64_t size;
    const mc_format *named;  // of which its name is
    const mc_format *format; // of which it is; NULL: of none
    bool is_unclear;         // it does not show
} candidate;

typedef struct candidate_list {
    candidate *items;
    size_t count, capacity;
} candidate_list;

static void deinit_candidates(candidate_list *list) {
    for (size_t i = 0; i < list->count; i++)
        mc_free(list->items[i].path);
    mc_free(list->items);
}

static int compare_candidates(const void *a, const void *b) {
    const candidate *left = a, *right = b;
    return strcmp(left->path, right->path);
}

// A file that can't be read says why when it is to be read.
static const mc_format *detect(const char *path, bool *is_unclear) {
    mc_file_map map;
    *is_unclear = true;
    if (mc_file_map_open(&map, path, NULL) != MC_OK) return NULL;
    const mc_format *format = mc_formats_detect(&map, is_unclear);
    mc_file_map_close(&map);
    return format;
}

static mc_result add_candidate(candidate_list *list, const char *folder, const char *name,
                               mc_error *error) {
    candidate added = {.named = mc_formats_find_by_name(name)};
    struct stat status;
    if (name[0] == '.' || !added.named) return MC_OK;
    added.path = join(folder, name);
    if (!added.path ||
        !mc_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        mc_free(added.path);
        return mc_error_out_of_memory(error);
    }
    mc_result result = stat(added.path, &status) == 0 ? MC_OK : fail_io(added.path, error);
    if (result != MC_OK || !S_ISREG(status.st_mode)) {
        mc_free(added.path);
        return result;
    }
    added.name = added.path + strlen(added.path) - strlen(name);
    added.size = (uint64_t)status.st_size;
    added.format = detect(added.path, &added.is_unclear);
    list->items[list->count++] = added;
    return MC_OK;
}

// In the order of their names; none if there is no such folder.
static mc_result list_candidates(candidate_list *list, const char *folder, mc_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return errno == ENOENT || errno == ENOTDIR ? MC_OK : fail_io(folder, error);
    mc_result result = MC_OK;
    struct dirent *entry;
    while (result == MC_OK && (errno = 0, entry = readdir(directory)))
        result = add_candidate(list, folder, entry->d_name, error);
    if (result == MC_OK && errno != 0) result = fail_io(folder, error);
    closedir(directory);
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, compare_candidates);
    return result;
}

// A folder holds one kind of input; NULL: none.
static const mc_format *choose_format(const candidate_list *list) {
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++)
        for (size_t k = 0; k < list->count; k++)
            if (list->items[k].format == mc_formats[i]) return mc_formats[i];
    return NULL;
}

// Whether a file is input of that format, or may be a damaged one, by its name: that is told when
// it is read, and not passed over. NULL: of whichever.
static bool is_input(const candidate *file, const mc_format *wanted) {
    if (file->format) return file->format == wanted;
    if (file->named->is_text) return false;
    if (!wanted) return file->is_unclear;
    return file->named == wanted && (file->is_unclear || wanted->is_binary);
}

#define TOLD_MAX 5 // by name

// ": left aside: a.json, b.json and 7 more"; nothing if there is nothing to tell. A text that is no
// input of any kind is none of our business.
static void append_left_aside(mc_text *text, const candidate_list *list, const mc_format *wanted) {
    uint32_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const candidate *file = &list->items[i];
        if (is_input(file, wanted) || (file->named->is_text && !file->format)) continue;
        if (count++ >= TOLD_MAX) continue;
        mc_text_append_string(text, count == 1 ? ": left aside: " : ", ");
        mc_text_append_string(text, file->name);
    }
    if (count > TOLD_MAX) mc_text_format(text, " and %" PRIu32 " more", count - TOLD_MAX);
}

static void tell_left_aside(const char *folder, const candidate_list *list, const mc_format *wanted,
                            mc_source_kind source, const mc_log *log) {
    mc_text text = {0};
    if (!wanted) return; // all of it is read, and found wrong
    append_left_aside(&text, list, wanted);
    if (text.size > 0 && !text.failed)
        mc_log_write(log, MC_LOG_WARNING, "%s: its %s are taken%s", folder,
                     source == MC_SOURCE_STEP ? wanted->title : "pointer maps", text.data);
    mc_text_deinit(&text);
}

// Adds the input of one folder: of the format `wanted`, or, if that is NULL, of the one that it
// holds. What there is besides is told, or, if there is no input, appended to `left_aside`,
// which may be NULL.
static mc_result add_files(mc_source_list *list, const char *folder, mc_source_kind source,
                           uint32_t group, const mc_format *wanted, mc_text *left_aside,
                           const mc_log *log, mc_error *error) {
    candidate_list candidates = {0};
    mc_result result = list_candidates(&candidates, folder, error);
    if (!wanted) wanted = choose_format(&candidates);
    size_t first = list->count;
    for (size_t i = 0; i < candidates.count && result == MC_OK; i++) {
        candidate *file = &candidates.items[i];
        if (!is_input(file, wanted)) continue;
        char *path = mc_copy_string(file->path);
        result = add_file(list, path, source, group, file->size, error);
    }
    if (result == MC_OK && list->count > first)
        tell_left_aside(folder, &candidates, wanted, source, log);
    if (result == MC_OK && list->count == first && left_aside)
        append_left_aside(left_aside, &candidates, wanted);
    deinit_candidates(&candidates);
    return result;
}

// The JSON files of AntTracks' folders.
static mc_result add_subfolder(mc_source_list *list, const char *folder, const char *name,
                               mc_source_kind kind, uint32_t group, const mc_log *log,
                               mc_error *error) {
    char *path = join(folder, name);
    if (!path) return mc_error_out_of_memory(error);
    mc_result result = add_files(list, path, kind, group, &mc_json_format, NULL, log, error);
    mc_free(path);
    return result;
}

static mc_result add_maps(mc_source_list *list, const char *folder, uint32_t group,
                          const mc_log *log, mc_error *error) {
    mc_result result =
        add_subfolder(list, folder, points_to_folder, MC_SOURCE_POINTS_TO, group, log, error);
    if (result != MC_OK) return result;
    return add_subfolder(list, folder, pointed_from_folder, MC_SOURCE_POINTED_FROM, group, log,
                         error);
}

static bool is_named(const char *folder, const char *name) {
    size_t size = strlen(folder), name_size = strlen(name);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    return size >= name_size && memcmp(folder + size - name_size, name, name_size) == 0 &&
           (size == name_size || folder[size - name_size - 1] == '/');
}

// The steps of a folder that someone gave, from where they are found first: beside each other in
// default-format/ or in anttracks-format/, or in the folder itself.
static mc_result add_steps(mc_source_list *list, const char *folder, uint32_t group,
                           mc_text *left_aside, const mc_log *log, mc_error *error) {
    static const char *const forms[] = {"default-format", "anttracks-format"};
    size_t first = list->count;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        mc_result result = add_subfolder(list, folder, forms[i], MC_SOURCE_STEP, group, log, error);
        if (result != MC_OK) return result;
        if (list->count == first) continue;
        mc_log_write(log, MC_LOG_INFO, "%s: the steps are taken from %s/", folder, forms[i]);
        return MC_OK;
    }
    return add_files(list, folder, MC_SOURCE_STEP, group, NULL, left_aside, log, error);
}

// What a server has; whether it has maps shows when it is asked for them.
static mc_result add_remote(mc_source_list *steps, mc_source_list *maps, const char *address,
                            uint32_t group, mc_error *error) {
    static const mc_source_kind kinds[] = {MC_SOURCE_STEP, MC_SOURCE_POINTS_TO,
                                           MC_SOURCE_POINTED_FROM};
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && result == MC_OK; i++) {
        mc_source_list *list = i == 0 ? steps : maps;
        result = add_file(list, mc_copy_string(address), kinds[i], group, 0, error);
        if (result == MC_OK) list->files[list->count - 1].is_remote = true;
    }
    return result;
}

static mc_result add_path(mc_source_list *steps, mc_source_list *maps, const char *path,
                          uint32_t group, const mc_log *log, mc_error *error) {
    struct stat status;
    if (mc_ws_is_address(path)) return add_remote(steps, maps, path, group, error);
    if (stat(path, &status) != 0) return fail_io(path, error);
    if (!S_ISDIR(status.st_mode)) {
        char *copy = mc_alloc(strlen(path) + 1, 1);
        if (copy) memcpy(copy, path, strlen(path) + 1);
        return add_file(steps, copy, MC_SOURCE_STEP, group, (uint64_t)status.st_size, error);
    }
    if (is_named(path, points_to_folder) || is_named(path, pointed_from_folder))
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: expected a folder of steps, found one of pointer maps: give the "
                       "folder in which it is",
                       path);
    size_t before = steps->count, maps_before = maps->count;
    mc_text left_aside = {0};
    mc_result result = add_steps(steps, path, group, &left_aside, log, error);
    if (result == MC_OK && steps->count == before)
        result = mc_fail(
            error, MC_ERROR_BAD_DATA,
            "%s: expected *.json, *.hprof, *.collapsed, *.folded or class histograms as *.txt (or "
            "those .gz, .zst), or another of memcity formats, in this folder, or *.json in "
            "default-format/ or anttracks-format/, found none%s",
            path, left_aside.data && !left_aside.failed ? left_aside.data : "");
    mc_text_deinit(&left_aside);
    if (result != MC_OK) return result;
    // The maps lie beside the steps of the default form, whichever form the steps come in.
    char *sub = join(path, "default-format");
    result = sub ? add_maps(maps, sub, group, log, error) : mc_error_out_of_memory(error);
    mc_free(sub);
    if (result == MC_OK && maps->count == maps_before)
        result = add_maps(maps, path, group, log, error);
    return result;
}

mc_result mc_source_list_find(mc_source_list *list, const char *const *paths, uint32_t path_count,
                              const mc_log *log, mc_error *error) {
    mc_source_list maps = {0};
    mc_result result = MC_OK;
    memset(list, 0, sizeof *list);
    for (uint32_t i = 0; i < path_count && result == MC_OK; i++)
        result = add_path(list, &maps, paths[i], i, log, error);
    list->step_count = list->count;
    if (result == MC_OK && maps.count > 0) {
        if (mc_reserve(&list->files, &list->capacity, list->count + maps.count,
                       sizeof *list->files)) {
            memcpy(list->files + list->count, maps.files, maps.count * sizeof *maps.files);
            list->count += maps.count;
            list->size += maps.size;
            maps.count = 0; // their paths belong to the list now
        } else {
            result = mc_error_out_of_memory(error);
        }
    }
    mc_source_list_deinit(&maps);
    return result;
}
