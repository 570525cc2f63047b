// site_frame.h - a frame of a stack, as far as a format says what it is, and how it is called.
//
// Texts belong to whoever made the frame. Pure. Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/import/stacks/frame_name.h"

typedef struct mc_site_frame {
    mc_span function, file, module; // of size 0: not known
    uint32_t line;                  // 0: not known
    uint64_t address;               // shown where neither function nor file is known
    uint64_t file_offset;           // in the module, of what was on
    bool has_file_offset;
    bool is_file_address; // it is an address as the module's headers have them instead
} mc_site_frame;

// Appends how a frame is called: "main.leak (main.go:17)".
void mc_site_frame_append(const mc_site_frame *frame, bool has_whole_path, mc_text *text);
