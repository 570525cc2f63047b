#include "app/subject_text.h"

#include "engine/trace/regroup/sliding_window.h"
#include <string.h>

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

const char *mc_subject_get_whole(const mc_trace *trace, mc_metric metric) {
    if (mc_trace_has_methods(trace) || mc_trace_get_frame_ms(trace) > 0) return "the program";
    return metric < MC_METRIC_FIRST_OWN && mc_subject_is_heap(trace) ? "the heap" : "all";
}
