// rows_detect.h - recognises rows, and their form, by the header line.
//
// Pure; allocates nothing. Threads: any.
#pragma once
#include "engine/base/base.h"

// Whether text is rows: its first line has a column "time", and one that is "objects" or "bytes".
bool mc_rows_detect(const unsigned char *data, size_t size);

// Whether a header line is CSV, otherwise tab-separated: the first separator outside of quotes
// says so.
bool mc_rows_is_csv_header(const char *text, size_t size);
