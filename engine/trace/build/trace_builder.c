#include "engine/trace/build/trace_builder.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/printable.h"
#include "engine/trace/build/builder_state.h"
#include "engine/trace/notes.h"
#include <inttypes.h>

mc_result mc_trace_builder_create(const mc_log *log, mc_trace_builder **builder, mc_error *error) {
    *builder = mc_alloc_zero(1, sizeof **builder);
    if (!*builder) return mc_error_out_of_memory(error);
    (*builder)->log = log;
    memset((*builder)->metric_steps, 0xff, sizeof(*builder)->metric_steps);
    if (mc_metrics_add_base(&(*builder)->metrics)) return MC_OK;
    mc_trace_builder_destroy(*builder);
    *builder = NULL;
    return mc_error_out_of_memory(error);
}

void mc_seen_step_forget_columns(mc_seen_step *step) {
    for (uint32_t metric = 0; metric < step->column_count; metric++)
        mc_packed_column_deinit(&step->columns[metric]);
    mc_free(step->columns);
    step->columns = NULL;
    step->column_count = 0;
}

void mc_trace_builder_set_progress(mc_trace_builder *builder, const mc_progress *progress) {
    builder->progress = progress;
}

void mc_seen_step_deinit(mc_seen_step *step) {
    mc_seen_step_forget_columns(step);
    mc_free(step->source);
    mc_free(step->present);
    mc_free(step->inner);
    for (int table = 0; table < MC_SIDE_OF_STEP; table++)
        mc_side_rows_deinit(&step->side[table]);
    mc_free(step->note);
    memset(step, 0, sizeof *step);
}

void mc_trace_builder_destroy(mc_trace_builder *builder) {
    if (!builder) return;
    for (size_t i = 0; i < builder->step_count; i++)
        mc_seen_step_deinit(&builder->steps[i]);
    mc_free(builder->steps);
    mc_free(builder->nodes);
    mc_free(builder->places);
    mc_slots_deinit(&builder->slots);
    mc_free(builder->key_stamps);
    mc_free(builder->classifiers);
    mc_slots_deinit(&builder->classifier_slots);
    mc_slots_deinit(&builder->step_slots);
    mc_builder_forget_full_keys(builder);
    mc_free(builder->groups);
    mc_free(builder->step_nodes);
    mc_free(builder->values);
    mc_free(builder->words);
    mc_metrics_deinit(&builder->metrics);
    mc_free(builder->renames);
    mc_free(builder->unexplained);
    mc_free(builder->met);
    mc_strings_deinit(&builder->strings);
    mc_strings_deinit(&builder->paths);
    mc_strings_deinit(&builder->owners);
    mc_free(builder->owner_places);
    mc_free(builder);
}

// ---- adding a step

// What the first step fills in one thread, while others have nothing to do. A table is read before
// it is written to, which takes two faults a page.
static void touch_reserved(const mc_trace_builder *builder, size_t count) {
    const mc_memory_block blocks[] = {
        {builder->step_nodes, count * sizeof *builder->step_nodes},
        {builder->nodes, count * sizeof *builder->nodes},
        {builder->places, count * sizeof *builder->places},
        {builder->slots.words, builder->slots.slot_count * sizeof *builder->slots.words},
        {builder->strings.offsets,
         builder->strings.offsets_capacity * sizeof *builder->strings.offsets},
        {builder->strings.slots.words,
         builder->strings.slots.slot_count * sizeof *builder->strings.slots.words},
    };
    mc_parallel_touch_blocks(blocks, sizeof blocks / sizeof *blocks,
                             mc_builder_choose_thread_count((uint32_t)count));
}

static mc_result reserve_scratch(mc_trace_builder *builder, const mc_step_tree *tree,
                                 mc_error *error) {
    size_t tree_count = tree->node_count;
    size_t most = builder->node_count + tree_count;
    if (most >= MC_NONE / 4)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many nodes (at most %u)", MC_NONE / 4);
    size_t words = mc_bits_word_count((uint32_t)most);
    if (!mc_reserve(&builder->step_nodes, &builder->step_node_capacity, tree_count,
                    sizeof *builder->step_nodes) ||
        !mc_reserve(&builder->met, &builder->met_capacity, words, sizeof *builder->met) ||
        !mc_reserve(&builder->steps, &builder->step_capacity, builder->step_count + 1,
                    sizeof *builder->steps) ||
        !mc_builder_reserve_nodes(builder, tree_count)) // there will be as many, at least
        return mc_error_out_of_memory(error);
    // Mostly each node brings a key of its own.
    if (builder->step_count == 0 &&
        !mc_strings_reserve(&builder->strings, tree_count, tree->text.size))
        return mc_error_out_of_memory(error);
    if (builder->step_count == 0) touch_reserved(builder, tree_count);
    memset(builder->met, 0, words * sizeof *builder->met);
    return MC_OK;
}

static uint32_t intern_classifier(mc_trace_builder *builder, const char *name, size_t size) {
    uint32_t string = mc_strings_intern(&builder->strings, name, size);
    if (string == MC_NONE) return MC_NONE;
    uint32_t known;
    if (!mc_builder_find_classifier(builder, string, &known)) return MC_NONE;
    if (known != MC_NONE) return known;
    if (!mc_reserve(&builder->classifiers, &builder->classifier_capacity,
                    builder->classifier_count + 1, sizeof *builder->classifiers))
        return MC_NONE;
    builder->classifiers[builder->classifier_count] = string;
    return (uint32_t)builder->classifier_count++;
}

// classifiers of the tree's own roles; the caller frees it
static mc_result map_roles(mc_trace_builder *builder, const mc_step_tree *tree, uint32_t **map,
                           mc_error *error) {
    *map = NULL;
    if (tree->roles.count == 0) return MC_OK;
    *map = mc_alloc(tree->roles.count, sizeof **map);
    if (!*map) return mc_error_out_of_memory(error);
    for (uint32_t role = 0; role < tree->roles.count; role++) {
        size_t size;
        const char *name = mc_strings_get(&tree->roles, role, &size);
        (*map)[role] = intern_classifier(builder, name, size);
        if ((*map)[role] == MC_NONE) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

static mc_result duplicate(const mc_trace_builder *builder, const mc_step_tree *tree, size_t entry,
                           mc_error *error) {
    const mc_step_entry *node = &tree->nodes[entry];
    mc_excerpt key;
    return mc_error_set(error, MC_ERROR_BAD_DATA, node->source_offset,
                        builder->key_kind == MC_KEY_FULL
                            ? "the key \"%s\" occurs twice in this step's tree; keys must be unique"
                            : "two siblings have the key \"%s\"; siblings need different keys",
                        mc_excerpt_make(&key, tree->text.data + node->key_offset, node->key_size));
}

// True the first time that this step attempt meets the key.
static bool stamp_key(mc_trace_builder *builder, uint32_t key, bool *out_of_memory) {
    if (key >= builder->key_stamp_count) {
        size_t count = builder->key_stamp_count;
        if (!mc_reserve(&builder->key_stamps, &builder->key_stamp_count, (size_t)key + 1,
                        sizeof *builder->key_stamps)) {
            *out_of_memory = true;
            return false;
        }
        memset(builder->key_stamps + count, 0,
               (builder->key_stamp_count - count) * sizeof *builder->key_stamps);
    }
    if (builder->key_stamps[key] == builder->stamp) return false;
    builder->key_stamps[key] = builder->stamp;
    return true;
}

// Steps mostly have the same nodes in the same order, some missing: looks at those that come behind
// `last`, which is much cheaper than to look the key and the node up. MC_NONE if it is none of
// them.
static uint32_t guess_node(const mc_trace_builder *builder, uint32_t last, uint32_t parent,
                           const char *key, uint32_t key_size) {
    const int most = 8;
    if (last == MC_NONE) return MC_NONE;
    uint32_t node = builder->places[last].next;
    for (int i = 0; i < most && node != MC_NONE; i++, node = builder->places[node].next)
        if (builder->nodes[node].parent == parent &&
            mc_builder_is_string(builder, builder->nodes[node].key, key, key_size))
            return node;
    return MC_NONE;
}

// The name of `node` (or of a new one), which mostly is its key or what it was before.
static uint32_t find_name(mc_trace_builder *builder, const mc_step_tree *tree, size_t entry,
                          uint32_t node, bool is_new) {
    mc_step_name name = mc_step_tree_get_name(tree, entry);
    const mc_step_entry *from = &tree->nodes[entry];
    if (name.offset == from->key_offset && name.size == from->key_size)
        return builder->nodes[node].key;
    const char *bytes = tree->text.data + name.offset;
    if (!is_new && mc_builder_is_string(builder, builder->nodes[node].name, bytes, name.size))
        return builder->nodes[node].name;
    return mc_strings_intern(&builder->strings, bytes, name.size);
}

// A node that came before has another name or role.
static mc_result add_rename(mc_trace_builder *builder, mc_rename rename, mc_error *error) {
    if (!mc_reserve(&builder->renames, &builder->rename_capacity, builder->rename_count + 1,
                    sizeof rename))
        return mc_error_out_of_memory(error);
    builder->renames[builder->rename_count++] = rename;
    builder->renamed_count++;
    return MC_OK;
}

// Where what an entry's group has become is noted; NULL: the tree is of no series.
static mc_seen_group *get_seen_group(mc_trace_builder *builder, const mc_step_tree *tree,
                                     size_t entry) {
    bool is_numbered = builder->series != 0 && entry < tree->group_count;
    return is_numbered ? &builder->groups[tree->groups[entry]] : NULL;
}

// Makes room for the groups of a tree. Those of another series are forgotten.
static bool reserve_groups(mc_trace_builder *builder, const mc_step_tree *tree) {
    size_t count = 0;
    if (builder->series != tree->series) builder->group_count = 0;
    builder->series = tree->series;
    for (size_t i = 0; i < tree->group_count; i++)
        if (tree->groups[i] >= count) count = (size_t)tree->groups[i] + 1;
    if (tree->series == 0 || count <= builder->group_count) return true;
    if (!mc_reserve(&builder->groups, &builder->group_capacity, count, sizeof *builder->groups))
        return false;
    memset(builder->groups + builder->group_count, 0xff,
           (count - builder->group_count) * sizeof *builder->groups);
    builder->group_count = count;
    return true;
}

static mc_result resolve_node(mc_trace_builder *builder, const mc_step_tree *tree,
                              const uint32_t *roles, size_t entry, mc_error *error) {
    const mc_step_entry *from = &tree->nodes[entry];
    uint32_t last = entry == 0 ? MC_NONE : builder->step_nodes[entry - 1];
    size_t known = builder->node_count;
    mc_seen_group *group = get_seen_group(builder, tree, entry), found = {MC_NONE, MC_NONE};
    if (group) found = *group;
    if (found.node == MC_NONE) {
        uint32_t parent = from->parent == MC_NONE ? MC_NONE : builder->step_nodes[from->parent];
        found.node =
            guess_node(builder, last, parent, tree->text.data + from->key_offset, from->key_size);
        if (found.node == MC_NONE)
            found.node = mc_builder_find_or_add_node(builder, tree, entry, parent);
        if (found.node == MC_NONE) return mc_error_out_of_memory(error);
        found.name = find_name(builder, tree, entry, found.node, found.node >= known);
        if (found.name == MC_NONE) return mc_error_out_of_memory(error);
        if (group) *group = found;
    }
    uint32_t node = found.node, name = found.name;
    mc_seen_node *seen = &builder->nodes[node];
    if (mc_bits_get(builder->met, node)) return duplicate(builder, tree, entry, error);
    bool out_of_memory = false;
    if (builder->key_kind == MC_KEY_FULL && !stamp_key(builder, seen->key, &out_of_memory))
        return out_of_memory ? mc_error_out_of_memory(error)
                             : duplicate(builder, tree, entry, error);
    uint32_t role = roles && from->role != MC_NONE ? roles[from->role] : MC_NONE;
    if (node >= known) {
        mc_seen_place *places = builder->places;
        places[node].next = last == MC_NONE ? MC_NONE : places[last].next;
        if (last != MC_NONE) places[last].next = node;
        seen->name = name;
        seen->role = role;
    } else if (seen->name != name || seen->role != role) {
        mc_result result = add_rename(builder, (mc_rename){node, name, role}, error);
        if (result != MC_OK) return result;
    }
    mc_bits_set(builder->met, node);
    builder->step_nodes[entry] = node;
    builder->step_node_count = entry + 1;
    return MC_OK;
}

static mc_result resolve_nodes(mc_trace_builder *builder, const mc_step_tree *tree,
                               mc_error *error) {
    uint32_t *roles = NULL;
    builder->step_node_count = 0;
    mc_result result = map_roles(builder, tree, &roles, error);
    if (result == MC_OK && !reserve_groups(builder, tree)) result = mc_error_out_of_memory(error);
    for (size_t entry = 0; result == MC_OK && entry < tree->node_count; entry++) {
        result = resolve_node(builder, tree, roles, entry, error);
        if (result == MC_OK && (entry + 1) % MC_BUILDER_ASK_COUNT == 0)
            result = mc_builder_ask(builder, entry, tree->node_count, error);
    }
    mc_free(roles);
    return result;
}

// The step added before, if the tree has its shape: the same nodes, called as they were. Else NULL.
static const mc_seen_step *find_like(const mc_trace_builder *builder, const mc_step_tree *tree) {
    if (tree->shape == 0 || tree->shape != builder->shape || builder->latest_step == MC_NONE)
        return NULL;
    const mc_seen_step *step = &builder->steps[builder->latest_step];
    bool is_like = step->info.node_count == tree->node_count &&
                   step->seen_count == builder->node_count &&
                   step->side[MC_SIDE_RENAMES].count == 0;
    return is_like ? step : NULL;
}

// Its nodes are those of that step, as `step_nodes` has them.
static mc_result copy_bits(mc_trace_builder *builder, const mc_seen_step *like, mc_seen_step *step,
                           mc_error *error) {
    size_t words = mc_bits_word_count((uint32_t)builder->node_count);
    step->present = mc_alloc(words, sizeof *step->present);
    step->inner = mc_alloc(words, sizeof *step->inner);
    if (!step->present || !step->inner) return mc_error_out_of_memory(error);
    memcpy(step->present, like->present, words * sizeof *step->present);
    memcpy(step->inner, like->inner, words * sizeof *step->inner);
    step->info.node_count = like->info.node_count;
    step->info.leaf_count = like->info.leaf_count;
    return MC_OK;
}

static mc_result fill_bits(mc_trace_builder *builder, const mc_step_tree *tree, mc_seen_step *step,
                           mc_error *error) {
    size_t words = mc_bits_word_count((uint32_t)builder->node_count);
    step->present = mc_alloc(words, sizeof *step->present);
    step->inner = mc_alloc_zero(words, sizeof *step->inner);
    if (!step->present || !step->inner) return mc_error_out_of_memory(error);
    memcpy(step->present, builder->met, words * sizeof *step->present);
    uint32_t inner_count = 0, last_parent = MC_NONE;
    for (size_t entry = 0; entry < tree->node_count; entry++) {
        uint32_t parent = tree->nodes[entry].parent;
        if (parent == last_parent) continue; // MC_NONE, too
        last_parent = parent;
        parent = builder->step_nodes[parent];
        inner_count += !mc_bits_get(step->inner, parent);
        mc_bits_set(step->inner, parent);
    }
    step->info.node_count = (uint32_t)tree->node_count;
    step->info.leaf_count = (uint32_t)tree->node_count - inner_count;
    return MC_OK;
}

// Bits for all nodes, with zeros for the new ones.
static bool reserve_unexplained(mc_trace_builder *builder) {
    size_t known = builder->unexplained_capacity;
    if (!mc_reserve(&builder->unexplained, &builder->unexplained_capacity,
                    mc_bits_word_count((uint32_t)builder->node_count),
                    sizeof *builder->unexplained))
        return false;
    if (builder->unexplained_capacity > known)
        memset(builder->unexplained + known, 0,
               (builder->unexplained_capacity - known) * sizeof *builder->unexplained);
    return true;
}

static mc_result fill_renames(mc_trace_builder *builder, mc_seen_step *step, mc_error *error) {
    mc_side_rows *renames = &step->side[MC_SIDE_RENAMES];
    mc_side_rows found = {builder->renames, (uint32_t)builder->rename_count};
    mc_result result = mc_side_rows_copy(MC_SIDE_RENAMES, &found, renames, error);
    if (result == MC_OK) mc_side_rows_sort(MC_SIDE_RENAMES, renames);
    return result;
}

mc_result mc_builder_check_time(int64_t time_ms, mc_error *error) {
    if (time_ms >= MC_TIME_MIN && time_ms <= MC_TIME_MAX) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "expected a time from %" PRId64 " to %" PRId64 " ms, found %" PRId64,
                   MC_TIME_MIN, MC_TIME_MAX, time_ms);
}

static mc_result check_step(mc_trace_builder *builder, const mc_step_tree *tree, const char *source,
                            mc_error *error) {
    uint32_t twin;
    if (tree->node_count == 0 || tree->nodes[0].parent != MC_NONE)
        return mc_fail(error, MC_ERROR_BAD_DATA, "a step needs a root node");
    mc_result result = mc_builder_check_time(tree->time_ms, error);
    if (result != MC_OK) return result;
    if (!mc_builder_find_step(builder, tree->time_ms, &twin)) return mc_error_out_of_memory(error);
    if (twin != MC_NONE)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "time %" PRId64 " is also the time of a step in %s; steps need "
                       "different times",
                       tree->time_ms,
                       strcmp(builder->steps[twin].source, source) == 0
                           ? "this file"
                           : builder->steps[twin].source);
    if (builder->step_count > 0 && tree->key_kind != builder->key_kind)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "this step has another form than the one in %s; a trace's steps have "
                       "all the AntTracks form or all the default form",
                       builder->steps[0].source);
    if (builder->step_count > 0) {
        size_t size;
        const char *key = mc_strings_get(&builder->strings, builder->nodes[0].key, &size);
        const mc_step_entry *root = &tree->nodes[0];
        mc_excerpt excerpt;
        if (root->key_size != size || memcmp(tree->text.data + root->key_offset, key, size) != 0)
            return mc_error_set(error, MC_ERROR_BAD_DATA, root->source_offset,
                                "the root's key is not \"%s\" as in %s",
                                mc_excerpt_make(&excerpt, key, size), builder->steps[0].source);
    }
    return MC_OK;
}

static mc_result fill_step(mc_trace_builder *builder, const mc_step_tree *tree,
                           const mc_metric *metrics, mc_seen_step *step, const char *source,
                           mc_error *error) {
    const mc_seen_step *like = find_like(builder, tree);
    builder->rename_count = 0;
    builder->hashed_begin = builder->hashed_end = 0;
    builder->latest_step = MC_NONE;
    builder->shape = 0;
    mc_result result = like ? MC_OK : resolve_nodes(builder, tree, error);
    if (result == MC_OK) result = mc_builder_fill_columns(builder, tree, metrics, step, error);
    if (result == MC_OK)
        result =
            like ? copy_bits(builder, like, step, error) : fill_bits(builder, tree, step, error);
    if (result == MC_OK) result = fill_renames(builder, step, error);
    if (result == MC_OK && !reserve_unexplained(builder)) result = mc_error_out_of_memory(error);
    if (result != MC_OK) return result;
    size_t size = strlen(source) + 1;
    step->source = mc_alloc(size, 1);
    if (!step->source) return mc_error_out_of_memory(error);
    memcpy(step->source, source, size);
    if (tree->note && !mc_note_copy(&step->note, tree->note, strlen(tree->note)))
        return mc_error_out_of_memory(error);
    step->info.time_ms = tree->time_ms;
    step->info.heap_limit = tree->heap_limit;
    step->info.liveness = tree->liveness;
    if (tree->missing) {
        step->info.is_incomplete = true;
        step->info.missing =
            mc_strings_intern(&builder->strings, tree->missing, strlen(tree->missing));
        if (step->info.missing == MC_NONE) return mc_error_out_of_memory(error);
    }
    step->info.objects = tree->nodes[0].objects;
    step->info.bytes = tree->nodes[0].bytes;
    step->seen_count = (uint32_t)builder->node_count;
    return MC_OK;
}

// Steps come in any order; what counts is the earliest in time. Behind all others in time a step
// only is the first of the nodes that are new.
static void note_first_places(mc_trace_builder *builder, const mc_step_tree *tree, size_t known) {
    bool is_latest = builder->step_count == 0 || tree->time_ms > builder->latest_time_ms;
    size_t first = is_latest ? known : 0;
    for (size_t entry = 0; first < builder->node_count && entry < tree->node_count; entry++) {
        if (builder->step_nodes[entry] < first) continue;
        mc_seen_place *place = &builder->places[builder->step_nodes[entry]];
        if (tree->time_ms > place->first_time_ms) continue;
        place->first_time_ms = tree->time_ms;
        place->first_entry = (uint32_t)entry;
    }
    if (is_latest) builder->latest_time_ms = tree->time_ms;
}

// What a failed step changed in the table of metrics is taken back by taking the old one back.
static mc_result merge_metrics(mc_trace_builder *builder, const mc_step_tree *tree,
                               mc_metrics *known, mc_metric *map, mc_error *error) {
    mc_metrics merged = {0};
    if (tree->metrics.count == 0) return MC_OK;
    if (!mc_metrics_copy(&merged, &builder->metrics)) return mc_error_out_of_memory(error);
    *known = builder->metrics;
    builder->metrics = merged;
    return mc_builder_merge_metrics(builder, tree, map, error);
}

static void take_back_metrics(mc_trace_builder *builder, const mc_metrics *known) {
    if (known->count == 0) return; // nothing was merged
    mc_metrics_deinit(&builder->metrics);
    builder->metrics = *known;
}

mc_result mc_trace_builder_add_step(mc_trace_builder *builder, const mc_step_tree *tree,
                                    const char *source, mc_error *error) {
    mc_result result = check_step(builder, tree, source, error);
    if (result != MC_OK) return result;
    result = reserve_scratch(builder, tree, error);
    if (result != MC_OK) return result;
    if (builder->step_count == 0) builder->key_kind = tree->key_kind;

    size_t known_nodes = builder->node_count, known_classifiers = builder->classifier_count;
    uint64_t renamed_count = builder->renamed_count;
    mc_metrics known_metrics = {0};
    mc_metric metrics[MC_METRIC_MOST];
    mc_seen_step step = {0};
    builder->stamp++;
    result = merge_metrics(builder, tree, &known_metrics, metrics, error);
    if (result == MC_OK) result = fill_step(builder, tree, metrics, &step, source, error);
    if (result != MC_OK) {
        mc_seen_step_deinit(&step);
        builder->series = 0; // whose groups may have become nodes that go
        mc_builder_forget_nodes(builder, known_nodes);
        take_back_metrics(builder, &known_metrics);
        builder->classifier_count = known_classifiers;
        builder->renamed_count = renamed_count;
        return result;
    }
    mc_metrics_deinit(&known_metrics);
    note_first_places(builder, tree, known_nodes);
    mc_builder_note_unexplained(builder, tree, metrics, &step);
    builder->latest_step = (uint32_t)builder->step_count;
    builder->shape = tree->shape;
    builder->steps[builder->step_count++] = step;
    return MC_OK;
}
