#include "engine/base/base.h"

#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Whatever a message quotes, it is one line that any terminal shows as it is.
MC_PRINTF(2, 0)
static void write_message(char out[MC_ERROR_MESSAGE_SIZE], const char *format, va_list arguments) {
    char raw[MC_ERROR_MESSAGE_SIZE + 4];
    int length = vsnprintf(raw, sizeof raw, format, arguments);
    size_t size = length < 0 ? 0 : strlen(raw);
    // What vsnprintf has cut off may end within a character.
    if (length >= (int)sizeof raw) size = mc_utf8_cut(raw, size, MC_ERROR_MESSAGE_SIZE - 1);
    mc_printable_copy(out, MC_ERROR_MESSAGE_SIZE, raw, size);
}

MC_PRINTF(4, 0)
static void set(mc_error *error, mc_result code, uint64_t byte_offset, const char *format,
                va_list arguments) {
    if (!error) return;
    error->code = code;
    error->byte_offset = byte_offset;
    write_message(error->message, format, arguments);
}

mc_result mc_error_set(mc_error *error, mc_result code, uint64_t byte_offset, const char *format,
                       ...) {
    va_list arguments;
    va_start(arguments, format);
    set(error, code, byte_offset, format, arguments);
    va_end(arguments);
    return code;
}

mc_result mc_fail(mc_error *error, mc_result code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set(error, code, MC_ERROR_NO_OFFSET, format, arguments);
    va_end(arguments);
    return code;
}

mc_result mc_error_prepend(mc_error *error, const char *prefix) {
    if (!error) return MC_ERROR_BAD_DATA;
    // A path longer than half the message would push out what went wrong: keep its end.
    size_t length = strlen(prefix), most = MC_ERROR_MESSAGE_SIZE / 2;
    const char *tail = length > most ? prefix + (length - most) : prefix;
    while (tail > prefix && ((unsigned char)*tail & 0xc0) == 0x80)
        tail++; // not within a character
    uint64_t offset = error->byte_offset;
    if (offset == MC_ERROR_NO_OFFSET)
        return mc_fail(error, error->code, "%s: %s", tail, error->message);
    return mc_fail(error, error->code, "%s:%" PRIu64 ": %s", tail, offset, error->message);
}

void mc_log_write(const mc_log *log, mc_log_level level, const char *format, ...) {
    if (!log || !log->write) return;
    char message[MC_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    write_message(message, format, arguments);
    va_end(arguments);
    log->write(log->user, level, message);
}
