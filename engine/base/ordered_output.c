#include "engine/base/ordered_output.h"

mc_result mc_ordered_output_init(mc_ordered_output *self, mc_output_sink sink, mc_error *error) {
    *self = (mc_ordered_output){.sink = sink};
    if (pthread_mutex_init(&self->mutex, NULL) != 0) return mc_error_out_of_memory(error);
    if (pthread_cond_init(&self->has_changed, NULL) == 0) return MC_OK;
    pthread_mutex_destroy(&self->mutex);
    return mc_error_out_of_memory(error);
}

void mc_ordered_output_deinit(mc_ordered_output *self) {
    pthread_cond_destroy(&self->has_changed);
    pthread_mutex_destroy(&self->mutex);
}

bool mc_ordered_output_fail(mc_ordered_output *self) {
    pthread_mutex_lock(&self->mutex);
    self->has_failed = true;
    pthread_cond_broadcast(&self->has_changed);
    pthread_mutex_unlock(&self->mutex);
    return false;
}

typedef enum turn { TURN_OWN, TURN_OTHERS, TURN_NONE } turn;

static turn get_turn(mc_ordered_output *self, size_t part, bool waits) {
    pthread_mutex_lock(&self->mutex);
    while (waits && self->turn != part && !self->has_failed)
        pthread_cond_wait(&self->has_changed, &self->mutex);
    turn found = self->has_failed ? TURN_NONE : self->turn == part ? TURN_OWN : TURN_OTHERS;
    pthread_mutex_unlock(&self->mutex);
    return found;
}

// Nobody else writes while it is the part's turn.
static bool write_own(mc_ordered_output *self, mc_text *text) {
    if (text->failed ||
        (text->size > 0 && !self->sink.write(self->sink.user, text->data, text->size)))
        return mc_ordered_output_fail(self);
    mc_text_clear(text);
    return true;
}

bool mc_ordered_output_pass(mc_ordered_output *self, size_t part, mc_text *text) {
    turn found = get_turn(self, part, text->size >= MC_OUTPUT_KEPT_SIZE);
    if (found == TURN_OTHERS) return true;
    return found == TURN_OWN && write_own(self, text);
}

bool mc_ordered_output_end(mc_ordered_output *self, size_t part, mc_text *text) {
    if (get_turn(self, part, true) != TURN_OWN || !write_own(self, text)) return false;
    pthread_mutex_lock(&self->mutex);
    self->turn++;
    pthread_cond_broadcast(&self->has_changed);
    pthread_mutex_unlock(&self->mutex);
    return true;
}
