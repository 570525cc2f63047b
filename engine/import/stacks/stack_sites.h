// stack_sites.h - turns stacks with values into the groups of a step: by allocation site and
// callers.
//
// The one place for all formats that say where memory was allocated. A group is a Site, then a
// Caller for each frame further out, then a level for each label that a stack has, of which the
// first values are told apart. The site is the
// innermost frame of the program's own code, if the stack has one (frame_kind.h): that is the line
// that its author can change. Frames of the allocator at the inner end, and those that call main()
// at the outer one, say nothing and are left out. Memory: the frames and groups met so far.
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/stacks/frame_kind.h"
#include "engine/import/stacks/path_groups.h"
#include "engine/import/stacks/stack_id.h"

// What every format calls the same. Bytes and objects are those that are alive, or the most that is
// known of that; formats that know allocations alone have neither.
#define MC_SITES_OBJECTS \
    { "objects", "objects", MC_UNIT_COUNT, false, MC_METRIC_STOCK }
#define MC_SITES_BYTES \
    { "bytes", "bytes", MC_UNIT_BYTES, false, MC_METRIC_STOCK }
#define MC_SITES_ALLOCATED_OBJECTS \
    { "alloc_objects", "objects allocated so far", MC_UNIT_COUNT, false, MC_METRIC_STOCK }
#define MC_SITES_ALLOCATED_BYTES \
    { "alloc_bytes", "bytes allocated so far", MC_UNIT_BYTES, false, MC_METRIC_STOCK }

#define MC_SITES_DEPTH 8 // frames of a stack that are groups, unless the user says otherwise

typedef struct mc_site_label {
    mc_span key, value; // a classifier, and what is in it
} mc_site_label;

typedef struct mc_stack_sites_desc {
    // Metrics of the groups, as of mc_path_desc: up to the one whose key is NULL.
    mc_path_metric metrics[MC_PATH_METRIC_MOST + 1];
    uint32_t depth;            // frames of a stack that become groups; 0: all
    bool has_libraries;        // the site is the innermost frame that is not the allocator's
    uint32_t label_value_most; // of a label that are told apart; 0: 64
} mc_stack_sites_desc;

typedef struct mc_stack_sites mc_stack_sites;

mc_result mc_stack_sites_create(const mc_stack_sites_desc *desc, mc_stack_sites **sites,
                                mc_error *error);
void mc_stack_sites_destroy(mc_stack_sites *sites); // NULL is fine

// The number of a frame, which is the same for equal ones. MC_NONE: out of memory.
uint32_t mc_stack_sites_add_frame(mc_stack_sites *sites, const mc_site_frame *frame);
// The group of a stack of such frames, the innermost first; without any, it is called "(unknown)".
// MC_NONE: out of memory.
uint32_t mc_stack_sites_find(mc_stack_sites *sites, const uint32_t *frames, uint32_t count,
                             const mc_site_label *labels, uint32_t label_count);
// The group in that one of what a stack's labels say. MC_NONE: out of memory.
uint32_t mc_stack_sites_find_labels(mc_stack_sites *sites, uint32_t group,
                                    const mc_site_label *labels, uint32_t label_count);

// Stacks that come again with each step, mostly in the same order, by their ids (stack_id.h): the
// group that was noted of one, without labels. MC_NONE: none was.
uint32_t mc_stack_sites_find_known(mc_stack_sites *sites, const mc_stack_id *id);
// Notes it, of one of which none is. False: out of memory.
bool mc_stack_sites_note(mc_stack_sites *sites, const mc_stack_id *id, uint32_t group);
// A group in another one (0: in the root) that no frame is the name of: "(below the threshold)".
// MC_NONE: out of memory.
uint32_t mc_stack_sites_find_named(mc_stack_sites *sites, uint32_t parent, const char *name);

// See mc_path_groups.
bool mc_stack_sites_count(mc_stack_sites *sites, uint32_t group, const uint64_t *values,
                          uint64_t offset);
mc_result mc_stack_sites_fill_tree(mc_stack_sites *sites, mc_step_tree *tree, mc_error *error);
uint32_t mc_stack_sites_get_node(const mc_stack_sites *sites, uint32_t group);
void mc_stack_sites_clear(mc_stack_sites *sites);
