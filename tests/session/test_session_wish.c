// The one table of what can be wished: every field of it is compared, moved and named alike.
#include "app/session/wish.h"
#include "engine/layout/treemap.h"
#include "tests/test.h"
#include <string.h>

enum { ANY = MC_USE_VIEW | MC_USE_PREFERENCE };

// Another value of the field than the one it has.
static bool change(const mc_form_field *field, size_t offset, mc_wish *wish) {
    const mc_wish before = *wish;
    mc_error error = {0};
    if (field->kind == MC_FORM_NAME)
        return mc_form_set_text(field, offset, wish, "another", &error) == MC_OK;
    for (double value = 0; value <= 3; value++) {
        if (mc_form_set_number(field, offset, wish, value) && mc_wish_differs(&before, wish, ANY))
            return true;
    }
    return false;
}

// What one field alone makes different is moved by its uses, and by no others.
static void check_field(const mc_form_field *field, size_t offset) {
    mc_wish from = mc_wish_default(), to = from, moved = from;
    CHECK_MSG(change(field, offset, &to), "%s can't be changed", field->name);
    uint32_t uses[] = {MC_USE_VIEW, MC_USE_PREFERENCE, MC_USE_LAYOUT};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        bool is_for = field->uses & uses[i];
        CHECK_MSG(mc_wish_differs(&from, &to, uses[i]) == is_for, "%s", field->name);
        moved = from;
        mc_wish_move(&moved, &from, &to, uses[i]);
        CHECK_MSG(mc_wish_differs(&moved, &to, ANY) != is_for, "%s", field->name);
    }
}

static void check_fields(const mc_form_field *fields, uint32_t count, size_t before) {
    for (uint32_t i = 0; i < count; i++) {
        const mc_form_field *field = &fields[i];
        if (field->kind == MC_FORM_PART) {
            check_fields(field->fields, field->count, before + field->offset);
        } else if (field->name && (field->uses & ANY)) {
            size_t offset = 0;
            const mc_form_field *found = mc_form_find(mc_wish_fields, MC_WISH_FIELD_COUNT,
                                                      field->uses, field->name, &offset);
            CHECK_MSG(found == field && offset == before + field->offset, "%s", field->name);
            check_field(field, offset);
        }
    }
}

// What a move takes is what differs between two others, so that undoing one thing leaves the rest.
static void check_move(void) {
    mc_wish before = mc_wish_default(), after = before, now = before;
    after.look.dark = true;
    now.look.opaque_count = 3;
    now.layout.tiling = MC_TILING_SLICE;
    mc_wish_move(&now, &before, &after, MC_USE_VIEW);
    CHECK(now.look.dark && now.look.opaque_count == 3 && now.layout.tiling == MC_TILING_SLICE);
}

static void check_text(void) {
    mc_wish wish = mc_wish_default();
    mc_error error = {0};
    size_t offset = 0;
    const mc_form_field *tiling =
        mc_form_find(mc_wish_fields, MC_WISH_FIELD_COUNT, MC_USE_VIEW, "tiling", &offset);
    REQUIRE(tiling);
    CHECK(mc_form_set_text(tiling, offset, &wish, "dice", &error) == MC_OK);
    CHECK(wish.layout.tiling == MC_TILING_DICE);
    CHECK(mc_form_set_text(tiling, offset, &wish, "round", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "squarify") && strstr(error.message, "round"), "%s",
              error.message);
    CHECK(wish.layout.tiling == MC_TILING_DICE);
    CHECK(!mc_form_find(mc_wish_fields, MC_WISH_FIELD_COUNT, ANY, "no such", &offset));
}

// A name is taken as a whole or not at all, and nothing stays of what was there.
static void check_name(void) {
    mc_wish wish = mc_wish_default(), other = wish;
    mc_error error = {0};
    size_t offset = 0;
    char name[MC_METRIC_NAME_SIZE + 1];
    const mc_form_field *metric =
        mc_form_find(mc_wish_fields, MC_WISH_FIELD_COUNT, MC_USE_VIEW, "metric", &offset);
    REQUIRE(metric);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(mc_form_set_text(metric, offset, &wish, name, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "less than 256 bytes"), "%s", error.message);
    CHECK(!mc_wish_differs(&wish, &other, ANY));
    name[sizeof name - 2] = '\0';
    CHECK(mc_form_set_text(metric, offset, &wish, name, &error) == MC_OK);
    CHECK(strcmp(wish.layout.metric, name) == 0 && mc_wish_differs(&wish, &other, ANY));
    CHECK(mc_form_set_text(metric, offset, &wish, other.layout.metric, &error) == MC_OK);
    CHECK(!mc_wish_differs(&wish, &other, ANY));
}

int main(void) {
    check_fields(mc_wish_fields, MC_WISH_FIELD_COUNT, 0);
    check_move();
    check_text();
    check_name();
    return test_finish();
}
