// instrument.h - instruments classes through the Java side: loaded classes at once, others as they
// are loaded.
//
// Threads: the agent's; the hook runs in whatever thread loads a class.
#pragma once
#include "agent/native/java_side.h"
#include "agent/native/patterns.h"
#include <jvmti.h>

bool mc_instrument_is_possible(const jvmtiCapabilities *potential);
void mc_instrument_add_callbacks(jvmtiEventCallbacks *callbacks);

// Returns how many of the loaded classes could not be changed, or -1 with the reason in `text`.
// Classes that are in the middle of a method are changed, too: from their next calls on. `patterns`
// stay where they are until it stops.
int mc_instrument_start(JNIEnv *jni, const mc_java_side *side, const mc_patterns *patterns,
                        char *text, size_t text_size);
// Gives all classes their own code back. Calls that run go on, and end, in the changed one.
void mc_instrument_stop(JNIEnv *jni);
