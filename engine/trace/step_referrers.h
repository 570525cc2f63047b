// step_referrers.h - the fields and GC roots that reference the objects of a step's leaves.
//
// An importer that knows them fills it; mc_trace_builder reads it. Nodes are those of the step's
// tree (step_tree.h), all leaves. Reused from step to step: reset keeps the memory. Threads: one
// object serves one thread at a time.
#pragma once
#include "engine/base/text.h"

// Numbers stand in files (docs/reference/mct.md): new kinds come at the end.
typedef enum mc_root_kind {
    MC_ROOT_STATIC,       // static field; strictly, its class is what is a root, or its loader
    MC_ROOT_STACK,        // local variable of a Java method
    MC_ROOT_JNI_LOCAL,    // local variable of a native method
    MC_ROOT_NATIVE_STACK, // of a thread
    MC_ROOT_THREAD,       // the thread itself
    MC_ROOT_THREAD_BLOCK,
    MC_ROOT_MONITOR, // somebody waits for it or is in it
    MC_ROOT_JNI_GLOBAL,
    MC_ROOT_SYSTEM_CLASS,
    MC_ROOT_UNKNOWN,
    MC_ROOT_INTERNED_STRING, // from here on Android's
    MC_ROOT_FINALIZING,
    MC_ROOT_DEBUGGER,
    MC_ROOT_REFERENCE_CLEANUP,
    MC_ROOT_VM_INTERNAL,
    MC_ROOT_JNI_MONITOR,
    MC_ROOT_SOFT,   // no root to a runtime: soft references, until memory is short
    MC_ROOT_GLOBAL, // from here on of other runtimes: a variable that lasts as long as the program
    MC_ROOT_HANDLE, // what native code holds
    MC_ROOT_COUNT
} mc_root_kind;

extern const char *const mc_root_kind_names[MC_ROOT_COUNT + 1]; // "thread stack"; NULL in the end

// References from objects of one leaf to those of another by one field. Unlike points_to and
// pointed_from, which count objects, each reference counts: each element of an array, too.
typedef struct mc_field_count {
    uint32_t from, to;
    uint32_t name; // string: "Shop.cache", "static Shop.MAP", "Object[] elements", "Shop.<loader>"
    uint32_t is_weak; // 0 or 1: does not keep what it references
    uint64_t count;
} mc_field_count;

// GC roots of one kind that directly reference objects of a leaf. Static fields count too, because
// authors of programs think of them as roots.
typedef struct mc_root_count {
    uint32_t node;
    uint32_t kind; // mc_root_kind
    uint32_t name; // string: "thread \"main\" in a.B.c(B.java:12)"; MC_NONE: the others of the kind
    uint64_t count;
} mc_root_count;

typedef struct mc_step_referrers {
    int64_t time_ms;
    mc_strings names;
    mc_field_count *fields; // in any order; of no two all but the count is the same
    mc_root_count *roots;   // likewise
    size_t field_count, root_count, field_capacity, root_capacity;
} mc_step_referrers;

void mc_step_referrers_reset(mc_step_referrers *referrers);
void mc_step_referrers_deinit(mc_step_referrers *referrers);

// False if memory is out.
bool mc_step_referrers_add_field(mc_step_referrers *referrers, mc_field_count field);
bool mc_step_referrers_add_root(mc_step_referrers *referrers, mc_root_count root);
