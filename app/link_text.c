#include "app/link_text.h"

#include "app/format.h"
#include <inttypes.h>

void mc_field_append_line(const mc_trace *trace, uint32_t name, bool is_weak, mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(trace, name, &size);
    mc_format_append_line(out, text, size);
    if (is_weak) mc_text_append_string(out, " (weak)");
}

void mc_field_append_times(uint64_t count, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    if (count == 1)
        mc_text_append_string(out, ", once");
    else
        mc_text_format(out, ", %s times", mc_format_count(text, count));
}

void mc_link_append_fields(const mc_trace *trace, const mc_links *links, const mc_link *link,
                           mc_text *out) {
    const mc_link_field *field = mc_links_get_field(links, link);
    if (!field) return;
    mc_field_append_line(trace, field->name, field->is_weak, out);
    mc_field_append_times(field->count, out);
    if (link->field_count > 1)
        mc_text_format(out, ", and %" PRIu32 " more field%s", link->field_count - 1,
                       link->field_count > 2 ? "s" : "");
}
