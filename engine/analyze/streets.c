#include "engine/analyze/streets.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

static int compare_ends(const void *a, const void *b) {
    const mc_street *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int compare_weights(const void *a, const void *b) {
    const mc_street *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    if (x->objects != y->objects) return x->objects > y->objects ? -1 : 1;
    return compare_ends(a, b);
}

static uint64_t add_up_to(uint64_t a, uint64_t b, uint64_t most) {
    return b > most - (a < most ? a : most) ? most : a + b;
}

// Those with the same ends become one. A way may use a street twice: no more goes over it than
// there is.
static uint32_t merge(mc_street *streets, uint32_t count, const mc_retaining_row *root) {
    uint32_t merged = 0;
    if (count == 0) return 0;
    qsort(streets, count, sizeof *streets, compare_ends);
    for (uint32_t i = 0; i < count; i++) {
        mc_street *last = merged > 0 ? &streets[merged - 1] : NULL;
        if (!last || last->from != streets[i].from || last->root != streets[i].root ||
            last->to != streets[i].to) {
            streets[merged++] = streets[i];
            continue;
        }
        last->objects = add_up_to(last->objects, streets[i].objects, root->whole_objects);
        last->bytes = add_up_to(last->bytes, streets[i].bytes, root->whole_bytes);
        last->is_new = last->is_new && streets[i].is_new;
    }
    qsort(streets, merged, sizeof *streets, compare_weights);
    return merged;
}

// ---- from where

typedef struct finder {
    const mc_trace *trace;
    const mc_retaining_path *paths;
    const mc_node_columns *nodes;
    const mc_retaining_tree *tree;
    const mc_root_groups *roots;
    mc_text text;
} finder;

// Where a row's ways begin, and how much of it goes on from elsewhere.
typedef struct origin {
    uint32_t place, root;    // of the row's objects; if none is known, the root that ways come from
    bool is_at_root;         // the row's own way begins at `root`
    uint64_t objects, bytes; // of the row, that lead on from static fields behind it
} origin;

static const char *get_string(const finder *self, uint32_t string, size_t *size) {
    return mc_trace_get_string(self->trace, string, size);
}

static bool begins_with(const char *text, size_t size, const char *begin) {
    size_t begin_size = strlen(begin);
    return size > begin_size && memcmp(text, begin, begin_size) == 0;
}

// The group with the text's name, or with all others of the kind.
static uint32_t find_named(const finder *self, mc_root_kind kind) {
    uint32_t other = MC_NONE;
    for (uint32_t i = 0; i < self->roots->count && !self->text.failed; i++) {
        const mc_root_group *group = &self->roots->items[i];
        size_t size;
        if (group->kind != kind) continue;
        if (group->name == MC_NONE) other = i;
        const char *name = group->name == MC_NONE ? NULL : get_string(self, group->name, &size);
        if (name && size == self->text.size && memcmp(name, self->text.data, size) == 0) return i;
    }
    return other;
}

// "static Shop.sessions" of "class com.acme.Shop" is called "static com.acme.Shop.sessions".
static uint32_t find_static(finder *self, const mc_retaining_path *path) {
    size_t size, class_size, class_word = strlen("class ");
    if (path->field == MC_NONE || path->parent == MC_NONE) return MC_NONE;
    const char *field = get_string(self, path->field, &size);
    const char *class = get_string(self, self->paths[path->parent].class, &class_size);
    if (!begins_with(field, size, "static ") || !begins_with(class, class_size, "class "))
        return MC_NONE;
    size_t name = size;
    while (name > 0 && field[name - 1] != '.')
        name--;
    mc_text_clear(&self->text);
    mc_text_append_string(&self->text, "static ");
    mc_text_append(&self->text, class + class_word, class_size - class_word);
    mc_text_append(&self->text, ".", 1);
    mc_text_append(&self->text, field + name, size - name);
    return find_named(self, MC_ROOT_STATIC);
}

// A stack or a lock, by which a path begins only where no other root leads.
static bool is_passing(mc_root_kind kind) {
    return (kind >= MC_ROOT_STACK && kind <= MC_ROOT_MONITOR) || kind == MC_ROOT_JNI_MONITOR;
}

static uint32_t find_strongest(const finder *self, uint32_t place) {
    uint32_t found = MC_NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < self->roots->count; i++) {
        const mc_root_group *group = &self->roots->items[i];
        uint64_t held = 0;
        if (group->kind == MC_ROOT_STATIC) continue;
        for (uint32_t k = 0; k < group->hold_count; k++) {
            const mc_root_hold *hold = &self->roots->holds[group->first_hold + k];
            if (mc_nodes_is_inside(self->nodes, hold->node, place)) held += hold->count;
        }
        bool lasts = !is_passing(group->kind);
        bool found_lasts = found != MC_NONE && !is_passing(self->roots->items[found].kind);
        if (held == 0 || (found_lasts && !lasts)) continue;
        if (lasts == found_lasts && held <= most) continue;
        found = i;
        most = held;
    }
    return found;
}

static uint32_t find_root(finder *self, const mc_retaining_row *row) {
    if (!self->roots || row->path == MC_NONE) return MC_NONE;
    const mc_retaining_path *path = &self->paths[row->path];
    size_t size;
    if (row->depth > 1) return find_static(self, path);
    const char *class = get_string(self, path->class, &size);
    mc_text_clear(&self->text);
    mc_text_append(&self->text, class, size);
    uint32_t root = MC_NONE;
    if (begins_with(class, size, "class ")) root = find_named(self, MC_ROOT_SYSTEM_CLASS);
    return root == MC_NONE && path->place != MC_NONE ? find_strongest(self, path->place) : root;
}

// ---- all of it

static void find_origins(finder *self, origin *origins) {
    const mc_retaining_tree *tree = self->tree;
    for (uint32_t i = 0; i < tree->count; i++) {
        const mc_retaining_row *row = &tree->rows[i];
        uint32_t root = i > 0 ? find_root(self, row) : MC_NONE;
        origins[i] =
            (origin){.place = row->path == MC_NONE ? MC_NONE : self->paths[row->path].place,
                     .root = root,
                     .is_at_root = root != MC_NONE};
    }
    // What a static field holds comes from there alone.
    for (uint32_t i = tree->count; i-- > 1;) {
        const mc_retaining_row *row = &tree->rows[i];
        bool is_static = origins[i].is_at_root && row->depth > 1;
        origins[row->parent].objects += is_static ? row->whole_objects : origins[i].objects;
        origins[row->parent].bytes += is_static ? row->whole_bytes : origins[i].bytes;
    }
}

static uint32_t list_streets(finder *self, origin *origins, mc_street *streets) {
    const mc_retaining_tree *tree = self->tree;
    uint32_t count = 0;
    for (uint32_t i = 1; i < tree->count; i++) {
        const mc_retaining_row *row = &tree->rows[i];
        origin *own = &origins[i];
        const origin *before = &origins[row->parent];
        uint32_t place = own->place;
        if (!own->is_at_root && place == MC_NONE) own->place = before->place;
        if (!own->is_at_root && before->place == MC_NONE) own->root = before->root;
        uint32_t from = own->root == MC_NONE ? before->place : MC_NONE;
        bool leads = from != MC_NONE || own->root != MC_NONE;
        if (place == MC_NONE || !leads || from == place || row->whole_objects == own->objects)
            continue;
        streets[count++] = (mc_street){.from = from,
                                       .to = place,
                                       .root = own->root,
                                       .objects = row->whole_objects - own->objects,
                                       .bytes = row->whole_bytes - own->bytes,
                                       .is_new = row->is_new,
                                       .row = i};
    }
    return count;
}

mc_result mc_streets_find(const mc_trace *trace, const mc_retaining_tree *tree,
                          const mc_root_groups *roots, mc_street **streets, uint32_t *count,
                          mc_error *error) {
    uint32_t path_count;
    finder self = {.trace = trace,
                   .paths = mc_trace_get_paths(trace, &path_count),
                   .nodes = mc_trace_get_nodes(trace),
                   .tree = tree,
                   .roots = roots && roots->is_known ? roots : NULL};
    origin *origins = mc_alloc((size_t)tree->count + 1, sizeof *origins);
    *count = 0;
    *streets = mc_alloc((size_t)tree->count + 1, sizeof **streets);
    if (origins && *streets) {
        find_origins(&self, origins);
        *count = list_streets(&self, origins, *streets);
    }
    bool is_done = origins && *streets && !self.text.failed;
    mc_text_deinit(&self.text);
    mc_free(origins);
    if (is_done && *count > 0) *count = merge(*streets, *count, &tree->rows[0]);
    if (is_done) return MC_OK;
    mc_free(*streets);
    *streets = NULL;
    *count = 0;
    return mc_error_out_of_memory(error);
}
