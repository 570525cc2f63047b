#include "engine/import/stacks/frame_kind.h"

#include <string.h>

// ---- text

static bool begins_with(mc_span text, const char *prefix) {
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.at, prefix, size) == 0;
}

static bool contains(mc_span text, const char *part) {
    return text.size > 0 && memmem(text.at, text.size, part, strlen(part)) != NULL;
}

static bool ends_with(mc_span text, const char *end) {
    size_t size = strlen(end);
    return text.size > size && memcmp(text.at + text.size - size, end, size) == 0;
}

static bool begins_with_any(mc_span text, const char *const *prefixes) {
    for (; *prefixes; prefixes++)
        if (begins_with(text, *prefixes)) return true;
    return false;
}

static bool contains_any(mc_span text, const char *const *parts) {
    for (; *parts; parts++)
        if (contains(text, *parts)) return true;
    return false;
}

static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (byte >= '0' && byte <= '9') || byte == '$';
}

// A whole name, with nothing but parameters behind it.
static bool is_any(mc_span name, const char *const *names) {
    for (; *names; names++)
        if (begins_with(name, *names) &&
            (name.size == strlen(*names) || !is_letter(name.at[strlen(*names)])))
            return true;
    return false;
}

static bool is_one_of(mc_span name, const char *const *names) {
    for (; *names; names++)
        if (name.size == strlen(*names) && begins_with(name, *names)) return true;
    return false;
}

mc_span mc_frame_kind_skip_type(mc_span function) {
    const char *begin = function.at, *end = function.at + function.size;
    uint32_t depth = 0;
    for (const char *at = begin; at < end; at++) {
        size_t left = (size_t)(end - at);
        if (left >= 8 && memcmp(at, "operator", 8) == 0 && (at == begin || !is_letter(at[-1])))
            break;
        if (*at == '(' && depth == 0 && !begins_with((mc_span){at, left}, "(anonymous")) break;
        if (*at == '<' || *at == '(' || *at == '[' || *at == '{') depth++;
        if ((*at == '>' || *at == ')' || *at == ']' || *at == '}') && depth > 0) depth--;
        if (*at == ' ' && depth == 0) begin = at + 1;
    }
    while (begin < end && (*begin == '*' || *begin == '&'))
        begin++;
    return begin < end ? (mc_span){begin, (size_t)(end - begin)} : function;
}

// "<alloc::vec::Vec<T> as core::iter::Extend>::extend" is of what stands first.
static mc_span skip_brackets(mc_span name) {
    static const char *const words[] = {"<", "&", "mut ", "dyn ", "(", NULL};
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (const char *const *word = words; *word; word++)
            if (begins_with(name, *word) && name.size > strlen(*word)) {
                name = (mc_span){name.at + strlen(*word), name.size - strlen(*word)};
                goes_on = true;
            }
    }
    return name;
}

// ---- names

static bool is_allocator(mc_span name, mc_span file) {
    static const char *const names[] = {"malloc",
                                        "calloc",
                                        "realloc",
                                        "reallocarray",
                                        "memalign",
                                        "valloc",
                                        "pvalloc",
                                        "posix_memalign",
                                        "aligned_alloc",
                                        "mmap",
                                        "mmap64",
                                        "sbrk",
                                        "brk",
                                        "operator new",
                                        "operator new[]",
                                        "_PyObject_Malloc",
                                        "PyMem_Malloc",
                                        "PyMem_Calloc",
                                        "PyObject_Malloc",
                                        "PyObject_Calloc",
                                        "PyMem_Realloc",
                                        "PyObject_Realloc",
                                        "g_malloc",
                                        "g_malloc0",
                                        "g_realloc",
                                        "xmalloc",
                                        "xcalloc",
                                        "xrealloc",
                                        NULL};
    static const char *const prefixes[] = {"__libc_malloc",
                                           "__libc_calloc",
                                           "__libc_realloc",
                                           "__libc_memalign",
                                           "_int_malloc",
                                           "__interceptor_",
                                           "je_",
                                           "_rjem_",
                                           "_rjem_je_",
                                           "mi_",
                                           "tc_",
                                           "tcmalloc::",
                                           "__rust_alloc",
                                           "__rust_realloc",
                                           "__rdl_",
                                           "__rg_",
                                           "__rustc::",
                                           "alloc::alloc::",
                                           "_PyMem_",
                                           "pymalloc_",
                                           "runtime.malloc",
                                           "imalloc",
                                           "prof_backtrace",
                                           "(heap allocation",
                                           "__gnu_cxx::new_allocator<",
                                           "__gnu_cxx::__alloc_traits<",
                                           "std::__new_allocator<",
                                           "std::allocator_traits<",
                                           NULL};
    // Of the C++ library, by their names alone, as valgrind has them for what was inlined.
    static const char *const headers[] = {"new_allocator.h", "alloc_traits.h", NULL};
    return is_any(name, names) || begins_with_any(name, prefixes) ||
           contains(file, "vg_replace_malloc") || is_one_of(file, headers);
}

static bool is_start(mc_span name) {
    static const char *const names[] = {"_start",
                                        "__libc_start_main",
                                        "__libc_start_call_main",
                                        "__libc_start_main_impl",
                                        "start_thread",
                                        "clone",
                                        "clone3",
                                        "__clone",
                                        "__clone3",
                                        "runtime.goexit",
                                        "runtime.main",
                                        "runtime.mstart",
                                        "runtime.rt0_go",
                                        "thread_start",
                                        NULL};
    static const char *const prefixes[] = {"__static_initialization_and_destruction_0",
                                           "_GLOBAL__sub_I_",
                                           "std::rt::lang_start",
                                           "__rust_begin_short_backtrace",
                                           "std::sys_common::backtrace::__rust_begin",
                                           NULL};
    return is_any(name, names) || begins_with_any(name, prefixes);
}

// Packages of Go's library: "net/http.(*conn).serve" is of "net".
static bool is_go_library(mc_span name) {
    static const char *const packages[] = {
        "archive", "bufio",   "bytes",    "compress", "container", "context", "crypto", "database",
        "debug",   "embed",   "encoding", "errors",   "expvar",    "flag",    "fmt",    "go",
        "hash",    "html",    "image",    "index",    "internal",  "io",      "iter",   "log",
        "maps",    "math",    "mime",     "net",      "os",        "path",    "plugin", "reflect",
        "regexp",  "runtime", "slices",   "sort",     "strconv",   "strings", "sync",   "syscall",
        "testing", "text",    "time",     "unicode",  "unique",    "unsafe",  "vendor", NULL};
    size_t size = 0;
    while (size < name.size && is_letter(name.at[size]))
        size++;
    if (size == name.size || (name.at[size] != '/' && name.at[size] != '.')) return false;
    for (const char *const *at = packages; *at; at++)
        if (strlen(*at) == size && memcmp(*at, name.at, size) == 0) return true;
    return false;
}

static bool is_library_name(mc_span name) {
    static const char *const prefixes[] = {
        "std::",    "_M_",       "_S_",         "__gnu_cxx::", "__cxxabiv1::", "__cxa_",
        "core::",   "alloc::",   "hashbrown::", "java.",       "javax.",       "jdk.",
        "sun.",     "com.sun.",  "java/",       "javax/",      "jdk/",         "sun/",
        "kotlin.",  "scala.",    "node:",       "runtime.",    "type:.",       "type..",
        "_PyEval_", "PyObject_", "_PyObject_",  "PyList_",     "PyDict_",      "PyUnicode_",
        NULL};
    return begins_with_any(name, prefixes);
}

// "__fopen_internal (iofopen.c)": the C library's names, and its files by their names alone, as
// valgrind has them where there is debug information of it.
static bool is_c_library(mc_span name, mc_span file) {
    return begins_with(name, "__") && ends_with(file, ".c") && !memchr(file.at, '/', file.size);
}

static bool is_library_file(mc_span file) {
    static const char *const parts[] = {
        "/include/c++/",  "/rustc/",        "/rustlib/",      ".cargo/registry/",
        "/pkg/mod/",      "site-packages/", "dist-packages/", "node_modules/",
        "/lib/python3",   "/lib64/python3", "/lib/go-",       "/go/src/runtime/",
        "/local/go/src/", "/libexec/src/",  "<frozen ",       NULL};
    static const char *const prefixes[] = {
        "node:",         "/usr/include/",  "internal/", "library/std/",
        "library/core/", "library/alloc/", NULL};
    return contains_any(file, parts) || begins_with_any(file, prefixes);
}

// Headers of the C++ library by their names alone, as valgrind has them for what was inlined, and
// sources of the loader of programs.
static bool is_library_base_name(mc_span file) {
    static const char *const sources[] = {"dl-", "libc-start.", "libc_start_call_main.", NULL};
    static const char *const prefixes[] = {"stl_",       "hashtable", "shared_ptr",
                                           "unordered_", "basic_",    NULL};
    static const char *const names[] = {"allocator.h",
                                        "allocated_ptr.h",
                                        "unique_ptr.h",
                                        "char_traits.h",
                                        "std_function.h",
                                        "invoke.h",
                                        "move.h",
                                        "aligned_buffer.h",
                                        "fs_path.h",
                                        "fs_dir.h",
                                        "fs_ops.h",
                                        "regex.h",
                                        "regex_compiler.h",
                                        "regex_executor.h",
                                        "regex_automaton.h",
                                        "regex_scanner.h",
                                        "locale_facets.h",
                                        "locale_classes.h",
                                        "std_thread.h",
                                        "rtld.c",
                                        "algorithm",
                                        "any",
                                        "array",
                                        "deque",
                                        "forward_list",
                                        "fstream",
                                        "functional",
                                        "future",
                                        "iostream",
                                        "istream",
                                        "list",
                                        "map",
                                        "memory",
                                        "optional",
                                        "ostream",
                                        "queue",
                                        "regex",
                                        "set",
                                        "sstream",
                                        "stack",
                                        "streambuf",
                                        "string",
                                        "thread",
                                        "tuple",
                                        "valarray",
                                        "variant",
                                        "vector",
                                        NULL};
    if (file.size == 0 || memchr(file.at, '/', file.size)) return false;
    if (ends_with(file, ".tcc") || is_one_of(file, names) || begins_with_any(file, sources))
        return true;
    return ends_with(file, ".h") && begins_with_any(file, prefixes);
}

// Whole allocators, of which no symbols may be known.
static bool is_allocator_module(mc_span module) {
    static const char *const parts[] = {"/libjemalloc",          "/libtcmalloc", "/libmimalloc",
                                        "/libheaptrack_preload", "/vgpreload_",  NULL};
    return contains_any(module, parts);
}

static bool is_library_module(mc_span module) {
    static const char *const prefixes[] = {"/lib/",       "/lib64/", "/usr/lib/",
                                           "/usr/lib64/", "[",       NULL};
    static const char *const parts[] = {"/site-packages/", "/dist-packages/", "/lib/python3",
                                        "/lib64/python3", NULL}; // extensions of Python
    return begins_with_any(module, prefixes) || contains_any(module, parts);
}

// Of the C library and the JVM, by their names alone, as async-profiler has them.
static bool is_library_base_module(mc_span module) {
    static const char *const prefixes[] = {"libc.",
                                           "libc-",
                                           "libm.",
                                           "libpthread.",
                                           "libdl.",
                                           "librt.",
                                           "ld-linux",
                                           "ld-musl",
                                           "libstdc++.",
                                           "libc++.",
                                           "libgcc_s",
                                           "libjvm.",
                                           "libj9",
                                           "libjava.",
                                           "libjli.",
                                           "libjimage.",
                                           "libzip.",
                                           "libnet.",
                                           "libnio.",
                                           "libverify.",
                                           "libmanagement",
                                           "libawt",
                                           "libjsig.",
                                           "libinstrument.",
                                           "libextnet.",
                                           "libprefs.",
                                           "libfontmanager.",
                                           "liblcms.",
                                           "libattach.",
                                           "libjdwp.",
                                           "libsctp.",
                                           "libasyncProfiler",
                                           NULL};
    return module.size > 0 && !memchr(module.at, '/', module.size) &&
           begins_with_any(module, prefixes);
}

// The JVM's ways to malloc, and the hooks by which a profiler of it learns of each.
static bool is_jvm_allocator(mc_span name, mc_span module) {
    static const char *const names[] = {"os::malloc",
                                        "os::realloc",
                                        "AllocateHeap",
                                        "ReallocateHeap",
                                        "Arena::grow",
                                        "Arena::Amalloc",
                                        "Arena::internal_amalloc",
                                        "Chunk::operator new",
                                        "Chunk::allocate_chunk",
                                        "ChunkPool::allocate_chunk",
                                        "ResourceObj::operator new",
                                        "AnyObj::operator new",
                                        "CHeapObjBase::operator new",
                                        "Unsafe_AllocateMemory0",
                                        "Unsafe_ReallocateMemory0",
                                        NULL};
    static const char *const hooks[] = {"malloc_hook",
                                        "calloc_hook",
                                        "realloc_hook",
                                        "posix_memalign_hook",
                                        "aligned_alloc_hook",
                                        "calloc_hook_dummy",
                                        "posix_memalign_hook_dummy",
                                        NULL};
    if (module.size == 0 || memchr(module.at, '/', module.size)) return false;
    return begins_with(module, "libjvm.")            ? is_any(name, names)
           : begins_with(module, "libasyncProfiler") ? is_any(name, hooks)
                                                     : false;
}

mc_frame_kind mc_frame_kind_find(mc_span function, mc_span file, mc_span module) {
    if (is_allocator_module(module)) return MC_FRAME_ALLOCATOR;
    if (function.size > 0) {
        mc_span name = skip_brackets(mc_frame_kind_skip_type(function));
        if (is_jvm_allocator(name, module)) return MC_FRAME_ALLOCATOR;
        if (is_allocator(name, file)) return MC_FRAME_ALLOCATOR;
        if (is_start(name)) return MC_FRAME_START;
        if (is_library_name(name) || is_c_library(name, file)) return MC_FRAME_LIBRARY;
        bool is_go = file.size > 3 && memcmp(file.at + file.size - 3, ".go", 3) == 0;
        if ((is_go || file.size == 0) && is_go_library(name)) return MC_FRAME_LIBRARY;
    }
    if (is_library_file(file) || is_library_base_name(file) || is_library_module(module) ||
        is_library_base_module(module))
        return MC_FRAME_LIBRARY;
    bool is_known = function.size > 0 || file.size > 0 || module.size > 0;
    return is_known ? MC_FRAME_PROGRAM : MC_FRAME_LIBRARY;
}
