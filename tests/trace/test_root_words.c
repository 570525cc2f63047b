// What roots are called: those of a JVM as they always were, those of other runtimes by their own
// names.
#include "engine/trace/root_words.h"

#include "tests/test.h"
#include <string.h>

static void expect_words(mc_root_kind kind, const char *name, const char *wanted) {
    mc_text text = {0};
    mc_root_append_words(kind, name, name ? strlen(name) : 0, &text);
    CHECK_MSG(strcmp(mc_text_get(&text), wanted) == 0, "\"%s\" is not \"%s\"", mc_text_get(&text),
              wanted);
    mc_text_deinit(&text);
}

static void expect_kind(mc_root_kind kind, const char *name, const char *wanted) {
    const char *words = mc_root_get_kind_words(kind, name, name ? strlen(name) : 0);
    CHECK_MSG(strcmp(words, wanted) == 0, "\"%s\" is not \"%s\"", words, wanted);
}

static void test_words(void) {
    expect_words(MC_ROOT_GLOBAL, "global main.sessions", "global main.sessions");
    expect_words(MC_ROOT_GLOBAL, NULL, "a global variable");
    expect_words(MC_ROOT_STACK, "a method that runs", "a local variable of a method that runs");
    expect_words(MC_ROOT_STACK, "thread \"main\" in a.B.c(B.java:12)",
                 "a local variable of thread \"main\" in a.B.c(B.java:12)");
    expect_words(MC_ROOT_STACK, "thread stack", "a local variable of a thread"); // the kind's name
    expect_words(MC_ROOT_HANDLE, "V8's (Global handles)", "V8's (Global handles)");
    expect_words(MC_ROOT_HANDLE, "", "native code");
    expect_words(MC_ROOT_VM_INTERNAL, "the interpreter (vm)", "the interpreter (vm)");
    expect_words(MC_ROOT_VM_INTERNAL, "VM internal", "a GC root (VM internal)");
    expect_words(MC_ROOT_UNKNOWN, "x", "a GC root (x)");
    expect_words(MC_ROOT_JNI_GLOBAL, "x", "a JNI global reference");
    expect_words(MC_ROOT_THREAD, NULL, "a thread");
    for (int kind = 0; kind < MC_ROOT_COUNT; kind++) { // each has words
        mc_text text = {0};
        mc_root_append_words((mc_root_kind)kind, NULL, 0, &text);
        CHECK(text.size > 0);
        mc_text_deinit(&text);
    }
}

static void test_kinds(void) {
    expect_kind(MC_ROOT_STATIC, "static a.B.c", "static field");
    expect_kind(MC_ROOT_STATIC, "closure variable cache of handle (leak.js:6)", "variable");
    expect_kind(MC_ROOT_STACK, "thread \"main\" in a.B.c(B.java:12)", "thread stack");
    expect_kind(MC_ROOT_STACK, "main.serve (goroutine created by main.main)", "stack");
    expect_kind(MC_ROOT_JNI_LOCAL, "a function that runs", "stack");
    expect_kind(MC_ROOT_THREAD, "goroutine created by main.main", "goroutine");
    expect_kind(MC_ROOT_THREAD, "thread \"main\"", "thread");
    expect_kind(MC_ROOT_VM_INTERNAL, "the interpreter (vm)", "runtime");
    expect_kind(MC_ROOT_VM_INTERNAL, NULL, "VM internal");
    expect_kind(MC_ROOT_GLOBAL, "global main.sessions", "global");
}

int main(void) {
    test_words();
    test_kinds();
    return test_finish();
}
