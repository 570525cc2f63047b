// message.h - messages on stderr, one line each, made safe for a terminal whatever they quote
// (engine/base/printable.h).
//
// Threads: any.
#pragma once
#include "engine/base/base.h"
#include <stdarg.h>

void mc_message_say(const char *format, ...) MC_PRINTF(1, 2);  // "memcity: …"
void mc_message_warn(const char *format, ...) MC_PRINTF(1, 2); // "memcity: warning: …"
void mc_message_say_list(const char *format, va_list arguments) MC_PRINTF(1, 0);
