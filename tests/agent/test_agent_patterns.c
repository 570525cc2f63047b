// test_agent_patterns - which classes the agent looks at.
#include "agent/native/options.h"
#include "agent/native/patterns.h"
#include "tests/test.h"
#include <stdlib.h>

static bool has(const char *options, const char *name) {
    char reason[128] = "";
    mc_patterns patterns;
    REQUIRE(mc_patterns_read(&patterns, options, reason, sizeof reason));
    return mc_patterns_have(&patterns, name);
}

static void test_names(void) {
    char name[16];
    CHECK(mc_patterns_get_class_name("Lcom/acme/Shop;", name, sizeof name));
    CHECK(strcmp(name, "com.acme.Shop") == 0);
    CHECK(mc_patterns_get_class_name("com/acme/Shop", name, sizeof name));
    CHECK(strcmp(name, "com.acme.Shop") == 0);
    CHECK(mc_patterns_get_class_name("L", name, sizeof name) && strcmp(name, "L") == 0);
    CHECK(!mc_patterns_get_class_name("com/acme/ShopOfAll", name, sizeof name));
}

static void check_start(const char *options, uint32_t index, const char *wanted) {
    char *own = mc_options_copy_start(options, index);
    CHECK(wanted ? own && strcmp(own, wanted) == 0 : !own);
    free(own);
}

// Of several modes each has the options behind its name; what is shared stands before the first.
static void test_starts(void) {
    static const char both[] = "socket=/s;start=alloc;interval=8;depth=3;start=wall;include=a.*";
    check_start(both, 0, "start=alloc;interval=8;depth=3;");
    check_start(both, 1, "start=wall;include=a.*");
    check_start(both, 2, NULL);
    check_start("include=a;start=wall;interval=5", 0, "include=a;start=wall;interval=5");
    check_start("include=a;start=wall;interval=5", 1, NULL);
    check_start("socket=/start=;restart=x", 0, NULL);
    check_start("", 0, NULL);
}

int main(void) {
    test_starts();
    CHECK(has("", "com.acme.Shop") && has("", "Main"));
    CHECK(!has("", "java.util.List") && !has("", "sun.misc.Unsafe") && has("", "javacard.Card"));
    CHECK(has("include=java.util.*", "java.util.List"));
    CHECK(!has("include=java.util.*", "java.util.concurrent.Future"));
    CHECK(has("include=java.util.**", "java.util.concurrent.Future"));
    CHECK(!has("include=java.util.**", "com.acme.Shop"));
    CHECK(has("include=a.*,com.acme.Shop", "com.acme.Shop"));
    CHECK(!has("include=com.acme.Shop", "com.acme.Shop$Item"));
    CHECK(has("include=com.acme.Shop*", "com.acme.Shop$Item"));
    CHECK(has("include=**.Shop", "com.acme.Shop") && !has("include=*.Shop", "com.acme.Shop"));
    CHECK(has("include=**.a*.Sh*p", "com.acme.Ship.acme.Shop"));
    CHECK(has("include=,;exclude=,", "com.acme.Shop"));
    CHECK(!has("include=com.**;exclude=com.acme.**", "com.acme.Shop"));
    CHECK(has("exclude=com.acme.*", "com.acme.deep.Shop"));
    // stars that may stand for much take no long time
    char name[1000], options[1000] = "include=";
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int i = 0; i < 300; i++)
        strcat(options, "**a");
    CHECK(has(options, name));
    strcat(options, "b");
    CHECK(!has(options, name));

    char longest[MC_PATTERNS_SIZE + 16] = "exclude=", reason[128] = "";
    mc_patterns patterns;
    memset(longest + strlen(longest), 'x', MC_PATTERNS_SIZE);
    CHECK(!mc_patterns_read(&patterns, longest, reason, sizeof reason));
    CHECK(strstr(reason, "exclude") != NULL);
    test_names();
    return test_finish();
}
