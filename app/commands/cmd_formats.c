#include "app/command.h"
#include "engine/import/formats.h"

static void append_names(mc_text *out, const mc_format *format) {
    for (const char *const *at = format->extensions; *at; at++)
        mc_text_format(out, "%s*%s", at == format->extensions ? "" : ", ", *at);
}

int mc_command_formats(int argc, const char **argv) {
    mc_option_list list = {0};
    uint32_t count;
    int code;
    if (!mc_command_begin_counted(
            &list, "memcity formats",
            "Lists the formats that memcity reads. The content of a file decides, whatever its "
            "name; in a\nfolder, files with these names are read, also with .gz or .zst appended.",
            0, 0, argc, argv, &count, &code))
        return code;
    mc_text out = {0};
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++) {
        const mc_format *format = mc_formats[i];
        mc_text_format(&out, "%s: %s (", format->id, format->help);
        append_names(&out, format);
        mc_text_append_string(&out, ")\n");
        if (format->options[0]) mc_text_format(&out, "    options: %s\n", format->options);
    }
    mc_text_append_string(&out, "mct: a whole trace, as import and record write it (*.mct)\n");
    return mc_command_print(&out);
}
