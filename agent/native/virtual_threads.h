// virtual_threads.h - the virtual threads of JDK 21 and later, which JVMTI does not list.
//
// Running ones are found through their carrier threads, by an extension of HotSpot; waiting ones
// are in no list. Threads: the sampler's; mc_virtual_threads_is any.
#pragma once
#include <jvmti.h>
#include <stdbool.h>

// Before any mode runs, in the live phase. Looking up a class runs loaders of the program, which
// wait for locks whose holder may be in a callback: so no callback does, and nobody with a lock.
void mc_virtual_threads_begin(JNIEnv *jni);
// Makes ready for mc_virtual_threads_get; a JVM without virtual threads finds none. To be called
// again each time, at no cost. From then on virtual threads cost the program a little more to park.
void mc_virtual_threads_prepare(JNIEnv *jni);
// The virtual thread that this thread carries right now, as a local reference; NULL: none.
jthread mc_virtual_threads_get(JNIEnv *jni, jthread carrier);
bool mc_virtual_threads_is(JNIEnv *jni, jthread thread);
