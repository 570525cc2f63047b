#include "engine/trace/step_referrers.h"

#include "engine/base/memory.h"
#include <string.h>

const char *const mc_root_kind_names[MC_ROOT_COUNT + 1] = {"static field",   "thread stack",
                                                           "JNI local",      "native stack",
                                                           "thread",         "thread block",
                                                           "monitor",        "JNI global",
                                                           "system class",   "unknown",
                                                           "interned",       "finalizing",
                                                           "debugger",       "reference cleanup",
                                                           "VM internal",    "JNI monitor",
                                                           "soft reference", "global",
                                                           "handle",         NULL};

void mc_step_referrers_reset(mc_step_referrers *referrers) {
    mc_strings_deinit(&referrers->names);
    referrers->field_count = referrers->root_count = 0;
}

void mc_step_referrers_deinit(mc_step_referrers *referrers) {
    mc_strings_deinit(&referrers->names);
    mc_free(referrers->fields);
    mc_free(referrers->roots);
    memset(referrers, 0, sizeof *referrers);
}

bool mc_step_referrers_add_field(mc_step_referrers *referrers, mc_field_count field) {
    if (!mc_reserve(&referrers->fields, &referrers->field_capacity, referrers->field_count + 1,
                    sizeof field))
        return false;
    referrers->fields[referrers->field_count++] = field;
    return true;
}

bool mc_step_referrers_add_root(mc_step_referrers *referrers, mc_root_count root) {
    if (!mc_reserve(&referrers->roots, &referrers->root_capacity, referrers->root_count + 1,
                    sizeof root))
        return false;
    referrers->roots[referrers->root_count++] = root;
    return true;
}
