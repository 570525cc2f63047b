// JSON -> .mct -> JSON: what comes out reads as what went in.
#include "app/commands/export_json.h"
#include "engine/import/import.h"
#include "engine/store/mct/mct.h"
#include "tests/chain_trace.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include <dirent.h>
#include <unistd.h>

static char path[] = "/tmp/memcity-export-XXXXXX";
static char folder[64], file[64], second_file[64];
static mc_error error;

static void remove_folder(const char *name) {
    DIR *listing = opendir(name);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char inner[1024];
        if (entry->d_name[0] == '.') continue;
        snprintf(inner, sizeof inner, "%s/%s", name, entry->d_name);
        if (unlink(inner) != 0) remove_folder(inner);
    }
    if (listing) closedir(listing);
    CHECK(rmdir(name) == 0);
}

static mc_trace *import(const char *from) {
    mc_import_desc desc = {.paths = &from, .path_count = 1};
    mc_trace *trace = NULL;
    CHECK_MSG(mc_import_trace(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

static mc_export_report export(const mc_trace *trace, mc_export_format format) {
    mc_export_report report;
    CHECK_MSG(mc_export_json(trace, format, folder, NULL, &report, &error) == MC_OK, "%s",
              error.message);
    return report;
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *step_error) {
    return mc_mct_writer_add_step(user, tree, source, step_error);
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *map_error) {
    return mc_mct_writer_add_references(user, map, direction, map_error);
}

static mc_result add_referrers(void *user, const mc_step_referrers *referrers,
                               mc_error *step_error) {
    return mc_mct_writer_add_referrers(user, referrers, step_error);
}

// Reads `from` into the .mct file `to` and opens that.
static mc_trace *convert(const char *from, const char *to) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = to};
    unlink(to);
    REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
    mc_import_sink sink = {add_step, add_references, add_referrers, NULL, NULL, writer};
    mc_import_desc import_desc = {.paths = &from, .path_count = 1};
    CHECK_MSG(mc_import_steps(&import_desc, &sink, NULL, &error) == MC_OK, "%s", error.message);
    CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    return import(to);
}

static mc_trace *make_odd_trace(uint64_t seed, mc_key_kind kind) {
    static mc_step_tree tree;
    static mc_reference_map map;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    odd_init(&odd, seed, kind, 9);
    for (uint32_t step = 0; step < 9; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "odd", NULL) == MC_OK);
        for (int i = 0; i < 2; i++) {
            odd_fill_map(&odd, &tree, present, &map);
            if (odd_has_direction(step, i))
                mc_trace_builder_add_references(builder, &map, (mc_reference_direction)i, NULL);
        }
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_round_trip(void) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        mc_key_kind kind = seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART;
        mc_trace *made = make_odd_trace(seed, kind);
        mc_export_format format = kind == MC_KEY_FULL ? MC_EXPORT_DEFAULT : MC_EXPORT_ANTTRACKS;
        mc_export_report report = export(made, format);
        CHECK(report.file_count >= 9 && report.lost_name_count == 0);
        mc_trace *from_json = import(folder), *from_mct = convert(folder, file);
        check_equal_documents(made, from_json);
        check_equal_traces(from_json, from_mct);
        remove_folder(folder);
        export(from_mct, format);
        mc_trace *again = convert(file, second_file); // an .mct file is an input like any other
        check_equal_documents(from_mct, again);
        mc_trace_destroy(again);
        again = import(folder);
        check_equal_traces(from_json, again);
        mc_trace_destroy(made);
        mc_trace_destroy(from_json);
        mc_trace_destroy(from_mct);
        mc_trace_destroy(again);
        remove_folder(folder);
    }
}

// The other form holds the same numbers.
static void test_other_form(void) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        mc_key_kind kind = seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART;
        mc_trace *made = make_odd_trace(seed, kind);
        mc_export_report report =
            export(made, kind == MC_KEY_FULL ? MC_EXPORT_ANTTRACKS : MC_EXPORT_DEFAULT);
        CHECK((kind == MC_KEY_FULL) == (report.lost_name_count > 0));
        mc_trace *other = import(folder);
        CHECK(mc_trace_get_key_kind(other) != kind);
        CHECK(mc_trace_get_nodes(other)->count == mc_trace_get_nodes(made)->count);
        for (uint32_t step = 0; step < 9; step++) {
            const mc_step_info *a = mc_trace_get_step(made, step);
            const mc_step_info *b = mc_trace_get_step(other, step);
            CHECK(a->node_count == b->node_count && a->pair_count == b->pair_count);
            CHECK(a->bytes == b->bytes && a->time_ms == b->time_ms);
        }
        mc_trace_destroy(made);
        mc_trace_destroy(other);
        remove_folder(folder);
    }
}

// Keys that hold a '#' can make two full keys the same.
static void test_ambiguous_keys(void) {
    mc_step_tree tree = {0};
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    const char *const keys[] = {"H", "a", "b", "a#b"};
    const uint32_t parents[] = {MC_NONE, 0, 1, 0};
    mc_export_report report;
    for (int i = 0; i < 4; i++) {
        size_t offset = tree.text.size;
        mc_text_append_string(&tree.text, keys[i]);
        mc_step_tree_add(&tree, (mc_step_node){.parent = parents[i],
                                               .role = MC_NONE,
                                               .key_offset = offset,
                                               .name_offset = offset,
                                               .key_size = (uint32_t)strlen(keys[i]),
                                               .name_size = (uint32_t)strlen(keys[i]),
                                               .objects = 1});
    }
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "keys", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    CHECK(mc_export_json(trace, MC_EXPORT_DEFAULT, folder, NULL, &report, &error) ==
          MC_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "H#a#b"));
    export(trace, MC_EXPORT_ANTTRACKS);
    mc_trace *other = import(folder);
    check_equal_traces(trace, other);
    mc_trace_destroy(other);
    mc_trace_destroy(trace);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    remove_folder(folder);
}

// Only an .mct file of another program can hold such a name.
static void test_no_utf8(void) {
    mc_step_tree tree = {.key_kind = MC_KEY_PATH_PART};
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_export_report report;
    mc_text_append_string(&tree.text, "H\xff");
    mc_step_node root = {.parent = MC_NONE, .role = MC_NONE, .key_size = 2, .name_size = 2};
    mc_step_tree_add(&tree, root);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "name", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    for (int format = 0; format < 2; format++) {
        CHECK(mc_export_json(trace, (mc_export_format)format, folder, NULL, &report, &error) ==
              MC_ERROR_UNSUPPORTED);
        CHECK_MSG(strstr(error.message, "the name \"H�\" is not UTF-8"), "%s", error.message);
    }
    mc_trace_destroy(trace);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    remove_folder(folder);
}

// A step whose text is far larger than the step: it asks while it writes, and leaves no half a
// file.
static void test_asking(void) {
    char key[201];
    memset(key, 'k', 200);
    key[200] = '\0';
    mc_trace *trace = chain_make(600, key, 1);
    mc_export_report report;
    test_asked asked = {.most = UINT64_MAX};
    mc_progress progress = {test_ask, &asked};
    CHECK(mc_export_json(trace, MC_EXPORT_DEFAULT, folder, &progress, &report, &error) == MC_OK);
    CHECK_MSG(asked.count >= 25, "asked %u times in 36 MB", (unsigned)asked.count);
    remove_folder(folder);
    asked = (test_asked){.most = 3};
    CHECK(mc_export_json(trace, MC_EXPORT_DEFAULT, folder, &progress, &report, &error) ==
          MC_ERROR_CANCELLED);
    char inner[80];
    snprintf(inner, sizeof inner, "%s/default-format", folder);
    CHECK(rmdir(inner) == 0); // nothing is in it
    remove_folder(folder);
    mc_trace_destroy(trace);
}

int main(void) {
    REQUIRE(mkdtemp(path));
    snprintf(folder, sizeof folder, "%s/json", path);
    snprintf(file, sizeof file, "%s/trace.mct", path);
    snprintf(second_file, sizeof second_file, "%s/second.mct", path);
    test_round_trip();
    test_other_form();
    test_ambiguous_keys();
    test_no_utf8();
    test_asking();
    unlink(file);
    unlink(second_file);
    remove_folder(path);
    return test_finish();
}
