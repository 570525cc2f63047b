#include "app/record/live_recording.h"

#include "engine/live/agent/method_steps.h"
#include "engine/live/agent/site_steps.h"

#define LEAST_STEP_NS UINT64_C(100000000) // collections that come faster make no step

mc_result mc_live_recording_begin(mc_live_recording *self, mc_live_subject subject,
                                  const mc_live_options *options, const mc_agent_names *names,
                                  mc_error *error) {
    uint64_t every_ns = (uint64_t)mc_live_options_get_every_ms(options, subject) * 1000000;
    if (subject == MC_LIVE_OF_METHODS)
        return mc_method_steps_create(&(mc_method_desc){.names = names, .every_ns = every_ns},
                                      &self->methods, error);
    mc_site_desc sites = {.names = names,
                          .domains = options->domains,
                          .every_ns = every_ns,
                          .least_ns = LEAST_STEP_NS};
    return mc_site_steps_create(&sites, &self->sites, error);
}

static mc_result take_step(mc_live_recording *self, mc_error *error) {
    mc_result result = self->methods ? mc_method_steps_fill_tree(self->methods, &self->tree, error)
                                     : mc_site_steps_fill_tree(self->sites, &self->tree, error);
    self->tree.heap_limit = self->heap_limit;
    if (result == MC_OK)
        result = mc_mct_writer_add_step(self->output.writer, &self->tree, "the agent", error);
    if (result == MC_OK) result = mc_mct_writer_commit(self->output.writer, error);
    if (result == MC_OK) self->output.step_count++;
    return result;
}

mc_result mc_live_recording_make_step(mc_live_recording *self, const mc_agent_event *event,
                                      mc_error *error) {
    bool is_due = self->methods ? mc_method_steps_is_due(self->methods, event)
                                : mc_site_steps_is_due(self->sites, event);
    return is_due ? take_step(self, error) : MC_OK;
}

mc_result mc_live_recording_take(mc_live_recording *self, const mc_agent_event *event,
                                 mc_error *error) {
    return self->methods ? mc_method_steps_take(self->methods, event, error)
                         : mc_site_steps_take(self->sites, event, error);
}

mc_result mc_live_recording_take_waiting(mc_live_recording *self, mc_error *error) {
    bool is_due = self->methods && mc_method_steps_is_due_now(self->methods);
    return is_due ? take_step(self, error) : MC_OK;
}

mc_result mc_live_recording_finish(mc_live_recording *self, bool takes_rest, mc_error *error) {
    if (!self->output.writer) return MC_OK;
    mc_result result = MC_OK;
    bool has_rest = self->methods ? mc_method_steps_has_rest(self->methods)
                                  : mc_site_steps_has_rest(self->sites);
    if (takes_rest && has_rest) result = take_step(self, error);
    if (result == MC_OK) return mc_live_output_finish(&self->output, error);
    mc_mct_writer_destroy(self->output.writer);
    self->output.writer = NULL;
    return result;
}

void mc_live_recording_end(mc_live_recording *self) {
    mc_live_output_end(&self->output);
    mc_site_steps_destroy(self->sites);
    mc_method_steps_destroy(self->methods);
    mc_step_tree_deinit(&self->tree);
}
