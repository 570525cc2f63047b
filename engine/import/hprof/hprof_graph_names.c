#include "engine/import/hprof/hprof_graph_names.h"

mc_hprof_field mc_hprof_graph_get_field(const mc_hprof_graph *graph,
                                        const mc_hprof_classes *classes, const mc_hprof_file *file,
                                        uint32_t kind, uint32_t slot) {
    const mc_hprof_graph_kind *meaning = &graph->kinds[kind];
    switch (meaning->what) {
    case MC_HPROF_VERTEX_INSTANCE:
        return mc_hprof_get_instance_field(classes, file, meaning->class, slot);
    case MC_HPROF_VERTEX_OBJECTS:
        return (mc_hprof_field){.kind = MC_HPROF_FIELD_ELEMENT, .class = meaning->class};
    case MC_HPROF_VERTEX_CLASS:
        return mc_hprof_get_class_field(classes, file, meaning->class, slot);
    default: break;
    }
    return (mc_hprof_field){.kind = MC_HPROF_FIELD_UNKNOWN, .class = MC_NONE};
}

void mc_hprof_graph_append_kind(const mc_hprof_graph *graph, const mc_hprof_classes *classes,
                                uint32_t kind, mc_text *text) {
    static const char *const primitives[MC_HPROF_TYPE_COUNT] = {
        [4] = "boolean[]", [5] = "char[]",  [6] = "float[]", [7] = "double[]",
        [8] = "byte[]",    [9] = "short[]", [10] = "int[]",  [11] = "long[]"};
    const mc_hprof_graph_kind *meaning = &graph->kinds[kind];
    switch (meaning->what) {
    case MC_HPROF_VERTEX_ROOT: mc_text_append_string(text, "GC root"); return;
    case MC_HPROF_VERTEX_PRIMITIVES:
        mc_text_append_string(text, primitives[meaning->class]);
        return;
    case MC_HPROF_VERTEX_CLASS: mc_text_append_string(text, "class "); break;
    case MC_HPROF_VERTEX_UNKNOWN: mc_text_append_string(text, "(unknown)"); return;
    default: break;
    }
    mc_hprof_append_class(classes, meaning->class, true, text);
}
