// java_side.h - loads the agent's Java classes (memcity-agent.jar, beside this library) when a mode
// first needs them. The runtime that instrumented methods call goes into java.lang, where classes
// of every loader find it; the rest, with the ASM library, into a class loader of its own.
//
// Threads: load is for the agent's thread; then any.
#pragma once
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct mc_java_side {
    jclass runtime, instrumenter;
    jobject loader;                                 // of the instrumenter and ASM
    jmethodID drain, take_threads, take_unfollowed; // of the runtime
    jmethodID start, transform, has_changed, find_class, find_method, describe;
} mc_java_side;

// NULL: it can't be loaded, and `text` says why. Loaded once, and never unloaded.
const mc_java_side *mc_java_side_load(JNIEnv *jni, char *text, size_t text_size);

// Clears the exception that is pending, if any, and returns whether there was one. Its toString()
// goes to `text`, if that is not NULL.
bool mc_java_side_catch(JNIEnv *jni, char *text, size_t text_size);
