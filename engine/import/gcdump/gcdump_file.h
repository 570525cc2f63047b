// gcdump_file.h - takes a .gcdump of .NET apart: types, and nodes with sizes and children.
//
// As dotnet-gcdump, PerfView and Visual Studio write them: a GCHeapDump of version 9 or later in
// FastSerialization's format, with a MemoryGraph of up to 2^31 nodes. Source: FastSerialization.cs,
// GCHeapDump.cs, MemoryGraph.cs and graph.cs of microsoft/perfview and dotnet/diagnostics. Numbers
// are little-endian. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte offset. What is
// read points into the data. Memory: the types. Threads: a file that is read may be read by many.
#pragma once
#include "engine/base/base.h"
#include "engine/import/stacks/frame_name.h"

typedef struct mc_gcdump_type {
    mc_span name, module; // module: of size 0: none
    int32_t size;         // of its nodes, unless they say their own
} mc_gcdump_type;

typedef struct mc_gcdump_file {
    const unsigned char *data;
    uint64_t size;
    mc_gcdump_type *types;
    uint32_t type_count, node_count, root; // root: a node
    const unsigned char *offsets;          // of nodes, in `blob`
    const unsigned char *blob;
    uint32_t blob_size;
    const unsigned char *addresses; // of the first nodes
    uint32_t address_count;
    float count_multiplier, size_multiplier; // of a sample; 1: it is all
    bool is_cut;                             // it ends early, behind its graph
} mc_gcdump_file;

// Whether data that begins like this is such a file, of any version.
bool mc_gcdump_detect(const void *data, size_t size);

// Zero-initialise; deinit in any case. Types that are known by the addresses of modules alone, as
// .NET Native has them, are bad data, too.
mc_result mc_gcdump_file_read(const unsigned char *data, uint64_t size, mc_gcdump_file *file,
                              mc_error *error);
void mc_gcdump_file_deinit(mc_gcdump_file *file);

typedef struct mc_gcdump_node {
    const unsigned char *at; // of the next child
    uint32_t index, type, child_count;
    uint64_t size;
} mc_gcdump_node;

// A node, and the next of its children, which are as many as it says. MC_ERROR_BAD_DATA.
mc_result mc_gcdump_read_node(const mc_gcdump_file *file, uint32_t index, mc_gcdump_node *node,
                              mc_error *error);
mc_result mc_gcdump_read_child(const mc_gcdump_file *file, mc_gcdump_node *node, uint32_t *child,
                               mc_error *error);
uint64_t mc_gcdump_get_address(const mc_gcdump_file *file, uint32_t index); // 0: none
