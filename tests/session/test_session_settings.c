// The one table of what can be wished: every field of it is compared, moved and named alike.
#include "app/session/status_text.h"
#include "engine/layout/treemap.h"
#include "tests/test.h"
#include <string.h>

enum { ANY = MC_USE_VIEW | MC_USE_PREFERENCE };

// Another value of the field than the one it has.
static bool change(const mc_form_field *field, size_t offset, mc_settings *settings) {
    const mc_settings before = *settings;
    mc_error error = {0};
    if (field->kind == MC_FORM_NAME)
        return mc_form_set_text(field, offset, settings, "another", &error) == MC_OK;
    if (field->kind == MC_FORM_STEPS)
        return mc_form_set_text(field, offset, settings, "2,4", &error) == MC_OK;
    for (double value = 0; value <= 3; value++) {
        if (mc_form_set_number(field, offset, settings, value) &&
            mc_settings_differs(&before, settings, ANY))
            return true;
    }
    return false;
}

// What a key changes is said, but for what one sees anyway.
static void check_said(const mc_form_field *field, const mc_settings *from, const mc_settings *to) {
    mc_text said = {0};
    mc_session_append_changes(from, to, &said);
    size_t size = strlen(field->name);
    bool is_panel = size > 5 && strcmp(field->name + size - 5, "_open") == 0;
    bool is_seen = is_panel || strcmp(field->name, "view") == 0 ||
                   strcmp(field->name, "panels") == 0 || strcmp(field->name, "text_scale") == 0;
    CHECK_MSG((said.size > 0) == !is_seen, "%s: %s", field->name, said.data ? said.data : "");
    CHECK_MSG(is_seen || (said.data[0] >= 'A' && said.data[0] <= 'Z' && strstr(said.data, ": ")),
              "%s", said.data ? said.data : "");
    mc_text_deinit(&said);
}

// What one field alone makes different is moved by its uses, and by no others.
static void check_field(const mc_form_field *field, size_t offset) {
    mc_settings from = mc_settings_default(), to = from, moved = from;
    CHECK_MSG(change(field, offset, &to), "%s can't be changed", field->name);
    check_said(field, &from, &to);
    uint32_t uses[] = {MC_USE_VIEW, MC_USE_PREFERENCE, MC_USE_LAYOUT};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        bool is_for = field->uses & uses[i];
        CHECK_MSG(mc_settings_differs(&from, &to, uses[i]) == is_for, "%s", field->name);
        moved = from;
        mc_settings_move(&moved, &from, &to, uses[i]);
        CHECK_MSG(mc_settings_differs(&moved, &to, ANY) != is_for, "%s", field->name);
    }
}

static void check_fields(const mc_form_field *fields, uint32_t count, size_t before) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_form_field *field = &fields[i];
        if (field->kind == MC_FORM_PART) {
            check_fields(field->fields, field->count, before + field->offset);
        } else if (field->name && (field->uses & ANY)) {
            size_t offset = 0;
            const mc_form_field *found = mc_form_find(mc_settings_fields, MC_SETTINGS_FIELD_COUNT,
                                                      field->uses, field->name, &offset);
            CHECK_MSG(found == field && offset == before + field->offset, "%s", field->name);
            check_field(field, offset);
        }
    }
}

// In plain words, several at once, and without a value where there is none.
static void check_words(void) {
    mc_settings from = mc_settings_default(), to = from;
    mc_text said = {0};
    to.layout.scaling = MC_SCALING_SQRT;
    to.layout.window[0] = 2;
    to.layout.window[1] = 5;
    to.look.opacity = 0.7f;
    to.look.dark = true;
    to.look.most_references = 0;
    mc_session_append_changes(&from, &to, &said);
    CHECK_MSG(said.data && strcmp(said.data, "Scaling: sqrt · Time window: steps 2–5 · "
                                             "Opacity of the others: 70 % · Dark theme: on · "
                                             "Strongest references: all") == 0,
              "%s", said.data ? said.data : "");
    mc_text_clear(&said);
    mc_session_append_changes(&to, &to, &said);
    CHECK(said.size == 0);
    mc_text_deinit(&said);
}

// What a move takes is what differs between two others, so that undoing one thing leaves the rest.
static void check_move(void) {
    mc_settings before = mc_settings_default(), after = before, now = before;
    after.look.dark = true;
    now.look.opaque_count = 3;
    now.layout.tiling = MC_TILING_SLICE;
    mc_settings_move(&now, &before, &after, MC_USE_VIEW);
    CHECK(now.look.dark && now.look.opaque_count == 3 && now.layout.tiling == MC_TILING_SLICE);
}

static void check_text(void) {
    mc_settings settings = mc_settings_default();
    mc_error error = {0};
    size_t offset = 0;
    const mc_form_field *tiling =
        mc_form_find(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, MC_USE_VIEW, "tiling", &offset);
    REQUIRE(tiling);
    CHECK(mc_form_set_text(tiling, offset, &settings, "dice", &error) == MC_OK);
    CHECK(settings.layout.tiling == MC_TILING_DICE);
    CHECK(mc_form_set_text(tiling, offset, &settings, "round", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "squarify") && strstr(error.message, "round"), "%s",
              error.message);
    CHECK(settings.layout.tiling == MC_TILING_DICE);
    CHECK(!mc_form_find(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, ANY, "no such", &offset));
}

// A name is taken as a whole or not at all, and nothing stays of what was there.
static void check_name(void) {
    mc_settings settings = mc_settings_default(), other = settings;
    mc_error error = {0};
    size_t offset = 0;
    char name[MC_METRIC_NAME_SIZE + 1];
    const mc_form_field *metric =
        mc_form_find(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, MC_USE_VIEW, "metric", &offset);
    REQUIRE(metric);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(mc_form_set_text(metric, offset, &settings, name, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "less than 256 bytes"), "%s", error.message);
    CHECK(!mc_settings_differs(&settings, &other, ANY));
    name[sizeof name - 2] = '\0';
    CHECK(mc_form_set_text(metric, offset, &settings, name, &error) == MC_OK);
    CHECK(strcmp(settings.layout.metric, name) == 0 && mc_settings_differs(&settings, &other, ANY));
    CHECK(mc_form_set_text(metric, offset, &settings, other.layout.metric, &error) == MC_OK);
    CHECK(!mc_settings_differs(&settings, &other, ANY));
}

// Steps are a list in order: in words, in a file, and as they are toggled.
static void check_steps(void) {
    mc_form_steps steps = {.count = 0}, none = {.count = 0};
    const char *wrong[] = {"4,2", "4,4", "4,", ",", "a", "4 5", "-1", "4294967295", "1.5"};
    CHECK(mc_form_read_steps(&steps, "2,4,11") && steps.count == 3 && steps.items[2] == 11);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(!mc_form_read_steps(&steps, wrong[i]) && steps.count == 3, "%s", wrong[i]);
    CHECK(mc_form_toggle_step(&steps, 3) && steps.count == 4 && steps.items[1] == 3);
    CHECK(mc_form_toggle_step(&steps, 2) && steps.count == 3 && !mc_form_has_step(&steps, 2));
    CHECK(mc_form_has_step(&steps, 11) && mc_form_limit_steps(&steps, 10));
    CHECK(steps.count == 2 && !mc_form_limit_steps(&steps, 4));
    CHECK(mc_form_limit_steps(&steps, 0) && memcmp(&steps, &none, sizeof steps) == 0);
    for (uint32_t i = 0; i < MC_FORM_STEPS_MAX; i++)
        CHECK(mc_form_toggle_step(&steps, i * 2));
    CHECK(!mc_form_toggle_step(&steps, 1) && steps.count == MC_FORM_STEPS_MAX);
    CHECK(mc_form_read_steps(&steps, "") && memcmp(&steps, &none, sizeof steps) == 0);
}

// A list that a file has: whole, or an error that says where.
static void check_steps_file(void) {
    static const char *const wrong[] = {"{\"tree_steps\":[4,2]}", "{\"tree_steps\":[1.5]}",
                                        "{\"tree_steps\":7}",     "{\"tree_steps\":[1,2}",
                                        "{\"tree_steps\":[-1]}",  "{\"tree_steps\":[1,,2]}"};
    mc_settings settings = mc_settings_default(), read = settings;
    mc_error error = {0};
    mc_text text = {0};
    CHECK(mc_form_read_steps(&settings.tree_steps, "0,7,19"));
    mc_form_append(&text, mc_settings_fields, MC_SETTINGS_FIELD_COUNT, MC_USE_VIEW, &settings);
    REQUIRE(!text.failed && strstr(text.data, "\"tree_steps\":[0,7,19]"));
    CHECK(mc_form_read(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, MC_USE_VIEW,
                       (const unsigned char *)text.data, text.size, &read, &error) == MC_OK);
    CHECK(!mc_settings_differs(&settings, &read, MC_USE_VIEW));
    mc_text_deinit(&text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mc_result result =
            mc_form_read(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, MC_USE_VIEW,
                         (const unsigned char *)wrong[i], strlen(wrong[i]), &read, &error);
        CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, "tree_steps"), "%s: %s",
                  wrong[i], error.message);
        CHECK(!mc_settings_differs(&settings, &read, MC_USE_VIEW));
    }
}

int main(void) {
    check_fields(mc_settings_fields, MC_SETTINGS_FIELD_COUNT, 0);
    check_words();
    check_move();
    check_text();
    check_name();
    check_steps();
    check_steps_file();
    return test_finish();
}
