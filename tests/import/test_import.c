// Opening traces: folders, archives, arrays, pointer maps, and what happens if something is wrong.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "tests/hprof_bytes.h"
#include "tests/trace_values.h"
#include <ftw.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

// ---- files to read, in a folder of their own

static char folder[512];

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void begin_folder(void) {
    snprintf(folder, sizeof folder, "%s/import-test-XXXXXX", MC_TEST_BINARY_DIR);
    REQUIRE(mkdtemp(folder));
}

static void end_folder(void) {
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *get_path(const char *name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s%s%s", folder, *name ? "/" : "", name);
    return path;
}

// Packs by the name's extension.
static void write_file(const char *name, const char *content) {
    char path[1024];
    snprintf(path, sizeof path, "%s", get_path(name));
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0777);
    }
    size_t size = strlen(content), name_size = strlen(name);
    if (name_size > 3 && strcmp(name + name_size - 3, ".gz") == 0) {
        gzFile file = gzopen(path, "wb");
        REQUIRE(file && gzwrite(file, content, (unsigned)size) == (int)size);
        gzclose(file);
        return;
    }
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    if (name_size > 4 && strcmp(name + name_size - 4, ".zst") == 0) {
        char *packed = malloc(ZSTD_compressBound(size));
        size_t packed_size = ZSTD_compress(packed, ZSTD_compressBound(size), content, size, 3);
        REQUIRE(!ZSTD_isError(packed_size) && fwrite(packed, 1, packed_size, file) == packed_size);
        free(packed);
    } else {
        REQUIRE(fwrite(content, 1, size, file) == size);
    }
    fclose(file);
}

// A step of the default form with one district "p" and the leaves "p#a", "p#b" … of `objects`; '-'
// leaves one out.
static const char *make_step(int64_t time_ms, const char *objects) {
    static char ring[8][4096];
    static unsigned next;
    char *text = ring[next++ % 8];
    int total = 0;
    for (const char *digit = objects; *digit; digit++)
        total += *digit == '-' ? 0 : *digit - '0';
    int used =
        snprintf(text, 4096,
                 "{\"time\":%" PRId64 ",\"root\":{\"key\":\"H\",\"name\":\"H\",\"role\":\"\","
                 "\"bytes\":%d,\"objects\":%d,\"children\":[{\"key\":\"H#p\",\"name\":\"p\","
                 "\"role\":\"Package\",\"bytes\":%d,\"objects\":%d,\"children\":[",
                 time_ms, total * 8, total, total * 8, total);
    bool is_first = true;
    for (int i = 0; objects[i]; i++) {
        if (objects[i] == '-') continue;
        used += snprintf(text + used, 4096 - (size_t)used,
                         "%s{\"key\":\"H#p#%c\",\"name\":\"%c\",\"role\":\"Type\",\"bytes\":%d,"
                         "\"objects\":%d}",
                         is_first ? "" : ",", 'a' + i, 'a' + i, (objects[i] - '0') * 8,
                         objects[i] - '0');
        is_first = false;
    }
    snprintf(text + used, 4096 - (size_t)used, "]}]}}");
    return text;
}

static const char *make_map(int64_t time_ms, const char *outer, const char *inner, int count) {
    static char ring[8][256];
    static unsigned next;
    char *text = ring[next++ % 8];
    snprintf(text, 256, "{\"time\":%" PRId64 ",\"pointerMap\":{\"%s\":{\"%s\":%d}}}", time_ms,
             outer, inner, count);
    return text;
}

// ---- importing

static mc_trace *trace;
static mc_import_report report;
static mc_error error;
static char warnings[16384];

static void write_warning(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level == MC_LOG_INFO) return;
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", message);
}

static mc_result import_paths(const char *const *names, uint32_t count, bool skip_bad_steps) {
    char paths[4][1024];
    const char *pointers[4];
    const mc_log log = {.write = write_warning};
    for (uint32_t i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", get_path(names[i]));
        pointers[i] = paths[i];
    }
    mc_trace_destroy(trace);
    memset(&error, 0, sizeof error);
    warnings[0] = '\0';
    const mc_import_desc desc = {
        .paths = pointers, .path_count = count, .skip_bad_steps = skip_bad_steps, .log = &log};
    mc_result result = mc_import_trace(&desc, &trace, &report, &error);
    CHECK((result == MC_OK) == (trace != NULL));
    CHECK(result == error.code || result == MC_OK);
    return result;
}

static mc_result import(const char *name, bool skip_bad_steps) {
    return import_paths(&name, 1, skip_bad_steps);
}

static void check_imported(const char *name) {
    CHECK_MSG(import(name, false) == MC_OK, "%s: %s", name, error.message);
    CHECK_MSG(warnings[0] == '\0', "%s", warnings);
    REQUIRE(trace);
}

// The message begins with the file (and offset), and has `text`.
static void check_fails(const char *name, mc_result result, const char *place, const char *text) {
    CHECK(import(name, false) == result);
    char begin[1100];
    snprintf(begin, sizeof begin, "%s", get_path(place));
    CHECK_MSG(strncmp(error.message, begin, strlen(begin)) == 0, "%s, not %s", error.message,
              begin);
    CHECK_MSG(strstr(error.message, text), "%s, not %s", error.message, text);
}

static uint64_t get_objects(uint32_t step, const char *full_key) {
    uint32_t node = mc_trace_find_node(trace, full_key, strlen(full_key));
    CHECK_MSG(node != MC_NONE, "%s", full_key);
    return node == MC_NONE ? 0 : test_value(trace, step, MC_METRIC_OBJECTS, node);
}

static void check_steps(const char *times) { // a digit each
    CHECK(mc_trace_get_step_count(trace) == strlen(times));
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace) && times[i]; i++)
        CHECK(mc_trace_get_step(trace, i)->time_ms == times[i] - '0');
}

// ---- where the files lie

static void test_single_files(void) {
    begin_folder();
    write_file("x.json", make_step(1, "12"));
    write_file("array.data", "[]");
    check_imported("x.json");
    check_steps("1");
    CHECK(report.step_count == 1 && report.skipped_count == 0);
    CHECK(report.input_bytes == strlen(make_step(1, "12")));
    CHECK(get_objects(0, "H#p#b") == 2);
    write_file("y.json.gz", make_step(2, "34"));
    write_file("z.json.zst", make_step(3, "56"));
    const char *names[] = {"z.json.zst", "x.json", "y.json.gz"};
    CHECK(import_paths(names, 3, false) == MC_OK);
    check_steps("123");
    CHECK(get_objects(1, "H#p#a") == 3 && get_objects(2, "H#p#a") == 5);
    // by content, not by name
    char from[1024];
    snprintf(from, sizeof from, "%s", get_path("y.json.gz"));
    REQUIRE(rename(from, get_path("packed")) == 0);
    check_imported("packed");
    check_steps("2");
    check_fails("array.data", MC_ERROR_BAD_DATA, "array.data:2:", "at least one object");
    check_fails("nothing.json", MC_ERROR_IO, "nothing.json:", "No such file");
    write_file("empty.json", "");
    check_fails("empty.json", MC_ERROR_BAD_DATA, "empty.json:0:", "expected a step");
    write_file("map.json", make_map(1, "H#p#a", "H#p#b", 1));
    check_fails("map.json", MC_ERROR_BAD_DATA, "map.json:0:", "found a pointer map");
    end_folder();
}

static void test_folder_of_both_forms(void) {
    static const char anttracks[] =
        "{\"classifiers\":[{\"name\":\"Package\",\"id\":0}],\"time\":1,\"root\":{\"key\":\"H\","
        "\"classifierId\":-1,\"bytes\":8,\"objects\":4,\"children\":[{\"key\":\"p\",\"objects\":4,"
        "\"classifierId\":0,\"bytes\":8}]}}";
    begin_folder();
    write_file("t/anttracks-format/1.json", anttracks);
    check_imported("t");
    CHECK(mc_trace_get_key_kind(trace) == MC_KEY_PATH_PART);
    CHECK(get_objects(0, "H#p") == 4);
    // the maps name leaves by their full keys, so they fit the other form, too
    write_file("t/default-format/points-to-maps/1.json", make_map(1, "H#p", "H#p", 2));
    check_imported("t");
    CHECK(test_reference_count(trace, 0) == 1);

    write_file("t/default-format/1.json", make_step(1, "12"));
    write_file("t/default-format/points-to-maps/1.json", make_map(1, "H#p#a", "H#p#b", 2));
    write_file("t/default-format/pointed-from-maps/1.json", make_map(1, "H#p#b", "H#p#a", 1));
    write_file("t/ignored.json", "not JSON");
    write_file("t/summary.txt", "not JSON");
    check_imported("t");
    CHECK(mc_trace_get_key_kind(trace) == MC_KEY_FULL);
    mc_reference_rows references = test_read_references(trace, 0);
    REQUIRE(references.count == 1);
    CHECK(references.items[0].points_to == 2 && references.items[0].pointed_from == 1);
    CHECK(references.items[0].from == mc_trace_find_node(trace, "H#p#a", 5));
    CHECK(references.items[0].to == mc_trace_find_node(trace, "H#p#b", 5));
    mc_reference_rows_deinit(&references);
    CHECK(report.step_count == 1);

    check_imported("t/default-format/");
    CHECK(test_reference_count(trace, 0) == 1);
    check_imported("t/anttracks-format");
    CHECK(mc_trace_get_key_kind(trace) == MC_KEY_PATH_PART);
    CHECK(!mc_trace_has_references(trace));
    check_fails("t/default-format/points-to-maps", MC_ERROR_BAD_DATA,
                "t/default-format/points-to-maps:", "found one of pointer maps");
    // one trace of both forms makes no sense
    const char *both[] = {"t/anttracks-format", "t/default-format"};
    CHECK(import_paths(both, 2, false) == MC_ERROR_BAD_DATA);
    end_folder();
}

static void test_plain_folder(void) {
    begin_folder();
    // sorted by time, whatever the names say; hidden and other files are not looked at
    write_file("s/1.json", make_step(9, "1"));
    write_file("s/2.json.gz", make_step(5, "2"));
    write_file("s/10.json.zst", make_step(7, "3"));
    write_file("s/.hidden.json", "{");
    write_file("s/notes.txt", "{");
    write_file("s/x.json.part", "{");
    write_file("s/folder.json/x", "{");
    write_file("s/points-to-maps/a.json.gz", make_map(5, "H#p#a", "H#p#a", 1));
    write_file("s/points-to-maps/b.json", "{\"time\":7,\"pointerMap\":null}");
    check_imported("s");
    check_steps("579");
    CHECK(report.step_count == 3);
    CHECK(mc_trace_has_references(trace));
    CHECK(test_reference_count(trace, 0) == 1);
    CHECK(test_reference_count(trace, 1) == 0);
    const char *mixed[] = {"s", "extra.json"};
    write_file("extra.json", make_step(6, "4"));
    CHECK(import_paths(mixed, 2, false) == MC_OK);
    check_steps("5679");

    write_file("none/readme.txt", "");
    check_fails("none", MC_ERROR_BAD_DATA, "none:", "class histograms as *.txt");
    write_file("maps/points-to-maps/1.json", make_map(1, "a", "b", 1));
    check_fails("maps", MC_ERROR_BAD_DATA, "maps:", "expected *.json");
    end_folder();
}

// Of `count` objects, `later` ms behind the first.
static void write_dump_of(const char *name, uint32_t count, uint8_t later) {
    hprof_bytes dump;
    begin_dump(&dump, 8);
    dump.text.data[dump.text.size - 1] =
        (char)((uint8_t)dump.text.data[dump.text.size - 1] + later);
    put_class_name(&dump, 0x1000, "a/B");
    begin_segment(&dump, 0x1c);
    put_class(&dump, 0x1000, 0, 0, 0, "");
    for (uint32_t i = 0; i < count; i++)
        put_instance(&dump, 0x2000 + 16 * (uint64_t)i, 0x1000, 0);
    end_segment(&dump);
    put_record(&dump, 0x2c, 0);
    CHECK(mc_file_write(get_path(name), dump.text.data, dump.text.size, &error) == MC_OK);
    mc_text_deinit(&dump.text);
}

static void write_dump(const char *name) {
    write_dump_of(name, 1, 0);
}

static void check_left_aside(const char *name, const char *times, const char *what) {
    CHECK_MSG(import(name, false) == MC_OK, "%s: %s", name, error.message);
    if (times && trace) check_steps(times);
    char line[1200];
    snprintf(line, sizeof line, "%s: its %s\n", get_path(name), what);
    CHECK_MSG(strcmp(warnings, what[0] ? line : "") == 0, "%s, not %s", warnings, line);
}

// A folder holds one kind of input; what lies there besides is told.
static void test_mixed_folders(void) {
    static const char histogram[] =
        " num     #instances         #bytes  class name (module)\n"
        "-------------------------------------------------------\n"
        "   1:             2            64  [B (java.base@17)\nTotal             2            64\n";
    begin_folder();
    write_file("x/notes.json", "{\"remark\": {\"time\": 3}, \"by\": \"me\"}");
    write_file("x/list.json", "[1, {\"time\":1}]");
    write_file("x/notes.txt", "what was done");
    write_file("x/readme.md", "what was done");
    check_fails("x", MC_ERROR_BAD_DATA, "x:", "found none: left aside: list.json, notes.json");
    write_file("x/histo.txt", histogram);
    check_left_aside("x", NULL, "class histograms are taken: left aside: list.json, notes.json");
    write_file("x/2.json", make_step(2, "1"));
    write_file("x/1.json.zst", make_step(1, "1"));
    write_file("x/array.json", "[ {\"remark\":[\"{\",7],\"root\":0}]");
    check_fails("x", MC_ERROR_BAD_DATA, "x/array.json", "expected");
    unlink(get_path("x/array.json"));
    check_left_aside("x", "12", "steps are taken: left aside: histo.txt, list.json, notes.json");
    // Who says their names gets them, or is told.
    const char *both[] = {"x/2.json", "x/notes.json"};
    CHECK(import_paths(both, 2, false) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "x/notes.json:0: expected a step with the field"), "%s",
              error.message);
    // What may be a damaged step is none that is passed over.
    static const char *const damaged[] = {"",
                                          "{\"classif",
                                          "[",
                                          "{\"t\\u0069me\":1}",
                                          "  ",
                                          "what was done",
                                          "\xff\xfe{",
                                          "{\"a\":\x7f}",
                                          "{\"time\":3,\"classifiers\":[\"T\"],\"root\":{\"key\""};
    static const char *const names[] = {"x/3.json", "x/3.json.gz"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
        for (size_t k = 0; k < 2; k++) {
            write_file(names[k], damaged[i]);
            check_fails("x", MC_ERROR_BAD_DATA, names[k], "expected");
            CHECK(import("x", true) == MC_OK && report.skipped_count == 1);
            unlink(get_path(names[k]));
        }
    write_file("x/3.json.gz", "\x1f\x8b\x08 and so on");
    check_fails("x", MC_ERROR_BAD_DATA, "x/3.json.gz", "expected");
    unlink(get_path("x/3.json.gz"));
    write_dump("x/heap.hprof");
    check_left_aside("x", NULL,
                     "heap dumps are taken: left aside: 1.json.zst, 2.json, histo.txt, list.json, "
                     "notes.json");
    CHECK(report.step_count == 1);
    write_file("x/cut.hprof", "");
    check_fails("x", MC_ERROR_BAD_DATA, "x/cut.hprof", "expected");
    write_file("x/cut.hprof", "JAVA PROF");
    check_fails("x", MC_ERROR_BAD_DATA, "x/cut.hprof", "expected a heap dump");
    // Where AntTracks puts them, too.
    write_file("a/default-format/1.json", make_step(1, "11"));
    write_file("a/default-format/index.json", "{}");
    write_file("a/default-format/points-to-maps/1.json", make_map(1, "H#p#a", "H#p#b", 1));
    check_left_aside("a/default-format", "1", "steps are taken: left aside: index.json");
    write_file("a/default-format/points-to-maps/index.json", "{\"files\":[]}");
    CHECK(import("a", false) == MC_OK);
    CHECK_MSG(
        strstr(warnings, "points-to-maps: its pointer maps are taken: left aside: index.json"),
        "%s", warnings);
    end_folder();
}

static void test_arrays(void) {
    char text[16384];
    begin_folder();
    snprintf(text, sizeof text, " [ %s ,\n%s,%s ] \n", make_step(3, "12"), make_step(1, "34"),
             make_step(2, "5-"));
    write_file("all.json", text);
    write_file("all.json.gz", text);
    write_file("all.json.zst", text);
    static const char *const names[] = {"all.json", "all.json.gz", "all.json.zst"};
    for (size_t i = 0; i < 3; i++) {
        check_imported(names[i]);
        check_steps("123");
        CHECK(report.step_count == 3);
        CHECK(get_objects(0, "H#p#a") == 3 && get_objects(1, "H#p#b") == 0);
    }
    // offsets are those of the whole file
    char *bad = strstr(text, "\"time\":1");
    bad[7] = 'x';
    write_file("all.json", text);
    char place[64];
    snprintf(place, sizeof place, "all.json:%zu: [1]: time: expected", (size_t)(bad + 7 - text));
    check_fails("all.json", MC_ERROR_BAD_DATA, place, "found x");
    CHECK(import("all.json", true) == MC_OK);
    check_steps("23");
    CHECK(report.step_count == 2 && report.skipped_count == 1);
    CHECK_MSG(strstr(warnings, place), "%s", warnings);
    // unpacked, the file has no such byte
    write_file("all.json.gz", text);
    snprintf(place, sizeof place, "all.json.gz: unpacked byte %zu: [1]: time: expected",
             (size_t)(bad + 7 - text));
    check_fails("all.json.gz", MC_ERROR_BAD_DATA, place, "found x");
    // the end is missing
    bad[7] = '1';
    *strrchr(text, ']') = '\0';
    write_file("all.json", text);
    check_fails("all.json", MC_ERROR_BAD_DATA, "all.json:", "expected ',' or ']'");
    CHECK(import("all.json", true) == MC_OK);
    CHECK(report.step_count == 3 && report.skipped_count == 1);
    text[strlen(text) / 3 * 2 + 90] = '\0';
    write_file("all.json", text);
    check_fails("all.json", MC_ERROR_BAD_DATA, "all.json:", "found the end of the input");
    CHECK(import("all.json", true) == MC_OK);
    CHECK(report.step_count == 2 && report.skipped_count == 1);
    // maps may come as an array, too
    write_file("m/1.json", make_step(1, "12"));
    write_file("m/2.json", make_step(2, "12"));
    snprintf(text, sizeof text, "[%s,%s]", make_map(1, "H#p#a", "H#p#b", 1),
             make_map(2, "H#p#a", "H#p#b", 3));
    write_file("m/points-to-maps/all.json", text);
    check_imported("m");
    CHECK(test_first_points_to(trace, 0) == 1);
    CHECK(test_first_points_to(trace, 1) == 3);
    end_folder();
}

// Larger than what is unpacked at a time, with one element that is, too.
static void test_large_packed_array(void) {
    const size_t count = 300, pad = 30000;
    size_t used = 1, room = 40u << 20;
    char *text = malloc(room), name[64];
    REQUIRE(text);
    begin_folder();
    text[0] = '[';
    for (size_t i = 0; i < count; i++) {
        size_t size = i == 100 ? 9u << 20 : pad;
        used += (size_t)sprintf(text + used, "%s\n{\"pad\":\"", i ? "," : "");
        memset(text + used, 'x', size);
        used += size;
        used += (size_t)sprintf(text + used,
                                "\",\"time\":%zu,\"root\":{\"key\":\"r\",\"bytes\":1,"
                                "\"objects\":%zu}}",
                                i, i);
    }
    REQUIRE(used + 2 < room);
    strcpy(text + used, "]");
    static const char *const names[] = {"all.json.gz", "all.json.zst"};
    for (size_t k = 0; k < 2; k++) {
        write_file(names[k], text);
        check_imported(names[k]);
        REQUIRE(mc_trace_get_step_count(trace) == count);
        CHECK(get_objects(299, "r") == 299);
        char *bad = text + used - 3; // the last count
        char kept = *bad;
        *bad = 'x';
        write_file(names[k], text);
        *bad = kept;
        snprintf(name, sizeof name, "%s: unpacked byte %zu: [299]: root.objects", names[k],
                 (size_t)(bad - 2 - text));
        check_fails(names[k], MC_ERROR_BAD_DATA, name, "found 29x");
        // cut off: what is whole is still there, if that is wanted
        struct stat status;
        write_file(names[k], text);
        REQUIRE(stat(get_path(names[k]), &status) == 0);
        REQUIRE(truncate(get_path(names[k]), status.st_size - 20) == 0);
        check_fails(names[k], MC_ERROR_BAD_DATA, names[k], "found the end of the file");
        CHECK(import(names[k], true) == MC_OK);
        CHECK(report.step_count > 50 && report.skipped_count == 1);
    }
    free(text);
    end_folder();
}

static void test_every_cut_of_an_array(void) {
    char text[16384];
    begin_folder();
    snprintf(text, sizeof text, "[%s,%s]", make_step(3, "1"), make_step(1, "3"));
    for (size_t size = strlen(text) - 1; size > 0; size--) {
        text[size] = '\0';
        write_file("cut.json", text);
        CHECK_MSG(import("cut.json", false) == MC_ERROR_BAD_DATA, "cut at %zu", size);
    }
    end_folder();
}

// ---- nodes over time

static void test_nodes_that_change(void) {
    begin_folder();
    write_file("1.json", make_step(1, "12-"));
    write_file("2.json", make_step(2, "-23"));
    write_file(
        "3.json", // the district is a leaf now
        "{\"time\":3,\"root\":{\"key\":\"H\",\"bytes\":8,\"objects\":1,\"children\":["
        "{\"key\":\"H#p\",\"name\":\"p\",\"role\":\"Package\",\"bytes\":8,\"objects\":1}]}}");
    check_imported("");
    check_steps("123");
    CHECK(get_objects(0, "H#p#a") == 1 && get_objects(1, "H#p#a") == 0);
    CHECK(get_objects(0, "H#p#c") == 0 && get_objects(1, "H#p#c") == 3);
    CHECK(get_objects(2, "H#p") == 1 && get_objects(2, "H#p#b") == 0);
    uint32_t district = mc_trace_find_node(trace, "H#p", 3);
    CHECK(mc_trace_get_nodes(trace)->child_count[district] == 4); // a, b, c and its own share
    end_folder();
}

static void test_wrong_traces(void) {
    begin_folder();
    write_file("a/1.json", make_step(5, "1"));
    write_file("a/2.json", make_step(5, "2"));
    check_fails("a", MC_ERROR_BAD_DATA, "a/2.json:", "a/1.json");
    CHECK(import("a", true) == MC_OK);
    check_steps("5");
    CHECK(get_objects(0, "H#p#a") == 1);
    CHECK(report.step_count == 1 && report.skipped_count == 1);

    static const char twins[] = "{\"time\":1,\"root\":{\"key\":\"H\",\"bytes\":0,\"objects\":0,"
                                "\"children\":[{\"key\":\"x\",\"bytes\":0,\"objects\":0},"
                                "{\"key\":\"x\",\"bytes\":0,\"objects\":0}]}}";
    char place[64];
    write_file("twins.json", twins);
    snprintf(place, sizeof place, "twins.json:%zu:",
             (size_t)(strstr(strstr(twins, "\"x\"") + 1, "{\"key\":\"x\"") - twins));
    check_fails("twins.json", MC_ERROR_BAD_DATA, place, "\"x\"");

    write_file("m/1.json", make_step(1, "12"));
    write_file("m/points-to-maps/1.json", make_map(1, "H#p#a", "H#p#z", 1));
    check_fails("m", MC_ERROR_BAD_DATA, "m/points-to-maps/1.json:", "H#p#z");
    CHECK(import("m", true) == MC_OK);
    CHECK(!mc_trace_has_references(trace) && report.skipped_count == 1);
    CHECK_MSG(strstr(warnings, "m/points-to-maps/1.json:"), "%s", warnings);
    write_file("m/points-to-maps/1.json", make_map(2, "H#p#a", "H#p#b", 1));
    check_fails("m", MC_ERROR_BAD_DATA, "m/points-to-maps/1.json:", "2");
    write_file("m/points-to-maps/1.json", make_step(1, "12"));
    check_fails("m", MC_ERROR_BAD_DATA, "m/points-to-maps/1.json:0:", "found a step");
    write_file("m/points-to-maps/1.json", make_map(1, "H#p#a", "H#p#b", 1));
    write_file("m/points-to-maps/2.json", make_map(1, "H#p#b", "H#p#a", 1));
    check_fails("m", MC_ERROR_BAD_DATA, "m/points-to-maps/2.json", "second points-to map");
    end_folder();
}

static void test_damaged_archives(void) {
    begin_folder();
    write_file("1.json.gz", make_step(1, "12"));
    write_file("2.json.zst", make_step(2, "12"));
    static const char *const names[] = {"1.json.gz", "2.json.zst"};
    for (size_t i = 0; i < 2; i++) {
        struct stat status;
        char place[64];
        REQUIRE(stat(get_path(names[i]), &status) == 0);
        REQUIRE(truncate(get_path(names[i]), status.st_size / 2) == 0);
        snprintf(place, sizeof place, "%s:%lld:", names[i], (long long)status.st_size / 2);
        check_fails(names[i], MC_ERROR_BAD_DATA, place, "found the end of the file");
    }
    write_file("3.json", make_step(3, "1"));
    CHECK(import("", true) == MC_OK);
    CHECK(report.step_count == 1 && report.skipped_count == 2);
    end_folder();
}

// Maps go with their steps, found by the file's name or by the time.
static void test_skipped_steps_take_their_maps(void) {
    begin_folder();
    write_file("1.json", make_step(1, "12"));
    write_file("2.json", "{\"ti");                    // no time to be known
    write_file("3.json", "{\"time\":3,\"root\":{}}"); // wrong behind its time
    write_file("4.json", make_step(1, "34"));         // the time of another one
    write_file("points-to-maps/1.json", make_map(1, "H#p#a", "H#p#b", 1));
    write_file("points-to-maps/2.json", make_map(2, "H#p#a", "H#p#b", 1));
    write_file("points-to-maps/other.json", make_map(3, "H#p#a", "H#p#b", 1));
    write_file("points-to-maps/4.json.gz", make_map(1, "H#p#b", "H#p#a", 1));
    CHECK(import("", false) == MC_ERROR_BAD_DATA);
    CHECK_MSG(import("", true) == MC_OK, "%s", error.message);
    check_steps("1");
    CHECK(test_reference_count(trace, 0) == 1);
    CHECK(report.step_count == 1 && report.skipped_count == 6);
    static const char *const maps[] = {"2.json", "other.json", "4.json.gz"};
    for (size_t i = 0; i < 3; i++) {
        char line[1200];
        snprintf(line, sizeof line, "%s/points-to-maps/%s: its step was left out", folder, maps[i]);
        CHECK_MSG(strstr(warnings, line), "%s in %s", line, warnings);
    }
    unlink(get_path("1.json"));
    unlink(get_path("4.json"));
    CHECK(import("", true) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "no step is left"), "%s", error.message);
    end_folder();
}

// ---- progress, cancelling, memory

typedef struct listener {
    uint64_t last, total;
    uint32_t count, stop_at; // the call that says stop
} listener;

static bool listen(void *user, uint64_t done, uint64_t total) {
    listener *self = user;
    CHECK(done >= self->last && done <= total);
    self->last = done;
    self->total = total;
    return ++self->count != self->stop_at;
}

static void test_progress_and_cancel(void) {
    begin_folder();
    char text[65536], name[64];
    size_t used = 1;
    text[0] = '[';
    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "t/%d.json%s", i, i % 3 == 1 ? ".gz" : "");
        write_file(name, make_step(i, "123456789"));
        snprintf(name, sizeof name, "t/points-to-maps/%d.json", i);
        write_file(name, make_map(i, "H#p#a", "H#p#b", 1));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "",
                                 make_step(100 + i, "123456789"));
    }
    snprintf(text + used, sizeof text - used, "]");
    write_file("t/array.json", text);
    const char *path = get_path("t");
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", path);
    path = copy;
    listener self = {0};
    mc_progress progress = {listen, &self};
    mc_import_desc desc = {.paths = &path, .path_count = 1, .progress = &progress};
    mc_trace *own;
    CHECK(mc_import_trace(&desc, &own, &report, NULL) == MC_OK);
    mc_trace_destroy(own);
    CHECK(self.last == self.total && self.total == report.input_bytes && self.count >= 20);
    for (uint32_t stop_at = 1; stop_at < self.count; stop_at++) {
        listener stopper = {.stop_at = stop_at};
        progress.user = &stopper;
        memset(&error, 0, sizeof error);
        CHECK(mc_import_trace(&desc, &own, NULL, &error) == MC_ERROR_CANCELLED);
        CHECK(own == NULL && error.code == MC_ERROR_CANCELLED);
        CHECK(stopper.count == stop_at);
    }
    // every allocation may fail; the threads make their order differ from run to run
    desc.progress = NULL;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; n < 5000 && result != MC_OK; n++) {
        mc_memory_fail_after(n);
        result = mc_import_trace(&desc, &own, NULL, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK_MSG(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY, "%u: %s", (unsigned)n,
                  error.message);
        mc_trace_destroy(own);
    }
    CHECK(result == MC_OK);
    end_folder();
}

#define DUMPS 7

static mc_result import_dumps(const char *path, const mc_progress *progress, mc_trace **own) {
    const mc_import_desc desc = {
        .paths = &path, .path_count = 1, .deep.retained = true, .progress = progress};
    memset(&error, 0, sizeof error);
    return mc_import_trace(&desc, own, &report, &error);
}

// Heap dumps are read side by side.
static void test_heap_dumps(void) {
    begin_folder();
    write_file("d/x", "");
    for (uint32_t i = 0; i < DUMPS; i++) {
        char name[32];
        snprintf(name, sizeof name, "d/%u.hprof", i);
        write_dump_of(name, i % 3 == 1 ? 3000 : 10 + i, (uint8_t)i);
    }
    char path[1024];
    snprintf(path, sizeof path, "%s", get_path("d"));
    listener self = {0};
    mc_progress progress = {listen, &self};
    mc_trace *own;
    CHECK_MSG(import_dumps(path, &progress, &own) == MC_OK, "%s", error.message);
    REQUIRE(own && mc_trace_get_step_count(own) == DUMPS);
    for (uint32_t i = 0; i < DUMPS; i++)
        CHECK(mc_trace_get_step(own, i)->objects == (i % 3 == 1 ? 3000 : 10 + i) + 1u);
    mc_trace_destroy(own);
    CHECK(self.last == self.total && self.total == report.input_bytes && self.count >= DUMPS);
    for (uint32_t stop_at = 1; stop_at <= DUMPS; stop_at++) {
        listener stopper = {.stop_at = stop_at};
        progress.user = &stopper;
        CHECK(import_dumps(path, &progress, &own) == MC_ERROR_CANCELLED);
        CHECK(own == NULL && stopper.count == stop_at);
    }
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; n < 20000 && result != MC_OK; n += 3) {
        mc_memory_fail_after(n);
        result = import_dumps(path, NULL, &own);
        mc_memory_fail_after(UINT64_MAX);
        CHECK_MSG(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY, "%u: %s", (unsigned)n,
                  error.message);
        mc_trace_destroy(own);
    }
    CHECK(result == MC_OK);
    // The first that is bad is told, whichever is found first.
    write_file("d/3x.hprof", "JAVA PROF");
    write_file("d/5x.hprof", "JAVA PROF");
    CHECK(import_dumps(path, NULL, &own) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "d/3x.hprof"), "%s", error.message);
    end_folder();
}

int main(void) {
    test_single_files();
    test_folder_of_both_forms();
    test_plain_folder();
    test_mixed_folders();
    test_arrays();
    test_large_packed_array();
    test_every_cut_of_an_array();
    test_nodes_that_change();
    test_wrong_traces();
    test_damaged_archives();
    test_skipped_steps_take_their_maps();
    test_progress_and_cancel();
    test_heap_dumps();
    mc_trace_destroy(trace);
    return test_finish();
}
