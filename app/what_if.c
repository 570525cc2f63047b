#include "app/what_if.h"

#include "app/format.h"
#include "engine/base/memory.h"
#include "engine/import/heap_file.h"
#include "engine/import/source.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 3 // of what is demolished

struct mc_what_if_asker {
    mc_what_if_desc desc;
    mc_grouping grouping;
    // The dump that is open, and how its groups and the trace's nodes belong together.
    bool is_open;
    int64_t time_ms;
    mc_heap_file file;
    uint32_t *group_node; // MC_NONE: the trace has no such node
};

void mc_what_if_deinit(mc_what_if *demolition) {
    mc_free(demolition->node_objects);
    mc_free(demolition->node_bytes);
    mc_free(demolition->leaves);
    *demolition = (mc_what_if){0};
}

mc_what_if_asker *mc_what_if_asker_create(const mc_what_if_desc *desc) {
    mc_what_if_asker *self = mc_alloc_zero(1, sizeof *self);
    if (self) self->desc = *desc;
    return self;
}

static void close_dump(mc_what_if_asker *self) {
    mc_free(self->group_node);
    self->group_node = NULL;
    if (self->is_open) mc_heap_file_close(&self->file);
    self->is_open = false;
}

void mc_what_if_asker_destroy(mc_what_if_asker *self) {
    if (!self) return;
    close_dump(self);
    mc_free(self);
}

// ---- groups and nodes

// The child of `parent` with this key; siblings are in the order of their keys.
static uint32_t find_child(const mc_trace *trace, uint32_t parent, const char *key, size_t size) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t low = nodes->first_child[parent], high = low + nodes->child_count[parent];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        size_t own_size;
        const char *own = mc_trace_get_string(trace, nodes->key[middle], &own_size);
        int order = memcmp(own, key, own_size < size ? own_size : size);
        if (order == 0) order = (own_size > size) - (own_size < size);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return MC_NONE;
}

// A group's own key is what its full key has beyond that of the group around it.
static uint32_t find_node(const mc_what_if_asker *self, uint32_t group, mc_text *key,
                          mc_text *outer) {
    const mc_heap_groups *groups = self->file.heap->groups;
    uint32_t parent = mc_heap_groups_get_parent(groups, group);
    if (parent == MC_NONE) return 0;
    if (self->group_node[parent] == MC_NONE) return MC_NONE;
    mc_text_clear(key);
    mc_text_clear(outer);
    mc_heap_groups_append_key(groups, group, key);
    mc_heap_groups_append_key(groups, parent, outer);
    if (key->failed || outer->failed || key->size <= outer->size) return MC_NONE;
    return find_child(self->desc.trace, self->group_node[parent], key->data + outer->size + 1,
                      key->size - outer->size - 1);
}

static mc_result find_nodes(mc_what_if_asker *self, mc_error *error) {
    mc_text key = {0}, outer = {0};
    uint32_t count = mc_heap_groups_get_group_count(self->file.heap->groups);
    self->group_node = mc_alloc((size_t)count + 1, sizeof *self->group_node);
    for (uint32_t i = 0; self->group_node && i < count; i++)
        self->group_node[i] = find_node(self, i, &key, &outer);
    bool failed = !self->group_node || key.failed || outer.failed;
    mc_text_deinit(&key);
    mc_text_deinit(&outer);
    return failed ? mc_error_out_of_memory(error) : MC_OK;
}

// ---- dumps

const char *mc_what_if_get_obstacle(uint32_t dump_count) {
    if (dump_count > 0)
        return "This step is of no heap dump that is open: what falls is found in the objects "
               "themselves";
    return "This trace counts objects and does not hold them: to see what falls, open the heap "
           "dump itself (memcity DUMP.hprof), or ask memcity whatif DUMP.hprof --demolish KEY";
}

// The first dump from `*next` on, behind which that then is; NULL: there is none.
static mc_result find_next_dump(const mc_source_list *list, size_t *next, const char **path,
                                int64_t *time_ms, mc_error *error) {
    *path = NULL;
    for (; *next < list->count; ++*next) {
        const mc_source_file *file = &list->files[*next];
        bool is_dump;
        if (file->is_remote) continue;
        mc_result result = mc_heap_file_peek(file->path, &is_dump, time_ms, error);
        if (result != MC_OK) return result;
        if (!is_dump) continue;
        *path = file->path;
        ++*next;
        return MC_OK;
    }
    return MC_OK;
}

uint32_t mc_what_if_find_dumps(const char *const *paths, uint32_t path_count, int64_t **times_ms) {
    mc_source_list list = {0};
    size_t next = 0, capacity = 0;
    uint32_t count = 0;
    const char *path;
    int64_t time_ms;
    *times_ms = NULL;
    mc_result result = mc_source_list_find(&list, paths, path_count, NULL, NULL);
    while (result == MC_OK) {
        result = find_next_dump(&list, &next, &path, &time_ms, NULL);
        if (result != MC_OK || !path || !mc_reserve(times_ms, &capacity, count + 1, sizeof time_ms))
            break;
        (*times_ms)[count++] = time_ms;
    }
    mc_source_list_deinit(&list);
    return count;
}

// The path of the dump with the step's time, in `list`.
static mc_result find_dump(const mc_what_if_asker *self, uint32_t step, mc_source_list *list,
                           const char **path, mc_error *error) {
    int64_t wanted_ms = mc_trace_get_step(self->desc.trace, step)->time_ms, time_ms;
    uint32_t dump_count = 0;
    size_t next = 0;
    mc_result result =
        mc_source_list_find(list, self->desc.paths, self->desc.path_count, NULL, error);
    while (result == MC_OK) {
        result = find_next_dump(list, &next, path, &time_ms, error);
        if (result != MC_OK || !*path) break;
        if (time_ms == wanted_ms) return MC_OK;
        dump_count++;
    }
    if (result != MC_OK) return result;
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "%s", mc_what_if_get_obstacle(dump_count));
}

static mc_result open_dump(mc_what_if_asker *self, uint32_t step, const mc_progress *progress,
                           mc_error *error) {
    int64_t time_ms = mc_trace_get_step(self->desc.trace, step)->time_ms;
    if (self->is_open && self->time_ms == time_ms) return MC_OK;
    mc_source_list list = {0};
    const char *path;
    close_dump(self);
    mc_result result = mc_grouping_parse(self->desc.group_by, &self->grouping, error);
    if (result == MC_OK) result = find_dump(self, step, &list, &path, error);
    if (result == MC_OK) {
        mc_heap_desc desc = {.grouping = &self->grouping,
                             .has_graph = true,
                             .collections = self->desc.collections,
                             .progress = progress};
        self->is_open = true;
        self->time_ms = time_ms;
        result = mc_heap_file_open(&self->file, path, &desc, error);
        if (result == MC_OK) result = mc_heap_file_link(&self->file, progress, error);
    }
    if (result == MC_OK) result = find_nodes(self, error);
    if (result != MC_OK) close_dump(self);
    mc_source_list_deinit(&list);
    return result;
}

// ---- telling

void mc_what_if_append_summary(const mc_what_if *demolition, const mc_trace *trace,
                               const uint32_t *nodes, uint32_t node_count, mc_text *text) {
    char bytes[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    double all = (double)mc_trace_get_step(trace, demolition->step)->bytes;
    mc_text_append_string(text, "Without ");
    for (uint32_t i = 0; i < node_count && i < MOST_NAMED; i++) {
        size_t size;
        const char *name = mc_trace_get_name(trace, nodes[i], &size);
        mc_text_append_string(text, i > 0 ? ", " : "");
        mc_format_append_line(text, name, size);
    }
    if (node_count > MOST_NAMED)
        mc_text_format(text, " and %" PRIu32 " more", node_count - MOST_NAMED);
    mc_text_format(text, ": %s freed, %s of the heap, %s.",
                   mc_format_bytes(bytes, demolition->bytes),
                   mc_format_share(share, all > 0 ? (double)demolition->bytes / all : 0),
                   mc_format_counted(objects, demolition->objects, "object"));
    if (demolition->objects == 0)
        mc_text_append_string(text, " Nothing of it is held by a GC root at this step.");
    if (demolition->is_incomplete)
        mc_text_append_string(text, " The heap dump is damaged: what it lacks is not counted.");
}

// ---- asking

static bool is_one_of(const uint32_t *nodes, uint32_t count, uint32_t node) {
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] == node) return true;
    return false;
}

static void mark(const mc_what_if_asker *self, const uint32_t *nodes, uint32_t count,
                 bool *is_gone) {
    mc_vertex_groups groups = mc_heap_get_groups(self->file.heap);
    for (uint32_t i = 0; i < groups.count; i++)
        if (self->group_node[i] != MC_NONE && is_one_of(nodes, count, self->group_node[i]))
            mc_vertex_groups_mark(&groups, i, is_gone);
}

static int compare_leaves(const void *a, const void *b, void *user) {
    const mc_what_if *demolition = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t x_bytes = demolition->node_bytes[x], y_bytes = demolition->node_bytes[y];
    if (x_bytes != y_bytes) return x_bytes > y_bytes ? -1 : 1;
    return (x > y) - (x < y);
}

void mc_what_if_list_leaves(mc_what_if *demolition, const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    demolition->leaf_count = 0;
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->child_count[i] == 0 && demolition->node_objects[i] > 0)
            demolition->leaves[demolition->leaf_count++] = i;
    qsort_r(demolition->leaves, demolition->leaf_count, sizeof *demolition->leaves, compare_leaves,
            demolition);
}

// What the trace calls a district's own share has no group.
static void fill_self_nodes(const mc_node_columns *nodes, uint64_t *values) {
    for (uint32_t i = 1; i < nodes->count; i++) {
        if (!(nodes->flags[i] & MC_NODE_SELF)) continue;
        uint32_t parent = nodes->parent[i], first = nodes->first_child[parent];
        uint64_t others = 0;
        for (uint32_t k = first; k < first + nodes->child_count[parent]; k++)
            others += k == i ? 0 : values[k];
        values[i] = values[parent] > others ? values[parent] - others : 0;
    }
}

static void fill(const mc_what_if_asker *self, const mc_group_sum *freed, mc_what_if *demolition) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->desc.trace);
    uint32_t count = mc_heap_groups_get_group_count(self->file.heap->groups);
    for (uint32_t i = 0; i < count; i++) {
        if (self->group_node[i] == MC_NONE) continue;
        demolition->node_objects[self->group_node[i]] = freed[i].count;
        demolition->node_bytes[self->group_node[i]] = freed[i].size;
    }
    fill_self_nodes(nodes, demolition->node_objects);
    fill_self_nodes(nodes, demolition->node_bytes);
    demolition->objects = freed[0].count;
    demolition->bytes = freed[0].size;
    mc_what_if_list_leaves(demolition, self->desc.trace);
}

static bool is_damaged(const mc_what_if_asker *self) {
    mc_text damage = {0};
    mc_heap_file_append_damage(&self->file, &damage);
    bool is = damage.size > 0 || damage.failed;
    mc_text_deinit(&damage);
    return is;
}

mc_result mc_what_if_asker_ask(mc_what_if_asker *self, uint32_t step, const uint32_t *nodes,
                               uint32_t node_count, const mc_progress *progress,
                               mc_what_if *demolition, mc_error *error) {
    size_t room = (size_t)mc_trace_get_nodes(self->desc.trace)->count + 1;
    mc_what_if_deinit(demolition);
    mc_result result = open_dump(self, step, progress, error);
    if (result != MC_OK) return result;
    uint32_t count = mc_heap_groups_get_group_count(self->file.heap->groups);
    bool *is_gone = mc_alloc_zero((size_t)count + 1, sizeof *is_gone);
    mc_group_sum *freed = mc_alloc_zero((size_t)count + 1, sizeof *freed);
    demolition->step = step;
    demolition->node_objects = mc_alloc_zero(room, sizeof *demolition->node_objects);
    demolition->node_bytes = mc_alloc_zero(room, sizeof *demolition->node_bytes);
    demolition->leaves = mc_alloc(room, sizeof *demolition->leaves);
    if (!is_gone || !freed || !demolition->node_objects || !demolition->node_bytes ||
        !demolition->leaves)
        result = mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mark(self, nodes, node_count, is_gone);
        self->file.heap->progress = progress;
        result = mc_heap_demolish(self->file.heap, is_gone, NULL, 0, freed, error);
        self->file.heap->progress = NULL;
    }
    if (result == MC_OK) {
        fill(self, freed, demolition);
        demolition->is_incomplete = is_damaged(self);
    } else {
        mc_what_if_deinit(demolition);
    }
    mc_free(is_gone);
    mc_free(freed);
    return result;
}
