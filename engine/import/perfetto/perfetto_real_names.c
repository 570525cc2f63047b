#include "engine/import/perfetto/perfetto_real_names.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

#define SAME_MOST 16  // that a name may stand for; it stays as it is then
#define NAME_MOST 512 // bytes
#define PACKAGE_MOST 256
#define PATH_MOST 1024
#define WRITTEN_FREE ((uint64_t)1 << 20)
#define WRITTEN_A_BYTE 64 // of the trace

void mc_perfetto_real_names_deinit(mc_perfetto_real_names *names) {
    mc_free(names->items);
    mc_slots_deinit(&names->slots);
    memset(names, 0, sizeof *names);
}

void mc_perfetto_real_names_begin(mc_perfetto_real_names *names, uint64_t trace_size) {
    names->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)names;
    names->left = WRITTEN_FREE + trace_size * WRITTEN_A_BYTE;
}

static bool is_same(mc_span a, mc_span b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

static uint32_t hash(const mc_perfetto_real_names *names, mc_span name, uint32_t owner,
                     bool is_method) {
    const uint64_t of_name = mc_hash_bytes(name.at, name.size, names->seed);
    return (uint32_t)mc_hash_u64(of_name, names->seed ^ ((uint64_t)owner << 1 | is_method));
}

// The next of that name behind the one at *at, which begins as the hash; NULL: there is none.
static const mc_perfetto_real_name *find_next(const mc_perfetto_real_names *names, mc_span name,
                                              uint32_t owner, bool is_method, uint32_t *at) {
    uint32_t found, h = hash(names, name, owner, is_method);
    while ((found = mc_slots_find(&names->slots, h, at)) != MC_NONE) {
        const mc_perfetto_real_name *item = &names->items[found];
        if (item->owner == owner && item->is_method == is_method && is_same(item->name, name))
            return item;
    }
    return NULL;
}

// ---- reading

static bool add(mc_perfetto_real_names *names, const mc_perfetto_real_name *added) {
    if (added->name.size == 0 || added->real.size == 0 || added->name.size > NAME_MOST ||
        added->real.size > NAME_MOST)
        return true;
    uint32_t h = hash(names, added->name, added->owner, added->is_method), same_count = 0;
    // A method is said once for each run of its lines.
    for (uint32_t at = h;; same_count++) {
        const mc_perfetto_real_name *item =
            find_next(names, added->name, added->owner, added->is_method, &at);
        if (!item) break;
        if (same_count >= SAME_MOST) return true;
        if (is_same(item->real, added->real) && is_same(item->package, added->package)) return true;
    }
    if (names->count >= MC_NONE / 4 ||
        !mc_reserve(&names->items, &names->capacity, names->count + 1, sizeof *added) ||
        !mc_slots_add(&names->slots, h, (uint32_t)names->count))
        return false;
    names->items[names->count++] = *added;
    return true;
}

// Its fields 1 and 2: what it is called, and what it is.
static mc_perfetto_real_name read_names(const mc_proto_field *field, const unsigned char **wrong) {
    mc_perfetto_real_name read = {.owner = MC_NONE};
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    mc_proto_field part;
    while (mc_proto_next(&body, &part)) {
        if (part.number == 1) read.name = mc_perfetto_get_text(&part);
        if (part.number == 2) read.real = mc_perfetto_get_text(&part);
    }
    *wrong = field->wire == MC_PROTO_BYTES ? body.bad : field->begin;
    return read;
}

static bool add_class(mc_perfetto_real_names *names, const mc_proto_field *field, mc_span package,
                      const unsigned char **wrong) {
    enum { FIELD = 3, METHOD = 4 };
    mc_perfetto_real_name class = read_names(field, wrong);
    class.package = package;
    if (class.real.size == 0) class.real = class.name;
    if (*wrong || class.name.size == 0) return true;
    const size_t before = names->count;
    if (!add(names, &class)) return false;
    // What was said of a class already is said of it once more.
    uint32_t owner = (uint32_t)before;
    for (uint32_t at = hash(names, class.name, MC_NONE, false); names->count == before;) {
        const mc_perfetto_real_name *item = find_next(names, class.name, MC_NONE, false, &at);
        if (!item) return true;
        owner = (uint32_t)(item - names->items);
        if (is_same(item->real, class.real) && is_same(item->package, package)) break;
    }
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    mc_proto_field part;
    while (!*wrong && mc_proto_next(&body, &part)) {
        if (part.number != FIELD && part.number != METHOD) continue;
        mc_perfetto_real_name member = read_names(&part, wrong);
        member.owner = owner;
        member.is_method = part.number == METHOD;
        if (!*wrong && !add(names, &member)) return false;
    }
    return true;
}

bool mc_perfetto_real_names_add(mc_perfetto_real_names *names, const mc_proto_field *mapping,
                                const unsigned char **wrong) {
    enum { PACKAGE = 1, CLASS = 3 };
    mc_proto body = mc_proto_begin(mapping->bytes, mapping->end);
    mc_proto_field part;
    mc_span package = {NULL, 0};
    *wrong = mapping->wire == MC_PROTO_BYTES ? NULL : mapping->begin;
    for (mc_proto look = body; mc_proto_next(&look, &part);)
        if (part.number == PACKAGE) package = mc_perfetto_get_text(&part);
    // A package's name is a folder's.
    if (package.size > PACKAGE_MOST || (package.size > 0 && memchr(package.at, '/', package.size)))
        return true;
    while (!*wrong && mc_proto_next(&body, &part))
        if (part.number == CLASS && !add_class(names, &part, package, wrong)) return false;
    if (!*wrong) *wrong = body.bad;
    return true;
}

// ---- finding

// Of no file of an app: "base.apk!classes.dex", and what the compiler has in memory.
static bool tells_no_app(mc_span path) {
    static const char *const memory[] = {"/memfd:", "/dev/ashmem/dalvik-", NULL};
    for (const char *const *prefix = memory; *prefix; prefix++)
        if (path.size > strlen(*prefix) && memcmp(path.at, *prefix, strlen(*prefix)) == 0)
            return true;
    return path.size == 0 || !memchr(path.at, '/', path.size);
}

// "/data/app/com.acme.shop-1zGx==/base.apk" is a file of com.acme.shop, and of no other app. No
// library has Java's names.
static bool may_be_in(const mc_perfetto_real_names *names, mc_span package, mc_span path) {
    if (tells_no_app(path)) return !names->needs_path;
    if (package.size == 0) return true;
    if (path.size < 4 || path.size > PATH_MOST || memcmp(path.at + path.size - 3, ".so", 3) == 0)
        return false;
    const char *end = path.at + path.size;
    for (const char *at = path.at; (at = memchr(at, '/', (size_t)(end - at)));) {
        at++;
        if ((size_t)(end - at) <= package.size) return false;
        const char behind = at[package.size];
        if ((behind == '-' || behind == '/') && memcmp(at, package.at, package.size) == 0)
            return true;
    }
    return false;
}

// NULL: none, or several that differ.
static const mc_perfetto_real_name *find_class(const mc_perfetto_real_names *names, mc_span name,
                                               mc_span path) {
    const mc_perfetto_real_name *found = NULL, *item;
    uint32_t at = hash(names, name, MC_NONE, false);
    while ((item = find_next(names, name, MC_NONE, false, &at))) {
        if (!may_be_in(names, item->package, path)) continue;
        if (found && !is_same(found->real, item->real)) return NULL;
        found = item;
    }
    return found;
}

// Of a class of any app that calls it so.
static mc_span find_member(const mc_perfetto_real_names *names, const mc_perfetto_real_name *class,
                           mc_span name, bool is_method, mc_span path) {
    mc_span found = {NULL, 0};
    const mc_perfetto_real_name *owner, *item;
    uint32_t at = hash(names, class->name, MC_NONE, false);
    while ((owner = find_next(names, class->name, MC_NONE, false, &at))) {
        if (!may_be_in(names, owner->package, path)) continue;
        const uint32_t number = (uint32_t)(owner - names->items);
        uint32_t inner = hash(names, name, number, is_method);
        while ((item = find_next(names, name, number, is_method, &inner))) {
            if (found.size > 0 && !is_same(found, item->real)) return (mc_span){NULL, 0};
            found = item->real;
        }
    }
    return found;
}

// Nothing, if that is more than the trace's size allows.
static void write(mc_perfetto_real_names *names, mc_text *text, mc_span a, mc_span b) {
    if (a.size + b.size > names->left) return;
    names->left -= a.size + b.size;
    mc_text_append(text, a.at, a.size);
    mc_text_append(text, b.at, b.size);
}

void mc_perfetto_real_names_write_type(mc_perfetto_real_names *names, mc_span type, mc_span path,
                                       mc_text *text) {
    mc_span name = type;
    while (name.size > 2 && memcmp(name.at + name.size - 2, "[]", 2) == 0)
        name.size -= 2;
    const mc_perfetto_real_name *class = names->count > 0 ? find_class(names, name, path) : NULL;
    if (class)
        write(names, text, class->real, (mc_span){name.at + name.size, type.size - name.size});
}

void mc_perfetto_real_names_write_member(mc_perfetto_real_names *names, mc_span member,
                                         bool is_method, mc_span path, mc_text *text) {
    const char *dot =
        names->count > 0 && member.size > 0 ? memrchr(member.at, '.', member.size) : NULL;
    if (!dot) return;
    const mc_span name = {dot + 1, member.size - (size_t)(dot + 1 - member.at)};
    const mc_perfetto_real_name *class =
        find_class(names, (mc_span){member.at, (size_t)(dot - member.at)}, path);
    if (!class) return;
    mc_span real = find_member(names, class, name, is_method, path);
    if (real.size == 0) real = (mc_span){dot, name.size + 1};
    if (real.at[0] == '.') {
        write(names, text, class->real, real);
    } else if (memchr(real.at, '.', real.size)) { // it says its own class
        write(names, text, real, (mc_span){NULL, 0});
    } else {
        const size_t before = text->size;
        write(names, text, class->real, (mc_span){".", 1});
        if (text->size > before) mc_text_append(text, real.at, real.size);
    }
}
