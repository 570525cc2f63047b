#include "engine/analyze/class_names.h"

#include "engine/analyze/runtime_names.h"
#include <string.h>
#include <strings.h>

#define RUNTIME_BYTES (16u << 10) // see mc_class_get_runtime_bytes()

static bool ends_with(const char *name, size_t size, const char *end) {
    size_t length = strlen(end);
    return size >= length && memcmp(name + size - length, end, length) == 0;
}

static bool is_in_package(const char *name, size_t size, const char *package) {
    size_t length = strlen(package);
    return size > length && memcmp(name, package, length) == 0 && name[length] == '.';
}

bool mc_class_is_library_name(const char *name, size_t size) {
    static const char *const roots[] = {"java",    "javax",   "jdk",     "sun",
                                        "com.sun", "kotlin",  "kotlinx", "scala",
                                        "groovy",  "clojure", "System",  "Microsoft"};
    if (ends_with(name, size, "[]")) return true;
    if (size == 11 && memcmp(name, "(primitive)", 11) == 0) return true;
    if (size >= 5 && memcmp(name, "std::", 5) == 0) return true;
    if (is_in_package(name, size, "com.sun.tools")) return false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (is_in_package(name, size, roots[i])) return true;
    return false;
}

// In any case; `word` is in lower case.
static bool has_word(const char *name, size_t size, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (strncasecmp(name + i, word, length) == 0) return true;
    return false;
}

// Of resident memory it matters what takes it, whoever's class that is.
static bool is_place(const mc_trace *trace, uint32_t role) {
    if (role == MC_NONE) return false;
    size_t size;
    const char *name = mc_trace_get_classifier(trace, role, &size);
    return has_word(name, size, "site") || has_word(name, size, "thread") ||
           has_word(name, size, "mapping");
}

// Of what a JVM's classes are grouped by; their packages say what is the JVM's own.
static bool is_of_jvm(const mc_trace *trace, uint32_t role) {
    static const char *const names[] = {"Package", "Type", "Loader", "Module", "Data Structure"};
    size_t size;
    const char *name = role == MC_NONE ? NULL : mc_trace_get_classifier(trace, role, &size);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (size == strlen(names[i]) && memcmp(name, names[i], size) == 0) return true;
    return false;
}

static bool has_library_name(const mc_trace *trace, uint32_t node) {
    const uint32_t role = mc_trace_get_nodes(trace)->role[node];
    size_t size;
    const char *name = mc_trace_get_name(trace, node, &size);
    if (is_place(trace, role)) return false;
    return mc_class_is_library_name(name, size) ||
           (!is_of_jvm(trace, role) && mc_runtime_is_own_type(name, size));
}

bool mc_class_is_library(const mc_trace *trace, uint32_t node) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    for (; parent[node] != MC_NONE; node = parent[node])
        if (has_library_name(trace, node)) return true;
    return false;
}

void mc_class_find_libraries(const mc_trace *trace, uint8_t *is_library) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    is_library[0] = 0;
    for (uint32_t node = 1; node < nodes->count; node++)
        is_library[node] = is_library[nodes->parent[node]] || has_library_name(trace, node);
}

static bool has_role(const mc_trace *trace, uint32_t node, const char *const *roles,
                     size_t role_count) {
    uint32_t role = mc_trace_get_nodes(trace)->role[node];
    size_t size;
    const char *name = role == MC_NONE ? NULL : mc_trace_get_classifier(trace, role, &size);
    for (size_t i = 0; name && i < role_count; i++)
        if (size == strlen(roles[i]) && memcmp(name, roles[i], size) == 0) return true;
    return false;
}

// Its own name, or, of a leaf by what a JVM's classes are grouped by besides, that of the type that
// it is in.
static const char *get_class_name(const mc_trace *trace, uint32_t node, size_t *size) {
    static const char *const others[] = {"Package", "Loader", "Module", "Data Structure"};
    static const char *const type[] = {"Type"};
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    uint32_t at = node;
    if (has_role(trace, node, others, sizeof others / sizeof *others))
        while (at != MC_NONE && !has_role(trace, at, type, 1))
            at = parent[at];
    return mc_trace_get_name(trace, at == MC_NONE ? node : at, size);
}

bool mc_class_is_container_part(const mc_trace *trace, uint32_t node) {
    static const char *const ends[] = {"[]", "$Node", "$Entry", "$TreeNode", "$Segment", "$Index"};
    size_t size;
    const char *name = get_class_name(trace, node, &size);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, size, ends[i])) return mc_class_is_library(trace, node);
    return false;
}

bool mc_class_is_loader(const mc_trace *trace, uint32_t node) {
    size_t size;
    const char *name = get_class_name(trace, node, &size);
    return ends_with(name, size, "ClassLoader") && !ends_with(name, size, "DelegatingClassLoader");
}

// Without its package, or with it where that is no criterion.
bool mc_class_is_class(const mc_trace *trace, uint32_t node) {
    static const char class[] = "Class", whole[] = "java.lang.Class";
    size_t size;
    const char *name = get_class_name(trace, node, &size);
    if (size == sizeof whole - 1) return memcmp(name, whole, size) == 0;
    return size == sizeof class - 1 && memcmp(name, class, size) == 0 &&
           mc_class_is_library(trace, node);
}

bool mc_class_is_thread(const mc_trace *trace, uint32_t node) {
    size_t size;
    const char *name = get_class_name(trace, node, &size);
    return ends_with(name, size, "Thread");
}

bool mc_class_is_thread_local(const mc_trace *trace, uint32_t node) {
    size_t size;
    const char *name = get_class_name(trace, node, &size);
    return ends_with(name, size, "ThreadLocal$ThreadLocalMap$Entry");
}

// The package is the name of a node above, or the beginning of the name itself.
static bool is_in(const mc_trace *trace, uint32_t node, const char *package) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    size_t length = strlen(package);
    for (; parent[node] != MC_NONE; node = parent[node]) {
        size_t size;
        const char *name = mc_trace_get_name(trace, node, &size);
        if (size >= length && memcmp(name, package, length) == 0 &&
            (size == length || name[length] == '.'))
            return true;
    }
    return false;
}

bool mc_class_is_container(const mc_trace *trace, uint32_t node) {
    size_t size;
    const char *name = get_class_name(trace, node, &size);
    return ends_with(name, size, "[]") || has_word(name, size, "threadlocal") ||
           is_in(trace, node, "java.util");
}

bool mc_class_is_program_root(mc_root_kind kind, const char *name, size_t size) {
    static const char before_class[] = "static ", before_method[] = " in ";
    size_t length = strlen(before_class), in = strlen(before_method);
    bool is_of_jvm = size > length && memcmp(name, before_class, length) == 0;
    if (size == 0) return false; // many of them
    if (kind == MC_ROOT_GLOBAL || (kind == MC_ROOT_STATIC && !is_of_jvm))
        return !mc_runtime_is_own_place(name, size);
    if (kind == MC_ROOT_STATIC)
        return size > length && memcmp(name, before_class, length) == 0 &&
               !mc_class_is_library_name(name + length, size - length);
    if (kind != MC_ROOT_STACK) return false;
    for (size_t i = size; i-- > 0;)
        if (size - i > in && memcmp(name + i, before_method, in) == 0)
            return !mc_class_is_library_name(name + i + in, size - i - in);
    return false;
}

bool mc_class_is_jvm_trace(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    return nodes->count < 2 || is_of_jvm(trace, nodes->role[1]);
}

uint32_t mc_class_get_runtime_bytes(const mc_trace *trace) {
    return mc_class_is_jvm_trace(trace) ? 0 : RUNTIME_BYTES;
}

bool mc_class_is_library_of(const mc_trace *trace, const char *name, size_t size) {
    return mc_class_is_library_name(name, size) ||
           (!mc_class_is_jvm_trace(trace) && mc_runtime_is_own_type(name, size));
}
