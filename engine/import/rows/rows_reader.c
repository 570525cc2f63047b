#include "engine/import/rows/rows_reader.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include "engine/import/rows/rows_detect.h"
#include "engine/import/rows/rows_values.h"
#include <inttypes.h>
#include <string.h>

#define BUFFER_SIZE ((size_t)4 << 20)
#define SAMPLE_SIZE ((size_t)1 << 20) // bytes that decide which columns are metrics
#define ROW_SIZE_MOST ((size_t)256 << 20)
#define TIME_SIZE 64

typedef struct field {
    const char *begin; // with its quotes
    size_t size;
} field;

// What a column is for, in few bytes: the loop over a row's columns reads nothing else.
typedef struct step {
    uint8_t kind;
    uint8_t value; // index in the row's values
    uint8_t is_real;
    uint8_t side;   // 1: of the group that a reference goes to
    uint32_t field; // of a key or name: index in `fields` of its side
} step;

struct mc_rows_reader {
    mc_rows_reader_desc desc;
    mc_rows_columns columns;
    mc_rows_nodes own_nodes, *nodes;
    bool is_csv;
    char separator;
    char *buffer;
    size_t capacity, at, end;
    bool is_at_end; // of the source
    uint64_t line;  // of the row at `at`

    step *steps;
    size_t group_begin, group_end; // columns of keys that lie side by side, in order; or none
    field *fields[2];              // of the row: of each place its key, then its name
    uint32_t field_count;
    uint32_t *place_columns[2]; // of each place the column of its key, for messages
    field root[2];
    mc_text raw, text; // scratch
    bool shares_raw;   // rows are known by their bytes
    uint32_t last;     // node of the row before

    char time_raw[TIME_SIZE];
    size_t time_size;
    int64_t time_ms;
    char *root_raw; // of the row before
    size_t root_raw_size, root_raw_capacity;
    uint32_t root_node;
    uint32_t lines; // line breaks within the row's fields
    // Of CSV: a name without quotes, and the first \N without; that is said once.
    bool has_bare_name, is_null_told;
    uint64_t null_line;
    uint32_t null_column;
    mc_rows_row row;
};

// What stands before the end of the bytes that there are, of a row that lacks its end.
typedef enum row_state { ROW_FIELD, ROW_UNQUOTED, ROW_QUOTED, ROW_QUOTE_END } row_state;

typedef enum scan { SCAN_OK, SCAN_MORE, SCAN_FAILED } scan;

// ---- messages

static mc_result fail_at(const mc_rows_reader *self, mc_error *error, const char *text) {
    mc_error_set(error, MC_ERROR_BAD_DATA, self->line, "%s", text);
    return mc_error_prepend(error, self->desc.source.name);
}

static scan fail_field(const mc_rows_reader *self, size_t column, field at, const char *expected,
                       mc_error *error) {
    mc_excerpt title, found;
    const char *name = mc_rows_columns_get_title(&self->columns, column);
    mc_error_set(error, MC_ERROR_BAD_DATA, self->line + self->lines,
                 "column \"%s\": expected %s, found \"%s\"",
                 mc_excerpt_make(&title, name, strlen(name)), expected,
                 mc_excerpt_make(&found, at.begin, at.size < 100 ? at.size : 100));
    mc_error_prepend(error, self->desc.source.name);
    return SCAN_FAILED;
}

static scan fail_memory(mc_error *error) {
    mc_error_out_of_memory(error);
    return SCAN_FAILED;
}

// ---- bytes

static mc_result fill(mc_rows_reader *self, mc_error *error) {
    if (self->at > 0) memmove(self->buffer, self->buffer + self->at, self->end - self->at);
    self->end -= self->at;
    self->at = 0;
    if (self->end == ROW_SIZE_MOST) return fail_at(self, error, "expected rows of at most 256 MB");
    if (self->end == self->capacity &&
        !mc_reserve(&self->buffer, &self->capacity, self->capacity + 1, 1))
        return mc_error_out_of_memory(error);
    size_t room = self->capacity < ROW_SIZE_MOST ? self->capacity : ROW_SIZE_MOST, got;
    mc_result result = mc_rows_source_read(&self->desc.source, self->buffer + self->end,
                                           room - self->end, &got, error);
    self->end += got;
    self->is_at_end = got == 0;
    return result;
}

// Whether the row that `state` tells of ends in the next bytes, or goes wrong there. Separators and
// line breaks within quotes are none.
static bool ends_row(const mc_rows_reader *self, row_state *state, const char *at,
                     const char *end) {
    for (; at < end; at++) {
        if (*state == ROW_QUOTED) {
            at = memchr(at, '"', (size_t)(end - at));
            if (!at) return false;
            *state = ROW_QUOTE_END;
        } else if (*at == '\n') {
            return true;
        } else if (*at == self->separator) {
            *state = ROW_FIELD;
        } else if (*state == ROW_QUOTE_END) {
            if (*at != '"' && *at != '\r') return true; // who reads it says what is wrong
            *state = *at == '"' ? ROW_QUOTED : ROW_UNQUOTED;
        } else {
            *state = *state == ROW_FIELD && self->is_csv && *at == '"' ? ROW_QUOTED : ROW_UNQUOTED;
        }
    }
    return false;
}

// Until the row at `at`, which lacks its end, may be whole, or there is no more. Each byte is
// looked at once, however few come at a time.
static mc_result fill_row(mc_rows_reader *self, mc_error *error) {
    row_state state = ROW_FIELD;
    bool ends = ends_row(self, &state, self->buffer + self->at, self->buffer + self->end);
    do {
        size_t seen = self->end - self->at;
        mc_result result = fill(self, error);
        if (result != MC_OK) return result;
        ends = ends || ends_row(self, &state, self->buffer + seen, self->buffer + self->end);
    } while (!ends && !self->is_at_end);
    return MC_OK;
}

// ---- fields

// Where the line ends, `at` being a line break, or the carriage return before one. NULL: it isn't.
static const char *skip_line_end(const mc_rows_reader *self, const char *at) {
    const char *end = self->buffer + self->end;
    if (at < end && *at == '\r' && at + 1 < end) at++;
    return at < end && *at == '\n' ? at + 1 : NULL;
}

static scan find_quoted_end(mc_rows_reader *self, const char *at, const char **found) {
    const char *end = self->buffer + self->end;
    for (at++;; at += 2) {
        const char *quote = at < end ? memchr(at, '"', (size_t)(end - at)) : NULL;
        if (!quote) return SCAN_MORE;
        for (const char *line = at; (line = memchr(line, '\n', (size_t)(quote - line))); line++)
            self->lines++;
        if (quote + 1 == end) return SCAN_MORE;
        if (quote[1] != '"') {
            *found = quote + 1;
            return SCAN_OK;
        }
        at = quote;
    }
}

// The field that begins at *at, which goes to the separator or line break behind it. A carriage
// return that ends a line is none of the field.
static scan read_field(mc_rows_reader *self, size_t column, const char **at, field *out,
                       mc_error *error) {
    const char *end = self->buffer + self->end, *begin = *at, *stop = begin;
    char separator = self->separator;
    if (self->is_csv && begin < end && *begin == '"') {
        scan found = find_quoted_end(self, begin, &stop);
        if (found != SCAN_OK) return found;
        *out = (field){begin, (size_t)(stop - begin)};
        if (*stop == '\r' && stop + 1 == end) return SCAN_MORE;
        if (*stop != separator && !skip_line_end(self, stop))
            return fail_field(self, column, *out, "a comma or the line's end behind the quotes",
                              error);
        *at = stop;
        return SCAN_OK;
    }
    while (stop < end && *stop != separator && *stop != '\n')
        stop++;
    if (stop == end) return SCAN_MORE;
    if (*stop == '\n' && stop > begin && stop[-1] == '\r') stop--;
    *out = (field){begin, (size_t)(stop - begin)};
    if (self->is_csv && memchr(begin, '"', out->size))
        return fail_field(self, column, *out, "quotes around the whole field", error);
    *at = stop;
    return SCAN_OK;
}

static bool is_quoted(const mc_rows_reader *self, field at) {
    return self->is_csv && at.size >= 2 && at.begin[0] == '"';
}

static bool is_null(const mc_rows_reader *self, field at) {
    if (self->is_csv && at.size == 0) return true;
    return at.size == 2 && at.begin[0] == '\\' && at.begin[1] == 'N';
}

// What a field stands for, in `text`.
static scan read_text(mc_rows_reader *self, size_t column, field at, mc_error *error) {
    const char *wrong = NULL;
    mc_text_clear(&self->text);
    if (is_quoted(self, at))
        mc_rows_unquote(at.begin, at.size, &self->text);
    else if (self->is_csv)
        mc_text_append(&self->text, at.begin, at.size);
    else
        wrong = mc_rows_unescape(at.begin, at.size, &self->text);
    if (wrong) return fail_field(self, column, at, wrong, error);
    if (self->text.failed) return fail_memory(error);
    if (!mc_utf8_is_valid(self->text.data ? self->text.data : "", self->text.size))
        return fail_field(self, column, at, "UTF-8", error);
    return SCAN_OK;
}

// ---- groups

static uint32_t intern_field(mc_rows_reader *self, size_t column, field at, mc_error *error) {
    if (read_text(self, column, at, error) != SCAN_OK) return MC_NONE;
    uint32_t string = mc_strings_intern(&self->nodes->strings,
                                        self->text.data ? self->text.data : "", self->text.size);
    if (string == MC_NONE) mc_error_out_of_memory(error);
    return string;
}

static uint32_t add_node(mc_rows_reader *self, uint32_t parent, uint32_t place, size_t column,
                         field key, field name, mc_error *error) {
    uint32_t key_string = intern_field(self, column, key, error), name_string = key_string;
    if (key_string == MC_NONE) return MC_NONE;
    if (name.begin && !is_null(self, name)) {
        name_string = intern_field(self, column, name, error);
        if (name_string == MC_NONE) return MC_NONE;
    }
    uint32_t node = mc_rows_nodes_add(self->nodes, parent, place, key_string, name_string);
    if (node == MC_NONE) mc_error_out_of_memory(error);
    return node;
}

// PostgreSQL leaves the quotes of a name "\N" away, which is NULL then. Who quotes all other names
// means NULL.
static void note_bare(mc_rows_reader *self, size_t column, field at) {
    if (!self->is_csv || at.size == 0 || is_quoted(self, at)) return;
    if (!is_null(self, at)) {
        self->has_bare_name = true;
    } else if (self->null_line == 0) {
        self->null_line = self->line + self->lines;
        self->null_column = (uint32_t)column;
    }
    if (!self->has_bare_name || self->null_line == 0 || self->is_null_told) return;
    mc_excerpt shown;
    const char *title = mc_rows_columns_get_title(&self->columns, self->null_column);
    self->is_null_told = true;
    mc_log_write(
        self->desc.log, MC_LOG_WARNING,
        "%s:%" PRIu64 ": column \"%s\": \\N without quotes is taken for NULL; if it may be a "
        "name, have PostgreSQL quote names: COPY (…) TO STDOUT WITH (FORMAT csv, HEADER, "
        "FORCE_QUOTE *)",
        self->desc.source.name, self->null_line, mc_excerpt_make(&shown, title, strlen(title)));
}

// By its names, outermost first. A classifier that is NULL is a level that the path doesn't have.
static uint32_t resolve(mc_rows_reader *self, int side, mc_error *error) {
    uint32_t node = 0;
    const field *fields = self->fields[side];
    for (uint32_t place = 0; place < self->columns.place_count && node != MC_NONE; place++) {
        const field *own = &fields[2 * (size_t)place];
        note_bare(self, self->place_columns[side][place], own[0]);
        if (is_null(self, own[0])) continue;
        node = add_node(self, node, place, self->place_columns[side][place], own[0], own[1], error);
    }
    return node;
}

// All fields of a group, as they stand in rows that have them side by side.
static bool join_fields(mc_rows_reader *self, int side) {
    const field *fields = self->fields[side];
    mc_text_clear(&self->raw);
    for (uint32_t i = 0; i < self->field_count; i++) {
        if (!fields[i].begin) continue;
        if (self->raw.size > 0 || i > 0) mc_text_append(&self->raw, &self->separator, 1);
        mc_text_append(&self->raw, fields[i].begin, fields[i].size);
    }
    if (!self->raw.data) mc_text_append(&self->raw, "", 0);
    return !self->raw.failed;
}

static scan find_node(mc_rows_reader *self, int side, const char *raw, size_t size, uint32_t lines,
                      uint32_t *node, mc_error *error) {
    *node = self->shares_raw ? mc_rows_nodes_find_raw(self->nodes, raw, size) : MC_NONE;
    if (*node != MC_NONE) return SCAN_OK;
    *node = resolve(self, side, error);
    if (*node == MC_NONE) return SCAN_FAILED;
    if (self->shares_raw && !mc_rows_nodes_set_raw(self->nodes, *node, raw, size, lines))
        return fail_memory(error);
    return SCAN_OK;
}

// The keys of a row that has them side by side: mostly those of the group that came behind the last
// one before.
static scan read_group(mc_rows_reader *self, const char **at, mc_error *error) {
    mc_rows_node *last = &self->nodes->items[self->last];
    const char *begin = *at, *end = self->buffer + self->end;
    if (last->next != MC_NONE) {
        const mc_rows_node *guess = &self->nodes->items[last->next];
        const char *behind = begin + guess->raw_size;
        if ((size_t)(end - begin) > guess->raw_size &&
            (*behind == self->separator || *behind == '\n' || *behind == '\r') &&
            memcmp(begin, self->nodes->raw.data + guess->raw_offset, guess->raw_size) == 0 &&
            (*behind != '\r' || (behind + 1 < end && behind[1] == '\n'))) {
            *at = behind;
            self->lines += guess->raw_lines;
            self->row.node = self->last = last->next;
            return SCAN_OK;
        }
    }
    uint32_t lines = self->lines;
    for (size_t column = self->group_begin; column < self->group_end; column++) {
        scan result =
            read_field(self, column, at, &self->fields[0][self->steps[column].field], error);
        if (result != SCAN_OK) return result;
        if (column + 1 == self->group_end) break;
        if (**at != self->separator)
            return fail_field(self, column + 1, (field){*at, 0}, "a further column", error);
        ++*at;
    }
    scan result = find_node(self, 0, begin, (size_t)(*at - begin), self->lines - lines,
                            &self->row.node, error);
    if (result != SCAN_OK) return result;
    const mc_rows_node *node = &self->nodes->items[self->row.node];
    bool is_known = node->raw_size == (size_t)(*at - begin); // or it is written in several ways
    if (is_known) self->nodes->items[self->last].next = self->row.node;
    if (node->raw_size != MC_NONE) self->last = self->row.node;
    return SCAN_OK;
}

static scan find_groups(mc_rows_reader *self, mc_error *error) {
    int side_count = self->desc.rows ? 2 : 1;
    for (int side = 0; side < side_count; side++) {
        uint32_t *node = side == 0 ? &self->row.node : &self->row.to;
        if (!join_fields(self, side)) return fail_memory(error);
        scan result = find_node(self, side, self->raw.data, self->raw.size, 0, node, error);
        if (result != SCAN_OK) return result;
    }
    return SCAN_OK;
}

// What the root is called: mostly as in the row before.
static scan find_root(mc_rows_reader *self, mc_error *error) {
    size_t size = self->root[0].size + self->root[1].size + 1;
    bool is_known = self->root_raw_size == size && self->root_raw[self->root[0].size] == '\0' &&
                    memcmp(self->root_raw, self->root[0].begin, self->root[0].size) == 0;
    if (is_known && self->root[1].size > 0)
        is_known = memcmp(self->root_raw + self->root[0].size + 1, self->root[1].begin,
                          self->root[1].size) == 0;
    self->row.root = self->root_node;
    if (is_known && self->root_node != MC_NONE) return SCAN_OK;
    size_t column = 0;
    while (self->steps[column].kind != MC_ROWS_ROOT)
        column++;
    if (is_null(self, self->root[0]))
        return fail_field(self, column, self->root[0],
                          "the root's name, which NULL is none of (COALESCE(…, 'Heap'))", error);
    if (!mc_reserve(&self->root_raw, &self->root_raw_capacity, size, 1)) return fail_memory(error);
    memcpy(self->root_raw, self->root[0].begin, self->root[0].size);
    self->root_raw[self->root[0].size] = '\0';
    if (self->root[1].size > 0)
        memcpy(self->root_raw + self->root[0].size + 1, self->root[1].begin, self->root[1].size);
    self->root_raw_size = size;
    self->root_node = add_node(self, MC_NONE, MC_NONE, column, self->root[0], self->root[1], error);
    self->row.root = self->root_node;
    return self->root_node == MC_NONE ? SCAN_FAILED : SCAN_OK;
}

// ---- times and numbers

static field without_quotes(const mc_rows_reader *self, field at) {
    return is_quoted(self, at) ? (field){at.begin + 1, at.size - 2} : at;
}

static scan read_time(mc_rows_reader *self, size_t column, const char **at, mc_error *error) {
    const char *end = self->buffer + self->end, *behind = *at + self->time_size;
    field found;
    self->row.time_ms = self->time_ms;
    if (self->time_size > 0 && (size_t)(end - *at) > self->time_size &&
        *behind == self->separator && memcmp(*at, self->time_raw, self->time_size) == 0) {
        *at = behind;
        return SCAN_OK;
    }
    scan result = read_field(self, column, at, &found, error);
    if (result != SCAN_OK) return result;
    field text = without_quotes(self, found);
    if (is_null(self, found))
        return fail_field(
            self, column, found,
            "a time, which NULL is none of (leave such rows out: WHERE … IS NOT NULL)", error);
    if (!mc_rows_read_time(text.begin, text.size, self->desc.options->unit, &self->row.time_ms))
        return fail_field(self, column, found,
                          "a time (a whole number, or 2024-05-01 12:00:00.123+00)", error);
    self->time_ms = self->row.time_ms;
    self->time_size = found.size <= TIME_SIZE ? found.size : 0;
    memcpy(self->time_raw, found.begin, self->time_size);
    return SCAN_OK;
}

static scan read_number(mc_rows_reader *self, size_t column, const char **at, mc_error *error) {
    const step *own = &self->steps[column];
    const char *end = self->buffer + self->end, *digit = *at;
    uint64_t *value = &self->row.values[own->value], number = 0;
    while (digit < end && (unsigned)(unsigned char)*digit - '0' <= 9)
        number = number * 10 + ((uint64_t)(unsigned char)*digit++ - '0');
    if (digit < end && digit > *at && digit - *at <= 18 && !own->is_real &&
        (*digit == self->separator || *digit == '\n')) {
        *value = number;
        *at = digit;
        return SCAN_OK;
    }
    field found;
    scan result = read_field(self, column, at, &found, error);
    if (result != SCAN_OK) return result;
    field text = without_quotes(self, found);
    double real;
    *value = own->kind == MC_ROWS_OBJECTS || own->kind == MC_ROWS_BYTES ? 0 : MC_COUNT_UNKNOWN;
    if (is_null(self, found) || found.size == 0) return SCAN_OK;
    if (mc_rows_read_whole(text.begin, text.size, value)) {
        if (own->is_real) *value = mc_metric_make_real(*value);
    } else if (own->kind == MC_ROWS_METRIC && mc_rows_read_real(text.begin, text.size, &real)) {
        *value = mc_metric_pack(real);
    } else {
        return fail_field(self, column, found,
                          own->kind != MC_ROWS_METRIC
                              ? "a whole number, 0 to 9223372036854775807"
                              : "a number that is not negative (or name this column among "
                                "--classifiers)",
                          error);
    }
    bool is_whole = !own->is_real && mc_rows_read_whole(text.begin, text.size, &number);
    if (!is_whole) self->row.reals |= UINT64_C(1) << own->value;
    return SCAN_OK;
}

// ---- rows

static scan read_column(mc_rows_reader *self, size_t column, const char **at, mc_error *error) {
    const step *own = &self->steps[column];
    field found;
    scan result;
    switch (own->kind) {
    case MC_ROWS_TIME: return read_time(self, column, at, error);
    case MC_ROWS_SKIPPED: return read_field(self, column, at, &found, error);
    case MC_ROWS_CLASSIFIER:
        return read_field(self, column, at, &self->fields[own->side][own->field], error);
    case MC_ROWS_NAME:
        result = read_field(self, column, at, &found, error);
        if (result != SCAN_OK) return result;
        if (own->field == MC_NONE)
            self->root[1] = found;
        else
            self->fields[own->side][own->field] = found;
        return SCAN_OK;
    case MC_ROWS_ROOT: return read_field(self, column, at, &self->root[0], error);
    default: return read_number(self, column, at, error);
    }
}

static scan read_row(mc_rows_reader *self, const char **at, mc_error *error) {
    size_t count = self->columns.count;
    self->row.line = self->line;
    self->row.reals = 0;
    self->row.node = self->row.to = 0;
    self->lines = 0;
    for (size_t column = 0; column < count; column++) {
        bool is_group = column == self->group_begin && self->group_end > column;
        scan result = is_group ? read_group(self, at, error) : read_column(self, column, at, error);
        if (result != SCAN_OK) return result;
        if (is_group) column = self->group_end - 1;
        if (column + 1 == count) break;
        if (**at != self->separator)
            return fail_field(self, column + 1, (field){*at, 0}, "a further column", error);
        ++*at;
    }
    if (**at == '\r' && *at + 1 == self->buffer + self->end) return SCAN_MORE;
    const char *behind = skip_line_end(self, *at);
    if (!behind)
        return fail_field(self, count - 1, (field){*at, 1}, "the line's end behind it", error);
    *at = behind;
    return SCAN_OK;
}

static bool skip_blank_lines(mc_rows_reader *self) {
    const char *behind;
    while (self->at < self->end && (behind = skip_line_end(self, self->buffer + self->at))) {
        self->at = (size_t)(behind - self->buffer);
        self->line++;
    }
    return self->at < self->end;
}

static mc_result end_rows(mc_rows_reader *self, mc_error *error) {
    if (self->at == self->end) return MC_OK;
    if (!self->desc.partial)
        return fail_at(self, error,
                       "the input ends within this line: it is cut off, or lacks its last line "
                       "break (--partial leaves the line out)");
    mc_log_write(self->desc.log, MC_LOG_WARNING,
                 "%s: the input ends within a line, which is left "
                 "out",
                 self->desc.source.name);
    self->at = self->end;
    return MC_OK;
}

mc_result mc_rows_reader_next(mc_rows_reader *self, const mc_rows_row **row, mc_error *error) {
    *row = NULL;
    for (;;) {
        const char *at;
        uint32_t last = self->last;
        scan result = skip_blank_lines(self) ? SCAN_OK : SCAN_MORE;
        at = self->buffer + self->at;
        if (result == SCAN_OK) result = read_row(self, &at, error);
        bool joins = self->group_end == 0 && self->columns.place_count > 0;
        if (result == SCAN_OK && joins) result = find_groups(self, error);
        if (result == SCAN_OK && self->columns.has_root) result = find_root(self, error);
        if (result == SCAN_FAILED) return error->code;
        if (result == SCAN_OK) {
            self->at = (size_t)(at - self->buffer);
            self->line += self->lines + 1;
            *row = &self->row;
            return MC_OK;
        }
        self->last = last;
        if (self->is_at_end) return end_rows(self, error);
        mc_result filled = fill_row(self, error);
        if (filled != MC_OK) return filled;
    }
}

// ---- the header line

static mc_result fill_sample(mc_rows_reader *self, mc_error *error) {
    mc_result result = MC_OK;
    while (!self->is_at_end && self->end < SAMPLE_SIZE && result == MC_OK)
        result = fill(self, error);
    return result;
}

static scan read_titles(mc_rows_reader *self, mc_error *error) {
    const char *at = self->buffer + self->at, *behind = NULL;
    while (!behind) {
        field found;
        scan result = read_field(self, 0, &at, &found, error);
        if (result == SCAN_OK) result = read_text(self, 0, found, error);
        if (result != SCAN_OK) return result;
        if (mc_rows_columns_add(&self->columns, self->text.data ? self->text.data : "",
                                self->text.size, error) != MC_OK) {
            if (error->code == MC_ERROR_BAD_DATA) mc_error_prepend(error, self->desc.source.name);
            return SCAN_FAILED;
        }
        behind = skip_line_end(self, at);
        if (!behind && *at == self->separator) at++;
    }
    self->at = (size_t)(behind - self->buffer);
    self->line += self->lines + 1;
    return SCAN_OK;
}

static mc_result read_header(mc_rows_reader *self, mc_error *error) {
    static const char mark[] = "\xef\xbb\xbf"; // of byte order, as spreadsheets write it
    mc_result result = fill_sample(self, error);
    if (result != MC_OK) return result;
    if (self->end >= 3 && memcmp(self->buffer, mark, 3) == 0) self->at = 3;
    mc_rows_form form = self->desc.options->form;
    self->is_csv = form == MC_ROWS_CSV ||
                   (form == MC_ROWS_BY_CONTENT &&
                    mc_rows_is_csv_header(self->buffer + self->at, self->end - self->at));
    self->separator = self->is_csv ? ',' : '\t';
    // A title that is wrong is told with the column that it is to name.
    if (mc_strings_intern(&self->columns.strings, "header", 6) == MC_NONE ||
        !mc_reserve(&self->columns.items, &self->columns.capacity, 1, sizeof(mc_rows_column)))
        return mc_error_out_of_memory(error);
    self->columns.items[0] = (mc_rows_column){0};
    scan titles = read_titles(self, error);
    if (titles == SCAN_OK) return MC_OK;
    if (titles == SCAN_MORE)
        return fail_at(self, error, "expected a header line, the names of the columns");
    return error->code;
}

// ---- metrics, by what stands in the first rows

static bool is_number(const mc_rows_reader *self, field at) {
    uint64_t whole;
    double real;
    field text = without_quotes(self, at);
    return mc_rows_read_whole(text.begin, text.size, &whole) ||
           mc_rows_read_real(text.begin, text.size, &real);
}

static scan sample_row(mc_rows_reader *self, const char **at, uint8_t *seen, mc_error *error) {
    for (size_t column = 0; column < self->columns.count; column++) {
        field found;
        scan result = read_field(self, column, at, &found, error);
        if (result != SCAN_OK) return result;
        if (!is_null(self, found))
            seen[column] |= is_number(self, found) ? MC_ROWS_SEEN_NUMBER : MC_ROWS_SEEN_TEXT;
        if (**at != self->separator) break; // who reads it says what is wrong
        ++*at;
    }
    const char *behind = skip_line_end(self, *at);
    if (!behind) return SCAN_MORE;
    *at = behind;
    return SCAN_OK;
}

static mc_result decide(mc_rows_reader *self, mc_error *error) {
    uint8_t *seen = mc_alloc_zero(self->columns.count, 1);
    const char *at = self->buffer + self->at;
    mc_error unused;
    if (!seen) return mc_error_out_of_memory(error);
    while (sample_row(self, &at, seen, &unused) == SCAN_OK) {
    }
    mc_result result = mc_rows_columns_decide(&self->columns, seen, error);
    mc_free(seen);
    return result;
}

// ---- a reader

// Keys that lie side by side, in the order of paths, their names behind them.
static void find_group(mc_rows_reader *self) {
    size_t begin = 0, end, count = self->columns.count;
    while (begin < count && self->steps[begin].kind != MC_ROWS_CLASSIFIER)
        begin++;
    uint32_t place = 0;
    for (end = begin; end < count; end++) {
        const step *own = &self->steps[end];
        if (own->kind == MC_ROWS_CLASSIFIER && own->field == 2 * place)
            place++;
        else if (own->kind != MC_ROWS_NAME || own->field != 2 * place - 1)
            break;
    }
    bool is_all = place > 0 && place == self->columns.place_count;
    for (size_t i = end; i < count; i++)
        is_all &= self->steps[i].kind != MC_ROWS_NAME || self->steps[i].field == MC_NONE;
    if (!is_all || self->desc.rows) return;
    self->group_begin = begin;
    self->group_end = end;
}

static void plan(mc_rows_reader *self) {
    for (size_t i = 0; i < self->columns.count; i++) {
        const mc_rows_column *column = &self->columns.items[i];
        step *own = &self->steps[i];
        own->kind = (uint8_t)column->kind;
        own->side = (uint8_t)column->side;
        if (column->kind == MC_ROWS_CLASSIFIER) {
            own->field = 2 * column->place;
            self->place_columns[own->side][column->place] = (uint32_t)i;
        }
        if (column->kind == MC_ROWS_NAME)
            own->field = column->place == MC_NONE ? MC_NONE : 2 * column->place + 1;
        if (column->kind == MC_ROWS_BYTES || column->kind == MC_ROWS_POINTED_FROM) own->value = 1;
        if (column->kind == MC_ROWS_METRIC) {
            own->value = (uint8_t)(MC_METRIC_FIRST_OWN + column->metric_index);
            own->is_real = column->metric.is_real;
        }
    }
    find_group(self);
}

// The columns of references are those of rows, once for each end.
static mc_result settle_references(mc_rows_reader *self, mc_error *error) {
    const mc_rows_columns *rows = &self->desc.rows->columns;
    mc_result result = mc_rows_columns_settle_references(&self->columns, rows, error);
    self->columns.place_count = rows->place_count;
    return result;
}

static mc_result prepare(mc_rows_reader *self, mc_error *error) {
    const mc_rows_reader_desc *desc = &self->desc;
    mc_result result;
    if (desc->rows) {
        result = settle_references(self, error);
    } else {
        result = mc_rows_columns_settle(&self->columns, desc->options, error);
        if (result == MC_OK) result = decide(self, error);
        if (result == MC_OK) result = mc_rows_columns_finish(&self->columns, desc->log, error);
    }
    if (result != MC_OK)
        return result == MC_ERROR_BAD_DATA ? mc_error_prepend(error, desc->source.name) : result;
    self->steps = mc_alloc_zero(self->columns.count, sizeof *self->steps);
    self->field_count = 2 * self->columns.place_count;
    for (int side = 0; side < 2; side++) {
        self->fields[side] = mc_alloc_zero((size_t)self->field_count + 1, sizeof(field));
        self->place_columns[side] =
            mc_alloc_zero((size_t)self->columns.place_count + 1, sizeof(uint32_t));
        if (!self->fields[side] || !self->place_columns[side]) return mc_error_out_of_memory(error);
    }
    if (!self->steps) return mc_error_out_of_memory(error);
    plan(self);
    self->shares_raw = !desc->rows || desc->rows->is_csv == self->is_csv;
    for (size_t i = 0; i < MC_ROWS_VALUES_MOST; i++)
        self->row.values[i] = desc->rows || i >= MC_METRIC_FIRST_OWN ? MC_COUNT_UNKNOWN : 0;
    return MC_OK;
}

mc_result mc_rows_reader_create(const mc_rows_reader_desc *desc, mc_rows_reader **reader,
                                mc_error *error) {
    mc_rows_reader *self = mc_alloc_zero(1, sizeof *self);
    *reader = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->line = 1;
    self->root_node = self->row.root = MC_NONE;
    self->nodes = desc->rows ? desc->rows->nodes : &self->own_nodes;
    mc_result result = MC_OK;
    if (!mc_reserve(&self->buffer, &self->capacity, BUFFER_SIZE, 1) ||
        (!desc->rows && !mc_rows_nodes_init(&self->own_nodes)))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK) result = read_header(self, error);
    if (result == MC_OK) result = prepare(self, error);
    if (result == MC_OK) {
        *reader = self;
        return MC_OK;
    }
    mc_rows_reader_destroy(self);
    return result;
}

void mc_rows_reader_destroy(mc_rows_reader *self) {
    if (!self) return;
    mc_rows_columns_deinit(&self->columns);
    mc_rows_nodes_deinit(&self->own_nodes);
    mc_free(self->buffer);
    mc_free(self->steps);
    for (int side = 0; side < 2; side++) {
        mc_free(self->fields[side]);
        mc_free(self->place_columns[side]);
    }
    mc_free(self->root_raw);
    mc_text_deinit(&self->raw);
    mc_text_deinit(&self->text);
    mc_free(self);
}

const mc_rows_columns *mc_rows_reader_get_columns(const mc_rows_reader *self) {
    return &self->columns;
}

mc_rows_nodes *mc_rows_reader_get_nodes(mc_rows_reader *self) {
    return self->nodes;
}

uint32_t mc_rows_reader_get_value_count(const mc_rows_reader *self) {
    return MC_METRIC_FIRST_OWN + self->columns.metric_count;
}

const char *mc_rows_reader_get_name(const mc_rows_reader *self) {
    return self->desc.source.name;
}
