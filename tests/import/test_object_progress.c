// Progress of the readers and writers of heaps of objects: it never goes back, comes to an end, and
// a cancel is heard wherever it comes.
#include "engine/import/graph/graph_writer.h"
#include "engine/import/heap_file.h"
#include "engine/import/hprof/hprof_columns.h"
#include "engine/import/import.h"
#include "tests/test.h"
#include <unistd.h>

#define OBJECTS 70000u

static char path[] = "/tmp/memcity-progress-XXXXXX";

typedef struct watcher {
    double share;
    uint32_t count, until; // cancels the report of this number; 0: none
} watcher;

static bool note(void *user, uint64_t done, uint64_t total) {
    watcher *self = user;
    const double share = (double)done / (double)total;
    CHECK_MSG(share >= self->share && share <= 1, "%f after %f", share, self->share);
    self->share = share;
    return ++self->count != self->until;
}

// A chain of objects.
static void write_graph(FILE *file) {
    fputs("#memcity graph 1\nid\tsize\ttype\n", file);
    for (unsigned i = 0; i < OBJECTS; i++)
        fprintf(file, "%u\t16\ta\n", i);
    fputs("from\tto\n", file);
    for (unsigned i = 1; i < OBJECTS; i++)
        fprintf(file, "%u\t%u\n", i - 1, i);
    fputs("root\n0\n", file);
}

static void write_ruby(FILE *file) {
    fputs("{\"type\":\"ROOT\",\"root\":\"vm\",\"references\":[\"0x1\"]}\n", file);
    for (unsigned i = 1; i < OBJECTS; i++)
        fprintf(file, "{\"address\":\"0x%x\",\"type\":\"OBJECT\",\"references\":[\"0x%x\"]}\n", i,
                i + 1);
}

static void put_number(FILE *file, uint64_t value) {
    for (; value > 127; value >>= 7)
        fputc((int)(value & 127) | 128, file);
    fputc((int)value, file);
}

static void write_go(FILE *file) {
    fputs("go1.7 heap dump\n", file);
    fwrite("\6\0\10\0\0\0\0\1", 1, 8, file);
    for (uint64_t i = 1; i < OBJECTS; i++) {
        const uint64_t words[32] = {(i + 1) << 10}; // the next one
        fputc(1, file);
        put_number(file, i << 10);
        put_number(file, sizeof words);
        fwrite(words, 1, sizeof words, file);
        fwrite("\1\0\0", 1, 3, file);
    }
    fwrite("\2\0\x80\x08\0", 1, 5, file); // a root
}

static void write_v8(FILE *file) {
    fputs("{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\","
          "\"edge_count\"],\"node_types\":[[\"object\"]],\"edge_fields\":[\"type\","
          "\"name_or_index\",\"to_node\"],\"edge_types\":[[\"property\"]]}},\"nodes\":[0,0,1,8,1",
          file);
    for (unsigned i = 1; i < OBJECTS; i++)
        fprintf(file, ",0,0,%u,8,%d", i + 1, i + 1 < OBJECTS);
    fputs("],\"edges\":[0,0,5", file);
    for (unsigned i = 2; i < OBJECTS; i++)
        fprintf(file, ",0,0,%u", i * 5);
    fputs("],\"strings\":[\"a\"]}", file);
}

static bool ignore(void *user, const char *bytes, size_t size) {
    (void)user, (void)bytes, (void)size;
    return true;
}

static mc_result write_rows(watcher *self, mc_error *error) {
    const mc_progress progress = {note, self};
    const mc_output_sink sink = {ignore, NULL};
    const mc_heap_desc desc = {.has_references = true, .has_graph = true, .progress = &progress};
    mc_hprof_columns columns;
    mc_heap_file file;
    mc_result result = mc_hprof_columns_parse(NULL, true, &columns, error);
    if (result == MC_OK) result = mc_heap_file_open(&file, path, &desc, error);
    if (result == MC_OK)
        result = mc_heap_file_write_rows(&file, &columns, MC_ROW_TSV, sink, &progress, error);
    mc_heap_file_close(&file);
    return result;
}

static mc_result write_as_graph(watcher *self, mc_error *error) {
    const mc_progress progress = {note, self};
    const mc_heap_desc desc = {.has_references = true, .has_graph = true, .progress = &progress};
    mc_heap_file file;
    mc_result result = mc_heap_file_open(&file, path, &desc, error);
    if (result == MC_OK) result = mc_heap_file_link(&file, &progress, error);
    self->share = 0; // writing has its own
    if (result == MC_OK)
        result = mc_graph_write(file.heap, 0, &progress, (mc_output_sink){ignore, NULL}, error);
    mc_heap_file_close(&file);
    return result;
}

static mc_result import(watcher *self, mc_error *error) {
    const mc_progress progress = {note, self};
    const char *const paths[] = {path};
    const mc_import_desc desc = {
        .paths = paths, .path_count = 1, .deep = {.all = true}, .progress = &progress};
    mc_import_report report = {0};
    mc_trace *trace = NULL;
    mc_result result = mc_import_trace(&desc, &trace, &report, error);
    mc_trace_destroy(trace);
    return result;
}

static void check(mc_result (*run)(watcher *self, mc_error *error)) {
    watcher all = {.share = 0};
    mc_error error = {0};
    CHECK_MSG(run(&all, &error) == MC_OK, "%s", error.message);
    CHECK_MSG(all.count >= 8 && all.share > 0.8, "%u, %f", all.count, all.share);
    for (uint32_t i = 0; i < 4; i++) {
        // Not the last one: with threads there may be one less.
        watcher some = {.until = 1 + (all.count - 1) * i / 4};
        mc_result result = run(&some, &error);
        CHECK_MSG(result == MC_ERROR_CANCELLED, "%d at %u of %u", (int)result, some.until,
                  all.count);
        CHECK_MSG(some.count <= some.until + 2, "%u after %u", some.count, some.until);
    }
}

int main(void) {
    static void (*const formats[])(FILE * file) = {write_graph, write_ruby, write_v8, write_go};
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    close(descriptor);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        FILE *file = fopen(path, "w");
        REQUIRE(file);
        formats[i](file);
        REQUIRE(fclose(file) == 0);
        check(write_rows);
        check(write_as_graph);
        check(import);
    }
    unlink(path);
    return test_finish();
}
