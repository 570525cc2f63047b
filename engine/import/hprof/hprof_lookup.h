// hprof_lookup.h - looks up single objects of a heap again, to read their content.
//
// A dump has no index. Objects are looked up by id, as many at a time as are known to be needed, in
// the parts of the dump that contain such ids (mc_hprof_tallies.spans); or all instances of a
// class, in the whole dump. Zero-initialise except for the first members, want, run, read, want
// more. Memory: an entry per object looked up. Threads: running, the crew's; reading, any.
#pragma once
#include "engine/import/hprof/hprof_classes.h"

typedef struct mc_hprof_lookup {
    const mc_hprof_file *file;
    const mc_hprof_batch *batches;
    size_t batch_count;
    const mc_hprof_span *spans; // of the batches; NULL: not known
    const mc_hprof_classes *classes;
    mc_hprof_crew *crew;
    mc_error *error;
    mc_hprof_table wanted; // id -> offset, 0 while it is looked for
    uint64_t wanted_class; // all instances of it, too; 4096 at most
    struct mc_hprof_found {
        mc_hprof_slot *items; // id and offset
        size_t count, capacity;
    } found[MC_HPROF_THREADS_MAX], all; // all: those of the wanted class
    uint64_t *pending;                  // ids that are looked for, ascending
    size_t pending_count, pending_capacity;
} mc_hprof_lookup;

void mc_hprof_lookup_deinit(mc_hprof_lookup *lookup);

// False if memory is out. 0 is nothing to look for.
bool mc_hprof_lookup_want(mc_hprof_lookup *lookup, uint64_t id);
// One walk. What was found before stays.
mc_result mc_hprof_lookup_run(mc_hprof_lookup *lookup);

// Where the object's record is; 0 or MC_HPROF_NO_VALUE: it was not found.
uint64_t mc_hprof_lookup_get_offset(const mc_hprof_lookup *lookup, uint64_t id);
// False: there is no such object. It can be given what get_offset returned.
bool mc_hprof_lookup_get_item(const mc_hprof_lookup *lookup, uint64_t offset, mc_hprof_kind kind,
                              mc_hprof_item *item);
// The id in a field of the instance at `offset`, 0 if there is none.
uint64_t mc_hprof_lookup_get_reference(const mc_hprof_lookup *lookup, uint64_t offset,
                                       const char *field);
// Makes `text` the characters of a java.lang.String, or a char[], as UTF-8. Both the string and its
// array were looked for. False if there is none, it is empty, has control characters or is very
// long.
bool mc_hprof_lookup_get_string(const mc_hprof_lookup *lookup, uint64_t id, mc_text *text);
