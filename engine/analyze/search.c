#include "engine/analyze/search.h"

#include "engine/analyze/regex.h"
#include "engine/analyze/search_parts.h"
#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include <string.h>

#define REPORT_SIZE ((size_t)1 << 20) // bytes between two questions whether to go on
#define NODE_SIZE 256                 // what a node counts beside its key, of which some are long

struct mc_search {
    const mc_trace *trace;
    mc_search_parts parts; // built by the first find
    bool is_built;
    uint8_t *is_matched; // per part: it holds the pattern
    uint32_t *matched;   // those parts
    uint32_t matched_count;
    uint8_t *marks; // per node
    uint32_t *own;
    char last[MC_SEARCH_MOST_SIZE]; // the substring of which all this speaks, in lower case
    size_t last_size;               // 0: none
};

// A pattern made ready.
typedef struct needle {
    char bytes[MC_SEARCH_MOST_SIZE];
    size_t size;
    bool has_separators;                  // that stand for '#', too
    size_t rarest;                        // the place of its byte that is rarest in the parts
    uint16_t splits[MC_SEARCH_MOST_SIZE]; // places but the first at which a node's part may begin
    size_t split_count;
} needle;

void mc_search_destroy(mc_search *search) {
    if (!search) return;
    mc_search_parts_deinit(&search->parts);
    mc_free(search->is_matched);
    mc_free(search->matched);
    mc_free(search->marks);
    mc_free(search->own);
    mc_free(search);
}

mc_result mc_search_create(const mc_trace *trace, mc_search **search, mc_error *error) {
    *search = mc_alloc_zero(1, sizeof **search);
    if (!*search) return mc_error_out_of_memory(error);
    (*search)->trace = trace;
    return MC_OK;
}

static mc_result build(mc_search *self, mc_error *error) {
    if (self->is_built) return MC_OK;
    uint32_t node_count = mc_trace_get_nodes(self->trace)->count;
    if (!self->parts.part) {
        mc_result result = mc_search_parts_build(&self->parts, self->trace, error);
        if (result != MC_OK) return result;
    }
    if (!self->is_matched) self->is_matched = mc_alloc_zero(self->parts.part_count, 1);
    if (!self->matched) self->matched = mc_alloc(self->parts.part_count, sizeof *self->matched);
    if (!self->marks) self->marks = mc_alloc_zero(node_count, 1);
    if (!self->own) self->own = mc_alloc(node_count, sizeof *self->own);
    if (!self->is_matched || !self->matched || !self->marks || !self->own)
        return mc_error_out_of_memory(error);
    self->is_built = true;
    return MC_OK;
}

static mc_result check(const mc_progress *progress, uint64_t done, uint64_t total,
                       mc_error *error) {
    if (mc_progress_report(progress, done, total)) return MC_OK;
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

// ---- parts that hold the pattern

// What stands between package and class where people copy names from.
static bool is_separator(char byte) {
    return byte == '.' || byte == '/';
}

static void make_needle(needle *n, const mc_search_parts *parts, const char *pattern, size_t size) {
    uint64_t least = UINT64_MAX;
    n->size = size;
    n->has_separators = false;
    n->rarest = n->split_count = 0;
    for (size_t i = 0; i < size; i++) {
        char byte = n->bytes[i] = mc_to_lower(pattern[i]);
        bool separates = is_separator(byte);
        bool begins = parts->begins[(unsigned char)byte] || (separates && parts->begins['#']);
        uint64_t frequency = parts->frequency[(unsigned char)byte];
        if (i > 0 && begins) n->splits[n->split_count++] = (uint16_t)i;
        n->has_separators |= separates;
        if (separates || frequency >= least) continue;
        least = frequency;
        n->rarest = i;
    }
}

// Whether the `size` bytes of the pattern from `first` on are these.
static bool equals(const needle *n, size_t first, const char *bytes, size_t size) {
    const char *pattern = n->bytes + first;
    if (!n->has_separators) return memcmp(bytes, pattern, size) == 0;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != pattern[i] && !(bytes[i] == '#' && is_separator(pattern[i]))) return false;
    return true;
}

// Where the byte at which the search begins is next; NULL: nowhere.
static const char *find_rarest(const needle *n, const char *at, size_t size) {
    char byte = n->bytes[n->rarest];
    if (!is_separator(byte)) return memchr(at, byte, size);
    // Nothing but separators.
    for (size_t i = 0; i < size; i++)
        if (at[i] == byte || at[i] == '#') return at + i;
    return NULL;
}

// Where [at, end) next holds the pattern; NULL: nowhere.
static const char *find_next(const needle *n, const char *at, const char *end) {
    while ((size_t)(end - at) >= n->size) {
        size_t places = (size_t)(end - at) - n->size + 1; // where it may begin
        const char *hit = find_rarest(n, at + n->rarest, places);
        if (!hit) return NULL;
        if (equals(n, 0, hit - n->rarest, n->size)) return hit - n->rarest;
        at = hit - n->rarest + 1;
    }
    return NULL;
}

// The part that holds the byte at `offset`, at or behind `part`; steps double, then halve.
static uint32_t find_part(const mc_search_parts *parts, uint32_t part, size_t offset) {
    uint32_t step = 1;
    while (step < parts->part_count - part && parts->offset[part + step] <= offset) {
        part += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step < parts->part_count - part && parts->offset[part + step] <= offset) part += step;
    return part;
}

static void note_part(mc_search *self, uint32_t part) {
    self->is_matched[part] = 1;
    self->matched[self->matched_count++] = part;
}

// One pass over all parts at once; what crosses from one into the next is none.
static mc_result scan_all(mc_search *self, const needle *n, const mc_progress *progress,
                          mc_error *error) {
    const mc_search_parts *parts = &self->parts;
    const char *bytes = parts->bytes;
    size_t at = 0;
    uint32_t part = 0;
    while (at < parts->size) {
        size_t most = parts->size - at, length = REPORT_SIZE + n->size - 1;
        if (length > most) length = most;
        const char *hit = find_next(n, bytes + at, bytes + at + length);
        if (!hit) {
            if (length == most) break;
            at += REPORT_SIZE;
            mc_result result = check(progress, at, parts->size, error);
            if (result != MC_OK) return result;
            continue;
        }
        size_t offset = (size_t)(hit - bytes);
        part = find_part(parts, part, offset);
        bool is_whole = offset + n->size <= parts->offset[part + 1];
        if (is_whole) note_part(self, part);
        at = is_whole ? parts->offset[part + 1] : offset + 1;
    }
    return MC_OK;
}

// Only the parts that matched what the pattern begins with.
static void scan_matched(mc_search *self, const needle *n) {
    const mc_search_parts *parts = &self->parts;
    uint32_t before = self->matched_count;
    self->matched_count = 0;
    for (uint32_t i = 0; i < before; i++) {
        uint32_t part = self->matched[i];
        const char *begin = parts->bytes + parts->offset[part];
        const char *end = parts->bytes + parts->offset[part + 1];
        if (find_next(n, begin, end))
            note_part(self, part);
        else
            self->is_matched[part] = 0;
    }
}

static void forget(mc_search *self) {
    for (uint32_t i = 0; i < self->matched_count; i++)
        self->is_matched[self->matched[i]] = 0;
    self->matched_count = 0;
    self->last_size = 0;
}

// ---- matches that cross from a parent's full key into a node's own part

// Whether the full key of `node` ends with the first `size` bytes of the pattern; from the end up.
static bool ends_with(const mc_search *self, uint32_t node, const needle *n, size_t size) {
    const mc_search_parts *parts = &self->parts;
    for (;;) {
        uint32_t part = parts->part[node];
        size_t part_size = parts->offset[part + 1] - parts->offset[part];
        size_t common = part_size < size ? part_size : size;
        size -= common;
        if (!equals(n, size, parts->bytes + parts->offset[part + 1] - common, common)) return false;
        if (size == 0) return true;
        if (parts->is_detached[node]) return false;
        node = mc_trace_get_nodes(self->trace)->parent[node];
    }
}

static bool crosses(const mc_search *self, const needle *n, uint32_t node) {
    const mc_search_parts *parts = &self->parts;
    if (parts->is_detached[node]) return false;
    const char *own = parts->bytes + parts->offset[parts->part[node]];
    size_t own_size = parts->offset[parts->part[node] + 1] - parts->offset[parts->part[node]];
    uint32_t parent = mc_trace_get_nodes(self->trace)->parent[node];
    for (size_t i = 0; i < n->split_count; i++) {
        size_t split = n->splits[i], behind = n->size - split;
        if (behind <= own_size && equals(n, split, own, behind) &&
            ends_with(self, parent, n, split))
            return true;
    }
    return false;
}

// ---- nodes

// Nodes whose marks are not set by a match are those of their parents.
static void mark_nodes(mc_search *self, const needle *n) {
    const mc_search_parts *parts = &self->parts;
    const uint32_t *parent = mc_trace_get_nodes(self->trace)->parent;
    uint32_t node_count = mc_trace_get_nodes(self->trace)->count;
    bool crossing = n->split_count > 0;
    for (uint32_t node = 0; node < node_count; node++) {
        bool is_own = self->is_matched[parts->part[node]] || (crossing && crosses(self, n, node));
        bool is_hit =
            is_own || (!parts->is_detached[node] && (self->marks[parent[node]] & MC_SEARCH_HIT));
        self->marks[node] = (uint8_t)((is_hit ? MC_SEARCH_HIT : 0) | (is_own ? MC_SEARCH_OWN : 0));
    }
}

static mc_search_result collect(mc_search *self) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    mc_search_result result = {.marks = self->marks, .own = self->own};
    for (uint32_t node = 0; node < nodes->count; node++) {
        uint8_t mark = self->marks[node];
        if (mark & MC_SEARCH_OWN) self->own[result.own_count++] = node;
        result.leaf_count += (mark & MC_SEARCH_HIT) && nodes->child_count[node] == 0;
    }
    return result;
}

static mc_result find_substring(mc_search *self, const char *pattern, size_t size,
                                const mc_progress *progress, mc_error *error) {
    needle n;
    make_needle(&n, &self->parts, pattern, size);
    bool is_longer = self->last_size > 0 && size >= self->last_size &&
                     memcmp(n.bytes, self->last, self->last_size) == 0;
    if (is_longer) {
        scan_matched(self, &n);
    } else {
        forget(self);
        mc_result result = scan_all(self, &n, progress, error);
        if (result != MC_OK) {
            forget(self);
            return result;
        }
    }
    memcpy(self->last, n.bytes, size);
    self->last_size = size;
    mark_nodes(self, &n);
    return MC_OK;
}

// ---- regular expressions

// Whether a match of `key` ends behind its first `inherited` bytes.
static mc_result find_own(const mc_regex *regex, const char *key, size_t size, size_t inherited,
                          bool *is_own, mc_error *error) {
    *is_own = false;
    for (size_t from = 0, end; from <= size; from = end > from ? end : from + 1) {
        mc_result result = mc_regex_find(regex, key, size, from, &end, error);
        if (result != MC_OK || end == 0) return result;
        *is_own = end > inherited;
        if (*is_own) return MC_OK;
    }
    return MC_OK;
}

// All nodes, depth first, so that a full key is its parent's with a part more.
typedef struct walker {
    const mc_trace *trace;
    const uint8_t *is_detached;
    uint8_t *marks;
    mc_text key;
    size_t *key_size;     // per level: of the full key of the node that the walk stands on there
    uint32_t *at;         // per level: that node
    size_t searched_size; // of the keys since the last report
} walker;

static void append_part(walker *w, uint32_t level) {
    size_t size;
    const char *bytes =
        mc_trace_get_string(w->trace, mc_trace_get_nodes(w->trace)->key[w->at[level]], &size);
    bool is_whole = mc_trace_get_key_kind(w->trace) == MC_KEY_FULL;
    w->key.size = is_whole || level == 0 ? 0 : w->key_size[level - 1];
    if (!is_whole && level > 0) mc_text_append(&w->key, "#", 1);
    mc_text_append(&w->key, bytes, size);
    w->key_size[level] = w->key.size;
}

static mc_result mark(walker *w, const mc_regex *regex, uint32_t level, mc_error *error) {
    uint32_t node = w->at[level];
    bool is_own, has_parent = !w->is_detached[node];
    append_part(w, level);
    if (w->key.failed) return mc_error_out_of_memory(error);
    mc_result result = find_own(regex, w->key.data, w->key.size,
                                has_parent ? w->key_size[level - 1] : 0, &is_own, error);
    if (result != MC_OK) return result;
    uint32_t parent = mc_trace_get_nodes(w->trace)->parent[node];
    bool is_hit = is_own || (has_parent && (w->marks[parent] & MC_SEARCH_HIT));
    w->marks[node] = (uint8_t)((is_hit ? MC_SEARCH_HIT : 0) | (is_own ? MC_SEARCH_OWN : 0));
    return MC_OK;
}

// Goes on to the next node; returns its level, or MC_NONE after the last one.
static uint32_t advance(walker *w, uint32_t level) {
    const mc_node_columns *nodes = mc_trace_get_nodes(w->trace);
    uint32_t node = w->at[level];
    if (nodes->child_count[node] > 0) {
        w->at[level + 1] = nodes->first_child[node];
        return level + 1;
    }
    for (; level > 0; level--) {
        uint32_t parent = w->at[level - 1];
        if (++w->at[level] < nodes->first_child[parent] + nodes->child_count[parent]) return level;
    }
    return MC_NONE;
}

static mc_result mark_all(walker *w, const mc_regex *regex, const mc_progress *progress,
                          mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(w->trace)->count, done = 0;
    w->at[0] = 0;
    for (uint32_t level = 0; level != MC_NONE; level = advance(w, level)) {
        mc_result result = mark(w, regex, level, error);
        if (result != MC_OK) return result;
        done++;
        w->searched_size += w->key.size + NODE_SIZE;
        if (w->searched_size < REPORT_SIZE) continue;
        w->searched_size = 0;
        result = check(progress, done, node_count, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result find_regex(mc_search *self, const char *pattern, size_t size,
                            const mc_progress *progress, mc_error *error) {
    size_t levels = (size_t)mc_trace_get_nodes(self->trace)->depth + 1;
    mc_regex *regex;
    walker w = {.trace = self->trace, .is_detached = self->parts.is_detached, .marks = self->marks};
    mc_result result = mc_regex_create(pattern, size, true, &regex, error);
    if (result == MC_OK) {
        w.key_size = mc_alloc(levels, sizeof *w.key_size);
        w.at = mc_alloc(levels, sizeof *w.at);
        result = w.key_size && w.at ? mark_all(&w, regex, progress, error)
                                    : mc_error_out_of_memory(error);
    }
    mc_free(w.key_size);
    mc_free(w.at);
    mc_text_deinit(&w.key);
    mc_regex_destroy(regex);
    return result;
}

mc_result mc_search_find(mc_search *search, const char *pattern, size_t size, mc_search_mode mode,
                         const mc_progress *progress, mc_search_result *result, mc_error *error) {
    memset(result, 0, sizeof *result);
    if (size > MC_SEARCH_MOST_SIZE)
        return mc_fail(error, MC_ERROR_BAD_DATA, "a pattern has at most %d bytes",
                       MC_SEARCH_MOST_SIZE);
    mc_result code = build(search, error);
    if (code != MC_OK) return code;
    if (size == 0)
        memset(search->marks, 0, mc_trace_get_nodes(search->trace)->count);
    else if (mode == MC_SEARCH_SUBSTRING)
        code = find_substring(search, pattern, size, progress, error);
    else
        code = find_regex(search, pattern, size, progress, error);
    if (code == MC_OK) *result = collect(search);
    return code;
}
