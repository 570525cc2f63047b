#include "app/message.h"

#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include <stdio.h>
#include <string.h>

#define MESSAGE_SIZE 4096 // longer ones are cut off

MC_PRINTF(2, 0)
static void print(const char *prefix, const char *format, va_list arguments) {
    char raw[MESSAGE_SIZE + 4], line[MESSAGE_SIZE];
    int length = vsnprintf(raw, sizeof raw, format, arguments);
    size_t size = mc_utf8_cut(raw, length < 0 ? 0 : strlen(raw), MESSAGE_SIZE);
    mc_printable_copy(line, sizeof line, raw, size);
    fprintf(stderr, "%s%s\n", prefix, line);
}

void mc_message_say_list(const char *format, va_list arguments) {
    print("memcity: ", format, arguments);
}

void mc_message_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print("memcity: ", format, arguments);
    va_end(arguments);
}

void mc_message_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print("memcity: warning: ", format, arguments);
    va_end(arguments);
}
