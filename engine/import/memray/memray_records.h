// memray_records.h - takes the records of memray's files apart, one by one.
//
// File formats 11 to 13 (memray 1.11 to 1.20), with all allocations or with their sums (run
// --aggregate); source: memray's record_writer.cpp, record_reader.cpp and records.h. Numbers are
// little-endian, LEB128, zigzag, or differences to the last number of their kind, which the codec
// keeps. Untrusted input: every number is checked against what is there. Pure CPU code. Threads:
// any.
#pragma once
#include "engine/base/base.h"
#include "engine/import/stacks/stack_sites.h"

enum { MC_MEMRAY_RECENT = 15 }; // addresses that a later record may name by their place

// Zero-initialise.
typedef struct mc_memray_codec {
    uint32_t version, python; // of the file format; of Python, as PY_VERSION_HEX, 0: not said
    bool has_native, is_aggregated;
    int64_t start_ms, end_ms; // since 1970; an end of 0: it was killed
    uint64_t main_thread, skipped_frames;
    // the last of their kind
    uint64_t frame, line, address, native, instruction;
    uint64_t recent[MC_MEMRAY_RECENT + 1]; // a ring, from `newest` on
    uint32_t newest;
} mc_memray_codec;

typedef enum mc_memray_kind {
    MC_MEMRAY_NOTHING, // of interest
    MC_MEMRAY_END,     // only zeros follow
    MC_MEMRAY_ALLOCATE,
    MC_MEMRAY_FREE,
    MC_MEMRAY_MAP, // a range of addresses
    MC_MEMRAY_UNMAP,
    MC_MEMRAY_CODE,    // `id`, function, file, line, and lines of instructions
    MC_MEMRAY_FRAME,   // the same before version 12, without those; is_entry
    MC_MEMRAY_PUSH,    // the frame `id`, in which `instruction` is carried out; is_entry
    MC_MEMRAY_POP,     // `count` frames
    MC_MEMRAY_THREAD,  // the records that follow are of thread `id`
    MC_MEMRAY_MEMORY,  // `size` bytes are resident, `time_ms` after the start
    MC_MEMRAY_NATIVE,  // the next native frame: at `address`, called by that of number `native`
    MC_MEMRAY_IMAGES,  // a list of the mapped files begins, which counts from now on
    MC_MEMRAY_IMAGE,   // one of them, `file`, is mapped at `address`
    MC_MEMRAY_SEGMENT, // of the last one: `size` bytes from `address` on, counted from its own
    // of sums alone
    MC_MEMRAY_LISTED, // a frame's number `count`: as MC_MEMRAY_FRAME or MC_MEMRAY_PUSH
    MC_MEMRAY_NODE,   // the next stack: the frame of number `id`, called by the stack `count`
    MC_MEMRAY_TOTAL   // see `totals`: of the stack `count`, of thread `id`
} mc_memray_kind;

typedef struct mc_memray_totals {
    uint64_t objects_at_peak, objects_at_end, bytes_at_peak, bytes_at_end;
} mc_memray_totals;

typedef struct mc_memray_record {
    mc_memray_kind kind;
    bool is_entry; // the interpreter was called anew for this frame
    uint64_t id, address, size, time_ms;
    uint64_t heap;       // of MC_MEMRAY_MEMORY of sums: bytes that are alive
    uint64_t native;     // of what allocates: the number of the native frame; 0: none
    uint64_t generation; // of MC_MEMRAY_TOTAL: of the list of mapped files, from 1 on; 0: none
    int64_t line, instruction;
    uint64_t count;
    mc_memray_totals totals;
    mc_span function, file, table; // of the data
} mc_memray_record;

// Whether data that begins like this is such a file, of any version.
bool mc_memray_detect(const unsigned char *data, size_t size);

typedef enum mc_memray_take {
    MC_MEMRAY_TAKEN,
    MC_MEMRAY_MORE, // it goes on behind the end of the data; nothing has changed
    MC_MEMRAY_BAD
} mc_memray_take;

// Takes the header at data[*at]. `expected` says what should have stood there if it is bad; then
// *at is where.
mc_memray_take mc_memray_take_header(mc_memray_codec *codec, const unsigned char *data, size_t size,
                                     size_t *at, const char **expected);
// The same of the record there, of which what belongs to its kind is filled.
mc_memray_take mc_memray_take_record(mc_memray_codec *codec, const unsigned char *data, size_t size,
                                     size_t *at, mc_memray_record *record, const char **expected);

// The line of an instruction, by the lines of a code object as that version of Python writes them;
// `first` where it can't be told.
int64_t mc_memray_find_line(uint32_t python, mc_span table, int64_t first, int64_t instruction);
