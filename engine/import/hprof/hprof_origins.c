#include "engine/import/hprof/hprof_origins.h"

#include "engine/base/memory.h"

// No heap has more; what has is not to cost more.
#define NAME_SIZE_MAX 1024 // of a package or module
#define MODULE_COUNT_MAX 4096
#define PACKAGE_COUNT_MAX 4096 // of a module
#define FIELD_COUNT_MAX 256    // of an object that is looked into, with inherited ones

// Objects that are looked for, by id or by class, and where their records are.
typedef struct object_search {
    const mc_hprof_file *file;
    const mc_hprof_batch *batches;
    size_t batch_count;
    const mc_hprof_classes *classes;
    mc_hprof_crew *crew;
    mc_error *error;
    mc_hprof_table wanted; // id -> offset, 0 while it is looked for
    uint64_t wanted_class; // all instances of it, too
    struct found_objects {
        mc_hprof_slot *items; // id and offset
        size_t count, capacity;
    } found[MC_HPROF_THREADS_MAX], all; // all: those of the wanted class
} object_search;

static mc_result search_batch(void *user, uint32_t worker, size_t task) {
    object_search *self = user;
    const mc_hprof_batch *batch = &self->batches[task];
    struct found_objects *found = &self->found[worker];
    for (size_t i = 0; i < batch->range_count; i++) {
        mc_hprof_range range = self->file->ranges[batch->first_range + i];
        mc_hprof_cursor cursor = {self->file->data + range.begin, self->file->data + range.end,
                                  self->file->id_size};
        mc_hprof_item item;
        mc_hprof_kind kind;
        while ((kind = mc_hprof_next(&cursor, &item)) != MC_HPROF_END && kind != MC_HPROF_CUT &&
               kind != MC_HPROF_BAD) {
            if (kind == MC_HPROF_ROOT || kind == MC_HPROF_CLASS) continue;
            bool is_of_class = kind == MC_HPROF_INSTANCE && item.class_id == self->wanted_class &&
                               self->wanted_class != 0;
            if (!is_of_class && mc_hprof_table_get(&self->wanted, item.id) == MC_HPROF_NO_VALUE)
                continue;
            if (!mc_reserve(&found->items, &found->capacity, found->count + 1,
                            sizeof *found->items))
                return MC_ERROR_OUT_OF_MEMORY;
            found->items[found->count++] =
                (mc_hprof_slot){item.id, (uint64_t)(item.begin - self->file->data)};
        }
    }
    mc_hprof_file_end_batch(self->file, batch, self->crew);
    return MC_OK;
}

static bool want(object_search *self, uint64_t id) {
    uint64_t *value = id == 0 ? NULL : mc_hprof_table_put(&self->wanted, id);
    if (value && *value == MC_HPROF_NO_VALUE) *value = 0;
    return value || id == 0;
}

static bool take_found(object_search *self, const struct found_objects *found) {
    for (size_t i = 0; i < found->count; i++) {
        const mc_hprof_slot *object = &found->items[i];
        if (mc_hprof_table_get(&self->wanted, object->key) != MC_HPROF_NO_VALUE) {
            uint64_t *offset = mc_hprof_table_put(&self->wanted, object->key);
            if (!offset) return false;
            if (*offset == 0 || object->value < *offset) *offset = object->value;
            continue;
        }
        if (self->all.count == MODULE_COUNT_MAX) continue;
        if (!mc_reserve(&self->all.items, &self->all.capacity, self->all.count + 1,
                        sizeof *self->all.items))
            return false;
        self->all.items[self->all.count++] = *object;
    }
    return true;
}

// One walk. What was found before stays.
static mc_result search_all(object_search *self) {
    mc_result result =
        mc_hprof_crew_run(self->crew, self->batch_count, search_batch, self, self->error);
    for (uint32_t i = 0; i < MC_HPROF_THREADS_MAX; i++) {
        if (result == MC_OK && !take_found(self, &self->found[i]))
            result = mc_error_out_of_memory(self->error);
        self->found[i].count = 0;
    }
    self->wanted_class = 0;
    return result;
}

static void deinit_search(object_search *self) {
    mc_hprof_table_deinit(&self->wanted);
    for (uint32_t i = 0; i < MC_HPROF_THREADS_MAX; i++)
        mc_free(self->found[i].items);
    mc_free(self->all.items);
}

// ---- reading objects that were found

static bool get_item(const object_search *self, uint64_t offset, mc_hprof_kind kind,
                     mc_hprof_item *item) {
    if (offset == 0 || offset == MC_HPROF_NO_VALUE) return false;
    mc_hprof_cursor cursor = {self->file->data + offset, self->file->data + self->file->size,
                              self->file->id_size};
    return mc_hprof_next(&cursor, item) == kind;
}

static bool is_text(const char *text, size_t size, const char *expected) {
    return text && strlen(expected) == size && memcmp(text, expected, size) == 0;
}

// The bytes of a field of an instance, by name and width; NULL: there is none.
static const unsigned char *get_field(const object_search *self, const mc_hprof_item *item,
                                      const char *name, uint32_t width) {
    const uint32_t id_size = self->file->id_size;
    uint64_t at = 0;
    uint32_t index = mc_hprof_classes_find(self->classes, item->class_id), left = FIELD_COUNT_MAX;
    while (index != MC_NONE) {
        const mc_hprof_class *class = &self->classes->items[index];
        for (uint32_t i = 0; i < class->own_field_count; i++) {
            if (left-- == 0) return NULL;
            const unsigned char *field = class->own_fields + (size_t)i * (id_size + 1);
            uint32_t size = mc_hprof_measure_type(field[id_size], id_size);
            size_t name_size = 0;
            const char *own =
                mc_hprof_file_get_string(self->file, mc_hprof_read_id(field, id_size), &name_size);
            if (size == width && is_text(own, name_size, name))
                return at + size <= item->data_size ? item->data + at : NULL;
            at += size;
        }
        index = class->ancestor;
    }
    return NULL;
}

static uint64_t get_reference(const object_search *self, uint64_t offset, const char *field) {
    mc_hprof_item item;
    if (!get_item(self, offset, MC_HPROF_INSTANCE, &item)) return 0;
    const unsigned char *at = get_field(self, &item, field, self->file->id_size);
    return at ? mc_hprof_read_id(at, self->file->id_size) : 0;
}

static uint64_t find_offset(const object_search *self, uint64_t id) {
    return mc_hprof_table_get(&self->wanted, id);
}

// Appends the text of a java.lang.String whose characters were looked for, if it is plain.
static bool get_string(const object_search *self, uint64_t id, mc_text *text) {
    mc_hprof_item array;
    uint64_t value = get_reference(self, find_offset(self, id), "value");
    mc_text_clear(text);
    if (!get_item(self, find_offset(self, value), MC_HPROF_PRIMITIVES, &array)) return false;
    uint32_t width = mc_hprof_measure_type(array.type, 0);
    if (width > 2 || array.data_size > NAME_SIZE_MAX) return false;
    for (uint64_t i = 0; i < array.data_size; i += width) {
        unsigned char byte = array.data[i + width - 1];
        if (byte < 0x20 || byte > 0x7e) return false;
        mc_text_append(text, (const char *)&byte, 1);
    }
    return text->size > 0;
}

// ---- loaders

static const char *get_short_name(const char *name, size_t size) {
    static const char *const names[][2] = {
        {"jdk/internal/loader/ClassLoaders$AppClassLoader", "app"},
        {"jdk/internal/loader/ClassLoaders$PlatformClassLoader", "platform"},
        {"sun/misc/Launcher$AppClassLoader", "app"},
        {"sun/misc/Launcher$ExtClassLoader", "platform"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_text(name, size, names[i][0])) return names[i][1];
    return NULL;
}

static bool name_loader(mc_hprof_origins *self, const object_search *search, uint64_t id,
                        mc_text *text) {
    mc_hprof_item item;
    uint64_t *name = mc_hprof_table_put(&self->loaders, id);
    if (!name) return false;
    *name = MC_NONE;
    if (!get_item(search, find_offset(search, id), MC_HPROF_INSTANCE, &item)) return true;
    uint32_t index = mc_hprof_classes_find(search->classes, item.class_id);
    const mc_hprof_class *class = index == MC_NONE ? NULL : &search->classes->items[index];
    if (!class || !class->name) return true;
    const char *known = get_short_name(class->name, class->name_size);
    size_t package_size;
    bool is_primitive;
    mc_text_clear(text);
    if (known)
        mc_text_append_string(text, known);
    else
        mc_class_name_append(text, class->name, class->name_size, &package_size, &is_primitive);
    if (text->failed) return false;
    *name = mc_strings_intern(&self->names, text->data, text->size);
    return *name != MC_NONE;
}

static mc_result find_loaders(mc_hprof_origins *self, object_search *search) {
    static const char bootstrap[] = "bootstrap";
    mc_text text = {0};
    bool is_done = true;
    for (uint32_t i = 0; i < search->classes->count && is_done; i++)
        is_done = want(search, search->classes->items[i].loader_id);
    mc_result result = is_done ? search_all(search) : mc_error_out_of_memory(search->error);
    for (uint32_t i = 0; i < search->classes->count && result == MC_OK; i++) {
        uint64_t id = search->classes->items[i].loader_id;
        bool is_known = mc_hprof_table_get(&self->loaders, id) != MC_HPROF_NO_VALUE;
        if (id != 0 && !is_known && !name_loader(self, search, id, &text))
            result = mc_error_out_of_memory(search->error);
    }
    mc_text_deinit(&text);
    if (result != MC_OK) return result;
    uint64_t *name = mc_hprof_table_put(&self->loaders, 0);
    if (name) *name = mc_strings_intern(&self->names, bootstrap, sizeof bootstrap - 1);
    return name && *name != MC_NONE ? MC_OK : mc_error_out_of_memory(search->error);
}

// ---- modules

static bool want_text(object_search *self, uint64_t string) {
    return want(self, get_reference(self, find_offset(self, string), "value"));
}

// The strings of a set as java.util.Set.of() makes it: element i, 0 behind the last.
static uint64_t get_element(const object_search *self, uint64_t set, uint32_t i, bool *is_last) {
    mc_hprof_item array;
    uint64_t offset = find_offset(self, set);
    uint64_t elements = get_reference(self, offset, "elements");
    *is_last = true;
    if (elements == 0) {
        *is_last = i >= 1;
        return i > 1 ? 0 : get_reference(self, offset, i == 0 ? "e0" : "e1");
    }
    if (!get_item(self, find_offset(self, elements), MC_HPROF_OBJECTS, &array)) return 0;
    if (i >= array.count || array.count > PACKAGE_COUNT_MAX) return 0;
    *is_last = i + 1 == array.count;
    return mc_hprof_read_id(array.data + (size_t)i * self->file->id_size, self->file->id_size);
}

// Calls want() for what stage `stage` of the search needs of a descriptor.
static bool want_of_descriptor(object_search *self, uint64_t descriptor, uint32_t stage) {
    uint64_t name = get_reference(self, descriptor, "name");
    uint64_t set = get_reference(self, descriptor, "packages");
    bool is_last = false, is_done = true;
    switch (stage) {
    case 0: return want(self, name) && want(self, set);
    case 1:
        return want_text(self, name) &&
               want(self, get_reference(self, find_offset(self, set), "elements"));
    default:
        for (uint32_t i = 0; !is_last && is_done; i++) {
            uint64_t string = get_element(self, set, i, &is_last);
            is_done = stage == 2 ? want(self, string) : want_text(self, string);
        }
        return is_done;
    }
}

static bool add_package(mc_hprof_origins *self, const mc_text *package, uint32_t module) {
    uint32_t count = self->packages.count;
    uint32_t index = mc_strings_intern(&self->packages, package->data, package->size);
    if (index == MC_NONE || !mc_reserve(&self->package_modules, &self->package_capacity,
                                        (size_t)index + 1, sizeof *self->package_modules))
        return false;
    if (index >= count) self->package_modules[index] = module;
    return true;
}

static bool add_module(mc_hprof_origins *self, const object_search *search, uint64_t descriptor,
                       mc_text *text) {
    uint64_t set = get_reference(search, descriptor, "packages");
    bool is_last = false, is_done = true;
    if (!get_string(search, get_reference(search, descriptor, "name"), text)) return !text->failed;
    uint32_t module = mc_strings_intern(&self->names, text->data, text->size);
    if (module == MC_NONE) return false;
    for (uint32_t i = 0; !is_last && is_done; i++) {
        uint64_t package = get_element(search, set, i, &is_last);
        if (get_string(search, package, text)) is_done = add_package(self, text, module);
    }
    return is_done && !text->failed;
}

static mc_result find_modules(mc_hprof_origins *self, object_search *search) {
    static const char descriptor[] = "java/lang/module/ModuleDescriptor";
    mc_text text = {0};
    search->wanted_class = 0;
    for (uint32_t i = 0; i < search->classes->count; i++) {
        const mc_hprof_class *class = &search->classes->items[i];
        if (is_text(class->name, class->name_size, descriptor)) search->wanted_class = class->id;
    }
    if (search->wanted_class == 0) return MC_OK; // a JVM without modules
    mc_result result = search_all(search);
    for (uint32_t stage = 0; stage < 4 && result == MC_OK; stage++) {
        for (size_t i = 0; i < search->all.count && result == MC_OK; i++)
            if (!want_of_descriptor(search, search->all.items[i].value, stage))
                result = mc_error_out_of_memory(search->error);
        if (result == MC_OK) result = search_all(search);
    }
    for (size_t i = 0; i < search->all.count && result == MC_OK; i++)
        if (!add_module(self, search, search->all.items[i].value, &text))
            result = mc_error_out_of_memory(search->error);
    mc_text_deinit(&text);
    return result;
}

mc_result mc_hprof_origins_find(mc_hprof_origins *origins, const mc_hprof_file *file,
                                const mc_hprof_batch *batches, size_t batch_count,
                                const mc_hprof_classes *classes, const mc_grouping *grouping,
                                mc_hprof_crew *crew, mc_error *error) {
    object_search search = {.file = file,
                            .batches = batches,
                            .batch_count = batch_count,
                            .classes = classes,
                            .crew = crew,
                            .error = error};
    mc_result result = MC_OK;
    if (mc_grouping_has(grouping, MC_GROUP_LOADER)) result = find_loaders(origins, &search);
    if (result == MC_OK && mc_grouping_has(grouping, MC_GROUP_MODULE))
        result = find_modules(origins, &search);
    deinit_search(&search);
    return result;
}

void mc_hprof_origins_deinit(mc_hprof_origins *origins) {
    mc_strings_deinit(&origins->names);
    mc_strings_deinit(&origins->packages);
    mc_hprof_table_deinit(&origins->loaders);
    mc_free(origins->package_modules);
    memset(origins, 0, sizeof *origins);
}

// ---- asking

static const char *find_module(const mc_hprof_origins *origins, const char *name, size_t size,
                               size_t *module_size) {
    mc_text text = {0};
    size_t package_size;
    bool is_primitive;
    const char *module = NULL;
    mc_class_name_append(&text, name, size, &package_size, &is_primitive);
    if (!text.failed && text.size > 0) {
        uint32_t package = is_primitive
                               ? mc_strings_find(&origins->packages, "java.lang", 9)
                               : mc_strings_find(&origins->packages, text.data, package_size);
        if (package != MC_NONE)
            module =
                mc_strings_get(&origins->names, origins->package_modules[package], module_size);
    }
    mc_text_deinit(&text);
    return module;
}

void mc_hprof_origins_add(const mc_hprof_origins *origins, uint64_t loader_id,
                          mc_class_place *place) {
    uint64_t loader = mc_hprof_table_get(&origins->loaders, loader_id);
    if (loader != MC_HPROF_NO_VALUE && loader != MC_NONE)
        place->loader = mc_strings_get(&origins->names, (uint32_t)loader, &place->loader_size);
    if (origins->packages.count > 0 && place->name)
        place->module = find_module(origins, place->name, place->name_size, &place->module_size);
}
