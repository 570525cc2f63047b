// hprof_roots.h - which GC roots reach objects directly, and what to call them.
//
// While references are counted, each worker notes its roots: an object's leaf, and what is known of
// the root. Then the notes are put together and told in words of the source: threads by their
// names, stack frames by method and line. Static fields are no roots of the dump, but what a
// program's author takes for such; they come from the counts of fields (see hprof_fields.h).
// Memory: an entry a kind of root, thread and frame, 2^20 at most; more are counted without saying
// which. Threads: noting, one a worker.
#pragma once
#include "engine/import/hprof/hprof_links.h"
#include "engine/import/hprof/hprof_lookup.h"
#include "engine/import/hprof/hprof_pairs.h"
#include "engine/trace/step_holders.h"

#define MC_HPROF_ROOT_THREAD \
    0x08 // tag of the record that is a thread, and says where its frames are

// What a root's record is by its tag. False: it names no object, or says nothing of what holds it.
bool mc_hprof_get_root_kind(uint8_t tag, mc_root_kind *kind);

typedef struct mc_hprof_root_notes {
    mc_strings details;     // of roots, as bytes: see hprof_roots.c
    mc_hprof_pairs roots;   // leaf << 32 | detail; points_to is how many
    mc_hprof_table threads; // serial number -> id of the object
    mc_hprof_table traces;  // serial number of the thread -> of its stack trace
} mc_hprof_root_notes;

void mc_hprof_root_notes_deinit(mc_hprof_root_notes *notes);

// A root's record, which names an object of this leaf. False if memory is out.
bool mc_hprof_root_notes_add(mc_hprof_root_notes *notes, const unsigned char *record,
                             uint32_t id_size, uint32_t leaf);
bool mc_hprof_root_notes_merge(mc_hprof_root_notes *notes, const mc_hprof_root_notes *other);

// Roots of one kind that reach objects of one leaf.
#define MC_HPROF_ROOT_TEXTS_MAX 10 // of a leaf and kind; the others are counted together
typedef struct mc_hprof_leaf_root {
    uint32_t leaf;
    mc_root_kind kind;
    uint32_t name;  // in `names`; MC_NONE: all others
    uint64_t count; // of roots; of static fields, too
} mc_hprof_leaf_root;

typedef struct mc_hprof_leaf_roots {
    mc_hprof_leaf_root *items; // by leaf, kind, and then the most first
    size_t count, capacity;
} mc_hprof_leaf_roots;

// Appends what was noted. `lookup` finds the names of threads.
mc_result mc_hprof_roots_tell(mc_hprof_leaf_roots *roots, const mc_hprof_root_notes *notes,
                              mc_hprof_lookup *lookup, mc_strings *names, mc_error *error);
// What alone holds the leaves that are in `of`, in few words that are the same from dump to dump: a
// local variable by its method ("Shop.run()": of a thread's frames by the outermost), else by its
// thread ("thread \"main\""), other roots by their kind ("(JNI global)"); "(several)" if they
// differ. Lasting roots count more than methods, these more than threads, locks least. A leaf's
// value becomes the string in `names`; that of one without a root stays. Walks over the heap only
// if threads have to be named.
mc_result mc_hprof_roots_tell_briefly(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                                      mc_hprof_lookup *lookup, mc_strings *names, mc_error *error);
// Sorts, and leaves of each leaf and kind the texts that there is room for.
bool mc_hprof_roots_sort(mc_hprof_leaf_roots *roots, const mc_strings *names);
