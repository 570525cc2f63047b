// What the system refuses is said as what it is: memory, descriptors, space. A file is called
// damaged only if it is.
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/trace_step.h"
#include "tests/odd_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP_COUNT = 5 };

static char folder[] = "/tmp/memcity-system-XXXXXX";
static char file[64], other[64];
static mc_error error;
static mc_step_tree tree;
static mc_reference_map map;

static mc_result write_steps(const char *path, bool append, uint32_t first) {
    mc_mct_writer_desc desc = {.path = path, .append = append};
    mc_mct_writer *writer = NULL;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    odd_init(&odd, 7, MC_KEY_FULL, 100);
    mc_result result = mc_mct_writer_create(&desc, &writer, &error);
    for (uint32_t step = first; step < first + STEP_COUNT && result == MC_OK; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        odd_fill_map(&odd, &tree, present, &map);
        tree.time_ms = map.time_ms = step;
        result = mc_mct_writer_add_step(writer, &tree, "odd", &error);
        if (result == MC_OK)
            result = mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, &error);
        if (result == MC_OK) result = mc_mct_writer_commit(writer, &error);
    }
    if (result == MC_OK) result = mc_mct_writer_finish(writer, &error);
    mc_mct_writer_destroy(writer);
    return result;
}

// Everything that a file can be asked for.
static mc_result read_all(const char *path) {
    mc_mct_open_desc desc = {.path = path};
    mc_mct_state state;
    mc_trace *trace = NULL;
    mc_result result = mc_mct_peek(path, &state, &error);
    if (result == MC_OK) result = mc_mct_open(&desc, &trace, NULL, &error);
    for (uint32_t step = 0; result == MC_OK && step < mc_trace_get_step_count(trace); step++) {
        result = mc_trace_fill_step_tree(trace, step, &tree, &error);
        if (result == MC_OK)
            result = mc_trace_fill_reference_map(trace, step, MC_POINTS_TO, &map, &error);
    }
    mc_trace_destroy(trace);
    return result;
}

static void copy_file(void) {
    static char bytes[1 << 20];
    FILE *stream = fopen(file, "rb");
    REQUIRE(stream);
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    REQUIRE(size > 0 && size < sizeof bytes);
    fclose(stream);
    stream = fopen(other, "wb");
    REQUIRE(stream);
    REQUIRE(fwrite(bytes, 1, size, stream) == size && fclose(stream) == 0);
}

// ---- SQLite's memory

static sqlite3_mem_methods system_memory;
static uint64_t allocations_left = UINT64_MAX;

static bool may_allocate(void) {
    if (allocations_left == 0) return false;
    if (allocations_left != UINT64_MAX) allocations_left--;
    return true;
}

static void *allocate(int size) {
    return may_allocate() ? system_memory.xMalloc(size) : NULL;
}

static void *reallocate(void *memory, int size) {
    return may_allocate() ? system_memory.xRealloc(memory, size) : NULL;
}

// Before anything else asks SQLite for anything.
static void take_over_memory(void) {
    REQUIRE(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) == SQLITE_OK);
    sqlite3_mem_methods methods = system_memory;
    methods.xMalloc = allocate;
    methods.xRealloc = reallocate;
    REQUIRE(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK);
    REQUIRE(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK);
}

static void test_memory(void) {
    for (int kind = 0; kind < 3; kind++) {
        bool is_done = false;
        for (uint64_t n = 0; !is_done; n += 1 + n / 200) {
            unlink(other);
            if (kind == 1) copy_file();
            allocations_left = n;
            mc_result result = kind == 0   ? read_all(file)
                               : kind == 1 ? write_steps(other, true, STEP_COUNT)
                                           : write_steps(other, false, 0);
            allocations_left = UINT64_MAX;
            is_done = result == MC_OK;
            CHECK_MSG(is_done || result == MC_ERROR_OUT_OF_MEMORY, "%d, %llu: %s", kind,
                      (unsigned long long)n, error.message);
        }
    }
    CHECK_MSG(read_all(file) == MC_OK, "%s", error.message);
}

// ---- descriptors

static void test_descriptors(void) {
    struct rlimit kept, limit;
    REQUIRE(getrlimit(RLIMIT_NOFILE, &kept) == 0);
    limit = kept;
    for (int kind = 0; kind < 3; kind++) {
        bool is_done = false;
        for (rlim_t count = 3; !is_done; count++) {
            unlink(other);
            if (kind == 1) copy_file();
            limit.rlim_cur = count;
            REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
            mc_result result = kind == 0   ? read_all(file)
                               : kind == 1 ? write_steps(other, true, STEP_COUNT)
                                           : write_steps(other, false, 0);
            REQUIRE(setrlimit(RLIMIT_NOFILE, &kept) == 0);
            is_done = result == MC_OK;
            CHECK_MSG(is_done || (result == MC_ERROR_IO && strstr(error.message, strerror(EMFILE))),
                      "%d, %d: %s", kind, (int)count, error.message);
        }
    }
}

// ---- space

static void test_space(void) {
    struct rlimit kept, limit;
    struct stat status;
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE(getrlimit(RLIMIT_FSIZE, &kept) == 0 && stat(file, &status) == 0);
    limit = kept;
    for (int kind = 1; kind < 3; kind++) {
        bool is_done = false;
        for (rlim_t size = 1000; !is_done; size += 3000) {
            unlink(other);
            if (kind == 1) copy_file();
            limit.rlim_cur = size;
            REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
            mc_result result =
                kind == 1 ? write_steps(other, true, STEP_COUNT) : write_steps(other, false, 0);
            REQUIRE(setrlimit(RLIMIT_FSIZE, &kept) == 0);
            is_done = result == MC_OK;
            CHECK_MSG(is_done || (result == MC_ERROR_IO && strstr(error.message, strerror(EFBIG))),
                      "%d, %d: %s", kind, (int)size, error.message);
            // What was there before stays.
            if (kind == 1) CHECK_MSG(read_all(other) == MC_OK, "%s", error.message);
        }
    }
}

// ---- permission

static void test_permission(void) {
    if (geteuid() == 0) return; // to whom it means nothing
    copy_file();
    REQUIRE(chmod(other, 0400) == 0);
    CHECK(write_steps(other, true, STEP_COUNT) == MC_ERROR_IO);
    CHECK_MSG(strstr(error.message, "can't write: Permission denied"), "%s", error.message);
    REQUIRE(chmod(other, 0) == 0);
    CHECK(read_all(other) == MC_ERROR_IO);
    CHECK_MSG(strstr(error.message, "Permission denied"), "%s", error.message);
    REQUIRE(chmod(other, 0600) == 0 && chmod(folder, 0500) == 0);
    CHECK(read_all(other) == MC_OK);
    CHECK(write_steps(other, true, STEP_COUNT) == MC_ERROR_IO);
    CHECK_MSG(strstr(error.message, "Permission denied"), "%s", error.message);
    REQUIRE(chmod(folder, 0700) == 0);
}

int main(void) {
    take_over_memory();
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/t.mct", folder);
    snprintf(other, sizeof other, "%s/o.mct", folder);
    CHECK_MSG(write_steps(file, false, 0) == MC_OK, "%s", error.message);
    test_memory();
    test_descriptors();
    test_space();
    test_permission();
    unlink(file);
    unlink(other);
    CHECK(rmdir(folder) == 0);
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    return test_finish();
}
