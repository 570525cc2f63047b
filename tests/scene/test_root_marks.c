// GC roots in the legend: what each kind is called, in the words of its runtime, and coloured.
#include "engine/scene/root_marks.h"
#include "tests/test.h"
#include <string.h>

static void check_name(mc_root_kind kind, bool is_jvm, const char *wanted) {
    const char *name = mc_root_class_get_name(mc_root_class_get(kind), is_jvm);
    CHECK_MSG(strcmp(name, wanted) == 0, "%s, not %s", name, wanted);
}

int main(void) {
    check_name(MC_ROOT_STATIC, true, "Static fields");
    check_name(MC_ROOT_STATIC, false, "Variables"); // of a closure
    check_name(MC_ROOT_GLOBAL, false, "Variables");
    check_name(MC_ROOT_JNI_GLOBAL, true, "JNI");
    check_name(MC_ROOT_HANDLE, false, "Handles");
    check_name(MC_ROOT_STACK, false, "Threads");
    check_name(MC_ROOT_VM_INTERNAL, false, "Other roots");
    const mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    for (int a = 0; a < MC_ROOT_CLASS_COUNT; a++)
        for (int b = 0; b < a; b++)
            CHECK(memcmp(mc_root_class_get_color((mc_root_class)a, &theme),
                         mc_root_class_get_color((mc_root_class)b, &theme),
                         3 * sizeof(float)) != 0);
    return test_finish();
}
