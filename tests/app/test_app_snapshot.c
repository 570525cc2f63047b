// Views and settings as files: what goes out comes back, and nothing wrong gets in.
#include "app/session/preferences.h"
#include "app/session/view_file.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/city/style.h"
#include "tests/test.h"
#include <sys/stat.h>
#include <unistd.h>

static char *copy(const char *text) {
    char *memory = mc_alloc(strlen(text) + 1, 1);
    REQUIRE(memory);
    strcpy(memory, text);
    return memory;
}

// Differs from what a new one says in every field.
static void fill(mc_view_file *s) {
    mc_view_file_init(s);
    REQUIRE(mc_form_texts_add(&s->paths, "/tmp/a b/\"quoted\"", 17));
    REQUIRE(mc_form_texts_add(&s->paths, "/tmp/zwei", 9));
    s->trace_name = copy("httpclient\t3");
    s->settings.step = 12;
    s->settings.layout.window[0] = 3;
    s->settings.layout.window[1] = 25;
    s->selection = copy("Heap#java.util#Größe\\");
    s->root = copy("Heap#java.util");
    s->search = copy("char[]");
    s->settings.search_is_regex = true;
    s->settings.is_home = false;
    s->settings.pose = (mc_camera_pose){{0.1, -2.5e-7, 1.0 / 3}, 1234.56789, -3.0000001, 1.57};
    s->width = 1200;
    s->height = 761;
    strcpy(s->settings.layout.metric, "allocated \"bytes\"");
    strcpy(s->settings.look.color_metric, "coverage");
    s->settings.look.color_mode = MC_COLOR_MODE_VALUE;
    s->settings.layout.scaling = 2;
    s->settings.layout.tiling = 4;
    s->settings.layout.child_limit = 20;
    s->settings.look.color_by_growth = s->settings.look.opacity_by_growth = false;
    s->settings.look.opaque_count = 7;
    s->settings.look.opacity = 0.07f;
    s->settings.look.dark = true;
    s->settings.look.palette = 1;
    s->settings.look.edges = s->settings.look.names = false;
    s->settings.loop = true;
    s->settings.step_duration_s = 0.123456789;
}

static mc_result parse(const char *text, mc_view_file *s, mc_error *error) {
    // In a block of exactly its size, so that reading beyond it is noticed.
    size_t size = strlen(text);
    unsigned char *block = malloc(size > 0 ? size : 1);
    REQUIRE(block);
    memcpy(block, text, size);
    mc_result result = mc_view_file_parse(s, block, size, error);
    free(block);
    return result;
}

static void check_round_trip(void) {
    mc_view_file out, in;
    mc_text text = {0}, again = {0};
    mc_error error = {0};
    fill(&out);
    mc_view_file_append(&out, &text);
    REQUIRE(!text.failed);
    CHECK_MSG(parse(text.data, &in, &error) == MC_OK, "%s", error.message);
    CHECK(in.paths.count == 2 && strcmp(in.paths.items[0], "/tmp/a b/\"quoted\"") == 0);
    CHECK(strcmp(in.trace_name, "httpclient\t3") == 0);
    CHECK(strcmp(in.selection, "Heap#java.util#Größe\\") == 0);
    CHECK(strcmp(in.root, "Heap#java.util") == 0 && strcmp(in.search, "char[]") == 0);
    CHECK(in.settings.search_is_regex);
    CHECK(in.settings.step == 12 && in.settings.layout.window[0] == 3 &&
          in.settings.layout.window[1] == 25);
    CHECK(!in.settings.is_home &&
          memcmp(&in.settings.pose, &out.settings.pose, sizeof in.settings.pose) == 0);
    CHECK(in.width == 1200 && in.height == 761);
    CHECK(!mc_settings_differs(&in.settings, &out.settings, MC_USE_VIEW));
    mc_view_file_append(&in, &again);
    CHECK(strcmp(text.data, again.data) == 0);

    // Cut off anywhere it is an error that names a place, and nothing worse.
    char *cut = malloc(text.size + 1);
    REQUIRE(cut);
    for (size_t size = 0; size + 1 < text.size; size++) {
        mc_view_file broken;
        mc_error why = {0};
        memcpy(cut, text.data, size);
        cut[size] = '\0';
        CHECK_MSG(parse(cut, &broken, &why) == MC_ERROR_BAD_DATA, "cut at %zu", size);
        CHECK(why.byte_offset <= size && why.message[0]);
        mc_view_file_deinit(&broken);
    }
    free(cut);
    // Without memory for any of its parts.
    for (uint64_t n = 0;; n++) {
        mc_view_file poor;
        mc_memory_fail_after(n);
        mc_result result = mc_view_file_parse(&poor, (unsigned char *)text.data, text.size, &error);
        mc_memory_fail_after(UINT64_MAX);
        mc_view_file_deinit(&poor);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
        REQUIRE(n < 1000);
    }
    mc_view_file_deinit(&in);
    mc_view_file_deinit(&out);
    mc_text_deinit(&text);
    mc_text_deinit(&again);
}

static void check_lenient(void) {
    mc_view_file s;
    mc_error error = {0};
    CHECK(parse("{\"memcity_view\":1}", &s, &error) == MC_OK);
    CHECK(s.settings.is_home && s.settings.layout.window[0] == MC_NONE && s.paths.count == 0 &&
          !s.selection && s.settings.step == 0);
    CHECK(s.settings.look.edges && s.settings.look.opaque_count == 10);
    mc_view_file_deinit(&s);
    CHECK(parse("{\"new\":[{\"deep\":[1,2]},null],\"settings\":{\"edges\":false,\"panels\":7,"
                "\"later\":\"x\"},\"memcity_view\":1,\"selection\":null}",
                &s, &error) == MC_OK);
    CHECK(!s.settings.look.edges && s.settings.panels && !s.selection);
    mc_view_file_deinit(&s);
}

static void check_wrong(void) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "expected"},
        {"[]", "object"},
        {"{}", "memcity_view"},
        {"{\"memcity_view\":2}", "newer"},
        {"{\"memcity_view\":1.5}", "memcity_view: expected a whole number"},
        {"{\"memcity_view\":1,\"step\":-1}", "step: expected a number from 0"},
        {"{\"memcity_view\":1,\"step\":1,\"step\":1}", "step: there is another"},
        {"{\"memcity_view\":1,\"step\":\"1\"}", "step: expected a number"},
        {"{\"memcity_view\":1,\"window\":[3,2]}", "window: expected two steps"},
        {"{\"memcity_view\":1,\"window\":[3]}", "window: expected ','"},
        {"{\"memcity_view\":1,\"window\":[0.5,2]}", "window: expected two steps"},
        {"{\"memcity_view\":1,\"trace\":\"a\"}", "trace: expected a list"},
        {"{\"memcity_view\":1,\"trace\":[\"a\" \"b\"]}", "trace: expected ','"},
        {"{\"memcity_view\":1,\"trace\":[1]}", "trace: expected a string"},
        {"{\"memcity_view\":1,\"selection\":\"a\\u0000b\"}", "selection: expected a string"},
        {"{\"memcity_view\":1,\"settings\":{\"opacity\":1.01}}", "settings.opacity: expected"},
        {"{\"memcity_view\":1,\"settings\":{\"opacity\":1e999}}", "settings.opacity: expected"},
        {"{\"memcity_view\":1,\"settings\":{\"tiling\":\"round\"}}",
         "settings.tiling: expected one of squarify"},
        {"{\"memcity_view\":1,\"settings\":{\"edges\":1}}", "settings.edges: expected true"},
        {"{\"memcity_view\":1,\"camera\":{}}", "camera: the field target is missing"},
        {"{\"memcity_view\":1,\"camera\":{\"target\":[1,2],\"distance\":1}}", "camera.target"},
        {"{\"memcity_view\":1,\"camera\":{\"target\":[1,2,3],\"distance\":0}}", "camera.distance"},
        {"{\"memcity_view\":1,\"x\":tru}", "expected"},
        {"{\"memcity_view\":1} {", "end of the input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mc_view_file s;
        mc_error error = {0};
        CHECK_MSG(parse(cases[i].text, &s, &error) == MC_ERROR_BAD_DATA, "%s", cases[i].text);
        CHECK_MSG(strstr(error.message, cases[i].part), "\"%s\" does not say \"%s\"", error.message,
                  cases[i].part);
        mc_view_file_deinit(&s);
    }
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    fputs(text, file);
    fclose(file);
}

static void check_preferences(void) {
    char folder[] = "/tmp/memcity-test-XXXXXX", path[128], bad[160];
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/new/memcity/settings.json", folder);
    snprintf(bad, sizeof bad, "%s.bad", path);
    mc_preferences out, in;
    mc_error error = {0};
    CHECK(mc_preferences_read(&out, path, &error) == MC_OK); // nothing there
    CHECK(out.recent.count == 0 && !out.settings.look.dark);
    out.settings.look.dark = true;
    out.settings.view_open = true;
    out.settings.layout.tiling = 3; // belongs to views alone
    out.width = 1000;
    out.height = 700;
    for (int i = 0; i < MC_RECENT_CAPACITY + 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "/t/%d", i);
        mc_preferences_add_recent(&out, name);
    }
    mc_preferences_add_recent(&out, "/t/9");
    CHECK(out.recent.count == MC_RECENT_CAPACITY);
    CHECK(strcmp(out.recent.items[0], "/t/9") == 0 && strcmp(out.recent.items[1], "/t/24") == 0);
    CHECK_MSG(mc_preferences_write(&out, path, &error) == MC_OK, "%s", error.message);
    CHECK(mc_preferences_read(&in, path, &error) == MC_OK);
    CHECK(in.settings.look.dark && in.settings.view_open && in.settings.layout.tiling != 3);
    CHECK(in.width == 1000 && in.height == 700 && in.recent.count == MC_RECENT_CAPACITY);
    CHECK(strcmp(in.recent.items[0], "/t/9") == 0);
    mc_preferences_deinit(&in);

    // A damaged one is kept, said once, and stands in nobody's way.
    write_file(path, "{\"memcity_settings\":1,\"settings\":{\"dark\":maybe}}");
    CHECK(mc_preferences_read(&in, path, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, ".bad") && strstr(error.message, "settings.dark"), "%s",
              error.message);
    CHECK(!in.settings.look.dark && access(bad, F_OK) == 0 && access(path, F_OK) != 0);
    mc_preferences_deinit(&in);
    CHECK(mc_preferences_read(&in, path, &error) == MC_OK);
    mc_preferences_deinit(&in);

    // A newer program's stays where it is, and is not used, whatever it holds.
    write_file(path, "{\"memcity_settings\":2,\"settings\":{\"dark\":true,\"tiling\":\"new\"}}");
    unlink(bad);
    CHECK(mc_preferences_read(&in, path, &error) == MC_ERROR_UNSUPPORTED);
    CHECK_MSG(strstr(error.message, "newer memcity"), "%s", error.message);
    CHECK(!in.settings.look.dark && access(bad, F_OK) != 0 && access(path, F_OK) == 0);
    mc_preferences_deinit(&in);
    mc_preferences_deinit(&out);
    unlink(bad);
    unlink(path);
    snprintf(path, sizeof path, "%s/new/memcity", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/new", folder);
    rmdir(path);
    rmdir(folder);
}

int main(void) {
    check_round_trip();
    check_lenient();
    check_wrong();
    check_preferences();
    return test_finish();
}
