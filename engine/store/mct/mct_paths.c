#include "engine/store/mct/mct_paths.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

#define PATH_COLUMNS 4 // of a row, behind its count
#define SUM_COLUMNS 7

// ---- values as they are stored: one more where there may be none

static uint64_t get_path_value(const mc_retaining_path *path, int column) {
    switch (MC_MCT_PATHS_PARENTS + column) {
    case MC_MCT_PATHS_PARENTS: return (uint32_t)(path->parent + 1);
    case MC_MCT_PATHS_FIELDS: return (uint32_t)(path->field + 1);
    case MC_MCT_PATHS_CLASSES: return path->class;
    default: return (uint32_t)(path->place + 1);
    }
}

static void set_path_value(mc_retaining_path *path, int column, uint64_t value) {
    switch (MC_MCT_PATHS_PARENTS + column) {
    case MC_MCT_PATHS_PARENTS: path->parent = (uint32_t)value - 1; break;
    case MC_MCT_PATHS_FIELDS: path->field = (uint32_t)value - 1; break;
    case MC_MCT_PATHS_CLASSES: path->class = (uint32_t)value; break;
    default: path->place = (uint32_t)value - 1;
    }
}

static uint64_t get_sum_value(const mc_path_sum *sum, int column) {
    switch (MC_MCT_SUMS_NODES + column) {
    case MC_MCT_SUMS_NODES: return sum->node;
    case MC_MCT_SUMS_PATHS: return (uint32_t)(sum->path + 1);
    case MC_MCT_SUMS_FOLDED: return sum->is_folded;
    case MC_MCT_SUMS_OBJECTS: return sum->objects;
    case MC_MCT_SUMS_BYTES: return sum->bytes;
    case MC_MCT_SUMS_REST_OBJECTS: return sum->rest_objects;
    default: return sum->rest_bytes;
    }
}

static void set_sum_value(mc_path_sum *sum, int column, uint64_t value) {
    switch (MC_MCT_SUMS_NODES + column) {
    case MC_MCT_SUMS_NODES: sum->node = (uint32_t)value; break;
    case MC_MCT_SUMS_PATHS: sum->path = (uint32_t)value - 1; break;
    case MC_MCT_SUMS_FOLDED: sum->is_folded = value != 0; break;
    case MC_MCT_SUMS_OBJECTS: sum->objects = value; break;
    case MC_MCT_SUMS_BYTES: sum->bytes = value; break;
    case MC_MCT_SUMS_REST_OBJECTS: sum->rest_objects = value; break;
    default: sum->rest_bytes = value;
    }
}

static mc_mct_base get_sum_base(int column) {
    return column < 2 ? MC_MCT_CHAIN : MC_MCT_NO_BASE;
}

// ---- writing

static mc_result write_table(mc_mct_writer *writer, uint64_t *values, mc_error *error) {
    const mc_strings *paths = &writer->builder->paths;
    uint32_t first = writer->written.path_count, count = paths->count - first;
    mc_mct_field row[2 + PATH_COLUMNS] = {{.number = first}, {.number = count}};
    mc_result result = MC_OK;
    if (count == 0) return MC_OK;
    for (int column = 0; column < PATH_COLUMNS && result == MC_OK; column++) {
        for (uint32_t i = 0; i < count; i++) {
            mc_retaining_path path;
            size_t size;
            memcpy(&path, mc_strings_get(paths, first + i, &size), sizeof path);
            values[i] = get_path_value(&path, column);
        }
        result = mc_mct_writer_encode(writer, column, values, count, MC_MCT_CHAIN,
                                      &row[MC_MCT_PATHS_PARENTS + column], error);
    }
    if (result == MC_OK) result = mc_mct_writer_put_row(writer, MC_MCT_PATHS, row, error);
    if (result == MC_OK) writer->written.path_count = paths->count;
    return result;
}

static mc_result write_sums(mc_mct_writer *writer, const mc_seen_step *step, int64_t step_key,
                            uint64_t *values, mc_error *error) {
    mc_mct_field row[3 + SUM_COLUMNS] = {
        {.number = step_key}, {.number = step->sum_count}, {.number = writer->written.path_count}};
    mc_result result = MC_OK;
    for (int column = 0; column < SUM_COLUMNS && result == MC_OK; column++) {
        for (uint32_t i = 0; i < step->sum_count; i++)
            values[i] = get_sum_value(&step->sums[i], column);
        result = mc_mct_writer_encode(writer, column, values, step->sum_count, get_sum_base(column),
                                      &row[MC_MCT_SUMS_NODES + column], error);
    }
    return result == MC_OK ? mc_mct_writer_put_row(writer, MC_MCT_SUMS, row, error) : result;
}

mc_result mc_mct_write_paths(mc_mct_writer *writer, const mc_seen_step *step, int64_t step_key,
                             mc_error *error) {
    uint32_t new_count = writer->builder->paths.count - writer->written.path_count;
    uint32_t most = new_count > step->sum_count ? new_count : step->sum_count;
    uint64_t *values = mc_alloc((size_t)most + 1, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    mc_result result = mc_mct_file_add_paths(&writer->file, error);
    if (result == MC_OK) result = write_table(writer, values, error);
    if (result == MC_OK) result = write_sums(writer, step, step_key, values, error);
    mc_free(values);
    return result;
}

// ---- reading

static mc_result fail(const mc_mct_file *file, mc_result result, const char *what, int64_t number,
                      mc_error *error) {
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "%s: damaged: the retaining paths %s %" PRId64 " are not as they should be",
                        file->path, what, number);
}

// All values must be below `limit`.
static mc_result decode(mc_mct_codec *codec, const mc_mct_field *blob, mc_mct_base base,
                        uint64_t limit, uint64_t *values, uint32_t count) {
    mc_result result = mc_mct_decode_column(codec, blob->data, blob->size, values, count, base);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        if (values[i] >= limit) result = MC_ERROR_BAD_DATA;
    return result;
}

static mc_result take_chunk(mc_mct_codec *codec, const mc_mct_field *row, mc_mct_path_limits limits,
                            uint32_t first, uint32_t count, uint64_t *values,
                            mc_retaining_path *paths) {
    const uint64_t most[PATH_COLUMNS] = {(uint64_t)first + count, (uint64_t)limits.string_count + 1,
                                         limits.string_count, (uint64_t)limits.node_count + 1};
    for (int column = 0; column < PATH_COLUMNS; column++) {
        mc_result result = decode(codec, &row[MC_MCT_PATHS_PARENTS + column], MC_MCT_CHAIN,
                                  most[column], values, count);
        if (result != MC_OK) return result;
        for (uint32_t i = 0; i < count; i++)
            set_path_value(&paths[first + i], column, values[i]);
    }
    for (uint32_t i = first; i < first + count; i++)
        if (paths[i].parent != MC_NONE && paths[i].parent >= i) return MC_ERROR_BAD_DATA;
    return MC_OK;
}

mc_result mc_mct_read_path_table(mc_mct_file *file, mc_mct_codec *codec, mc_mct_path_limits limits,
                                 mc_retaining_path **paths, uint32_t *count, mc_error *error) {
    size_t capacity = 0;
    bool has_more = file->has_paths;
    mc_result result = MC_OK;
    *count = 0;
    while (result == MC_OK) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        result = mc_mct_file_has_row(file, MC_MCT_PATHS, *count, &has_more, error);
        if (result != MC_OK || !has_more) break;
        result = mc_mct_file_get(file, MC_MCT_PATHS, *count, row, error);
        if (result != MC_OK) break;
        int64_t added = row[MC_MCT_PATHS_COUNT].number;
        if (added > 0 && mc_mct_file_is_count(file, *count + added)) {
            uint64_t *values = mc_alloc((size_t)added, sizeof *values);
            result = values && mc_reserve(paths, &capacity, (size_t)*count + (size_t)added,
                                          sizeof **paths)
                         ? take_chunk(codec, row, limits, *count, (uint32_t)added, values, *paths)
                         : MC_ERROR_OUT_OF_MEMORY;
            mc_free(values);
        } else {
            result = MC_ERROR_BAD_DATA;
        }
        if (result != MC_OK)
            result = fail(file, result, "from number", *count, error);
        else
            *count += (uint32_t)added;
        mc_mct_file_release(file, MC_MCT_PATHS);
    }
    return result;
}

static mc_result take_sums(mc_mct_codec *codec, const mc_mct_field *row, mc_mct_path_limits limits,
                           uint64_t *values, mc_path_sum *sums, uint32_t count) {
    const uint64_t path_count = (uint64_t)row[MC_MCT_SUMS_PATH_COUNT].number;
    const uint64_t number = (uint64_t)MC_COUNT_MAX + 1;
    const uint64_t most[SUM_COLUMNS] = {
        limits.node_count, path_count + 1, 2, number, number, number, number};
    if (path_count > limits.path_count) return MC_ERROR_BAD_DATA;
    for (int column = 0; column < SUM_COLUMNS; column++) {
        mc_result result = decode(codec, &row[MC_MCT_SUMS_NODES + column], get_sum_base(column),
                                  most[column], values, count);
        if (result != MC_OK) return result;
        for (uint32_t i = 0; i < count; i++)
            set_sum_value(&sums[i], column, values[i]);
    }
    for (uint32_t i = 1; i < count; i++)
        if (mc_path_sum_compare(&sums[i - 1], &sums[i]) >= 0) return MC_ERROR_BAD_DATA;
    return MC_OK;
}

mc_result mc_mct_read_sums(mc_mct_file *file, mc_mct_codec *codec, int64_t step,
                           mc_mct_path_limits limits, mc_path_sum **sums, uint32_t *count,
                           mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    uint64_t *values = NULL;
    *sums = NULL;
    *count = 0;
    mc_result result = mc_mct_file_get(file, MC_MCT_SUMS, step, row, error);
    if (result != MC_OK) return result;
    int64_t found = row[MC_MCT_SUMS_COUNT].number;
    if (!mc_mct_file_is_count(file, found)) result = MC_ERROR_BAD_DATA;
    if (result == MC_OK && found > 0) {
        values = mc_alloc((size_t)found, sizeof *values);
        *sums = mc_alloc_zero((size_t)found, sizeof **sums);
        result = values && *sums ? take_sums(codec, row, limits, values, *sums, (uint32_t)found)
                                 : MC_ERROR_OUT_OF_MEMORY;
    }
    mc_free(values);
    mc_mct_file_release(file, MC_MCT_SUMS);
    if (result == MC_OK) {
        *count = (uint32_t)found;
        return MC_OK;
    }
    mc_free(*sums);
    *sums = NULL;
    return fail(file, result, "of step", step, error);
}
