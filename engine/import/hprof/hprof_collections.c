#include "engine/import/hprof/hprof_collections.h"

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

bool mc_hprof_is_collection(const mc_hprof_classes *classes, uint32_t class, const char *patterns) {
    for (; class != MC_NONE; class = classes->items[class].super)
        if (mc_hprof_is_listed(&classes->items[class], patterns)) return true;
    return false;
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

// Where in an instance of `class` a field is that one of its superclasses, or it itself, declares.
static uint32_t find_field(const mc_hprof_classes *classes, const mc_hprof_file *file,
                           uint32_t class, const char *owner, const char *name, uint8_t type) {
    const uint32_t id_size = file->id_size;
    uint32_t offset = 0;
    if (!name) return MC_NONE;
    for (uint32_t at = class; at != MC_NONE; at = classes->items[at].ancestor) {
        const mc_hprof_class *item = &classes->items[at];
        bool is_owner = item->name && mc_class_pattern_matches(owner, item->name, item->name_size);
        for (uint32_t i = 0; i < item->own_field_count; i++) {
            const unsigned char *field = item->own_fields + (size_t)i * (id_size + 1);
            size_t size = 0;
            const char *text =
                is_owner ? mc_hprof_file_get_string(file, mc_hprof_read_id(field, id_size), &size)
                         : NULL;
            if (text && field[id_size] == type && mc_class_pattern_matches(name, text, size))
                return offset;
            offset += mc_hprof_measure_type(field[id_size], id_size);
        }
    }
    return MC_NONE;
}

mc_hprof_emptiness mc_hprof_get_emptiness(const mc_hprof_classes *classes,
                                          const mc_hprof_file *file, uint32_t class) {
    for (size_t i = 0; i < sizeof size_fields / sizeof *size_fields; i++) {
        const size_field *field = &size_fields[i];
        uint32_t first = find_field(classes, file, class, field->class, field->first, TYPE_INT);
        if (first != MC_NONE)
            return (mc_hprof_emptiness){
                first, find_field(classes, file, class, field->class, field->second, TYPE_INT)};
    }
    return (mc_hprof_emptiness){MC_NONE, MC_NONE};
}

// ---- builders

mc_hprof_builder mc_hprof_get_builder(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                      uint32_t class) {
    static const char owner[] = "java/lang/AbstractStringBuilder";
    return (mc_hprof_builder){
        .value = find_field(classes, file, class, owner, "value", MC_HPROF_TYPE_OBJECT),
        .count = find_field(classes, file, class, owner, "count", TYPE_INT),
        .coder = find_field(classes, file, class, owner, "coder", TYPE_BYTE)};
}
