#include "app/commands/report_html.h"

#include "app/format.h"
#include <string.h>

void mc_report_append_html(mc_text *out, const char *text) {
    mc_text line = {0};
    mc_format_append_line(&line, text, strlen(text));
    out->failed |= line.failed;
    for (size_t i = 0; i < line.size; i++) {
        char c = line.data[i];
        if (c == '<')
            mc_text_append_string(out, "&lt;");
        else if (c == '>')
            mc_text_append_string(out, "&gt;");
        else if (c == '&')
            mc_text_append_string(out, "&amp;");
        else if (c == '"')
            mc_text_append_string(out, "&quot;");
        else
            mc_text_append(out, &c, 1);
    }
    mc_text_deinit(&line);
}
