#include "app/window/program_text.h"

#include "app/format.h"
#include "engine/base/printable_text.h"
#include <inttypes.h>
#include <math.h>
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

void mc_program_append_detail(const mc_program *program, mc_text *out) {
    char bytes[MC_FORMAT_SIZE];
    mc_text_format(out, "%s" DOT "PID %" PRIu32 DOT,
                   program->runtime == MC_PROGRAM_NODE ? "Node" : "Java", program->pid);
    append_user(program->user, out);
    if (program->heap_bytes > 0)
        mc_text_format(out, DOT "heap %s", mc_format_bytes(bytes, program->heap_bytes));
    mc_text_append_string(out, DOT "up ");
    mc_program_append_duration(program->uptime_s, out);
}

// How long a program stands still for each step: of its heap's size, as measured with a busy
// machine of two cores.
static void append_pause(mc_text *out, const mc_program *program, double s_per_gib) {
    double pause_s = (double)program->heap_bytes / 1073741824.0 * s_per_gib;
    if (program->heap_bytes == 0)
        mc_text_append_string(out, ", a pause for each");
    else if (pause_s < 1)
        mc_text_append_string(out, ", each a pause of less than 1 s");
    else
        mc_text_format(out, ", each a pause of up to %.0f s", ceil(pause_s));
}

uint32_t mc_program_get_way_count(const mc_program *program) {
    return program->runtime == MC_PROGRAM_NODE ? 1 : 2;
}

// Who holds what only heap dumps tell.
const char *mc_program_describe_way(const mc_program *program, uint32_t way, mc_text *detail) {
    if (program->runtime == MC_PROGRAM_NODE) {
        mc_text_append_string(detail, "a snapshot each 10 s; it stops for 1 s per 100 MB");
        return "What grows, and who holds it";
    }
    mc_text_append_string(detail,
                          way == 0 ? "a class histogram each 5 s" : "a heap dump each 10 s");
    append_pause(detail, program, way == 0 ? 8 : 25);
    return way == 0 ? "What grows" : "What grows, and who holds it";
}

const char *mc_program_get_ways_heading(const mc_program *program) {
    return program->runtime == MC_PROGRAM_NODE
               ? "Its inspector is open meanwhile: other users of this machine reach it, too."
               : "The program collects its garbage first, at each step.";
}
