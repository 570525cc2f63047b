#include "app/query/table.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(columns) (sizeof(columns) / sizeof *(columns))

// ---- references between leaves

static const mc_query_column ref_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"from_node", MC_QUERY_NODE, 0, "leaf with the references"},
    {"from_key", MC_QUERY_KEY, 1, "its full key"},
    {"to_node", MC_QUERY_NODE, 0, "leaf that they lead to"},
    {"to_key", MC_QUERY_KEY, 3, "its full key"},
    {"points_to", MC_QUERY_INTEGER, 0, "objects of `to` that objects of `from` reference"},
    {"pointed_from", MC_QUERY_INTEGER, 0, "objects of `from` that reference objects of `to`"},
};

// What a step's input does not say is not 0.
static uint64_t get_known(const mc_step_info *step, mc_reference_direction direction,
                          uint64_t count) {
    return step->directions >> direction & 1 ? count : MC_QUERY_NULL;
}

static mc_result fill_refs(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                           mc_error *error) {
    const mc_step_info *step = mc_trace_get_step(source->trace, part->step);
    mc_reference_rows references = {0};
    mc_result result = mc_trace_read_references(source->trace, part->step, &references, error);
    bool is_whole = true;
    for (uint32_t i = 0; i < references.count && result == MC_OK && is_whole; i++) {
        const mc_reference *item = &references.items[i];
        const uint64_t words[COUNT_OF(ref_columns)] = {
            part->step,
            item->from,
            0,
            item->to,
            0,
            get_known(step, MC_POINTS_TO, item->points_to),
            get_known(step, MC_POINTED_FROM, item->pointed_from)};
        is_whole = mc_query_rows_add(rows, words);
    }
    mc_reference_rows_deinit(&references);
    return is_whole ? result : mc_error_out_of_memory(error);
}

const mc_query_table mc_query_table_refs = {
    .name = "refs",
    .help = "references between leaves, in numbers of objects",
    .columns = ref_columns,
    .column_count = COUNT_OF(ref_columns),
    .parts = MC_QUERY_BY_STEP,
    .of = MC_QUERY_OF_REFERENCES,
    .fill = fill_refs,
};

// ---- fields

static const mc_query_column field_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"from_node", MC_QUERY_NODE, 0, "leaf whose objects have the field"},
    {"from_key", MC_QUERY_KEY, 1, "its full key"},
    {"to_node", MC_QUERY_NODE, 0, "leaf that it references"},
    {"to_key", MC_QUERY_KEY, 3, "its full key"},
    {"field", MC_QUERY_STRING, 0, "Shop.cache, Object[] elements, static Shop.MAP"},
    {"is_weak", MC_QUERY_INTEGER, 0, "1: keeps nothing alive"},
    {"count", MC_QUERY_INTEGER, 0, "references"},
};

static mc_result fill_fields(mc_query_source *source, const mc_query_part *part,
                             mc_query_rows *rows, mc_error *error) {
    mc_field_rows fields = {0};
    mc_result result = mc_trace_read_fields(source->trace, part->step, &fields, error);
    bool is_whole = true;
    for (uint32_t i = 0; i < fields.count && result == MC_OK && is_whole; i++) {
        const mc_field_count *item = &fields.items[i];
        const uint64_t words[COUNT_OF(field_columns)] = {
            part->step, item->from, 0, item->to, 0, item->name, item->is_weak, item->count};
        is_whole = mc_query_rows_add(rows, words);
    }
    mc_field_rows_deinit(&fields);
    return is_whole ? result : mc_error_out_of_memory(error);
}

const mc_query_table mc_query_table_fields = {
    .name = "fields",
    .help = "fields by which leaves reference each other",
    .columns = field_columns,
    .column_count = COUNT_OF(field_columns),
    .parts = MC_QUERY_BY_STEP,
    .of = MC_QUERY_OF_FIELDS,
    .fill = fill_fields,
};

// ---- GC roots

static const mc_query_column root_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"node", MC_QUERY_NODE, 0, "leaf whose objects the roots reference"},
    {"key", MC_QUERY_KEY, 1, "its full key"},
    {"kind", MC_QUERY_TEXT, 0, "static field, thread stack, JNI global, …"},
    {"name", MC_QUERY_STRING, 0, "static com.acme.Shop.CACHE; NULL: all others of the kind"},
    {"roots", MC_QUERY_INTEGER, 0, "how many"},
};

static mc_result fill_roots(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                            mc_error *error) {
    mc_root_rows roots = {0};
    mc_result result = mc_trace_read_roots(source->trace, part->step, &roots, error);
    bool failed = false;
    for (uint32_t i = 0; i < roots.count && result == MC_OK && !failed; i++) {
        const mc_root_count *item = &roots.items[i];
        const char *kind = mc_root_kind_names[item->kind];
        const uint64_t words[COUNT_OF(root_columns)] = {
            part->step,
            item->node,
            0,
            mc_query_rows_intern(rows, kind, strlen(kind), &failed),
            mc_query_pack_index(item->name),
            item->count};
        failed = failed || !mc_query_rows_add(rows, words);
    }
    mc_root_rows_deinit(&roots);
    return failed ? mc_error_out_of_memory(error) : result;
}

const mc_query_table mc_query_table_roots = {
    .name = "roots",
    .help = "GC roots that reference leaves directly",
    .columns = root_columns,
    .column_count = COUNT_OF(root_columns),
    .parts = MC_QUERY_BY_STEP,
    .of = MC_QUERY_OF_ROOTS,
    .fill = fill_roots,
};

// ---- retaining paths

enum { PATH_WAY = 4 };

static const mc_query_column path_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"node", MC_QUERY_NODE, 0, "group that is held"},
    {"key", MC_QUERY_KEY, 1, "its full key"},
    {"id", MC_QUERY_INTEGER, 0, "of the path; NULL: the GC roots themselves"},
    {"way", MC_QUERY_TEXT, 0, "classes and fields from a GC root on"},
    {"field", MC_QUERY_STRING, 0, "of the way's end"},
    {"class", MC_QUERY_STRING, 0, "likewise"},
    {"parent", MC_QUERY_INTEGER, 0, "path above; NULL: the GC roots"},
    {"objects", MC_QUERY_INTEGER, 0, "of the group, at or below this way"},
    {"bytes", MC_QUERY_INTEGER, 0, "that they retain"},
    {"own_objects", MC_QUERY_INTEGER, 0, "of the group, that end here"},
    {"own_bytes", MC_QUERY_INTEGER, 0, "that they retain"},
    {"is_folded", MC_QUERY_INTEGER, 0, "1: behind some of them there are more of the group"},
};

static void append_hop(const mc_trace *trace, uint32_t field, uint32_t class, const char *separator,
                       mc_text *out) {
    size_t size;
    const char *text;
    if (field != MC_NONE) {
        text = mc_trace_get_string(trace, field, &size);
        mc_text_append(out, text, size);
        mc_text_append_string(out, separator);
    }
    text = mc_trace_get_string(trace, class, &size);
    mc_text_append(out, text, size);
}

enum { MOST_HOPS = 4096 }; // of a way; longer ones begin with "…"

static void append_way(const mc_trace *trace, uint32_t path, mc_text *out) {
    uint32_t hops[MOST_HOPS], count = 0, all;
    const mc_retaining_path *paths = mc_trace_get_paths(trace, &all);
    for (; path != MC_NONE && count < MOST_HOPS; path = paths[path].parent)
        hops[count++] = path;
    if (path != MC_NONE) mc_text_append_string(out, "… > ");
    while (count-- > 0) {
        append_hop(trace, paths[hops[count]].field, paths[hops[count]].class, " > ", out);
        if (count > 0) mc_text_append_string(out, " > ");
    }
}

// To each sum, what is below it. A node has the paths above those that it has; these have lower
// numbers, but for the GC roots, which come last.
static void add_up(const mc_retaining_path *paths, const mc_path_sum *sums, uint32_t count,
                   mc_path_sum *wholes) {
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && sums[end].node == sums[begin].node; end++) {
            wholes[end] = sums[end];
            wholes[end].objects += sums[end].rest_objects;
            wholes[end].bytes += sums[end].rest_bytes;
        }
        for (uint32_t i = end; i-- > begin;) {
            if (sums[i].path == MC_NONE) continue;
            mc_path_sum key = {.node = sums[i].node, .path = paths[sums[i].path].parent};
            mc_path_sum *above =
                bsearch(&key, wholes + begin, end - begin, sizeof *wholes, mc_path_sum_compare);
            if (!above) continue;
            above->objects += wholes[i].objects;
            above->bytes += wholes[i].bytes;
        }
    }
}

static bool add_path(const mc_query_source *source, uint32_t step, const mc_path_sum *sum,
                     const mc_path_sum *whole, mc_text *way, mc_query_rows *rows) {
    uint32_t count;
    const mc_retaining_path *paths = mc_trace_get_paths(source->trace, &count);
    const mc_retaining_path *path = sum->path == MC_NONE ? NULL : &paths[sum->path];
    bool failed = false;
    mc_text_clear(way);
    if (path && mc_query_wants(rows, PATH_WAY)) append_way(source->trace, sum->path, way);
    const uint64_t words[COUNT_OF(path_columns)] = {
        step,
        sum->node,
        0,
        mc_query_pack_index(sum->path),
        mc_query_rows_intern(rows, path ? mc_text_get(way) : NULL, way->size, &failed),
        mc_query_pack_index(path ? path->field : MC_NONE),
        mc_query_pack_index(path ? path->class : MC_NONE),
        mc_query_pack_index(path ? path->parent : MC_NONE),
        whole->objects,
        whole->bytes,
        sum->objects,
        sum->bytes,
        sum->is_folded};
    return !failed && !way->failed && mc_query_rows_add(rows, words);
}

static mc_result fill_paths(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                            mc_error *error) {
    uint32_t count;
    const mc_retaining_path *paths = mc_trace_get_paths(source->trace, &count);
    mc_path_sums sums = {0};
    mc_text way = {0};
    mc_result result = mc_trace_read_paths(source->trace, part->step, &sums, error);
    if (result != MC_OK) return result;
    mc_path_sum *wholes = mc_alloc((size_t)sums.count + 1, sizeof *wholes);
    bool is_whole = wholes != NULL;
    if (is_whole) add_up(paths, sums.items, sums.count, wholes);
    for (uint32_t i = 0; i < sums.count && is_whole; i++)
        is_whole = add_path(source, part->step, &sums.items[i], &wholes[i], &way, rows);
    mc_text_deinit(&way);
    mc_free(wholes);
    mc_path_sums_deinit(&sums);
    return is_whole ? MC_OK : mc_error_out_of_memory(error);
}

const mc_query_table mc_query_table_paths = {
    .name = "paths",
    .help = "ways by which GC roots hold each group (import --paths)",
    .columns = path_columns,
    .column_count = COUNT_OF(path_columns),
    .parts = MC_QUERY_BY_STEP,
    .of = MC_QUERY_OF_PATHS,
    .fill = fill_paths,
};

// ---- owners

enum { OWNER_PATH = 3 };

static const mc_query_column owner_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"id", MC_QUERY_INTEGER, 0, "of the owner, the same in all steps"},
    {"parent", MC_QUERY_INTEGER, 0, "owner above; NULL: a GC root, or shared"},
    {"path", MC_QUERY_TEXT, 0, "fields and classes from a GC root on"},
    {"kind", MC_QUERY_TEXT, 0, "of the GC root, or shared; NULL: it has an owner above"},
    {"field", MC_QUERY_STRING, 0, "by which it is held"},
    {"class", MC_QUERY_STRING, 0, "of its objects"},
    {"node", MC_QUERY_NODE, 0, "smallest group with all of its objects"},
    {"key", MC_QUERY_KEY, 7, "its full key"},
    {"objects", MC_QUERY_INTEGER, 0, "of the owner itself"},
    {"retained_objects", MC_QUERY_INTEGER, 0, "with all below"},
    {"retained_bytes", MC_QUERY_INTEGER, 0, "likewise"},
};

static void append_owner(const mc_trace *trace, uint32_t owner, mc_text *out) {
    uint32_t hops[MOST_HOPS], count = 0, all;
    const mc_owner *owners = mc_trace_get_owners(trace, &all);
    for (; owner != MC_NONE && count < MOST_HOPS; owner = owners[owner].parent)
        hops[count++] = owner;
    if (owner != MC_NONE) mc_text_append_string(out, "… → ");
    while (count-- > 0) {
        append_hop(trace, owners[hops[count]].field, owners[hops[count]].class, " → ", out);
        if (count > 0) mc_text_append_string(out, " → ");
    }
}

static bool add_owner(const mc_query_source *source, uint32_t step, const mc_owner_sum *sum,
                      mc_text *path, mc_query_rows *rows) {
    uint32_t count;
    const mc_owner *owner = &mc_trace_get_owners(source->trace, &count)[sum->owner];
    const char *kind = owner->parent != MC_NONE         ? NULL
                       : owner->root == MC_OWNER_SHARED ? "shared"
                                                        : mc_root_kind_names[owner->root];
    bool failed = false;
    mc_text_clear(path);
    if (mc_query_wants(rows, OWNER_PATH)) append_owner(source->trace, sum->owner, path);
    const uint64_t words[COUNT_OF(owner_columns)] = {
        step,
        sum->owner,
        mc_query_pack_index(owner->parent),
        mc_query_rows_intern(rows, mc_text_get(path), path->size, &failed),
        mc_query_rows_intern(rows, kind, kind ? strlen(kind) : 0, &failed),
        mc_query_pack_index(owner->field),
        owner->class,
        mc_query_pack_index(owner->place),
        0,
        sum->objects,
        sum->retained_objects,
        sum->retained_bytes};
    return !failed && !path->failed && mc_query_rows_add(rows, words);
}

static mc_result fill_owners(mc_query_source *source, const mc_query_part *part,
                             mc_query_rows *rows, mc_error *error) {
    mc_owner_rows owners = {0};
    mc_text path = {0};
    bool is_whole = true;
    mc_result result = mc_trace_read_owners(source->trace, part->step, &owners, error);
    for (uint32_t i = 0; i < owners.count && result == MC_OK && is_whole; i++)
        is_whole = add_owner(source, part->step, &owners.items[i], &path, rows);
    mc_text_deinit(&path);
    mc_owner_rows_deinit(&owners);
    return is_whole ? result : mc_error_out_of_memory(error);
}

const mc_query_table mc_query_table_owners = {
    .name = "owners",
    .help = "who owns the heap: places from GC roots down, and what they retain",
    .columns = owner_columns,
    .column_count = COUNT_OF(owner_columns),
    .parts = MC_QUERY_BY_STEP,
    .of = MC_QUERY_OF_OWNERS,
    .fill = fill_owners,
};
