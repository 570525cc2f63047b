#include "engine/base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mc_result mc_error_set(mc_error *error, mc_result code, uint64_t byte_offset, const char *format,
                       ...) {
    if (!error) return code;
    error->code = code;
    error->byte_offset = byte_offset;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}

mc_result mc_error_prepend(mc_error *error, const char *prefix) {
    if (!error) return MC_ERROR_BAD_DATA;
    char message[MC_ERROR_MESSAGE_SIZE];
    memcpy(message, error->message, sizeof message);
    message[sizeof message - 1] = '\0';
    // A path longer than half the message would push out what went wrong: keep its end.
    size_t length = strlen(prefix), most = MC_ERROR_MESSAGE_SIZE / 2;
    const char *tail = length > most ? prefix + (length - most) : prefix;
    int written = error->byte_offset == MC_ERROR_NO_OFFSET
                      ? snprintf(error->message, sizeof error->message, "%s: ", tail)
                      : snprintf(error->message, sizeof error->message, "%s:%" PRIu64 ": ", tail,
                                 error->byte_offset);
    size_t used = written < 0 ? 0 : (size_t)written;
    size_t room = sizeof error->message - used - 1, text = strlen(message);
    if (text > room) text = room;
    memcpy(error->message + used, message, text);
    error->message[used + text] = '\0';
    error->byte_offset = MC_ERROR_NO_OFFSET;
    return error->code;
}

void mc_log_write(const mc_log *log, mc_log_level level, const char *format, ...) {
    if (!log || !log->write) return;
    char message[MC_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log->write(log->user, level, message);
}
