// pprof.h - parses profiles of pprof: profile.proto, unpacked.
//
// Written by Go's runtime/pprof, tcmalloc, jemalloc_pprof, pprof-rs, Node's and JAX' profilers,
// Parca, Pyroscope, goref. Sources: google/pprof, proto/profile.proto. Samples of one stack are
// summed; values are as the file has them (writers scale samples up themselves). What is in use
// becomes objects and bytes, what was allocated the metrics alloc_objects and alloc_bytes, whatever
// else there is a metric of its name. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte
// offset. O(bytes). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

// Whether data that begins like this is such a profile. There is no magic number: fields, their
// kinds and the first texts have to be right.
bool mc_pprof_detect(const unsigned char *data, size_t size);

mc_result mc_pprof_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);
