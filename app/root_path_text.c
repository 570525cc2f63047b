#include "app/root_path_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include "engine/trace/root_words.h"
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

void mc_root_append(const mc_trace *trace, mc_root_kind kind, uint32_t name, mc_text *out) {
    size_t size = 0;
    const char *text = name == MC_NONE ? NULL : mc_trace_get_string(trace, name, &size);
    mc_text words = {0};
    if (kind == MC_ROOT_STATIC && text) {
        mc_static_append_whole(trace, name, "static field ", out);
        return;
    }
    mc_root_append_words(kind, text, size, &words);
    mc_format_append_line(out, mc_text_get(&words), words.size);
    out->failed |= words.failed;
    mc_text_deinit(&words);
}

const char *mc_root_get_kind(const mc_trace *trace, mc_root_kind kind, uint32_t name) {
    size_t size = 0;
    const char *text = name == MC_NONE ? NULL : mc_trace_get_string(trace, name, &size);
    return mc_root_get_kind_words(kind, text, size);
}

void mc_root_path_append_root(const mc_root_path *trail, const mc_trace *trace, mc_text *out) {
    const bool is_of_thread = trail->root_kind == MC_ROOT_THREAD;
    // Which of several threads it is, nobody knows.
    const bool is_named = !is_of_thread || trail->root_name_count == 1;
    if (is_of_thread && trail->means == MC_ROOT_PATH_THREAD_LOCAL)
        mc_text_append_string(out, "a ThreadLocal of ");
    mc_root_append(trace, trail->root_kind, is_named ? trail->root_name : MC_NONE, out);
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
