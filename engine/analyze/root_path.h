// root_path.h - from a leaf up to the GC root that holds its objects, field by field.
//
// Pure CPU code. References are known between leaves, not between objects: the trail is the way
// that an author would look for first. Hops by classes of the program and by containers are short,
// those by the inside of the library long; static fields and running methods of the program are the
// nearest roots. What is held grows: then so must the references by which it is, up to a holder
// that is one and holds ever more; behind it, or in one step, a hop must have about as many
// references as there are objects to be held. Weak references hold nothing, and are only followed
// if nothing else holds. Classes hold their loaders, and objects the classes that a program's own
// loaders have loaded. Threads: separate finders may run in parallel; one finder serves one thread
// at a time.
#pragma once
#include "engine/trace/trace.h"

#define MC_ROOT_PATH_MOST_HOPS 24
#define MC_ROOT_PATH_OTHER_COUNT 3

// What is particular about how the objects are held.
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

// Both ends of a link, now and by how much they have become more since the first step.
typedef struct mc_link_growth {
    double held, holders;
    double more_held, more_holders;
} mc_link_growth;

// Whether the holders have become more, and not only what they hold. A leak whose window begins
// late adds little to what has piled up: its holders are held against what they hold.
bool mc_link_do_holders_grow(const mc_link_growth *growth);

typedef struct mc_root_path_finder mc_root_path_finder;

// `first_step` is whose growth is since; the step itself: nothing is known of growth. O(nodes +
// references, fields and roots of both steps). `trace` must outlive the finder.
mc_result mc_root_path_finder_create(const mc_trace *trace, uint32_t step, uint32_t first_step,
                                     mc_root_path_finder **finder, mc_error *error);
void mc_root_path_finder_destroy(mc_root_path_finder *finder); // NULL is fine

// `is_known` is false if the step's fields and roots are not known, or no root is found. O(nodes +
// fields).
mc_result mc_root_path_finder_find(mc_root_path_finder *finder, const mc_root_path_desc *desc,
                                   mc_root_path *trail, mc_error *error);
