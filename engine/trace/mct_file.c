#include "engine/trace/mct_file.h"

#include "engine/base/memory.h"
#include "engine/trace/mct_schema.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#define BUSY_TIMEOUT_MS 10000
#define BLOB_SIZE_MAX 1000000000 // SQLite's own default
#define PAGE_SIZE 4096

// Kinds of the fields: i(nteger), b(lob), t(ext).
static const struct {
    const char *name, *key, *kinds;
    const char *columns; // without the key, with the checksum
} tables[MC_MCT_TABLE_COUNT] = {
    {"trace", "id", "iiiiiiiii",
     "form, step_count, node_count, string_count, classifier_count, own_count, reordered, "
     "finished, checksum"},
    {"classifier", "id", "it", "name, checksum"},
    {"strings", "first", "iibb", "count, sizes, bytes, checksum"},
    {"nodes", "first", "iibbbb", "count, parents, keys, names, roles, checksum"},
    {"own", "id", "iib", "count, nodes, checksum"},
    {"step", "id", "iiiiiiiiiii",
     "time_ms, objects, bytes, node_count, leaf_count, pair_count, known_node_count, columns, "
     "directions, rename_count, checksum"},
    {"step_column", "id", "iib", "base, data, checksum"},
    {"step_references", "step", "iibbbb",
     "count, from_nodes, to_nodes, points_to, pointed_from, checksum"},
    {"maximum", "kind", "iiib", "step_count, node_count, data, checksum"},
    {"appearance", "id", "iib", "count, ranks, checksum"},
    {"step_renames", "step", "iibbb", "count, nodes, names, roles, checksum"},
};

static mc_result run(sqlite3 *db, const char *sql) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? MC_OK : MC_ERROR_IO;
}

mc_result mc_mct_file_fail(const mc_mct_file *file, int code, mc_error *error) {
    switch (code & 0xff) {
    case SQLITE_NOMEM: return mc_error_out_of_memory(error);
    case SQLITE_NOTADB:
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "%s: not an .mct file, or its beginning is damaged: nothing in it can "
                            "be read",
                            file->path);
    case SQLITE_CORRUPT:
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "%s: the file is damaged: a page of the database is not what it "
                            "should be",
                            file->path);
    case SQLITE_FULL:
        return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET,
                            "%s: can't write: no space is left", file->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET,
                            "%s: another program keeps the file locked", file->path);
    default:
        return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "%s: %s", file->path,
                            file->db ? sqlite3_errmsg(file->db) : sqlite3_errstr(code));
    }
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
    }
    sqlite3_close(file->db);
    mc_free(file->path);
    memset(file, 0, sizeof *file);
}

static bool set_path(mc_mct_file *file, const char *path) {
    size_t size = strlen(path) + 1;
    file->path = mc_alloc(size, 1);
    if (file->path) memcpy(file->path, path, size);
    return file->path != NULL;
}

static int open_db(mc_mct_file *file, const char *path, int flags) {
    sqlite3_close(file->db);
    file->db = NULL;
    int code = sqlite3_open_v2(path, &file->db,
                               flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
    if (code != SQLITE_OK) return code;
    sqlite3_extended_result_codes(file->db, 1);
    sqlite3_busy_timeout(file->db, BUSY_TIMEOUT_MS);
    return SQLITE_OK;
}

// ---- defence: what is in a file is data, never something to be run

static void defend(sqlite3 *db) {
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
    run(db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON;");
}

static int read_number(sqlite3 *db, const char *sql, int64_t *number) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
    int final = sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code == SQLITE_DONE ? SQLITE_CORRUPT : final;
}

// A table of that name could also be a view or a virtual table.
static mc_result check_tables(mc_mct_file *file, mc_error *error) {
    for (int table = 0; table < MC_MCT_TABLE_COUNT; table++) {
        char sql[256];
        int64_t count = 0;
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s' AND "
                 "rootpage > 1",
                 tables[table].name);
        int code = read_number(file->db, sql, &count);
        if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
        if (count != 1)
            return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                                "%s: the table \"%s\" is missing: the file is damaged, or no .mct "
                                "file; nothing in it can be read",
                                file->path, tables[table].name);
    }
    return MC_OK;
}

static mc_result check_kind(mc_mct_file *file, mc_error *error) {
    int64_t application = 0, version = 0;
    int code = read_number(file->db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK) code = read_number(file->db, "PRAGMA user_version", &version);
    if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    if (application != MC_MCT_APPLICATION_ID)
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "%s: an SQLite database, but no .mct file (its application_id is "
                            "%#" PRIx64 ", not %#x)",
                            file->path, (uint64_t)application & 0xffffffff, MC_MCT_APPLICATION_ID);
    if (version != MC_MCT_SCHEMA_VERSION)
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "%s: an .mct file of version %" PRId64
                            "; this program reads version %d",
                            file->path, version, MC_MCT_SCHEMA_VERSION);
    return check_tables(file, error);
}

// ---- opening

mc_result mc_mct_file_create(mc_mct_file *file, const char *path, bool sync, mc_error *error) {
    memset(file, 0, sizeof *file);
    if (!set_path(file, path)) return mc_error_out_of_memory(error);
    char sql[256];
    int code =
        open_db(file, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE);
    if (code != SQLITE_OK) goto fail;
    // A rollback journal, not a write-ahead log: whenever no step is being written, the trace is
    // this one file, which can be copied, mailed and put on a read-only medium.
    snprintf(sql, sizeof sql,
             "PRAGMA page_size = %d; PRAGMA encoding = 'UTF-8'; PRAGMA journal_mode = DELETE; "
             "PRAGMA synchronous = %s; PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN",
             PAGE_SIZE, sync ? "FULL" : "OFF", MC_MCT_APPLICATION_ID, MC_MCT_SCHEMA_VERSION);
    mc_result result = run(file->db, sql);
    for (int i = 0; mc_mct_schema[i] && result == MC_OK; i++)
        result = run(file->db, mc_mct_schema[i]);
    if (result == MC_OK) result = run(file->db, "COMMIT");
    if (result == MC_OK) return MC_OK;
    code = sqlite3_extended_errcode(file->db);
fail:
    mc_mct_file_fail(file, code, error);
    mc_mct_file_close(file);
    return error ? error->code : MC_ERROR_IO;
}

// A hot journal can only be rolled back by who may write.
static int recover(mc_mct_file *file, const char *path) {
    int64_t version;
    int code = open_db(file, path, SQLITE_OPEN_READWRITE);
    if (code == SQLITE_OK) code = read_number(file->db, "PRAGMA schema_version", &version);
    return code == SQLITE_OK ? open_db(file, path, SQLITE_OPEN_READONLY) : code;
}

mc_result mc_mct_file_open(mc_mct_file *file, const char *path, mc_error *error) {
    memset(file, 0, sizeof *file);
    if (!set_path(file, path)) return mc_error_out_of_memory(error);
    int64_t version;
    struct stat status;
    if (stat(path, &status) == 0) file->size = (uint64_t)status.st_size;
    int code = open_db(file, path, SQLITE_OPEN_READONLY);
    if (code == SQLITE_OK) {
        defend(file->db);
        code = read_number(file->db, "PRAGMA schema_version", &version);
        if ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN) {
            code = recover(file, path);
            if (code == SQLITE_OK) defend(file->db);
        }
    }
    mc_result result =
        code == SQLITE_OK ? check_kind(file, error) : mc_mct_file_fail(file, code, error);
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

mc_result mc_mct_file_open_append(mc_mct_file *file, const char *path, bool sync, mc_error *error) {
    memset(file, 0, sizeof *file);
    if (!set_path(file, path)) return mc_error_out_of_memory(error);
    struct stat status;
    if (stat(path, &status) == 0) file->size = (uint64_t)status.st_size;
    int64_t version;
    int code = open_db(file, path, SQLITE_OPEN_READWRITE);
    if (code == SQLITE_OK) {
        defend(file->db);
        code = read_number(file->db, "PRAGMA schema_version", &version);
    }
    mc_result result =
        code == SQLITE_OK ? check_kind(file, error) : mc_mct_file_fail(file, code, error);
    if (result == MC_OK)
        result = mc_mct_file_run(file,
                                 sync ? "PRAGMA query_only = OFF; PRAGMA synchronous = FULL"
                                      : "PRAGMA query_only = OFF; PRAGMA synchronous = OFF",
                                 error);
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

mc_result mc_mct_file_open_memory(mc_mct_file *file, const void *data, size_t size,
                                  mc_error *error) {
    memset(file, 0, sizeof *file);
    if (!set_path(file, "memory")) return mc_error_out_of_memory(error);
    file->size = size;
    int code = open_db(file, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY);
    if (code == SQLITE_OK)
        code = sqlite3_deserialize(file->db, "main", (unsigned char *)data, (sqlite3_int64)size,
                                   (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY);
    mc_result result = MC_OK;
    if (code == SQLITE_OK) {
        defend(file->db);
        result = check_kind(file, error);
    } else {
        result = mc_mct_file_fail(file, code, error);
    }
    if (result != MC_OK) mc_mct_file_close(file);
    return result;
}

// ---- rows

static uint32_t add_number(uint32_t checksum, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    return (uint32_t)crc32(checksum, bytes, sizeof bytes);
}

static uint32_t compute_checksum(mc_mct_table table, const mc_mct_field *row) {
    const char *name = tables[table].name, *kinds = tables[table].kinds;
    uint32_t checksum = (uint32_t)crc32(0, (const unsigned char *)name, (uInt)strlen(name));
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i] == 'i') {
            checksum = add_number(checksum, (uint64_t)row[i].number);
            continue;
        }
        checksum = add_number(checksum, row[i].size);
        if (row[i].size > 0) checksum = (uint32_t)crc32_z(checksum, row[i].data, row[i].size);
    }
    return checksum;
}

static int prepare_put(mc_mct_file *file, mc_mct_table table) {
    static const char marks[] = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ";
    _Static_assert(sizeof marks >= 3 * MC_MCT_FIELD_COUNT_MAX, "a mark for every field");
    char sql[512];
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s(%s, %s) VALUES(%.*s?)", tables[table].name,
             tables[table].key, tables[table].columns, 3 * (int)strlen(tables[table].kinds), marks);
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
    int code = SQLITE_OK, count = (int)strlen(kinds);
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
        code = sqlite3_bind_int64(statement, count + 1, compute_checksum(table, row));
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(file, code, error);
}

static int prepare_get(mc_mct_file *file, mc_mct_table table) {
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT %s, %s FROM %s WHERE %s = ?", tables[table].key,
             tables[table].columns, tables[table].name, tables[table].key);
    return sqlite3_prepare_v3(file->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &file->get[table],
                              NULL);
}

// False if a field has another type than the table's.
static bool take_fields(sqlite3_stmt *statement, const char *kinds, mc_mct_field *row) {
    for (int i = 0; kinds[i]; i++) {
        int type = sqlite3_column_type(statement, i);
        row[i] = (mc_mct_field){0};
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
    return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "%s: damaged: row %" PRId64 " of table %s %s", file->path, key,
                        tables[table].name, how);
}

mc_result mc_mct_file_get(mc_mct_file *file, mc_mct_table table, int64_t key, mc_mct_field *row,
                          mc_error *error) {
    if (!file->get[table]) {
        int code = prepare_get(file, table);
        if ((code & 0xff) == SQLITE_ERROR)
            return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                                "%s: damaged: the table %s has other columns than it should",
                                file->path, tables[table].name);
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
    int last = (int)strlen(kinds);
    bool is_right = take_fields(statement, kinds, row);
    if (!is_right && sqlite3_errcode(file->db) == SQLITE_NOMEM)
        return mc_error_out_of_memory(error);
    is_right = is_right && row[0].number == key &&
               sqlite3_column_type(statement, last) == SQLITE_INTEGER &&
               sqlite3_column_int64(statement, last) == compute_checksum(table, row);
    return is_right ? MC_OK : damaged(file, table, key, "has a wrong checksum", error);
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

void mc_mct_file_release(mc_mct_file *file, mc_mct_table table) {
    if (file->get[table]) sqlite3_reset(file->get[table]);
}
