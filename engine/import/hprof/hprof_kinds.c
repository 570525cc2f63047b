#include "engine/import/hprof/hprof_kinds.h"

#include "engine/base/memory.h"

void mc_hprof_kinds_deinit(mc_hprof_kinds *kinds) {
    mc_free(kinds->meanings);
    mc_free(kinds->classes);
    *kinds = (mc_hprof_kinds){.meanings = NULL};
}

typedef struct lister {
    mc_hprof_kinds *kinds;
    const mc_hprof_classes *classes;
    const mc_hprof_file *file;
    mc_heap *heap;
    bool is_out_of_memory;
} lister;

static uint32_t add(lister *self, mc_graph_kind kind, mc_hprof_vertex what, uint32_t class,
                    uint32_t leaf, uint32_t class_slot) {
    uint32_t index = mc_heap_add_kind(self->heap, kind, leaf, class_slot);
    if (index == MC_NONE)
        self->is_out_of_memory = true;
    else
        self->kinds->meanings[index] = (mc_hprof_kind_meaning){what, class};
    return index;
}

// What the weak references of instances keep; STRONG: nothing.
static mc_heap_region find_region(const mc_hprof_classes *classes, uint32_t class) {
    static const struct {
        const char *class;
        mc_heap_region region;
    } kept[] = {{"java/lang/ref/FinalReference", MC_HEAP_FINALIZING},
                {"java/lang/ref/FinalizerReference", MC_HEAP_FINALIZING}, // Android's
                {"java/lang/ref/SoftReference", MC_HEAP_SOFT}};
    for (uint32_t at = class; at != MC_NONE; at = classes->items[at].super)
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            if (mc_hprof_is_text(classes->items[at].name, classes->items[at].name_size,
                                 kept[i].class))
                return kept[i].region;
    return MC_HEAP_STRONG;
}

static void add_class(lister *self, uint32_t index) {
    const mc_hprof_classes *classes = self->classes;
    const mc_hprof_class *class = &classes->items[index];
    mc_hprof_class_kinds *kinds = &self->kinds->classes[index];
    *kinds = (mc_hprof_class_kinds){.weak_slot = MC_NONE};
    if (class->tally.instance_count > 0) {
        kinds->weak_slot = mc_hprof_find_weak_slot(classes, self->file, index);
        if (kinds->weak_slot != MC_NONE) kinds->region = find_region(classes, index);
        mc_graph_kind kind = {.size = index == classes->stack_class ? MC_GRAPH_VARIES : class->size,
                              .slot_count = class->reference_count + class->is_kept,
                              .layout = MC_GRAPH_FIELDS};
        kinds->instance = add(self, kind, MC_HPROF_VERTEX_INSTANCE, index, class->leaf,
                              class->is_kept ? class->reference_count : MC_NONE);
    }
    if (class->tally.array != MC_NONE)
        kinds->array = add(self, (mc_graph_kind){.size = MC_GRAPH_VARIES, .layout = MC_GRAPH_LIST},
                           MC_HPROF_VERTEX_OBJECTS, index, class->leaf, MC_NONE);
    if (class->record != MC_HPROF_NO_VALUE) {
        mc_graph_kind kind = {.size = MC_GRAPH_VARIES,
                              .slot_count = mc_hprof_count_class_slots(classes, self->file, index),
                              .layout = MC_GRAPH_FIELDS,
                              .is_landmark = true};
        kinds->object = add(self, kind, MC_HPROF_VERTEX_CLASS, index, classes->class_leaf, MC_NONE);
    }
}

static void add_all(lister *self) {
    const mc_graph_kind edgeless = {.layout = MC_GRAPH_LIST};
    const mc_graph_kind varying = {.size = MC_GRAPH_VARIES, .layout = MC_GRAPH_LIST};
    add(self, edgeless, MC_HPROF_VERTEX_UNKNOWN, MC_NONE, MC_NONE, MC_NONE);
    add(self, edgeless, MC_HPROF_VERTEX_ROOT, MC_NONE, MC_NONE, MC_NONE);
    add(self, edgeless, MC_HPROF_VERTEX_FINALIZING, MC_NONE, MC_NONE, MC_NONE);
    add(self, edgeless, MC_HPROF_VERTEX_SOFT, MC_NONE, MC_NONE, MC_NONE);
    for (uint32_t i = MC_HPROF_TYPE_BOOLEAN; i < MC_HPROF_TYPE_COUNT; i++)
        self->kinds->primitives[i] = add(self, varying, MC_HPROF_VERTEX_PRIMITIVES, i,
                                         self->classes->primitive_leaves[i], MC_NONE);
    for (uint32_t i = 0; i < self->classes->count; i++)
        add_class(self, i);
}

mc_result mc_hprof_kinds_init(mc_hprof_kinds *kinds, const mc_hprof_classes *classes,
                              const mc_hprof_file *file, mc_heap *heap, mc_error *error) {
    size_t most = 4 + MC_HPROF_TYPE_COUNT + 3 * (size_t)classes->count;
    lister self = {.kinds = kinds, .classes = classes, .file = file, .heap = heap};
    *kinds = (mc_hprof_kinds){
        .meanings = mc_alloc_scattered(most, sizeof *kinds->meanings),
        .classes = mc_alloc_scattered((size_t)classes->count + 1, sizeof *kinds->classes)};
    if (!kinds->meanings || !kinds->classes) return mc_error_out_of_memory(error);
    add_all(&self);
    if (self.is_out_of_memory) return mc_error_out_of_memory(error);
    if (heap->link_count >= MC_NONE)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many fields: 2^32 or more");
    return MC_OK;
}
