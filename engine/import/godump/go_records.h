// go_records.h - takes the records of a heap dump of Go (debug.WriteHeapDump) apart, one after
// another.
//
// The format is the same in all Go versions since 1.5: a header, then records of numbers, texts and
// lists of where pointers are. Records point into the data. Every length is checked against it.
// Untrusted input. Threads: separate objects may be used in parallel.
#pragma once
#include "engine/import/stacks/frame_name.h"

typedef enum mc_go_tag {
    MC_GO_END,
    MC_GO_OBJECT,
    MC_GO_OTHER_ROOT,
    MC_GO_TYPE,
    MC_GO_GOROUTINE,
    MC_GO_FRAME,
    MC_GO_PARAMETERS,
    MC_GO_FINALIZER,
    MC_GO_ITAB,
    MC_GO_THREAD,
    MC_GO_STATISTICS,
    MC_GO_QUEUED_FINALIZER,
    MC_GO_DATA,
    MC_GO_BSS,
    MC_GO_DEFER,
    MC_GO_PANIC,
    MC_GO_BUCKET, // a stack that allocated
    MC_GO_SAMPLE, // which of them allocated an object
    MC_GO_TAG_COUNT
} mc_go_tag;

#define MC_GO_NUMBERS 12
#define MC_GO_TEXTS 2

// Numbers and texts each in the order in which the format has them.
typedef struct mc_go_record {
    mc_go_tag tag;
    const unsigned char *begin;
    uint64_t numbers[MC_GO_NUMBERS];
    mc_span texts[MC_GO_TEXTS]; // of objects, frames and segments the contents come first
    mc_span fields;             // where pointers are: mc_go_fields_take(); of buckets the frames
    uint64_t field_count;
} mc_go_record;

typedef struct mc_go_cursor {
    const unsigned char *begin, *at, *end;
} mc_go_cursor;

typedef enum mc_go_outcome {
    MC_GO_READ,
    MC_GO_FINISHED, // that was the record of the end
    MC_GO_CUT,      // the data ends within a record, or before one; the cursor is at its beginning
    MC_GO_WRONG     // it is no record; the cursor is where it shows
} mc_go_outcome;

typedef struct mc_go_frame {
    mc_span function, file;
    uint64_t line;
} mc_go_frame;

bool mc_go_detect(const void *data, size_t size);
// At the first record. The data is one that was detected.
mc_go_cursor mc_go_cursor_begin(const unsigned char *data, uint64_t size);
// `wanted`: what had to be there, if something else is.
mc_go_outcome mc_go_record_read(mc_go_cursor *cursor, mc_go_record *record, const char **wanted);
// Takes the next offset off the fields of a record that was read. False: there is none.
bool mc_go_fields_take(mc_span *fields, uint64_t *offset);
// Likewise the frames of a bucket, the innermost first.
bool mc_go_frames_take(mc_span *frames, mc_go_frame *frame);
