#include "app/call_path_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/subject_text.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/regroup.h"
#include <inttypes.h>

#define CALLERS_MOST 6 // that are named

typedef struct call_path {
    const mc_trace *base;
    uint64_t *first, *last; // values of all nodes
} call_path;

// What grew; of what did not, what there is.
static uint64_t get_weight(const call_path *path, uint32_t node, bool grew) {
    uint64_t first = path->first[node], last = path->last[node];
    if (!grew) return last;
    return last > first ? last - first : 0;
}

// The caller that has the most; MC_NONE: nobody calls it.
static uint32_t find_largest(const call_path *path, uint32_t node, bool grew, uint32_t *count) {
    const mc_node_columns *nodes = mc_trace_get_nodes(path->base);
    uint32_t largest = MC_NONE;
    *count = 0;
    for (uint32_t i = 0; i < nodes->child_count[node]; i++) {
        uint32_t child = nodes->first_child[node] + i;
        if (!mc_subject_has_role(path->base, child, "Caller") ||
            (nodes->flags[child] & MC_NODE_SELF))
            continue;
        ++*count;
        if (largest == MC_NONE || get_weight(path, child, grew) > get_weight(path, largest, grew))
            largest = child;
    }
    return largest;
}

static void append_path(const call_path *path, uint32_t site, mc_text *out) {
    bool grew = path->last[site] > path->first[site];
    uint64_t all = get_weight(path, site, grew), kept = all;
    uint32_t node = site, count;
    for (uint32_t shown = 0; shown < CALLERS_MOST; shown++) {
        uint32_t caller = find_largest(path, node, grew, &count);
        if (caller == MC_NONE || all == 0) break;
        uint64_t weight = get_weight(path, caller, grew);
        char share[MC_FORMAT_SIZE];
        if (weight * 2 <= all && shown > 0) break;
        if (shown > 0) mc_text_append_string(out, " \xe2\x86\x90 ");
        mc_node_append_name_line(path->base, caller, out);
        if (weight != kept && weight < all)
            mc_text_format(out, " (%s)", mc_format_share(share, (double)weight / (double)all));
        if (weight * 2 <= all) {
            mc_text_format(out, ", the most of %" PRIu32 " callers", count);
            break;
        }
        kept = weight;
        node = caller;
    }
}

void mc_call_path_append(const mc_trace *trace, uint32_t node, mc_metric metric,
                         uint32_t first_step, uint32_t last_step, mc_text *out) {
    call_path path = {.base = mc_trace_get_base(trace)};
    uint32_t site = node;
    if (!mc_trace_is_of_sites(trace)) return;
    if (path.base != trace &&
        mc_trace_regroup_translate(trace, node, path.base, &site, NULL) != MC_OK)
        return;
    // Of groups of the same leaves the innermost was found.
    while (site != MC_NONE && !mc_subject_has_role(path.base, site, "Site"))
        site = mc_trace_get_nodes(path.base)->parent[site];
    if (site == MC_NONE) return;
    uint32_t count = mc_trace_get_nodes(path.base)->count;
    path.first = mc_alloc(count, sizeof *path.first);
    path.last = mc_alloc(count, sizeof *path.last);
    if (path.first && path.last &&
        mc_trace_read_counts(path.base, first_step, metric, path.first, NULL) == MC_OK &&
        mc_trace_read_counts(path.base, last_step, metric, path.last, NULL) == MC_OK)
        append_path(&path, site, out);
    mc_free(path.first);
    mc_free(path.last);
}
