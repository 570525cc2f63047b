#include "app/window/program_text.h"

#include "app/format.h"
#include "engine/base/printable_text.h"
#include <inttypes.h>
#include <pwd.h>
#include <string.h>

#define DOT " \xc2\xb7 "

static void append_user(uint32_t user, mc_text *out) {
    struct passwd entry, *found = NULL;
    char names[4096];
    if (getpwuid_r((uid_t)user, &entry, names, sizeof names, &found) == 0 && found)
        mc_printable_append(out, entry.pw_name, strlen(entry.pw_name));
    else
        mc_text_format(out, "user %" PRIu32, user);
}

void mc_program_append_duration(double seconds, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    char *point = strchr(mc_format_time(text, (int64_t)seconds * 1000), '.');
    if (point) *point = '\0';
    mc_text_append_string(out, text);
}

void mc_program_append_detail(const mc_jvm_entry *program, mc_text *out) {
    char bytes[MC_FORMAT_SIZE];
    mc_text_format(out, "PID %" PRIu32 DOT, program->pid);
    append_user(program->user, out);
    if (program->heap_bytes > 0)
        mc_text_format(out, DOT "heap %s", mc_format_bytes(bytes, program->heap_bytes));
    mc_text_append_string(out, DOT "up ");
    mc_program_append_duration(program->uptime_s, out);
}
