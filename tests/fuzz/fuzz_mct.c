// fuzz_mct - whatever bytes come as an .mct file, they are answered with a trace or an error.
//
// A database's checksums would stop nearly every mutation early, so the input is also taken as a
// recipe: its first bytes choose a row of a small valid file, the rest replaces one of its blobs,
// and the row gets a right checksum. So the decoders see what no checksum keeps from them.
#include "engine/analyze/retaining_tree.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_file.h"
#include "engine/trace/trace_step.h"
#include "tests/odd_trace.h"
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static unsigned char *valid; // a small file
static size_t valid_size;

static void make_valid_file(void) {
    char path[] = "/tmp/fuzz-mct-XXXXXX", file[64];
    static odd_trace odd;
    static mc_step_tree tree;
    static mc_reference_map map;
    static mc_step_referrers referrers;
    static mc_step_paths paths;
    static mc_step_owners owners;
    bool present[ODD_NODE_COUNT];
    mc_mct_writer *writer = NULL;
    REQUIRE(mkdtemp(path));
    snprintf(file, sizeof file, "%s/a.mct", path);
    mc_mct_writer_desc desc = {.path = file};
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    odd_init(&odd, 3, MC_KEY_FULL, 4);
    for (uint32_t step = 0; step < 4; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        if (step == 2) tree.missing = "a part";
        tree.note = step == 1 ? "deploy" : NULL; // step 2 of the file
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "odd", NULL) == MC_OK);
        odd_fill_referrers(&odd, &tree, &referrers);
        REQUIRE(mc_mct_writer_add_referrers(writer, &referrers, NULL) == MC_OK);
        odd_fill_paths(&odd, &tree, &paths);
        REQUIRE(mc_mct_writer_add_paths(writer, &paths, NULL) == MC_OK);
        odd_fill_owners(&odd, &tree, &owners);
        REQUIRE(mc_mct_writer_add_owners(writer, &owners, NULL) == MC_OK);
        odd_fill_map(&odd, &tree, present, &map);
        REQUIRE(mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, NULL) == MC_OK);
    }
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    FILE *stream = fopen(file, "rb");
    struct stat status;
    REQUIRE(stream && fstat(fileno(stream), &status) == 0);
    valid_size = (size_t)status.st_size;
    valid = malloc(valid_size);
    REQUIRE(valid && fread(valid, 1, valid_size, stream) == valid_size);
    fclose(stream);
    unlink(file);
    rmdir(path);
}

static void read_all(const void *data, size_t size, bool skips) {
    mc_mct_open_desc desc = {.memory = data, .memory_size = size, .skip_bad_steps = skips};
    mc_error error = {0};
    mc_trace *trace = NULL;
    mc_reference_rows references = {0};
    mc_field_rows fields = {0};
    mc_root_rows roots = {0};
    static mc_step_tree tree;
    static mc_step_referrers referrers;
    static mc_step_paths paths;
    static mc_step_owners owners;
    mc_retaining_tree held = {0};
    uint64_t value;
    uint32_t *late, late_count;
    bool is_merged;
    if (mc_mct_open(&desc, &trace, NULL, &error) != MC_OK) {
        REQUIRE(!trace && error.code != MC_OK && error.message[0]);
        return;
    }
    uint32_t steps = mc_trace_get_step_count(trace), count = mc_trace_get_nodes(trace)->count;
    for (uint32_t step = 0; step < steps && step < 8; step++) {
        (void)mc_trace_fill_step_tree(trace, step, &tree, NULL);
        (void)mc_trace_read_references(trace, step, &references, NULL);
        (void)mc_trace_read_fields(trace, step, &fields, NULL);
        (void)mc_trace_read_roots(trace, step, &roots, NULL);
        (void)mc_trace_fill_step_referrers(trace, step, &referrers, NULL);
        (void)mc_trace_fill_step_paths(trace, step, &paths, NULL);
        (void)mc_trace_fill_step_owners(trace, step, &owners, NULL);
        if (mc_mct_read_held(trace, step, &is_merged, &late, &late_count, NULL) == MC_OK)
            for (uint32_t i = 0; i < late_count; i++)
                REQUIRE(late[i] < count);
        mc_free(late);
        (void)mc_retaining_tree_find(trace, count / 2, step, 0, &held, NULL);
        (void)mc_trace_read_value(trace, step, MC_METRIC_BYTES, count - 1, &value, NULL);
    }
    mc_reference_rows_deinit(&references);
    mc_field_rows_deinit(&fields);
    mc_root_rows_deinit(&roots);
    mc_retaining_tree_deinit(&held);
    mc_trace_destroy(trace);
}

// Which fields of a table are numbers and which are blobs.
static const struct {
    mc_mct_table table;
    int64_t key;
    int first_blob, field_count;
} rows[] = {
    {MC_MCT_TRACE, 1, 10, 10},
    {MC_MCT_STRINGS, 0, 2, 4},
    {MC_MCT_NODES, 0, 2, 6},
    {MC_MCT_OWN, 0, 2, 3},
    {MC_MCT_STEP, 2, 12, 12},
    {MC_MCT_COLUMN, (1 * 64 + 0) * 131072, 2, 3},
    {MC_MCT_COLUMN, (2 * 64 + 1) * 131072, 2, 3},
    {MC_MCT_COLUMN, (2 * 64 + 3) * 131072, 2, 3},
    {MC_MCT_COLUMN, (3 * 64 + 63) * 131072, 2, 3},
    {MC_MCT_REFERENCES, 2, 2, 6},
    {MC_MCT_MAXIMUM, 0, 3, 4},
    {MC_MCT_RENAMES, 3, 2, 5},
    {MC_MCT_APPEARANCE, 1, 2, 3},
    {MC_MCT_FIELDS, 2, 2, 7},
    {MC_MCT_ROOTS, 2, 2, 6},
    {MC_MCT_PATHS, 0, 2, 6},
    {MC_MCT_SUMS, 2, 3, 10},
    {MC_MCT_DAMAGE, 3, 1, 2},
    {MC_MCT_HELD, 2, 2, 3},
    {MC_MCT_NOTE, 2, 1, 2},
    {MC_MCT_OWNERS, 0, 2, 7},
    {MC_MCT_OWNER_SUMS, 2, 3, 9},
    {MC_MCT_OWNER_WAYS, 2, 3, 7},
};

// What the writer leaves to merges.
static void add_held(mc_mct_file *file) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX] = {{.number = 2}};
    REQUIRE(mc_mct_file_add_held(file, NULL) == MC_OK);
    row[MC_MCT_HELD_NODES].data = "";
    REQUIRE(mc_mct_file_put(file, MC_MCT_HELD, row, NULL) == MC_OK);
}

static void take_row(mc_mct_file *file, const uint8_t *input, size_t size) {
    size_t which = input[0] % (sizeof rows / sizeof *rows);
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    if (rows[which].table == MC_MCT_HELD) add_held(file);
    if (mc_mct_file_get(file, rows[which].table, rows[which].key, row, NULL) != MC_OK) return;
    unsigned char *copies[MC_MCT_FIELD_COUNT_MAX] = {0};
    for (int i = rows[which].first_blob; i < rows[which].field_count; i++) {
        copies[i] = malloc(row[i].size + 1);
        REQUIRE(copies[i]);
        if (row[i].size > 0) memcpy(copies[i], row[i].data, row[i].size);
        row[i].data = copies[i];
    }
    mc_mct_file_release(file, rows[which].table);
    int field = 1 + input[1] % (rows[which].field_count - 1);
    if (field < rows[which].first_blob) {
        memcpy(&row[field].number, input + 2, 8);
    } else {
        row[field].data = input + 2;
        row[field].size = size - 2;
    }
    (void)mc_mct_file_put(file, rows[which].table, row, NULL);
    for (int i = 0; i < MC_MCT_FIELD_COUNT_MAX; i++)
        free(copies[i]);
}

// A connection of its own, in memory, that may write.
static void replace_row(const uint8_t *input, size_t size) {
    mc_mct_file file = {0};
    char name[] = "memory";
    file.path = name;
    sqlite3_int64 changed_size;
    unsigned char *copy = sqlite3_malloc64(valid_size);
    REQUIRE(copy && sqlite3_open(":memory:", &file.db) == SQLITE_OK);
    memcpy(copy, valid, valid_size);
    REQUIRE(sqlite3_deserialize(
                file.db, "main", copy, (sqlite3_int64)valid_size, (sqlite3_int64)valid_size,
                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
    take_row(&file, input, size);
    for (int table = 0; table < MC_MCT_TABLE_COUNT; table++) {
        sqlite3_finalize(file.get[table]);
        sqlite3_finalize(file.put[table]);
    }
    unsigned char *changed = sqlite3_serialize(file.db, "main", &changed_size, 0);
    sqlite3_close(file.db);
    REQUIRE(changed);
    read_all(changed, (size_t)changed_size, input[1] & 1);
    sqlite3_free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (!valid) make_valid_file();
    if (mc_mct_detect(input, size))
        read_all(input, size, size & 1);
    else if (size >= 10)
        replace_row(input, size);
    return 0;
}
