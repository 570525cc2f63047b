#include "app/page/page_viewer.h"

#include "app/format.h"
#include "app/page/page_pack.h"
#include "page.inc"
#include <string.h>

#define APPEND(array, out) mc_text_append(out, (const char *)(array), sizeof(array))

size_t mc_page_get_viewer_size(void) {
    return sizeof page_before + sizeof page_style + sizeof page_body + sizeof page_script + 1024;
}

static void append_title(const char *title, mc_text *out) {
    mc_text_append_string(out, "<title>");
    mc_format_append_markup(out, title, strlen(title));
    mc_text_append_string(out, " – memcity</title>\n<style>");
    APPEND(page_style, out);
    mc_text_append_string(out, "</style></head>");
}

void mc_page_append_embedded(const char *title, const mc_text *packed, mc_text *out) {
    APPEND(page_before, out);
    append_title(title, out);
    APPEND(page_body, out);
    mc_text_append_string(out, "<script type=application/octet-stream id=data>");
    mc_page_append_base64(packed->data, packed->size, out);
    mc_text_append_string(out, "</script>\n<script>");
    APPEND(page_script, out);
    mc_text_append_string(out, "</script></body></html>\n");
}

void mc_page_append_served(const char *title, mc_text *out) {
    APPEND(served_before, out);
    append_title(title, out);
    APPEND(served_body, out);
    mc_text_append_string(out, "<script>");
    APPEND(served_script, out);
    mc_text_append_string(out, "</script></body></html>\n");
}

void mc_page_append_served_policy(mc_text *out) {
    APPEND(served_policy, out);
}
