#include "engine/import/rows/rows_columns.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include <string.h>

void mc_rows_columns_deinit(mc_rows_columns *self) {
    mc_free(self->items);
    mc_free(self->kept);
    mc_strings_deinit(&self->strings);
    mc_strings_deinit(&self->roles);
    *self = (mc_rows_columns){0};
}

const char *mc_rows_columns_get_title(const mc_rows_columns *self, size_t column) {
    return mc_strings_get(&self->strings, self->items[column].title, NULL);
}

static mc_result fail(mc_error *error, const char *format, const char *title, size_t size) {
    mc_excerpt shown;
    return mc_error_set(error, MC_ERROR_BAD_DATA, 1, format, mc_excerpt_make(&shown, title, size));
}

static mc_result fail_column(const mc_rows_columns *self, size_t column, const char *format,
                             mc_error *error) {
    size_t size;
    const char *title = mc_strings_get(&self->strings, self->items[column].title, &size);
    return fail(error, format, title, size);
}

static bool is_text(const char *bytes, size_t size, const char *text) {
    return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

// ---- what stands in brackets

static bool find_choice(const char *const *choices, const char *word, size_t size, int *found) {
    for (int i = 0; choices[i]; i++)
        if (is_text(word, size, choices[i])) {
            *found = i;
            return true;
        }
    return false;
}

static bool read_level(const char *word, size_t size, uint32_t *level) {
    uint64_t number = 0;
    if (size == 0 || size > 5 || word[0] == '0') return false;
    for (size_t i = 0; i < size; i++) {
        if (word[i] < '0' || word[i] > '9') return false;
        number = number * 10 + (uint64_t)(word[i] - '0');
    }
    *level = (uint32_t)number;
    return number <= MC_ROWS_COLUMN_MOST;
}

static bool read_metric_fact(mc_metric_info *metric, const char *word, size_t size) {
    int found;
    if (find_choice(mc_unit_names, word, size, &found)) {
        metric->unit = (mc_unit)found;
        metric->says |= MC_METRIC_SAYS_UNIT;
    } else if (find_choice(mc_metric_kind_names, word, size, &found)) {
        metric->kind = (mc_metric_kind)found;
        metric->says |= MC_METRIC_SAYS_KIND;
    } else if (is_text(word, size, "additive") || is_text(word, size, "single")) {
        metric->is_additive = word[0] == 'a';
        metric->says |= MC_METRIC_SAYS_ADDITIVE;
    } else if (is_text(word, size, "real")) {
        metric->is_real = true;
    } else {
        return is_text(word, size, "metric");
    }
    return true;
}

// One word. False: it is none that is known here.
static bool read_fact(mc_rows_column *column, const char *word, size_t size) {
    if (read_metric_fact(&column->metric, word, size)) {
        if (column->kind != MC_ROWS_UNDECIDED && column->kind != MC_ROWS_METRIC) return false;
        column->kind = MC_ROWS_METRIC;
        return true;
    }
    if (is_text(word, size, "name")) {
        column->kind = MC_ROWS_NAME;
        return true;
    }
    if (column->kind != MC_ROWS_UNDECIDED) return false;
    bool is_root = is_text(word, size, "root");
    column->kind = is_root ? MC_ROWS_ROOT : MC_ROWS_CLASSIFIER;
    return is_root || read_level(word, size, &column->level);
}

static const char title_fact[] = "title=";

// False: what stands in brackets is none of this, and a part of the name.
static bool read_facts(mc_rows_column *column, const char *facts, size_t size) {
    size_t at = 0;
    while (at < size) {
        const char *word = facts + at, *end = memchr(word, ' ', size - at);
        size_t length = end ? (size_t)(end - word) : size - at;
        if (length >= sizeof title_fact - 1 &&
            memcmp(word, title_fact, sizeof title_fact - 1) == 0) {
            if (column->kind != MC_ROWS_UNDECIDED && column->kind != MC_ROWS_METRIC) return false;
            column->kind = MC_ROWS_METRIC;
            column->metric.title = word + sizeof title_fact - 1;
            column->metric.title_size = size - at - (sizeof title_fact - 1);
            column->metric.says |= MC_METRIC_SAYS_TITLE;
            return true;
        }
        if (!read_fact(column, word, length)) return false;
        at += length + 1;
    }
    return size > 0 && facts[size - 1] != ' ';
}

// ---- names

static mc_rows_column read_title(const char *title, size_t size, size_t *base_size) {
    mc_rows_column column = {.role = MC_NONE, .level = 1, .metric = {.is_additive = true}};
    const char *bracket = NULL;
    *base_size = size;
    if (size > 0 && title[size - 1] == ']') {
        size_t at = size - 1;
        mc_rows_column read = column;
        while (at > 0 && title[at] != '[')
            at--;
        if (title[at] == '[' && read_facts(&read, title + at + 1, size - at - 2)) {
            bracket = title + at;
            column = read;
            *base_size = at;
        }
    }
    if (bracket) return column;
    if (is_text(title, size, "time")) column.kind = MC_ROWS_TIME;
    if (is_text(title, size, "root")) column.kind = MC_ROWS_ROOT;
    if (is_text(title, size, "objects")) column.kind = MC_ROWS_OBJECTS;
    if (is_text(title, size, "bytes")) column.kind = MC_ROWS_BYTES;
    return column;
}

mc_result mc_rows_columns_add(mc_rows_columns *self, const char *title, size_t size,
                              mc_error *error) {
    size_t base_size;
    if (self->count >= MC_ROWS_COLUMN_MOST)
        return mc_error_set(error, MC_ERROR_BAD_DATA, 1, "expected at most %u columns",
                            MC_ROWS_COLUMN_MOST);
    if (mc_strings_find(&self->strings, title, size) != MC_NONE)
        for (size_t i = 0; i < self->count; i++)
            if (self->items[i].title == mc_strings_find(&self->strings, title, size))
                return fail(error, "expected columns of different names, found \"%s\" twice", title,
                            size);
    mc_rows_column column = read_title(title, size, &base_size);
    const char *own_title = column.metric.title;
    size_t own_title_at = own_title ? (size_t)(own_title - title) : 0;
    column.title = mc_strings_intern(&self->strings, title, size);
    column.base = mc_strings_intern(&self->strings, title, base_size);
    if (column.title == MC_NONE || column.base == MC_NONE ||
        !mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof column))
        return mc_error_out_of_memory(error);
    column.metric.title = NULL; // strings move while others are added
    if (own_title) column.metric.scale = (int)own_title_at;
    self->items[self->count++] = column;
    return MC_OK;
}

// ---- what options say

static uint32_t find_column(const mc_rows_columns *self, const char *title, size_t size) {
    for (size_t i = 0; i < self->count; i++) {
        size_t own_size;
        const char *own = mc_strings_get(&self->strings, self->items[i].title, &own_size);
        if (own_size == size && memcmp(own, title, size) == 0) return (uint32_t)i;
    }
    return MC_NONE;
}

// Columns that an option lists, in its order, go to `kept`, *count of them.
static mc_result read_list(mc_rows_columns *self, const char *list, size_t *count,
                           mc_error *error) {
    *count = 0;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const char *end = strchr(at, ',');
        size_t size = end ? (size_t)(end - at) : strlen(at);
        if (size == 0 && !end && at == list) break; // an empty list
        uint32_t found = find_column(self, at, size);
        if (found == MC_NONE)
            return fail(error, "expected a column \"%s\", which an option names, in the header", at,
                        size);
        if (!mc_reserve(&self->kept, &self->kept_capacity, *count + 1, sizeof *self->kept))
            return mc_error_out_of_memory(error);
        self->kept[(*count)++] = found;
    }
    return MC_OK;
}

static mc_result take_time(mc_rows_columns *self, const char *name, mc_error *error) {
    uint32_t found = name ? find_column(self, name, strlen(name)) : MC_NONE;
    if (name && found == MC_NONE)
        return fail(error, "expected the column \"%s\" of the time in the header", name,
                    strlen(name));
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (name && self->items[i].kind == MC_ROWS_TIME) self->items[i].kind = MC_ROWS_UNDECIDED;
        if (i == found) self->items[i].kind = MC_ROWS_TIME;
        count += self->items[i].kind == MC_ROWS_TIME;
    }
    if (count == 1) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, 1,
                        "expected a header line with a column \"time\" (--time names another one)");
}

static bool is_free(const mc_rows_column *column) {
    return column->kind == MC_ROWS_UNDECIDED || column->kind == MC_ROWS_CLASSIFIER ||
           column->kind == MC_ROWS_METRIC;
}

// Places follow the list; all else that could be one is what `others` says.
static mc_result take_classifiers(mc_rows_columns *self, const char *list,
                                  mc_rows_column_kind others, mc_error *error) {
    size_t count;
    mc_result result = read_list(self, list, &count, error);
    if (result != MC_OK) return result;
    for (size_t i = 0; i < self->count; i++) {
        self->items[i].place = MC_NONE;
        if (is_free(&self->items[i]) && self->items[i].kind != MC_ROWS_METRIC)
            self->items[i].kind = others;
    }
    for (size_t i = 0; i < count; i++) {
        mc_rows_column *column = &self->items[self->kept[i]];
        if (column->kind == MC_ROWS_TIME || column->place != MC_NONE)
            return fail_column(self, self->kept[i],
                               "expected \"%s\" once among time and classifiers", error);
        column->kind = MC_ROWS_CLASSIFIER;
        column->place = (uint32_t)i;
    }
    return MC_OK;
}

static mc_result take_metrics(mc_rows_columns *self, const char *list, bool has_classifiers,
                              mc_error *error) {
    size_t count;
    mc_result result = read_list(self, list, &count, error);
    if (result != MC_OK) return result;
    for (size_t i = 0; i < self->count; i++) {
        mc_rows_column *column = &self->items[i];
        if (!has_classifiers && column->kind == MC_ROWS_UNDECIDED)
            column->kind = MC_ROWS_CLASSIFIER;
        if (column->kind == MC_ROWS_METRIC) column->kind = MC_ROWS_SKIPPED;
    }
    for (size_t i = 0; i < count; i++) {
        mc_rows_column *column = &self->items[self->kept[i]];
        if (column->kind == MC_ROWS_OBJECTS || column->kind == MC_ROWS_BYTES) continue;
        if (column->kind == MC_ROWS_TIME || (has_classifiers && column->kind == MC_ROWS_CLASSIFIER))
            return fail_column(self, self->kept[i],
                               "expected \"%s\" once among time, classifiers and metrics", error);
        column->kind = MC_ROWS_METRIC;
    }
    return MC_OK;
}

mc_result mc_rows_columns_settle(mc_rows_columns *self, const mc_rows_options *options,
                                 mc_error *error) {
    for (size_t i = 0; i < self->count; i++)
        self->items[i].place = (uint32_t)i;
    mc_result result = take_time(self, options->time, error);
    if (result == MC_OK && options->classifiers)
        result = take_classifiers(self, options->classifiers,
                                  options->metrics ? MC_ROWS_SKIPPED : MC_ROWS_METRIC, error);
    if (result == MC_OK && options->metrics)
        result = take_metrics(self, options->metrics, options->classifiers != NULL, error);
    return result;
}

// ---- places, roles, metrics

static mc_result add_role(mc_rows_columns *self, mc_rows_column *column, mc_error *error) {
    size_t size;
    const char *name = mc_strings_get(&self->strings, column->base, &size);
    column->role = size > 0 ? mc_strings_intern(&self->roles, name, size) : MC_NONE;
    return size > 0 && column->role == MC_NONE ? mc_error_out_of_memory(error) : MC_OK;
}

// In the order of places, which is that of the columns unless options say otherwise.
static mc_result number_places(mc_rows_columns *self, mc_error *error) {
    size_t count = 0;
    if (!mc_reserve(&self->kept, &self->kept_capacity, self->count, sizeof *self->kept))
        return mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->count; i++) {
        if (self->items[i].kind != MC_ROWS_CLASSIFIER) continue;
        size_t at = count++;
        for (; at > 0 && self->items[self->kept[at - 1]].place > self->items[i].place; at--)
            self->kept[at] = self->kept[at - 1];
        self->kept[at] = (uint32_t)i;
    }
    for (size_t k = 0; k < count; k++) {
        mc_rows_column *column = &self->items[self->kept[k]];
        column->place = (uint32_t)k;
        mc_result result = add_role(self, column, error);
        if (result != MC_OK) return result;
    }
    self->place_count = (uint32_t)count;
    return MC_OK;
}

// A name belongs to the column that bears what stands before its brackets.
static mc_result place_names(mc_rows_columns *self, mc_error *error) {
    for (size_t i = 0; i < self->count; i++) {
        mc_rows_column *column = &self->items[i];
        if (column->kind != MC_ROWS_NAME) continue;
        size_t size;
        const char *base = mc_strings_get(&self->strings, column->base, &size);
        uint32_t of = MC_NONE;
        for (size_t k = 0; k < self->count && of == MC_NONE; k++) {
            const mc_rows_column *other = &self->items[k];
            if (other->base == column->base && other->level == column->level && k != i &&
                (other->kind == MC_ROWS_CLASSIFIER || other->kind == MC_ROWS_ROOT))
                of = (uint32_t)k;
        }
        if (of == MC_NONE)
            return fail(error, "expected a classifier \"%s\" beside the column of its names", base,
                        size);
        column->place = self->items[of].kind == MC_ROWS_ROOT ? MC_NONE : self->items[of].place;
    }
    return MC_OK;
}

static mc_result number_metrics(mc_rows_columns *self, mc_error *error) {
    self->metric_count = 0;
    for (size_t i = 0; i < self->count; i++) {
        mc_rows_column *column = &self->items[i];
        size_t size, title_size;
        if (column->kind != MC_ROWS_METRIC) continue;
        const char *key = mc_strings_get(&self->strings, column->base, &size);
        const char *title = mc_strings_get(&self->strings, column->title, &title_size);
        if (size == 0) return fail_column(self, i, "expected a metric's name, found \"%s\"", error);
        if (self->metric_count >= MC_METRIC_MOST - MC_METRIC_FIRST_OWN)
            return mc_error_set(error, MC_ERROR_BAD_DATA, 1,
                                "expected at most %d metrics beside objects and bytes",
                                MC_METRIC_MOST - MC_METRIC_FIRST_OWN);
        mc_metric_info info = mc_metric_info_of_key(key, size), *said = &column->metric;
        info.key = key;
        info.key_size = size;
        if (!(info.says & MC_METRIC_SAYS_TITLE)) info.title = key;
        if (said->says & MC_METRIC_SAYS_TITLE) {
            info.title = title + said->scale; // where it begins
            info.title_size = title_size - 1 - (size_t)said->scale;
        }
        if (said->says & MC_METRIC_SAYS_UNIT) info.unit = said->unit;
        if (said->says & MC_METRIC_SAYS_KIND) info.kind = said->kind;
        info.is_real = said->is_real;
        if (said->says & MC_METRIC_SAYS_ADDITIVE)
            info.is_additive = said->is_additive;
        else if (info.is_real && !(info.says & MC_METRIC_SAYS_ADDITIVE))
            info.is_additive = false;
        info.says |= said->says;
        for (size_t k = 0; k < i; k++)
            if (self->items[k].kind == MC_ROWS_METRIC && self->items[k].base == column->base)
                return fail_column(self, i, "expected one column a metric, found also \"%s\"",
                                   error);
        *said = info;
        column->metric_index = self->metric_count++;
    }
    return MC_OK;
}

mc_result mc_rows_columns_finish(mc_rows_columns *self, const mc_log *log, mc_error *error) {
    self->has_root = false;
    for (size_t i = 0; i < self->count; i++) {
        mc_excerpt shown;
        size_t size;
        const char *title = mc_strings_get(&self->strings, self->items[i].title, &size);
        if (self->items[i].kind == MC_ROWS_SKIPPED)
            mc_log_write(log, MC_LOG_WARNING,
                         "column \"%s\" is left out: it is neither among "
                         "--classifiers nor --metrics",
                         mc_excerpt_make(&shown, title, size));
        if (self->items[i].kind != MC_ROWS_ROOT) continue;
        if (self->has_root)
            return fail_column(self, i, "expected one root, found also \"%s\"", error);
        self->has_root = true;
    }
    mc_result result = number_places(self, error);
    if (result == MC_OK) result = place_names(self, error);
    if (result == MC_OK) result = number_metrics(self, error);
    return result;
}

// ---- references

static bool take_end(mc_rows_column *column, const mc_rows_columns *rows, const char *title,
                     size_t size) {
    static const char *const prefixes[] = {"from_", "to_"};
    for (uint32_t side = 0; side < 2; side++) {
        size_t length = strlen(prefixes[side]);
        if (size < length || memcmp(title, prefixes[side], length) != 0) continue;
        uint32_t found = find_column(rows, title + length, size - length);
        const mc_rows_column *other = found != MC_NONE ? &rows->items[found] : NULL;
        if (!other || (other->kind != MC_ROWS_CLASSIFIER && other->kind != MC_ROWS_NAME) ||
            other->place == MC_NONE)
            continue;
        *column = (mc_rows_column){.kind = other->kind,
                                   .title = column->title,
                                   .base = column->base,
                                   .place = other->place,
                                   .role = other->role,
                                   .side = side};
        return true;
    }
    return false;
}

mc_result mc_rows_columns_settle_references(mc_rows_columns *self, const mc_rows_columns *rows,
                                            mc_error *error) {
    uint32_t time_count = 0, place_count = 0, number_count = 0;
    for (size_t i = 0; i < self->count; i++) {
        mc_rows_column *column = &self->items[i];
        size_t size;
        const char *title = mc_strings_get(&self->strings, column->title, &size);
        if (take_end(column, rows, title, size)) {
            place_count += column->kind == MC_ROWS_CLASSIFIER;
        } else if (is_text(title, size, "time")) {
            time_count++;
        } else if (is_text(title, size, "points_to") || is_text(title, size, "pointed_from")) {
            column->kind = title[5] == 's' ? MC_ROWS_POINTS_TO : MC_ROWS_POINTED_FROM;
            number_count++;
        } else {
            return fail_column(self, i,
                               "expected time, points_to, pointed_from, and the classifiers of the "
                               "rows with from_ and to_ before them, found \"%s\"",
                               error);
        }
    }
    self->place_count = rows->place_count;
    if (time_count == 1 && number_count > 0 && place_count == 2 * rows->place_count) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, 1,
                        "expected a header line with time, points_to or pointed_from, and all "
                        "classifiers of the rows with from_ and to_ before them");
}

// ---- metrics, by what stands in the first rows

// Which of several columns of digits count something, and which are names (ports, process numbers),
// nobody but the user knows.
static mc_result fail_numbers(const mc_rows_columns *self, const uint8_t *are_guessed,
                              mc_error *error) {
    mc_text list = {0}, names = {0};
    for (size_t i = 0; i < self->count && list.size < MC_EXCERPT_SIZE; i++) {
        mc_excerpt shown;
        const char *title = mc_rows_columns_get_title(self, i);
        if (!are_guessed[i]) continue;
        title = mc_excerpt_make(&shown, title, strlen(title));
        mc_text_format(&names, "%s\"%s\"", names.size > 0 ? ", " : "", title);
        mc_text_format(&list, "%s%s", list.size > 0 ? "," : "", title);
    }
    if (list.failed || names.failed)
        mc_error_out_of_memory(error);
    else
        mc_error_set(error, MC_ERROR_BAD_DATA, 1,
                     "the columns %s hold numbers alone: say which of them are metrics (import "
                     "--metrics %s), and all others are names; or write so in the header, as "
                     "NAME[metric] and NAME[1]",
                     names.data, list.data);
    mc_text_deinit(&list);
    mc_text_deinit(&names);
    return error->code;
}

mc_result mc_rows_columns_decide(mc_rows_columns *self, uint8_t *seen, mc_error *error) {
    uint32_t guessed_count = 0;
    for (size_t i = 0; i < self->count; i++) {
        mc_rows_column *column = &self->items[i];
        size_t size;
        const char *name = mc_strings_get(&self->strings, column->base, &size);
        bool is_known = mc_metric_info_of_key(name, size).says != 0;
        bool is_open = column->kind == MC_ROWS_UNDECIDED;
        bool is_number = seen[i] == MC_ROWS_SEEN_NUMBER;
        if (is_open)
            column->kind =
                is_number || (seen[i] == 0 && is_known) ? MC_ROWS_METRIC : MC_ROWS_CLASSIFIER;
        seen[i] = is_open && is_number && !is_known;
        guessed_count += seen[i];
    }
    return guessed_count > 1 ? fail_numbers(self, seen, error) : MC_OK;
}
