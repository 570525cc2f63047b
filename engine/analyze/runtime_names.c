#include "engine/analyze/runtime_names.h"

#include <string.h>

// Types by their whole names.
static const char *const types[] = {
    // JavaScript
    "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Array", "ArrayBuffer", "SharedArrayBuffer",
    "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array",
    "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
    "FastBuffer", "Buffer", "closure scope", "Promise", "RegExp", "Function", "string",
    // Python
    "dict", "list", "tuple", "set", "frozenset", "bytes", "bytearray", "str", "int", "float",
    "cell", "function", "method", "builtin_function_or_method", "frame", "module", "mappingproxy",
    "collections.deque", "collections.OrderedDict", "collections.defaultdict",
    "functools._lru_cache_wrapper", "functools._lru_list_elem",
    // Go, as far as its heap dumps say
    "map", "map buckets", "goroutine",
    // Ruby
    "Hash", "String", "Symbol", "Integer", "Float", "Bignum", "Class", "Module", "Proc"};

// Those that begin so.
static const char *const beginnings[] = {
    "system / ", "(array",  "(object ", "(system",  "(code",   "(concatenated",
    "(sliced",   "(number", "(string",  "(closure", "(hidden", "(regexp",
    "(symbol",   "(bigint", "(native",  "IMEMO",    "Node / "};

static const char *const places[] = {"(node:",        "(internal/", "node_modules/",
                                     "site-packages", "runtime.",   "(native)"};

static bool has_part(const char *name, size_t size, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(name + i, part, length) == 0) return true;
    return false;
}

bool mc_runtime_is_own_type(const char *name, size_t size) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i]) == size && memcmp(types[i], name, size) == 0) return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t length = strlen(beginnings[i]);
        if (size >= length && memcmp(name, beginnings[i], length) == 0) return true;
    }
    return false;
}

bool mc_runtime_is_own_place(const char *name, size_t size) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (has_part(name, size, places[i])) return true;
    return false;
}
