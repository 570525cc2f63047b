#include "engine/store/mct/mct_file.h"

#include "engine/store/mct/mct_schema.h"
#include "engine/store/mct/mct_sidecar.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID_OFFSET 68 // in a database's header

mc_result mc_mct_file_fail_foreign(const mc_mct_file *file, uint32_t application, mc_error *error) {
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "%s: an SQLite database, but no .mct file (its application_id is %#" PRIx32
                   ", not %#x)",
                   file->path, application, MC_MCT_APPLICATION_ID);
}

mc_result mc_mct_file_check_header(const mc_mct_file *file, mc_error *error) {
    unsigned char header[APPLICATION_ID_OFFSET + 4] = {0};
    sqlite3_file *opened = NULL;
    if (!file->db || !file->name) return MC_OK;
    if (sqlite3_file_control(file->db, "main", SQLITE_FCNTL_FILE_POINTER, &opened) != SQLITE_OK ||
        !opened || !opened->pMethods ||
        opened->pMethods->xRead(opened, header, sizeof header, 0) != SQLITE_OK ||
        !mc_mct_detect(header, sizeof header))
        return MC_OK; // which shows when it is read
    const unsigned char *id = header + APPLICATION_ID_OFFSET;
    uint32_t application =
        (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];
    if (application != MC_MCT_APPLICATION_ID)
        return mc_mct_file_fail_foreign(file, application, error);
    if (header[18] < 2 && header[19] < 2) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "%s: an SQLite database with a write-ahead log, which no .mct file has; "
                   "PRAGMA journal_mode = DELETE takes it away",
                   file->path);
}

mc_result mc_mct_file_fail_io(const mc_mct_file *file, const char *doing, const char *cause,
                              mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "%s: can't %s: %s", file->path, doing, cause);
}

// What the system said, or, if it had no part in it, SQLite.
static const char *get_cause(const mc_mct_file *file, int code) {
    int cause = file->db ? sqlite3_system_errno(file->db) : 0;
    // A write that fails is only noted with the file itself.
    if (cause == 0 && file->db)
        sqlite3_file_control(file->db, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    if (cause == 0 && code == SQLITE_IOERR_WRITE) cause = errno; // with the journal, which is gone
    if (cause != 0) return strerror(cause);
    return file->db ? sqlite3_errmsg(file->db) : sqlite3_errstr(code);
}

// SQLite has one code for all files that it could not open; one that it was not let open has a
// reason of its own.
static mc_result fail_to_open(const mc_mct_file *file, int code, mc_error *error) {
    mc_result result = file->name ? mc_mct_sidecar_check(file->name, error) : MC_OK;
    if (result == MC_OK) result = mc_mct_file_check_header(file, error);
    return result == MC_OK
               ? mc_mct_file_fail_io(file, "open it, or its journal", get_cause(file, code), error)
               : result;
}

static mc_result fail_read_only(const mc_mct_file *file, int code, mc_error *error) {
    if (code == SQLITE_READONLY_ROLLBACK)
        return mc_fail(error, MC_ERROR_IO,
                       "%s: its writer was stopped within a step; to take that back one must "
                       "be allowed to write the file and its folder",
                       file->path);
    if (code == SQLITE_READONLY_DIRECTORY)
        return mc_mct_file_fail_io(file, "make a journal beside it", strerror(EACCES), error);
    bool is_refused = file->name && access(file->name, W_OK) != 0;
    return mc_mct_file_fail_io(file, "write", is_refused ? strerror(errno) : sqlite3_errstr(code),
                               error);
}

// By SQLite's header ("Database File Format", 1.3): the size of a page, and how many there are.
static bool find_missing(const mc_mct_file *file, uint64_t *missing) {
    unsigned char header[32];
    struct stat status;
    FILE *stream = file->name ? fopen(file->name, "rbe") : NULL;
    if (!stream) return false;
    bool is_read = fread(header, 1, sizeof header, stream) == sizeof header &&
                   fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
    fclose(stream);
    if (!is_read) return false;
    uint64_t page = (uint64_t)header[16] << 8 | header[17], count = 0;
    for (int i = 28; i < 32; i++)
        count = count << 8 | header[i];
    if (page == 1) page = 65536;
    if (page * count <= (uint64_t)status.st_size) return false;
    *missing = page * count - (uint64_t)status.st_size;
    return true;
}

mc_result mc_mct_file_fail(const mc_mct_file *file, int code, mc_error *error) {
    uint64_t missing;
    if (code == SQLITE_IOERR_NOMEM) return mc_error_out_of_memory(error);
    switch (code & 0xff) {
    case SQLITE_NOMEM: return mc_error_out_of_memory(error);
    case SQLITE_CANTOPEN: return fail_to_open(file, code, error);
    case SQLITE_IOERR:
        return mc_mct_file_fail_io(file, "read or write it", get_cause(file, code), error);
    case SQLITE_FULL: return mc_mct_file_fail_io(file, "write", "no space is left", error);
    case SQLITE_NOTADB:
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: not an .mct file, or its beginning is damaged: nothing in it can "
                       "be read",
                       file->path);
    case SQLITE_CORRUPT:
        if (find_missing(file, &missing))
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "%s: the file is cut short: its last %" PRIu64 " bytes are missing",
                           file->path, missing);
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: the file is damaged: a page of the database is not what it "
                       "should be",
                       file->path);
    case SQLITE_READONLY: return fail_read_only(file, code, error);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return mc_fail(error, MC_ERROR_IO, "%s: another program keeps the file locked", file->path);
    default:
        return mc_fail(error, MC_ERROR_IO, "%s: %s", file->path,
                       file->db ? sqlite3_errmsg(file->db) : sqlite3_errstr(code));
    }
}
