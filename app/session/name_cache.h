// name_cache.h - names that are safe to show, and other texts that stay for a frame.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_name_cache *mc_name_cache_create(void); // NULL: out of memory
void mc_name_cache_destroy(mc_name_cache *words);
// An empty text, valid for the frame.
mc_text *mc_session_get_text(const mc_session *session);
// The name without control characters; valid for the frame.
const char *mc_session_get_name(const mc_session *session, uint32_t node);
// The name for the picture, which also tells what a moved node was (mc_pair_append_name()).
const char *mc_session_get_label(const mc_session *session, uint32_t node);
const char *mc_session_get_role(const mc_session *session, uint32_t classifier);
