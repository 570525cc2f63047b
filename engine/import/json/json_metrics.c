// Metrics beyond objects and bytes: what a document declares of them, and their values in a node.
#include "engine/base/printable.h"
#include "engine/import/json/json_reader_state.h"
#include <string.h>

// A column whose value of a node is given; without one the metric would have no place.
static uint32_t add_metric(mc_json_reader *reader, mc_step_tree *tree, const mc_metric_info *info,
                           uint64_t offset) {
    if (tree->metrics.count == MC_METRIC_MOST - MC_METRIC_FIRST_OWN) {
        mc_json_fail_at(&reader->tokens, reader->tokens.data + (offset - reader->tokens.offset),
                        "expected at most %d metrics beside objects and bytes",
                        MC_METRIC_MOST - MC_METRIC_FIRST_OWN);
        return MC_NONE;
    }
    uint32_t index = mc_step_tree_add_metric(tree, info);
    if (index == MC_NONE)
        mc_json_fail_memory(&reader->tokens);
    else
        tree->columns[index].source_offset = offset;
    return index;
}

// MC_NONE: what is wrong was said.
static uint32_t find_or_add_metric(mc_json_reader *reader, mc_step_tree *tree, const char *key,
                                   size_t size, uint64_t offset) {
    uint32_t guess = reader->next_metric;
    if (guess < tree->metrics.count && tree->metrics.items[guess].key_size == size &&
        memcmp(tree->metrics.items[guess].key, key, size) == 0)
        return guess;
    uint32_t index = mc_metrics_find(&tree->metrics, key, size);
    if (index != MC_NONE) return index;
    mc_metric_info info = mc_metric_info_of_key(key, size);
    return add_metric(reader, tree, &info, offset);
}

// ---- values

static bool take_value(mc_json_reader *reader, mc_step_tree *tree, uint32_t metric, uint32_t node) {
    mc_json_number number;
    if (mc_step_tree_get_value(tree, metric, node) != MC_COUNT_UNKNOWN)
        return mc_json_reader_fail_twice(reader);
    mc_json_reader_note_hole(reader, MC_JSON_HOLE_VALUE, metric);
    if (!mc_json_take_number(&reader->tokens, &number)) return false;
    if (number.is_real) mc_step_tree_make_real(tree, metric);
    uint64_t word = number.is_real ? mc_metric_pack(number.real) : number.whole;
    if (!number.is_real && tree->metrics.items[metric].is_real) word = mc_metric_make_real(word);
    return mc_step_tree_set_value(tree, metric, node, word) || mc_json_fail_memory(&reader->tokens);
}

static bool is_base(mc_json_string key) {
    return (key.size == 7 && memcmp(key.bytes, "objects", 7) == 0) ||
           (key.size == 5 && memcmp(key.bytes, "bytes", 5) == 0);
}

bool mc_json_reader_take_values(mc_json_reader *reader, mc_step_tree *tree, uint32_t node) {
    mc_json_tokens *tokens = &reader->tokens;
    if (!mc_json_take(tokens, '{'))
        return mc_json_fail(tokens, "an object with a number for each metric");
    bool is_first = true;
    reader->next_metric = 0;
    for (;; is_first = false) {
        uint64_t offset = mc_json_get_offset(tokens);
        mc_json_member member = mc_json_next_member(tokens, is_first, &reader->metric_name);
        if (member != MC_JSON_MEMBER) {
            reader->metric_name.bytes = NULL;
            return member == MC_JSON_END;
        }
        mc_json_string key = reader->metric_name;
        if (key.size == 0 || is_base(key))
            return mc_json_fail_at(tokens, tokens->data + (offset - tokens->offset),
                                   key.size == 0
                                       ? "expected a metric's name, found an empty one"
                                       : "expected another metric: objects and bytes are fields of "
                                         "the node itself");
        uint32_t metric = find_or_add_metric(reader, tree, key.bytes, key.size, offset);
        if (metric == MC_NONE) return false;
        reader->next_metric = metric + 1;
        if (!take_value(reader, tree, metric, node)) return false;
        reader->metric_name.bytes = NULL;
    }
}

// ---- sizes, which the AntTracks form has fields for

bool mc_json_reader_take_size(mc_json_reader *reader, mc_step_tree *tree, uint32_t node,
                              const char *key, uint32_t *metric) {
    int64_t value;
    uint64_t offset = mc_json_get_offset(&reader->tokens);
    if (!mc_json_take_integer(&reader->tokens, -1, &value)) return false;
    if (value < 0) return true; // was not computed
    if (*metric == MC_NONE) {
        reader->next_metric = MC_NONE;
        *metric = find_or_add_metric(reader, tree, key, strlen(key), offset);
    }
    if (*metric == MC_NONE) return false;
    if (mc_step_tree_get_value(tree, *metric, node) != MC_COUNT_UNKNOWN)
        return mc_json_reader_fail_twice(reader);
    uint64_t word = (uint64_t)value;
    if (tree->metrics.items[*metric].is_real) word = mc_metric_make_real(word);
    return mc_step_tree_set_value(tree, *metric, node, word) ||
           mc_json_fail_memory(&reader->tokens);
}

// ---- declarations

// One {"name": …, "title": …, "unit": …, "kind": …, "additive": …}.
typedef struct declaration {
    mc_metric_info info;
    mc_text name, title; // what `info` points to
    uint64_t offset;
    uint32_t seen;
} declaration;

static bool take_text(mc_json_reader *reader, mc_text *text) {
    mc_json_string string;
    if (!mc_json_take_string(&reader->tokens, "a string", &string)) return false;
    mc_text_clear(text);
    mc_text_append(text, string.bytes, string.size);
    return !text->failed || mc_json_fail_memory(&reader->tokens);
}

static bool take_choice(mc_json_reader *reader, const char *expected, const char *const *names,
                        uint32_t *choice) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    mc_json_string string;
    if (!mc_json_take_string(&reader->tokens, expected, &string)) return false;
    for (*choice = 0; names[*choice]; (*choice)++)
        if (strlen(names[*choice]) == string.size &&
            memcmp(names[*choice], string.bytes, string.size) == 0)
            return true;
    mc_excerpt excerpt;
    return mc_json_fail_at(&reader->tokens, at, "expected %s, found \"%s\"", expected,
                           mc_excerpt_make(&excerpt, string.bytes, string.size));
}

static bool is_field(mc_json_string name, const char *wanted) {
    return name.size == strlen(wanted) && memcmp(name.bytes, wanted, name.size) == 0;
}

static bool take_declared_field(mc_json_reader *reader, mc_json_string name, declaration *d) {
    mc_json_tokens *tokens = &reader->tokens;
    uint32_t choice;
#define NOTE(field, text) mc_json_reader_note_field(reader, &d->seen, field, "metrics[]." text)
    if (is_field(name, "name")) return NOTE(MC_FIELD_NAME, "name") && take_text(reader, &d->name);
    if (is_field(name, "title")) {
        d->info.says |= MC_METRIC_SAYS_TITLE;
        return NOTE(MC_FIELD_TITLE, "title") && take_text(reader, &d->title);
    }
    if (is_field(name, "unit")) {
        if (!NOTE(MC_FIELD_UNIT, "unit") ||
            !take_choice(reader, "\"none\", \"count\", \"bytes\", \"time\" or \"ratio\"",
                         mc_unit_names, &choice))
            return false;
        d->info.unit = (mc_unit)choice;
        d->info.says |= MC_METRIC_SAYS_UNIT;
        return true;
    }
    if (is_field(name, "kind")) {
        if (!NOTE(MC_FIELD_KIND, "kind") ||
            !take_choice(reader, "\"stock\" or \"flow\"", mc_metric_kind_names, &choice))
            return false;
        d->info.kind = (mc_metric_kind)choice;
        d->info.says |= MC_METRIC_SAYS_KIND;
        return true;
    }
    if (is_field(name, "additive")) {
        d->info.says |= MC_METRIC_SAYS_ADDITIVE;
        return NOTE(MC_FIELD_ADDITIVE, "additive") &&
               mc_json_take_boolean(tokens, &d->info.is_additive);
    }
#undef NOTE
    return mc_json_skip_value(tokens);
}

static bool fail_declaration(mc_json_reader *reader, const declaration *d, const char *what) {
    mc_excerpt excerpt;
    return mc_json_fail_at(&reader->tokens,
                           reader->tokens.data + (d->offset - reader->tokens.offset), what,
                           mc_excerpt_make(&excerpt, d->name.data, d->name.size));
}

// Objects and bytes may be declared as what they are; they are in no step's table.
static bool is_known_base(const declaration *d) {
    mc_metric_info base = mc_metric_info_of_key(d->info.key, d->info.key_size);
    return mc_metric_info_merge(&base, &d->info) == 0;
}

static bool note_declaration(mc_json_reader *reader, mc_step_tree *tree, declaration *d) {
    if (!(d->seen & MC_FIELD_NAME) || d->name.size == 0)
        return fail_declaration(reader, d,
                                "expected a metric with the field \"name\", which is "
                                "missing or empty");
    d->info.key = d->name.data;
    d->info.key_size = d->name.size;
    bool has_title = d->info.says & MC_METRIC_SAYS_TITLE && d->title.size > 0;
    if (!has_title) d->info.says &= ~(uint32_t)MC_METRIC_SAYS_TITLE;
    d->info.title = has_title ? d->title.data : d->name.data;
    d->info.title_size = has_title ? d->title.size : d->name.size;
    if (is_base((mc_json_string){d->info.key, d->info.key_size}))
        return is_known_base(d) ||
               fail_declaration(reader, d, "expected what every trace has of \"%s\"");
    reader->next_metric = MC_NONE;
    uint32_t known = tree->metrics.count;
    uint32_t index = find_or_add_metric(reader, tree, d->info.key, d->info.key_size, d->offset);
    if (index == MC_NONE) return false;
    if (index < known && reader->declared >> index & 1)
        return fail_declaration(reader, d, "expected each metric once, found \"%s\" again");
    reader->declared |= (uint64_t)1 << index;
    tree->columns[index].source_offset = d->offset;
    int what = mc_metric_info_merge(&tree->metrics.items[index], &d->info);
    if (what < 0) return mc_json_fail_memory(&reader->tokens);
    return what == 0 || fail_declaration(reader, d,
                                         "expected what is known of \"%s\": bytes, a "
                                         "stock, not additive");
}

static bool take_declaration(mc_json_reader *reader, mc_step_tree *tree, declaration *d) {
    mc_json_tokens *tokens = &reader->tokens;
    d->info = (mc_metric_info){.is_additive = true};
    d->offset = mc_json_get_offset(tokens);
    d->seen = 0;
    mc_text_clear(&d->name);
    mc_text_clear(&d->title);
    if (!mc_json_take(tokens, '{'))
        return mc_json_fail(tokens, "a metric (an object with a \"name\")");
    bool is_first = true;
    mc_json_member member;
    mc_json_string name;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        is_first = false;
        if (!take_declared_field(reader, name, d)) return false;
        reader->field = "metrics[]";
    }
    return member == MC_JSON_END && note_declaration(reader, tree, d);
}

bool mc_json_reader_take_metrics(mc_json_reader *reader, mc_step_tree *tree) {
    mc_json_tokens *tokens = &reader->tokens;
    declaration d = {0};
    bool is_fine = mc_json_take(tokens, '[') || mc_json_fail(tokens, "an array of metrics");
    if (is_fine && !mc_json_take(tokens, ']')) {
        do
            is_fine = take_declaration(reader, tree, &d);
        while (is_fine && mc_json_take(tokens, ','));
        if (is_fine && !mc_json_take(tokens, ']'))
            is_fine = mc_json_fail(tokens, "',' or ']' behind a metric");
    }
    mc_text_deinit(&d.name);
    mc_text_deinit(&d.title);
    return is_fine;
}
