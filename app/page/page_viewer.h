// page_viewer.h - the documents that the viewer of page/ is part of: with its data, or without, for
// a server to which it then turns.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// About how many bytes a document has beside its data.
size_t mc_page_get_viewer_size(void);
// The whole document, with `packed` data.
void mc_page_append_embedded(const char *title, const mc_text *packed, mc_text *out);

// A document that asks the server from which it came for its data (docs/reference/serve.md).
void mc_page_append_served(const char *title, mc_text *out);
// What that document may do (Content-Security-Policy), but for connections.
void mc_page_append_served_policy(mc_text *out);
