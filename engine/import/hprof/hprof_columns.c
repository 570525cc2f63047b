#include "engine/import/hprof/hprof_columns.h"

#include "engine/base/nearest.h"
#include <string.h>

typedef struct column_info {
    const char *name, *help;
    bool is_of_object, is_of_reference, has_ends;
} column_info;

static const column_info infos[MC_HPROF_COLUMN_KIND_COUNT] = {
    [MC_HPROF_COLUMN_TIME] = {"time", "of the dump, in ms since 1970", true, true, false},
    [MC_HPROF_COLUMN_ADDRESS] = {"address", "the object's, a number; no other object has it", true,
                                 true, true},
    [MC_HPROF_COLUMN_KIND] = {"kind", "instance, array or class", true, true, true},
    [MC_HPROF_COLUMN_CLASS] = {"class", "java.util.HashMap$Node[]", true, true, true},
    [MC_HPROF_COLUMN_PACKAGE] = {"package", "java.util, (primitive) or (default)", true, true,
                                 true},
    [MC_HPROF_COLUMN_TYPE] = {"type", "HashMap$Node[]", true, true, true},
    [MC_HPROF_COLUMN_LOADER] = {"loader", "of the class: bootstrap, platform, app, or its type",
                                true, true, true},
    [MC_HPROF_COLUMN_MODULE] = {"module", "of the class", true, true, true},
    [MC_HPROF_COLUMN_STRUCTURE] = {"datastructure", "the collection that it belongs to", true,
                                   false, false},
    [MC_HPROF_COLUMN_BYTES] = {"bytes", "what it takes by itself", true, false, false},
    [MC_HPROF_COLUMN_LENGTH] = {"length", "an array's elements; of others nothing", true, false,
                                false},
    [MC_HPROF_COLUMN_VALUE] = {"value",
                               "numbers in its fields as JSON, the characters of a char[] or "
                               "byte[], or which class it is; of others nothing",
                               true, false, false},
    [MC_HPROF_COLUMN_ROOT] = {"root", "the kinds of GC roots that name it, or nothing", true, false,
                              false},
    [MC_HPROF_COLUMN_RETAINED] = {"retained", "bytes that go if it goes; 0: nothing reaches it",
                                  true, false, false},
    [MC_HPROF_COLUMN_RETAINED_OBJECTS] = {"retained_objects", "likewise objects", true, false,
                                          false},
    [MC_HPROF_COLUMN_DOMINATOR] = {"dominator",
                                   "address of the nearest object that alone keeps it, or nothing",
                                   true, false, false},
    [MC_HPROF_COLUMN_DOMINATOR_CLASS] = {"dominator_class",
                                         "of that; (roots) if none does, (pending finalizers), "
                                         "(soft references) if but these keep it, (none) if "
                                         "nothing reaches it",
                                         true, false, false},
    [MC_HPROF_COLUMN_FIELD] = {"field", "Shop.cache, Object[] elements, static Shop.MAP", false,
                               true, false},
    [MC_HPROF_COLUMN_WEAK] = {"weak", "1 if it keeps nothing alive, else 0", false, true, false},
};

static const char *const prefixes[2] = {"from_", "to_"};
enum { MOST_NAMES = 2 * MC_HPROF_COLUMN_KIND_COUNT };

static const char usual[] = "address,kind,class,package,type,bytes,length";
static const char usual_references[] = "from_address,from_class,field,to_address,to_class,weak";

// All that there are, in the table's order, both ends of a reference one after the other.
static uint32_t list_columns(bool is_references, mc_hprof_column *columns) {
    uint32_t count = 0;
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t i = 0; i < MC_HPROF_COLUMN_KIND_COUNT; i++) {
            const column_info *info = &infos[i];
            bool is_there = is_references ? info->is_of_reference : info->is_of_object;
            if (is_there && (end == 0 || (is_references && info->has_ends)))
                columns[count++] = (mc_hprof_column){(mc_hprof_column_kind)i, end};
        }
    return count;
}

static void append_name(const mc_hprof_column *column, bool is_references, mc_text *text) {
    const column_info *info = &infos[column->kind];
    if (is_references && info->has_ends) mc_text_append_string(text, prefixes[column->end]);
    mc_text_append_string(text, info->name);
}

void mc_hprof_column_append_name(const mc_hprof_columns *columns, const mc_hprof_column *column,
                                 mc_text *text) {
    append_name(column, columns->is_references, text);
}

bool mc_hprof_columns_describe(uint32_t index, bool is_references, mc_text *name,
                               const char **help) {
    mc_hprof_column all[MOST_NAMES];
    if (index >= list_columns(is_references, all)) return false;
    append_name(&all[index], is_references, name);
    *help = infos[all[index].kind].help;
    return true;
}

// ---- reading

static mc_result say_unknown(const char *word, size_t size, bool is_references, mc_error *error) {
    mc_hprof_column all[MOST_NAMES];
    const char *names[MOST_NAMES];
    mc_text list = {0}, joined = {0};
    uint32_t count = list_columns(is_references, all);
    size_t begins[MOST_NAMES];
    for (uint32_t i = 0; i < count; i++) {
        begins[i] = list.size;
        append_name(&all[i], is_references, &list);
        mc_text_append(&list, "", 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        names[i] = list.failed ? "" : list.data + begins[i];
        mc_text_append_string(&joined, i > 0 ? ", " : "");
        mc_text_append_string(&joined, names[i]);
    }
    const char *meant = mc_find_nearest(word, size, names, count);
    mc_fail(error, MC_ERROR_BAD_DATA, "no column \"%.*s\"%s%s%s; there are %s",
            (int)(size < 100 ? size : 100), word, meant ? "; did you mean " : "",
            meant ? meant : "", meant ? "?" : "", joined.failed ? "others" : joined.data);
    mc_text_deinit(&list);
    mc_text_deinit(&joined);
    return MC_ERROR_BAD_DATA;
}

static bool find_column(const char *word, size_t size, bool is_references,
                        mc_hprof_column *column) {
    mc_hprof_column all[MOST_NAMES];
    mc_text name = {0};
    bool is_found = false;
    uint32_t count = list_columns(is_references, all);
    for (uint32_t i = 0; i < count && !is_found; i++) {
        mc_text_clear(&name);
        append_name(&all[i], is_references, &name);
        is_found = !name.failed && name.size == size && memcmp(name.data, word, size) == 0;
        *column = all[i];
    }
    mc_text_deinit(&name);
    return is_found;
}

static bool has_column(const mc_hprof_columns *columns, const mc_hprof_column *column) {
    for (uint32_t i = 0; i < columns->count; i++)
        if (columns->items[i].kind == column->kind && columns->items[i].end == column->end)
            return true;
    return false;
}

mc_result mc_hprof_columns_parse(const char *list, bool is_references, mc_hprof_columns *columns,
                                 mc_error *error) {
    *columns = (mc_hprof_columns){.is_references = is_references};
    if (!list) list = is_references ? usual_references : usual;
    for (const char *at = list;; at++) {
        size_t size = strcspn(at, ",");
        mc_hprof_column column;
        if (!find_column(at, size, is_references, &column))
            return say_unknown(at, size, is_references, error);
        if (has_column(columns, &column))
            return mc_fail(error, MC_ERROR_BAD_DATA, "%.*s is there twice in \"%.200s\"", (int)size,
                           at, list);
        columns->items[columns->count++] = column; // there are fewer columns than room
        at += size;
        if (*at == '\0') return MC_OK;
    }
}

bool mc_hprof_columns_has(const mc_hprof_columns *columns, mc_hprof_column_kind kind) {
    for (uint32_t i = 0; i < columns->count; i++)
        if (columns->items[i].kind == kind) return true;
    return false;
}

void mc_hprof_columns_get_desc(const mc_hprof_columns *columns, mc_grouping *grouping,
                               mc_heap_desc *desc) {
    static const struct {
        mc_hprof_column_kind column;
        mc_group_criterion criterion;
    } criteria[] = {{MC_HPROF_COLUMN_STRUCTURE, MC_GROUP_STRUCTURE},
                    {MC_HPROF_COLUMN_LOADER, MC_GROUP_LOADER},
                    {MC_HPROF_COLUMN_MODULE, MC_GROUP_MODULE}};
    *grouping = (mc_grouping){.count = 0};
    for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++)
        if (mc_hprof_columns_has(columns, criteria[i].column))
            grouping->criteria[grouping->count++] = criteria[i].criterion;
    desc->grouping = grouping;
    desc->has_references = columns->is_references;
    desc->has_graph = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_STRUCTURE) ||
                      mc_hprof_columns_has(columns, MC_HPROF_COLUMN_RETAINED) ||
                      mc_hprof_columns_has(columns, MC_HPROF_COLUMN_RETAINED_OBJECTS) ||
                      mc_hprof_columns_has(columns, MC_HPROF_COLUMN_DOMINATOR) ||
                      mc_hprof_columns_has(columns, MC_HPROF_COLUMN_DOMINATOR_CLASS);
}
