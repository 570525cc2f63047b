// The step document: the tree is walked with a stack of its own, so that depth costs no C stack.
#include "engine/base/memory.h"
#include "engine/import/json/json_reader_state.h"
#include <string.h>

static uint32_t match(mc_json_string name, const char *wanted, size_t size, uint32_t field) {
    return memcmp(name.bytes, wanted, size) == 0 ? field : MC_FIELD_UNKNOWN;
}
#define MATCH(wanted, field) match(name, wanted, sizeof(wanted) - 1, field)

static uint32_t find_node_field(mc_json_string name) {
    switch (name.size) {
    case 3: return MATCH("key", MC_FIELD_KEY);
    case 4:
        return name.bytes[0] == 'n' ? MATCH("name", MC_FIELD_NAME) : MATCH("role", MC_FIELD_ROLE);
    case 5: return MATCH("bytes", MC_FIELD_BYTES);
    case 7:
        return name.bytes[0] == 'o'   ? MATCH("objects", MC_FIELD_OBJECTS)
               : name.bytes[0] == 'f' ? MATCH("fullKey", MC_FIELD_FULL_KEY)
                                      : MATCH("metrics", MC_FIELD_METRICS);
    case 8: return MATCH("children", MC_FIELD_CHILDREN);
    case 12:
        return name.bytes[0] == 'r' ? MATCH("retainedSize", MC_FIELD_RETAINED_SIZE)
                                    : MATCH("classifierId", MC_FIELD_CLASSIFIER_ID);
    case 15: return MATCH("fullKeyAsString", MC_FIELD_FULL_KEY_AS_STRING);
    case 21: return MATCH("transitiveClosureSize", MC_FIELD_CLOSURE_SIZE);
    default: return MC_FIELD_UNKNOWN;
    }
}

static uint32_t find_document_field(mc_json_string name) {
    switch (name.size) {
    case 4:
        return name.bytes[0] == 't' ? MATCH("time", MC_FIELD_TIME) : MATCH("root", MC_FIELD_ROOT);
    case 7: return MATCH("metrics", MC_FIELD_METRICS);
    case 10: return MATCH("pointerMap", MC_FIELD_POINTER_MAP);
    case 11: return MATCH("classifiers", MC_FIELD_CLASSIFIERS);
    default: return MC_FIELD_UNKNOWN;
    }
}

// Whether the document is of this form; the first that asks decides.
static bool is_form(mc_json_reader *reader, mc_json_form form) {
    if (reader->form == MC_JSON_FORM_UNDECIDED) reader->form = form;
    return reader->form == form;
}

static bool append_text(mc_json_reader *reader, mc_step_tree *tree, mc_json_string string,
                        uint32_t *offset, uint32_t *size) {
    mc_text *text = &tree->text;
    if (text->size >= MC_NONE)
        return mc_json_fail(&reader->tokens, "at most 4 GB of keys and names in a step");
    if (text->capacity - text->size <= string.size && // spares most of the calls
        !mc_reserve(&text->data, &text->capacity, text->size + string.size + 1, 1))
        return mc_json_fail_memory(&reader->tokens);
    memcpy(text->data + text->size, string.bytes, string.size);
    *offset = (uint32_t)text->size;
    *size = (uint32_t)string.size; // a string is shorter than 4 GB, see json_index.cpp
    text->size += string.size;
    return true;
}

static bool take_key(mc_json_reader *reader, mc_step_tree *tree, mc_step_entry *node) {
    mc_json_string key;
    return mc_json_take_string(&reader->tokens, "a string", &key) &&
           append_text(reader, tree, key, &node->key_offset, &node->key_size);
}

// A name is mostly the end of the full key, and then shares its bytes.
static bool take_name(mc_json_reader *reader, mc_step_tree *tree, uint32_t index, uint32_t seen) {
    const mc_step_entry *node = &tree->nodes[index];
    mc_json_string string;
    mc_step_name name;
    if (!mc_json_take_string(&reader->tokens, "a string", &string)) return false;
    bool may_share = (seen & MC_FIELD_KEY) && string.size <= node->key_size;
    name.size = (uint32_t)string.size;
    name.offset = may_share ? node->key_offset + node->key_size - name.size : 0;
    bool is_shared = may_share && (name.size == 0 || memcmp(tree->text.data + name.offset,
                                                            string.bytes, string.size) == 0);
    if (!is_shared && !append_text(reader, tree, string, &name.offset, &name.size)) return false;
    return mc_step_tree_set_name(tree, index, name) || mc_json_fail_memory(&reader->tokens);
}

static bool take_count(mc_json_reader *reader, uint64_t *count) {
    int64_t value;
    if (!mc_json_take_integer(&reader->tokens, 0, &value)) return false;
    *count = (uint64_t)value;
    return true;
}

// Takes the opening brace of a node.
static bool open_node(mc_json_reader *reader, mc_step_tree *tree) {
    mc_json_tokens *tokens = &reader->tokens;
    if (mc_json_peek(tokens) != '{') return mc_json_fail(tokens, "a node (an object)");
    if (reader->frame_count == MC_JSON_DEPTH_MAX)
        return mc_json_fail_at(tokens, mc_json_get_place(tokens), "expected at most %d levels",
                               MC_JSON_DEPTH_MAX);
    mc_json_frame *parent = reader->frame_count ? &reader->frames[reader->frame_count - 1] : NULL;
    mc_step_entry node = {.parent = parent ? parent->node : MC_NONE,
                          .role = MC_NONE,
                          .source_offset = mc_json_get_offset(tokens)};
    if (parent) parent->child_count++;
    uint32_t index = mc_step_tree_add_entry(tree, node);
    if (index == MC_NONE || !mc_reserve(&reader->frames, &reader->frame_capacity,
                                        reader->frame_count + 1, sizeof *reader->frames))
        return mc_json_fail_memory(tokens);
    reader->frames[reader->frame_count++] = (mc_json_frame){.node = index};
    reader->pattern.noted_count = 0;
    tokens->at++;
    return true;
}

// The node's closing brace was taken. Takes what follows up to the next sibling's members, if there
// is one (`*is_first`), or the parent's.
static bool close_node(mc_json_reader *reader, mc_step_tree *tree, bool *is_first) {
    mc_json_tokens *tokens = &reader->tokens;
    const mc_json_frame *frame = &reader->frames[reader->frame_count - 1];
    size_t end = mc_json_get_end(tokens);
    const mc_step_entry *node = &tree->nodes[frame->node];
    uint32_t missing = ~frame->seen & (MC_FIELD_KEY | MC_FIELD_OBJECTS | MC_FIELD_BYTES);
    if (missing) {
        const char *name = missing & MC_FIELD_KEY       ? "key"
                           : missing & MC_FIELD_OBJECTS ? "objects"
                                                        : "bytes";
        return mc_json_fail_at(tokens, tokens->data + (node->source_offset - tokens->offset),
                               "expected the field \"%s\" in this node, which lacks it", name);
    }
    reader->frame_count--;
    *is_first = false;
    if (reader->frame_count == 0) return true;
    reader->field = "children";
    if (frame->child_count == 0) mc_json_reader_learn(reader, tree, frame->node, end);
    while (mc_json_take(tokens, ',')) {
        if (mc_json_reader_take_siblings(reader, tree)) continue;
        *is_first = true;
        return open_node(reader, tree);
    }
    return mc_json_take(tokens, ']') || mc_json_fail(tokens, "',' or ']' behind a node");
}

// Takes the opening bracket, and the first child's brace or the closing bracket.
static bool open_children(mc_json_reader *reader, mc_step_tree *tree, bool *is_first) {
    if (!mc_json_take(&reader->tokens, '['))
        return mc_json_fail(&reader->tokens, "an array of nodes");
    if (mc_json_take(&reader->tokens, ']')) return true;
    *is_first = true;
    return open_node(reader, tree);
}

static bool take_node_field(mc_json_reader *reader, mc_step_tree *tree, mc_json_string name,
                            bool *is_first) {
    mc_json_frame *frame = &reader->frames[reader->frame_count - 1];
    mc_step_entry *node = &tree->nodes[frame->node];
    uint32_t field = find_node_field(name), depth = (uint32_t)reader->frame_count - 1;
#define NOTE(text) mc_json_reader_note_field(reader, &frame->seen, field, text)
#define HOLE(kind, metric) mc_json_reader_note_hole(reader, MC_JSON_HOLE_##kind, metric)
    switch (field) {
    case MC_FIELD_KEY: return NOTE("key") && HOLE(KEY, 0) && take_key(reader, tree, node);
    case MC_FIELD_BYTES: return NOTE("bytes") && HOLE(BYTES, 0) && take_count(reader, &node->bytes);
    case MC_FIELD_OBJECTS:
        return NOTE("objects") && HOLE(OBJECTS, 0) && take_count(reader, &node->objects);
    case MC_FIELD_RETAINED_SIZE:
        return NOTE("retainedSize") && HOLE(SIZE, MC_JSON_METRIC_RETAINED) &&
               mc_json_reader_take_size(reader, tree, frame->node, mc_metric_retained,
                                        &reader->retained);
    case MC_FIELD_CLOSURE_SIZE:
        return NOTE("transitiveClosureSize") && HOLE(SIZE, MC_JSON_METRIC_CLOSURE) &&
               mc_json_reader_take_size(reader, tree, frame->node, mc_metric_closure,
                                        &reader->closure);
    case MC_FIELD_METRICS:
        return NOTE("metrics") && mc_json_reader_take_values(reader, tree, frame->node);
    case MC_FIELD_CHILDREN: return NOTE("children") && open_children(reader, tree, is_first);
    case MC_FIELD_CLASSIFIER_ID:
        if (!is_form(reader, MC_JSON_FORM_ANTTRACKS)) break;
        return NOTE("classifierId") && mc_json_reader_take_classifier_id(reader, &node->role);
    case MC_FIELD_FULL_KEY:
    case MC_FIELD_FULL_KEY_AS_STRING: // the key's place in the tree says the same
        if (!is_form(reader, MC_JSON_FORM_ANTTRACKS)) break;
        if (!NOTE(field == MC_FIELD_FULL_KEY ? "fullKey" : "fullKeyAsString")) return false;
        break;
    case MC_FIELD_NAME:
        if (!is_form(reader, MC_JSON_FORM_DEFAULT)) break;
        return NOTE("name") && HOLE(NAME, 0) && take_name(reader, tree, frame->node, frame->seen);
    case MC_FIELD_ROLE:
        if (!is_form(reader, MC_JSON_FORM_DEFAULT)) break;
        return NOTE("role") && mc_json_reader_take_role(reader, depth, &node->role);
    default: break;
    }
#undef HOLE
#undef NOTE
    return mc_json_skip_value(&reader->tokens);
}

static bool take_tree(mc_json_reader *reader, mc_step_tree *tree) {
    reader->field = NULL;
    reader->in_root = true;
    reader->has_late_classifiers = !reader->has_classifiers;
    if (!open_node(reader, tree)) return false;
    bool is_first = true;
    while (reader->frame_count > 0) {
        mc_json_string name;
        reader->field = NULL;
        mc_json_member member = mc_json_next_member(&reader->tokens, is_first, &name);
        is_first = false;
        if (member == MC_JSON_FAILED) return false;
        if (member == MC_JSON_END) {
            if (!close_node(reader, tree, &is_first)) return false;
        } else if (!take_node_field(reader, tree, name, &is_first)) {
            return false;
        }
    }
    reader->in_root = false;
    return true;
}

static bool take_document_field(mc_json_reader *reader, mc_step_tree *tree, uint32_t *seen,
                                mc_json_string name) {
    uint32_t field = find_document_field(name);
#define NOTE(text) mc_json_reader_note_field(reader, seen, field, text)
    switch (field) {
    case MC_FIELD_TIME: return NOTE("time") && mc_json_reader_take_time(reader);
    case MC_FIELD_ROOT: return NOTE("root") && take_tree(reader, tree);
    case MC_FIELD_CLASSIFIERS:
        if (!is_form(reader, MC_JSON_FORM_ANTTRACKS)) break;
        return NOTE("classifiers") && mc_json_reader_take_classifiers(reader, tree);
    case MC_FIELD_METRICS: return NOTE("metrics") && mc_json_reader_take_metrics(reader, tree);
    case MC_FIELD_POINTER_MAP: *seen |= MC_FIELD_POINTER_MAP; break;
    default: break;
    }
#undef NOTE
    return mc_json_skip_value(&reader->tokens);
}

static bool take_document(mc_json_reader *reader, mc_step_tree *tree) {
    mc_json_tokens *tokens = &reader->tokens;
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "a step (an object)");
    uint32_t seen = 0;
    bool is_first = true;
    mc_json_member member;
    mc_json_string name;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        is_first = false;
        if (!take_document_field(reader, tree, &seen, name)) return false;
        reader->field = NULL;
    }
    if (member == MC_JSON_FAILED || !mc_json_take_end(tokens)) return false;
    if ((seen & MC_FIELD_POINTER_MAP) && !(seen & MC_FIELD_ROOT))
        return mc_json_fail_at(tokens, tokens->data,
                               "expected a step, found a pointer map: give the folder that holds "
                               "the steps and, in points-to-maps/ or pointed-from-maps/, this");
    if (!(seen & MC_FIELD_TIME) || !(seen & MC_FIELD_ROOT))
        return mc_json_fail_at(tokens, tokens->data,
                               "expected a step with the field \"%s\", which is missing",
                               seen & MC_FIELD_TIME ? "root" : "time");
    return true;
}

mc_result mc_json_reader_read_step(mc_json_reader *reader, const unsigned char *data, size_t size,
                                   uint64_t offset, mc_step_tree *tree, mc_error *error) {
    mc_error own;
    if (!error) error = &own;
    mc_step_tree_reset(tree);
    mc_json_reader_begin(reader, data, size, offset, error);
    if (take_document(reader, tree) && mc_json_reader_resolve_roles(reader, tree)) {
        tree->time_ms = reader->time_ms;
        tree->key_kind = reader->form == MC_JSON_FORM_ANTTRACKS ? MC_KEY_PATH_PART : MC_KEY_FULL;
        tree->text.data[tree->text.size] = '\0';
    }
    return mc_json_reader_finish(reader, error);
}
