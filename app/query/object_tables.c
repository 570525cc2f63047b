#include "app/query/table.h"
#include "engine/base/memory.h"
#include "engine/import/heap_file.h"
#include "engine/import/hprof/hprof_cells.h"
#include "engine/import/hprof/hprof_rows.h"
#include "engine/import/hprof/hprof_shapes.h"
#include <string.h>

#define COUNT_OF(columns) (sizeof(columns) / sizeof *(columns))

#define RECENT_COUNT 256u // a power of two

// Columns that `memcity objects` calls otherwise, or does not have (NULL).
typedef struct column_source {
    const char *name;
    bool is_text;
} column_source;

// What is read while rows come.
typedef struct object_reader {
    mc_query_source *source;
    mc_query_rows *rows;
    const column_source *sources;
    uint32_t fields[MC_QUERY_COLUMNS_MOST]; // column of each field that comes
    uint32_t field_count;
    uint64_t words[MC_QUERY_COLUMNS_MOST]; // of a row; those that no field has stay
    uint32_t recent[RECENT_COUNT];         // texts that came lately, by recent_place(); or MC_NONE
    bool is_weighted;                      // a row may stand for many objects
    mc_text rest, text;                    // a line's beginning; a field without escapes
    mc_error *error;
} object_reader;

// ---- a row

static const char *unescape(object_reader *self, const char *field, size_t *size) {
    static const char letters[] = "tnr0bf\\", meant[] = "\t\n\r\0\b\f\\";
    if (!memchr(field, '\\', *size)) return field;
    mc_text_clear(&self->text);
    for (size_t i = 0; i < *size; i++) {
        const char *letter = field[i] == '\\' && i + 1 < *size
                                 ? memchr(letters, field[i + 1], sizeof letters - 1)
                                 : NULL;
        mc_text_append(&self->text, letter ? &meant[letter - letters] : &field[i], 1);
        i += letter != NULL;
    }
    *size = self->text.size;
    return mc_text_get(&self->text);
}

// By the end, in which names of classes differ.
static uint32_t recent_place(const char *text, size_t size) {
    uint64_t end = size;
    if (size >= 8)
        memcpy(&end, text + size - 8, 8);
    else
        memcpy((char *)&end + 1, text, size > 7 ? 7 : size);
    return (uint32_t)((end * UINT64_C(0x9e3779b97f4a7c15)) >> 56) & (RECENT_COUNT - 1);
}

// Most texts came before, and not long ago.
static uint64_t intern(object_reader *self, const char *text, size_t size, bool *failed) {
    uint32_t *recent = &self->recent[recent_place(text, size)];
    size_t recent_size;
    if (*recent != MC_NONE) {
        const char *before = mc_strings_get(&self->rows->strings, *recent, &recent_size);
        if (recent_size == size && memcmp(before, text, size) == 0) return *recent;
    }
    uint64_t word = mc_query_rows_intern(self->rows, text, size, failed);
    if (!*failed) *recent = (uint32_t)word;
    return word;
}

static uint64_t read_number(const char *field, size_t size) {
    uint64_t number = 0;
    for (size_t i = 0; i < size && field[i] >= '0' && field[i] <= '9'; i++)
        number = number * 10 + (uint64_t)(field[i] - '0');
    return number;
}

static bool read_line(object_reader *self, const char *line, const char *end) {
    bool failed = false;
    for (uint32_t i = 0; i < self->field_count && !failed; i++) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        const char *field_end = tab ? tab : end;
        size_t size = (size_t)(field_end - line);
        uint64_t *word = &self->words[self->fields[i]];
        if (size == 2 && memcmp(line, "\\N", 2) == 0) {
            *word = MC_QUERY_NULL;
        } else if (self->sources[self->fields[i]].is_text) {
            const char *text = unescape(self, line, &size);
            *word = intern(self, text, size, &failed);
        } else {
            *word = read_number(line, size);
        }
        line = tab ? tab + 1 : end;
    }
    return !failed && !self->text.failed && mc_query_rows_add(self->rows, self->words);
}

static bool fail_rows(object_reader *self) {
    (void)mc_error_out_of_memory(self->error);
    return false;
}

static mc_result fail_memory(mc_error *error) {
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "the objects take more memory than is allowed (--memory); fewer columns, or one "
                   "dump (WHERE step = 0), take less");
}

// Pieces mostly end with a line.
static bool read_bytes(void *user, const char *bytes, size_t size) {
    object_reader *self = user;
    const char *end = bytes + size, *line = bytes;
    uint64_t memory = mc_query_rows_memory_size(self->rows) + self->source->memory;
    if (memory > self->source->memory_limit) {
        (void)fail_memory(self->error);
        return false;
    }
    while (line < end) {
        const char *at = memchr(line, '\n', (size_t)(end - line));
        if (!at || self->rest.size > 0)
            mc_text_append(&self->rest, line, (size_t)((at ? at : end) - line));
        if (self->rest.failed) return fail_rows(self);
        if (!at) return true;
        const char *begin = self->rest.size > 0 ? self->rest.data : line;
        if (!read_line(self, begin, begin == line ? at : begin + self->rest.size))
            return fail_rows(self);
        mc_text_clear(&self->rest);
        line = at + 1;
    }
    return true;
}

// ---- columns at once

static size_t get_word_size(const object_reader *self, uint32_t column) {
    const char *name = self->sources[column].name;
    bool is_long = name && strcmp(name, "address") == 0;
    return is_long ? sizeof(uint64_t) : sizeof(uint32_t);
}

// Room for so many rows in each column that is read.
static bool reserve_cells(const object_reader *self, mc_hprof_cells *cells) {
    mc_query_rows *rows = self->rows;
    rows->capacity = (size_t)cells->capacity;
    for (uint32_t k = 0; k < rows->stored_count; k++) {
        uint32_t i = rows->stored[k];
        if (get_word_size(self, i) > sizeof(uint32_t))
            rows->words[i] = mc_alloc(rows->capacity + 1, sizeof *rows->words[i]);
        else
            rows->short_words[i] = mc_alloc(rows->capacity + 1, sizeof *rows->short_words[i]);
        if (!mc_query_rows_has(rows, i)) return false;
    }
    for (uint32_t i = 0; i < self->field_count; i++) {
        cells->words[i] = rows->short_words[self->fields[i]];
        cells->long_words[i] = rows->words[self->fields[i]];
    }
    return true;
}

static void fill_steps(const object_reader *self) {
    uint32_t *steps = self->rows->short_words[0];
    for (size_t i = 0; steps && i < self->rows->count; i++)
        steps[i] = (uint32_t)self->words[0];
}

// All columns as numbers, without a text in between. `*is_done` is false if some have no room so.
static mc_result read_cells(object_reader *self, mc_heap_file *file,
                            const mc_hprof_columns *columns, bool *is_done, mc_error *error) {
    mc_query_rows *rows = self->rows;
    mc_hprof_cells cells = {.capacity = file->format->count_rows(file->reader),
                            .strings = &rows->strings};
    *is_done = cells.capacity < MC_NONE - 1;
    if (!*is_done) return MC_OK;
    uint64_t row_size = 0;
    for (uint32_t k = 0; k < rows->stored_count; k++)
        row_size += get_word_size(self, rows->stored[k]);
    if (cells.capacity * row_size + self->source->memory > self->source->memory_limit)
        return fail_memory(error);
    if (!reserve_cells(self, &cells)) return mc_error_out_of_memory(error);
    mc_result result =
        mc_heap_file_read_cells(file, columns, &cells, self->source->progress, error);
    if (result != MC_OK) return result;
    *is_done = !cells.is_too_wide;
    if (*is_done) {
        rows->count = (size_t)cells.row_count;
        fill_steps(self);
    } else {
        mc_query_rows_clear(rows);
    }
    return MC_OK;
}

// Objects that are alike as one row each. `*is_done` is false if there are too many different ones.
static mc_result read_shapes(object_reader *self, mc_heap_file *file,
                             const mc_hprof_columns *columns, bool *is_done, mc_error *error) {
    mc_query_rows *rows = self->rows;
    mc_hprof_shapes shapes = {.strings = &rows->strings};
    const size_t width = (size_t)columns->count + 1;
    mc_result result =
        mc_heap_file_read_shapes(file, columns, &shapes, self->source->progress, error);
    *is_done = result == MC_OK && !shapes.is_too_many;
    if (*is_done) rows->weights = mc_alloc(shapes.count + 1, sizeof *rows->weights);
    bool has_room = !*is_done || rows->weights;
    for (size_t i = 0; *is_done && i < shapes.count && has_room; i++) {
        const uint64_t *words = shapes.words + i * width;
        for (uint32_t k = 0; k < self->field_count; k++)
            self->words[self->fields[k]] = words[k] == MC_HPROF_NO_VALUE ? MC_QUERY_NULL : words[k];
        rows->weights[i] = words[width - 1];
        has_room = mc_query_rows_add(rows, self->words);
    }
    mc_hprof_shapes_deinit(&shapes);
    return has_room ? result : mc_error_out_of_memory(error);
}

// ---- a dump

// The columns that are asked for, one at least, as `memcity objects` takes them.
static mc_result choose_columns(object_reader *self, bool is_references, mc_hprof_columns *columns,
                                mc_error *error) {
    mc_text list = {0};
    for (uint32_t i = 0; i < self->rows->column_count; i++) {
        if (!self->sources[i].name || !mc_query_wants(self->rows, i)) continue;
        self->fields[self->field_count++] = i;
        mc_text_format(&list, "%s%s", list.size > 0 ? "," : "", self->sources[i].name);
    }
    if (list.size == 0) mc_text_append_string(&list, is_references ? "from_kind" : "kind");
    mc_result result = list.failed
                           ? mc_error_out_of_memory(error)
                           : mc_hprof_columns_parse(list.data, is_references, columns, error);
    mc_text_deinit(&list);
    return result;
}

static mc_result check_damage(const mc_query_source *source, const mc_heap_file *file,
                              mc_error *error) {
    mc_text damage = {0};
    mc_heap_file_append_damage(file, &damage);
    mc_result result = MC_OK;
    if ((damage.size > 0 || damage.failed) && !source->is_partial)
        result =
            mc_fail(error, MC_ERROR_BAD_DATA, "%s: incomplete: %.500s; --partial shows the rest",
                    file->path, mc_text_get(&damage));
    mc_text_deinit(&damage);
    return result;
}

static mc_result read_dump(object_reader *self, const mc_query_dump *dump,
                           const mc_hprof_columns *columns, mc_error *error) {
    mc_heap_file file;
    mc_grouping grouping;
    mc_heap_desc desc = {.collections = self->source->collections, .binary = self->source->binary};
    mc_hprof_columns_get_desc(columns, &grouping, &desc);
    desc.progress = self->source->progress;
    mc_result result = mc_heap_file_open(&file, dump->path, &desc, error);
    bool is_done = false;
    if (result == MC_OK && self->is_weighted && file.format->read_shapes &&
        mc_hprof_shapes_can(columns))
        result = read_shapes(self, &file, columns, &is_done, error);
    if (result == MC_OK && !is_done && file.format->read_cells && mc_hprof_cells_can(columns))
        result = read_cells(self, &file, columns, &is_done, error);
    if (result == MC_OK && !is_done)
        result =
            mc_heap_file_write_rows(&file, columns, MC_ROW_TSV, (mc_output_sink){read_bytes, self},
                                    self->source->progress, error);
    if (result == MC_ERROR_IO && self->error->code != MC_OK) result = self->error->code;
    if (result == MC_OK) result = check_damage(self->source, &file, error);
    mc_heap_file_close(&file);
    return result;
}

static mc_result fill(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                      const column_source *sources, bool is_references, mc_error *error) {
    mc_hprof_columns columns;
    mc_error own_error = {0};
    object_reader self = {.source = source, .rows = rows, .sources = sources, .error = &own_error};
    if (part->step >= source->dump_count)
        return mc_fail(error, MC_ERROR_USAGE,
                       "objects are in heap dumps alone; none was given, or it is not a file of "
                       "its own");
    self.words[0] = part->step;
    self.is_weighted = part->is_weighted;
    memset(self.recent, 0xff, sizeof self.recent); // MC_NONE
    mc_result result = choose_columns(&self, is_references, &columns, error);
    if (result == MC_OK) result = read_dump(&self, &source->dumps[part->step], &columns, error);
    if (own_error.code != MC_OK && error) *error = own_error;
    mc_text_deinit(&self.rest);
    mc_text_deinit(&self.text);
    return result;
}

// ---- the tables

static const mc_query_column object_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "dump, by time, from 0"},
    {"address", MC_QUERY_INTEGER, 0, "the object's; no other of the dump has it"},
    {"class", MC_QUERY_TEXT, 0, "java.util.HashMap$Node[]"},
    {"size", MC_QUERY_INTEGER, 0, "bytes that it takes by itself"},
    {"retained", MC_QUERY_INTEGER, 0, "bytes that go if it goes; 0: nothing reaches it"},
    {"retained_objects", MC_QUERY_INTEGER, 0, "likewise objects"},
    {"owner", MC_QUERY_INTEGER, 0, "address of the nearest object that alone keeps it, or NULL"},
    {"owner_class", MC_QUERY_TEXT, 0, "of that; (roots) if no single one does, (none): unreached"},
    {"length", MC_QUERY_INTEGER, 0, "an array's elements; of others NULL"},
    {"value", MC_QUERY_TEXT, 0,
     "its numbers as JSON, the characters of a char[] or byte[], which class it is"},
    {"kind", MC_QUERY_TEXT, 0, "instance, array or class"},
    {"package", MC_QUERY_TEXT, 0, "java.util, (primitive) or (default)"},
    {"type", MC_QUERY_TEXT, 0, "HashMap$Node[]"},
    {"loader", MC_QUERY_TEXT, 0, "of its class: bootstrap, platform, app, or its type"},
    {"module", MC_QUERY_TEXT, 0, "of its class"},
    {"root", MC_QUERY_TEXT, 0, "kinds of GC roots that name it, or NULL"},
    {"structure", MC_QUERY_TEXT, 0, "the collection that it belongs to"},
};
static const column_source object_sources[COUNT_OF(object_columns)] = {
    {NULL, false},           {"address", false},
    {"class", true},         {"bytes", false},
    {"retained", false},     {"retained_objects", false},
    {"dominator", false},    {"dominator_class", true},
    {"length", false},       {"value", true},
    {"kind", true},          {"package", true},
    {"type", true},          {"loader", true},
    {"module", true},        {"root", true},
    {"datastructure", true},
};

static mc_result fill_objects(mc_query_source *source, const mc_query_part *part,
                              mc_query_rows *rows, mc_error *error) {
    return fill(source, part, rows, object_sources, false, error);
}

const mc_query_table mc_query_table_objects = {
    .name = "objects",
    .help = "single objects of heap dumps",
    .columns = object_columns,
    .column_count = COUNT_OF(object_columns),
    .parts = MC_QUERY_BY_DUMP,
    .is_large = true,
    .fill = fill_objects,
};

static const mc_query_column link_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "dump, by time, from 0"},
    {"from_address", MC_QUERY_INTEGER, 0, "object that has the reference"},
    {"from_class", MC_QUERY_TEXT, 0, "its class"},
    {"field", MC_QUERY_TEXT, 0, "Shop.cache, Object[] elements, static Shop.MAP"},
    {"to_address", MC_QUERY_INTEGER, 0, "object that it leads to"},
    {"to_class", MC_QUERY_TEXT, 0, "its class"},
    {"is_weak", MC_QUERY_INTEGER, 0, "1: keeps nothing alive"},
};
static const column_source link_sources[COUNT_OF(link_columns)] = {
    {NULL, false},         {"from_address", false}, {"from_class", true}, {"field", true},
    {"to_address", false}, {"to_class", true},      {"weak", false},
};

static mc_result fill_links(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                            mc_error *error) {
    return fill(source, part, rows, link_sources, true, error);
}

const mc_query_table mc_query_table_object_refs = {
    .name = "object_refs",
    .help = "single references of heap dumps",
    .columns = link_columns,
    .column_count = COUNT_OF(link_columns),
    .parts = MC_QUERY_BY_DUMP,
    .is_large = true,
    .fill = fill_links,
};
