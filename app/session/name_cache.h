// name_cache.h - names that can be shown as they are.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_name_cache *mc_name_cache_create(void); // NULL: out of memory
void mc_name_cache_destroy(mc_name_cache *words);
// Without control characters; stays valid for the frame.
const char *mc_session_get_name(const mc_session *session, uint32_t node);
// In the picture, where it also says what a moved one was (mc_pair_append_name()).
const char *mc_session_get_label(const mc_session *session, uint32_t node);
const char *mc_session_get_role(const mc_session *session, uint32_t classifier);
