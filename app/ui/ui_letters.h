// ui_letters.h - letters that were rendered before, in the user's cache. C++ only.
//
// One file a font size. It says what it was made of, and is used for nothing else; a damaged one,
// or one that can't be written, costs the time of rendering and no more.
#pragma once
#include "app/ui/ui_internal.h"

namespace ui {
// Appends what a font file is, as far as letters depend on it: its size, its time, the checksums
// of its tables.
void append_font_identity(std::string *made_of, const std::string &path, const unsigned char *data,
                          size_t size);

// The atlas has the fonts that it is to have, and becomes as Build() would leave it; false: it is
// as before. `made_of` says what letters depend on, `pixels` the size that names the file.
bool read_letters(ImFontAtlas *atlas, const std::string &made_of, unsigned pixels);
// After Build().
void write_letters(ImFontAtlas *atlas, const std::string &made_of, unsigned pixels);
} // namespace ui
