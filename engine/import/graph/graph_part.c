#include "engine/import/graph/graph_part.h"

#include "engine/base/memory.h"
#include <string.h>

#define PLAIN_CELLS 2u // of what a type follows from: its flags and its class; then its keys

static mc_result fail(mc_graph_part *self, const char *what) {
    return mc_error_set(&self->error, MC_ERROR_BAD_DATA,
                        (uint64_t)(self->rows.row - self->rows.begin), "%s", what);
}

static bool is_word(mc_heap_key cell, const char *word) {
    return cell.size == strlen(word) && memcmp(cell.text, word, cell.size) == 0;
}

// ---- words

static void append_key(mc_text *text, mc_heap_key key) {
    mc_text_append(text, (const char *)&key.size, sizeof key.size);
    if (key.size > 0) mc_text_append(text, key.text, key.size);
}

static const char *take_key(const char *at, mc_heap_key *key) {
    memcpy(&key->size, at, sizeof key->size);
    key->text = at + sizeof key->size;
    return key->text + key->size;
}

// MC_NONE: out of memory.
static uint32_t intern(mc_graph_part *self, const mc_graph_word *word, uint32_t key_count) {
    const uint32_t head[2] = {(uint32_t)word->kind, word->flags};
    mc_text *key = &self->key;
    mc_text_clear(key);
    mc_text_append(key, (const char *)head, sizeof head);
    for (uint32_t i = 0; i < key_count; i++)
        append_key(key, word->keys[i]);
    append_key(key, word->title);
    return key->failed ? MC_NONE : mc_strings_intern(&self->words, key->data, key->size);
}

mc_graph_word mc_graph_part_get_word(const mc_graph_part *self, uint32_t index) {
    mc_graph_word word = {.flags = 0};
    uint32_t head[2], key_count = 1;
    const char *at = mc_strings_get(&self->words, index, NULL);
    memcpy(head, at, sizeof head);
    at += sizeof head;
    word.kind = (mc_graph_word_kind)head[0];
    word.flags = head[1];
    if (word.kind == MC_GRAPH_WORD_TYPE) key_count = self->rows.level_count;
    for (uint32_t i = 0; i < key_count; i++)
        at = take_key(at, &word.keys[i]);
    take_key(at, &word.title);
    return word;
}

// Where cells of alike rows are noted, by what is quick to see of them.
static mc_graph_recent *find_recent(mc_graph_part *self, uint32_t flags, const mc_heap_key *cells,
                                    uint32_t count) {
    uint32_t hash = flags;
    for (uint32_t i = 0; i < count; i++) {
        const mc_heap_key cell = cells[i];
        hash = hash * 31 + (uint32_t)cell.size;
        if (cell.size > 0)
            hash = hash * 31 + (unsigned char)cell.text[0] * 7u +
                   (unsigned char)cell.text[cell.size - 1];
    }
    return &self->recent[(hash ^ hash >> 6) % MC_GRAPH_RECENT];
}

static bool is_recent(const mc_graph_recent *recent, uint32_t flags, const mc_heap_key *cells,
                      uint32_t count) {
    if (recent->word == MC_NONE || recent->flags != flags) return false;
    for (uint32_t i = 0; i < count; i++)
        if (recent->cells[i].size != cells[i].size ||
            (cells[i].size > 0 && memcmp(recent->cells[i].text, cells[i].text, cells[i].size) != 0))
            return false;
    return true;
}

// ---- objects

static bool has_flag(mc_heap_key flags, const char *wanted) {
    const size_t size = strlen(wanted);
    for (size_t i = 0; i + size <= flags.size; i++)
        if (memcmp(flags.text + i, wanted, size) == 0) return true;
    return false;
}

static uint32_t add_type(mc_graph_part *self, const mc_heap_key *cells) {
    const mc_graph_rows *rows = &self->rows;
    const uint32_t level_count = rows->level_count > 0 ? rows->level_count : 1;
    const mc_heap_key flags = cells[0], *keys = cells + PLAIN_CELLS;
    mc_graph_word word = {.kind = MC_GRAPH_WORD_TYPE, .title = cells[1]};
    memcpy(word.keys, keys, rows->level_count * sizeof *keys);
    if (word.title.size == 0)
        word.title = word.keys[rows->type_level != MC_NONE ? rows->type_level : level_count - 1];
    if (word.title.size == 0) word.title = (mc_heap_key){"(unknown)", 9};
    word.flags = MC_OBJECT_LASTING | (has_flag(flags, "runtime") ? 0u : MC_OBJECT_PROGRAM) |
                 (has_flag(flags, "array") ? MC_OBJECT_ARRAY : 0u);
    return intern(self, &word, rows->level_count);
}

static uint32_t find_type(mc_graph_part *self) {
    const mc_graph_rows *rows = &self->rows;
    const uint32_t count = PLAIN_CELLS + rows->level_count;
    mc_heap_key cells[MC_HEAP_LEVELS_MAX + PLAIN_CELLS] = {rows->cells[MC_GRAPH_CELL_FLAGS],
                                                           rows->cells[MC_GRAPH_CELL_CLASS]};
    memcpy(cells + PLAIN_CELLS, rows->keys, rows->level_count * sizeof *cells);
    if (rows->has_escapes) return add_type(self, cells); // the next row is in their place
    mc_graph_recent *recent = find_recent(self, 0, cells, count);
    if (is_recent(recent, 0, cells, count)) return recent->word;
    *recent = (mc_graph_recent){.word = add_type(self, cells)};
    memcpy(recent->cells, cells, count * sizeof *cells);
    return recent->word;
}

static mc_result add_object(mc_graph_part *self) {
    const mc_heap_key *cells = self->rows.cells;
    const uint32_t at = self->object_count;
    uint64_t id, size = 0;
    if (!mc_graph_cell_get_number(cells[MC_GRAPH_CELL_ID], &id))
        return fail(self, "the id of an object is no number from 0 to 2^64 - 1");
    if (cells[MC_GRAPH_CELL_SIZE].size > 0 &&
        (!mc_graph_cell_get_number(cells[MC_GRAPH_CELL_SIZE], &size) || size > INT64_MAX))
        return fail(self, "the size of an object is no number of bytes");
    const size_t count = (size_t)at + 1;
    if (!mc_reserve(&self->ids, &self->id_capacity, count, sizeof *self->ids) ||
        !mc_reserve(&self->sizes, &self->size_capacity, count, sizeof *self->sizes) ||
        !mc_reserve(&self->types, &self->type_capacity, count, sizeof *self->types))
        return mc_error_out_of_memory(&self->error);
    const uint32_t type = find_type(self);
    if (type == MC_NONE) return mc_error_out_of_memory(&self->error);
    self->ids[at] = id;
    self->sizes[at] = size;
    self->types[at] = type;
    self->object_count++;
    return MC_OK;
}

// ---- references

static mc_result find_id(mc_graph_part *self, mc_graph_cell cell, uint64_t *id) {
    if (mc_graph_cell_get_number(self->rows.cells[cell], id)) return MC_OK;
    return fail(self, "the id of an object that a row refers to is no number from 0 to 2^64 - 1");
}

static mc_result find_link_kind(mc_graph_part *self, mc_heap_link_kind *kind) {
    const mc_heap_key cell = self->rows.cells[MC_GRAPH_CELL_KIND];
    *kind = MC_HEAP_LINK_FIELD;
    if (cell.size == 0 || is_word(cell, "strong")) return MC_OK;
    if (is_word(cell, "weak"))
        *kind = MC_HEAP_LINK_WEAK;
    else if (is_word(cell, "global"))
        *kind = MC_HEAP_LINK_STATIC;
    else
        return fail(self, "the kind of a reference is none of strong, weak and global");
    return MC_OK;
}

// *label: MC_NONE if it has no name. False: memory is out.
static bool find_label(mc_graph_part *self, const mc_graph_pending *edge, uint32_t *label) {
    const uint32_t kind = (uint32_t)edge->kind;
    *label = MC_NONE;
    if (edge->field.size == 0 && edge->kind == MC_HEAP_LINK_FIELD) return true;
    mc_graph_recent *recent = find_recent(self, kind, &edge->field, 1);
    if (edge->is_lasting && is_recent(recent, kind, &edge->field, 1)) {
        *label = recent->word;
        return true;
    }
    const mc_graph_word word = {.kind = MC_GRAPH_WORD_LABEL, .flags = kind, .keys = {edge->field}};
    *label = intern(self, &word, 1);
    if (edge->is_lasting) *recent = (mc_graph_recent){*label, kind, {edge->field}};
    return *label != MC_NONE;
}

// References that wait for their ends, in the order in which they came.
static mc_result add_pending(mc_graph_part *self) {
    const uint32_t pending = self->pending_count;
    const size_t count = (size_t)self->edge_count + pending;
    uint32_t ends[2 * MC_GRAPH_BATCH];
    if (pending == 0) return MC_OK;
    self->pending_count = 0;
    if (!mc_reserve(&self->sources, &self->source_capacity, count, sizeof *self->sources) ||
        !mc_reserve(&self->targets, &self->target_capacity, count, sizeof *self->targets) ||
        !mc_reserve(&self->labels, &self->label_capacity, count, sizeof *self->labels))
        return mc_error_out_of_memory(&self->error);
    mc_graph_ids_find(self->found, self->pending_ids, ends, 2 * pending);
    for (uint32_t i = 0; i < pending; i++) {
        const uint32_t from = ends[2 * i], to = ends[2 * i + 1];
        self->dangling_count += (uint64_t)(from == MC_NONE) + (to == MC_NONE);
        if (from == MC_NONE || to == MC_NONE) continue;
        if (!find_label(self, &self->pending[i], &self->labels[self->edge_count]))
            return mc_error_out_of_memory(&self->error);
        self->sources[self->edge_count] = from;
        self->targets[self->edge_count++] = to;
    }
    return MC_OK;
}

static mc_result add_edge(mc_graph_part *self) {
    uint64_t *ids = self->pending_ids + (size_t)2 * self->pending_count;
    mc_graph_pending *edge = &self->pending[self->pending_count];
    mc_result result = find_id(self, MC_GRAPH_CELL_ID, &ids[0]);
    if (result == MC_OK) result = find_id(self, MC_GRAPH_CELL_TO, &ids[1]);
    if (result == MC_OK) result = find_link_kind(self, &edge->kind);
    if (result != MC_OK) return result;
    edge->field = self->rows.cells[MC_GRAPH_CELL_FIELD];
    self->pending_count++;
    edge->is_lasting = !self->rows.has_escapes;
    return self->pending_count == MC_GRAPH_BATCH || !edge->is_lasting ? add_pending(self) : MC_OK;
}

// ---- roots

static const struct {
    const char *name;
    mc_root_kind kind;
} more_kinds[] = {{"stack", MC_ROOT_STACK},
                  {"internal", MC_ROOT_VM_INTERNAL},
                  {"soft", MC_ROOT_SOFT},
                  {"finalizer", MC_ROOT_FINALIZING}};

static mc_root_kind find_root_kind(mc_heap_key cell) {
    for (size_t i = 0; i < MC_ROOT_COUNT; i++)
        if (is_word(cell, mc_root_kind_names[i])) return (mc_root_kind)i;
    for (size_t i = 0; i < sizeof more_kinds / sizeof *more_kinds; i++)
        if (is_word(cell, more_kinds[i].name)) return more_kinds[i].kind;
    return MC_ROOT_UNKNOWN;
}

static mc_result add_root(mc_graph_part *self) {
    const mc_heap_key name = self->rows.cells[MC_GRAPH_CELL_NAME];
    mc_graph_part_root root = {.name = MC_NONE};
    uint64_t id;
    mc_result result = find_id(self, MC_GRAPH_CELL_ID, &id);
    if (result == MC_OK) result = add_pending(self); // whose words come first
    if (result != MC_OK) return result;
    mc_graph_ids_find(self->found, &id, &root.object, 1);
    if (root.object == MC_NONE) {
        self->dangling_count++;
        return MC_OK;
    }
    root.kind = find_root_kind(self->rows.cells[MC_GRAPH_CELL_KIND]);
    if (name.size > 0) {
        const mc_graph_word word = {.kind = MC_GRAPH_WORD_ROOT, .keys = {name}};
        root.name = intern(self, &word, 1);
        if (root.name == MC_NONE) return mc_error_out_of_memory(&self->error);
    }
    if (!mc_reserve(&self->roots, &self->root_capacity, (size_t)self->root_count + 1,
                    sizeof *self->roots))
        return mc_error_out_of_memory(&self->error);
    self->roots[self->root_count++] = root;
    return MC_OK;
}

// ---- all of it

static void begin(mc_graph_part *self) {
    mc_text_deinit(&self->rows.scratch);
    mc_strings_deinit(&self->words);
    self->words = (mc_strings){.bytes = NULL};
    self->key.failed = false;
    self->error = (mc_error){.code = MC_OK};
    self->object_count = self->edge_count = self->root_count = self->pending_count = 0;
    self->dangling_count = 0;
    for (uint32_t i = 0; i < MC_GRAPH_RECENT; i++)
        self->recent[i].word = MC_NONE;
}

void mc_graph_part_read(mc_graph_part *self, const mc_graph_rows *whole, const char *from,
                        const char *end, const mc_graph_section *section, const mc_graph_ids *ids) {
    const uint32_t kinds =
        ids ? 1u << MC_GRAPH_ROW_EDGE | 1u << MC_GRAPH_ROW_ROOT : 1u << MC_GRAPH_ROW_NODE;
    begin(self);
    self->found = ids;
    mc_graph_rows_init_part(&self->rows, whole, from, end, section);
    mc_result result;
    while ((result = mc_graph_rows_next(&self->rows, kinds, &self->error)) == MC_OK &&
           self->rows.kind != MC_GRAPH_ROW_END) {
        result = self->rows.kind == MC_GRAPH_ROW_NODE   ? add_object(self)
                 : self->rows.kind == MC_GRAPH_ROW_EDGE ? add_edge(self)
                                                        : add_root(self);
        if (result != MC_OK) break;
    }
    if (result == MC_OK) result = add_pending(self);
    self->result = result;
}

void mc_graph_part_deinit(mc_graph_part *self) {
    mc_text_deinit(&self->rows.scratch);
    mc_strings_deinit(&self->words);
    mc_text_deinit(&self->key);
    mc_free(self->ids);
    mc_free(self->sizes);
    mc_free(self->types);
    mc_free(self->sources);
    mc_free(self->targets);
    mc_free(self->labels);
    mc_free(self->roots);
    mc_free(self->map);
}
