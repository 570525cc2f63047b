#include "engine/import/perfetto/perfetto_real_names.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

#define SAME_MOST 64 // names that one may stand for: further ones make it no clearer

void mc_perfetto_real_names_deinit(mc_perfetto_real_names *names) {
    mc_free(names->items);
    mc_slots_deinit(&names->slots);
    memset(names, 0, sizeof *names);
}

static bool is_same(mc_span a, mc_span b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

static uint32_t hash(mc_span name, uint32_t owner, bool is_method) {
    return (uint32_t)mc_hash_bytes(name.at, name.size, (uint64_t)owner << 1 | is_method);
}

// The next of that name behind the one at *at, which begins as the hash; NULL: there is none.
static const mc_perfetto_real_name *find_next(const mc_perfetto_real_names *names, mc_span name,
                                              uint32_t owner, bool is_method, uint32_t *at) {
    uint32_t found, h = hash(name, owner, is_method);
    while ((found = mc_slots_find(&names->slots, h, at)) != MC_NONE) {
        const mc_perfetto_real_name *item = &names->items[found];
        if (item->owner == owner && item->is_method == is_method && is_same(item->name, name))
            return item;
    }
    return NULL;
}

// ---- reading

static mc_span get_text(const mc_proto_field *field) {
    if (field->wire != MC_PROTO_BYTES) return (mc_span){NULL, 0};
    return (mc_span){(const char *)field->bytes, (size_t)(field->end - field->bytes)};
}

static bool add(mc_perfetto_real_names *names, const mc_perfetto_real_name *added) {
    if (added->name.size == 0 || added->real.size == 0) return true;
    uint32_t h = hash(added->name, added->owner, added->is_method), same_count = 0;
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
        if (part.number == 1) read.name = get_text(&part);
        if (part.number == 2) read.real = get_text(&part);
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
    for (uint32_t at = hash(class.name, MC_NONE, false); names->count == before;) {
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
        if (part.number == PACKAGE) package = get_text(&part);
    while (!*wrong && mc_proto_next(&body, &part))
        if (part.number == CLASS && !add_class(names, &part, package, wrong)) return false;
    if (!*wrong) *wrong = body.bad;
    return true;
}

// ---- finding

// "/data/app/com.acme.shop-1zGx==/base.apk" is a file of com.acme.shop, and of no other app.
static bool may_be_in(mc_span package, mc_span path) {
    static const char apps[] = "data/app/";
    if (package.size == 0 || path.size == 0 || !memmem(path.at, path.size, apps, sizeof apps - 1))
        return true;
    for (const char *at = path.at, *end = path.at + path.size;
         (at = memmem(at, (size_t)(end - at), package.at, package.size)); at++) {
        const char *behind = at + package.size;
        if (at > path.at && at[-1] == '/' && behind < end && (*behind == '-' || *behind == '/'))
            return true;
    }
    return false;
}

// NULL: none, or several that differ.
static const mc_perfetto_real_name *find_class(const mc_perfetto_real_names *names, mc_span name,
                                               mc_span path) {
    const mc_perfetto_real_name *found = NULL, *item;
    uint32_t at = hash(name, MC_NONE, false);
    while ((item = find_next(names, name, MC_NONE, false, &at))) {
        if (!may_be_in(item->package, path)) continue;
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
    uint32_t at = hash(class->name, MC_NONE, false);
    while ((owner = find_next(names, class->name, MC_NONE, false, &at))) {
        if (!may_be_in(owner->package, path)) continue;
        const uint32_t number = (uint32_t)(owner - names->items);
        uint32_t inner = hash(name, number, is_method);
        while ((item = find_next(names, name, number, is_method, &inner))) {
            if (found.size > 0 && !is_same(found, item->real)) return (mc_span){NULL, 0};
            found = item->real;
        }
    }
    return found;
}

void mc_perfetto_real_names_write_type(const mc_perfetto_real_names *names, mc_span type,
                                       mc_text *text) {
    static const char class_prefix[] = "java.lang.Class<";
    const size_t prefix_size = sizeof class_prefix - 1;
    if (names->count == 0) return;
    mc_span name = type;
    bool is_class = type.size > prefix_size && memcmp(type.at, class_prefix, prefix_size) == 0;
    if (is_class) name = (mc_span){type.at + prefix_size, type.size - prefix_size};
    if (is_class && name.at[name.size - 1] == '>') name.size--;
    while (name.size > 2 && memcmp(name.at + name.size - 2, "[]", 2) == 0)
        name.size -= 2;
    const mc_perfetto_real_name *class = find_class(names, name, (mc_span){NULL, 0});
    if (!class) return;
    const char *behind = name.at + name.size;
    mc_text_append(text, type.at, (size_t)(name.at - type.at));
    mc_text_append(text, class->real.at, class->real.size);
    mc_text_append(text, behind, (size_t)(type.at + type.size - behind));
}

void mc_perfetto_real_names_write_member(const mc_perfetto_real_names *names, mc_span member,
                                         bool is_method, mc_span path, mc_text *text) {
    const char *dot =
        names->count > 0 && member.size > 0 ? memrchr(member.at, '.', member.size) : NULL;
    if (!dot) return;
    const mc_span name = {dot + 1, member.size - (size_t)(dot + 1 - member.at)};
    const mc_perfetto_real_name *class =
        find_class(names, (mc_span){member.at, (size_t)(dot - member.at)}, path);
    if (!class) return;
    mc_span real = find_member(names, class, name, is_method, path);
    if (real.size == 0) real = name;
    if (!memchr(real.at, '.', real.size)) { // else it says its own class
        mc_text_append(text, class->real.at, class->real.size);
        mc_text_append(text, ".", 1);
    }
    mc_text_append(text, real.at, real.size);
}
