// mct_file.h - the tables and rows of an .mct file, each row with its checksum; for the trace
// module's own files only.
//
// Every table has an integer key, its fields in a fixed order, and last the checksum: the CRC-32 of
// the table's name and of all fields. So a row that was damaged, or that a damaged page shows in
// the wrong place, is never accepted. docs/reference/mct.md describes the tables. Untrusted input:
// the connection is as defensive as SQLite can be made. Threads: one object serves one thread at a
// time.
#pragma once
#include "engine/store/mct/mct.h"
#include <sqlite3.h>

#define MC_MCT_APPLICATION_ID 0x4d435459 // "MCTY"
#define MC_MCT_VERSION 2                 // of files that are made
#define MC_MCT_VERSION_FIRST 1           // the earliest one that is read, and gone on with

typedef enum mc_mct_table {
    MC_MCT_TRACE,
    MC_MCT_CLASSIFIER,
    MC_MCT_STRINGS,
    MC_MCT_NODES,
    MC_MCT_OWN,
    MC_MCT_STEP,
    MC_MCT_COLUMN,
    MC_MCT_REFERENCES,
    MC_MCT_MAXIMUM,
    MC_MCT_APPEARANCE,
    MC_MCT_RENAMES,
    MC_MCT_METRIC, // from version 2 on
    MC_MCT_FIELDS, // these two only where a step has some, in any version
    MC_MCT_ROOTS,
    MC_MCT_LIMIT, // likewise
    MC_MCT_PATHS, // these two, likewise
    MC_MCT_SUMS,
    MC_MCT_DAMAGE, // likewise
    MC_MCT_HELD,   // likewise
    MC_MCT_NOTE,   // likewise
    MC_MCT_LIVE,   // likewise
    MC_MCT_OWNERS, // these three, likewise
    MC_MCT_OWNER_SUMS,
    MC_MCT_OWNER_WAYS,
    MC_MCT_PROGRAM, // likewise
    MC_MCT_TABLE_COUNT
} mc_mct_table;

#define MC_MCT_FIELD_COUNT_MAX 12

// One field of a row; a row is an array of them, the key first. Which members hold says the table.
typedef struct mc_mct_field {
    int64_t number;
    const void *data; // of a blob or text; read: SQLite's, until the next call for this table
    size_t size;
} mc_mct_field;

// The fields of the tables, in the order of their columns. What version 1 lacks is read as 0, and
// not written to its files.
enum {
    MC_MCT_TRACE_KEY,
    MC_MCT_TRACE_FORM,
    MC_MCT_TRACE_STEPS,
    MC_MCT_TRACE_NODES,
    MC_MCT_TRACE_STRINGS,
    MC_MCT_TRACE_CLASSIFIERS,
    MC_MCT_TRACE_OWN,
    MC_MCT_TRACE_REORDERED,
    MC_MCT_TRACE_FINISHED,
    MC_MCT_TRACE_METRICS // from version 2 on
};
enum { MC_MCT_CLASSIFIER_KEY, MC_MCT_CLASSIFIER_NAME };
enum { MC_MCT_STRINGS_FIRST, MC_MCT_STRINGS_COUNT, MC_MCT_STRINGS_SIZES, MC_MCT_STRINGS_BYTES };
enum {
    MC_MCT_NODES_FIRST,
    MC_MCT_NODES_COUNT,
    MC_MCT_NODES_PARENTS,
    MC_MCT_NODES_KEYS,
    MC_MCT_NODES_NAMES,
    MC_MCT_NODES_ROLES
};
enum { MC_MCT_OWN_KEY, MC_MCT_OWN_COUNT, MC_MCT_OWN_NODES };
enum {
    MC_MCT_STEP_KEY,
    MC_MCT_STEP_TIME,
    MC_MCT_STEP_OBJECTS,
    MC_MCT_STEP_BYTES,
    MC_MCT_STEP_NODES,
    MC_MCT_STEP_LEAVES,
    MC_MCT_STEP_PAIRS,
    MC_MCT_STEP_KNOWN_NODES,
    MC_MCT_STEP_COLUMNS,
    MC_MCT_STEP_DIRECTIONS,
    MC_MCT_STEP_RENAMES,
    MC_MCT_STEP_REALS // from version 2 on
};
enum { MC_MCT_COLUMN_KEY, MC_MCT_COLUMN_BASE, MC_MCT_COLUMN_DATA };
enum {
    MC_MCT_REFERENCES_STEP,
    MC_MCT_REFERENCES_COUNT,
    MC_MCT_REFERENCES_FROM,
    MC_MCT_REFERENCES_TO,
    MC_MCT_REFERENCES_POINTS_TO,
    MC_MCT_REFERENCES_POINTED_FROM
};
enum { MC_MCT_MAXIMUM_KEY, MC_MCT_MAXIMUM_STEPS, MC_MCT_MAXIMUM_NODES, MC_MCT_MAXIMUM_DATA };

enum {
    MC_MCT_RENAMES_STEP,
    MC_MCT_RENAMES_COUNT,
    MC_MCT_RENAMES_NODES,
    MC_MCT_RENAMES_NAMES,
    MC_MCT_RENAMES_ROLES
};
enum {
    MC_MCT_FIELDS_STEP,
    MC_MCT_FIELDS_COUNT,
    MC_MCT_FIELDS_FROM,
    MC_MCT_FIELDS_TO,
    MC_MCT_FIELDS_NAMES,
    MC_MCT_FIELDS_WEAK,
    MC_MCT_FIELDS_COUNTS
};
enum {
    MC_MCT_ROOTS_STEP,
    MC_MCT_ROOTS_COUNT,
    MC_MCT_ROOTS_NODES,
    MC_MCT_ROOTS_KINDS,
    MC_MCT_ROOTS_NAMES,
    MC_MCT_ROOTS_COUNTS
};
enum { MC_MCT_LIMIT_STEP, MC_MCT_LIMIT_BYTES };
enum {
    MC_MCT_PATHS_FIRST,
    MC_MCT_PATHS_COUNT,
    MC_MCT_PATHS_PARENTS,
    MC_MCT_PATHS_FIELDS,
    MC_MCT_PATHS_CLASSES,
    MC_MCT_PATHS_PLACES
};
enum {
    MC_MCT_SUMS_STEP,
    MC_MCT_SUMS_COUNT,
    MC_MCT_SUMS_PATH_COUNT,
    MC_MCT_SUMS_NODES,
    MC_MCT_SUMS_PATHS,
    MC_MCT_SUMS_FOLDED,
    MC_MCT_SUMS_OBJECTS,
    MC_MCT_SUMS_BYTES,
    MC_MCT_SUMS_REST_OBJECTS,
    MC_MCT_SUMS_REST_BYTES
};
enum { MC_MCT_DAMAGE_STEP, MC_MCT_DAMAGE_REASON };
enum { MC_MCT_NOTE_STEP, MC_MCT_NOTE_TEXT };
enum { MC_MCT_LIVE_STEP, MC_MCT_LIVE_LIVE };
enum { MC_MCT_PROGRAM_STEP, MC_MCT_PROGRAM_PID, MC_MCT_PROGRAM_START, MC_MCT_PROGRAM_NAME };
enum { MC_MCT_HELD_STEP, MC_MCT_HELD_COUNT, MC_MCT_HELD_NODES };
enum {
    MC_MCT_OWNERS_FIRST,
    MC_MCT_OWNERS_COUNT,
    MC_MCT_OWNERS_PARENTS,
    MC_MCT_OWNERS_ROOTS,
    MC_MCT_OWNERS_FIELDS,
    MC_MCT_OWNERS_CLASSES,
    MC_MCT_OWNERS_PLACES
};
enum {
    MC_MCT_OWNER_SUMS_STEP,
    MC_MCT_OWNER_SUMS_COUNT,
    MC_MCT_OWNER_SUMS_OWNER_COUNT,
    MC_MCT_OWNER_SUMS_OWNERS,
    MC_MCT_OWNER_SUMS_EXAMPLES,
    MC_MCT_OWNER_SUMS_OBJECTS,
    MC_MCT_OWNER_SUMS_RETAINED_OBJECTS,
    MC_MCT_OWNER_SUMS_RETAINED_BYTES,
    MC_MCT_OWNER_SUMS_PROGRAM_OBJECTS
};
enum {
    MC_MCT_OWNER_WAYS_STEP,
    MC_MCT_OWNER_WAYS_COUNT,
    MC_MCT_OWNER_WAYS_OWNER_COUNT,
    MC_MCT_OWNER_WAYS_OWNERS,
    MC_MCT_OWNER_WAYS_FROM,
    MC_MCT_OWNER_WAYS_FIELDS,
    MC_MCT_OWNER_WAYS_REFERENCES
};
enum { MC_MCT_APPEARANCE_KEY, MC_MCT_APPEARANCE_COUNT, MC_MCT_APPEARANCE_RANKS };
enum {
    MC_MCT_METRIC_KEY,
    MC_MCT_METRIC_NAME,
    MC_MCT_METRIC_TITLE,
    MC_MCT_METRIC_UNIT,
    MC_MCT_METRIC_KIND,
    MC_MCT_METRIC_ADDITIVE,
    MC_MCT_METRIC_REAL,
    MC_MCT_METRIC_SAYS,
    MC_MCT_METRIC_LARGEST
};

// A step's columns in table step_column are told apart by their kind: one a metric, in blocks, so
// that one value can be had without all others; and the presence bits, in one block. In version 2 a
// metric's kind is its number; version 1 has four that may be there, and no others.
#define MC_MCT_KIND_COUNT 64 // at most
enum { MC_MCT_KIND_RETAINED_1 = 2, MC_MCT_KIND_CLOSURE_1 = 3, MC_MCT_KIND_PRESENT_1 = 4 };
enum { MC_MCT_KIND_PRESENT_2 = 63 };
_Static_assert(MC_METRIC_MOST <= MC_MCT_KIND_PRESENT_2, "a kind for each metric");
#define MC_MCT_BLOCK_COUNT 16384  // values in a block
#define MC_MCT_BLOCK_LIMIT 131072 // blocks in a column

static inline int mc_mct_get_present_kind(int version) {
    return version == 1 ? MC_MCT_KIND_PRESENT_1 : MC_MCT_KIND_PRESENT_2;
}

static inline int64_t mc_mct_column_key(int version, int64_t step, int kind, uint32_t block) {
    int64_t kinds = version == 1 ? 8 : MC_MCT_KIND_COUNT;
    return (step * kinds + kind) * MC_MCT_BLOCK_LIMIT + block;
}

// A metric's kind; -1: version 1 can't hold it.
int mc_mct_find_kind(int version, const mc_metric_info *info, mc_metric metric);

static inline uint32_t mc_mct_get_block_count(uint32_t count) {
    return count / MC_MCT_BLOCK_COUNT + (count % MC_MCT_BLOCK_COUNT != 0);
}

// How many of `count` values are in a block; 0 if it lies behind them.
static inline uint32_t mc_mct_get_block_length(uint32_t count, uint32_t block) {
    uint64_t begin = (uint64_t)block * MC_MCT_BLOCK_COUNT;
    if (begin >= count) return 0;
    return count - begin < MC_MCT_BLOCK_COUNT ? (uint32_t)(count - begin) : MC_MCT_BLOCK_COUNT;
}

typedef struct mc_mct_file {
    sqlite3 *db;
    sqlite3_stmt *get[MC_MCT_TABLE_COUNT], *put[MC_MCT_TABLE_COUNT], *find[MC_MCT_TABLE_COUNT];
    int version;
    bool is_created;    // with this object: all of its tables are this program's
    bool has_referrers; // the tables of fields and roots
    bool has_limits;    // that of the heap's limits
    bool has_paths;     // those of retaining paths
    bool has_damages;   // that of what steps lack
    bool has_held;      // that of what steps have from before
    bool has_notes;     // that of what was noted of steps
    bool has_owners;    // those of owners
    bool has_liveness;  // that of whether steps count what is alive
    bool has_programs;  // that of which programs were recorded
    char *path;         // in messages
    char *name;         // with all links resolved; NULL: it is in memory
    uint64_t size;      // in bytes, once reading has begun
} mc_mct_file;

// Creates an .mct file without steps; `path` must not exist, or be empty.
mc_result mc_mct_file_create(mc_mct_file *file, const char *path, mc_mct_sync sync,
                             mc_error *error);
// Opens an existing file for reading and writing, as defensively as for reading.
mc_result mc_mct_file_open_append(mc_mct_file *file, const char *path, mc_mct_sync sync,
                                  mc_error *error);
// Rolls back what a killed writer left, and locks out all other writers until the file is closed;
// nothing else can be done with it. MC_ERROR_BAD_DATA: it is no database, or damaged.
mc_result mc_mct_file_seize(mc_mct_file *file, const char *path, mc_error *error);
// Opens for reading. If the last writer was killed within a transaction, that transaction is rolled
// back first. MC_ERROR_BAD_DATA: no .mct file, or of an unsupported version.
mc_result mc_mct_file_open(mc_mct_file *file, const char *path, mc_error *error);
// Begins a transaction, which does not see steps that are committed meanwhile, and notes the file's
// size. No row can be longer than that.
mc_result mc_mct_file_begin_reading(mc_mct_file *file, mc_error *error);
// Like mc_mct_file_open(), for a file in memory, which must stay there until the file is closed.
mc_result mc_mct_file_open_memory(mc_mct_file *file, const void *data, size_t size,
                                  mc_error *error);
void mc_mct_file_close(mc_mct_file *file); // safe on a zeroed one

mc_result mc_mct_file_run(mc_mct_file *file, const char *sql, mc_error *error);

// Notes the file's size within the open transaction.
mc_result mc_mct_file_measure(mc_mct_file *file, mc_error *error);

// Bounds what a count read from a file may allocate: no valid file has more entries per byte than
// this.
#define MC_MCT_ENTRIES_PER_BYTE 256
static inline bool mc_mct_file_is_count(const mc_mct_file *file, int64_t number) {
    return number >= 0 && number < MC_NONE / 4 &&
           (uint64_t)number / MC_MCT_ENTRIES_PER_BYTE <= file->size;
}

// Create the optional tables, if they do not exist yet: here those of fields and roots. Within a
// transaction.
mc_result mc_mct_file_add_referrers(mc_mct_file *file, mc_error *error);
mc_result mc_mct_file_add_limits(mc_mct_file *file, mc_error *error);   // that of the heap's limits
mc_result mc_mct_file_add_paths(mc_mct_file *file, mc_error *error);    // those of retaining paths
mc_result mc_mct_file_add_owners(mc_mct_file *file, mc_error *error);   // those of owners
mc_result mc_mct_file_add_liveness(mc_mct_file *file, mc_error *error); // that of steps' liveness
mc_result mc_mct_file_add_damages(mc_mct_file *file, mc_error *error);  // that of what steps lack
mc_result mc_mct_file_add_notes(mc_mct_file *file, mc_error *error);    // that of notes
mc_result mc_mct_file_add_programs(mc_mct_file *file, mc_error *error);
mc_result mc_mct_file_add_held(mc_mct_file *file, mc_error *error); // of what they have from before

// Writes a row, replacing one with the same key.
mc_result mc_mct_file_put(mc_mct_file *file, mc_mct_table table, const mc_mct_field *row,
                          mc_error *error);
// Writes the row of a metric.
mc_result mc_mct_file_put_metric(mc_mct_file *file, mc_metric metric, const mc_metric_info *info,
                                 int64_t largest, mc_error *error);
// Reads the row with this key. A row that is missing or damaged is MC_ERROR_BAD_DATA; the message
// names table and key.
mc_result mc_mct_file_get(mc_mct_file *file, mc_mct_table table, int64_t key, mc_mct_field *row,
                          mc_error *error);
// Whether the table has a row with this key, damaged or not.
// The largest key of a table; 0: it has no rows.
mc_result mc_mct_file_find_last(mc_mct_file *file, mc_mct_table table, int64_t *key,
                                mc_error *error);
mc_result mc_mct_file_has_row(mc_mct_file *file, mc_mct_table table, int64_t key, bool *has_row,
                              mc_error *error);
// Whether the table has any row.
mc_result mc_mct_file_has_rows(mc_mct_file *file, mc_mct_table table, bool *has_rows,
                               mc_error *error);
// A fingerprint of what the file says of its nodes (strings, classifiers, nodes, their order and
// own shares), to tell whether that is the same at another time or in another file. It is computed
// from the checksums of these rows; the rows are not read otherwise. 0: not known.
uint64_t mc_mct_file_get_fingerprint(mc_mct_file *file);

// Releases the data that a row read from the table points to.
void mc_mct_file_release(mc_mct_file *file, mc_mct_table table);

// ---- what is wrong with a file (mct_file_fail.c)

// Turns SQLite's error into an mc_error.
mc_result mc_mct_file_fail(const mc_mct_file *file, int code, mc_error *error);
// "shop.mct: can't write: no space is left".
mc_result mc_mct_file_fail_io(const mc_mct_file *file, const char *doing, const char *cause,
                              mc_error *error);
mc_result mc_mct_file_fail_foreign(const mc_mct_file *file, uint32_t application, mc_error *error);
// What can be told before SQLite does anything with a file: that it is somebody else's, whose
// journal is none of our business, or one in which pages go to a log first.
mc_result mc_mct_file_check_header(const mc_mct_file *file, mc_error *error);
