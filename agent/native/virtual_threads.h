// virtual_threads.h - the virtual threads of JDK 21 and later, which JVMTI does not list.
//
// Running ones are found through their carrier threads, by an extension of HotSpot; waiting ones
// are in no list. Threads: the sampler's; mc_virtual_threads_is any.
#pragma once
#include <jvmti.h>
#include <stdbool.h>

// Makes ready for mc_virtual_threads_get; a JVM without virtual threads finds none. To be called
// again each time, at no cost. From then on virtual threads cost the program a little more to park.
void mc_virtual_threads_prepare(JNIEnv *jni);
// The virtual thread that this thread carries right now, as a local reference; NULL: none.
jthread mc_virtual_threads_get(JNIEnv *jni, jthread carrier);
bool mc_virtual_threads_is(JNIEnv *jni, jthread thread);
