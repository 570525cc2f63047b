// json_reader_state.h - the state shared by the parts of the JSON reader. Internal to it.
#pragma once
#include "engine/import/json/json_pattern.h"
#include "engine/import/json/json_tokens.h"
#include "engine/trace/step_tree.h"

enum { // fields seen, one bit each
    MC_FIELD_UNKNOWN = 0,
    MC_FIELD_KEY = 1 << 0,
    MC_FIELD_NAME = 1 << 1,
    MC_FIELD_ROLE = 1 << 2,
    MC_FIELD_BYTES = 1 << 3,
    MC_FIELD_OBJECTS = 1 << 4,
    MC_FIELD_FULL_KEY = 1 << 5,
    MC_FIELD_CHILDREN = 1 << 6,
    MC_FIELD_CLASSIFIER_ID = 1 << 7,
    MC_FIELD_RETAINED_SIZE = 1 << 8,
    MC_FIELD_FULL_KEY_AS_STRING = 1 << 9,
    MC_FIELD_CLOSURE_SIZE = 1 << 10,
    MC_FIELD_TIME = 1 << 11,
    MC_FIELD_ROOT = 1 << 12,
    MC_FIELD_CLASSIFIERS = 1 << 13,
    MC_FIELD_POINTER_MAP = 1 << 14,
    MC_FIELD_ID = 1 << 15,
    MC_FIELD_METRICS = 1 << 16,
    MC_FIELD_TITLE = 1 << 17,
    MC_FIELD_UNIT = 1 << 18,
    MC_FIELD_KIND = 1 << 19,
    MC_FIELD_ADDITIVE = 1 << 20
};

// Metrics that patterns refer to before it is known which they are in the tree.
#define MC_JSON_METRIC_RETAINED (MC_NONE - 1)
#define MC_JSON_METRIC_CLOSURE (MC_NONE - 2)

typedef enum mc_json_form {
    MC_JSON_FORM_UNDECIDED,
    MC_JSON_FORM_ANTTRACKS,
    MC_JSON_FORM_DEFAULT
} mc_json_form;

// A node whose closing brace is still to come.
typedef struct mc_json_frame {
    uint32_t node;
    uint32_t seen;
    uint32_t child_count; // begun so far
} mc_json_frame;

typedef struct mc_json_classifier {
    int64_t id;
    uint32_t role;
    uint64_t source_offset;
} mc_json_classifier;

// Where a role occurs in a tree of the default form.
typedef struct mc_json_role {
    uint32_t index, shallowest, deepest;
} mc_json_role;

typedef struct mc_json_reader {
    mc_json_tokens tokens;
    mc_json_form form;
    const char *field; // that is being read, for messages; NULL: the object itself
    bool has_time;
    int64_t time_ms;
    mc_reference_entry entry; // of a pointer map, that is being read
    uint32_t key_count;       // how many of its keys are known
    bool in_root;
    mc_json_frame *frames;
    size_t frame_count, frame_capacity;
    mc_json_classifier *classifiers; // sorted by id
    size_t classifier_count, classifier_capacity;
    bool has_classifiers;
    bool has_late_classifiers; // nodes hold ids, not roles, until the document's end
    mc_strings roles;          // of the default form, in the order in which they came
    mc_json_role *role_places;
    size_t role_place_capacity;
    uint32_t last_role; // MC_NONE: none yet

    // Metrics are told by their index in the tree's table.
    mc_json_string metric_name; // of which a value is being read, for messages; bytes NULL: none
    uint32_t next_metric;       // that probably comes next: nodes mostly list the same ones
    uint32_t retained, closure; // MC_NONE: no node had one yet
    uint64_t declared;          // one bit a metric

    mc_json_pattern pattern; // of a leaf that was read token by token, with
    uint32_t pattern_role;   // this role
    size_t pattern_depth;    // and so many nodes above it
    bool forbids_patterns;
} mc_json_reader;

void mc_json_reader_begin(mc_json_reader *reader, const unsigned char *data, size_t size,
                          uint64_t offset, mc_error *error);

// Puts the path of what is being read before the message of a failure, and returns its code.
mc_result mc_json_reader_finish(mc_json_reader *reader, mc_error *error);

bool mc_json_reader_fail_twice(mc_json_reader *reader);

// Notes that the object whose fields are `*seen` has `field`. False if it has it twice.
static inline bool mc_json_reader_note_field(mc_json_reader *reader, uint32_t *seen, uint32_t field,
                                             const char *name) {
    reader->field = name;
    if (*seen & field) return mc_json_reader_fail_twice(reader);
    *seen |= field;
    return true;
}

bool mc_json_reader_take_time(mc_json_reader *reader);

// json_roles.c: which classifier a node belongs to, and how the list of them is put together.
bool mc_json_reader_take_classifiers(mc_json_reader *reader, mc_step_tree *tree);
bool mc_json_reader_take_classifier_id(mc_json_reader *reader, uint32_t *role);
bool mc_json_reader_take_role(mc_json_reader *reader, uint32_t depth, uint32_t *role);
bool mc_json_reader_resolve_roles(mc_json_reader *reader, mc_step_tree *tree);

// json_metrics.c: a node's values of further metrics, the two that the AntTracks form has fields
// for (`metric` is where the metric's index is kept), and what the document declares of them.
bool mc_json_reader_take_values(mc_json_reader *reader, mc_step_tree *tree, uint32_t node);
bool mc_json_reader_take_size(mc_json_reader *reader, mc_step_tree *tree, uint32_t node,
                              const char *key, uint32_t *metric);
bool mc_json_reader_take_metrics(mc_json_reader *reader, mc_step_tree *tree);

// json_siblings.c: nodes that are written as the one before, read by its pattern.

// Notes that the value of the node's field that comes next is a hole of its pattern. True.
static inline bool mc_json_reader_note_hole(mc_json_reader *reader, mc_json_hole_kind kind,
                                            uint32_t metric) {
    mc_json_pattern_note(&reader->pattern, kind, metric,
                         (size_t)(mc_json_get_place(&reader->tokens) - reader->tokens.data));
    return true;
}
// The leaf ends before data[end]: those that follow may be written as it is.
void mc_json_reader_learn(mc_json_reader *reader, const mc_step_tree *tree, uint32_t node,
                          size_t end);
// Behind a comma: reads the siblings that are written by the pattern, and stands behind the last of
// them. False if there is none, or memory is out.
bool mc_json_reader_take_siblings(mc_json_reader *reader, mc_step_tree *tree);
