// heapprofd.h - parses what heapprofd wrote into a trace of Perfetto: allocations by call stacks,
// with one step for each round of dumps.
//
// Sources: google/perfetto, protos/perfetto/trace/trace_packet.proto, interned_data.proto,
// profiling/profile_packet.proto and profile_common.proto, bookkeeping_dump.cc. Values are as the
// file has them (heapprofd scales samples up itself). Untrusted input: errors are MC_ERROR_BAD_DATA
// with the byte offset. O(bytes). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

mc_result mc_heapprofd_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);
