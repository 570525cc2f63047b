// Which Java programs run: what their arguments call them.
#include "engine/live/jvm_list.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>

static void check(const char *arguments, size_t size, const char *wanted) {
    char name[MC_JVM_NAME_SIZE], *exact = malloc(size + 1);
    REQUIRE(exact);
    memcpy(exact, arguments, size); // so that reading beyond is noticed
    exact = realloc(exact, size ? size : 1);
    mc_jvm_get_program(exact, size, name);
    CHECK_MSG(strcmp(name, wanted) == 0, "%s instead of %s", name, wanted);
    free(exact);
}
#define CHECK_NAME(arguments, wanted) check(arguments, sizeof(arguments), wanted)

int main(void) {
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
    mc_jvm_entry entries[4];
    CHECK(mc_jvm_list(entries, 4) <= 4 && mc_jvm_list(entries, 0) == 0);
    return test_finish();
}
