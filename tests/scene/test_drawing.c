// Names that are too long: which part goes first.
#include "engine/scene/drawing.h"
#include "tests/test.h"

// What is left after each step, with '|' between.
static void check(const char *name, const char *wanted) {
    char got[256] = "";
    const char *rest = name;
    while ((rest = mc_drawn_name_shorten(rest)) != NULL) {
        strcat(got, got[0] ? "|" : "");
        strcat(got, rest);
    }
    CHECK_MSG(strcmp(got, wanted) == 0, "%s: \"%s\", not \"%s\"", name, got, wanted);
}

int main(void) {
    check("LinkedList", "");
    check("", "");
    check("HashMap$Node[]", "Node[]");
    check("org.apache.Manager$Pool", "apache.Manager$Pool|Manager$Pool|Pool");
    check("std::chrono::seconds", "chrono::seconds|seconds");
    check("a/b.c", "b.c|c");
    // What would say nothing.
    check("Shop$1", "");
    check("Shop$$Lambda/0x12", "Lambda/0x12");
    check("java.util.", "util.");
    check("Map<java.util.List>", "");
    check("std.pair(a.b)", "pair(a.b)");
    check("x.\xc3\x9c", "\xc3\x9c");
    return test_finish();
}
