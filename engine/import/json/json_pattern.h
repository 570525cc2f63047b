// json_pattern.h - the textual pattern of a leaf, so that similar leaves are read by comparing
// bytes.
//
// A program writes all nodes of a tree alike: the same fields in the same order, with the same
// white space. A pattern is the text of one leaf that was parsed token by token, with holes for
// what varies: the key (wherever it occurs), the name and the counts. Text that matches needs no
// further check: it consists of the pattern's text, plain ASCII of a string, and digits. Text that
// does not match is parsed token by token. Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"

#define MC_JSON_HOLES_MAX 32

typedef enum mc_json_hole_kind {
    MC_JSON_HOLE_KEY,
    MC_JSON_HOLE_KEY_AGAIN, // the same bytes again
    MC_JSON_HOLE_NAME,      // a string
    MC_JSON_HOLE_OBJECTS,   // these are whole numbers
    MC_JSON_HOLE_BYTES,
    MC_JSON_HOLE_SIZE, // of a metric, or -1: not known
    MC_JSON_HOLE_VALUE // of a metric
} mc_json_hole_kind;

typedef struct mc_json_hole {
    mc_json_hole_kind kind;
    uint32_t metric;     // whose value it is
    size_t offset;       // of the value in the document, as noted
    size_t literal_size; // of the text before it, which lies behind that before the hole before
} mc_json_hole;

typedef struct mc_json_pattern {
    mc_text text; // all literals, and some bytes behind them
    mc_json_hole holes[MC_JSON_HOLES_MAX];
    uint32_t hole_count; // 0: there is no pattern
    size_t rest_size;    // of the literal behind the last hole

    // of the node that is being read token by token
    mc_json_hole noted[MC_JSON_HOLES_MAX];
    uint32_t noted_count; // above the most: there are too many, or it cannot be learnt

    // A pattern that no node matched was learnt in vain; so the next is, mostly.
    uint32_t vain_count, pause;
} mc_json_pattern;

// A node as it was matched.
typedef struct mc_json_match {
    const char *key, *name; // in the document; name NULL: it has none
    size_t key_size, name_size;
    uint64_t objects, bytes;
    uint64_t values[MC_JSON_HOLES_MAX];
    uint32_t metrics[MC_JSON_HOLES_MAX];
    uint32_t value_count;
} mc_json_match;

void mc_json_pattern_forget(mc_json_pattern *pattern);
void mc_json_pattern_deinit(mc_json_pattern *pattern);

// Notes a hole of the node that is being read, at data[offset]; in the order of the text.
static inline void mc_json_pattern_note(mc_json_pattern *pattern, mc_json_hole_kind kind,
                                        uint32_t metric, size_t offset) {
    if (pattern->noted_count < MC_JSON_HOLES_MAX)
        pattern->noted[pattern->noted_count] =
            (mc_json_hole){.kind = kind, .metric = metric, .offset = offset};
    pattern->noted_count++;
}

// Learns the node data[begin .. end) with its noted holes. `key` is what was read of it. Where that
// is not possible, or mostly was in vain, the pattern stays what it is. O(end - begin).
void mc_json_pattern_learn(mc_json_pattern *pattern, const unsigned char *data, size_t begin,
                           size_t end, const char *key, size_t key_size);

// Whether a node that is written by the pattern begins at `at`; returns its end, else NULL. There
// has to be a pattern. Close to `end` nothing is found.
const unsigned char *mc_json_pattern_match(const mc_json_pattern *pattern, const unsigned char *at,
                                           const unsigned char *end, mc_json_match *match);
