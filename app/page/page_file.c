#include "app/page/page_file.h"

#include "app/command.h"
#include "app/format.h"
#include "app/page/page.h"
#include "engine/base/file.h"

static void tell(const char *path, size_t size, const mc_page_report *report) {
    char text[MC_FORMAT_SIZE], groups[MC_FORMAT_SIZE];
    mc_message_say("%s: %s, %s, %u of %u steps", path, mc_format_bytes(text, size),
                   mc_format_counted(groups, report->node_count, "group"), report->step_count,
                   report->all_step_count);
    if (report->hidden_count > 0)
        mc_command_tell_hidden(report->hidden_count, report->hidden_share);
}

int mc_page_write(const mc_page_desc *desc, const char *path) {
    mc_page_report report;
    mc_error error = {0};
    mc_text page = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "making the page");
    mc_result result = mc_page_append(desc, &progress, &page, &report, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result == MC_OK) result = mc_file_write(path, page.data, page.size, &error);
    if (result == MC_OK) tell(path, page.size, &report);
    mc_text_deinit(&page);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}
