// Which Java programs run: what their arguments call them.
#include "engine/live/jvm_list.h"
#include "engine/live/perf_data.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>

static void check(const char *arguments, size_t size, const char *wanted) {
    char name[MC_PROGRAM_NAME_SIZE], *exact = malloc(size + 1);
    REQUIRE(exact);
    memcpy(exact, arguments, size); // so that reading beyond is noticed
    exact = realloc(exact, size ? size : 1);
    mc_jvm_get_program(exact, size, name);
    CHECK_MSG(strcmp(name, wanted) == 0, "%s instead of %s", name, wanted);
    free(exact);
}
#define CHECK_NAME(arguments, wanted) check(arguments, sizeof(arguments), wanted)

// A file of counters as a JVM writes it: two spaces of 5 and 7 bytes, and what is no space.
static size_t put_entry(uint8_t *at, const char *name, char type, uint64_t value) {
    size_t name_size = strlen(name) + 1, value_at = (20 + name_size + 7) / 8 * 8;
    size_t length = value_at + 8;
    memset(at, 0, length);
    at[0] = (uint8_t)length;
    at[4] = 20;
    at[12] = (uint8_t)type;
    at[16] = (uint8_t)value_at;
    memcpy(at + 20, name, name_size);
    at[value_at] = (uint8_t)value;
    return length;
}

static void test_counters(void) {
    uint8_t bytes[1024] = {0xca, 0xfe, 0xc0, 0xc0, 1, 2};
    size_t size = 32;
    bytes[24] = 32;
    bytes[28] = 5;
    size += put_entry(bytes + size, "sun.gc.generation.0.space.0.used", 'J', 5);
    size += put_entry(bytes + size, "sun.gc.generation.0.space.0.capacity", 'J', 90);
    size += put_entry(bytes + size, "sun.gc.generation.1.space.0.used", 'J', 7);
    size += put_entry(bytes + size, "sun.gc.generation.2.space.0.used", 'J', 100);
    size += put_entry(bytes + size, "sun.gc.generation.1.space.1.used", 'B', 100);
    CHECK(mc_perf_data_get_heap_used(bytes, size) == 12);
    // Cut off anywhere, and with any byte another one: nothing is read beyond.
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *exact = malloc(cut ? cut : 1);
        REQUIRE(exact);
        memcpy(exact, bytes, cut);
        CHECK(mc_perf_data_get_heap_used(exact, cut) <= 12);
        for (size_t at = 0; at < cut && cut + 8 > size; at++) {
            exact[at] ^= 0xff;
            (void)mc_perf_data_get_heap_used(exact, cut);
            exact[at] ^= 0xff;
        }
        free(exact);
    }
    bytes[4] = 0; // of a machine with another order
    CHECK(mc_perf_data_get_heap_used(bytes, size) == 0);
}

int main(void) {
    test_counters();
    CHECK_NAME("java\0com.acme.Shop\0-x", "com.acme.Shop");
    CHECK_NAME("/opt/jdk/bin/java\0-Xmx2g\0-cp\0lib/a.jar:b\0com.acme.Shop", "com.acme.Shop");
    CHECK_NAME("java\0-Xmx2g\0-jar\0/srv/app/shop.jar\0--port\0"
               "80",
               "shop.jar");
    CHECK_NAME("java\0-m\0com.acme/com.acme.Main", "com.acme/com.acme.Main");
    CHECK_NAME("java\0--module-path\0mods\0--module\0com.acme/com.acme.Main",
               "com.acme/com.acme.Main");
    CHECK_NAME("/opt/jdk/bin/jcmd\0004711\0GC.class_histogram", "jcmd");
    CHECK_NAME("javac\0Leak.java", "javac");
    CHECK_NAME("java\0@arguments", "java");
    CHECK_NAME("java", "java");
    CHECK_NAME("", "java");
    CHECK_NAME("java\0\033[2Jx\n", "\xef\xbf\xbd[2Jx\xef\xbf\xbd"); // for a terminal as well
    const char cut[] = {'j', 'a', 'v', 'a', 0, 'c', 'o', 'm'};
    check(cut, sizeof cut, "java");
    check(cut, 0, "java");
    mc_program entries[4];
    CHECK(mc_jvm_list(entries, 4) <= 4 && mc_jvm_list(entries, 0) == 0);
    return test_finish();
}
