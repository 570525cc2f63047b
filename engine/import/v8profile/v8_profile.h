// v8_profile.h - parses V8's sampled heap profiles, .heapprofile: `node --heap-prof`, Chrome's
// *Allocation sampling*, the inspector's HeapProfiler.stopSampling.
//
// Source: the inspector's protocol, HeapProfiler.SamplingHeapProfile. A tree of calls, each with
// the bytes that are alive of what it allocated itself: estimates, from a rate that the file does
// not say. One step without a time. Of a stack the innermost 128 frames count, as V8 records no
// more. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte
// offset. O(bytes and stacks). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

bool mc_v8_profile_detect(const unsigned char *data, size_t size);

mc_result mc_v8_profile_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);
