// hprof_roots.h - finds the GC roots that reference objects directly, and names them.
//
// While references are counted, each worker notes its roots: an object's leaf, and what is known of
// the root. Then the notes are merged and named as in the program's source: threads by their names,
// stack frames by method and line. Static fields are no roots in the dump, but authors of programs
// think of them as roots; they come from the counts of fields (see hprof_fields.h). Memory: an
// entry per kind of root, thread and frame, 2^20 at most; further roots are counted without a name.
// Threads: noting, one per worker.
#pragma once
#include "engine/heap/step.h"
#include "engine/import/hprof/hprof_lookup.h"

#define MC_HPROF_ROOT_THREAD \
    0x08 // tag of the record that is a thread, and says where its frames are

// Maps a root record's tag to its kind. False: the record names no object, or does not tell what
// holds it.
bool mc_hprof_get_root_kind(uint8_t tag, mc_root_kind *kind);

typedef struct mc_hprof_root_notes {
    mc_strings details;     // of roots, as bytes: see hprof_roots.c
    mc_heap_pairs roots;    // leaf << 32 | detail; points_to is how many
    mc_hprof_table threads; // serial number -> id of the object
    mc_hprof_table traces;  // serial number of the thread -> of its stack trace
} mc_hprof_root_notes;

void mc_hprof_root_notes_deinit(mc_hprof_root_notes *notes);

// A root's record, which names an object of this leaf. False if memory is out.
bool mc_hprof_root_notes_add(mc_hprof_root_notes *notes, const unsigned char *record,
                             uint32_t id_size, uint32_t leaf);
bool mc_hprof_root_notes_merge(mc_hprof_root_notes *notes, const mc_hprof_root_notes *other);

// The records of roots as they are, while a dump is linked: the graph knows which objects roots
// name, and not what these roots are. 24 bytes each.
#define MC_HPROF_ROOT_SIZE 17 // of the longest record of a root
typedef struct mc_hprof_root_record {
    uint32_t target; // position (graph.h)
    unsigned char record[MC_HPROF_ROOT_SIZE];
} mc_hprof_root_record;

typedef struct mc_hprof_root_records {
    mc_hprof_root_record *items;
    size_t count, capacity;
} mc_hprof_root_records;

void mc_hprof_root_records_deinit(mc_hprof_root_records *records);

// False if memory is out.
bool mc_hprof_root_records_add(mc_hprof_root_records *records, const unsigned char *record,
                               uint32_t id_size, uint32_t target);
// Appends those of `other`.
bool mc_hprof_root_records_merge(mc_hprof_root_records *records,
                                 const mc_hprof_root_records *other);

// Appends those that don't last, with their threads. False if memory is out.
bool mc_hprof_root_records_list_holders(const mc_hprof_root_records *records, uint32_t id_size,
                                        mc_heap_root_holders *holders);

// Appends the roots that were noted. `lookup` finds the names of threads. `thrower` gets which
// thread's OutOfMemoryError wrote the dump, and where it was: a line; nothing if none did.
mc_result mc_hprof_roots_tell(mc_heap_leaf_roots *roots, const mc_hprof_root_notes *notes,
                              mc_hprof_lookup *lookup, mc_strings *names, mc_text *thrower,
                              mc_error *error);
// Names the roots that hold the leaves in `of`, briefly and equally from dump to dump: a local
// variable by its method ("Shop.run()", the outermost of a thread's frames), else by its thread
// ("thread \"main\""), other roots by their kind ("(JNI global)"); "(several)" if they differ.
// Long-lived roots take precedence over methods, these over threads; locks come last. A leaf's
// value becomes the string's index in `names`; that of a leaf without a root stays. Passes over the
// heap only if threads have to be named.
mc_result mc_hprof_roots_tell_briefly(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                                      mc_hprof_lookup *lookup, mc_strings *names, mc_error *error);

// What holds vertices that roots name, as an owner.
typedef struct mc_hprof_owner_roots {
    mc_heap_root *items;
    size_t count, capacity;
    mc_strings *names;
} mc_hprof_owner_roots;

// Of the same leaves: a thread before long-lived roots, these before methods, locks last. Texts are
// those of mc_hprof_roots_tell(); in names without lines, and with a '#' in place of each number in
// a thread's name. A leaf's value becomes the root's index.
mc_result mc_hprof_roots_tell_owners(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                                     mc_hprof_lookup *lookup, mc_hprof_owner_roots *roots,
                                     mc_error *error);
