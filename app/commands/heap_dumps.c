#include "app/commands/heap_dumps.h"

#include "app/find_key.h"
#include "app/format.h"
#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include "engine/import/formats.h"
#include "engine/import/jfr/jfr_import.h"
#include "engine/store/mct/mct.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HINTS 3 // keys that were perhaps meant

void mc_option_list_add_dumps(mc_option_list *list, mc_dump_options *options) {
    mc_option_list_add_string(list, "group-by", &options->group_by, "LIST",
                              "group by these classifiers, outermost first: package, type, loader, "
                              "module, datastructure (package,type)");
    mc_option_list_add_string(
        list, "collections", &options->collections, "PATTERNS",
        "further classes to treat as data structures, such as com.acme.Cache,com.acme.*Pool");
    mc_option_list_add_binary(list, &options->binary);
    mc_option_list_add_flag(list, "partial", &options->partial,
                            "accept damaged and truncated dumps");
}

int mc_dump_options_read(mc_dump_options *options) {
    mc_error error = {0};
    if (mc_grouping_parse(options->group_by, &options->grouping, &error) == MC_OK)
        return MC_EXIT_OK;
    return mc_command_wrong_usage("--group-by: %s", error.message);
}

// ---- which there are

bool mc_dump_is_trace(const char *path) {
    mc_file_map map;
    if (mc_file_map_open(&map, path, NULL) != MC_OK) return false; // which shows when it is read
    bool is_unclear;
    bool is_trace =
        mc_mct_detect(map.data, map.size) || mc_formats_detect(&map, &is_unclear) == &mc_jfr_format;
    is_trace = mc_file_map_finish(&map, path, MC_OK, NULL) == MC_OK && is_trace;
    mc_file_map_close(&map);
    return is_trace;
}

static int read_header(const char *path, const char *command, mc_dump *dump) {
    mc_error error = {0};
    bool is_dump;
    if (mc_heap_file_peek(path, &is_dump, &dump->time_ms, &error) != MC_OK)
        return mc_command_fail(&error);
    if (is_dump || !mc_dump_is_trace(path))
        return MC_EXIT_OK; // what it is else shows when it is read
    return mc_command_wrong_usage("%s: %s is a trace, which has numbers of objects but not the "
                                  "objects; give the heap dumps that it was made from",
                                  command, path);
}

static int compare_dumps(const void *a, const void *b) {
    const mc_dump *x = a, *y = b;
    if (x->time_ms != y->time_ms) return x->time_ms < y->time_ms ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

int mc_dumps_list(const char *const *paths, uint32_t count, const char *command, mc_dump **dumps) {
    mc_error error = {0};
    int code = MC_EXIT_OK;
    *dumps = mc_alloc_zero(count, sizeof **dumps);
    if (!*dumps) {
        (void)mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    for (uint32_t i = 0; i < count && code == MC_EXIT_OK; i++) {
        (*dumps)[i] = (mc_dump){.path = paths[i], .index = i};
        code = read_header(paths[i], command, &(*dumps)[i]);
    }
    qsort(*dumps, count, sizeof **dumps, compare_dumps);
    return code;
}

int mc_dump_open(mc_heap_file *file, const mc_dump *dump, const mc_dump_options *options) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "reading");
    mc_heap_desc desc = {.grouping = &options->grouping,
                         .has_graph = true,
                         .collections = options->collections,
                         .binary = options->binary,
                         .progress = &progress};
    mc_result result = mc_heap_file_open(file, dump->path, &desc, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_dump_link(mc_heap_file *file) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "reading");
    mc_result result = mc_heap_file_link(file, &progress, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

bool mc_dump_has_groups(const mc_dump_options *options) {
    return !mc_grouping_has(&options->grouping, MC_GROUP_STRUCTURE);
}

// ---- groups

static bool contains(const mc_text *text, const char *part, size_t size) {
    for (size_t at = 0; at + size <= text->size; at++) {
        size_t same = 0;
        while (same < size && mc_to_lower(text->data[at + same]) == mc_to_lower(part[same]))
            same++;
        if (same == size) return true;
    }
    return false;
}

static void add_hint(mc_text *hint, uint32_t index, const char *what, const mc_text *key) {
    if (index == MOST_HINTS) mc_text_append_string(hint, ", …");
    if (index >= MOST_HINTS) return;
    mc_text_append_string(hint, index == 0 ? what : ",");
    mc_text_append_string(hint, " \"");
    mc_format_append_tsv(hint, key->data, key->size);
    mc_text_append_string(hint, "\"");
}

int mc_dump_find_group(const mc_heap *heap, const char *option, const char *key, uint32_t *group,
                       mc_text *hint) {
    mc_text text = {0}, several = {0};
    size_t size = strlen(key);
    uint32_t end_count = 0, near_count = 0;
    mc_text_clear(hint);
    *group = mc_heap_groups_find_key(heap->groups, key, size);
    uint32_t all = *group == MC_NONE ? mc_heap_groups_get_group_count(heap->groups) : 0;
    for (uint32_t i = 0; i < all; i++) {
        mc_text_clear(&text);
        mc_heap_groups_append_key(heap->groups, i, &text);
        if (text.failed) break;
        if (mc_key_ends_in(&text, key, size)) {
            add_hint(&several, end_count++, "several keys end so:", &text);
            *group = i;
        } else if (size > 0 && contains(&text, key, size)) {
            add_hint(hint, near_count++, "perhaps", &text);
        }
    }
    int code = MC_EXIT_OK;
    if (end_count > 1)
        code = mc_command_wrong_usage("%s: no group \"%s\"; %s", option, key,
                                      several.failed ? "several keys end so" : several.data);
    mc_text_deinit(&text);
    mc_text_deinit(&several);
    return code;
}

int mc_dump_fail_group(const char *option, const char *key, uint32_t dump_count,
                       const mc_text *hint) {
    bool has_hint = hint->size > 0 && !hint->failed;
    return mc_command_wrong_usage("%s: %s group \"%s\"; %s", option,
                                  dump_count > 1 ? "none of the dumps has a" : "the dump has no",
                                  key, has_hint ? hint->data : "memcity find prints full keys");
}

int mc_dump_tell_limits(const mc_heap_file *file, const mc_dump *dump,
                        const mc_dump_options *options) {
    const mc_heap *heap = file->heap;
    mc_text damage = {0};
    mc_heap_file_append_damage(file, &damage);
    bool is_damaged = damage.size > 0 || damage.failed;
    if (is_damaged)
        mc_message_say("%s: incomplete: %s; only the readable part is shown", dump->path,
                       damage.failed ? "it is damaged" : damage.data);
    mc_text_deinit(&damage);
    bool is_linked = heap->tree.count > 0; // which tells what the roots name
    if (is_linked && heap->root_count == 0)
        mc_message_say("%s: the dump has no GC roots: all objects count as reachable", dump->path);
    if (heap->undescribed_count > 0)
        mc_message_say("%s: %" PRIu64 " objects have classes that the dump does not describe: some "
                       "of their references are unknown",
                       dump->path, heap->undescribed_count);
    return is_damaged && !options->partial ? MC_EXIT_BAD_INPUT : MC_EXIT_OK;
}
