#include "engine/trace/step_owners.h"

#include "engine/base/memory.h"
#include <string.h>

void mc_step_owners_reset(mc_step_owners *owners) {
    mc_strings_deinit(&owners->names);
    owners->owner_count = owners->sum_count = owners->way_count = 0;
}

void mc_step_owners_deinit(mc_step_owners *owners) {
    mc_strings_deinit(&owners->names);
    mc_free(owners->owners);
    mc_free(owners->sums);
    mc_free(owners->ways);
    memset(owners, 0, sizeof *owners);
}

bool mc_step_owners_add(mc_step_owners *owners, mc_owner owner) {
    if (!mc_reserve(&owners->owners, &owners->owner_capacity, owners->owner_count + 1,
                    sizeof owner))
        return false;
    owners->owners[owners->owner_count++] = owner;
    return true;
}

bool mc_step_owners_add_sum(mc_step_owners *owners, mc_owner_sum sum) {
    if (!mc_reserve(&owners->sums, &owners->sum_capacity, owners->sum_count + 1, sizeof sum))
        return false;
    owners->sums[owners->sum_count++] = sum;
    return true;
}

bool mc_step_owners_add_way(mc_step_owners *owners, mc_owner_way way) {
    if (!mc_reserve(&owners->ways, &owners->way_capacity, owners->way_count + 1, sizeof way))
        return false;
    owners->ways[owners->way_count++] = way;
    return true;
}
