#include "engine/live/programs.h"

#include "engine/live/jvm_list.h"
#include "engine/live/nodejs.h"

uint32_t mc_program_find_all(mc_program *programs, uint32_t capacity) {
    uint32_t count = mc_jvm_list(programs, capacity);
    count += mc_nodejs_list(programs + count, capacity - count);
    mc_program_sort(programs, count);
    return count;
}
