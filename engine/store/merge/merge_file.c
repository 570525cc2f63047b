#include "engine/store/merge/merge_file.h"

#include "engine/base/memory.h"
#include "engine/store/mct/mct_side.h"
#include <stddef.h>
#include <string.h>

#define FULL_INTERVAL 32 // steps that stand as differences to one in full, as of mct_writer.c
#define CHUNK_COUNT 65536
#define CHUNK_SIZE ((size_t)16 << 20)
#define SPOOL_SIZE ((size_t)64 << 20)
#define STRINGS_SIZE_MOST ((size_t)320 << 20) // of those that are found again
#define NODE_COUNT_MOST (MC_NONE / 4)

typedef struct step_state {
    uint32_t counts[MC_SIDE_OF_STEP];
    uint64_t before[MC_SIDE_OF_STEP][MC_SIDE_COLUMNS_MOST]; // the last value of each chain
    unsigned char bits; // of presence that do not fill a byte yet
    mc_side_rows owners, owner_ways;
} step_state;

struct mc_merge_file {
    mc_merge_file_desc desc;
    mc_mct_file file;
    mc_mct_codec codec;
    mc_spool *spool;
    mc_strings strings;    // the first ones, which are found again
    uint32_t string_count; // of the file
    mc_mct_bytes string_bytes;
    uint64_t *string_sizes; // that wait to be written
    uint32_t string_waiting;
    uint64_t *nodes[4]; // parents, keys, names, roles; likewise
    uint32_t node_waiting;
    uint64_t *own;
    uint32_t own_waiting, own_rows;
    uint32_t node_count, range_begin;
    mc_strings paths;       // the bytes of an mc_retaining_path each
    mc_strings owners;      // the bytes of the key of an mc_owner each
    uint32_t *owner_places; // of each: its node
    size_t owner_place_capacity;
    step_state *steps;
    uint64_t *bases[MC_METRIC_MOST]; // the range's values at the last step in full
    size_t base_capacities[MC_METRIC_MOST];
    mc_mct_bytes scratch;
    mc_mct_bytes blobs[8];
};

// ---- streams of the spool

static uint32_t get_tail(const mc_merge_file *self, uint32_t step, mc_metric metric) {
    return step * self->desc.metrics->count + metric;
}

// The first block of a column, whose first value, the root's, is not known until the end.
static uint32_t get_head(const mc_merge_file *self, uint32_t step, mc_metric metric) {
    return self->desc.step_count * self->desc.metrics->count + get_tail(self, step, metric);
}

static uint32_t get_maxima(const mc_merge_file *self, mc_metric metric) {
    return 2 * self->desc.step_count * self->desc.metrics->count + metric;
}

static uint32_t get_presence(const mc_merge_file *self, uint32_t step) {
    return get_maxima(self, self->desc.metrics->count) + step;
}

#define LIST_COLUMNS (MC_SIDE_OF_STEP * MC_SIDE_COLUMNS_MOST)

static uint32_t get_list(const mc_merge_file *self, uint32_t step, mc_side_table table,
                         int column) {
    return get_presence(self, self->desc.step_count) + step * LIST_COLUMNS +
           table * MC_SIDE_COLUMNS_MOST + (uint32_t)column;
}

// ---- rows

static mc_result encode_bytes(mc_merge_file *self, int blob, const void *data, size_t size,
                              mc_mct_field *field, mc_error *error) {
    mc_mct_bytes *out = &self->blobs[blob];
    if (mc_mct_encode_bytes(&self->codec, data, size, out) != MC_OK)
        return mc_error_out_of_memory(error);
    *field = (mc_mct_field){.data = out->data, .size = out->size};
    return MC_OK;
}

static mc_result encode(mc_merge_file *self, int blob, const uint64_t *values, uint32_t count,
                        mc_mct_base base, mc_mct_field *field, mc_error *error) {
    self->scratch.size = 0;
    if (mc_mct_append_column(&self->scratch, values, count, base) != MC_OK)
        return mc_error_out_of_memory(error);
    return encode_bytes(self, blob, self->scratch.data, self->scratch.size, field, error);
}

// ---- beginning

static mc_result create(mc_merge_file *self, mc_error *error) {
    const mc_merge_file_desc *desc = &self->desc;
    uint64_t streams =
        (uint64_t)desc->step_count * (2 * (uint64_t)desc->metrics->count + 1 + LIST_COLUMNS) +
        desc->metrics->count;
    if (streams >= MC_NONE / 2)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many steps to merge: %u",
                       desc->step_count);
    self->steps = mc_alloc_zero(desc->step_count, sizeof *self->steps);
    self->string_sizes = mc_alloc(CHUNK_COUNT, sizeof *self->string_sizes);
    self->own = mc_alloc(CHUNK_COUNT, sizeof *self->own);
    bool is_fine = self->steps && self->string_sizes && self->own;
    for (int i = 0; i < 4; i++) {
        self->nodes[i] = mc_alloc(CHUNK_COUNT, sizeof *self->nodes[i]);
        is_fine = is_fine && self->nodes[i];
    }
    if (!is_fine) return mc_error_out_of_memory(error);
    mc_result result =
        mc_spool_create(desc->path, (uint32_t)streams, SPOOL_SIZE, &self->spool, error);
    if (result == MC_OK)
        result = mc_mct_file_create(&self->file, desc->path, MC_MCT_SYNC_NEVER, error);
    if (result == MC_OK) result = mc_mct_file_run(&self->file, "BEGIN IMMEDIATE", error);
    if (result != MC_OK) return result;
    for (uint32_t step = 0; step < desc->step_count; step++)
        self->steps[step].bits = 1; // the root is always there
    mc_merge_node root = {.role = MC_NONE};
    result = mc_merge_file_add_string(self, desc->root_key, desc->root_key_size, &root.key, error);
    root.name = root.key;
    return result == MC_OK ? mc_merge_file_add_nodes(self, &root, 1, error) : result;
}

mc_result mc_merge_file_create(const mc_merge_file_desc *desc, mc_merge_file **file,
                               mc_error *error) {
    mc_merge_file *self = *file = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    mc_result result = create(self, error);
    if (result == MC_OK) return MC_OK;
    mc_merge_file_destroy(self);
    *file = NULL;
    return result;
}

void mc_merge_file_destroy(mc_merge_file *self) {
    if (!self) return;
    mc_mct_file_close(&self->file);
    mc_mct_codec_deinit(&self->codec);
    mc_spool_destroy(self->spool);
    mc_strings_deinit(&self->strings);
    mc_strings_deinit(&self->paths);
    mc_strings_deinit(&self->owners);
    mc_free(self->owner_places);
    for (uint32_t i = 0; self->steps && i < self->desc.step_count; i++) {
        mc_side_rows_deinit(&self->steps[i].owners);
        mc_side_rows_deinit(&self->steps[i].owner_ways);
    }
    mc_mct_bytes_deinit(&self->string_bytes);
    mc_free(self->string_sizes);
    for (int i = 0; i < 4; i++)
        mc_free(self->nodes[i]);
    mc_free(self->own);
    mc_free(self->steps);
    for (int i = 0; i < MC_METRIC_MOST; i++)
        mc_free(self->bases[i]);
    mc_mct_bytes_deinit(&self->scratch);
    for (size_t i = 0; i < sizeof self->blobs / sizeof *self->blobs; i++)
        mc_mct_bytes_deinit(&self->blobs[i]);
    mc_free(self);
}

// ---- strings and nodes

static mc_result put_strings(mc_merge_file *self, mc_error *error) {
    uint32_t count = self->string_waiting;
    mc_mct_field row[] = {{.number = self->string_count - count}, {.number = count}, {0}, {0}};
    if (count == 0) return MC_OK;
    mc_result result = encode(self, 0, self->string_sizes, count, MC_MCT_NO_BASE,
                              &row[MC_MCT_STRINGS_SIZES], error);
    if (result == MC_OK)
        result = encode_bytes(self, 1, self->string_bytes.data, self->string_bytes.size,
                              &row[MC_MCT_STRINGS_BYTES], error);
    if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_STRINGS, row, error);
    self->string_waiting = 0;
    self->string_bytes.size = 0;
    return result;
}

static mc_result write_string(mc_merge_file *self, const char *bytes, size_t size,
                              mc_error *error) {
    mc_mct_bytes *waiting = &self->string_bytes;
    if (self->string_waiting == CHUNK_COUNT || waiting->size + size > CHUNK_SIZE) {
        mc_result result = put_strings(self, error);
        if (result != MC_OK) return result;
    }
    if (!mc_reserve(&waiting->data, &waiting->capacity, waiting->size + size + 1, 1))
        return mc_error_out_of_memory(error);
    memcpy(waiting->data + waiting->size, bytes, size);
    waiting->size += size;
    waiting->data[waiting->size++] = '\0';
    self->string_sizes[self->string_waiting++] = size;
    self->string_count++;
    return MC_OK;
}

mc_result mc_merge_file_add_string(mc_merge_file *self, const char *bytes, size_t size,
                                   uint32_t *index, mc_error *error) {
    if (self->string_count >= NODE_COUNT_MOST)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many names");
    bool is_full = mc_strings_memory_size(&self->strings) > STRINGS_SIZE_MOST;
    uint32_t known = self->strings.count;
    uint32_t found = is_full ? mc_strings_find(&self->strings, bytes, size)
                             : mc_strings_intern(&self->strings, bytes, size);
    if (found == MC_NONE && !is_full) return mc_error_out_of_memory(error);
    if (found != MC_NONE && found < known) {
        *index = found;
        return MC_OK;
    }
    *index = self->string_count;
    return write_string(self, bytes, size, error);
}

uint32_t mc_merge_file_get_node_count(const mc_merge_file *self) {
    return self->node_count;
}

static mc_result put_nodes(mc_merge_file *self, mc_error *error) {
    uint32_t count = self->node_waiting;
    mc_mct_field row[6] = {{.number = self->node_count - count}, {.number = count}};
    mc_result result = MC_OK;
    if (count == 0) return MC_OK;
    for (int i = 0; i < 4 && result == MC_OK; i++)
        result = encode(self, i, self->nodes[i], count, MC_MCT_CHAIN,
                        &row[MC_MCT_NODES_PARENTS + i], error);
    self->node_waiting = 0;
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_NODES, row, error) : result;
}

mc_result mc_merge_file_add_nodes(mc_merge_file *self, const mc_merge_node *nodes, uint32_t count,
                                  mc_error *error) {
    if (count >= NODE_COUNT_MOST - self->node_count)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many groups (at most %u)",
                       NODE_COUNT_MOST);
    self->range_begin = self->node_count;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        uint32_t at = self->node_waiting++;
        self->nodes[0][at] = nodes[i].parent;
        self->nodes[1][at] = nodes[i].key;
        self->nodes[2][at] = nodes[i].name;
        self->nodes[3][at] = (uint32_t)(nodes[i].role + 1); // MC_NONE becomes 0
        self->node_count++;
        if (self->node_waiting == CHUNK_COUNT) result = put_nodes(self, error);
    }
    return result;
}

static mc_result put_own(mc_merge_file *self, mc_error *error) {
    mc_mct_field row[] = {{.number = self->own_rows}, {.number = self->own_waiting}, {0}};
    if (self->own_waiting == 0) return MC_OK;
    mc_result result =
        encode(self, 0, self->own, self->own_waiting, MC_MCT_CHAIN, &row[MC_MCT_OWN_NODES], error);
    self->own_waiting = 0;
    self->own_rows++;
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_OWN, row, error) : result;
}

mc_result mc_merge_file_add_own(mc_merge_file *self, uint32_t node, mc_error *error) {
    self->own[self->own_waiting++] = node;
    return self->own_waiting == CHUNK_COUNT ? put_own(self, error) : MC_OK;
}

// ---- columns

static uint32_t get_base_step(uint32_t step) {
    return step - step % FULL_INTERVAL;
}

static mc_result put_block(mc_merge_file *self, uint32_t step, mc_metric metric, uint32_t block,
                           const void *data, size_t size, mc_error *error) {
    uint32_t base = get_base_step(step);
    mc_mct_field row[] = {
        {.number = mc_mct_column_key(MC_MCT_VERSION, (int64_t)step + 1, (int)metric, block)},
        {.number = base == step ? 0 : (int64_t)base + 1},
        {0}};
    mc_result result = encode_bytes(self, 0, data, size, &row[MC_MCT_COLUMN_DATA], error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_COLUMN, row, error) : result;
}

// A block is full, or the last one.
static mc_result end_block(mc_merge_file *self, uint32_t step, mc_metric metric, uint32_t block,
                           mc_error *error) {
    mc_mct_bytes *bytes = &self->scratch;
    bytes->size = 0;
    mc_result result = mc_spool_take(self->spool, get_tail(self, step, metric), bytes, error);
    if (result != MC_OK) return result;
    if (block == 0)
        return mc_spool_append(self->spool, get_head(self, step, metric), bytes->data, bytes->size,
                               error);
    return put_block(self, step, metric, block, bytes->data, bytes->size, error);
}

static mc_result append_values(mc_merge_file *self, uint32_t stream, const uint64_t *values,
                               uint32_t count, mc_mct_base base, mc_error *error) {
    self->scratch.size = 0;
    if (mc_mct_append_column(&self->scratch, values, count, base) != MC_OK)
        return mc_error_out_of_memory(error);
    return mc_spool_append(self->spool, stream, self->scratch.data, self->scratch.size, error);
}

mc_result mc_merge_file_add_values(mc_merge_file *self, uint32_t step, mc_metric metric,
                                   const uint64_t *values, mc_error *error) {
    uint32_t count = self->node_count - self->range_begin;
    bool is_full = get_base_step(step) == step;
    if (is_full) {
        if (!mc_reserve(&self->bases[metric], &self->base_capacities[metric], count,
                        sizeof *self->bases[metric]))
            return mc_error_out_of_memory(error);
        if (count > 0) memcpy(self->bases[metric], values, count * sizeof *values);
    }
    mc_result result = MC_OK;
    for (uint32_t done = 0; done < count && result == MC_OK;) {
        uint32_t node = self->range_begin + done, block = node / MC_MCT_BLOCK_COUNT;
        uint32_t room = MC_MCT_BLOCK_COUNT - node % MC_MCT_BLOCK_COUNT;
        uint32_t piece = count - done < room ? count - done : room;
        mc_mct_base base = {.base = is_full ? NULL : self->bases[metric] + done,
                            .base_count = is_full ? 0 : piece};
        result =
            append_values(self, get_tail(self, step, metric), values + done, piece, base, error);
        if (result == MC_OK && piece == room) result = end_block(self, step, metric, block, error);
        done += piece;
    }
    return result;
}

mc_result mc_merge_file_add_maxima(mc_merge_file *self, mc_metric metric, const uint64_t *values,
                                   mc_error *error) {
    return append_values(self, get_maxima(self, metric), values,
                         self->node_count - self->range_begin, MC_MCT_NO_BASE, error);
}

mc_result mc_merge_file_add_presence(mc_merge_file *self, uint32_t step, const uint8_t *is_present,
                                     mc_error *error) {
    uint32_t count = self->node_count - self->range_begin;
    step_state *state = &self->steps[step];
    mc_mct_bytes *bytes = &self->scratch;
    if (!mc_reserve(&bytes->data, &bytes->capacity, count / 8 + 2, 1))
        return mc_error_out_of_memory(error);
    bytes->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bit = (self->range_begin + i) % 8;
        state->bits = (unsigned char)(state->bits | (is_present[i] != 0) << bit);
        if (bit < 7) continue;
        bytes->data[bytes->size++] = state->bits;
        state->bits = 0;
    }
    return mc_spool_append(self->spool, get_presence(self, step), bytes->data, bytes->size, error);
}

// ---- lists

mc_result mc_merge_file_add_rows(mc_merge_file *self, uint32_t step, mc_side_table table,
                                 const mc_side_rows *rows, mc_error *error) {
    step_state *state = &self->steps[step];
    uint32_t count = rows->count;
    if (count == 0) return MC_OK;
    if (count >= NODE_COUNT_MOST - state->counts[table])
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many references in one step (at most %u)",
                       NODE_COUNT_MOST);
    uint64_t *values = mc_alloc(count, sizeof *values);
    mc_result result = values ? MC_OK : mc_error_out_of_memory(error);
    for (int column = 0; column < mc_side_tables[table].column_count && result == MC_OK; column++) {
        mc_mct_base base = mc_mct_side_get_base(table, column);
        base.before = state->before[table][column];
        mc_mct_side_get_column(table, rows, column, values);
        state->before[table][column] = values[count - 1];
        result =
            append_values(self, get_list(self, step, table, column), values, count, base, error);
    }
    mc_free(values);
    state->counts[table] += count;
    return result;
}

// The bytes of a struct without holes.
_Static_assert(sizeof(mc_retaining_path) == 16, "paths are told apart by their bytes");

mc_result mc_merge_file_add_path(mc_merge_file *self, const mc_retaining_path *path,
                                 uint32_t *index, mc_error *error) {
    *index = mc_strings_intern(&self->paths, (const char *)path, sizeof *path);
    if (*index == MC_NONE) return mc_error_out_of_memory(error);
    if (self->paths.count < NODE_COUNT_MOST) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many retaining paths");
}

#define OWNER_KEY_SIZE offsetof(mc_owner, place)

mc_result mc_merge_file_add_owner(mc_merge_file *self, const mc_owner *owner, uint32_t *index,
                                  mc_error *error) {
    uint32_t known = self->owners.count;
    if (!mc_reserve(&self->owner_places, &self->owner_place_capacity, (size_t)known + 1,
                    sizeof *self->owner_places))
        return mc_error_out_of_memory(error);
    *index = mc_strings_intern(&self->owners, (const char *)owner, OWNER_KEY_SIZE);
    if (*index == MC_NONE) return mc_error_out_of_memory(error);
    uint32_t *place = &self->owner_places[*index];
    if (*index == known)
        *place = owner->place;
    else if (*place == MC_NONE || owner->place == MC_NONE)
        *place = MC_NONE;
    else if (*place != owner->place)
        *place = 0;
    if (self->owners.count < NODE_COUNT_MOST) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many owners");
}

static mc_side_rows *get_owner_rows(mc_merge_file *self, uint32_t step, mc_side_table table) {
    return table == MC_SIDE_OWNER_SUMS ? &self->steps[step].owners : &self->steps[step].owner_ways;
}

mc_result mc_merge_file_add_owner_rows(mc_merge_file *self, uint32_t step, mc_side_table table,
                                       const mc_side_rows *rows, mc_error *error) {
    mc_side_rows *all = get_owner_rows(self, step, table);
    size_t size = mc_side_tables[table].row_size, count = (size_t)all->count + rows->count;
    if (rows->count == 0) return MC_OK;
    void *more = count < MC_NONE ? mc_realloc(all->rows, count, size) : NULL;
    if (!more) return mc_error_out_of_memory(error);
    all->rows = more;
    memcpy(mc_side_rows_get(table, all, all->count), rows->rows, rows->count * size);
    all->count = (uint32_t)count;
    mc_side_rows_add_up(table, all);
    return MC_OK;
}

// A table's row, of columns that are all in memory.
static mc_result put_rows(mc_merge_file *self, mc_side_table table, const mc_side_rows *rows,
                          mc_mct_field *row, mc_error *error) {
    uint64_t *values = mc_alloc((size_t)rows->count + 1, sizeof *values);
    mc_result result =
        values ? mc_mct_file_add_side(&self->file, table, error) : mc_error_out_of_memory(error);
    for (int i = 0; i < mc_side_tables[table].column_count && result == MC_OK; i++) {
        mc_mct_side_get_column(table, rows, i, values);
        result = encode(self, i, values, rows->count, mc_mct_side_get_base(table, i),
                        &row[mc_mct_sides[table].first + i], error);
    }
    if (result == MC_OK)
        result = mc_mct_file_put(&self->file, mc_mct_sides[table].table, row, error);
    mc_free(values);
    return result;
}

static mc_result put_paths(mc_merge_file *self, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX] = {{.number = 0}, {.number = self->paths.count}};
    mc_side_rows paths;
    if (self->paths.count == 0) return MC_OK;
    mc_result result = mc_side_rows_allocate(MC_SIDE_PATHS, self->paths.count, &paths, error);
    for (uint32_t i = 0; i < paths.count; i++) {
        size_t size;
        memcpy(mc_side_rows_get(MC_SIDE_PATHS, &paths, i), mc_strings_get(&self->paths, i, &size),
               sizeof(mc_retaining_path));
    }
    if (result == MC_OK) result = put_rows(self, MC_SIDE_PATHS, &paths, row, error);
    mc_side_rows_deinit(&paths);
    return result;
}

static mc_result put_owners(mc_merge_file *self, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX] = {{.number = 0}, {.number = self->owners.count}};
    mc_side_rows owners;
    if (self->owners.count == 0) return MC_OK;
    mc_result result = mc_side_rows_allocate(MC_SIDE_OWNERS, self->owners.count, &owners, error);
    for (uint32_t i = 0; i < owners.count; i++) {
        mc_owner *owner = mc_side_rows_get(MC_SIDE_OWNERS, &owners, i);
        memcpy(owner, mc_strings_get(&self->owners, i, NULL), OWNER_KEY_SIZE);
        owner->place = self->owner_places[i];
    }
    if (result == MC_OK) result = put_rows(self, MC_SIDE_OWNERS, &owners, row, error);
    mc_side_rows_deinit(&owners);
    return result;
}

static mc_result put_step_owners(mc_merge_file *self, uint32_t step, mc_error *error) {
    static const mc_side_table tables[] = {MC_SIDE_OWNER_SUMS, MC_SIDE_OWNER_WAYS};
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && result == MC_OK; i++) {
        const mc_side_rows *rows = get_owner_rows(self, step, tables[i]);
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX] = {
            {.number = (int64_t)step + 1}, {.number = rows->count}, {.number = self->owners.count}};
        result = put_rows(self, tables[i], rows, row, error);
    }
    return result;
}

// ---- the end

// The root's value in front of the first block's others.
static mc_result put_head(mc_merge_file *self, const mc_merge_step *steps, uint32_t step,
                          mc_metric metric, mc_error *error) {
    uint32_t base_step = get_base_step(step);
    uint64_t base_value = steps[base_step].totals[metric];
    mc_mct_base base = {.base = &base_value, .base_count = base_step == step ? 0 : 1};
    mc_mct_bytes *bytes = &self->scratch;
    bytes->size = 0;
    if (mc_mct_append_column(bytes, &steps[step].totals[metric], 1, base) != MC_OK)
        return mc_error_out_of_memory(error);
    uint32_t stream = self->node_count >= MC_MCT_BLOCK_COUNT ? get_head(self, step, metric)
                                                             : get_tail(self, step, metric);
    mc_result result = mc_spool_take(self->spool, stream, bytes, error);
    return result == MC_OK ? put_block(self, step, metric, 0, bytes->data, bytes->size, error)
                           : result;
}

static mc_result put_columns(mc_merge_file *self, const mc_merge_step *steps, uint32_t step,
                             mc_error *error) {
    uint32_t last = self->node_count / MC_MCT_BLOCK_COUNT;
    bool has_rest = last > 0 && self->node_count % MC_MCT_BLOCK_COUNT != 0;
    mc_result result = MC_OK;
    for (mc_metric metric = 0; metric < self->desc.metrics->count && result == MC_OK; metric++) {
        result = put_head(self, steps, step, metric, error);
        if (result == MC_OK && has_rest) result = end_block(self, step, metric, last, error);
    }
    return result;
}

static mc_result put_presence(mc_merge_file *self, uint32_t step, mc_error *error) {
    mc_mct_bytes *bytes = &self->scratch;
    mc_mct_field row[] = {
        {.number = mc_mct_column_key(MC_MCT_VERSION, (int64_t)step + 1, MC_MCT_KIND_PRESENT_2, 0)},
        {0},
        {0}};
    size_t size = mc_bits_word_count(self->node_count) * sizeof(uint64_t);
    bytes->size = 0;
    mc_result result = mc_spool_take(self->spool, get_presence(self, step), bytes, error);
    if (result != MC_OK) return result;
    if (!mc_reserve(&bytes->data, &bytes->capacity, size + 1, 1))
        return mc_error_out_of_memory(error);
    memset(bytes->data + bytes->size, 0, size + 1 - bytes->size);
    if (self->node_count % 8 != 0) bytes->data[bytes->size] = self->steps[step].bits;
    result = encode_bytes(self, 0, bytes->data, size, &row[MC_MCT_COLUMN_DATA], error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_COLUMN, row, error) : result;
}

static mc_result put_list(mc_merge_file *self, uint32_t step, mc_side_table table,
                          mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX] = {{.number = (int64_t)step + 1},
                                                {.number = self->steps[step].counts[table]}};
    mc_result result = mc_mct_file_add_side(&self->file, table, error);
    if (table == MC_SIDE_SUMS) row[MC_MCT_SUMS_PATH_COUNT].number = self->paths.count;
    for (int column = 0; column < mc_side_tables[table].column_count && result == MC_OK; column++) {
        mc_mct_bytes *bytes = &self->scratch;
        bytes->size = 0;
        result = mc_spool_take(self->spool, get_list(self, step, table, column), bytes, error);
        if (result == MC_OK)
            result = encode_bytes(self, column, bytes->data, bytes->size,
                                  &row[mc_mct_sides[table].first + column], error);
    }
    return result == MC_OK ? mc_mct_file_put(&self->file, mc_mct_sides[table].table, row, error)
                           : result;
}

static mc_result put_lists(mc_merge_file *self, uint32_t index, const mc_merge_step *step,
                           mc_error *error) {
    const struct {
        mc_side_table table;
        bool has_rows;
    } all[] = {{MC_SIDE_HELD, true},
               {MC_SIDE_REFERENCES, step->directions != 0},
               {MC_SIDE_RENAMES, self->steps[index].counts[MC_SIDE_RENAMES] > 0},
               {MC_SIDE_FIELDS, step->has_referrers},
               {MC_SIDE_ROOTS, step->has_referrers},
               {MC_SIDE_SUMS, step->has_paths}};
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && result == MC_OK; i++)
        if (all[i].has_rows) result = put_list(self, index, all[i].table, error);
    if (result == MC_OK && step->has_owners) result = put_step_owners(self, index, error);
    return result;
}

static mc_result put_remarks(mc_merge_file *self, uint32_t index, const mc_merge_step *step,
                             mc_error *error) {
    mc_result result = MC_OK;
    int64_t key = (int64_t)index + 1;
    if (step->heap_limit > 0) {
        mc_mct_field row[] = {{.number = key}, {.number = (int64_t)step->heap_limit}};
        result = mc_mct_file_add_limits(&self->file, error);
        if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_LIMIT, row, error);
    }
    if (result == MC_OK && step->liveness != MC_LIVENESS_UNKNOWN) {
        mc_mct_field row[] = {{.number = key}, {.number = step->liveness}};
        result = mc_mct_file_add_liveness(&self->file, error);
        if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_LIVE, row, error);
    }
    if (result == MC_OK && step->missing) {
        mc_mct_field row[] = {{.number = key},
                              {.data = step->missing, .size = strlen(step->missing)}};
        result = mc_mct_file_add_damages(&self->file, error);
        if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_DAMAGE, row, error);
    }
    if (result == MC_OK && step->note) {
        mc_mct_field row[] = {{.number = key}, {.data = step->note, .size = strlen(step->note)}};
        result = mc_mct_file_add_notes(&self->file, error);
        if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_NOTE, row, error);
    }
    return result;
}

static uint64_t get_real_mask(const mc_merge_file *self) {
    uint64_t mask = 0;
    for (mc_metric metric = 0; metric < self->desc.metrics->count; metric++)
        if (self->desc.metrics->items[metric].is_real) mask |= (uint64_t)1 << metric;
    return mask;
}

static mc_result put_step(mc_merge_file *self, uint32_t index, const mc_merge_step *step,
                          mc_error *error) {
    const uint32_t *counts = self->steps[index].counts;
    mc_mct_field row[] = {{.number = (int64_t)index + 1},
                          {.number = self->desc.times_ms[index]},
                          {.number = (int64_t)step->totals[MC_METRIC_OBJECTS]},
                          {.number = (int64_t)step->totals[MC_METRIC_BYTES]},
                          {.number = step->node_count + 1},
                          {.number = step->node_count == 0 ? 1 : step->leaf_count},
                          {.number = counts[MC_SIDE_REFERENCES]},
                          {.number = self->node_count},
                          {.number = (int64_t)(((uint64_t)1 << self->desc.metrics->count) - 1)},
                          {.number = step->directions},
                          {.number = counts[MC_SIDE_RENAMES]},
                          {.number = (int64_t)get_real_mask(self)}};
    return mc_mct_file_put(&self->file, MC_MCT_STEP, row, error);
}

static mc_result put_metric(mc_merge_file *self, mc_metric metric, uint64_t largest,
                            mc_error *error) {
    return mc_mct_file_put_metric(&self->file, metric, &self->desc.metrics->items[metric],
                                  metric < MC_METRIC_FIRST_OWN ? 0 : (int64_t)largest, error);
}

static mc_result put_maximum(mc_merge_file *self, mc_metric metric, uint64_t root_max,
                             mc_error *error) {
    mc_mct_bytes *bytes = &self->scratch;
    mc_mct_field row[] = {
        {.number = metric}, {.number = self->desc.step_count}, {.number = self->node_count}, {0}};
    bytes->size = 0;
    if (mc_mct_append_column(bytes, &root_max, 1, MC_MCT_NO_BASE) != MC_OK)
        return mc_error_out_of_memory(error);
    mc_result result = mc_spool_take(self->spool, get_maxima(self, metric), bytes, error);
    if (result == MC_OK)
        result = encode_bytes(self, 0, bytes->data, bytes->size, &row[MC_MCT_MAXIMUM_DATA], error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_MAXIMUM, row, error) : result;
}

static mc_result put_classifiers(mc_merge_file *self, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < self->desc.classifiers->count && result == MC_OK; i++) {
        size_t size;
        const char *name = mc_strings_get(self->desc.classifiers, i, &size);
        mc_mct_field row[] = {{.number = i}, {.data = name, .size = size}};
        result = mc_mct_file_put(&self->file, MC_MCT_CLASSIFIER, row, error);
    }
    return result;
}

static mc_result put_trace(mc_merge_file *self, bool is_reordered, mc_error *error) {
    mc_mct_field row[] = {{.number = 1},
                          {.number = MC_KEY_PATH_PART},
                          {.number = self->desc.step_count},
                          {.number = self->node_count},
                          {.number = self->string_count},
                          {.number = self->desc.classifiers->count},
                          {.number = self->own_rows},
                          {.number = is_reordered},
                          {.number = 1},
                          {.number = self->desc.metrics->count}};
    return mc_mct_file_put(&self->file, MC_MCT_TRACE, row, error);
}

static mc_result put_ranks(mc_merge_file *self, const mc_mct_bytes *ranks, mc_error *error) {
    mc_mct_field row[] = {{.number = 1}, {.number = self->node_count}, {0}};
    if (!ranks) return MC_OK;
    mc_result result =
        encode_bytes(self, 0, ranks->data, ranks->size, &row[MC_MCT_APPEARANCE_RANKS], error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_APPEARANCE, row, error) : result;
}

mc_result mc_merge_file_finish(mc_merge_file *self, const mc_merge_finish *finish,
                               mc_error *error) {
    mc_result result = put_strings(self, error);
    if (result == MC_OK) result = put_nodes(self, error);
    if (result == MC_OK) result = put_own(self, error);
    if (result == MC_OK) result = put_paths(self, error);
    if (result == MC_OK) result = put_owners(self, error);
    if (result == MC_OK) result = put_classifiers(self, error);
    for (mc_metric metric = 0; metric < self->desc.metrics->count && result == MC_OK; metric++) {
        result = put_metric(self, metric, finish->largest[metric], error);
        if (result == MC_OK) result = put_maximum(self, metric, finish->root_max[metric], error);
    }
    for (uint32_t i = 0; i < self->desc.step_count && result == MC_OK; i++) {
        result = put_columns(self, finish->steps, i, error);
        if (result == MC_OK) result = put_presence(self, i, error);
        if (result == MC_OK) result = put_lists(self, i, &finish->steps[i], error);
        if (result == MC_OK) result = put_remarks(self, i, &finish->steps[i], error);
        if (result == MC_OK) result = put_step(self, i, &finish->steps[i], error);
    }
    if (result == MC_OK) result = put_ranks(self, finish->ranks, error);
    if (result == MC_OK) result = put_trace(self, finish->ranks != NULL, error);
    return result == MC_OK ? mc_mct_file_run(&self->file, "COMMIT", error) : result;
}
