// hprof_sizes.h - computes the sizes of objects in the JVM's memory, which a heap dump does not
// contain.
//
// A layout model defines the width of references and headers, and how HotSpot places fields. The
// addresses reveal which model the JVM used: no object can overlap the next one, and most objects
// are adjacent. Facts: OpenJDK's fieldLayoutBuilder.cpp (JDK 15 and later), before that
// classFileParser.cpp. Pure functions, any thread.
#pragma once
#include "engine/import/hprof/hprof_facts.h"

typedef struct mc_hprof_model {
    uint32_t reference_size;
    uint32_t header_size; // of an instance
    uint32_t array_head;  // up to the elements, but for the alignment of wide ones
    bool is_packed;       // fields go into gaps that superclasses left (JDK 15 and later)
} mc_hprof_model;

#define MC_HPROF_MODELS_MAX 16
// The models that may be for this id size, the one to take without evidence first. Returns how
// many.
uint32_t mc_hprof_list_models(uint32_t id_size, mc_hprof_model *models);

// What a class adds to its superclass.
typedef struct mc_hprof_own_fields {
    mc_hprof_field_counts plain, padded; // padded: one group that shares no cache line with others
    bool is_padded;                      // so do all of them
} mc_hprof_own_fields;

// Where an instance's fields end, and what they left free.
#define MC_HPROF_GAPS_MAX 8
typedef struct mc_hprof_layout {
    uint32_t end;        // of the instance
    uint32_t fields_end; // without padding behind them
    bool is_padded; // its or a superclass's fields are: nothing goes into gaps before their end
    uint32_t gap_count;
    uint32_t gap_begin[MC_HPROF_GAPS_MAX], gap_size[MC_HPROF_GAPS_MAX];
} mc_hprof_layout;

mc_hprof_layout mc_hprof_layout_begin(const mc_hprof_model *model);
// Adds a class's fields to what its superclass has.
void mc_hprof_layout_add(mc_hprof_layout *layout, const mc_hprof_model *model,
                         const mc_hprof_own_fields *fields);
// Static fields, behind the instance of java.lang.Class that they belong to.
uint32_t mc_hprof_measure_statics(const mc_hprof_model *model, const mc_hprof_field_counts *fields);

static inline uint64_t mc_hprof_align(uint64_t size, uint32_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

// Up to an array's elements.
static inline uint32_t mc_hprof_get_array_head(const mc_hprof_model *model, uint32_t width) {
    return width > 4 ? (uint32_t)mc_hprof_align(model->array_head, 8) : model->array_head;
}

// An array of `count` elements. O(1).
static inline uint64_t mc_hprof_measure_array(const mc_hprof_model *model, uint32_t width,
                                              uint64_t count, uint32_t alignment) {
    return mc_hprof_align(mc_hprof_get_array_head(model, width) + width * count, alignment);
}
