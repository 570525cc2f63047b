// A file that is cut while it is read: no signal ends the program, in whatever thread, and what
// came of it is not taken for the file's.
#include "engine/base/file.h"
#include "engine/import/import.h"
#include "tests/hprof_bytes.h"
#include "tests/test.h"
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static char folder[] = "/tmp/memcity-cut-XXXXXX";
static char path[64];
static mc_error error;

static void write_path(const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    REQUIRE(file && fwrite(bytes, 1, size, file) == size);
    REQUIRE(fclose(file) == 0);
}

// ---- a mapping

static uint64_t sum(const unsigned char *data, size_t size) {
    uint64_t result = 0;
    for (size_t i = 0; i < size; i++)
        result += data[i];
    return result;
}

static void test_mapping(void) {
    static unsigned char ones[5 * 4096 + 100];
    static const size_t cuts[] = {0, 1, 4095, 4096, 4097, 3 * 4096 + 7, 5 * 4096, 5 * 4096 + 99};
    memset(ones, 1, sizeof ones);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        mc_file_map map;
        write_path(ones, sizeof ones);
        REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
        CHECK(mc_file_map_check(&map, path, &error) == MC_OK);
        CHECK(sum(map.data, 4096) == 4096);
        REQUIRE(truncate(path, (off_t)cuts[i]) == 0);
        // What is left, and zeros, up to and with the padding.
        CHECK(sum(map.data, map.size + MC_FILE_PADDING) == cuts[i]);
        CHECK(mc_file_map_check(&map, path, &error) == MC_ERROR_IO);
        CHECK_MSG(strstr(error.message, "was cut while it was read"), "%s", error.message);
        CHECK(mc_file_map_finish(&map, path, MC_ERROR_BAD_DATA, &error) == MC_ERROR_IO);
        CHECK(mc_file_map_finish(&map, path, MC_ERROR_CANCELLED, &error) == MC_ERROR_CANCELLED);
        mc_file_map_give_back(map.data, 0, map.size);
        CHECK(sum(map.data, map.size) == cuts[i]);
        // Growing again does not bring back what was read as zeros.
        REQUIRE(truncate(path, sizeof ones) == 0);
        bool was_hit = cuts[i] <= 5 * 4096; // a whole page was missing
        CHECK((mc_file_map_check(&map, path, &error) == MC_ERROR_IO) == was_hit);
        mc_file_map_close(&map);
        REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
        CHECK(mc_file_map_check(&map, path, &error) == MC_OK); // nothing sticks to the number
        mc_file_map_close(&map);
    }
}

// As many as there are, and no trace of those that were closed.
static void test_many(void) {
    enum { MOST = 300 };
    mc_file_map maps[MOST];
    uint32_t count = 0;
    write_path("x", 1);
    while (count < MOST && mc_file_map_open(&maps[count], path, &error) == MC_OK)
        count++;
    CHECK(count >= 100 && count < MOST);
    CHECK_MSG(strstr(error.message, "too many files"), "%s", error.message);
    while (count > 0)
        mc_file_map_close(&maps[--count]);
    REQUIRE(mc_file_map_open(&maps[0], path, &error) == MC_OK);
    mc_file_map_close(&maps[0]);
}

static const unsigned char *shared;
static size_t shared_size;
static atomic_bool is_cut;

static void *read_over_and_over(void *user) {
    uint64_t *last = user;
    for (bool was_cut = false; !was_cut;) {
        was_cut = atomic_load(&is_cut);
        *last = sum(shared, shared_size);
    }
    return NULL;
}

static void test_threads(void) {
    enum { SIZE = 4 << 20, THREADS = 4 };
    mc_file_map map;
    pthread_t threads[THREADS];
    uint64_t sums[THREADS];
    unsigned char *ones = malloc(SIZE);
    REQUIRE(ones);
    memset(ones, 1, SIZE);
    write_path(ones, SIZE);
    free(ones);
    REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
    shared = map.data;
    shared_size = map.size;
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, read_over_and_over, &sums[i]) == 0);
    REQUIRE(truncate(path, SIZE / 2) == 0);
    atomic_store(&is_cut, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(sums[i] == SIZE / 2);
    }
    CHECK(mc_file_map_check(&map, path, &error) == MC_ERROR_IO);
    mc_file_map_close(&map);
}

// What is no mapping of ours ends the program as before.
static void test_foreign_fault(void) {
    write_path("x", 1);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(path, O_RDONLY);
        volatile unsigned char *bytes = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
        fclose(stderr); // a sanitizer would say much
        _exit(bytes[4096] == 0 ? 77 : 78);
    }
    int status = 0;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) < 77);
}

// ---- imports

typedef struct cutter {
    uint64_t asked, cut_at; // the question at which the file is cut
    off_t size;             // to which
    bool is_done;
} cutter;

static bool cut(void *user, uint64_t done, uint64_t total) {
    cutter *self = user;
    (void)done;
    (void)total;
    if (++self->asked == self->cut_at) self->is_done = truncate(path, self->size) == 0;
    return true;
}

static void ignore(void *user, mc_log_level level, const char *message) {
    (void)user;
    (void)level;
    (void)message;
}

// Cuts the file at one question after another, until there are no more. `least`: times that the
// import must have noticed.
static void check_import(const char *what, const void *bytes, size_t size, uint32_t least) {
    static const mc_log log = {ignore, NULL};
    const char *name = path;
    uint32_t noticed = 0;
    cutter self = {.is_done = true};
    for (uint64_t at = 1; self.is_done; at += 1 + at / 4) {
        for (int part = 0; part < 2; part++) {
            mc_trace *trace = NULL;
            write_path(bytes, size);
            self = (cutter){.cut_at = at, .size = (off_t)(size / 8 * (size_t)(1 + 4 * part))};
            mc_progress progress = {cut, &self};
            mc_import_desc desc = {.paths = &name,
                                   .path_count = 1,
                                   .skip_bad_steps = at % 2 == 0,
                                   .partial = at % 3 == 0,
                                   .log = &log,
                                   .progress = &progress};
            mc_result result = mc_import_trace(&desc, &trace, NULL, &error);
            noticed += result != MC_OK;
            CHECK_MSG(result == MC_OK || result == MC_ERROR_IO, "%s: %s", what, error.message);
            CHECK_MSG(result == MC_OK || strstr(error.message, "was cut while it was read"),
                      "%s: %s", what, error.message);
            CHECK((trace != NULL) == (result == MC_OK));
            mc_trace_destroy(trace);
        }
    }
    CHECK_MSG(noticed >= least, "%s: noticed %u times", what, noticed);
}

static void append_step(mc_text *text, int64_t time_ms, uint32_t leaf_count) {
    mc_text_format(text,
                   "{\"time\":%" PRId64 ",\"root\":{\"key\":\"H\",\"name\":\"H\",\"role\":\"\","
                   "\"bytes\":%u,\"objects\":%u,\"children\":[",
                   time_ms, leaf_count, leaf_count);
    for (uint32_t i = 0; i < leaf_count; i++)
        mc_text_format(text,
                       "%s{\"key\":\"H#%u\",\"name\":\"%u\",\"role\":\"Type\",\"bytes\":1,"
                       "\"objects\":1}",
                       i > 0 ? "," : "", i, i);
    mc_text_append_string(text, "]}}");
}

static void append_array(mc_text *text, uint32_t step_count, uint32_t leaf_count) {
    for (uint32_t i = 0; i < step_count; i++) {
        mc_text_append_string(text, i == 0 ? "[" : ",");
        append_step(text, i, leaf_count);
    }
    mc_text_append_string(text, "]");
}

static mc_text pack_gzip(const mc_text *plain) {
    mc_text packed = {0};
    REQUIRE(plain->data && !plain->failed);
    z_stream stream = {0};
    size_t most = plain->size + plain->size / 100 + 1000;
    char *bytes = malloc(most);
    REQUIRE(bytes && deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (unsigned char *)plain->data;
    stream.avail_in = (uInt)plain->size;
    stream.next_out = (unsigned char *)bytes;
    stream.avail_out = (uInt)most;
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    mc_text_append(&packed, bytes, most - stream.avail_out);
    deflateEnd(&stream);
    free(bytes);
    return packed;
}

static void test_json(void) {
    mc_text text = {0};
    append_step(&text, 1, 60000);
    check_import("a step", text.data, text.size, 0);
    mc_text_clear(&text);
    append_array(&text, 40, 3000);
    check_import("an array", text.data, text.size, 3);
    mc_text packed = pack_gzip(&text);
    check_import("a packed array", packed.data, packed.size, 1);
    mc_text_deinit(&packed);
    size_t most = ZSTD_compressBound(text.size);
    char *bytes = malloc(most);
    REQUIRE(bytes);
    check_import("another one", bytes, ZSTD_compress(bytes, most, text.data, text.size, 1), 1);
    free(bytes);
    mc_text_deinit(&text);
}

// Names stand in front, and are read again when the heap was counted.
static void make_dump(hprof_bytes *dump, uint32_t instance_count) {
    enum { CLASSES = 500 };
    begin_dump(dump, 8);
    for (uint64_t i = 1; i <= CLASSES; i++) {
        char name[64];
        snprintf(name, sizeof name, "some/package%u/Type%u", (unsigned)(i % 7), (unsigned)i);
        put_class_name(dump, 0x1000 + 8 * i, name);
    }
    begin_segment(dump, 0x1c);
    for (uint64_t i = 1; i <= CLASSES; i++)
        put_class(dump, 0x1000 + 8 * i, i % 3 == 0 ? 0x1008 : 0, 0, 0x100000, "22:");
    end_segment(dump);
    for (uint64_t i = 0; i < instance_count; i++) {
        if (i % 1000 == 0) begin_segment(dump, 0x1c);
        put_instance(dump, 0x100000 + 32 * i, 0x1000 + 8 * (1 + i % CLASSES), 20);
        put_id(dump, 0x100000 + 32 * (i * 7 % instance_count));
        put_id(dump, 0);
        put_bytes(dump, 1, 4);
        if (i % 1000 == 999 || i + 1 == instance_count) end_segment(dump);
    }
    put_record(dump, 0x2c, 0);
}

static void test_dumps(void) {
    hprof_bytes dump;
    make_dump(&dump, 80000);
    check_import("a heap dump", dump.text.data, dump.text.size, 3);
    mc_text packed = pack_gzip(&dump.text);
    check_import("a packed heap dump", packed.data, packed.size, 3);
    mc_text_deinit(&packed);
    mc_text_deinit(&dump.text);
}

static void test_histograms(void) {
    mc_text text = {0};
    for (uint32_t i = 0; i < 60; i++) {
        mc_text_format(&text,
                       "2024-05-01 12:%02u:%02u\n num     #instances         #bytes  class name "
                       "(module)\n-------------------------------------------------------\n",
                       i / 60, i % 60);
        for (uint32_t k = 1; k <= 300; k++)
            mc_text_format(&text, "%4u: %13u %13u  a.b.Type%u\n", k, k, 8 * k, k);
        mc_text_format(&text, "Total %13u %13u\n", 300 * 301 / 2, 4 * 300 * 301);
    }
    check_import("histograms", text.data, text.size, 0);
    mc_text_deinit(&text);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    mc_file_map_survive_cuts();
    test_mapping();
    test_many();
    test_threads();
    test_foreign_fault();
    test_json();
    test_dumps();
    test_histograms();
    unlink(path);
    CHECK(rmdir(folder) == 0);
    return test_finish();
}
