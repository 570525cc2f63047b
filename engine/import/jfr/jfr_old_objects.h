// jfr_old_objects.h - the sampled old objects of a JFR recording: what is alive, and by which
// chains of references a GC root holds it.
//
// A JVM samples a few hundred allocations, and says at each dump which of them are alive. Only the
// last such batch counts. A chain is cut at the first class or thread: "static Leak.SESSIONS" holds
// a HashMap by a static field. Equal chains are one path, from the root down; references of one
// field from one object to the next of the same class (HashMap$Node.next) are one hop. These are
// samples: what is named is a share of them. Memory: the samples, and distinct hops. Threads: one
// object serves one thread at a time.
#pragma once
#include "engine/import/jfr/jfr_names.h"

// The last hop of a path, and the path to the one before it, of a lower number.
typedef struct mc_jfr_path {
    uint32_t parent;       // MC_NONE: a root
    uint32_t field, class; // texts; field MC_NONE: not known
} mc_jfr_path;
_Static_assert(sizeof(mc_jfr_path) == 12, "compared as bytes");

typedef struct mc_jfr_old_object {
    uint32_t kind;
    uint32_t path;       // MC_NONE: not known who holds it
    uint32_t root;       // text; MC_NONE: likewise
    uint64_t size_bytes; // 0: not known
} mc_jfr_old_object;

// Zero-initialise; deinit.
typedef struct mc_jfr_old_objects {
    mc_jfr_old_object *items;
    size_t count, capacity;
    int64_t time_ns;          // of the batch
    mc_strings paths;         // each an mc_jfr_path
    mc_text text, other_text; // scratch
} mc_jfr_old_objects;

void mc_jfr_old_objects_deinit(mc_jfr_old_objects *old);

// A sample of the batch that was written then. `object`: of an object with its references; `root`:
// of what the last one of them is. False: out of memory.
bool mc_jfr_old_objects_add(mc_jfr_old_objects *old, mc_jfr_names *names, mc_jfr_chunk *chunk,
                            int64_t time_ns, mc_jfr_old_object item, mc_jfr_value object,
                            mc_jfr_value root);
mc_jfr_path mc_jfr_old_objects_get_path(const mc_jfr_old_objects *old, uint32_t path);

// The root that holds the most samples. 0: none is known to hold any.
size_t mc_jfr_old_objects_find_root(const mc_jfr_old_objects *old, const mc_jfr_names *names,
                                    uint32_t *root, mc_error *error);
