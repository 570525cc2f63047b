#include "app/form.h"

#include "app/format.h"
#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 4        // of objects in each other; a table is made by us
#define FIELDS_MAX 64      // of an object, with its parts
#define NUMBER_SIZE_MAX 64 // digits and signs of a number in a file

// A table and what it is about: the whole struct, or one of its parts.
typedef struct form {
    const mc_form_field *fields;
    uint32_t count, uses;
} form;

typedef struct form_reader {
    mc_json_tokens tokens;
    const char *path[DEPTH_MAX];
    uint32_t depth;
} form_reader;

// Of plain values; 0: it is none.
static size_t get_size(const mc_form_field *field) {
    switch (field->kind) {
    case MC_FORM_BOOL: return sizeof(bool);
    case MC_FORM_UINT:
    case MC_FORM_SWITCH:
    case MC_FORM_CHOICE: return sizeof(uint32_t);
    case MC_FORM_FLOAT: return sizeof(float);
    case MC_FORM_DOUBLE: return sizeof(double);
    case MC_FORM_NUMBERS: return field->count * sizeof(double);
    case MC_FORM_RANGE: return 2 * sizeof(uint32_t);
    case MC_FORM_NAME: return field->count;
    case MC_FORM_STEPS: return sizeof(mc_form_steps);
    default: return 0;
    }
}

bool mc_form_differs(const mc_form_field *fields, uint32_t count, uint32_t uses, const void *a,
                     const void *b) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_form_field *field = &fields[i];
        const char *x = (const char *)a + field->offset, *y = (const char *)b + field->offset;
        if (field->kind == MC_FORM_PART) {
            if (mc_form_differs(field->fields, field->count, uses, x, y)) return true;
        } else if ((field->uses & uses) && memcmp(x, y, get_size(field)) != 0) {
            return true;
        }
    }
    return false;
}

void mc_form_move(const mc_form_field *fields, uint32_t count, uint32_t uses, void *object,
                  const void *from, const void *to) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_form_field *field = &fields[i];
        char *at = (char *)object + field->offset;
        const char *x = (const char *)from + field->offset, *y = (const char *)to + field->offset;
        if (field->kind == MC_FORM_PART) {
            mc_form_move(field->fields, field->count, uses, at, x, y);
        } else if ((field->uses & uses) && memcmp(x, y, get_size(field)) != 0) {
            memmove(at, y, get_size(field));
        }
    }
}

static const mc_form_field *find(const form *table, const char *name, size_t size, size_t *offset) {
    for (uint32_t i = 0; i < table->count; i++) {
        const mc_form_field *field = &table->fields[i];
        size_t within = 0;
        const mc_form_field *found = NULL;
        if (field->kind == MC_FORM_PART) {
            found = find(&(form){field->fields, field->count, table->uses}, name, size, &within);
        } else if ((field->uses & table->uses) && field->name && strlen(field->name) == size &&
                   memcmp(field->name, name, size) == 0) {
            found = field;
        }
        if (!found) continue;
        *offset = field->offset + within;
        return found;
    }
    return NULL;
}

const mc_form_field *mc_form_find(const mc_form_field *fields, uint32_t count, uint32_t uses,
                                  const char *name, size_t *offset) {
    return find(&(form){fields, count, uses}, name, strlen(name), offset);
}

static uint32_t count_choices(const mc_form_field *field) {
    uint32_t count = 0;
    while (field->choices[count])
        count++;
    return count;
}

bool mc_form_set_number(const mc_form_field *field, size_t offset, void *object, double value) {
    void *at = (char *)object + offset;
    bool is_whole = value >= 0 && value <= UINT32_MAX && value == floor(value);
    bool is_within = value >= field->least && value <= field->most;
    switch (field->kind) {
    case MC_FORM_BOOL:
        if (value != 0 && value != 1) return false;
        *(bool *)at = value != 0;
        return true;
    case MC_FORM_SWITCH:
        if (value != 0 && value != 1) return false;
        *(uint32_t *)at = value != 0;
        return true;
    case MC_FORM_UINT:
        if (!is_whole || !is_within) return false;
        *(uint32_t *)at = (uint32_t)value;
        return true;
    case MC_FORM_CHOICE:
        if (!is_whole || value >= count_choices(field)) return false;
        *(uint32_t *)at = (uint32_t)value;
        return true;
    case MC_FORM_FLOAT:
        if (!is_within) return false;
        *(float *)at = (float)value;
        return true;
    case MC_FORM_DOUBLE:
        if (!is_within) return false;
        *(double *)at = value;
        return true;
    default: return false;
    }
}

bool mc_form_set_name(char *name, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) return false;
    memset(name, 0, size); // names are compared as a whole
    memcpy(name, text, length + 1);
    return true;
}

// Whether another one may follow.
static bool add_step(mc_form_steps *steps, double step) {
    bool is_step = step >= 0 && step < UINT32_MAX && step == floor(step);
    bool is_next = steps->count == 0 || step > steps->items[steps->count - 1];
    if (!is_step || !is_next || steps->count == MC_FORM_STEPS_MAX) return false;
    steps->items[steps->count++] = (uint32_t)step;
    return true;
}

bool mc_form_read_steps(mc_form_steps *steps, const char *text) {
    mc_form_steps read = {.count = 0};
    for (const char *at = text; text[0] != '\0';) {
        char *end;
        unsigned long step = strtoul(at, &end, 10);
        bool is_number = *at >= '0' && *at <= '9' && (*end == ',' || *end == '\0');
        if (!is_number || !add_step(&read, (double)step)) return false;
        if (*end == '\0') break;
        at = end + 1;
    }
    *steps = read;
    return true;
}

bool mc_form_has_step(const mc_form_steps *steps, uint32_t step) {
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->items[i] == step) return true;
    return false;
}

bool mc_form_toggle_step(mc_form_steps *steps, uint32_t step) {
    uint32_t at = 0, *items = steps->items;
    while (at < steps->count && items[at] < step)
        at++;
    size_t behind = (steps->count - at) * sizeof *items;
    if (at < steps->count && items[at] == step) {
        memmove(items + at, items + at + 1, behind - sizeof *items);
        items[--steps->count] = 0;
        return true;
    }
    if (steps->count == MC_FORM_STEPS_MAX) return false;
    memmove(items + at + 1, items + at, behind);
    items[at] = step;
    steps->count++;
    return true;
}

bool mc_form_limit_steps(mc_form_steps *steps, uint32_t last) {
    uint32_t before = steps->count;
    while (steps->count > 0 && steps->items[steps->count - 1] > last)
        steps->items[--steps->count] = 0;
    return steps->count < before;
}

static void append_expected(mc_text *out, const mc_form_field *field) {
    switch (field->kind) {
    case MC_FORM_BOOL:
    case MC_FORM_SWITCH: mc_text_append_string(out, "true or false"); break;
    case MC_FORM_CHOICE:
        for (uint32_t i = 0; field->choices[i]; i++)
            mc_text_format(out, "%s%s", i > 0 ? ", " : "one of ", field->choices[i]);
        break;
    case MC_FORM_NAME:
        mc_text_format(out, "a name of less than %" PRIu32 " bytes", field->count);
        break;
    case MC_FORM_STEPS:
        mc_text_format(out, "%d steps at most in ascending order, such as 2,4,11",
                       MC_FORM_STEPS_MAX);
        break;
    default:
        mc_text_format(out, "a %snumber from %.6g to %.6g",
                       field->kind == MC_FORM_UINT ? "whole " : "", field->least, field->most);
    }
}

static bool parse_value(const mc_form_field *field, const char *text, double *value) {
    char *end;
    if (field->kind == MC_FORM_BOOL || field->kind == MC_FORM_SWITCH) {
        *value = strcmp(text, "true") == 0;
        return *value != 0 || strcmp(text, "false") == 0;
    }
    if (field->kind == MC_FORM_CHOICE) {
        uint32_t i = 0;
        while (field->choices[i] && strcmp(field->choices[i], text) != 0)
            i++;
        *value = i;
        return field->choices[i] != NULL;
    }
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

mc_result mc_form_set_text(const mc_form_field *field, size_t offset, void *object,
                           const char *text, mc_error *error) {
    double value;
    void *at = (char *)object + offset;
    bool is_set =
        field->kind == MC_FORM_NAME ? mc_form_set_name(at, field->count, text)
        : field->kind == MC_FORM_STEPS
            ? mc_form_read_steps(at, text)
            : parse_value(field, text, &value) && mc_form_set_number(field, offset, object, value);
    if (is_set) return MC_OK;
    mc_text expected = {0};
    append_expected(&expected, field);
    mc_result result = expected.failed
                           ? mc_error_out_of_memory(error)
                           : mc_fail(error, MC_ERROR_BAD_DATA, "expected %s, found \"%.100s\"",
                                     expected.data, text);
    mc_text_deinit(&expected);
    return result;
}

bool mc_form_texts_add(mc_form_texts *texts, const char *bytes, size_t size) {
    char *copy = mc_alloc(size + 1, 1);
    if (!copy || !mc_reserve(&texts->items, &texts->capacity, (size_t)texts->count + 1,
                             sizeof *texts->items)) {
        mc_free(copy);
        return false;
    }
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    texts->items[texts->count++] = copy;
    return true;
}

void mc_form_texts_deinit(mc_form_texts *texts) {
    for (uint32_t i = 0; i < texts->count; i++) {
        mc_free(texts->items[i]);
    }
    mc_free(texts->items);
    *texts = (mc_form_texts){0};
}

// Writing

static void append_text(mc_text *out, const char *text) {
    if (text) {
        mc_format_append_json(out, text, strlen(text));
    } else {
        mc_text_append_string(out, "null");
    }
}

// As short as possible, and the same number when it is read back.
static void append_number(mc_text *out, double number) {
    char text[40];
    int digits = 6;
    do {
        snprintf(text, sizeof text, "%.*g", digits++, number);
    } while (digits <= 17 && strtod(text, NULL) != number);
    mc_text_append_string(out, text);
}

// The same for what is a float on both sides.
static void append_float(mc_text *out, float number) {
    char text[40];
    int digits = 3;
    do {
        snprintf(text, sizeof text, "%.*g", digits++, (double)number);
    } while (digits <= 9 && strtof(text, NULL) != number);
    mc_text_append_string(out, text);
}

static void append_value(mc_text *out, const mc_form_field *field, uint32_t uses,
                         const void *value) {
    const double *numbers = value;
    const uint32_t *integers = value;
    const mc_form_texts *texts = value;
    switch (field->kind) {
    case MC_FORM_BOOL: mc_text_append_string(out, *(const bool *)value ? "true" : "false"); break;
    case MC_FORM_UINT: mc_text_format(out, "%" PRIu32, *integers); break;
    case MC_FORM_FLOAT: append_float(out, *(const float *)value); break;
    case MC_FORM_DOUBLE: append_number(out, *numbers); break;
    case MC_FORM_NUMBERS:
        for (uint32_t i = 0; i < field->count; i++) {
            mc_text_append_string(out, i == 0 ? "[" : ",");
            append_number(out, numbers[i]);
        }
        mc_text_append_string(out, "]");
        break;
    case MC_FORM_RANGE:
        mc_text_format(out, "[%" PRIu32 ",%" PRIu32 "]", integers[0], integers[1]);
        break;
    case MC_FORM_CHOICE: append_text(out, field->choices[*integers]); break;
    case MC_FORM_NAME: append_text(out, *(const char *)value ? value : NULL); break;
    case MC_FORM_TEXT: append_text(out, *(char *const *)value); break;
    case MC_FORM_STEPS:
        mc_text_append_string(out, "[");
        for (uint32_t i = 0; i < ((const mc_form_steps *)value)->count; i++)
            mc_text_format(out, "%s%" PRIu32, i > 0 ? "," : "", integers[i]);
        mc_text_append_string(out, "]");
        break;
    case MC_FORM_TEXTS:
        mc_text_append_string(out, "[");
        for (uint32_t i = 0; i < texts->count; i++) {
            if (i > 0) mc_text_append_string(out, ",");
            append_text(out, texts->items[i]);
        }
        mc_text_append_string(out, "]");
        break;
    case MC_FORM_SWITCH: mc_text_append_string(out, *integers ? "true" : "false"); break;
    case MC_FORM_OBJECT: mc_form_append(out, field->fields, field->count, uses, value); break;
    case MC_FORM_PART: break;
    }
}

static void append_members(mc_text *out, const form *table, const void *object, bool *is_first) {
    for (uint32_t i = 0; i < table->count; i++) {
        const mc_form_field *field = &table->fields[i];
        const char *value = (const char *)object + field->offset;
        if (field->kind == MC_FORM_PART) {
            form part = {field->fields, field->count, table->uses};
            append_members(out, &part, value, is_first);
        } else if ((field->uses & table->uses) && field->name) {
            mc_text_format(out, "%s\"%s\":", *is_first ? "" : ",", field->name);
            append_value(out, field, table->uses, value);
            *is_first = false;
        }
    }
}

void mc_form_append(mc_text *out, const mc_form_field *fields, uint32_t count, uint32_t uses,
                    const void *object) {
    bool is_first = true;
    mc_text_append_string(out, "{");
    append_members(out, &(form){fields, count, uses}, object, &is_first);
    mc_text_append_string(out, "}");
}

// Reading

// The number that is the next token.
static bool take_number(form_reader *reader, double least, double most, double *value) {
    mc_json_tokens *tokens = &reader->tokens;
    const unsigned char *at = mc_json_get_place(tokens);
    char text[NUMBER_SIZE_MAX + 1];
    size_t size = 0, left = (size_t)(tokens->data + tokens->size - at);
    while (size < left && size < NUMBER_SIZE_MAX && at[size] &&
           strchr("+-.0123456789eE", at[size])) {
        text[size] = (char)at[size];
        size++;
    }
    text[size] = '\0';
    if (size == 0) return mc_json_fail(tokens, "a number");
    if (!mc_json_skip_value(tokens)) return false;
    char *end;
    *value = strtod(text, &end);
    if (*end != '\0' || size == NUMBER_SIZE_MAX || !(*value >= least && *value <= most)) {
        return mc_json_fail_at(tokens, at, "expected a number from %.6g to %.6g, found %s", least,
                               most, text);
    }
    return true;
}

static bool take_uint(form_reader *reader, double least, double most, uint32_t *value) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    double number;
    if (!take_number(reader, least, fmin(most, UINT32_MAX), &number)) return false;
    if (number != floor(number)) {
        return mc_json_fail_at(&reader->tokens, at, "expected a whole number, found %.6g", number);
    }
    *value = (uint32_t)number;
    return true;
}

static bool take_bool(form_reader *reader, bool *value) {
    int first = mc_json_peek(&reader->tokens);
    if (first != 't' && first != 'f') return mc_json_fail(&reader->tokens, "true or false");
    *value = first == 't';
    return mc_json_skip_value(&reader->tokens);
}

static bool take_choice(form_reader *reader, const char *const *choices, uint32_t *value) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    mc_json_string name;
    if (!mc_json_take_string(&reader->tokens, "a name", &name)) return false;
    for (uint32_t i = 0; choices[i]; i++) {
        if (strlen(choices[i]) == name.size && memcmp(choices[i], name.bytes, name.size) == 0) {
            *value = i;
            return true;
        }
    }
    mc_text known = {0};
    for (uint32_t i = 0; choices[i]; i++) {
        mc_text_format(&known, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    bool failed = known.failed;
    if (!failed) {
        mc_json_fail_at(&reader->tokens, at, "expected one of %s, found \"%.*s\"", known.data,
                        name.size < 100 ? (int)name.size : 100, name.bytes);
    }
    mc_text_deinit(&known);
    return failed ? mc_json_fail_memory(&reader->tokens) : false;
}

// Names and paths end at their first NUL; one in the middle would cut them off silently.
static bool take_plain_string(form_reader *reader, mc_json_string *string) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    if (!mc_json_take_string(&reader->tokens, "a string", string)) return false;
    if (string->size > 0 && memchr(string->bytes, '\0', string->size)) {
        return mc_json_fail_at(&reader->tokens, at, "expected a string without \\u0000");
    }
    return true;
}

static bool take_text(form_reader *reader, char **value) {
    mc_json_string string = {0};
    bool is_null = mc_json_peek(&reader->tokens) == 'n';
    if (is_null ? !mc_json_skip_value(&reader->tokens) : !take_plain_string(reader, &string)) {
        return false;
    }
    char *copy = is_null ? NULL : mc_alloc(string.size + 1, 1);
    if (!is_null && !copy) return mc_json_fail_memory(&reader->tokens);
    if (copy) {
        memcpy(copy, string.bytes, string.size);
        copy[string.size] = '\0';
    }
    mc_free(*value);
    *value = copy;
    return true;
}

static bool take_name(form_reader *reader, const mc_form_field *field, char *name) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    char *text = NULL;
    if (!take_text(reader, &text)) return false;
    bool fits = mc_form_set_name(name, field->count, text ? text : "");
    mc_free(text);
    return fits || mc_json_fail_at(&reader->tokens, at,
                                   "expected a name of less than %" PRIu32 " bytes", field->count);
}

// Behind an array's opening bracket or an element: whether another one follows.
static bool take_next_element(form_reader *reader, bool is_first, bool *is_end) {
    *is_end = mc_json_take(&reader->tokens, ']');
    if (*is_end || is_first) return true;
    return mc_json_take(&reader->tokens, ',') ||
           mc_json_fail(&reader->tokens, "',' or ']' behind an element");
}

static bool take_texts(form_reader *reader, mc_form_texts *texts) {
    bool is_end = false;
    mc_form_texts_deinit(texts);
    if (!mc_json_take(&reader->tokens, '[')) return mc_json_fail(&reader->tokens, "a list");
    while (take_next_element(reader, texts->count == 0, &is_end) && !is_end) {
        mc_json_string string = {0};
        if (texts->count == MC_FORM_TEXTS_MAX) return mc_json_fail(&reader->tokens, "fewer");
        if (!take_plain_string(reader, &string)) return false;
        if (!mc_form_texts_add(texts, string.bytes, string.size)) {
            return mc_json_fail_memory(&reader->tokens);
        }
    }
    return is_end;
}

static bool take_numbers(form_reader *reader, const mc_form_field *field, double *values) {
    if (!mc_json_take(&reader->tokens, '[')) return mc_json_fail(&reader->tokens, "a list");
    for (uint32_t i = 0; i < field->count; i++) {
        if (i > 0 && !mc_json_take(&reader->tokens, ',')) {
            return mc_json_fail(&reader->tokens, "',' and another number");
        }
        if (!take_number(reader, field->least, field->most, &values[i])) return false;
    }
    return mc_json_take(&reader->tokens, ']') || mc_json_fail(&reader->tokens, "']'");
}

static bool take_range(form_reader *reader, uint32_t *range) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    const mc_form_field field = {.kind = MC_FORM_NUMBERS, .most = UINT32_MAX - 1, .count = 2};
    double values[2];
    if (!take_numbers(reader, &field, values)) return false;
    bool is_range =
        values[0] <= values[1] && values[0] == floor(values[0]) && values[1] == floor(values[1]);
    if (!is_range) {
        return mc_json_fail_at(&reader->tokens, at, "expected two steps, the earlier one first");
    }
    range[0] = (uint32_t)values[0];
    range[1] = (uint32_t)values[1];
    return true;
}

static bool take_steps(form_reader *reader, mc_form_steps *steps) {
    mc_form_steps read = {.count = 0};
    bool is_end = false;
    if (!mc_json_take(&reader->tokens, '[')) return mc_json_fail(&reader->tokens, "a list");
    while (take_next_element(reader, read.count == 0, &is_end) && !is_end) {
        const unsigned char *at = mc_json_get_place(&reader->tokens);
        double step = 0;
        if (!take_number(reader, 0, UINT32_MAX - 1, &step)) return false;
        if (!add_step(&read, step))
            return mc_json_fail_at(&reader->tokens, at, "expected %d steps at most, ascending",
                                   MC_FORM_STEPS_MAX);
    }
    if (is_end) *steps = read;
    return is_end;
}

static bool take_object(form_reader *reader, const form *table, void *object);

static bool take_value(form_reader *reader, const mc_form_field *field, uint32_t uses,
                       void *value) {
    double number = 0;
    switch (field->kind) {
    case MC_FORM_BOOL: return take_bool(reader, value);
    case MC_FORM_UINT: return take_uint(reader, field->least, field->most, value);
    case MC_FORM_FLOAT:
        if (!take_number(reader, field->least, field->most, &number)) return false;
        *(float *)value = (float)number;
        return true;
    case MC_FORM_DOUBLE: return take_number(reader, field->least, field->most, value);
    case MC_FORM_NUMBERS: return take_numbers(reader, field, value);
    case MC_FORM_RANGE: return take_range(reader, value);
    case MC_FORM_CHOICE: return take_choice(reader, field->choices, value);
    case MC_FORM_NAME: return take_name(reader, field, value);
    case MC_FORM_TEXT: return take_text(reader, value);
    case MC_FORM_TEXTS: return take_texts(reader, value);
    case MC_FORM_STEPS: return take_steps(reader, value);
    case MC_FORM_SWITCH: {
        bool is_on = false;
        if (!take_bool(reader, &is_on)) return false;
        *(uint32_t *)value = is_on;
        return true;
    }
    case MC_FORM_OBJECT:
        return take_object(reader, &(form){field->fields, field->count, uses}, value);
    case MC_FORM_PART: break;
    }
    return false;
}

// The fields of an object that have been read.
typedef struct seen_fields {
    const mc_form_field *items[FIELDS_MAX];
    uint32_t count;
} seen_fields;

static bool has_seen(const seen_fields *seen, const mc_form_field *field) {
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->items[i] == field) return true;
    return false;
}

static bool take_field(form_reader *reader, const mc_form_field *field, uint32_t uses,
                       seen_fields *seen, void *value) {
    assert(reader->depth < DEPTH_MAX && seen->count < FIELDS_MAX);
    reader->path[reader->depth++] = field->name;
    if (has_seen(seen, field))
        return mc_json_fail_at(&reader->tokens, mc_json_get_place(&reader->tokens),
                               "there is another field of this name before");
    seen->items[seen->count++] = field;
    if (!take_value(reader, field, uses, value)) return false;
    reader->depth--;
    return true;
}

static const mc_form_field *find_missing(const form *table, const seen_fields *seen) {
    for (uint32_t i = 0; i < table->count; i++) {
        const mc_form_field *field = &table->fields[i];
        const mc_form_field *missing =
            field->kind == MC_FORM_PART
                ? find_missing(&(form){field->fields, field->count, table->uses}, seen)
            : field->is_required && (field->uses & table->uses) && !has_seen(seen, field) ? field
                                                                                          : NULL;
        if (missing) return missing;
    }
    return NULL;
}

static bool take_object(form_reader *reader, const form *table, void *object) {
    mc_json_tokens *tokens = &reader->tokens;
    seen_fields seen = {.count = 0};
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "an object");
    for (bool is_first = true;; is_first = false) {
        mc_json_string name = {"", 0};
        mc_json_member member = mc_json_next_member(tokens, is_first, &name);
        if (member == MC_JSON_FAILED) return false;
        if (member == MC_JSON_END) break;
        size_t offset = 0;
        const mc_form_field *field = find(table, name.bytes, name.size, &offset);
        bool taken = field ? take_field(reader, field, table->uses, &seen, (char *)object + offset)
                           : mc_json_skip_value(tokens);
        if (!taken) return false;
    }
    const mc_form_field *missing = find_missing(table, &seen);
    if (missing) {
        return mc_json_fail_at(tokens, mc_json_get_place(tokens), "the field %s is missing",
                               missing->name);
    }
    return true;
}

// Puts the path of the field before what is wrong with it.
static void name_field(const form_reader *reader, mc_error *error) {
    if (!error || reader->depth == 0 || error->code != MC_ERROR_BAD_DATA) return;
    mc_error plain = *error;
    mc_text path = {0};
    for (uint32_t i = 0; i < reader->depth; i++) {
        mc_text_format(&path, "%s%s", i > 0 ? "." : "", reader->path[i]);
    }
    if (!path.failed) {
        mc_error_set(error, plain.code, plain.byte_offset, "%s: %.900s", path.data, plain.message);
    }
    mc_text_deinit(&path);
}

mc_result mc_form_read(const mc_form_field *fields, uint32_t count, uint32_t uses,
                       const unsigned char *data, size_t size, void *object, mc_error *error) {
    form_reader reader = {.depth = 0};
    mc_error own = {0};
    if (!mc_json_tokens_init(&reader.tokens)) return mc_error_out_of_memory(error);
    mc_json_tokens_begin(&reader.tokens, data, size, 0, &own);
    form table = {fields, count, uses};
    if (!take_object(&reader, &table, object) || !mc_json_take_end(&reader.tokens)) {
        name_field(&reader, &own);
    }
    mc_json_tokens_deinit(&reader.tokens);
    if (error && own.code != MC_OK) *error = own;
    return own.code;
}
