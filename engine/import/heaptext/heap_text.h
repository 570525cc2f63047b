// heap_text.h - parses heap profiles in pprof's older text forms: gperftools' and tcmalloc's,
// jemalloc's (heap_v2), Go's (?debug=1), also with the symbols that jeprof or google-pprof --raw
// put before them.
//
// Source: google/pprof, profile/legacy_profile.go; jemalloc's jeprof. A row is a stack of addresses
// and what it has: objects and bytes alive, and allocated so far where the allocator counts that.
// What was sampled is scaled up, stack by stack: by 1 / (1 - exp(-size / rate)). Addresses are told
// by the symbols in the file, or as offsets in the mapped files, which symbols.h may know more of.
// There is no time in them. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte offset.
// O(bytes). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

bool mc_heap_text_detect(const unsigned char *data, size_t size);

mc_result mc_heap_text_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);
