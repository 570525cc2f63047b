// root_path.h - finds a path from a leaf up to the GC root that keeps its objects alive, field by
// field.
//
// Pure CPU code. References are known between leaves, not between objects, so the path is the one
// that the program's author would check first. Hops through classes of the program and through
// containers are short, hops through the inside of the library long; static fields and running
// methods of the program are the nearest roots. If the leaf grows, the references along the path
// must grow as well, up to an owner that stays single and holds ever more. Beyond that owner, or in
// a single step, a hop must have about as many references as there are objects to be held. Weak
// references are followed only if nothing else leads to the objects. Classes reference their
// loaders, and objects reference their classes if a program's own loader has loaded these. Threads:
// separate finders may run in parallel; one finder serves one thread at a time.
#pragma once
#include "engine/trace/trace.h"

#define MC_ROOT_PATH_MOST_HOPS 24
#define MC_ROOT_PATH_OTHER_COUNT 3

// The special means, if any, by which the objects are kept alive.
typedef enum mc_root_path_means {
    MC_ROOT_PATH_PLAIN,
    MC_ROOT_PATH_THREAD_LOCAL, // as a value of a ThreadLocal
    MC_ROOT_PATH_LOADER,       // as the loader of classes of which there are objects
    MC_ROOT_PATH_FINALIZER,    // by the queue of objects to be finalised, and nothing else
    MC_ROOT_PATH_SOFT,         // by soft references, and nothing else
    MC_ROOT_PATH_WEAK // by weak or phantom ones, and nothing else: they go with the next cycle
} mc_root_path_means;

typedef struct mc_root_path_hop {
    uint32_t node;   // the leaf that holds the hop before, or the start
    uint32_t field;  // string: by which
    uint64_t count;  // references that go through it
    bool is_program; // the leaf is no class of a language's library
} mc_root_path_hop;

typedef struct mc_root_path {
    bool is_known; // else nothing below holds
    uint32_t start;
    mc_root_path_hop hops[MC_ROOT_PATH_MOST_HOPS]; // from the start upward
    uint32_t count;                                // 0: a root holds the start itself
    mc_root_kind root_kind;                        // of the last hop's leaf
    uint32_t root_name;                            // string; MC_NONE: one of many
    uint64_t root_count;
    uint32_t root_name_count; // of this kind and leaf
    bool root_is_program;
    mc_root_path_means means;
    // Fields and static fields of the program that lead to the start on a way as short, and are not
    // on this one: which of them it is, references between classes do not tell.
    uint32_t others[MC_ROOT_PATH_OTHER_COUNT]; // strings, the most references first
    uint32_t other_count;                      // all of them
} mc_root_path;

typedef struct mc_root_path_desc {
    uint32_t leaf;    // the start
    uint64_t objects; // of the leaf that are to be held; 0: all of them
    bool grows;       // they become more
} mc_root_path_desc;

// The number of objects at both ends of a link, and their growth since the first step.
typedef struct mc_link_growth {
    double held, referrers;
    double more_held, more_referrers;
} mc_link_growth;

// Whether the referrers grew, not only what they reference. A leak whose window begins late adds
// little to what has already piled up, so the growth of the referrers is compared with that of what
// they reference.
bool mc_link_do_referrers_grow(const mc_link_growth *growth);

typedef struct mc_root_path_finder mc_root_path_finder;

// Growth is measured since `first_step`; if that is `step` itself, growth is not known. O(nodes +
// references, fields and roots of both steps). `trace` must outlive the finder.
mc_result mc_root_path_finder_create(const mc_trace *trace, uint32_t step, uint32_t first_step,
                                     mc_root_path_finder **finder, mc_error *error);
void mc_root_path_finder_destroy(mc_root_path_finder *finder); // NULL is fine

// `is_known` is false if the step's fields and roots are not known, or no root is found. O(nodes +
// fields).
mc_result mc_root_path_finder_find(mc_root_path_finder *finder, const mc_root_path_desc *desc,
                                   mc_root_path *trail, mc_error *error);
