// hprof_file.h - a heap dump's header and records: strings, class names, and the ranges that
// contain the heap.
//
// Damaged or missing parts are skipped and noted; they are no error as long as any of the heap
// exists. Memory: a table entry per string, a few bytes per segment. Threads: reading, any number.
#pragma once
#include "engine/base/text.h"
#include "engine/import/hprof/hprof_crew.h"
#include "engine/import/hprof/hprof_scan.h"
#include "engine/import/hprof/hprof_table.h"

#define MC_HPROF_DETECT_SIZE 31 // bytes that tell a heap dump

bool mc_hprof_detect(const void *data, size_t size);
// The time in a dump's header, in ms since 1970; 0: these first bytes of it do not say.
int64_t mc_hprof_peek_time(const unsigned char *data, size_t size);

// Heap records, one after another, in data[begin .. end).
typedef struct mc_hprof_range {
    uint64_t begin, end;
} mc_hprof_range;

typedef enum mc_hprof_damage_kind {
    MC_HPROF_WHOLE,
    MC_HPROF_DAMAGE_CUT,   // a record goes beyond the file's or its segment's end
    MC_HPROF_DAMAGE_TAG,   // something that is no record
    MC_HPROF_DAMAGE_NO_END // the last record is missing, nothing else
} mc_hprof_damage_kind;

typedef struct mc_hprof_damage {
    mc_hprof_damage_kind kind; // of the first one in the file
    uint64_t offset;           // where it is
    uint64_t lost_size;        // bytes that were left out, all together
    uint32_t count;
} mc_hprof_damage;

void mc_hprof_damage_add(mc_hprof_damage *damage, const mc_hprof_damage *other);
// Appends a sentence on what a dump of this size lacks; nothing if it is complete.
void mc_hprof_damage_append(const mc_hprof_damage *damage, uint64_t size, mc_text *text);

typedef struct mc_hprof_file {
    const unsigned char *data;
    uint64_t size;
    bool is_mapped;
    uint32_t id_size;
    int64_t time_ms;             // since 1970
    mc_hprof_table strings;      // id -> offset of the string's bytes
    mc_hprof_table class_names;  // class id -> string id
    mc_hprof_table serial_names; // class serial number -> string id
    mc_hprof_table frames;       // frame id -> offset of what is in the record
    mc_hprof_table traces;       // stack trace serial number -> the same
    mc_hprof_range *ranges;
    size_t range_count, range_capacity;
    mc_hprof_damage damage;
} mc_hprof_file;

// `data` must outlive the file; `is_mapped`: pages of it that were read may be given back to the
// system. MC_ERROR_BAD_DATA if it is no heap dump, or holds nothing of a
// heap. To be deinitialised in any case.
mc_result mc_hprof_file_init(mc_hprof_file *file, const unsigned char *data, uint64_t size,
                             bool is_mapped, mc_error *error);
void mc_hprof_file_deinit(mc_hprof_file *file);

// A string's bytes, not terminated; NULL if the dump lacks it.
const char *mc_hprof_file_get_string(const mc_hprof_file *file, uint64_t id, size_t *size);
const char *mc_hprof_file_get_class_name(const mc_hprof_file *file, uint64_t class_id,
                                         size_t *size);

static inline bool mc_hprof_is_text(const char *text, size_t size, const char *expected) {
    return text && strlen(expected) == size && memcmp(text, expected, size) == 0;
}

// The class's description at an offset, which was found whole before.
static inline mc_hprof_kind mc_hprof_file_parse_class(const mc_hprof_file *file, uint64_t offset,
                                                      mc_hprof_class_record *record) {
    return mc_hprof_parse_class(file->data + offset + 1, file->data + file->size, file->id_size,
                                record);
}

// A frame of a stack trace. Ids are those of strings.
typedef struct mc_hprof_frame {
    uint64_t method, source, class_name; // class_name: MC_HPROF_NO_VALUE if it is not known
    int32_t line;                        // 0 or less: not known
} mc_hprof_frame;

// Frame `index` of a trace, the innermost is 0. False if the dump lacks it.
bool mc_hprof_file_get_frame(const mc_hprof_file *file, uint32_t trace, uint32_t index,
                             mc_hprof_frame *frame);

// Ranges that are read by one worker in one go: some megabytes together.
typedef struct mc_hprof_batch {
    size_t first_range, range_count;
    uint64_t size;
} mc_hprof_batch;

// Parts ranges that are too large for one go (dumps of old JVMs are one single range), by one walk
// over them, and puts small ones together. The caller frees *batches with mc_free().
mc_result mc_hprof_file_plan(mc_hprof_file *file, mc_hprof_batch **batches, size_t *batch_count,
                             mc_hprof_crew *crew, mc_error *error);
// A batch has been read: adds to the crew's progress, and gives memory back.
void mc_hprof_file_end_batch(const mc_hprof_file *file, const mc_hprof_batch *batch,
                             mc_hprof_crew *crew);

// The records of a batch, one after another: begin, then next until it returns false. What is
// damaged ends its range.
typedef struct mc_hprof_walk {
    const mc_hprof_file *file;
    const mc_hprof_range *range, *end; // that come next
    mc_hprof_cursor cursor;
} mc_hprof_walk;

static inline mc_hprof_walk mc_hprof_walk_begin(const mc_hprof_file *file,
                                                const mc_hprof_batch *batch) {
    const mc_hprof_range *range = file->ranges + batch->first_range;
    return (mc_hprof_walk){.file = file,
                           .range = range,
                           .end = range + batch->range_count,
                           .cursor = {file->data, file->data, file->id_size}};
}

// Goes to the next range; false: there is none.
bool mc_hprof_walk_enter(mc_hprof_walk *walk);

// Inline at any price: it runs for each object, and what it returns is what the caller looks at.
__attribute__((always_inline)) static inline bool
mc_hprof_walk_next(mc_hprof_walk *walk, mc_hprof_kind *kind, mc_hprof_item *item) {
    while ((*kind = mc_hprof_next(&walk->cursor, item)) == MC_HPROF_END || *kind == MC_HPROF_CUT ||
           *kind == MC_HPROF_BAD)
        if (!mc_hprof_walk_enter(walk)) return false;
    return true;
}
