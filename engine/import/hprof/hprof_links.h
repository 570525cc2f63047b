// hprof_links.h - numbers the distinct kinds of references, each a class and a slot
// (hprof_fields.h), while references are counted.
//
// Threads: reading, any.
#pragma once
#include "engine/import/hprof/hprof_fields.h"

typedef struct mc_hprof_link {
    uint32_t class;
    uint32_t slot;
    uint8_t kind; // MC_HPROF_INSTANCE, _OBJECTS or _CLASS
} mc_hprof_link;

// The first number of each class's instances, arrays and class object; the slot is added.
typedef struct mc_hprof_class_links {
    uint32_t instance, array, object;
} mc_hprof_class_links;

typedef struct mc_hprof_links {
    mc_hprof_class_links *classes;
    uint32_t class_count, count;
} mc_hprof_links;

// Zeroed, and to be deinitialised in any case. MC_ERROR_UNSUPPORTED if there are 2^32 or more.
mc_result mc_hprof_links_init(mc_hprof_links *links, const mc_hprof_classes *classes,
                              const mc_hprof_file *file, mc_error *error);
void mc_hprof_links_deinit(mc_hprof_links *links);

// O(log classes).
mc_hprof_link mc_hprof_links_get(const mc_hprof_links *links, uint32_t link);
// By what they reference.
mc_hprof_field mc_hprof_link_get_field(const mc_hprof_link *link, const mc_hprof_classes *classes,
                                       const mc_hprof_file *file);
