// The interner: one index a string, whatever it holds, also after the table grew or was given up.
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "tests/test.h"

#define COUNT 5000u

static size_t make(uint32_t i, char *bytes) {
    if (i == 0) return 0; // the empty string is one, too
    size_t size = (size_t)sprintf(bytes, "a string with number %u", i);
    if (i % 5 == 0) bytes[3] = '\0';
    return size;
}

static void check_all(const mc_strings *strings, uint32_t count) {
    CHECK(strings->count == count);
    for (uint32_t i = 0; i < count; i++) {
        char bytes[64];
        size_t size = make(i, bytes), found;
        const char *string = mc_strings_get(strings, i, &found);
        CHECK(found == size && memcmp(string, bytes, size) == 0 && string[size] == '\0');
        CHECK(mc_strings_find(strings, bytes, size) == i);
    }
    CHECK(mc_strings_find(strings, "no such string", 14) == MC_NONE);
}

static void intern_all(mc_strings *strings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char bytes[64];
        size_t size = make(i, bytes);
        if (i % 2) {
            CHECK(mc_strings_intern(strings, bytes, size) == i);
        } else {
            uint32_t hash = mc_strings_hash(bytes, size);
            mc_strings_prefetch(strings, hash);
            CHECK(mc_strings_intern_hashed(strings, bytes, size, hash) == i);
        }
    }
}

static void test_intern(void) {
    mc_strings strings = {0};
    CHECK(mc_strings_find(&strings, "x", 1) == MC_NONE);
    intern_all(&strings, COUNT);
    intern_all(&strings, COUNT);
    check_all(&strings, COUNT);
    mc_strings_deinit(&strings);
}

static void test_seal(void) {
    mc_strings strings = {0};
    char bytes[64];
    intern_all(&strings, COUNT / 2);
    mc_strings_seal(&strings);
    for (uint32_t i = COUNT / 2; i < COUNT; i++) {
        size_t size = make(i, bytes);
        CHECK(mc_strings_append(&strings, bytes, size) == i);
        CHECK(mc_strings_find(&strings, bytes, size) == MC_NONE);
    }
    intern_all(&strings, COUNT); // finds those of before, and those appended
    check_all(&strings, COUNT);
    mc_strings_forget_slots(&strings);
    CHECK(mc_strings_find(&strings, "", 0) == MC_NONE && strings.count == COUNT);
    mc_strings_deinit(&strings);
}

static void test_out_of_memory(void) {
    for (uint64_t allowed = 0;; allowed++) {
        mc_strings strings = {0};
        uint32_t count = 0;
        mc_memory_fail_after(allowed);
        for (uint32_t i = 0; i < 300; i++) {
            char bytes[64];
            size_t size = make(i, bytes);
            uint32_t index = mc_strings_intern(&strings, bytes, size);
            if (index == MC_NONE) break;
            CHECK(index == i);
            count++;
        }
        mc_memory_fail_after(UINT64_MAX);
        if (count > 0) check_all(&strings, count);
        mc_strings_deinit(&strings);
        if (count == 300) return;
    }
}

int main(void) {
    test_intern();
    test_seal();
    test_out_of_memory();
    return test_finish();
}
