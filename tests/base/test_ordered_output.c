// Parts that threads write in any order come out in theirs, whole, whatever their size.
#include "engine/base/ordered_output.h"
#include "engine/base/parallel.h"
#include "tests/test.h"
#include <stdatomic.h>
#include <stdio.h>

#define PARTS 200u
#define LINE_SIZE 128

typedef struct output {
    mc_ordered_output ordered;
    mc_text text;
    atomic_uint next;
    uint32_t failing; // the part at which the sink fails
} output;

static bool take(void *user, const char *bytes, size_t size) {
    output *self = user;
    mc_text_append(&self->text, bytes, size);
    return !self->text.failed && self->text.size < self->failing;
}

// Some parts are larger than what is kept.
static uint32_t count_lines(uint32_t part) {
    return part == 7 || part == 8 ? 170000 : part % 3 * 10;
}

static void write_parts(void *user, uint32_t index, uint32_t thread) {
    output *self = user;
    (void)index;
    (void)thread;
    for (uint32_t part; (part = atomic_fetch_add(&self->next, 1)) < PARTS;) {
        mc_text text = {0};
        bool is_done = true;
        for (uint32_t i = 0; i < count_lines(part) && is_done; i++) {
            mc_text_format(&text, "%0127u\n", part * 1000000 + i);
            if (text.size % 1048576 < LINE_SIZE)
                is_done = mc_ordered_output_pass(&self->ordered, part, &text);
        }
        if (is_done) is_done = mc_ordered_output_end(&self->ordered, part, &text);
        mc_text_deinit(&text);
        if (!is_done) return;
    }
}

static void run(output *self) {
    mc_error error;
    REQUIRE(mc_ordered_output_init(&self->ordered, (mc_output_sink){take, self}, &error) == MC_OK);
    mc_parallel_run(3, 3, write_parts, self);
    mc_ordered_output_deinit(&self->ordered);
}

static void test_order(void) {
    output all = {.failing = UINT32_MAX};
    run(&all);
    const char *at = all.text.data;
    char line[LINE_SIZE + 1];
    bool is_right = at != NULL;
    for (uint32_t part = 0; part < PARTS && is_right; part++)
        for (uint32_t i = 0; i < count_lines(part) && is_right; i++, at += LINE_SIZE) {
            snprintf(line, sizeof line, "%0127u\n", part * 1000000 + i);
            is_right = memcmp(at, line, LINE_SIZE) == 0;
        }
    CHECK(is_right && at == all.text.data + all.text.size);
    mc_text_deinit(&all.text);
}

// Nobody waits for a part that does not come.
static void test_failure(void) {
    output some = {.failing = 30000000};
    run(&some);
    CHECK(some.text.size < 60000000 && atomic_load(&some.next) < PARTS);
    mc_text_deinit(&some.text);
}

int main(void) {
    test_order();
    test_failure();
    return test_finish();
}
