#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include <string.h>

#define MOST_VISITED 1000

void mc_view_extend_trail(mc_view *view, uint32_t node) {
    mc_view_trail *trail = &view->explore.trail;
    if (node == MC_NONE || (trail->count > 0 && trail->nodes[trail->at] == node)) return;
    // Whoever turns off the way he came has left what lay ahead of him there.
    if (trail->count > 0) trail->count = trail->at + 1;
    if (trail->count == MOST_VISITED) {
        trail->count--;
        memmove(trail->nodes, trail->nodes + 1, trail->count * sizeof *trail->nodes);
    }
    size_t needed = trail->count + 1;
    if (!mc_reserve(&trail->nodes, &trail->capacity, needed, sizeof *trail->nodes)) return;
    trail->nodes[trail->count] = node;
    trail->at = trail->count++;
}

bool mc_view_can_follow_trail(const mc_view *view, int way) {
    const mc_view_trail *trail = &view->explore.trail;
    // With nothing selected any more, what was selected last is where one comes back to.
    if (way < 0 && trail->count > 0 && mc_view_get_selected(view) == MC_NONE) return true;
    return way < 0 ? trail->count > 0 && trail->at > 0 : trail->at + 1 < trail->count;
}

void mc_view_follow_trail(mc_view *view, int way) {
    mc_view_trail *trail = &view->explore.trail;
    if (!mc_view_can_follow_trail(view, way)) return;
    if (way > 0) {
        trail->at++;
    } else if (mc_view_get_selected(view) != MC_NONE) {
        trail->at--;
    }
    mc_view_visit(view, trail->nodes[trail->at]);
}
