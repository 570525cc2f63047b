// The tables that answer in SQL how groups are held: paths of the first and of the last step, as
// plain numbers and texts.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_paths.h"
#include <stdlib.h>
#include <string.h>

typedef struct rows {
    mc_mct_writer *writer;
    mc_path_sum *first, *last;
    uint32_t first_count, last_count;
    bool has_first, has_last; // the steps' are known
    bool *is_used;            // by path
    sqlite3_stmt *statement;
    mc_error *error;
} rows;

static mc_retaining_path get_path(const rows *self, uint32_t index) {
    mc_retaining_path path;
    size_t size;
    memcpy(&path, mc_strings_get(&self->writer->builder->paths, index, &size), sizeof path);
    return path;
}

static mc_result read_step(rows *self, uint32_t index, mc_path_sum **sums, uint32_t *count,
                           bool *is_known) {
    mc_mct_writer *writer = self->writer;
    const mc_seen_step *step = &writer->builder->steps[index];
    mc_mct_path_limits limits = {step->seen_count, writer->builder->strings.count,
                                 writer->builder->paths.count};
    *is_known = step->info.has_paths;
    if (!*is_known) return MC_OK;
    return mc_mct_read_sums(&writer->file, &writer->codec, (int64_t)index + 1, limits, sums, count,
                            self->error);
}

// To each sum, what is below it: a node has the paths above those that it has, and they have lower
// numbers, but for the GC roots, which come last.
static void add_up(const rows *self, mc_path_sum *sums, uint32_t count) {
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && sums[end].node == sums[begin].node;)
            end++;
        for (uint32_t i = begin; i < end; i++) {
            sums[i].objects += sums[i].rest_objects;
            sums[i].bytes += sums[i].rest_bytes;
        }
        for (uint32_t i = end; i-- > begin;) {
            if (sums[i].path == MC_NONE) continue;
            mc_path_sum key = {.node = sums[i].node, .path = get_path(self, sums[i].path).parent};
            mc_path_sum *above =
                bsearch(&key, sums + begin, end - begin, sizeof *sums, mc_path_sum_compare);
            if (!above) continue; // not of an input that is as it should be
            above->objects += sums[i].objects;
            above->bytes += sums[i].bytes;
        }
    }
}

static mc_result prepare(rows *self, const char *sql) {
    sqlite3_finalize(self->statement);
    self->statement = NULL;
    int code = sqlite3_prepare_v2(self->writer->file.db, sql, -1, &self->statement, NULL);
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

static mc_result step(rows *self) {
    int code = sqlite3_step(self->statement);
    sqlite3_reset(self->statement);
    sqlite3_clear_bindings(self->statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

// What a step does not have is 0; NULL if the step's are not known.
static void bind_sum(rows *self, int index, bool is_known, const mc_path_sum *sum) {
    if (!is_known) return;
    sqlite3_bind_int64(self->statement, index, sum ? (int64_t)sum->objects : 0);
    sqlite3_bind_int64(self->statement, index + 1, sum ? (int64_t)sum->bytes : 0);
}

static mc_result write_sums(rows *self) {
    mc_result result =
        prepare(self, "INSERT INTO node_path(node, path, objects_first, bytes_first, "
                      "objects_last, bytes_last) VALUES(?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0, k = 0;
         (i < self->first_count || k < self->last_count) && result == MC_OK;) {
        const mc_path_sum *x = i < self->first_count ? &self->first[i] : NULL;
        const mc_path_sum *y = k < self->last_count ? &self->last[k] : NULL;
        int order = !x ? 1 : !y ? -1 : mc_path_sum_compare(x, y);
        const mc_path_sum *sum = order <= 0 ? x : y;
        assert(sum); // one of both lists goes on
        sqlite3_bind_int64(self->statement, 1, sum->node);
        if (sum->path != MC_NONE) sqlite3_bind_int64(self->statement, 2, sum->path);
        bind_sum(self, 3, self->has_first, order <= 0 ? x : NULL);
        bind_sum(self, 5, self->has_last, order >= 0 ? y : NULL);
        for (uint32_t at = sum->path; at != MC_NONE && !self->is_used[at];
             at = get_path(self, at).parent)
            self->is_used[at] = true;
        result = step(self);
        i += order <= 0;
        k += order >= 0;
    }
    return result;
}

static void bind_name(rows *self, int index, uint32_t name) {
    size_t size;
    if (name == MC_NONE) return; // NULL
    const char *text = mc_strings_get(&self->writer->builder->strings, name, &size);
    sqlite3_bind_text64(self->statement, index, text, size, SQLITE_STATIC, SQLITE_UTF8);
}

static mc_result write_paths(rows *self) {
    mc_result result = prepare(self, "INSERT INTO held_path(id, parent, field, class, place) "
                                     "VALUES(?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < self->writer->builder->paths.count && result == MC_OK; i++) {
        if (!self->is_used[i]) continue;
        mc_retaining_path path = get_path(self, i);
        sqlite3_bind_int64(self->statement, 1, i);
        if (path.parent != MC_NONE) sqlite3_bind_int64(self->statement, 2, path.parent);
        bind_name(self, 3, path.field);
        bind_name(self, 4, path.class);
        if (path.place != MC_NONE) sqlite3_bind_int64(self->statement, 5, path.place);
        result = step(self);
    }
    return result;
}

mc_result mc_mct_write_path_rows(mc_mct_writer *writer, uint32_t first_step, uint32_t last_step,
                                 mc_error *error) {
    rows self = {.writer = writer, .error = error};
    self.is_used = mc_alloc_zero((size_t)writer->builder->paths.count + 1, sizeof *self.is_used);
    if (!self.is_used) return mc_error_out_of_memory(error);
    mc_result result =
        mc_mct_file_run(&writer->file, "DELETE FROM node_path; DELETE FROM held_path", error);
    if (result == MC_OK) result = mc_mct_file_measure(&writer->file, error);
    if (result == MC_OK)
        result = read_step(&self, first_step, &self.first, &self.first_count, &self.has_first);
    if (result == MC_OK)
        result = read_step(&self, last_step, &self.last, &self.last_count, &self.has_last);
    if (result == MC_OK) {
        add_up(&self, self.first, self.first_count);
        add_up(&self, self.last, self.last_count);
        result = write_sums(&self);
    }
    if (result == MC_OK) result = write_paths(&self);
    sqlite3_finalize(self.statement);
    mc_free(self.first);
    mc_free(self.last);
    mc_free(self.is_used);
    return result;
}
