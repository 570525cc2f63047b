#include "app/subject_text.h"

#include "app/node_text.h"
#include "engine/import/smaps/memory_groups.h"
#include "engine/import/smaps/memory_kind.h"
#include "engine/trace/regroup/sliding_window.h"
#include <string.h>
#include <strings.h>

// What groups of objects are called by all that records heaps; their root, too.
static const char root_of_heaps[] = "Heap", *const classifiers_of_heaps[] = {"Type", "type"};

static bool has_classifier_of_heaps(const mc_trace *trace) {
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++)
        for (size_t k = 0; k < sizeof classifiers_of_heaps / sizeof *classifiers_of_heaps; k++)
            if (strcmp(mc_trace_get_classifier(trace, i, NULL), classifiers_of_heaps[k]) == 0)
                return true;
    return false;
}

static bool knows_objects(const mc_trace *trace) {
    return mc_trace_has_references(trace) || mc_trace_has_roots(trace) ||
           mc_trace_has_fields(trace) || mc_trace_has_paths(trace);
}

bool mc_subject_is_heap(const mc_trace *trace) {
    if (mc_trace_get_usual_metric(trace) != MC_METRIC_BYTES) return false;
    const char *root = mc_trace_get_string(trace, mc_trace_get_nodes(trace)->name[0], NULL);
    return strcmp(root, root_of_heaps) == 0 || mc_trace_get_classifier_count(trace) == 0 ||
           has_classifier_of_heaps(trace) || knows_objects(trace);
}

bool mc_subject_is_resident_memory(const mc_trace *trace) {
    const char *root = mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[0], NULL);
    return strcmp(root, MC_MEMORY_ROOT) == 0 &&
           mc_trace_find_metric(trace, MC_MEMORY_ESTIMATED) != MC_NONE;
}

uint32_t mc_subject_find_java_heap(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    const char *wanted = mc_memory_kind_names[MC_MEMORY_JAVA_HEAP];
    for (uint32_t i = 0; i < nodes->child_count[0]; i++) {
        uint32_t child = nodes->first_child[0] + i;
        if (strcmp(mc_trace_get_string(trace, nodes->key[child], NULL), wanted) == 0) return child;
    }
    return MC_NONE;
}

bool mc_subject_has_role(const mc_trace *trace, uint32_t node, const char *wanted) {
    uint32_t role = mc_trace_get_nodes(trace)->role[node];
    return role != MC_NONE && strcasecmp(mc_trace_get_classifier(trace, role, NULL), wanted) == 0;
}

uint32_t mc_subject_find_site(const mc_trace *trace, uint32_t node) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    uint32_t at = node;
    bool is_called = false;
    for (; at != MC_NONE && !mc_subject_has_role(trace, at, "site"); at = parent[at])
        is_called |= mc_subject_has_role(trace, at, "caller");
    return is_called && at != MC_NONE ? at : node;
}

void mc_subject_append_group(const mc_trace *trace, uint32_t node, mc_text *out) {
    uint32_t parent = mc_trace_get_nodes(trace)->parent[node];
    bool is_below_type = mc_subject_has_role(trace, node, "site") && parent != MC_NONE &&
                         mc_subject_has_role(trace, parent, "type");
    if (!is_below_type) {
        mc_node_append_name_line(trace, mc_subject_find_site(trace, node), out);
        return;
    }
    mc_node_append_name_line(trace, parent, out);
    mc_text site = {0};
    mc_node_append_name_line(trace, node, &site);
    const char *name = mc_text_get(&site), *last = strrchr(name, '/');
    if (*name != '(') // "(unknown)"
        mc_text_format(out, " at %s", *name == '/' && last ? last + 1 : name);
    out->failed |= site.failed;
    mc_text_deinit(&site);
}

bool mc_subject_is_profile(const mc_trace *trace) {
    return mc_trace_is_of_sites(trace) && !mc_trace_is_of_typed_sites(trace);
}

const char *mc_subject_get_whole(const mc_trace *trace, mc_metric metric) {
    if (mc_trace_has_methods(trace) || mc_trace_get_frame_ms(trace) > 0) return "the program";
    return metric < MC_METRIC_FIRST_OWN && mc_subject_is_heap(trace) ? "the heap" : "all";
}
