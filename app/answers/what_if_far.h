// what_if_far.h - what would be freed without some nodes of a trace whose heap dumps lie elsewhere:
// memcity whatif is asked there.
//
// Connects to another place (app/far), so only what the user has asked for may come here. Threads:
// any.
#pragma once
#include "app/answers/dataset.h"
#include "app/what_if.h"

// As mc_what_if_asker_ask(). The dataset's `far_words` say where.
mc_result mc_what_if_ask_far(const mc_dataset *dataset, uint32_t step, const uint32_t *nodes,
                             uint32_t node_count, const mc_progress *progress,
                             mc_what_if *demolition, mc_error *error);

// Reads what memcity whatif --json prints, which may come from anybody. Replaces the contents of
// `demolition`. MC_ERROR_UNSUPPORTED: no dump has the step's time.
mc_result mc_what_if_read(const mc_trace *trace, uint32_t step, const char *json, size_t size,
                          mc_what_if *demolition, mc_error *error);
