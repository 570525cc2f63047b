#include "engine/import/stacks/path_groups.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <math.h>
#include <string.h>

#define AHEAD 16 // groups

typedef struct group {
    uint32_t parent; // of a lower number; MC_NONE: the root
    uint32_t tree_index;
    uint64_t offset; // where it was counted first
    bool is_counted; // it, or what is in it, in this step
    bool is_own;     // itself
    bool has_own;    // itself, more than 0
    bool was_own;    // itself, in the step of the last shape
} group;

// What each step looks at lies by itself.
typedef struct group_name {
    uint32_t key, name, role;
} group_name;

struct mc_path_groups {
    uint32_t metric_count, object_metric, byte_metric; // MC_NONE: none is of these
    mc_metric_info infos[MC_PATH_METRIC_MOST];
    uint64_t sums[MC_PATH_METRIC_MOST]; // of the step
    bool has_real;                      // metrics
    uint64_t series;                    // that its trees are of
    uint64_t shape;                     // of the last one; 0: there is none
    size_t shape_count;                 // groups that were counted themselves in it
    uint32_t shape_role_count;          // of the roles then
    size_t own_count, known_count;      // … in this step; of these, in that one as well
    mc_strings strings, roles;
    group *groups;
    group_name *names;
    size_t count, capacity, name_capacity;
    uint64_t *values; // metric_count for each group
    size_t value_capacity;
    mc_slots slots; // of groups by (parent, key)
    mc_text text;   // scratch
};

// ---- beginning and end

static mc_metric_info get_info(const mc_path_metric *metric) {
    return (mc_metric_info){.key = metric->key,
                            .title = metric->title,
                            .key_size = strlen(metric->key),
                            .title_size = strlen(metric->title),
                            .unit = metric->unit,
                            .kind = metric->kind,
                            .is_additive = true,
                            .is_real = metric->is_real,
                            .says = MC_METRIC_SAYS_ALL};
}

static uint32_t hash_group(uint32_t parent, uint32_t key) {
    return (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key, 5);
}

static uint64_t *get_values(const mc_path_groups *self, size_t group_index) {
    return self->values + group_index * self->metric_count;
}

static uint32_t add_group(mc_path_groups *self, uint32_t parent, uint32_t role, uint32_t key,
                          uint32_t name) {
    uint32_t added = (uint32_t)self->count;
    if (!mc_reserve(&self->groups, &self->capacity, self->count + 1, sizeof *self->groups) ||
        !mc_reserve(&self->names, &self->name_capacity, self->count + 1, sizeof *self->names) ||
        !mc_reserve(&self->values, &self->value_capacity, (self->count + 1) * self->metric_count,
                    sizeof *self->values) ||
        !mc_slots_add(&self->slots, hash_group(parent, key), added))
        return MC_NONE;
    self->names[self->count] = (group_name){key, name, role};
    self->groups[self->count++] = (group){.parent = parent};
    memset(get_values(self, added), 0, self->metric_count * sizeof *self->values);
    return added;
}

mc_result mc_path_groups_create(const mc_path_desc *desc, mc_path_groups **groups,
                                mc_error *error) {
    mc_path_groups *self = *groups = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->object_metric = self->byte_metric = MC_NONE;
    self->series = mc_step_series_begin();
    bool fits = true;
    for (uint32_t i = 0; i < MC_PATH_ROLE_MOST && desc->roles[i] && fits; i++)
        fits = mc_path_groups_add_role(self, desc->roles[i], strlen(desc->roles[i])) != MC_NONE;
    for (; desc->metrics[self->metric_count].key; self->metric_count++) {
        const mc_path_metric *metric = &desc->metrics[self->metric_count];
        assert(self->metric_count < MC_PATH_METRIC_MOST);
        self->infos[self->metric_count] = get_info(metric);
        self->has_real |= metric->is_real;
        if (strcmp(metric->key, "objects") == 0) self->object_metric = self->metric_count;
        if (strcmp(metric->key, "bytes") == 0) self->byte_metric = self->metric_count;
    }
    uint32_t root = mc_strings_intern(&self->strings, desc->root, strlen(desc->root));
    if (fits && root != MC_NONE && add_group(self, MC_NONE, MC_NONE, root, root) == 0) return MC_OK;
    mc_path_groups_destroy(self);
    *groups = NULL;
    return mc_error_out_of_memory(error);
}

void mc_path_groups_destroy(mc_path_groups *groups) {
    if (!groups) return;
    mc_strings_deinit(&groups->strings);
    mc_strings_deinit(&groups->roles);
    mc_free(groups->groups);
    mc_free(groups->names);
    mc_free(groups->values);
    mc_slots_deinit(&groups->slots);
    mc_text_deinit(&groups->text);
    mc_free(groups);
}

// ---- groups

static uint32_t find(const mc_path_groups *self, uint32_t parent, uint32_t key) {
    uint32_t hash = hash_group(parent, key);
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (self->groups[found].parent == parent && self->names[found].key == key) return found;
    return MC_NONE;
}

// Another key, where a sibling of another kind is called the same: a namespace and a class.
static uint32_t set_apart(mc_path_groups *self, uint32_t key, uint32_t role) {
    size_t size;
    mc_text_clear(&self->text);
    const char *bytes = mc_strings_get(&self->strings, key, &size);
    mc_text_append(&self->text, bytes, size);
    mc_text_format(&self->text, " (%s)", mc_strings_get(&self->roles, role, NULL));
    if (self->text.failed) return MC_NONE;
    return mc_strings_intern(&self->strings, self->text.data, self->text.size);
}

uint32_t mc_path_groups_add_role(mc_path_groups *self, const char *name, size_t size) {
    uint32_t known = mc_strings_find(&self->roles, name, size);
    if (known != MC_NONE || self->roles.count == MC_PATH_ROLE_MOST) return known;
    return mc_strings_intern(&self->roles, name, size);
}

uint32_t mc_path_groups_get_role_count(const mc_path_groups *self) {
    return self->roles.count;
}

uint32_t mc_path_groups_intern(mc_path_groups *self, const char *text, size_t size) {
    return mc_strings_intern(&self->strings, text, size);
}

uint32_t mc_path_groups_find_interned(mc_path_groups *self, uint32_t parent, uint32_t role,
                                      uint32_t key, uint32_t name) {
    assert(parent < self->count && role < self->roles.count);
    while (key != MC_NONE) {
        uint32_t found = find(self, parent, key);
        if (found == MC_NONE) return add_group(self, parent, role, key, name);
        if (self->names[found].role == role) return found;
        key = set_apart(self, key, role);
    }
    return MC_NONE;
}

uint32_t mc_path_groups_find(mc_path_groups *self, uint32_t parent, uint32_t role, const char *name,
                             size_t size) {
    uint32_t string = mc_strings_intern(&self->strings, name, size);
    return mc_path_groups_find_interned(self, parent, role, string, string);
}

// ---- counts

// Whole numbers fit, as the step's sums do.
static inline void add_values(const mc_path_groups *self, uint64_t *sums, const uint64_t *values) {
    const uint32_t count = self->metric_count;
    for (uint32_t i = 0; i < count && !self->has_real; i++)
        sums[i] += values[i];
    for (uint32_t i = 0; i < count && self->has_real; i++)
        sums[i] = mc_metric_add(&self->infos[i], sums[i], values[i]);
}

void mc_path_groups_prefetch(const mc_path_groups *self, uint32_t group_index) {
    __builtin_prefetch(&self->groups[group_index], 1);
    __builtin_prefetch(get_values(self, group_index), 1);
}

bool mc_path_groups_count(mc_path_groups *self, uint32_t group_index, const uint64_t *values,
                          uint64_t offset) {
    group *counted = &self->groups[group_index];
    for (uint32_t i = 0; i < self->metric_count; i++) {
        if (!self->infos[i].is_real && values[i] > MC_COUNT_MAX - self->sums[i]) return false;
        if (self->infos[i].is_real &&
            !isfinite(mc_metric_unpack(self->sums[i]) + mc_metric_unpack(values[i])))
            return false;
    }
    if (!counted->is_own) {
        counted->offset = offset;
        counted->is_counted = counted->is_own = true;
        self->own_count++;
        self->known_count += counted->was_own;
    }
    for (uint32_t i = 0; i < self->metric_count; i++)
        counted->has_own |= values[i] > 0;
    add_values(self, get_values(self, group_index), values);
    add_values(self, self->sums, values);
    return true;
}

void mc_path_groups_clear(mc_path_groups *self) {
    for (size_t i = 0; i < self->count; i++)
        self->groups[i].is_counted = self->groups[i].is_own = self->groups[i].has_own = false;
    self->own_count = self->known_count = 0;
    memset(self->values, 0, self->count * self->metric_count * sizeof *self->values);
    memset(self->sums, 0, sizeof self->sums);
}

// ---- to a step's tree

// To the parent, which comes before it, what the group and those in it have. From the last group to
// the first: parents of those that come soon are fetched meanwhile.
static inline void sum_group(mc_path_groups *self, size_t index) {
    if (index > AHEAD) mc_path_groups_prefetch(self, self->groups[index - AHEAD].parent);
    const group *from = &self->groups[index];
    group *to = &self->groups[from->parent];
    if (!to->is_counted || from->offset < to->offset) to->offset = from->offset;
    to->is_counted = true;
    add_values(self, get_values(self, from->parent), get_values(self, index));
}

// Returns how many groups have something.
static size_t sum_up(mc_path_groups *self) {
    size_t count = 1;
    for (size_t i = self->count; i-- > 1;) {
        if (!self->groups[i].is_counted) continue;
        sum_group(self, i);
        count++;
    }
    self->groups[0].is_counted = true; // also where nothing was counted
    return count;
}

// Beside objects and bytes.
static bool add_metrics(const mc_path_groups *self, mc_step_tree *tree) {
    for (uint32_t i = 0; i < self->metric_count; i++)
        if (i != self->object_metric && i != self->byte_metric &&
            mc_step_tree_add_metric(tree, &self->infos[i]) == MC_NONE)
            return false;
    return true;
}

static bool fill_head(const mc_path_groups *self, mc_step_tree *tree) {
    for (uint32_t i = 0; i < self->roles.count; i++) {
        size_t size;
        const char *role = mc_strings_get(&self->roles, i, &size);
        if (mc_strings_intern(&tree->roles, role, size) != i) return false;
    }
    // All at once: most of them are used, many several times.
    mc_text_append(&tree->text, self->strings.bytes, self->strings.bytes_size);
    return !tree->text.failed && tree->text.size < MC_NONE;
}

// Takes the group's values, for that node.
static inline void move_values(mc_path_groups *self, size_t index, mc_step_tree *tree,
                               size_t node) {
    group *from = &self->groups[index];
    uint64_t *values = get_values(self, index);
    mc_step_entry *to = &tree->nodes[node];
    to->objects = self->object_metric == MC_NONE ? 0 : values[self->object_metric];
    to->bytes = self->byte_metric == MC_NONE ? 0 : values[self->byte_metric];
    to->source_offset = from->offset;
    tree->has_own[node] = from->has_own;
    for (uint32_t i = 0, own = 0; i < self->metric_count; i++) {
        if (i != self->object_metric && i != self->byte_metric)
            tree->columns[own++].values[node] = values[i];
        values[i] = 0;
    }
    from->is_counted = from->is_own = from->has_own = false;
}

// There is room.
static void add_node(mc_path_groups *self, size_t index, mc_step_tree *tree) {
    group *from = &self->groups[index];
    const group_name *called = &self->names[index];
    const uint64_t *offsets = self->strings.offsets;
    size_t node = tree->node_count++;
    const mc_step_name key = {(uint32_t)offsets[called->key],
                              (uint32_t)(offsets[called->key + 1] - offsets[called->key] - 1)};
    const mc_step_name name = {(uint32_t)offsets[called->name],
                               (uint32_t)(offsets[called->name + 1] - offsets[called->name] - 1)};
    tree->nodes[node] = (mc_step_entry){
        .parent = from->parent == MC_NONE ? MC_NONE : self->groups[from->parent].tree_index,
        .role = called->role,
        .key_offset = key.offset,
        .key_size = key.size};
    tree->names[node] = called->name == called->key ? (mc_step_name){0, MC_NONE} : name;
    tree->groups[node] = (uint32_t)index;
    from->tree_index = (uint32_t)node;
    move_values(self, index, tree, node);
}

// Whether the groups that were counted now are those of the last shape.
static bool has_same_groups(const mc_path_groups *self) {
    return self->shape != 0 && self->own_count == self->shape_count &&
           self->known_count == self->shape_count && self->roles.count == self->shape_role_count;
}

// Whether a tree that was filled before has them.
static bool has_shape(const mc_path_groups *self, const mc_step_tree *tree) {
    return has_same_groups(self) && tree->shape == self->shape;
}

// Where the values of a group's metrics go: into the nodes, or into columns.
typedef struct value_targets {
    uint64_t *columns[MC_PATH_METRIC_MOST]; // that of the first node
    size_t strides[MC_PATH_METRIC_MOST];    // words from one node's to the next one's
} value_targets;

static value_targets get_targets(const mc_path_groups *self, mc_step_tree *tree) {
    value_targets to = {.columns = {NULL}};
    for (uint32_t i = 0, own = 0; i < self->metric_count; i++) {
        bool is_base = i == self->object_metric || i == self->byte_metric;
        to.columns[i] = i == self->object_metric ? &tree->nodes->objects
                        : i == self->byte_metric ? &tree->nodes->bytes
                                                 : tree->columns[own++].values;
        to.strides[i] = is_base ? sizeof *tree->nodes / sizeof(uint64_t) : 1;
    }
    return to;
}
_Static_assert(sizeof(mc_step_entry) % sizeof(uint64_t) == 0, "a stride is a number of words");

// Sums and moves at once: groups and trees are larger than caches. Where the compiler knows how
// many metrics there are, that they are whole numbers, and that nothing lies where something else
// does, it takes a third less time.
__attribute__((always_inline)) static inline void
move_all(mc_path_groups *self, mc_step_tree *tree, const uint32_t count, const bool has_real) {
    const value_targets targets = get_targets(self, tree);
    group *const groups = self->groups;
    uint64_t *restrict all_values = self->values;
    mc_step_entry *restrict nodes = tree->nodes;
    bool *restrict has_own = tree->has_own;
    groups[0].is_counted = true; // also where nothing was counted
    for (size_t i = self->count; i-- > 0;) {
        group *from = &groups[i];
        if (i > AHEAD) {
            const size_t soon = groups[i - AHEAD].parent;
            __builtin_prefetch(&groups[soon], 1);
            __builtin_prefetch(all_values + soon * count, 1);
        }
        if (!from->is_counted) continue;
        const size_t node = from->tree_index;
        uint64_t *values = all_values + i * count, moved[MC_PATH_METRIC_MOST];
        for (uint32_t metric = 0; metric < count; metric++) {
            moved[metric] = values[metric];
            values[metric] = 0;
            targets.columns[metric][node * targets.strides[metric]] = moved[metric];
        }
        if (self->object_metric == MC_NONE) nodes[node].objects = 0;
        if (self->byte_metric == MC_NONE) nodes[node].bytes = 0;
        nodes[node].source_offset = from->offset;
        has_own[node] = from->has_own;
        from->is_counted = from->is_own = from->has_own = false;
        if (from->parent == MC_NONE) continue;
        group *to = &groups[from->parent];
        if (!to->is_counted || from->offset < to->offset) to->offset = from->offset;
        to->is_counted = true;
        uint64_t *sums = all_values + (size_t)from->parent * count;
        if (has_real) add_values(self, sums, moved);
        for (uint32_t metric = 0; metric < count && !has_real; metric++)
            sums[metric] += moved[metric];
    }
}

static bool fill_again(mc_path_groups *self, mc_step_tree *tree) {
    mc_step_tree_reset_values(tree);
    if (!add_metrics(self, tree) || !mc_step_tree_reserve_more(tree, 0)) return false;
    const uint32_t count = self->metric_count;
    if (self->has_real)
        move_all(self, tree, count, true);
    else if (count == 4) // pprof
        move_all(self, tree, 4, false);
    else if (count == 5) // films
        move_all(self, tree, 5, false);
    else
        move_all(self, tree, count, false);
    return true;
}

static bool fill_anew(mc_path_groups *self, mc_step_tree *tree) {
    const size_t count = sum_up(self);
    // In another tree than the one before they may be the same.
    const uint64_t shape = has_same_groups(self) ? self->shape : mc_step_series_begin();
    mc_step_tree_reset(tree);
    self->shape = 0;
    self->shape_count = self->own_count;
    for (size_t i = 0; i < self->count; i++)
        self->groups[i].was_own = self->groups[i].is_own;
    if (!fill_head(self, tree) || !add_metrics(self, tree) ||
        !mc_step_tree_reserve_more(tree, count))
        return false;
    for (size_t i = 0; i < self->count; i++)
        if (self->groups[i].is_counted) add_node(self, i, tree);
    tree->series = self->series;
    tree->name_count = tree->group_count = tree->node_count;
    tree->shape = self->shape = shape;
    self->shape_role_count = self->roles.count;
    return true;
}

mc_result mc_path_groups_fill_tree(mc_path_groups *self, mc_step_tree *tree, mc_error *error) {
    bool is_filled = has_shape(self, tree) ? fill_again(self, tree) : fill_anew(self, tree);
    if (!is_filled) {
        tree->shape = 0;
        mc_path_groups_clear(self);
        return mc_error_out_of_memory(error);
    }
    memset(self->sums, 0, sizeof self->sums);
    self->own_count = self->known_count = 0;
    tree->is_summed = !self->has_real;
    tree->summed_count = tree->metrics.count;
    for (uint32_t i = 0; i < tree->metrics.count; i++)
        tree->columns[i].count = tree->node_count;
    return MC_OK;
}

uint32_t mc_path_groups_get_node(const mc_path_groups *self, uint32_t group_index) {
    return self->groups[group_index].tree_index;
}
