#include "engine/store/mct/mct_claim.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_file.h"
#include "engine/store/mct/mct_sidecar.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY_COUNT 100            // the name may become another file while one locks it
#define BLANK_SIZE_MAX (1 << 20) // of a file that may be nothing but zeros
#define HEADER_SIZE 100          // of an SQLite database
#define SCHEMA_COOKIE 40         // in it: how often tables were made
#define APPLICATION_ID 68

static mc_result fail(mc_error *error, const char *path, const char *doing, int cause) {
    return mc_fail(error, MC_ERROR_IO, "%s: can't %s: %s", path, doing, strerror(cause));
}

static mc_result refuse(mc_error *error, const char *path) {
    return mc_fail(error, MC_ERROR_IO, "%s: there is something else, which is not replaced", path);
}

// ---- the lock

// Opens or makes the file. Nobody else makes it between the two; who opens a pipe is not kept
// waiting.
static mc_result open_or_make(mc_mct_claim *claim, mc_error *error) {
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    for (int i = 0; i < TRY_COUNT && claim->lock < 0; i++) {
        claim->lock = open(claim->path, flags);
        if (claim->lock < 0 && errno == ENOENT)
            claim->lock = open(claim->path, flags | O_CREAT | O_EXCL, 0644);
        if (claim->lock < 0 && errno != EEXIST && errno != ENOENT) break;
    }
    return claim->lock >= 0 ? MC_OK : fail(error, claim->path, "write", errno);
}

static mc_result take_lock(mc_mct_claim *claim, mc_error *error) {
    for (int i = 0; i < TRY_COUNT; i++) {
        struct stat status;
        mc_result result = open_or_make(claim, error);
        if (result != MC_OK) return result;
        if (fstat(claim->lock, &status) != 0) return fail(error, claim->path, "write", errno);
        if (S_ISDIR(status.st_mode)) return fail(error, claim->path, "write", EISDIR);
        if (!S_ISREG(status.st_mode)) return refuse(error, claim->path);
        if (flock(claim->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) break;
        if (mc_file_is_at(claim->lock, claim->path)) return MC_OK;
        close(claim->lock);
        claim->lock = -1;
    }
    return mc_fail(error, MC_ERROR_IO, "%s: another memcity writes to it; -o another file",
                   claim->path);
}

// ---- what is there

// What a power failure may make of a file that has just begun.
static bool is_zeros(int fd, off_t size) {
    unsigned char bytes[4096];
    for (off_t at = 0; at < size;) {
        ssize_t got = pread(fd, bytes, sizeof bytes, at);
        if (got <= 0 || size > BLANK_SIZE_MAX) return false;
        for (ssize_t i = 0; i < got; i++)
            if (bytes[i] != 0) return false;
        at += got;
    }
    return true;
}

static mc_result get_size(const mc_mct_claim *claim, off_t *size, mc_error *error) {
    struct stat status;
    if (fstat(claim->lock, &status) != 0) return fail(error, claim->path, "read", errno);
    *size = status.st_size;
    return MC_OK;
}

// Whether there is a trace, or what is left of none: earlier versions, too, may have left a header
// without tables. `is_begun`: the file has no header yet, which comes with its first transaction.
static mc_result look(mc_mct_claim *claim, bool *is_begun, mc_error *error) {
    static const unsigned char zeros[HEADER_SIZE] = {0};
    unsigned char header[HEADER_SIZE] = {0};
    off_t size = 0;
    mc_result result = get_size(claim, &size, error);
    if (result != MC_OK) return result;
    ssize_t got = pread(claim->lock, header, sizeof header, 0);
    if (got < 0) return fail(error, claim->path, "read", errno);
    *is_begun = got == HEADER_SIZE && memcmp(header, zeros, sizeof zeros) == 0;
    claim->is_empty = is_zeros(claim->lock, size);
    if (claim->is_empty) return MC_OK;
    if (!mc_mct_detect(header, (size_t)got) ||
        mc_read_u32(header + APPLICATION_ID) != MC_MCT_APPLICATION_ID)
        return refuse(error, claim->path);
    claim->is_empty = mc_read_u32(header + SCHEMA_COOKIE) == 0;
    return MC_OK;
}

// A writer that was killed while it made the file leaves tables, or pages without a header, that
// are not there any more once that is taken back. What is damaged is told by who reads it.
static mc_result look_and_take_back(mc_mct_claim *claim, mc_error *error) {
    mc_mct_file file;
    bool is_begun = false;
    mc_result result = look(claim, &is_begun, error);
    if ((result != MC_OK && !is_begun) || claim->is_empty ||
        !mc_mct_sidecar_has_journal(claim->path))
        return result;
    result = mc_mct_file_seize(&file, claim->path, error);
    if (result == MC_OK) mc_mct_file_close(&file);
    if (result != MC_OK && result != MC_ERROR_BAD_DATA) return result;
    return look(claim, &is_begun, error);
}

// First the content goes, then the journal, which nobody takes back into a file without content: so
// there is no moment at which one lies there without the other.
static mc_result make_empty(const mc_mct_claim *claim, mc_error *error) {
    off_t size = 0;
    mc_result result = get_size(claim, &size, error);
    if (result == MC_OK && size > 0 && truncate(claim->path, 0) != 0)
        result = fail(error, claim->path, "write", errno);
    return result == MC_OK ? mc_mct_sidecar_remove(claim->path, error) : result;
}

mc_result mc_mct_claim_begin(mc_mct_claim *claim, const char *name, mc_error *error) {
    *claim = (mc_mct_claim){.lock = -1};
    mc_result result = mc_file_resolve(name, &claim->path, error);
    if (result == MC_OK) result = take_lock(claim, error);
    if (result == MC_OK) result = mc_mct_sidecar_check(claim->path, error);
    if (result == MC_OK) result = look_and_take_back(claim, error);
    if (result == MC_OK && claim->is_empty) result = make_empty(claim, error);
    if (result != MC_OK) mc_mct_claim_end(claim, true);
    return result;
}

// ---- the end

// The order is what matters. First what a killed writer left is taken back, so that the file before
// is whole without its journal; then the journal goes, whatever it was; only then the name is given
// away. Killed in between, the file before is there and as it was. SQLite's lock keeps programs out
// that don't know of claims.
mc_result mc_mct_claim_replace(mc_mct_claim *claim, mc_file_target *target, mc_error *error) {
    mc_mct_file file = {0};
    bool exists = access(claim->path, F_OK) == 0;
    if (exists && !mc_file_is_at(claim->lock, claim->path))
        return mc_fail(error, MC_ERROR_IO,
                       "%s: another file has got this name meanwhile, which is not replaced",
                       claim->path);
    mc_result result = mc_mct_sidecar_check(claim->path, error);
    if (result == MC_OK && exists && access(claim->path, W_OK) == 0)
        result = mc_mct_file_seize(&file, claim->path, error);
    // Nobody adds to what is damaged; and a journal that was refused just now still is.
    if (result == MC_ERROR_BAD_DATA && !file.db) result = mc_mct_sidecar_check(claim->path, error);
    if (result == MC_OK) result = mc_mct_sidecar_remove(claim->path, error);
    if (result == MC_OK) result = mc_file_target_commit(target, MC_FILE_SYNC_NAME, error);
    mc_mct_file_close(&file);
    return result;
}

// The journal of a file that is gone would be taken back into this one.
mc_result mc_mct_claim_name(mc_file_target *target, bool *is_taken, mc_error *error) {
    struct stat status;
    *is_taken = lstat(target->path, &status) == 0;
    if (*is_taken) return fail(error, target->path, "write", EEXIST);
    mc_result result = mc_mct_sidecar_check(target->path, error);
    if (result == MC_OK) result = mc_mct_sidecar_remove(target->path, error);
    if (result != MC_OK) return result;
    return mc_file_target_commit_new(target, MC_FILE_SYNC_NAME, is_taken, error);
}

mc_result mc_mct_claim_sync(mc_mct_claim *claim, mc_error *error) {
    if (fsync(claim->lock) != 0) return fail(error, claim->path, "write", errno);
    mc_file_sync_folder_of(claim->path);
    return MC_OK;
}

void mc_mct_claim_end(mc_mct_claim *claim, bool keeps) {
    if (claim->path && !keeps && claim->is_empty && mc_file_is_at(claim->lock, claim->path) &&
        make_empty(claim, NULL) == MC_OK)
        unlink(claim->path);
    if (claim->path && claim->lock >= 0) close(claim->lock);
    mc_free(claim->path);
    *claim = (mc_mct_claim){.lock = -1};
}
