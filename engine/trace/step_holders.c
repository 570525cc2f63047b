#include "engine/trace/step_holders.h"

#include "engine/base/memory.h"
#include <string.h>

const char *const mc_root_kind_names[MC_ROOT_COUNT + 1] = {
    "static field", "thread stack",      "JNI local",    "native stack", "thread",   "thread block",
    "monitor",      "JNI global",        "system class", "unknown",      "interned", "finalizing",
    "debugger",     "reference cleanup", "VM internal",  "JNI monitor",  NULL};

void mc_step_holders_reset(mc_step_holders *holders) {
    mc_strings_deinit(&holders->names);
    holders->field_count = holders->root_count = 0;
}

void mc_step_holders_deinit(mc_step_holders *holders) {
    mc_strings_deinit(&holders->names);
    mc_free(holders->fields);
    mc_free(holders->roots);
    memset(holders, 0, sizeof *holders);
}

bool mc_step_holders_add_field(mc_step_holders *holders, mc_field_count field) {
    if (!mc_reserve(&holders->fields, &holders->field_capacity, holders->field_count + 1,
                    sizeof field))
        return false;
    holders->fields[holders->field_count++] = field;
    return true;
}

bool mc_step_holders_add_root(mc_step_holders *holders, mc_root_count root) {
    if (!mc_reserve(&holders->roots, &holders->root_capacity, holders->root_count + 1, sizeof root))
        return false;
    holders->roots[holders->root_count++] = root;
    return true;
}
