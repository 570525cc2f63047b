#include "engine/import/stacks/site_frame.h"

#include <inttypes.h>
#include <string.h>

// Behind the last slash; both, where what stands there says nothing by itself.
static mc_span shorten(mc_span path, uint32_t parts) {
    static const char *const common[] = {"__init__.py", "index.js", "mod.rs", "lib.rs", "main.rs"};
    mc_span rest = path;
    for (uint32_t part = 0; part < parts; part++) {
        const char *slash = rest.size > 0 ? memrchr(path.at, '/', rest.size) : NULL;
        if (!slash) return path;
        rest.size = (size_t)(slash - path.at);
        mc_span found = {slash + 1, path.size - rest.size - 1};
        for (size_t i = 0; part == 0 && i < sizeof common / sizeof *common; i++)
            if (found.size == strlen(common[i]) && memcmp(found.at, common[i], found.size) == 0)
                parts = 2;
    }
    return (mc_span){path.at + rest.size + 1, path.size - rest.size - 1};
}

static void append_span(mc_text *text, mc_span span) {
    mc_text_append(text, span.at, span.size);
}

static void append_place(const mc_site_frame *f, mc_span file, mc_text *text) {
    char number[11]; // ":4294967295"
    size_t at = sizeof number;
    append_span(text, file);
    if (f->line == 0) return;
    for (uint32_t line = f->line; line > 0; line /= 10)
        number[--at] = (char)('0' + line % 10);
    number[--at] = ':';
    mc_text_append(text, number + at, sizeof number - at);
}

void mc_site_frame_append(const mc_site_frame *f, bool has_whole_path, mc_text *text) {
    mc_span file = has_whole_path ? f->file : shorten(f->file, f->function.size > 0 ? 1 : 2);
    mc_span module = shorten(f->module, 1);
    if (f->function.size == 0 && f->file.size > 0) {
        append_place(f, file, text);
        return;
    }
    if (f->function.size > 0)
        append_span(text, f->function);
    else if (f->address > 0 || module.size == 0)
        mc_text_format(text, f->address > 0 ? "0x%" PRIx64 : "(unknown)", f->address);
    if (f->file.size == 0 && module.size == 0) return;
    if (text->size > 0) mc_text_append(text, " ", 1);
    mc_text_append(text, "(", 1);
    if (f->file.size > 0)
        append_place(f, file, text);
    else
        append_span(text, module);
    mc_text_append(text, ")", 1);
}
