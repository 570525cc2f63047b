#include "engine/store/mct/mct_file.h"

#include "engine/base/file_target.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct_schema.h"
#include "engine/store/mct/mct_sidecar.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libdeflate.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define BUSY_TIMEOUT_MS 10000
#define BLOB_SIZE_MAX 1000000000 // SQLite's own default
#define LENGTH_MIN (1 << 20)     // of a row, that a file may have whatever its size
#define PAGE_SIZE 4096
#define LOCK_TICK_MS 20

enum {
    REFERRERS = 1,
    LIMITS,
    PATHS,
    DAMAGES,
    HELD,
    NOTES,
    OWNERS,
    LIVENESS,
    PROGRAMS
}; // what only some files have

// Kinds of the fields: i(nteger), b(lob), t(ext).
static const struct {
    const char *name, *key, *kinds;
    const char *columns; // without the key
    const char *more;    // a number that version 1 does not have
    int version;         // the first one that has the table; 0: all
    int part;            // of files that have it; 0: of all
} tables[MC_MCT_TABLE_COUNT] = {
    {"trace", "id", "iiiiiiiiii",
     "form, step_count, node_count, string_count, classifier_count, own_count, reordered, "
     "finished",
     "metric_count", 0, 0},
    {"classifier", "id", "it", "name", NULL, 0, 0},
    {"strings", "first", "iibb", "count, sizes, bytes", NULL, 0, 0},
    {"nodes", "first", "iibbbb", "count, parents, keys, names, roles", NULL, 0, 0},
    {"own", "id", "iib", "count, nodes", NULL, 0, 0},
    {"step", "id", "iiiiiiiiiiii",
     "time_ms, objects, bytes, node_count, leaf_count, pair_count, known_node_count, columns, "
     "directions, rename_count",
     "reals", 0, 0},
    {"step_column", "id", "iib", "base, data", NULL, 0, 0},
    {"step_references", "step", "iibbbb", "count, from_nodes, to_nodes, points_to, pointed_from",
     NULL, 0, 0},
    {"maximum", "kind", "iiib", "step_count, node_count, data", NULL, 0, 0},
    {"appearance", "id", "iib", "count, ranks", NULL, 0, 0},
    {"step_renames", "step", "iibbb", "count, nodes, names, roles", NULL, 0, 0},
    {"metric", "id", "ittttiiii", "name, title, unit, kind, additive, real, says, largest", NULL, 2,
     0},
    {"step_fields", "step", "iibbbbb", "count, from_nodes, to_nodes, names, weak, counts", NULL, 0,
     REFERRERS},
    {"step_roots", "step", "iibbbb", "count, nodes, kinds, names, counts", NULL, 0, REFERRERS},
    {"step_limit", "step", "ii", "heap_limit", NULL, 0, LIMITS},
    {"paths", "first", "iibbbb", "count, parents, fields, classes, places", NULL, 0, PATHS},
    {"step_paths", "step", "iiibbbbbbb",
     "count, path_count, nodes, paths, folded, objects, bytes, rest_objects, rest_bytes", NULL, 0,
     PATHS},
    {"step_incomplete", "step", "it", "reason", NULL, 0, DAMAGES},
    {"step_held", "step", "iib", "count, nodes", NULL, 0, HELD},
    {"step_note", "step", "it", "note", NULL, 0, NOTES},
    {"step_live", "step", "ii", "live", NULL, 0, LIVENESS},
    {"owners", "first", "iibbbbb", "count, parents, roots, fields, classes, places", NULL, 0,
     OWNERS},
    {"step_owners", "step", "iiibbbbbb",
     "count, owner_count, owners, examples, objects, retained_objects, retained_bytes, "
     "program_objects",
     NULL, 0, OWNERS},
    {"step_owner_ways", "step", "iiibbbb",
     "count, owner_count, owners, from_owners, fields, counts", NULL, 0, OWNERS},
    {"step_program", "step", "iiit", "pid, start_ms, name", NULL, 0, PROGRAMS},
};

// How many fields a row has, with the key, without the checksum.
static int get_field_count(const mc_mct_file *file, mc_mct_table table) {
    return (int)strlen(tables[table].kinds) - (tables[table].more && file->version == 1);
}

// The names of all columns, the key first.
static void append_columns(const mc_mct_file *file, mc_mct_table table, char *sql, size_t size) {
    size_t at = strlen(sql);
    bool has_more = tables[table].more && file->version > 1;
    snprintf(sql + at, size - at, "%s, %s%s%s, checksum", tables[table].key, tables[table].columns,
             has_more ? ", " : "", has_more ? tables[table].more : "");
}

int mc_mct_find_kind(int version, const mc_metric_info *info, mc_metric metric) {
    if (version > 1 || metric < MC_METRIC_FIRST_OWN) return (int)metric;
    if (strcmp(info->key, mc_metric_retained) == 0) return MC_MCT_KIND_RETAINED_1;
    return strcmp(info->key, mc_metric_closure) == 0 ? MC_MCT_KIND_CLOSURE_1 : -1;
}

static mc_result run(sqlite3 *db, const char *sql) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? MC_OK : MC_ERROR_IO;
}

mc_result mc_mct_file_run(mc_mct_file *file, const char *sql, mc_error *error) {
    return run(file->db, sql) == MC_OK
               ? MC_OK
               : mc_mct_file_fail(file, sqlite3_extended_errcode(file->db), error);
}

void mc_mct_file_close(mc_mct_file *file) {
    for (int table = 0; table < MC_MCT_TABLE_COUNT; table++) {
        sqlite3_finalize(file->get[table]);
        sqlite3_finalize(file->put[table]);
        sqlite3_finalize(file->find[table]);
    }
    sqlite3_close(file->db);
    mc_free(file->path);
    mc_free(file->name);
    memset(file, 0, sizeof *file);
}

static mc_result set_path(mc_mct_file *file, const char *path, mc_error *error) {
    memset(file, 0, sizeof *file);
    file->path = mc_copy_string(path);
    return file->path ? MC_OK : mc_error_out_of_memory(error);
}

// Of a file that is there.
static mc_result set_existing_path(mc_mct_file *file, const char *path, mc_error *error) {
    mc_result result = set_path(file, path, error);
    if (result != MC_OK) return result;
    char *name = realpath(path, NULL);
    if (!name) {
        mc_mct_file_fail_io(file, "open it", strerror(errno), error);
        mc_mct_file_close(file);
        return MC_ERROR_IO;
    }
    file->name = mc_copy_string(name);
    free(name);
    result = file->name ? mc_mct_sidecar_check(file->name, error) : mc_error_out_of_memory(error);
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

// By an absolute path: others may be one of the names that SQLite has for something else.
static int open_db(mc_mct_file *file, int flags) {
    const char *vfs = mc_mct_sidecar_get_vfs();
    sqlite3_close(file->db);
    file->db = NULL;
    if (!vfs) return SQLITE_NOMEM;
    flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    int code = file->name ? sqlite3_open_v2(file->name, &file->db, flags, vfs)
                          : sqlite3_open_v2(":memory:", &file->db, flags, NULL);
    if (code == SQLITE_OK) sqlite3_busy_timeout(file->db, BUSY_TIMEOUT_MS);
    return code;
}

// ---- defence: what is in a file is data, never something to be run

static int defend(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, BLOB_SIZE_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 100000);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 100);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 20);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 3);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 25000);
    sqlite3_limit(db, SQLITE_LIMIT_FUNCTION_ARG, 8);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10);
    sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, 16);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    // Point look-ups take a few dozen operations; who needs more runs what a file has made up.
    return sqlite3_exec(
        db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON;", NULL,
        NULL, NULL);
}

static int read_number(sqlite3 *db, const char *sql, int64_t *number) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code == SQLITE_DONE ? SQLITE_CORRUPT : code;
}

// A table of that name could also be a view or a virtual table, and one without a key of its own
// would be read as a whole for each row that is looked up.
static const char find_table[] =
    "SELECT (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND "
    "rootpage > 1), (SELECT count(*) = 1 AND max(name) = ?2 FROM pragma_table_info(?1) WHERE "
    "pk > 0)";

static mc_result check_table(const mc_mct_file *file, sqlite3_stmt *statement, mc_mct_table table,
                             mc_error *error) {
    const char *name = tables[table].name, *key = tables[table].key;
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, key, -1, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    int count = sqlite3_column_int(statement, 0), has_key = sqlite3_column_int(statement, 1);
    sqlite3_reset(statement);
    if (code != SQLITE_ROW) return mc_mct_file_fail(file, code, error);
    if (count != 1)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: the table \"%s\" is missing: the file is damaged, or no .mct "
                       "file; nothing in it can be read",
                       file->path, name);
    if (!has_key)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: the primary key of the table \"%s\" is not \"%s\" alone: the file "
                       "is damaged, or no .mct file; nothing in it can be read",
                       file->path, name, key);
    return MC_OK;
}

// Tables of one part come together: one alone is what damage has left.
static mc_result find_parts(mc_mct_file *file, mc_error *error) {
    const struct {
        const char *sql;
        bool *is_there;
    } parts[] = {
        {"SELECT count(*) FROM sqlite_schema WHERE name IN ('step_fields', 'step_roots')",
         &file->has_referrers},
        {"SELECT count(*) FROM sqlite_schema WHERE name = 'step_limit'", &file->has_limits},
        {"SELECT count(*) FROM sqlite_schema WHERE name IN ('paths', 'step_paths')",
         &file->has_paths},
        {"SELECT count(*) FROM sqlite_schema WHERE name = 'step_incomplete'", &file->has_damages},
        {"SELECT count(*) FROM sqlite_schema WHERE name = 'step_held'", &file->has_held},
        {"SELECT count(*) FROM sqlite_schema WHERE name = 'step_note'", &file->has_notes},
        {"SELECT count(*) FROM sqlite_schema WHERE name = 'step_live'", &file->has_liveness},
        {"SELECT count(*) FROM sqlite_schema WHERE name = 'step_program'", &file->has_programs},
        {"SELECT count(*) FROM sqlite_schema WHERE name IN ('owners', 'step_owners', "
         "'step_owner_ways')",
         &file->has_owners}};
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && code == SQLITE_OK; i++) {
        int64_t count = 0;
        code = read_number(file->db, parts[i].sql, &count);
        *parts[i].is_there = count > 0;
    }
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(file, code, error);
}

static bool has_part(const mc_mct_file *file, int part) {
    switch (part) {
    case REFERRERS: return file->has_referrers;
    case LIMITS: return file->has_limits;
    case PATHS: return file->has_paths;
    case DAMAGES: return file->has_damages;
    case HELD: return file->has_held;
    case NOTES: return file->has_notes;
    case PROGRAMS: return file->has_programs;
    case OWNERS: return file->has_owners;
    case LIVENESS: return file->has_liveness;
    default: return true;
    }
}

static mc_result check_tables(mc_mct_file *file, mc_error *error) {
    sqlite3_stmt *statement = NULL;
    mc_result result = find_parts(file, error);
    if (result != MC_OK) return result;
    int code = sqlite3_prepare_v2(file->db, find_table, -1, &statement, NULL);
    if (code != SQLITE_OK) result = mc_mct_file_fail(file, code, error);
    for (int table = 0; table < MC_MCT_TABLE_COUNT && result == MC_OK; table++)
        if (file->version >= tables[table].version && has_part(file, tables[table].part))
            result = check_table(file, statement, (mc_mct_table)table, error);
    sqlite3_finalize(statement);
    return result;
}

static mc_result check_kind(mc_mct_file *file, mc_error *error) {
    int64_t application = 0, version = 0;
    int code = read_number(file->db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK) code = read_number(file->db, "PRAGMA user_version", &version);
    if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    if (application != MC_MCT_APPLICATION_ID)
        return mc_mct_file_fail_foreign(file, (uint32_t)application, error);
    if (version < MC_MCT_VERSION_FIRST || version > MC_MCT_VERSION)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: an .mct file of version %" PRId64
                       "; this program reads versions %d to %d",
                       file->path, version, MC_MCT_VERSION_FIRST, MC_MCT_VERSION);
    file->version = (int)version;
    return check_tables(file, error);
}

// ---- opening

static mc_result add_part(mc_mct_file *file, const char *const *schema, bool *has_part_now,
                          mc_error *error) {
    mc_result result = MC_OK;
    for (int i = 0; schema[i] && !*has_part_now && result == MC_OK; i++)
        result = mc_mct_file_run(file, schema[i], error);
    *has_part_now = result == MC_OK;
    return result;
}

mc_result mc_mct_file_add_referrers(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_referrers_schema, &file->has_referrers, error);
}

mc_result mc_mct_file_add_limits(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_limits_schema, &file->has_limits, error);
}

mc_result mc_mct_file_add_paths(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_paths_schema, &file->has_paths, error);
}

mc_result mc_mct_file_add_owners(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_owners_schema, &file->has_owners, error);
}

mc_result mc_mct_file_add_liveness(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_liveness_schema, &file->has_liveness, error);
}

mc_result mc_mct_file_add_damages(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_damages_schema, &file->has_damages, error);
}

mc_result mc_mct_file_add_notes(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_notes_schema, &file->has_notes, error);
}

mc_result mc_mct_file_add_programs(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_programs_schema, &file->has_programs, error);
}

mc_result mc_mct_file_add_held(mc_mct_file *file, mc_error *error) {
    return add_part(file, mc_mct_held_schema, &file->has_held, error);
}

mc_result mc_mct_file_create(mc_mct_file *file, const char *path, mc_mct_sync sync,
                             mc_error *error) {
    mc_result result = set_path(file, path, error);
    if (result == MC_OK) result = mc_file_resolve(path, &file->name, error);
    if (result == MC_OK) result = mc_mct_sidecar_check(file->name, error);
    if (result != MC_OK) {
        mc_mct_file_close(file);
        return result;
    }
    char sql[256];
    int code = open_db(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (code != SQLITE_OK) goto fail;
    // A rollback journal, not a write-ahead log: whenever no step is being written, the trace is
    // this one file, which can be copied, mailed and put on a read-only medium. All that makes it
    // an .mct file comes at once. EXTRA: a commit is on disk with the end of its journal, which
    // would take it back.
    snprintf(sql, sizeof sql,
             "PRAGMA page_size = %d; PRAGMA encoding = 'UTF-8'; PRAGMA journal_mode = %s; "
             "PRAGMA synchronous = %s; BEGIN; PRAGMA application_id = %d; PRAGMA user_version = %d",
             PAGE_SIZE, sync == MC_MCT_SYNC_NEVER ? "MEMORY" : "DELETE",
             sync == MC_MCT_SYNC_NEVER ? "OFF" : "EXTRA", MC_MCT_APPLICATION_ID, MC_MCT_VERSION);
    file->version = MC_MCT_VERSION;
    file->is_created = true;
    result = run(file->db, sql);
    for (int i = 0; mc_mct_schema[i] && result == MC_OK; i++)
        result = run(file->db, mc_mct_schema[i]);
    if (result == MC_OK) result = run(file->db, "COMMIT");
    if (result == MC_OK && sync != MC_MCT_SYNC_STEPS)
        result = run(file->db, "PRAGMA synchronous = OFF");
    if (result == MC_OK) return MC_OK;
    code = sqlite3_extended_errcode(file->db);
fail:
    result = mc_mct_file_fail(file, code, error);
    mc_mct_file_close(file);
    return result;
}

static mc_result open_existing(mc_mct_file *file, const char *path, int flags, mc_error *error) {
    mc_result result = set_existing_path(file, path, error);
    if (result != MC_OK) return result;
    int code = open_db(file, flags);
    result = code == SQLITE_OK ? mc_mct_file_check_header(file, error)
                               : mc_mct_file_fail(file, code, error);
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

// What is left of an opening once SQLite has the file.
static mc_result check_opened(mc_mct_file *file, int code, mc_error *error) {
    mc_result result =
        code == SQLITE_OK ? check_kind(file, error) : mc_mct_file_fail(file, code, error);
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

// The first look at a file: what a killed writer left is taken back.
static int look(mc_mct_file *file) {
    int64_t version;
    int code = defend(file->db);
    return code == SQLITE_OK ? read_number(file->db, "PRAGMA schema_version", &version) : code;
}

// The file's lock, so that the journal which is taken back is of the file that is open. Its writers
// hold it as long as they write. Where there are no locks, one goes on without.
static int lock_for_recovery(const mc_mct_file *file, int *lock) {
    for (int waited_ms = 0; waited_ms < BUSY_TIMEOUT_MS; waited_ms += LOCK_TICK_MS) {
        *lock = open(file->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (*lock < 0) return SQLITE_OK; // SQLite says what is wrong
        bool is_locked = flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (is_locked && mc_file_is_at(*lock, file->name)) return SQLITE_OK;
        close(*lock);
        *lock = -1;
        poll(NULL, 0, LOCK_TICK_MS);
    }
    return SQLITE_BUSY;
}

// A hot journal can only be rolled back by who may write.
static int recover(mc_mct_file *file) {
    int lock, code = lock_for_recovery(file, &lock);
    if (code == SQLITE_OK) code = open_db(file, SQLITE_OPEN_READWRITE);
    if (code == SQLITE_OK) code = look(file);
    if (code == SQLITE_OK) code = open_db(file, SQLITE_OPEN_READONLY);
    if (lock >= 0) close(lock);
    return code == SQLITE_OK ? look(file) : code;
}

mc_result mc_mct_file_open(mc_mct_file *file, const char *path, mc_error *error) {
    mc_result result = open_existing(file, path, SQLITE_OPEN_READONLY, error);
    if (result != MC_OK) return result;
    int code = look(file);
    if ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN) code = recover(file);
    return check_opened(file, code, error);
}

mc_result mc_mct_file_measure(mc_mct_file *file, mc_error *error) {
    int64_t page_count = 0, page_size = 0;
    int code = read_number(file->db, "PRAGMA page_count", &page_count);
    if (code == SQLITE_OK) code = read_number(file->db, "PRAGMA page_size", &page_size);
    if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    file->size = (uint64_t)page_count * (uint64_t)page_size;
    return MC_OK;
}

mc_result mc_mct_file_begin_reading(mc_mct_file *file, mc_error *error) {
    mc_result result = mc_mct_file_run(file, "BEGIN", error);
    if (result == MC_OK) result = mc_mct_file_measure(file, error);
    if (result != MC_OK) return result;
    if (file->size < BLOB_SIZE_MAX)
        sqlite3_limit(file->db, SQLITE_LIMIT_LENGTH,
                      file->size > LENGTH_MIN ? (int)file->size : LENGTH_MIN);
    return MC_OK;
}

mc_result mc_mct_file_open_append(mc_mct_file *file, const char *path, mc_mct_sync sync,
                                  mc_error *error) {
    mc_result result = open_existing(file, path, SQLITE_OPEN_READWRITE, error);
    if (result == MC_OK) result = check_opened(file, look(file), error);
    if (result == MC_OK)
        result = mc_mct_file_run(file,
                                 sync == MC_MCT_SYNC_STEPS
                                     ? "PRAGMA query_only = OFF; PRAGMA synchronous = EXTRA"
                                     : "PRAGMA query_only = OFF; PRAGMA synchronous = OFF",
                                 error);
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

mc_result mc_mct_file_seize(mc_mct_file *file, const char *path, mc_error *error) {
    mc_result result = open_existing(file, path, SQLITE_OPEN_READWRITE, error);
    if (result != MC_OK) return result;
    int code = sqlite3_exec(file->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) return MC_OK;
    result = mc_mct_file_fail(file, code, error);
    mc_mct_file_close(file);
    return result;
}

mc_result mc_mct_file_open_memory(mc_mct_file *file, const void *data, size_t size,
                                  mc_error *error) {
    mc_result result = set_path(file, "memory", error);
    if (result != MC_OK) return result;
    int code = open_db(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY);
    if (code == SQLITE_OK)
        code = sqlite3_deserialize(file->db, "main", (unsigned char *)data, (sqlite3_int64)size,
                                   (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY);
    if (code == SQLITE_OK) code = look(file);
    return check_opened(file, code, error);
}

// ---- rows

static uint32_t add_number(uint32_t checksum, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    return libdeflate_crc32(checksum, bytes, sizeof bytes);
}

static uint32_t compute_checksum(const mc_mct_file *file, mc_mct_table table,
                                 const mc_mct_field *row) {
    const char *name = tables[table].name, *kinds = tables[table].kinds;
    uint32_t checksum = libdeflate_crc32(0, name, strlen(name));
    for (int i = 0, count = get_field_count(file, table); i < count; i++) {
        if (kinds[i] == 'i') {
            checksum = add_number(checksum, (uint64_t)row[i].number);
            continue;
        }
        checksum = add_number(checksum, row[i].size);
        if (row[i].size > 0) checksum = libdeflate_crc32(checksum, row[i].data, row[i].size);
    }
    return checksum;
}

static int prepare_put(mc_mct_file *file, mc_mct_table table) {
    static const char marks[] = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ";
    _Static_assert(sizeof marks >= 3 * MC_MCT_FIELD_COUNT_MAX, "a mark for every field");
    char sql[512];
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s(", tables[table].name);
    append_columns(file, table, sql, sizeof sql);
    size_t at = strlen(sql);
    snprintf(sql + at, sizeof sql - at, ") VALUES(%.*s?)", 3 * get_field_count(file, table), marks);
    return sqlite3_prepare_v3(file->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &file->put[table],
                              NULL);
}

mc_result mc_mct_file_put(mc_mct_file *file, mc_mct_table table, const mc_mct_field *row,
                          mc_error *error) {
    if (!file->put[table]) {
        int code = prepare_put(file, table);
        if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    }
    sqlite3_stmt *statement = file->put[table];
    const char *kinds = tables[table].kinds;
    int code = SQLITE_OK, count = get_field_count(file, table);
    for (int i = 0; i < count && code == SQLITE_OK; i++) {
        const void *data = row[i].size > 0 ? row[i].data : "";
        if (kinds[i] == 'i')
            code = sqlite3_bind_int64(statement, i + 1, row[i].number);
        else if (kinds[i] == 'b')
            code = sqlite3_bind_blob64(statement, i + 1, data, row[i].size, SQLITE_STATIC);
        else
            code = sqlite3_bind_text64(statement, i + 1, data, row[i].size, SQLITE_STATIC,
                                       SQLITE_UTF8);
    }
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(statement, count + 1, compute_checksum(file, table, row));
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(file, code, error);
}

mc_result mc_mct_file_put_metric(mc_mct_file *file, mc_metric metric, const mc_metric_info *info,
                                 int64_t largest, mc_error *error) {
    const char *unit = mc_unit_names[info->unit], *kind = mc_metric_kind_names[info->kind];
    const mc_mct_field row[] = {{.number = metric},
                                {.data = info->key, .size = info->key_size},
                                {.data = info->title, .size = info->title_size},
                                {.data = unit, .size = strlen(unit)},
                                {.data = kind, .size = strlen(kind)},
                                {.number = info->is_additive},
                                {.number = info->is_real},
                                {.number = info->says},
                                {.number = largest}};
    return mc_mct_file_put(file, MC_MCT_METRIC, row, error);
}

static int prepare_get(mc_mct_file *file, mc_mct_table table) {
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT ");
    append_columns(file, table, sql, sizeof sql);
    size_t at = strlen(sql);
    snprintf(sql + at, sizeof sql - at, " FROM %s WHERE %s = ?", tables[table].name,
             tables[table].key);
    return sqlite3_prepare_v3(file->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &file->get[table],
                              NULL);
}

// False if a field has another type than the table's.
static bool take_fields(sqlite3_stmt *statement, const char *kinds, int count, mc_mct_field *row) {
    for (int i = 0; kinds[i]; i++) {
        row[i] = (mc_mct_field){0};
        if (i >= count) return true;
        int type = sqlite3_column_type(statement, i);
        if (kinds[i] == 'i') {
            if (type != SQLITE_INTEGER) return false;
            row[i].number = sqlite3_column_int64(statement, i);
            continue;
        }
        if (type != (kinds[i] == 'b' ? SQLITE_BLOB : SQLITE_TEXT)) return false;
        row[i].data = sqlite3_column_blob(statement, i);
        row[i].size = (size_t)sqlite3_column_bytes(statement, i);
        if (!row[i].data && row[i].size > 0) return false;
    }
    return true;
}

static mc_result damaged(const mc_mct_file *file, mc_mct_table table, int64_t key, const char *how,
                         mc_error *error) {
    return mc_fail(error, MC_ERROR_BAD_DATA, "%s: damaged: row %" PRId64 " of table %s %s",
                   file->path, key, tables[table].name, how);
}

// Of one table's keys and checksums; false: they can't be read.
static bool add_fingerprint(mc_mct_file *file, mc_mct_table table, uint64_t *fingerprint) {
    char sql[128];
    sqlite3_stmt *statement = NULL;
    snprintf(sql, sizeof sql, "SELECT %s, checksum FROM %s ORDER BY 1", tables[table].key,
             tables[table].name);
    if (sqlite3_prepare_v2(file->db, sql, -1, &statement, NULL) != SQLITE_OK) return false;
    int code;
    uint64_t words[3] = {(uint64_t)table};
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < 2; i++)
            words[1 + i] = (uint64_t)sqlite3_column_int64(statement, i);
        *fingerprint = mc_hash_bytes(words, sizeof words, *fingerprint);
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

uint64_t mc_mct_file_get_fingerprint(mc_mct_file *file) {
    static const mc_mct_table said[] = {MC_MCT_STRINGS, MC_MCT_CLASSIFIER, MC_MCT_NODES, MC_MCT_OWN,
                                        MC_MCT_APPEARANCE};
    uint64_t fingerprint = 1;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!add_fingerprint(file, said[i], &fingerprint)) return 0;
    return fingerprint;
}

mc_result mc_mct_file_get(mc_mct_file *file, mc_mct_table table, int64_t key, mc_mct_field *row,
                          mc_error *error) {
    if (!file->get[table]) {
        int code = prepare_get(file, table);
        if ((code & 0xff) == SQLITE_ERROR)
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "%s: damaged: the table %s has other columns than it should", file->path,
                           tables[table].name);
        if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    }
    sqlite3_stmt *statement = file->get[table];
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, key);
    int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return damaged(file, table, key, "is missing", error);
    if (code == SQLITE_CORRUPT || (code & 0xff) == SQLITE_CORRUPT)
        return damaged(file, table, key, "is on a damaged page", error);
    if (code != SQLITE_ROW) return mc_mct_file_fail(file, code, error);
    const char *kinds = tables[table].kinds;
    int last = get_field_count(file, table);
    bool is_right = take_fields(statement, kinds, last, row);
    int failure = sqlite3_extended_errcode(file->db);
    if (!is_right && (failure == SQLITE_NOMEM || failure == SQLITE_IOERR_NOMEM))
        return mc_error_out_of_memory(error);
    is_right = is_right && row[0].number == key &&
               sqlite3_column_type(statement, last) == SQLITE_INTEGER &&
               sqlite3_column_int64(statement, last) == compute_checksum(file, table, row);
    return is_right ? MC_OK : damaged(file, table, key, "has a wrong checksum", error);
}

mc_result mc_mct_file_has_row(mc_mct_file *file, mc_mct_table table, int64_t key, bool *has_row,
                              mc_error *error) {
    char sql[128];
    int code = SQLITE_OK;
    if (!file->find[table]) {
        snprintf(sql, sizeof sql, "SELECT 1 FROM %s WHERE %s = ?", tables[table].name,
                 tables[table].key);
        code = sqlite3_prepare_v3(file->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &file->find[table],
                                  NULL);
        if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    }
    sqlite3_bind_int64(file->find[table], 1, key);
    code = sqlite3_step(file->find[table]);
    sqlite3_reset(file->find[table]);
    *has_row = code == SQLITE_ROW;
    return *has_row || code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(file, code, error);
}

mc_result mc_mct_file_has_rows(mc_mct_file *file, mc_mct_table table, bool *has_rows,
                               mc_error *error) {
    char sql[128];
    int64_t found = 0;
    snprintf(sql, sizeof sql, "SELECT EXISTS(SELECT 1 FROM %s LIMIT 1)", tables[table].name);
    int code = read_number(file->db, sql, &found);
    *has_rows = found != 0;
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(file, code, error);
}

mc_result mc_mct_file_find_last(mc_mct_file *file, mc_mct_table table, int64_t *key,
                                mc_error *error) {
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT coalesce(max(%s), 0) FROM %s", tables[table].key,
             tables[table].name);
    int code = read_number(file->db, sql, key);
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(file, code, error);
}

void mc_mct_file_release(mc_mct_file *file, mc_mct_table table) {
    if (file->get[table]) sqlite3_reset(file->get[table]);
}
