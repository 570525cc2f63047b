// hprof_unpack.h - unpacks a compressed heap dump to a temporary file, which is read like any dump,
// so that memory does not grow with it.
//
// HotSpot writes dumps as many gzip members, which are unpacked in parallel. Any other gzip, zstd
// or lz4 data is unpacked by one thread. The dump ends where the data is truncated or damaged. The
// output size is limited as for other packed files (inflate.h). The file has no name: it is gone
// when it is unmapped, however this program ends, and nobody else can read it.
#pragma once
#include "engine/base/file.h"
#include "engine/import/hprof/hprof_crew.h"

// `data` is a mapped file, of which what was read need not stay in memory. Maps what came out, with
// `unpacked` zeroed on failure. `folder`: where the file is; NULL: where the system wants large
// temporary files. *is_cut: it ended too early. MC_ERROR_BAD_DATA: far too much comes out.
mc_result mc_hprof_unpack(const unsigned char *data, size_t size, const char *folder,
                          mc_hprof_crew *crew, mc_file_map *unpacked, bool *is_cut,
                          mc_error *error);
