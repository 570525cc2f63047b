// hprof_unpack.h - unpacks a compressed heap dump to a temporary file, which is walked over as any
// dump is, so that memory does not grow with it.
//
// HotSpot writes dumps as many gzip members: those are unpacked in parallel. Any other gzip or zstd
// data goes through one thread. What is cut off or damaged ends the dump there; what comes out is
// limited as that of other packed files (inflate.h). The file has no name: it is gone when it is
// unmapped, however this program ends, and nobody else can read it.
#pragma once
#include "engine/base/file.h"
#include "engine/import/hprof/hprof_crew.h"

// `data` is a mapped file, of which what was read need not stay in memory. Maps what came out, with
// `unpacked` zeroed on failure. `folder`: where the file is; NULL: where the system wants large
// temporary files. *is_cut: it ended too early. MC_ERROR_BAD_DATA: far too much comes out.
mc_result mc_hprof_unpack(const unsigned char *data, size_t size, const char *folder,
                          mc_hprof_crew *crew, mc_file_map *unpacked, bool *is_cut,
                          mc_error *error);
