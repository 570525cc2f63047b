#include "engine/import/hprof/hprof_fields.h"

#include <string.h>

static bool is_weak(const mc_hprof_classes *classes, const mc_hprof_file *file, uint32_t class,
                    uint64_t name) {
    const mc_hprof_class *owner = &classes->items[class];
    size_t size = 0;
    if (!mc_hprof_is_text(owner->name, owner->name_size, "java/lang/ref/Reference")) return false;
    const char *text = mc_hprof_file_get_string(file, name, &size);
    return mc_hprof_is_text(text, size, "referent");
}

mc_hprof_field mc_hprof_get_instance_field(const mc_hprof_classes *classes,
                                           const mc_hprof_file *file, uint32_t class,
                                           uint32_t slot) {
    const mc_hprof_class *item = &classes->items[class];
    if (slot >= item->reference_count)
        return (mc_hprof_field){.kind = slot == item->reference_count ? MC_HPROF_FIELD_CLASS
                                                                      : MC_HPROF_FIELD_UNKNOWN,
                                .class = class};
    const mc_hprof_declaration *declared = &classes->declarations[item->reference_begin + slot];
    const unsigned char *field =
        classes->items[declared->class].own_fields + (size_t)declared->index * (file->id_size + 1);
    uint64_t name = mc_hprof_read_id(field, file->id_size);
    return (mc_hprof_field){.kind = MC_HPROF_FIELD_INSTANCE,
                            .class = declared->class,
                            .name = name,
                            .place = (uint64_t)(field - file->data),
                            .is_weak = is_weak(classes, file, declared->class, name)};
}

uint32_t mc_hprof_find_weak_slot(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                 uint32_t class) {
    const uint32_t id_size = file->id_size;
    // Instances that are shorter than their class says have fewer references than it.
    const uint32_t count = classes->items[class].reference_count;
    uint32_t slot = 0;
    for (uint32_t at = class; at != MC_NONE; at = classes->items[at].ancestor) {
        const mc_hprof_class *owner = &classes->items[at];
        for (uint32_t i = 0; i < owner->own_field_count && slot < count; i++) {
            const unsigned char *field = owner->own_fields + (size_t)i * (id_size + 1);
            if (field[id_size] != MC_HPROF_TYPE_OBJECT) continue;
            if (is_weak(classes, file, at, mc_hprof_read_id(field, id_size))) return slot;
            slot++;
        }
    }
    return MC_NONE;
}

// ---- class objects

// References in a list of values, `head` bytes before each type. *slot counts on.
static bool visit_values(const mc_hprof_file *file, const unsigned char *at, uint32_t count,
                         uint32_t head, uint32_t *slot,
                         bool (*visit)(void *user, uint32_t slot, uint64_t id), void *user) {
    const uint32_t id_size = file->id_size;
    const unsigned char *end = file->data + file->size;
    for (uint32_t i = 0; i < count; i++) {
        if (end - at < (ptrdiff_t)head + 1 + id_size) return true; // it has changed
        uint8_t type = at[head];
        at += head + 1;
        if (type == MC_HPROF_TYPE_OBJECT && !visit(user, (*slot)++, mc_hprof_read_id(at, id_size)))
            return false;
        at += mc_hprof_measure_type(type, id_size);
    }
    return true;
}

void mc_hprof_visit_class_slots(const mc_hprof_file *file, const mc_hprof_class_record *record,
                                bool (*visit)(void *user, uint32_t slot, uint64_t id), void *user) {
    uint32_t slot = MC_HPROF_CLASS_SLOTS;
    if (!visit(user, 0, record->loader_id) || !visit(user, 1, record->signers_id) ||
        !visit(user, 2, record->domain_id) || !visit(user, 3, record->super_id))
        return;
    if (visit_values(file, record->constants, record->constant_count, 2, &slot, visit, user))
        visit_values(file, record->statics, record->static_count, file->id_size, &slot, visit,
                     user);
}

static bool parse(const mc_hprof_classes *classes, const mc_hprof_file *file, uint32_t class,
                  mc_hprof_class_record *record) {
    uint64_t offset = classes->items[class].record;
    return offset != MC_HPROF_NO_VALUE &&
           mc_hprof_parse_class(file->data + offset + 1, file->data + file->size, file->id_size,
                                record) == MC_HPROF_CLASS;
}

static bool count_slot(void *user, uint32_t slot, uint64_t id) {
    uint32_t *count = user;
    (void)id;
    *count = slot + 1;
    return true;
}

uint32_t mc_hprof_count_class_slots(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                    uint32_t class) {
    mc_hprof_class_record record;
    uint32_t count = MC_HPROF_CLASS_SLOTS;
    if (parse(classes, file, class, &record))
        mc_hprof_visit_class_slots(file, &record, count_slot, &count);
    return count;
}

mc_hprof_field mc_hprof_get_class_field(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                        uint32_t class, uint32_t slot) {
    static const mc_hprof_field_kind kinds[MC_HPROF_CLASS_SLOTS] = {
        MC_HPROF_FIELD_LOADER, MC_HPROF_FIELD_SIGNERS, MC_HPROF_FIELD_DOMAIN,
        MC_HPROF_FIELD_SUPERCLASS};
    mc_hprof_field field = {.class = class};
    const mc_hprof_class *item = &classes->items[class];
    if (slot < MC_HPROF_CLASS_SLOTS) {
        field.kind = kinds[slot];
        return field;
    }
    slot -= MC_HPROF_CLASS_SLOTS;
    if (slot < item->constant_count) {
        field.kind = MC_HPROF_FIELD_CONSTANT;
        return field;
    }
    slot -= item->constant_count;
    if (slot >= item->static_count) return field;
    uint32_t place = classes->statics[item->static_begin + slot];
    field.name = mc_hprof_read_id(file->data + item->record + place, file->id_size);
    size_t size = 0;
    const char *name = mc_hprof_file_get_string(file, field.name, &size);
    // Where HotSpot keeps what the constant pool references.
    field.kind = mc_hprof_is_text(name, size, "<resolved_references>") ? MC_HPROF_FIELD_CONSTANT
                                                                       : MC_HPROF_FIELD_STATIC;
    return field;
}

// ---- names

void mc_hprof_append_class(const mc_hprof_classes *classes, uint32_t class, bool has_package,
                           mc_text *text) {
    const mc_hprof_class *item = &classes->items[class];
    size_t begin = text->size, package_size = 0;
    bool is_primitive;
    if (!item->name) {
        mc_text_append_string(text, "(unknown)");
        return;
    }
    mc_class_name_append(text, item->name, item->name_size, &package_size, &is_primitive);
    if (has_package || package_size == 0 || text->failed) return;
    size_t skipped = package_size + 1;
    memmove(text->data + begin, text->data + begin + skipped, text->size - begin - skipped + 1);
    text->size -= skipped;
}

static void append_string(const mc_hprof_file *file, uint64_t id, mc_text *text) {
    size_t size = 0;
    const char *name = mc_hprof_file_get_string(file, id, &size);
    if (name)
        mc_class_name_append(text, name, size, &(size_t){0}, &(bool){false});
    else
        mc_text_append_string(text, "(unknown)");
}

void mc_hprof_append_field(const mc_hprof_classes *classes, const mc_hprof_file *file,
                           const mc_hprof_field *field, bool has_package, mc_text *text) {
    if (field->class == MC_NONE)
        mc_text_append_string(text, "(unknown)");
    else
        mc_hprof_append_class(classes, field->class, has_package, text);
    switch (field->kind) {
    case MC_HPROF_FIELD_INSTANCE:
    case MC_HPROF_FIELD_STATIC:
        mc_text_append(text, ".", 1);
        append_string(file, field->name, text);
        break;
    case MC_HPROF_FIELD_ELEMENT: mc_text_append_string(text, " elements"); break;
    case MC_HPROF_FIELD_CLASS: mc_text_append_string(text, ".<class>"); break;
    case MC_HPROF_FIELD_LOADER: mc_text_append_string(text, ".<loader>"); break;
    case MC_HPROF_FIELD_SIGNERS: mc_text_append_string(text, ".<signers>"); break;
    case MC_HPROF_FIELD_DOMAIN: mc_text_append_string(text, ".<protection domain>"); break;
    case MC_HPROF_FIELD_SUPERCLASS: mc_text_append_string(text, ".<superclass>"); break;
    case MC_HPROF_FIELD_CONSTANT: mc_text_append_string(text, ".<constant pool>"); break;
    default: mc_text_append_string(text, ".(unknown)");
    }
}
