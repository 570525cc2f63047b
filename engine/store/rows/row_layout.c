#include "engine/store/rows/row_layout.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include "engine/trace/trace_columns.h"
#include <inttypes.h>
#include <string.h>

#define ROOT_KEY "Heap"        // of rows without a column for it
#define GRAPH_PLACE_MOST 1024u // places that are put in order by what stands below what

void mc_row_layout_deinit(mc_row_layout *self) {
    mc_free(self->places);
    mc_free(self->place_of);
    *self = (mc_row_layout){0};
}

static bool is_text(const char *bytes, size_t size, const char *text) {
    return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

const char *mc_row_layout_get_key(const mc_trace *trace, uint32_t node, size_t *size) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    size_t prefix_size;
    const char *key = mc_trace_get_string(trace, nodes->key[node], size);
    if (mc_trace_get_key_kind(trace) != MC_KEY_FULL || nodes->parent[node] == MC_NONE) return key;
    const char *prefix = mc_trace_get_string(trace, nodes->key[nodes->parent[node]], &prefix_size);
    if (*size <= prefix_size || memcmp(key, prefix, prefix_size) != 0 || key[prefix_size] != '#')
        return key;
    *size -= prefix_size + 1;
    return key + prefix_size + 1;
}

// ---- names

static mc_result check_name(const char *name, size_t size, mc_error *error) {
    mc_excerpt shown;
    if (mc_utf8_is_valid(name, size)) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "rows can't hold this trace: the name \"%s\" is no UTF-8",
                   mc_excerpt_make(&shown, name, size));
}

static void note_name(mc_row_layout *self, uint32_t node, uint32_t string) {
    size_t key_size, name_size;
    const char *key = mc_row_layout_get_key(self->trace, node, &key_size);
    const char *name = mc_trace_get_string(self->trace, string, &name_size);
    if (key_size == name_size && memcmp(key, name, name_size) == 0) return;
    if (self->place_of[node] != MC_NONE)
        self->places[self->place_of[node]].has_names = true;
    else if (node == 0)
        self->has_root = self->has_root_name = true;
}

static bool looks_like_number(const char *text, size_t size) {
    bool has_digit = false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] >= '0' && text[i] <= '9')
            has_digit = true;
        else if (!text[i] || !strchr("+-.eE", text[i]))
            return false;
    }
    return has_digit;
}

static mc_result look_at_names(mc_row_layout *self, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    mc_result result = MC_OK;
    for (uint32_t node = 0; node < nodes->count && result == MC_OK; node++) {
        if (nodes->flags[node] & MC_NODE_SELF) continue;
        size_t size;
        const char *key = mc_row_layout_get_key(self->trace, node, &size);
        result = check_name(key, size, error);
        // A reader would take a column of such for a metric.
        if (self->place_of[node] != MC_NONE && looks_like_number(key, size))
            self->places[self->place_of[node]].is_plain = false;
        if (node == 0) self->has_root |= !is_text(key, size, ROOT_KEY);
        note_name(self, node, nodes->name[node]);
        key = mc_trace_get_string(self->trace, nodes->name[node], &size);
        if (result == MC_OK) result = check_name(key, size, error);
    }
    for (uint32_t step = 0; step < mc_trace_get_step_count(self->trace) && result == MC_OK;
         step++) {
        mc_side_rows rows = {.rows = NULL};
        result = mc_trace_read_side(self->trace, step, MC_SIDE_RENAMES, &rows, error);
        const mc_rename *renames = rows.rows;
        for (uint32_t i = 0; i < rows.count && result == MC_OK; i++) {
            size_t size;
            const char *name = mc_trace_get_string(self->trace, renames[i].name, &size);
            result = check_name(name, size, error);
            note_name(self, renames[i].node, renames[i].name);
        }
        mc_side_rows_deinit(&rows);
    }
    return result;
}

// ---- places

typedef struct places {
    mc_row_place *items;
    uint32_t *levels; // the least of each
    size_t capacity, level_capacity;
    uint32_t count;
} places;

static uint32_t find_or_add(places *all, uint32_t role, uint32_t number, uint32_t level) {
    for (uint32_t i = all->count; i-- > 0;)
        if (all->items[i].role == role && all->items[i].number == number) return i;
    if (!mc_reserve(&all->items, &all->capacity, (size_t)all->count + 1, sizeof *all->items) ||
        !mc_reserve(&all->levels, &all->level_capacity, (size_t)all->count + 1,
                    sizeof *all->levels))
        return MC_NONE;
    all->items[all->count] = (mc_row_place){.role = role, .number = number, .is_plain = true};
    all->levels[all->count] = level; // breadth first: the least comes first
    return all->count++;
}

// Which of its classifier's levels a node is: how many of those above it have the same one.
static uint32_t count_role(const mc_node_columns *nodes, uint32_t node) {
    uint32_t count = 0, role = nodes->role[node];
    for (; nodes->parent[node] != MC_NONE; node = nodes->parent[node])
        count += nodes->role[node] == role;
    return count;
}

// By classifier and how often it stands above; or, where these go in a circle, by level.
static bool assign(mc_row_layout *self, places *all, bool is_by_level) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    for (uint32_t node = 0; node < nodes->count; node++) {
        self->place_of[node] = MC_NONE;
        if (node == 0 || nodes->flags[node] & MC_NODE_SELF) continue;
        uint32_t level = nodes->level[node];
        uint32_t number = is_by_level ? level : count_role(nodes, node);
        self->place_of[node] = find_or_add(all, nodes->role[node], number, level);
        if (self->place_of[node] == MC_NONE) return false;
        if (all->count > MC_ROW_PLACE_MOST) return true; // too many, and that is told
    }
    return true;
}

static bool is_before(const places *all, uint32_t a, uint32_t b) {
    if (all->levels[a] != all->levels[b]) return all->levels[a] < all->levels[b];
    if (all->items[a].role != all->items[b].role) return all->items[a].role < all->items[b].role;
    return all->items[a].number < all->items[b].number;
}

// Of places that stand below none that is left, the first. `order` says where each goes; false: in
// a circle.
static bool sort_places(const places *all, const uint8_t *is_below, uint32_t *order) {
    uint32_t count = all->count;
    for (uint32_t i = 0; i < count; i++)
        order[i] = MC_NONE;
    for (uint32_t next = 0; next < count; next++) {
        uint32_t best = MC_NONE;
        for (uint32_t i = 0; i < count; i++) {
            bool is_free = order[i] == MC_NONE;
            for (uint32_t k = 0; k < count && is_free; k++)
                is_free = order[k] != MC_NONE || !is_below[(size_t)k * count + i];
            if (is_free && (best == MC_NONE || is_before(all, i, best))) best = i;
        }
        if (best == MC_NONE) return false;
        order[best] = next;
    }
    return true;
}

static void sort_by_level(const places *all, uint32_t *order) {
    for (uint32_t i = 0; i < all->count; i++) {
        order[i] = 0;
        for (uint32_t k = 0; k < all->count; k++)
            order[i] += is_before(all, k, i);
    }
}

static bool order_places(mc_row_layout *self, const places *all, bool is_by_level, uint32_t *order,
                         bool *is_circle) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    *is_circle = false;
    if (is_by_level) {
        sort_by_level(all, order);
        return true;
    }
    uint8_t *is_below = mc_alloc_zero((size_t)all->count * all->count, 1);
    if (!is_below) return false;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (self->place_of[node] == MC_NONE) continue;
        uint32_t parent = self->place_of[nodes->parent[node]];
        if (parent != MC_NONE) is_below[(size_t)parent * all->count + self->place_of[node]] = 1;
    }
    *is_circle = !sort_places(all, is_below, order);
    mc_free(is_below);
    return true;
}

// Numbers within a classifier follow the order of places.
static bool take_order(mc_row_layout *self, const places *all, const uint32_t *order) {
    uint32_t node_count = mc_trace_get_nodes(self->trace)->count;
    self->places = mc_alloc(all->count, sizeof *self->places);
    if (!self->places) return false;
    self->place_count = all->count;
    for (uint32_t i = 0; i < all->count; i++)
        self->places[order[i]] = all->items[i];
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t number = 1;
        for (uint32_t k = 0; k < i; k++)
            number += self->places[k].role == self->places[i].role;
        self->places[i].number = number;
    }
    for (uint32_t node = 0; node < node_count; node++)
        if (self->place_of[node] != MC_NONE) self->place_of[node] = order[self->place_of[node]];
    return true;
}

static mc_result find_places(mc_row_layout *self, bool is_by_level, bool *is_circle,
                             mc_error *error) {
    places all = {0};
    bool is_fine = assign(self, &all, is_by_level);
    uint32_t *order = is_fine && all.count > 0 ? mc_alloc(all.count, sizeof *order) : NULL;
    *is_circle = is_fine && !is_by_level && all.count > GRAPH_PLACE_MOST;
    mc_result result = MC_OK;
    if (!is_fine || (all.count > 0 && !order))
        result = mc_error_out_of_memory(error);
    else if (all.count > MC_ROW_PLACE_MOST)
        result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                         "rows can't hold this trace: a path would take %" PRIu32
                         " columns, and %u are the most",
                         all.count, MC_ROW_PLACE_MOST);
    bool is_placed = result != MC_OK || *is_circle || all.count == 0 ||
                     order_places(self, &all, is_by_level, order, is_circle);
    if (result == MC_OK && !*is_circle && all.count > 0)
        is_placed = is_placed && take_order(self, &all, order);
    if (!is_placed) result = mc_error_out_of_memory(error);
    mc_free(order);
    mc_free(all.items);
    mc_free(all.levels);
    return result;
}

// ---- titles

// What a column of rows is called for what it is.
static bool is_reserved(const char *title, size_t size) {
    return is_text(title, size, "time") || is_text(title, size, "root") ||
           is_text(title, size, "objects") || is_text(title, size, "bytes") ||
           (size > 0 && title[size - 1] == ']');
}

static const char *get_role(const mc_row_layout *self, uint32_t place, size_t *size) {
    *size = 0;
    uint32_t role = self->places[place].role;
    return role == MC_NONE ? "" : mc_trace_get_classifier(self->trace, role, size);
}

static void choose_titles(mc_row_layout *self) {
    for (uint32_t i = 0; i < self->place_count; i++) {
        size_t size;
        const char *role = get_role(self, i, &size);
        bool is_clear = size > 0 && self->places[i].number == 1 && !is_reserved(role, size);
        is_clear &= mc_metric_info_of_key(role, size).says == 0;
        for (mc_metric k = 0; k < mc_trace_get_metric_count(self->trace); k++) {
            const mc_metric_info *metric = mc_trace_get_metric(self->trace, k);
            is_clear &= metric->key_size != size || memcmp(metric->key, role, size) != 0;
        }
        self->places[i].is_plain &= is_clear;
    }
}

void mc_row_layout_append_place(const mc_row_layout *self, uint32_t place, bool is_name,
                                mc_text *out) {
    size_t size;
    const char *role = get_role(self, place, &size);
    mc_text_append(out, role, size);
    if (is_name && self->places[place].is_plain)
        mc_text_append_string(out, "[name]");
    else if (!self->places[place].is_plain)
        mc_text_format(out, "[%" PRIu32 "%s]", self->places[place].number, is_name ? " name" : "");
}

// Of a metric whose facts begin at `begin`.
static void append_fact(mc_text *out, size_t begin, const char *fact) {
    mc_text_append_string(out, out->size == begin ? "[" : " ");
    mc_text_append_string(out, fact);
}

static bool is_plain(const mc_metric_info *info, const mc_metric_info *usual) {
    return usual->says == 0 && usual->unit == info->unit && usual->kind == info->kind &&
           !info->is_real && info->is_additive == usual->is_additive;
}

// Several columns of numbers that nothing is said of are not taken for metrics.
static bool has_several_plain(const mc_row_layout *self) {
    uint32_t count = 0;
    for (mc_metric k = MC_METRIC_FIRST_OWN; k < mc_trace_get_metric_count(self->trace); k++) {
        const mc_metric_info *info = mc_trace_get_metric(self->trace, k);
        mc_metric_info usual = mc_metric_info_of_key(info->key, info->key_size);
        count += is_plain(info, &usual);
    }
    return count > 1;
}

// What is as one would think without being told is left out.
void mc_row_layout_append_metric(const mc_row_layout *self, mc_metric metric, mc_text *out) {
    const mc_metric_info *info = mc_trace_get_metric(self->trace, metric);
    mc_metric_info usual = mc_metric_info_of_key(info->key, info->key_size);
    mc_text_append(out, info->key, info->key_size);
    if (metric < MC_METRIC_FIRST_OWN) return;
    bool is_title = usual.title_size == info->title_size &&
                    memcmp(usual.title, info->title, info->title_size) == 0;
    size_t begin = out->size;
    if (usual.unit != info->unit) append_fact(out, begin, mc_unit_names[info->unit]);
    if (usual.kind != info->kind) append_fact(out, begin, mc_metric_kind_names[info->kind]);
    if ((usual.is_additive && !info->is_real) != info->is_additive)
        append_fact(out, begin, info->is_additive ? "additive" : "single");
    if (info->is_real) append_fact(out, begin, "real");
    if (!is_title) append_fact(out, begin, "title=");
    for (size_t i = 0; i < info->title_size && !is_title; i++) {
        char letter = info->title[i];
        letter = letter == '[' ? '(' : letter == ']' ? ')' : letter; // they would end it
        mc_text_append(out, &letter, 1);
    }
    bool is_taken_for_name = usual.says == 0 && has_several_plain(self);
    if (out->size == begin && (is_taken_for_name || is_reserved(info->key, info->key_size)))
        append_fact(out, begin, "metric");
    if (out->size > begin) mc_text_append_string(out, "]");
}

// ---- columns

typedef struct lister {
    bool (*add)(void *user, const mc_row_column *column);
    void *user;
    mc_text title;
    bool goes_on;
} lister;

static void add(lister *list, mc_row_column_kind kind, bool may_be_null) {
    mc_row_column column = {kind, may_be_null, list->title.data, list->title.size};
    list->goes_on = list->goes_on && !list->title.failed && list->add(list->user, &column);
    mc_text_clear(&list->title);
}

static void add_titled(lister *list, mc_row_column_kind kind, bool may_be_null, const char *title) {
    mc_text_append_string(&list->title, title);
    add(list, kind, may_be_null);
}

static void add_places(const mc_row_layout *self, lister *list, const char *prefix) {
    for (uint32_t i = 0; i < self->place_count; i++) {
        mc_text_append_string(&list->title, prefix);
        mc_row_layout_append_place(self, i, false, &list->title);
        add(list, MC_ROW_NAME, true);
        if (!self->places[i].has_names) continue;
        mc_text_append_string(&list->title, prefix);
        mc_row_layout_append_place(self, i, true, &list->title);
        add(list, MC_ROW_NAME, true);
    }
}

static void add_metrics(const mc_row_layout *self, lister *list) {
    for (mc_metric i = 0; i < mc_trace_get_metric_count(self->trace); i++) {
        const mc_metric_info *info = mc_trace_get_metric(self->trace, i);
        mc_row_layout_append_metric(self, i, &list->title);
        add(list, info->is_real ? MC_ROW_REAL : MC_ROW_COUNT, !info->is_additive);
    }
}

bool mc_row_layout_list(const mc_row_layout *self, bool is_references,
                        bool (*add_column)(void *user, const mc_row_column *column), void *user) {
    lister list = {.add = add_column, .user = user, .goes_on = true};
    add_titled(&list, MC_ROW_TIME, false, "time");
    if (is_references) {
        add_places(self, &list, "from_");
        add_places(self, &list, "to_");
        add_titled(&list, MC_ROW_COUNT, true, "points_to");
        add_titled(&list, MC_ROW_COUNT, true, "pointed_from");
    } else {
        if (self->has_root) add_titled(&list, MC_ROW_NAME, false, "root");
        if (self->has_root_name) add_titled(&list, MC_ROW_NAME, true, "root[name]");
        add_places(self, &list, "");
        add_metrics(self, &list);
    }
    mc_text_deinit(&list.title);
    return list.goes_on;
}

mc_result mc_row_layout_create(mc_row_layout *self, const mc_trace *trace, mc_error *error) {
    *self = (mc_row_layout){.trace = trace};
    bool is_circle = false;
    if (mc_trace_get_nodes(trace)->depth > MC_ROW_PLACE_MOST)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "rows can't hold this trace: it is %" PRIu32
                       " levels deep, and %u columns of names are the most",
                       mc_trace_get_nodes(trace)->depth, MC_ROW_PLACE_MOST);
    self->place_of = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *self->place_of);
    mc_result result = self->place_of ? find_places(self, false, &is_circle, error)
                                      : mc_error_out_of_memory(error);
    if (result == MC_OK && is_circle) result = find_places(self, true, &is_circle, error);
    if (result == MC_OK) result = look_at_names(self, error);
    if (result == MC_OK) choose_titles(self);
    if (result != MC_OK) mc_row_layout_deinit(self);
    return result;
}
