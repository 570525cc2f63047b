// base.h - result codes, errors and the few types that every module shares.
//
// Nothing here allocates or does I/O. Safe from any thread.
#pragma once
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MC_NONE UINT32_MAX // "no such index"

typedef enum mc_result {
    MC_OK = 0,
    MC_ERROR_OUT_OF_MEMORY,
    MC_ERROR_IO,          // a file can't be opened, read or written
    MC_ERROR_BAD_DATA,    // the input is not what its format says
    MC_ERROR_UNSUPPORTED, // the machine lacks something (driver, feature, program)
    MC_ERROR_GPU,         // a Vulkan call failed
    MC_ERROR_CANCELLED,   // the caller asked to stop
    MC_ERROR_USAGE,       // an option does not fit what it is about
} mc_result;

#define MC_ERROR_NO_OFFSET UINT64_MAX
#define MC_ERROR_MESSAGE_SIZE 1024

// An error in one sentence that a user can act on. `code` is MC_OK while there is none.
// `byte_offset` is a position in the input (MC_ERROR_NO_OFFSET: none); a caller that knows the
// file's name prepends it (mc_error_prepend).
typedef struct mc_error {
    mc_result code;
    uint64_t byte_offset;
    char message[MC_ERROR_MESSAGE_SIZE];
} mc_error;

#if defined(__GNUC__)
#define MC_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define MC_PRINTF(format_index, first_index)
#endif

// Fills `error` (may be NULL) and returns `code`, so that a caller can `return mc_error_set(...)`.
mc_result mc_error_set(mc_error *error, mc_result code, uint64_t byte_offset, const char *format,
                       ...) MC_PRINTF(4, 5);
// The same with no offset.
mc_result mc_fail(mc_error *error, mc_result code, const char *format, ...) MC_PRINTF(3, 4);

// Puts "PREFIX: " (or, if an offset is known, "PREFIX:OFFSET: ") before the message, which names
// the file, and forgets the offset. Returns the error's code. `error` may be NULL.
mc_result mc_error_prepend(mc_error *error, const char *prefix);

// Here, so that a compiler knows what it returns.
static inline mc_result mc_error_out_of_memory(mc_error *error) {
    mc_fail(error, MC_ERROR_OUT_OF_MEMORY, "out of memory");
    return MC_ERROR_OUT_OF_MEMORY;
}

// A callback for messages of the library; NULL is silent.
typedef enum mc_log_level { MC_LOG_INFO, MC_LOG_WARNING, MC_LOG_ERROR } mc_log_level;
typedef struct mc_log {
    void (*write)(void *user, mc_log_level level, const char *message);
    void *user;
} mc_log;

void mc_log_write(const mc_log *log, mc_log_level level, const char *format, ...) MC_PRINTF(3, 4);

// Progress of long work; called from the thread that does the work, or from several, never at the
// same time. Returning false asks the work to stop; it then returns MC_ERROR_CANCELLED.
typedef struct mc_progress {
    bool (*report)(void *user, uint64_t done, uint64_t total);
    void *user;
} mc_progress;

static inline bool mc_progress_report(const mc_progress *progress, uint64_t done, uint64_t total) {
    return !progress || !progress->report || progress->report(progress->user, done, total);
}
