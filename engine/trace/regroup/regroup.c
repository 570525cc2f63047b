#include "engine/trace/regroup/regroup.h"

#include "engine/base/nearest.h"
#include "engine/base/printable.h"
#include "engine/trace/regroup/regroup_store.h"
#include <ctype.h>
#include <string.h>

// ---- lists of classifiers

// The next byte that counts, as a small letter; 0: there is none any more.
static unsigned char take_letter(const char **at, const char *end) {
    while (*at < end) {
        unsigned char byte = (unsigned char)*(*at)++;
        if (byte >= 0x80 || isalnum(byte)) return (unsigned char)tolower(byte);
    }
    return 0;
}

static bool is_named(const char *name, size_t name_size, const char *word, size_t word_size) {
    const char *a = name, *b = word;
    unsigned char x, y;
    do {
        x = take_letter(&a, name + name_size);
        y = take_letter(&b, word + word_size);
    } while (x == y && x != 0);
    return x == y;
}

static uint32_t find_classifier(const mc_trace *trace, const char *word, size_t word_size) {
    uint32_t found = MC_NONE;
    for (uint32_t i = 0; i < trace->classifier_count; i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        if (size == word_size && memcmp(name, word, size) == 0) return i; // as it is written
        if (found == MC_NONE && is_named(name, size, word, word_size)) found = i;
    }
    return found;
}

// What stands in lists: "datastructure".
static void append_name(const mc_trace *trace, uint32_t classifier, mc_text *text) {
    size_t size;
    const char *name = mc_trace_get_classifier(trace, classifier, &size), *end = name + size;
    for (unsigned char byte = take_letter(&name, end); byte; byte = take_letter(&name, end))
        mc_text_append(text, (const char[]){(char)byte}, 1);
}

// Appends "; did you mean type?", if one of the first few is near.
static void append_meant(const mc_trace *trace, const char *word, size_t size, mc_text *text) {
    enum { MOST = 32 };
    const char *names[MOST], *at = word;
    mc_text list = {0}, typed = {0};
    uint32_t count = trace->classifier_count < MOST ? trace->classifier_count : MOST;
    for (uint32_t i = 0; i < count; i++) {
        append_name(trace, i, &list);
        mc_text_append(&list, "", 1);
    }
    for (unsigned char byte = take_letter(&at, word + size); byte;
         byte = take_letter(&at, word + size))
        mc_text_append(&typed, (const char[]){(char)byte}, 1);
    const char *name = list.data;
    for (uint32_t i = 0; i < count && !list.failed; i++, name += strlen(name) + 1)
        names[i] = name;
    const char *meant = NULL;
    if (typed.data && !typed.failed && !list.failed)
        meant = mc_find_nearest(typed.data, typed.size, names, count);
    if (meant) mc_text_format(text, "; did you mean %s?", meant);
    mc_text_deinit(&list);
    mc_text_deinit(&typed);
}

static mc_result set_unknown(const mc_trace *trace, const char *word, size_t size,
                             mc_error *error) {
    mc_text known = {0};
    mc_excerpt shown;
    for (uint32_t i = 0; i < trace->classifier_count; i++) {
        if (i > 0) mc_text_append_string(&known, i + 1 < trace->classifier_count ? ", " : " and ");
        append_name(trace, i, &known);
    }
    append_meant(trace, word, size, &known);
    if (trace->classifier_count == 0)
        mc_fail(error, MC_ERROR_BAD_DATA, "the trace says of no group what it is grouped by");
    else
        mc_fail(error, MC_ERROR_BAD_DATA, "the trace is not grouped by \"%s\"; it has %.500s",
                mc_excerpt_make(&shown, word, size), known.failed ? "others" : known.data);
    mc_text_deinit(&known);
    return MC_ERROR_BAD_DATA;
}

static bool has(const mc_regrouping *grouping, uint32_t classifier) {
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->classifiers[i] == classifier) return true;
    return false;
}

mc_result mc_regrouping_parse(const mc_trace *trace, const char *list, mc_regrouping *grouping,
                              mc_error *error) {
    *grouping = (mc_regrouping){.count = 0};
    for (const char *at = list;; at++) {
        size_t size = strcspn(at, ",");
        uint32_t found = find_classifier(trace, at, size);
        mc_excerpt shown;
        if (found == MC_NONE) return set_unknown(trace, at, size, error);
        if (has(grouping, found))
            return mc_fail(error, MC_ERROR_BAD_DATA, "%s is there twice",
                           mc_excerpt_make(&shown, at, size));
        if (grouping->count == MC_REGROUP_MOST)
            return mc_fail(error, MC_ERROR_BAD_DATA, "expected at most %d classifiers",
                           MC_REGROUP_MOST);
        grouping->classifiers[grouping->count++] = found;
        at += size;
        if (*at == '\0') return MC_OK;
    }
}

void mc_regrouping_append(const mc_trace *trace, const mc_regrouping *grouping, mc_text *text) {
    for (uint32_t i = 0; i < grouping->count; i++) {
        if (i > 0) mc_text_append(text, ",", 1);
        append_name(trace, grouping->classifiers[i], text);
    }
}

const char *mc_regrouping_get_usual(const mc_trace *trace) {
    const mc_trace *base = mc_trace_get_base(trace);
    if (!mc_trace_is_of_sites(base)) return "";
    return mc_trace_is_of_typed_sites(base) ? "type,site" : "site";
}

bool mc_regrouping_is_own(const mc_trace *trace, const mc_regrouping *grouping) {
    if (grouping->count != trace->classifier_count || grouping->frame_ms > 0) return false;
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->classifiers[i] != i) return false;
    for (uint32_t node = 1; node < trace->nodes.count; node++) {
        uint32_t role = trace->role[node], above = trace->role[trace->parent[node]];
        if (role != MC_NONE && above != MC_NONE && role < above) return false;
    }
    return true;
}

// ---- traces

void mc_trace_regroup_own_base(mc_trace *trace, mc_trace *base) {
    mc_regroup_store *store = mc_regroup_get_store(trace);
    assert(store && store->base == base);
    store->owned = base;
}

const mc_trace *mc_trace_get_base(const mc_trace *trace) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    return store ? store->base : trace;
}
