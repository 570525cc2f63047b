#include "engine/import/hprof/hprof_links.h"

#include "engine/base/memory.h"

void mc_hprof_links_deinit(mc_hprof_links *links) {
    mc_free(links->classes);
    *links = (mc_hprof_links){.count = 0};
}

mc_result mc_hprof_links_init(mc_hprof_links *links, const mc_hprof_classes *classes,
                              const mc_hprof_file *file, mc_error *error) {
    uint64_t count = 0;
    links->class_count = classes->count;
    links->classes = mc_alloc((size_t)classes->count + 1, sizeof *links->classes);
    if (!links->classes) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < classes->count; i++) {
        const mc_hprof_class *class = &classes->items[i];
        links->classes[i].instance = (uint32_t)count;
        count += class->reference_count + class->is_kept;
        links->classes[i].array = (uint32_t)count++;
        links->classes[i].object = (uint32_t)count;
        if (class->record != MC_HPROF_NO_VALUE)
            count += mc_hprof_count_class_slots(classes, file, i);
        if (count >= MC_NONE) {
            mc_error_set(error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                         "too many fields: 2^32 or more");
            return MC_ERROR_UNSUPPORTED;
        }
    }
    links->count = (uint32_t)count;
    return MC_OK;
}

mc_hprof_link mc_hprof_links_get(const mc_hprof_links *links, uint32_t link) {
    uint32_t low = 0, high = links->class_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (links->classes[middle].instance <= link)
            low = middle;
        else
            high = middle;
    }
    const mc_hprof_class_links *class = &links->classes[low];
    if (link < class->array) return (mc_hprof_link){low, link - class->instance, MC_HPROF_INSTANCE};
    if (link < class->object) return (mc_hprof_link){low, 0, MC_HPROF_OBJECTS};
    return (mc_hprof_link){low, link - class->object, MC_HPROF_CLASS};
}

mc_hprof_field mc_hprof_link_get_field(const mc_hprof_link *link, const mc_hprof_classes *classes,
                                       const mc_hprof_file *file) {
    switch (link->kind) {
    case MC_HPROF_INSTANCE:
        return mc_hprof_get_instance_field(classes, file, link->class, link->slot);
    case MC_HPROF_OBJECTS:
        return (mc_hprof_field){.kind = MC_HPROF_FIELD_ELEMENT, .class = link->class};
    default: return mc_hprof_get_class_field(classes, file, link->class, link->slot);
    }
}
