#include "engine/trace/regroup/frame_risen.h"

#include "engine/base/memory.h"

void mc_risen_deinit(mc_risen *risen) {
    mc_free(risen->elevation);
    mc_free(risen->least);
    mc_free(risen->threads);
    mc_free(risen->longest);
    mc_free(risen->nodes);
    *risen = (mc_risen){.step = MC_NONE};
}

static bool make_room(mc_risen *self, uint32_t node_count) {
    mc_risen_deinit(self);
    self->elevation = mc_alloc_zero(node_count, sizeof *self->elevation);
    self->least = mc_alloc(node_count, sizeof *self->least);
    self->threads = mc_alloc_zero(node_count, sizeof *self->threads);
    self->longest = mc_alloc(node_count, sizeof *self->longest);
    self->nodes = mc_alloc(node_count, sizeof *self->nodes);
    if (self->elevation && self->least && self->threads && self->longest && self->nodes) {
        self->capacity = node_count;
        return true;
    }
    mc_risen_deinit(self);
    return false;
}

bool mc_risen_clear(mc_risen *risen, uint32_t node_count) {
    risen->step = MC_NONE;
    risen->has_least = false;
    if (risen->capacity < node_count) return make_room(risen, node_count);
    for (uint32_t i = 0; i < risen->count; i++)
        risen->elevation[risen->nodes[i]] = risen->threads[risen->nodes[i]] = 0;
    risen->count = 0;
    return true;
}

void mc_risen_frames_deinit(mc_risen_frames *frames) {
    for (int i = 0; i < MC_RISEN_KEPT; i++)
        mc_risen_deinit(&frames->kept[i]);
}

uint64_t mc_risen_frames_add_owner(mc_risen_frames *frames) {
    return ++frames->owner_count;
}

mc_risen *mc_risen_frames_find(mc_risen_frames *frames, uint64_t owner, uint32_t step) {
    for (int i = 0; i < MC_RISEN_KEPT; i++) {
        mc_risen *risen = &frames->kept[i];
        if (risen->owner != owner || risen->step != step) continue;
        risen->used = ++frames->use_count;
        return risen;
    }
    return NULL;
}

mc_risen *mc_risen_frames_begin(mc_risen_frames *frames, uint64_t owner, uint32_t node_count) {
    mc_risen *oldest = &frames->kept[0];
    for (int i = 1; i < MC_RISEN_KEPT; i++)
        if (frames->kept[i].used < oldest->used) oldest = &frames->kept[i];
    if (!mc_risen_clear(oldest, node_count)) return NULL;
    oldest->owner = owner;
    oldest->used = ++frames->use_count;
    return oldest;
}
