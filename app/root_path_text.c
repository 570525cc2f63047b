#include "app/root_path_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include <string.h>

const char *const mc_root_path_means_names[] = {"plain",     "thread-local", "loader",
                                                "finalizer", "soft",         "weak"};

static void append_string(const mc_trace *trace, uint32_t string, mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    mc_format_append_line(out, text, size);
}

#define STATIC "static "

static bool begins_with(const char *text, size_t size, const char *before) {
    const size_t length = strlen(before);
    return size > length && memcmp(text, before, length) == 0;
}

// Of a JVM. What others call a variable that lasts is told as it is.
static bool is_static_field(const char *text, size_t size) {
    return begins_with(text, size, STATIC) || begins_with(text, size, "ThreadLocal ");
}

void mc_static_append_whole(const mc_trace *trace, uint32_t string, const char *before,
                            mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    if (begins_with(text, size, STATIC)) mc_text_append_string(out, before);
    mc_static_append_name(trace, string, out);
}

void mc_static_append_name(const mc_trace *trace, uint32_t string, mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    uint32_t dots = 0;
    size_t begin = size;
    if (!is_static_field(text, size)) {
        mc_format_append_line(out, text, size);
        return;
    }
    while (begin > 0 && text[begin - 1] != ' ' && (dots += text[begin - 1] == '.') < 2)
        begin--;
    mc_format_append_line(out, text + begin, size - begin);
}

static void append_named(const mc_root_path *trail, const mc_trace *trace, const char *before,
                         const char *otherwise, mc_text *out) {
    if (trail->root_name == MC_NONE) {
        mc_text_append_string(out, otherwise);
        return;
    }
    mc_text_append_string(out, before);
    append_string(trace, trail->root_name, out);
}

void mc_root_path_append_root(const mc_root_path *trail, const mc_trace *trace, mc_text *out) {
    // Which of several threads it is, nobody knows.
    bool is_one = trail->root_name_count == 1;
    switch (trail->root_kind) {
    case MC_ROOT_STATIC:
        if (trail->root_name == MC_NONE) {
            mc_text_append_string(out, "static fields of many classes");
            return;
        }
        mc_static_append_whole(trace, trail->root_name, "static field ", out);
        return;
    case MC_ROOT_GLOBAL: append_named(trail, trace, "", "a global variable", out); return;
    case MC_ROOT_HANDLE: append_named(trail, trace, "", "native code", out); return;
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL:
        append_named(trail, trace, "a local variable of ", "a local variable of a thread", out);
        return;
    case MC_ROOT_THREAD:
        if (trail->means == MC_ROOT_PATH_THREAD_LOCAL)
            mc_text_append_string(out, "a ThreadLocal of ");
        if (is_one)
            append_named(trail, trace, "", "a thread", out);
        else
            mc_text_append_string(out, "a thread");
        return;
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD_BLOCK: mc_text_append_string(out, "native code of a thread"); return;
    case MC_ROOT_SYSTEM_CLASS: append_named(trail, trace, "", "a system class", out); return;
    case MC_ROOT_JNI_GLOBAL: mc_text_append_string(out, "a JNI global reference"); return;
    case MC_ROOT_MONITOR:
    case MC_ROOT_JNI_MONITOR:
        mc_text_append_string(out, "a monitor that a thread is in or waits for");
        return;
    case MC_ROOT_INTERNED_STRING: mc_text_append_string(out, "the interned strings"); return;
    case MC_ROOT_FINALIZING: mc_text_append_string(out, "the queue to be finalized"); return;
    case MC_ROOT_SOFT: mc_text_append_string(out, "soft references"); return;
    default:
        mc_text_append_string(out, "a GC root (");
        if (trail->root_name == MC_NONE)
            mc_text_append_string(out, mc_root_kind_names[trail->root_kind]);
        else
            append_string(trace, trail->root_name, out);
        mc_text_append_string(out, ")");
    }
}

static bool ends_with(const mc_trace *trace, uint32_t string, const char *end) {
    size_t size, length = strlen(end);
    const char *text = mc_trace_get_string(trace, string, &size);
    return size >= length && memcmp(text + size - length, end, length) == 0;
}

uint32_t mc_root_path_get_shown_count(const mc_root_path *trail, const mc_trace *trace) {
    if (trail->means != MC_ROOT_PATH_THREAD_LOCAL) return trail->count;
    for (uint32_t i = 0; i < trail->count; i++) {
        size_t size;
        const char *field = mc_trace_get_string(trace, trail->hops[i].field, &size);
        bool is_named = size > 12 && memcmp(field, "ThreadLocal ", 12) == 0; // "… Requests.CONTEXT"
        if (is_named || ends_with(trace, trail->hops[i].field, "ThreadLocalMap$Entry.value"))
            return i;
    }
    return trail->count;
}

bool mc_root_path_is_loader_field(const mc_trace *trace, uint32_t field) {
    return ends_with(trace, field, ".<loader>");
}

void mc_root_path_append_way(const mc_root_path *trail, const mc_trace *trace, mc_text *out) {
    mc_root_path_append_root(trail, trace, out);
    for (uint32_t i = mc_root_path_get_shown_count(trail, trace); i-- > 0;) {
        const mc_root_path_hop *hop = &trail->hops[i];
        if (mc_root_path_is_loader_field(trace, hop->field)) continue;
        mc_text_append_string(out, " → ");
        if (hop->is_program && !ends_with(trace, hop->field, ".<class>"))
            append_string(trace, hop->field, out);
        else
            mc_node_append_name_line(trace, hop->node, out);
    }
}

void mc_root_path_append_others(const mc_root_path *trail, const mc_trace *trace, mc_text *out) {
    char count[MC_FORMAT_SIZE];
    if (trail->other_count > MC_ROOT_PATH_OTHER_COUNT) {
        mc_text_format(out, "; %s other fields of the program lead there as well",
                       mc_format_count(count, trail->other_count));
        return;
    }
    for (uint32_t i = 0; i < trail->other_count; i++) {
        bool is_last = i + 1 == trail->other_count;
        mc_text_append_string(out, i == 0 ? ", or by " : is_last ? " or " : ", ");
        mc_static_append_name(trace, trail->others[i], out);
    }
    if (trail->other_count > 0) mc_text_append_string(out, ": this file does not say which");
}
