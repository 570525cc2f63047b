#include "engine/import/graph/graph_rows.h"

#include "engine/base/ascii.h"
#include "engine/base/utf8.h"
#include "engine/import/rows/rows_values.h"
#include <string.h>

void mc_graph_rows_init(mc_graph_rows *rows, const void *data, size_t size) {
    *rows = (mc_graph_rows){.begin = data,
                            .at = data,
                            .end = (const char *)data + size,
                            .kind = MC_GRAPH_ROW_END,
                            .type_level = MC_NONE};
}

void mc_graph_rows_init_part(mc_graph_rows *rows, const mc_graph_rows *whole, const char *begin,
                             const char *end, const mc_graph_section *section) {
    *rows = *whole;
    rows->at = begin;
    rows->end = end;
    rows->section = *section;
    memset(rows->counts, 0, sizeof rows->counts);
    rows->has_levels = true;
    rows->time_ms = -1;
    rows->level_names = rows->scratch = (mc_text){NULL, 0, 0, false};
}

bool mc_graph_section_equals(const mc_graph_section *a, const mc_graph_section *b) {
    return a->column_count == b->column_count &&
           (a->column_count == 0 ||
            (a->kind == b->kind &&
             memcmp(a->columns, b->columns, a->column_count * sizeof *a->columns) == 0));
}

void mc_graph_rows_deinit(mc_graph_rows *rows) {
    mc_text_deinit(&rows->level_names);
    mc_text_deinit(&rows->scratch);
}

static mc_result fail(const mc_graph_rows *rows, const char *what, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(rows->row - rows->begin), "%s", what);
}

// Up to 19 digits fit in any case.
static bool get_short_number(mc_heap_key cell, uint64_t *number) {
    uint64_t value = 0;
    for (size_t i = 0; i < cell.size; i++) {
        const unsigned digit = (unsigned)(unsigned char)cell.text[i] - '0';
        if (digit > 9) return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

bool mc_graph_cell_get_number(mc_heap_key cell, uint64_t *number) {
    uint64_t value = 0;
    if (cell.size > 0 && cell.size < 20 && get_short_number(cell, number)) return true;
    bool is_hex = cell.size > 2 && cell.text[0] == '0' && (cell.text[1] | 0x20) == 'x';
    if (cell.size == 0 || cell.size > 20) return false;
    for (size_t i = is_hex ? 2 : 0; i < cell.size; i++) {
        const char c = cell.text[i], letter = (char)(c | 0x20);
        uint64_t digit;
        if (mc_is_digit(c))
            digit = (uint64_t)(c - '0');
        else if (is_hex && letter >= 'a' && letter <= 'f')
            digit = (uint64_t)(letter - 'a') + 10;
        else
            return false;
        const uint64_t base = is_hex ? 16 : 10;
        if (value > (UINT64_MAX - digit) / base) return false;
        value = value * base + digit;
    }
    *number = value;
    return true;
}

// ---- columns

static bool is_word(mc_heap_key name, const char *word) {
    return name.size == strlen(word) && memcmp(name.text, word, name.size) == 0;
}

static const struct {
    const char *name;
    mc_graph_row_kind kind;
    mc_graph_cell cell;
} columns[] = {{"id", MC_GRAPH_ROW_NODE, MC_GRAPH_CELL_ID},
               {"size", MC_GRAPH_ROW_NODE, MC_GRAPH_CELL_SIZE},
               {"flags", MC_GRAPH_ROW_NODE, MC_GRAPH_CELL_FLAGS},
               {"class", MC_GRAPH_ROW_NODE, MC_GRAPH_CELL_CLASS},
               {"from", MC_GRAPH_ROW_EDGE, MC_GRAPH_CELL_ID},
               {"to", MC_GRAPH_ROW_EDGE, MC_GRAPH_CELL_TO},
               {"field", MC_GRAPH_ROW_EDGE, MC_GRAPH_CELL_FIELD},
               {"kind", MC_GRAPH_ROW_EDGE, MC_GRAPH_CELL_KIND},
               {"root", MC_GRAPH_ROW_ROOT, MC_GRAPH_CELL_ID},
               {"kind", MC_GRAPH_ROW_ROOT, MC_GRAPH_CELL_KIND},
               {"name", MC_GRAPH_ROW_ROOT, MC_GRAPH_CELL_NAME}};

// MC_NONE: there is no such column; in one of nodes it is a classifier.
static uint32_t find_cell(mc_graph_row_kind kind, mc_heap_key name) {
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i].kind == kind && is_word(name, columns[i].name)) return columns[i].cell;
    return MC_NONE;
}

static bool find_kind(mc_heap_key name, mc_graph_row_kind *kind) {
    if (is_word(name, "id"))
        *kind = MC_GRAPH_ROW_NODE;
    else if (is_word(name, "from"))
        *kind = MC_GRAPH_ROW_EDGE;
    else if (is_word(name, "root"))
        *kind = MC_GRAPH_ROW_ROOT;
    else
        return false;
    return true;
}

static uint32_t find_level(const mc_graph_rows *rows, mc_heap_key name) {
    for (uint32_t i = 0; i < rows->level_count; i++)
        if (is_word(name, rows->levels[i])) return i;
    return MC_NONE;
}

static mc_result add_level(mc_graph_rows *rows, mc_heap_key name, mc_error *error) {
    size_t begins[MC_HEAP_LEVELS_MAX] = {0};
    if (rows->level_count == MC_HEAP_LEVELS_MAX)
        return fail(rows, "too many columns that group objects: more than 8", error);
    if (memchr(name.text, '#', name.size) || memchr(name.text, '\0', name.size) || name.size == 0)
        return fail(rows, "a column that groups objects has a name without # and NUL", error);
    for (uint32_t i = 0; i < rows->level_count; i++)
        begins[i] = (size_t)(rows->levels[i] - rows->level_names.data);
    begins[rows->level_count] = rows->level_names.size;
    if (is_word(name, "type") || is_word(name, "Type")) rows->type_level = rows->level_count;
    mc_text_append(&rows->level_names, name.text, name.size);
    mc_text_append(&rows->level_names, "", 1);
    if (rows->level_names.failed) return mc_error_out_of_memory(error);
    rows->level_count++;
    for (uint32_t i = 0; i < rows->level_count; i++)
        rows->levels[i] = rows->level_names.data + begins[i];
    return MC_OK;
}

// The cell of a node's column: a known one, or a classifier.
static mc_result find_node_cell(mc_graph_rows *rows, mc_heap_key name, uint32_t *cell,
                                mc_error *error) {
    *cell = find_cell(MC_GRAPH_ROW_NODE, name);
    if (*cell != MC_NONE) return MC_OK;
    uint32_t level = find_level(rows, name);
    if (level == MC_NONE && rows->has_levels) return MC_OK; // the first node had no such
    if (level == MC_NONE) {
        mc_result result = add_level(rows, name, error);
        if (result != MC_OK) return result;
        level = rows->level_count - 1;
    }
    *cell = MC_GRAPH_CELL_LEVEL + level;
    return MC_OK;
}

// ---- tab-separated

static mc_heap_key take_cell(const char **at, const char *end) {
    const char *tab = memchr(*at, '\t', (size_t)(end - *at));
    mc_heap_key cell = {*at, (size_t)((tab ? tab : end) - *at)};
    *at = tab ? tab + 1 : end + 1;
    return cell;
}

static bool make_room(mc_graph_rows *rows, size_t size) {
    rows->scratch.size = 0;
    if (size <= rows->scratch.capacity) return true;
    for (size_t i = rows->scratch.size; i < size && !rows->scratch.failed; i += 64)
        mc_text_append(&rows->scratch,
                       "                                                                ", 64);
    rows->scratch.size = 0;
    return !rows->scratch.failed;
}

// Without its backslashes, which are rare; \N is nothing. One whose backslashes are no escapes is
// taken as it stands. Room was made.
static mc_heap_key decode(mc_graph_rows *rows, mc_heap_key cell) {
    if (!memchr(cell.text, '\\', cell.size)) return cell;
    if (cell.size == 2 && cell.text[1] == 'N') return (mc_heap_key){cell.text, 0};
    const size_t begin = rows->scratch.size;
    if (!mc_rows_unescape(cell.text, cell.size, &rows->scratch))
        return (mc_heap_key){rows->scratch.data + begin, rows->scratch.size - begin};
    rows->scratch.size = begin;
    return cell;
}

static mc_result read_header(mc_graph_rows *rows, const char *end, mc_error *error) {
    const char *at = rows->row;
    rows->section.column_count = 0;
    if (!make_room(rows, (size_t)(end - at) + 64)) return mc_error_out_of_memory(error);
    while (at <= end) {
        mc_heap_key name = decode(rows, take_cell(&at, end));
        uint32_t cell;
        if (rows->section.column_count == MC_GRAPH_COLUMNS_MAX)
            return fail(rows, "too many columns: more than 32", error);
        mc_result result = MC_OK;
        if (rows->section.kind == MC_GRAPH_ROW_NODE)
            result = find_node_cell(rows, name, &cell, error);
        else
            cell = find_cell(rows->section.kind, name);
        if (result != MC_OK) return result;
        rows->section.columns[rows->section.column_count++] = cell;
    }
    if (rows->section.kind == MC_GRAPH_ROW_NODE) rows->has_levels = true;
    return MC_OK;
}

static void set_cell(mc_graph_rows *rows, uint32_t cell, mc_heap_key value) {
    if (cell == MC_NONE) return;
    if (cell >= MC_GRAPH_CELL_LEVEL)
        rows->keys[cell - MC_GRAPH_CELL_LEVEL] = value;
    else
        rows->cells[cell] = value;
}

static void clear_cells(mc_graph_rows *rows) {
    rows->has_escapes = false;
    memset(rows->cells, 0, sizeof rows->cells);
    memset(rows->keys, 0, rows->level_count * sizeof *rows->keys);
}

static mc_result decode_cells(mc_graph_rows *rows, const char *end, mc_error *error) {
    if (!make_room(rows, (size_t)(end - rows->row) + 64)) return mc_error_out_of_memory(error);
    rows->has_escapes = true;
    for (uint32_t i = 0; i < MC_GRAPH_CELL_COUNT; i++)
        if (rows->cells[i].size > 0) rows->cells[i] = decode(rows, rows->cells[i]);
    for (uint32_t i = 0; i < rows->level_count; i++)
        if (rows->keys[i].size > 0) rows->keys[i] = decode(rows, rows->keys[i]);
    return MC_OK;
}

static mc_result read_cells(mc_graph_rows *rows, const char *end, mc_error *error) {
    const mc_graph_section *section = &rows->section;
    const char *at = rows->row;
    bool has_backslash = false;
    rows->kind = section->kind;
    clear_cells(rows);
    for (uint32_t column = 0;; column++) {
        const char *begin = at;
        for (; at < end && *at != '\t'; at++) // cells are short
            has_backslash |= *at == '\\';
        if (column == section->column_count)
            return fail(rows, "a row has more cells than there are column names", error);
        set_cell(rows, section->columns[column], (mc_heap_key){begin, (size_t)(at - begin)});
        if (at == end) break;
        at++;
    }
    return has_backslash ? decode_cells(rows, end, error) : MC_OK;
}

// ---- lines of JSON

typedef struct json_line {
    mc_graph_rows *rows;
    const char *at, *end;
} json_line;

static void skip_blanks(json_line *line) {
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t' || *line->at == '\r'))
        line->at++;
}

static bool take_char(json_line *line, char c) {
    skip_blanks(line);
    if (line->at == line->end || *line->at != c) return false;
    line->at++;
    return true;
}

static bool take_hex(json_line *line, uint32_t *value) {
    *value = 0;
    if (line->end - line->at < 4) return false;
    for (int i = 0; i < 4; i++) {
        const char c = *line->at++, letter = (char)(c | 0x20);
        if (!mc_is_digit(c) && !(letter >= 'a' && letter <= 'f')) return false;
        *value = *value << 4 | (uint32_t)(mc_is_digit(c) ? c - '0' : letter - 'a' + 10);
    }
    return true;
}

// As UTF-8; halves of a pair that is none as U+FFFD.
static bool take_unicode(json_line *line) {
    mc_text *out = &line->rows->scratch;
    uint32_t code, low;
    if (!take_hex(line, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00 && line->end - line->at >= 6 && line->at[0] == '\\' &&
        line->at[1] == 'u') {
        line->at += 2;
        if (!take_hex(line, &low)) return false;
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                                             : 0xfffd;
    } else if (code >= 0xd800 && code < 0xe000) {
        code = 0xfffd;
    }
    out->size += mc_utf8_encode(code, out->data + out->size); // an escape is longer
    return true;
}

// Into the scratch text, which has room for the whole line.
static bool take_string(json_line *line, mc_heap_key *value) {
    mc_text *out = &line->rows->scratch;
    const size_t begin = out->size;
    if (!take_char(line, '"')) return false;
    for (;;) {
        if (line->at == line->end) return false;
        char c = *line->at++;
        if (c == '"') break;
        if (c != '\\') {
            out->data[out->size++] = c;
            continue;
        }
        if (line->at == line->end) return false;
        c = *line->at++;
        if (c == 'u') {
            if (!take_unicode(line)) return false;
            continue;
        }
        static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
        const char *letter = c != '\0' ? strchr(letters, c) : NULL;
        if (!letter) return false;
        out->data[out->size++] = meanings[letter - letters];
    }
    *value = (mc_heap_key){out->data + begin, out->size - begin};
    return true;
}

// A string, or a number or a word as it is; null is nothing.
static bool take_value(json_line *line, mc_heap_key *value) {
    skip_blanks(line);
    if (line->at < line->end && *line->at == '"') return take_string(line, value);
    const char *begin = line->at;
    while (line->at < line->end && !strchr(",} \t\r{[\"", *line->at))
        line->at++;
    *value = (mc_heap_key){begin, (size_t)(line->at - begin)};
    if (value->size == 0) return false;
    if (is_word(*value, "null")) value->size = 0;
    return true;
}

static mc_result read_members(mc_graph_rows *rows, mc_heap_key names[], mc_heap_key values[],
                              uint32_t *count, const char *end, mc_error *error) {
    json_line line = {rows, rows->row + 1, end};
    *count = 0;
    if (take_char(&line, '}')) return MC_OK;
    for (;;) {
        if (*count == MC_GRAPH_COLUMNS_MAX)
            return fail(rows, "an object has more than 32 members", error);
        if (!take_string(&line, &names[*count]) || !take_char(&line, ':') ||
            !take_value(&line, &values[*count]))
            return fail(rows, "a line is no object of JSON whose values are texts or numbers",
                        error);
        ++*count;
        if (take_char(&line, '}')) break;
        if (!take_char(&line, ','))
            return fail(rows, "a line is no object of JSON: expected , or }", error);
    }
    skip_blanks(&line);
    if (line.at != line.end) return fail(rows, "something stands behind an object of JSON", error);
    return MC_OK;
}

static mc_result read_json(mc_graph_rows *rows, const char *end, mc_error *error) {
    mc_heap_key names[MC_GRAPH_COLUMNS_MAX], values[MC_GRAPH_COLUMNS_MAX];
    uint32_t count;
    bool has_kind = false;
    if (!make_room(rows, (size_t)(end - rows->row) + 64)) return mc_error_out_of_memory(error);
    mc_result result = read_members(rows, names, values, &count, end, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < count && !has_kind; i++)
        has_kind = find_kind(names[i], &rows->kind);
    if (!has_kind)
        return fail(rows,
                    "a line has none of \"id\", \"from\" and \"root\": it is no object, no "
                    "reference and no root",
                    error);
    clear_cells(rows);
    rows->has_escapes = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = MC_NONE;
        if (rows->kind == MC_GRAPH_ROW_NODE)
            result = find_node_cell(rows, names[i], &cell, error);
        else
            cell = find_cell(rows->kind, names[i]);
        if (result != MC_OK) return result;
        set_cell(rows, cell, values[i]);
    }
    if (rows->kind == MC_GRAPH_ROW_NODE) rows->has_levels = true;
    return MC_OK;
}

// ---- lines

// "# time=1732700000000"
static void read_remark(mc_graph_rows *rows, const char *end) {
    static const char time[] = "# time=";
    const size_t size = sizeof time - 1;
    uint64_t number;
    if ((size_t)(end - rows->row) <= size || memcmp(rows->row, time, size) != 0) return;
    mc_heap_key cell = {rows->row + size, (size_t)(end - rows->row) - size};
    if (mc_graph_cell_get_number(cell, &number) && number < INT64_C(1) << 62)
        rows->time_ms = (int64_t)number;
}

int64_t mc_graph_rows_peek_time(const unsigned char *data, size_t size) {
    mc_graph_rows rows;
    mc_graph_rows_init(&rows, data, size);
    while (rows.at < rows.end && *rows.at == '#' && rows.time_ms == 0) {
        const char *end = memchr(rows.at, '\n', (size_t)(rows.end - rows.at));
        if (!end) break; // cut off
        rows.row = rows.at;
        rows.at = end + 1;
        read_remark(&rows, end);
    }
    return rows.time_ms;
}

// Those that begin with a digit are neither remarks nor column names.
static void skip_rows(mc_graph_rows *rows) {
    uint64_t *count = &rows->counts[rows->section.kind];
    for (; rows->at < rows->end && mc_is_digit(*rows->at); ++*count) {
        const char *end = memchr(rows->at, '\n', (size_t)(rows->end - rows->at));
        rows->at = end ? end + 1 : rows->end;
    }
}

// *is_row: it is one of `kinds`.
static mc_result read_line(mc_graph_rows *rows, const char *end, uint32_t kinds, bool *is_row,
                           mc_error *error) {
    mc_result result = MC_OK;
    const char *at = rows->row;
    *is_row = false;
    if (end > rows->row && end[-1] == '\r') end--;
    if (end == rows->row) return MC_OK;
    if (*rows->row == '#') {
        read_remark(rows, end);
        return MC_OK;
    }
    if (*rows->row == '{') {
        rows->section.column_count = 0;
        result = read_json(rows, end, error);
    } else if (!mc_is_digit(*rows->row) && find_kind(take_cell(&at, end), &rows->section.kind)) {
        return read_header(rows, end, error);
    } else if (rows->section.column_count == 0) {
        return fail(rows,
                    "expected column names that begin with id, from or root, or lines "
                    "of JSON",
                    error);
    } else {
        rows->kind = rows->section.kind;
        if (kinds >> rows->kind & 1) result = read_cells(rows, end, error);
    }
    if (result == MC_OK) rows->counts[rows->kind]++;
    *is_row = kinds >> rows->kind & 1;
    return result;
}

mc_result mc_graph_rows_next(mc_graph_rows *rows, uint32_t kinds, mc_error *error) {
    while (rows->at < rows->end) {
        bool is_row;
        if (rows->section.column_count > 0 && !(kinds >> rows->section.kind & 1) &&
            mc_is_digit(*rows->at)) {
            skip_rows(rows);
            continue;
        }
        const char *line_end = memchr(rows->at, '\n', (size_t)(rows->end - rows->at));
        rows->row = rows->at;
        rows->at = line_end ? line_end + 1 : rows->end;
        mc_result result = read_line(rows, line_end ? line_end : rows->end, kinds, &is_row, error);
        if (result != MC_OK || is_row) return result;
    }
    rows->row = rows->end;
    rows->kind = MC_GRAPH_ROW_END;
    return MC_OK;
}
