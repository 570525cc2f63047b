#include "engine/import/perfetto/heapgraph_types.h"

#include "engine/base/memory.h"
#include <string.h>

#define CLASSES_MOST 64  // that inherit from each other
#define LABELS_MOST 4096 // of a type

// As the trace numbers kinds of types.
enum { NO_REFERENCES = 2, STRING = 3, ARRAY = 4, SOFT = 8, PHANTOM = 11 };

void mc_heapgraph_types_deinit(mc_heapgraph_types *types) {
    mc_perfetto_interned_deinit(&types->fields);
    mc_perfetto_real_names_deinit(&types->real);
    mc_free(types->items);
    mc_free(types->labels);
    mc_text_deinit(&types->text);
}

static void read_type(mc_heapgraph_type *type) {
    mc_proto body = type->body;
    mc_proto_field part;
    while (mc_proto_next(&body, &part)) {
        if (part.number == 2) type->location = part.value;
        if (part.number == 3) type->name = mc_perfetto_get_text(&part);
        if (part.number == 4) type->size = part.value;
        if (part.number == 5) type->superclass = part.value;
        if (part.number == 7) type->kind = part.value < 256 ? (uint32_t)part.value : 0;
    }
}

bool mc_heapgraph_types_add(mc_heapgraph_types *types, const mc_proto_field *field,
                            mc_perfetto_table table, const unsigned char **wrong) {
    const size_t before = types->fields.count;
    if (!mc_perfetto_interned_add(&types->fields, 0, table, field, wrong)) return false;
    if (table != MC_PERFETTO_MAPPING || types->fields.count == before) return true;
    if (!mc_reserve(&types->items, &types->capacity, before + 1, sizeof *types->items))
        return false;
    types->items[before] = (mc_heapgraph_type){
        .body = types->fields.items[before].body, .labels = MC_NONE, .heap_type = MC_NONE};
    read_type(&types->items[before]);
    return true;
}

mc_heapgraph_type *mc_heapgraph_types_find(const mc_heapgraph_types *types, uint64_t id) {
    const mc_perfetto_message *found =
        mc_perfetto_interned_find(&types->fields, 0, MC_PERFETTO_MAPPING, id);
    return found ? &types->items[found - types->fields.items] : NULL;
}

// ---- names

static bool begins_with(mc_span text, const char *prefix) {
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.at, prefix, size) == 0;
}

static const char class_prefix[] = "java.lang.Class<";

static bool is_class(const mc_heapgraph_type *type) {
    return type && begins_with(type->name, class_prefix) &&
           type->name.size > sizeof class_prefix - 1;
}

// An array of numbers, of any depth. Names that were made short have small letters, too: "a[]".
static bool is_primitive_array(mc_span name) {
    static const char *const primitives[] = {"boolean[]", "byte[]",  "char[]",   "short[]", "int[]",
                                             "long[]",    "float[]", "double[]", NULL};
    for (const char *const *primitive = primitives; *primitive; primitive++)
        if (begins_with(name, *primitive)) return true;
    return false;
}

static bool is_runtime(mc_span name) {
    static const char *const prefixes[] = {
        "java.",    "javax.", "android.", "androidx.",    "dalvik.", "libcore.", "kotlin.",
        "kotlinx.", "sun.",   "jdk.",     "com.android.", "art.",    NULL};
    for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (begins_with(name, *prefix)) return true;
    return is_primitive_array(name);
}

// Of a table of texts; empty: there is none.
static mc_span find_text(const mc_heapgraph_types *types, mc_perfetto_table table, uint64_t id) {
    const mc_perfetto_message *found = mc_perfetto_interned_find(&types->fields, 0, table, id);
    mc_span text = {NULL, 0};
    mc_proto_field part;
    mc_proto body = found ? found->body : mc_proto_begin(NULL, NULL);
    while (mc_proto_next(&body, &part))
        if (part.number == 2) text = mc_perfetto_get_text(&part);
    return text;
}

static mc_span find_path(const mc_heapgraph_types *types, const mc_heapgraph_type *type) {
    return find_text(types, MC_PERFETTO_PATH, type ? type->location : 0);
}

// What it stands for, if that was found: it is in the scratch then.
static mc_span get_real(const mc_heapgraph_types *types, mc_span name) {
    if (types->text.size == 0) return name;
    return (mc_span){mc_text_get(&types->text), types->text.size};
}

static mc_span find_real_type(mc_heapgraph_types *types, const mc_heapgraph_type *type,
                              mc_span name) {
    const size_t prefix_size = is_class(type) ? sizeof class_prefix - 1 : 0;
    mc_span inner = {name.at + prefix_size, name.size - prefix_size};
    const bool is_closed = prefix_size > 0 && inner.at[inner.size - 1] == '>';
    inner.size -= is_closed;
    mc_text *text = &types->text;
    mc_text_clear(text);
    mc_text_append(text, name.at, prefix_size);
    mc_perfetto_real_names_write_type(&types->real, inner, find_path(types, type), text);
    if (text->size == prefix_size)
        mc_text_clear(text);
    else if (is_closed)
        mc_text_append(text, ">", 1);
    return get_real(types, name);
}

uint32_t mc_heapgraph_types_get(mc_heapgraph_types *types, mc_heapgraph_type *type) {
    mc_span name = type && type->name.size > 0 ? type->name : (mc_span){"(unknown)", 9};
    if (type && type->heap_type != MC_NONE) return type->heap_type;
    name = find_real_type(types, type, name);
    if (types->text.failed) return MC_NONE;
    const mc_span inner = is_class(type) ? (mc_span){name.at + sizeof class_prefix - 1,
                                                     name.size - sizeof class_prefix + 1}
                                         : name;
    const mc_span of_package = is_class(type) ? (mc_span){"java.lang.", 10} : name;
    const char *dot = of_package.size > 0 ? memrchr(of_package.at, '.', of_package.size) : NULL;
    size_t size = dot ? (size_t)(dot - of_package.at) : 0, begin = size > 0 ? size + 1 : 0;
    bool is_array = name.at[name.size - 1] == ']', is_plain = is_runtime(inner);
    mc_heap_key package = {of_package.at, size};
    if (size == 0)
        package =
            is_array && is_plain ? (mc_heap_key){"(primitive)", 11} : (mc_heap_key){"(default)", 9};
    const mc_heap_key title = {name.at + begin, name.size - begin};
    const mc_heap_key keys[2] = {package, title};
    uint32_t flags =
        (is_plain ? 0u : MC_OBJECT_PROGRAM) | (is_class(type) ? MC_OBJECT_LASTING : 0u);
    if (is_array || begins_with(name, "java.util.") || begins_with(name, "androidx.collection."))
        flags |= MC_OBJECT_ARRAY;
    uint32_t found = mc_object_heap_find_type(types->heap, keys, title, flags);
    if (type) type->heap_type = found;
    return found;
}

// Of "int com.acme.Shop.count" the part behind the type.
static mc_span skip_type(mc_span whole) {
    const char *blank = whole.size > 0 ? memrchr(whole.at, ' ', whole.size) : NULL;
    if (blank) whole = (mc_span){blank + 1, whole.size - (size_t)(blank + 1 - whole.at)};
    return whole;
}

// Of that the last part, or the last two.
static mc_span get_field_name(mc_span whole, bool has_class) {
    const char *dot = whole.size > 0 ? memrchr(whole.at, '.', whole.size) : NULL;
    if (dot && has_class) dot = memrchr(whole.at, '.', (size_t)(dot - whole.at));
    if (!dot) return whole;
    return (mc_span){dot + 1, whole.size - (size_t)(dot + 1 - whole.at)};
}

static bool is_text(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.at, wanted, text.size) == 0;
}

// A class's own fields are static but for those that all classes have.
uint32_t mc_heapgraph_types_get_label(mc_heapgraph_types *types, const mc_heapgraph_type *type,
                                      uint64_t field) {
    mc_span whole = find_text(types, MC_PERFETTO_TEXT, field);
    if (whole.size == 0) return 0;
    whole = skip_type(whole);
    mc_text_clear(&types->text);
    mc_perfetto_real_names_write_member(&types->real, whole, false, find_path(types, type),
                                        &types->text);
    whole = get_real(types, whole);
    if (types->text.failed) return MC_NONE;
    mc_span own = get_field_name(whole, true);
    bool is_static = is_class(type) && !begins_with(own, "Class.");
    bool is_reference = type && type->kind >= SOFT && type->kind <= PHANTOM;
    mc_span name = is_static ? own : get_field_name(whole, false);
    mc_heap_link_kind kind = MC_HEAP_LINK_FIELD;
    if (is_static) kind = MC_HEAP_LINK_STATIC;
    if (is_reference && is_text(name, "referent")) kind = MC_HEAP_LINK_WEAK;
    uint32_t text = mc_object_heap_add_text(types->heap, name.at, name.size);
    return text == MC_NONE ? MC_NONE
                           : mc_object_heap_find_label(types->heap, text, kind, is_static);
}

// ---- fields of a type

// False: memory is out.
static bool list_own(mc_heapgraph_types *types, const mc_heapgraph_type *of,
                     const mc_heapgraph_type *type, size_t begin) {
    mc_proto body = type->body;
    mc_proto_field part;
    uint64_t number;
    while (mc_proto_next(&body, &part)) {
        if (part.number != 6) continue;
        mc_proto numbers = mc_proto_begin_numbers(&part);
        while (mc_proto_next_number(&numbers, &part, &number)) {
            if (types->label_count - begin >= LABELS_MOST ||
                types->label_count >= types->label_most)
                return true;
            uint32_t label = mc_heapgraph_types_get_label(types, of, number);
            if (label == MC_NONE || !mc_reserve(&types->labels, &types->label_capacity,
                                                types->label_count + 1, sizeof label))
                return false;
            types->labels[types->label_count++] = label;
        }
    }
    return true;
}

uint32_t mc_heapgraph_types_list_labels(mc_heapgraph_types *types, mc_heapgraph_type *type) {
    if (type->labels != MC_NONE) return type->labels_count;
    const size_t begin = types->label_count;
    const mc_heapgraph_type *at = type;
    bool has_fields = type->kind < NO_REFERENCES || type->kind > ARRAY;
    if (begin >= MC_NONE - LABELS_MOST) return 0;
    for (uint32_t i = 0; has_fields && at && i < CLASSES_MOST; i++) {
        if (!list_own(types, type, at, begin)) return MC_NONE;
        at = at->superclass != 0 ? mc_heapgraph_types_find(types, at->superclass) : NULL;
    }
    type->labels = (uint32_t)begin;
    type->labels_count = (uint32_t)(types->label_count - begin);
    return type->labels_count;
}
