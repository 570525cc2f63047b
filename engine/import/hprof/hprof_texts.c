#include "engine/import/hprof/hprof_texts.h"

#include "engine/base/memory.h"

void mc_hprof_texts_deinit(mc_hprof_texts *texts) {
    mc_text_deinit(&texts->bytes);
    mc_free(texts->ends);
    *texts = (mc_hprof_texts){.count = 0};
}

bool mc_hprof_texts_end(mc_hprof_texts *texts) {
    size_t begin = texts->count > 0 ? texts->ends[texts->count - 1] : 0;
    if (texts->bytes.failed ||
        !mc_reserve(&texts->ends, &texts->capacity, texts->count + 1, sizeof *texts->ends))
        return false;
    size_t size = texts->bytes.size - begin;
    if (size > texts->longest) texts->longest = size;
    texts->ends[texts->count++] = texts->bytes.size;
    return true;
}

// ---- texts of all kinds

typedef struct lister {
    const mc_hprof_dump *dump;
    const mc_hprof_column *columns;
    uint32_t count;
    mc_row_form form;
    mc_hprof_texts *texts;
    mc_text scratch;
} lister;

static void append_class(const mc_class_place *place, mc_text *text) {
    if (place->name)
        mc_class_name_append(text, place->name, place->name_size, &(size_t){0}, &(bool){false});
    else
        mc_text_append_string(text, "(unknown)");
}

static void append_value(mc_hprof_column_kind column, const mc_class_place *place, const char *kind,
                         mc_text *text) {
    switch (column) {
    case MC_HPROF_COLUMN_KIND: mc_text_append_string(text, kind); break;
    case MC_HPROF_COLUMN_CLASS: append_class(place, text); break;
    case MC_HPROF_COLUMN_PACKAGE:
        mc_class_place_append_key(place, MC_GROUP_PACKAGE, true, text);
        break;
    case MC_HPROF_COLUMN_TYPE: mc_class_place_append_key(place, MC_GROUP_TYPE, true, text); break;
    case MC_HPROF_COLUMN_LOADER:
        mc_class_place_append_key(place, MC_GROUP_LOADER, true, text);
        break;
    default: mc_class_place_append_key(place, MC_GROUP_MODULE, true, text); break;
    }
}

static bool list_kind(lister *self, uint64_t loader_id, mc_class_place place, const char *kind) {
    const char separator = mc_row_get_separator(self->form);
    mc_hprof_origins_add(&self->dump->origins, loader_id, &place);
    for (uint32_t i = 0; i < self->count; i++) {
        mc_text_clear(&self->scratch);
        append_value(self->columns[i].kind, &place, kind, &self->scratch);
        if (self->scratch.failed) return false;
        mc_text_append(&self->texts->bytes, &separator, i > 0);
        mc_row_append_text(&self->texts->bytes, self->form,
                           self->scratch.data ? self->scratch.data : "", self->scratch.size);
    }
    return mc_hprof_texts_end(self->texts);
}

bool mc_hprof_texts_list_kinds(const mc_hprof_dump *dump, const mc_hprof_column *columns,
                               uint32_t count, mc_row_form form, mc_hprof_texts *texts) {
    static const char class_name[] = "java/lang/Class";
    static const char codes[MC_HPROF_TYPE_COUNT + 1] = "    ZCFDBSIJ";
    const mc_hprof_class *classes = dump->classes.items;
    lister self = {.dump = dump, .columns = columns, .count = count, .form = form, .texts = texts};
    bool is_done = true;
    for (uint32_t i = 0; i < dump->heap.kind_count && is_done; i++) {
        const mc_hprof_kind_meaning *meaning = &dump->kinds.meanings[i];
        char name[2] = {'['};
        switch (meaning->what) {
        case MC_HPROF_VERTEX_PRIMITIVES:
            name[1] = codes[meaning->class];
            is_done = list_kind(&self, 0, (mc_class_place){.name = name, .name_size = 2}, "array");
            break;
        case MC_HPROF_VERTEX_CLASS:
            is_done = list_kind(
                &self, 0, (mc_class_place){.name = class_name, .name_size = sizeof class_name - 1},
                "class");
            break;
        case MC_HPROF_VERTEX_INSTANCE:
        case MC_HPROF_VERTEX_OBJECTS:
            is_done = list_kind(&self, classes[meaning->class].loader_id,
                                (mc_class_place){.name = classes[meaning->class].name,
                                                 .name_size = classes[meaning->class].name_size},
                                meaning->what == MC_HPROF_VERTEX_INSTANCE ? "instance" : "array");
            break;
        default: is_done = list_kind(&self, 0, (mc_class_place){.name = NULL}, "array");
        }
    }
    mc_text_deinit(&self.scratch);
    return is_done;
}

bool mc_hprof_texts_intern_kinds(const mc_hprof_dump *dump, const mc_hprof_column *column,
                                 mc_strings *strings, uint32_t *of_kinds) {
    mc_hprof_texts texts = {0};
    bool is_done = mc_hprof_texts_list_kinds(dump, column, 1, MC_ROW_PLAIN, &texts);
    for (uint32_t i = 0; i < dump->heap.kind_count && is_done; i++) {
        size_t size;
        const char *text = mc_hprof_texts_get(&texts, i, &size);
        of_kinds[i] = mc_strings_intern(strings, text, size);
        is_done = of_kinds[i] != MC_NONE;
    }
    mc_hprof_texts_deinit(&texts);
    return is_done;
}
