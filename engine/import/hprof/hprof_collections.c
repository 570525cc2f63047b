#include "engine/import/hprof/hprof_collections.h"

#include "engine/base/memory.h"
#include "engine/import/jvm/class_pattern.h"
#include <string.h>

static const char *const listed[] = {
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/Vector",
    "java/util/ArrayDeque",
    "java/util/PriorityQueue",
    "java/util/HashMap",
    "java/util/TreeMap",
    "java/util/Hashtable",
    "java/util/Properties",
    "java/util/IdentityHashMap",
    "java/util/WeakHashMap",
    "java/util/EnumMap",
    "java/util/RegularEnumSet",
    "java/util/JumboEnumSet",
    "java/util/HashSet",
    "java/util/TreeSet",
    "java/util/Arrays$ArrayList",
    "java/util/Collections$*",
    "java/util/ImmutableCollections$*",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentSkipListMap",
    "java/util/concurrent/ConcurrentSkipListSet",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/CopyOnWriteArraySet",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/PriorityBlockingQueue",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/DelayQueue",
    "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
    "java/lang/ThreadLocal$ThreadLocalMap",
};

static bool is_listed(const char *name, size_t size, const char *patterns) {
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (mc_class_pattern_matches(listed[i], name, size)) return true;
    return mc_class_pattern_matches(patterns, name, size);
}

bool mc_hprof_is_listed(const mc_hprof_class *class, const char *patterns) {
    return class->name && is_listed(class->name, class->name_size, patterns);
}

bool mc_hprof_is_in_listed(const mc_hprof_class *class, const char *patterns) {
    for (size_t i = 1; class->name && i < class->name_size; i++)
        if (class->name[i] == '$' && is_listed(class->name, i, patterns)) return true;
    return false;
}

bool *mc_hprof_list_collections(const mc_hprof_classes *classes, const char *patterns) {
    bool *is_collection = mc_alloc_scattered((size_t)classes->count + 1, sizeof *is_collection);
    for (uint32_t i = 0; is_collection && i < classes->count; i++) {
        uint32_t index = classes->supers_first[i], super = classes->items[index].super;
        is_collection[index] = (super != MC_NONE && is_collection[super]) ||
                               mc_hprof_is_listed(&classes->items[index], patterns);
    }
    return is_collection;
}

// ---- emptiness

typedef struct size_field {
    const char *class, *first, *second;
} size_field;

static const size_field size_fields[] = {
    {"java/util/ArrayList", "size", NULL},
    {"java/util/LinkedList", "size", NULL},
    {"java/util/Vector", "elementCount", NULL},
    {"java/util/PriorityQueue", "size", NULL},
    {"java/util/HashMap", "size", NULL},
    {"java/util/TreeMap", "size", NULL},
    {"java/util/Hashtable", "count", NULL},
    {"java/util/IdentityHashMap", "size", NULL},
    {"java/util/WeakHashMap", "size", NULL},
    {"java/util/EnumMap", "size", NULL},
    {"java/util/ArrayDeque", "head", "tail"},
    {"java/util/concurrent/ArrayBlockingQueue", "count", NULL},
};

enum { TYPE_BYTE = 8, TYPE_INT = 10 };

// Where in an instance of `class` a field is that it declares itself, if it is `owner`.
static uint32_t find_field(const mc_hprof_class *class, const mc_hprof_file *file,
                           const char *owner, const char *name, uint8_t type) {
    const uint32_t id_size = file->id_size;
    uint32_t offset = 0;
    if (!name || !class->name || !mc_class_pattern_matches(owner, class->name, class->name_size))
        return MC_NONE;
    for (uint32_t i = 0; i < class->own_field_count; i++) {
        const unsigned char *field = class->own_fields + (size_t)i * (id_size + 1);
        size_t size = 0;
        const char *text = mc_hprof_file_get_string(file, mc_hprof_read_id(field, id_size), &size);
        if (text && field[id_size] == type && mc_class_pattern_matches(name, text, size))
            return offset;
        offset += mc_hprof_measure_type(field[id_size], id_size);
    }
    return MC_NONE;
}

// What the superclass has comes behind a class's own fields.
static uint32_t inherit(const mc_hprof_class *class, uint32_t own, uint32_t of_super) {
    if (own != MC_NONE || of_super == MC_NONE) return own;
    return class->own_size < MC_NONE - of_super ? of_super + (uint32_t) class->own_size : MC_NONE;
}

mc_hprof_emptiness mc_hprof_get_emptiness(const mc_hprof_class *class, const mc_hprof_file *file,
                                          const mc_hprof_emptiness *of_super) {
    for (size_t i = 0; i < sizeof size_fields / sizeof *size_fields; i++) {
        const size_field *field = &size_fields[i];
        uint32_t first = find_field(class, file, field->class, field->first, TYPE_INT);
        if (first != MC_NONE)
            return (mc_hprof_emptiness){
                first, find_field(class, file, field->class, field->second, TYPE_INT)};
    }
    if (!of_super) return (mc_hprof_emptiness){MC_NONE, MC_NONE};
    return (mc_hprof_emptiness){inherit(class, MC_NONE, of_super->first),
                                inherit(class, MC_NONE, of_super->second)};
}

// ---- builders

mc_hprof_builder mc_hprof_get_builder(const mc_hprof_class *class, const mc_hprof_file *file,
                                      const mc_hprof_builder *of_super) {
    static const char owner[] = "java/lang/AbstractStringBuilder";
    static const mc_hprof_builder none = {MC_NONE, MC_NONE, MC_NONE};
    uint32_t value = find_field(class, file, owner, "value", MC_HPROF_TYPE_OBJECT);
    uint32_t count = find_field(class, file, owner, "count", TYPE_INT);
    uint32_t coder = find_field(class, file, owner, "coder", TYPE_BYTE);
    if (!of_super) of_super = &none;
    return (mc_hprof_builder){.value = inherit(class, value, of_super->value),
                              .count = inherit(class, count, of_super->count),
                              .coder = inherit(class, coder, of_super->coder)};
}
