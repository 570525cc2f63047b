#include "engine/import/hprof/hprof_origins.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_lookup.h"

#define PACKAGE_COUNT_MAX 4096 // of a module; no heap has more

// ---- loaders

static const char *get_short_name(const char *name, size_t size) {
    static const char *const names[][2] = {
        {"jdk/internal/loader/ClassLoaders$AppClassLoader", "app"},
        {"jdk/internal/loader/ClassLoaders$PlatformClassLoader", "platform"},
        {"sun/misc/Launcher$AppClassLoader", "app"},
        {"sun/misc/Launcher$ExtClassLoader", "platform"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mc_hprof_is_text(name, size, names[i][0])) return names[i][1];
    return NULL;
}

// The JVM's own, which live as long as it does.
static bool is_lasting(const char *name, size_t size) {
    return get_short_name(name, size) ||
           mc_hprof_is_text(name, size, "dalvik.system.PathClassLoader");
}

static bool name_loader(mc_hprof_origins *self, const mc_hprof_lookup *search, uint64_t id,
                        mc_text *text) {
    mc_hprof_item item;
    uint64_t *name = mc_hprof_table_put(&self->loaders, id);
    if (!name) return false;
    *name = MC_NONE;
    if (!mc_hprof_lookup_get_item(search, mc_hprof_lookup_get_offset(search, id), MC_HPROF_INSTANCE,
                                  &item))
        return true;
    uint32_t index = mc_hprof_classes_find(search->classes, item.class_id);
    const mc_hprof_class *class = index == MC_NONE ? NULL : &search->classes->items[index];
    if (!class || !class->name) return true;
    const char *known = get_short_name(class->name, class->name_size);
    if (!is_lasting(class->name, class->name_size)) {
        uint64_t *passing = mc_hprof_table_put(&self->passing, id);
        if (!passing) return false;
        *passing = 1;
    }
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

static mc_result find_loaders(mc_hprof_origins *self, mc_hprof_lookup *search) {
    static const char bootstrap[] = "bootstrap";
    mc_text text = {0};
    bool is_done = true;
    for (uint32_t i = 0; i < search->classes->count && is_done; i++)
        is_done = mc_hprof_lookup_want(search, search->classes->items[i].loader_id);
    mc_result result =
        is_done ? mc_hprof_lookup_run(search) : mc_error_out_of_memory(search->error);
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

static bool want_text(mc_hprof_lookup *self, uint64_t string) {
    return mc_hprof_lookup_want(self, mc_hprof_lookup_get_reference(
                                          self, mc_hprof_lookup_get_offset(self, string), "value"));
}

// The strings of a set as java.util.Set.of() makes it: element i, 0 behind the last.
static uint64_t get_element(const mc_hprof_lookup *self, uint64_t set, uint32_t i, bool *is_last) {
    mc_hprof_item array;
    uint64_t offset = mc_hprof_lookup_get_offset(self, set);
    uint64_t elements = mc_hprof_lookup_get_reference(self, offset, "elements");
    *is_last = true;
    if (elements == 0) {
        *is_last = i >= 1;
        return i > 1 ? 0 : mc_hprof_lookup_get_reference(self, offset, i == 0 ? "e0" : "e1");
    }
    if (!mc_hprof_lookup_get_item(self, mc_hprof_lookup_get_offset(self, elements),
                                  MC_HPROF_OBJECTS, &array))
        return 0;
    if (i >= array.count || array.count > PACKAGE_COUNT_MAX) return 0;
    *is_last = i + 1 == array.count;
    return mc_hprof_read_id(array.data + (size_t)i * self->file->id_size, self->file->id_size);
}

// Wants what stage `stage` of the search needs of a descriptor.
static bool want_of_descriptor(mc_hprof_lookup *self, uint64_t descriptor, uint32_t stage) {
    uint64_t name = mc_hprof_lookup_get_reference(self, descriptor, "name");
    uint64_t set = mc_hprof_lookup_get_reference(self, descriptor, "packages");
    bool is_last = false, is_done = true;
    switch (stage) {
    case 0: return mc_hprof_lookup_want(self, name) && mc_hprof_lookup_want(self, set);
    case 1:
        return want_text(self, name) &&
               mc_hprof_lookup_want(
                   self, mc_hprof_lookup_get_reference(self, mc_hprof_lookup_get_offset(self, set),
                                                       "elements"));
    default:
        for (uint32_t i = 0; !is_last && is_done; i++) {
            uint64_t string = get_element(self, set, i, &is_last);
            is_done = stage == 2 ? mc_hprof_lookup_want(self, string) : want_text(self, string);
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

static bool add_module(mc_hprof_origins *self, const mc_hprof_lookup *search, uint64_t descriptor,
                       mc_text *text) {
    uint64_t set = mc_hprof_lookup_get_reference(search, descriptor, "packages");
    bool is_last = false, is_done = true;
    if (!mc_hprof_lookup_get_string(
            search, mc_hprof_lookup_get_reference(search, descriptor, "name"), text))
        return !text->failed;
    uint32_t module = mc_strings_intern(&self->names, text->data, text->size);
    if (module == MC_NONE) return false;
    for (uint32_t i = 0; !is_last && is_done; i++) {
        uint64_t package = get_element(search, set, i, &is_last);
        if (mc_hprof_lookup_get_string(search, package, text))
            is_done = add_package(self, text, module);
    }
    return is_done && !text->failed;
}

static mc_result find_modules(mc_hprof_origins *self, mc_hprof_lookup *search) {
    static const char descriptor[] = "java/lang/module/ModuleDescriptor";
    mc_text text = {0};
    search->wanted_class = 0;
    for (uint32_t i = 0; i < search->classes->count; i++) {
        const mc_hprof_class *class = &search->classes->items[i];
        if (mc_hprof_is_text(class->name, class->name_size, descriptor))
            search->wanted_class = class->id;
    }
    if (search->wanted_class == 0) return MC_OK; // a JVM without modules
    mc_result result = mc_hprof_lookup_run(search);
    for (uint32_t stage = 0; stage < 4 && result == MC_OK; stage++) {
        for (size_t i = 0; i < search->all.count && result == MC_OK; i++)
            if (!want_of_descriptor(search, search->all.items[i].value, stage))
                result = mc_error_out_of_memory(search->error);
        if (result == MC_OK) result = mc_hprof_lookup_run(search);
    }
    for (size_t i = 0; i < search->all.count && result == MC_OK; i++)
        if (!add_module(self, search, search->all.items[i].value, &text))
            result = mc_error_out_of_memory(search->error);
    mc_text_deinit(&text);
    return result;
}

mc_result mc_hprof_origins_find(mc_hprof_origins *origins, const mc_hprof_file *file,
                                const mc_hprof_batch *batches, size_t batch_count,
                                const mc_hprof_span *spans, const mc_hprof_classes *classes,
                                const mc_grouping *grouping, bool has_loaders, mc_hprof_crew *crew,
                                mc_error *error) {
    mc_hprof_lookup search = {.file = file,
                              .batches = batches,
                              .batch_count = batch_count,
                              .spans = spans,
                              .classes = classes,
                              .crew = crew,
                              .error = error};
    mc_result result = MC_OK;
    origins->grouping = mc_grouping_without(grouping, MC_GROUP_STRUCTURE);
    if (has_loaders || mc_grouping_has(grouping, MC_GROUP_LOADER))
        result = find_loaders(origins, &search);
    if (result == MC_OK && mc_grouping_has(grouping, MC_GROUP_MODULE))
        result = find_modules(origins, &search);
    mc_hprof_lookup_deinit(&search);
    return result;
}

void mc_hprof_origins_deinit(mc_hprof_origins *origins) {
    mc_strings_deinit(&origins->names);
    mc_strings_deinit(&origins->packages);
    mc_hprof_table_deinit(&origins->loaders);
    mc_hprof_table_deinit(&origins->passing);
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

bool mc_hprof_origins_may_go(const mc_hprof_origins *origins, uint64_t loader_id) {
    return mc_hprof_table_get(&origins->passing, loader_id) != MC_HPROF_NO_VALUE;
}

// Reflection makes loaders of its own, for a class each.
bool mc_hprof_origins_is_program(const mc_hprof_origins *origins, uint64_t loader_id) {
    static const char *const own[] = {"platform", "jdk.internal.reflect.DelegatingClassLoader",
                                      "sun.reflect.DelegatingClassLoader"};
    uint64_t loader = mc_hprof_table_get(&origins->loaders, loader_id);
    size_t size;
    if (loader_id == 0) return false;
    if (loader == MC_HPROF_NO_VALUE || loader == MC_NONE) return true;
    const char *name = mc_strings_get(&origins->names, (uint32_t)loader, &size);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i]) == size && memcmp(own[i], name, size) == 0) return false;
    return true;
}

void mc_hprof_origins_add(const mc_hprof_origins *origins, uint64_t loader_id,
                          mc_class_place *place) {
    uint64_t loader = mc_hprof_table_get(&origins->loaders, loader_id);
    if (loader != MC_HPROF_NO_VALUE && loader != MC_NONE)
        place->loader = mc_strings_get(&origins->names, (uint32_t)loader, &place->loader_size);
    if (origins->packages.count > 0 && place->name)
        place->module = find_module(origins, place->name, place->name_size, &place->module_size);
}
