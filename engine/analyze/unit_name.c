#include "engine/analyze/unit_name.h"

#include "engine/analyze/class_names.h"
#include <math.h>
#include <string.h>

#define MOST_COMPARED 64u // of a unit's parts; of more nobody reads the names

typedef struct rank {
    int kind;     // 0: the program's, 1: the library's, 2: a part of a container
    bool is_once; // one a unit
    uint32_t depth, namesakes;
    int64_t bytes;
} rank;

static bool begins_with(const char *name, size_t size, const char *begin, size_t begin_size) {
    return size > begin_size && memcmp(name, begin, begin_size) == 0;
}

static uint32_t count_namesakes(const mc_trace *trace, const mc_growth_unit *unit, uint32_t part) {
    size_t size;
    const char *name = mc_trace_get_name(trace, unit->parts[part].node, &size);
    uint32_t count = 0;
    for (uint32_t i = 0; i < unit->own_count && i < MOST_COMPARED && size > 0; i++) {
        size_t other_size;
        const char *other = mc_trace_get_name(trace, unit->parts[i].node, &other_size);
        count += begins_with(other, other_size, name, size);
    }
    return count;
}

static rank get_rank(const mc_trace *trace, const mc_growth_unit *unit, uint32_t part) {
    const mc_unit_part *p = &unit->parts[part];
    size_t size;
    const char *name = mc_trace_get_name(trace, p->node, &size);
    rank r = {.bytes = p->bytes};
    if (mc_class_is_library(trace, p->node))
        r.kind = mc_class_is_container_part(trace, p->node) ? 2 : 1;
    r.is_once = fabs(p->per_unit - 1) <= 0.02;
    for (size_t i = 0; i < size; i++)
        r.depth += name[i] == '$';
    r.namesakes = count_namesakes(trace, unit, part);
    return r;
}

static bool is_better(const rank *a, const rank *b) {
    if (a->kind != b->kind) return a->kind < b->kind;
    if (a->is_once != b->is_once) return a->is_once;
    if (a->depth != b->depth) return a->depth < b->depth;
    if (a->namesakes != b->namesakes) return a->namesakes > b->namesakes;
    return a->bytes > b->bytes;
}

// Lines that allocate do not consist of one another as classes do: the one that brings the most is
// what is looked for.
static bool is_larger(const rank *a, const rank *b) {
    return a->kind != b->kind ? a->kind < b->kind : a->bytes > b->bytes;
}

uint32_t mc_unit_choose_name(const mc_trace *trace, const mc_growth_unit *unit) {
    bool is_of_lines = mc_trace_is_of_sites(trace) && !mc_trace_is_of_typed_sites(trace);
    uint32_t best = 0;
    rank best_rank = get_rank(trace, unit, 0);
    for (uint32_t i = 1; i < unit->own_count; i++) {
        rank r = get_rank(trace, unit, i);
        if (is_of_lines ? !is_larger(&r, &best_rank) : !is_better(&r, &best_rank)) continue;
        best = i;
        best_rank = r;
    }
    return unit->parts[best].node;
}
