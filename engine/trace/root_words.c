#include "engine/trace/root_words.h"

#include <string.h>

#define A_ROOT "a GC root ("

// By mc_root_kind. NULL: a name is not told, or the kind's own stands for it.
static const struct {
    const char *before, *nameless;
} words[MC_ROOT_COUNT] = {
    [MC_ROOT_STATIC] = {"", "static fields of many classes"},
    [MC_ROOT_STACK] = {"a local variable of ", "a local variable of a thread"},
    [MC_ROOT_JNI_LOCAL] = {"a local variable of ", "a local variable of a thread"},
    [MC_ROOT_NATIVE_STACK] = {NULL, "native code of a thread"},
    [MC_ROOT_THREAD] = {"", "a thread"},
    [MC_ROOT_THREAD_BLOCK] = {NULL, "native code of a thread"},
    [MC_ROOT_MONITOR] = {NULL, "a monitor that a thread is in or waits for"},
    [MC_ROOT_JNI_GLOBAL] = {NULL, "a JNI global reference"},
    [MC_ROOT_SYSTEM_CLASS] = {"", "a system class"},
    [MC_ROOT_UNKNOWN] = {A_ROOT, NULL},
    [MC_ROOT_INTERNED_STRING] = {NULL, "the interned strings"},
    [MC_ROOT_FINALIZING] = {NULL, "the queue to be finalized"},
    [MC_ROOT_DEBUGGER] = {A_ROOT, NULL},
    [MC_ROOT_REFERENCE_CLEANUP] = {A_ROOT, NULL},
    [MC_ROOT_VM_INTERNAL] = {"", NULL},
    [MC_ROOT_JNI_MONITOR] = {NULL, "a monitor that a thread is in or waits for"},
    [MC_ROOT_SOFT] = {NULL, "soft references"},
    [MC_ROOT_GLOBAL] = {"", "a global variable"},
    [MC_ROOT_HANDLE] = {"", "native code"},
};

static bool is_kind_name(const char *name, size_t size) {
    for (int kind = 0; kind < MC_ROOT_COUNT; kind++)
        if (strlen(mc_root_kind_names[kind]) == size &&
            memcmp(name, mc_root_kind_names[kind], size) == 0)
            return true;
    return false;
}

void mc_root_append_words(mc_root_kind kind, const char *name, size_t size, mc_text *out) {
    const char *before = words[kind].before, *nameless = words[kind].nameless;
    const bool has_name = name && size > 0 && !is_kind_name(name, size);
    if (has_name && before) {
        mc_text_append_string(out, before);
        mc_text_append(out, name, size);
        if (strcmp(before, A_ROOT) == 0) mc_text_append_string(out, ")");
    } else if (nameless) {
        mc_text_append_string(out, nameless);
    } else {
        mc_text_format(out, A_ROOT "%s)", mc_root_kind_names[kind]);
    }
}

static bool begins_with(const char *name, size_t size, const char *before) {
    const size_t length = strlen(before);
    return size >= length && memcmp(name, before, length) == 0;
}

const char *mc_root_get_kind_words(mc_root_kind kind, const char *name, size_t size) {
    // What a JVM's roots of the kind are called; the others' word for it.
    static const struct {
        mc_root_kind kind;
        const char *of_jvm, *other;
    } kinds[] = {{MC_ROOT_STATIC, "static ", "variable"},
                 {MC_ROOT_STACK, "thread \"", "stack"},
                 {MC_ROOT_JNI_LOCAL, "thread \"", "stack"},
                 {MC_ROOT_VM_INTERNAL, NULL, "runtime"}};
    if (!name || size == 0 || is_kind_name(name, size)) return mc_root_kind_names[kind];
    if (kind == MC_ROOT_THREAD && begins_with(name, size, "goroutine")) return "goroutine";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == kind && !(kinds[i].of_jvm && begins_with(name, size, kinds[i].of_jvm)))
            return kinds[i].other;
    return mc_root_kind_names[kind];
}
