#include "app/window/dialog.h"

#include "app/far_address.h"
#include "app/session/available.h"
#include "app/session/bookmarks.h"
#include "app/session/host.h"
#include "app/session/notes.h"
#include "app/session/opening.h"
#include "app/session/saved_view.h"
#include "app/session/status_text.h"
#include "app/trace_location.h"
#include "app/user_files.h"
#include "app/window/program_text.h"
#include "app/window/recorder.h"
#include "engine/base/memory.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/live/programs.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_CAPACITY 200     // rows that are worth showing
#define FOLDER_CAPACITY 20000 // names that are looked at in a folder, once a keystroke

static void clear_list(mc_dialog *dialog) {
    mc_form_texts_deinit(&dialog->paths);
    mc_form_texts_deinit(&dialog->labels);
    mc_form_texts_deinit(&dialog->details);
    dialog->adds = false;
    dialog->ways = 0;
    dialog->deletes = MC_NONE;
    dialog->box.entry_count = 0;
    dialog->box.chosen = MC_NONE;
    dialog->box.heading = NULL;
    dialog->box.footer = NULL;
}

// Of a folder, with the slash at its end.
static const char *get_last_part(const char *path) {
    size_t at = strlen(path);
    if (at > 0) at--;
    while (at > 0 && path[at - 1] != '/')
        at--;
    return path + at;
}

// "~" is the home folder, as in a shell.
static void append_expanded(mc_text *out, const char *text) {
    const char *home = getenv("HOME");
    if (text[0] == '~' && (text[1] == '/' || text[1] == '\0') && home) {
        mc_text_append_string(out, home);
        text++;
    }
    mc_text_append_string(out, text);
}

static void add_row(mc_dialog *dialog, const char *path, const char *label, const char *detail) {
    if (dialog->paths.count == LIST_CAPACITY) return;
    if (!mc_form_texts_add(&dialog->paths, path, strlen(path))) return;
    bool has_label = mc_form_texts_add(&dialog->labels, label, strlen(label));
    if (has_label && mc_form_texts_add(&dialog->details, detail, strlen(detail))) return;
    if (has_label) mc_free(dialog->labels.items[--dialog->labels.count]);
    mc_free(dialog->paths.items[--dialog->paths.count]);
}

// What is chosen from the list alone: what is typed only narrows it.
static bool is_only_chosen(const mc_dialog *dialog) {
    return dialog->kind == MC_DIALOG_BOOKMARKS || dialog->kind == MC_DIALOG_COMMANDS ||
           dialog->kind == MC_DIALOG_PROGRAMS || dialog->kind == MC_DIALOG_TABS ||
           dialog->box.is_question;
}

// The rows' texts don't move any more.
static void make_entries(mc_dialog *dialog) {
    uint32_t count = dialog->paths.count;
    if (!mc_reserve(&dialog->entries, &dialog->capacity, (size_t)count + 1,
                    sizeof *dialog->entries)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool is_bookmark = dialog->kind == MC_DIALOG_BOOKMARKS && !(dialog->adds && i + 1 == count);
        dialog->entries[i] = (mc_ui_dialog_entry){.label = dialog->labels.items[i],
                                                  .detail = dialog->details.items[i],
                                                  .can_edit = is_bookmark,
                                                  .is_choice = i < dialog->ways,
                                                  .is_on = i < dialog->ways && i == dialog->way};
    }
    dialog->box.entries = dialog->entries;
    dialog->box.entry_count = count;
}

// Of two the detail says where both are.
static void add_recent(mc_dialog *dialog, const char *path) {
    mc_text detail = {0}, label = {0};
    if (mc_trace_location_is_pair(path)) {
        mc_trace_location_append_label(path, &label);
        mc_trace_location_append(path, &detail);
    } else {
        const char *name = mc_ws_is_address(path) ? path : get_last_part(path);
        mc_text_append_string(&label, name);
        mc_text_append(&detail, path, (size_t)(name - path));
    }
    if (!detail.failed && !label.failed)
        add_row(dialog, path, label.data, detail.data ? detail.data : "");
    mc_text_deinit(&detail);
    mc_text_deinit(&label);
}

static void list_recent(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    const mc_form_texts *recent = &viewer->session->preferences.recent;
    for (uint32_t i = 0; i < recent->count; i++) {
        const char *path = recent->items[i];
        bool is_fitting = dialog->kind == MC_DIALOG_OPEN || !mc_trace_location_is_pair(path);
        if (is_fitting && mc_trace_location_is_there(path)) add_recent(dialog, path);
    }
    if (dialog->paths.count > 0) dialog->box.heading = "Opened before";
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// The names in `folder` that begin with `start`, sorted; folders end with a slash.
static void read_folder(const char *folder, const char *start, mc_form_texts *names) {
    DIR *stream = opendir(folder[0] ? folder : ".");
    if (!stream) return;
    size_t start_size = strlen(start);
    struct dirent *entry;
    int looked = 0;
    while (looked++ < FOLDER_CAPACITY && (entry = readdir(stream))) {
        const char *name = entry->d_name;
        bool is_hidden = name[0] == '.' && start[0] != '.';
        bool is_self = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        if (is_hidden || is_self || strncmp(name, start, start_size) != 0) continue;
        struct stat status;
        mc_text text = {0};
        mc_text_append_string(&text, name);
        bool is_folder = fstatat(dirfd(stream), name, &status, 0) == 0 && S_ISDIR(status.st_mode);
        if (is_folder) mc_text_append_string(&text, "/");
        if (!text.failed) mc_form_texts_add(names, text.data, text.size);
        mc_text_deinit(&text);
    }
    closedir(stream);
    if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, compare_names);
}

// Who holds what costs the program more.
static void list_ways(mc_dialog *dialog) {
    mc_text detail = {0};
    dialog->ways = mc_program_get_way_count(&dialog->recorded);
    for (uint32_t way = 0; way < dialog->ways; way++) {
        mc_text_clear(&detail);
        const char *name = mc_program_describe_way(&dialog->recorded, way, &detail);
        add_row(dialog, "", name, mc_text_get(&detail));
    }
    mc_text_deinit(&detail);
    dialog->box.heading = mc_program_get_ways_heading(&dialog->recorded);
}

// Where the file will lie, whatever the shell that memcity was started from.
static void tell_folder(mc_dialog *dialog) {
    mc_text path = {0};
    append_expanded(&path, dialog->box.text);
    char *slash = path.failed || !path.data ? NULL : strrchr(path.data, '/');
    if (slash) *(slash == path.data ? slash + 1 : slash) = '\0';
    char *whole = realpath(slash ? path.data : ".", NULL);
    mc_text_clear(&dialog->footer);
    if (whole)
        mc_text_format(&dialog->footer, "In the folder %s", whole);
    else
        mc_text_format(&dialog->footer, "There is no folder %s", slash ? path.data : ".");
    free(whole);
    mc_text_deinit(&path);
    if (!dialog->footer.failed) dialog->box.footer = dialog->footer.data;
}

static void list_answers(mc_dialog *dialog) {
    if (dialog->kind == MC_DIALOG_QUIT) {
        add_row(dialog, "", "Stop the recording and quit", "its file stays, and is whole");
        add_row(dialog, "", "Go on recording", "");
        dialog->box.heading = "The recording ends with its window.";
    } else {
        add_row(dialog, "", "Make the video", "Ctrl+R stops it");
        add_row(dialog, "", "Make none", "");
        dialog->box.heading = dialog->note;
    }
}

// What the typed text may become.
static void list_completions(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    mc_text path = {0}, folder = {0}, whole = {0};
    append_expanded(&path, dialog->box.text);
    const char *slash = path.failed ? NULL : strrchr(path.data, '/');
    const char *start = slash ? slash + 1 : path.data;
    if (slash) mc_text_append(&folder, path.data, (size_t)(slash - path.data) + 1);
    mc_form_texts names = {0};
    if (!path.failed && !folder.failed) {
        read_folder(folder.data ? folder.data : "", start, &names);
    }
    for (uint32_t i = 0; i < names.count && i < LIST_CAPACITY; i++) {
        mc_text_clear(&whole);
        mc_text_format(&whole, "%s%s", folder.data ? folder.data : "", names.items[i]);
        if (!whole.failed) add_row(dialog, whole.data, names.items[i], "");
    }
    if (names.count > 0) dialog->box.heading = "Tab completes";
    mc_form_texts_deinit(&names);
    mc_text_deinit(&path);
    mc_text_deinit(&folder);
    mc_text_deinit(&whole);
}

// What was typed is a part of a name, or the name of another one.
static void list_bookmarks(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    const char *typed = dialog->box.text;
    mc_bookmarks bookmarks;
    mc_bookmarks_read(&bookmarks);
    bool is_known = false;
    for (uint32_t i = 0; i < bookmarks.count; i++) {
        const mc_bookmark *bookmark = &bookmarks.items[i];
        is_known = is_known || strcmp(bookmark->name, typed) == 0;
        if (!typed[0] || strcasestr(bookmark->name, typed) || strcasestr(bookmark->detail, typed))
            add_row(dialog, bookmark->path, bookmark->name, bookmark->detail);
    }
    if (typed[0] && !is_known && viewer->session->shown && dialog->paths.count < LIST_CAPACITY) {
        mc_text label = {0};
        mc_text_format(&label, "Bookmark this view as “%s”", typed);
        uint32_t count = dialog->paths.count;
        if (!label.failed) add_row(dialog, typed, label.data, "");
        dialog->adds = dialog->paths.count > count;
        mc_text_deinit(&label);
    }
    dialog->box.heading = bookmarks.count > 0
                              ? "Enter shows one, F2 renames it, Delete deletes it"
                              : "No views yet: type a name for this one, or press Ctrl+D.";
    mc_bookmarks_deinit(&bookmarks);
}

// As of this moment; a row's path is the process's number.
static void list_programs(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    mc_program programs[MC_PROGRAM_LIST_MOST];
    uint32_t count = mc_program_find_all(programs, MC_PROGRAM_LIST_MOST);
    mc_text detail = {0};
    for (uint32_t i = 0; i < count; i++) {
        char pid[16];
        snprintf(pid, sizeof pid, "%" PRIu32, programs[i].pid);
        mc_text_clear(&detail);
        mc_program_append_detail(&programs[i], &detail);
        if (strcasestr(programs[i].name, dialog->box.text) || strstr(pid, dialog->box.text))
            add_row(dialog, pid, programs[i].name, mc_text_get(&detail));
    }
    mc_text_deinit(&detail);
    dialog->box.heading =
        count > 0 ? "Programs of yours that run" : "No program of Java or Node of yours runs.";
}

// Those of the server that was asked last; a row's path is the tab's address.
static void list_tabs(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    const mc_session_tabs *tabs = &viewer->session->opening.tabs;
    for (uint32_t i = 0; i < tabs->count; i++) {
        char path[MC_WS_ADDRESS_SIZE + 16], detail[32];
        const char *name = tabs->tabs[i].name;
        snprintf(path, sizeof path, "%s/%" PRId32, tabs->address, tabs->tabs[i].id);
        snprintf(detail, sizeof detail, "tab %" PRId32, tabs->tabs[i].id);
        if (strcasestr(name, dialog->box.text) || strstr(detail, dialog->box.text))
            add_row(dialog, path, name[0] ? name : detail, name[0] ? detail : "");
    }
    dialog->box.heading = "Several tabs of the server can give trees";
}

static void list_found(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    mc_text label = {0}, detail = {0};
    for (uint32_t i = 0; i < dialog->finder.count; i++) {
        mc_text_clear(&label);
        mc_text_clear(&detail);
        mc_finder_append_label(&dialog->finder.rows[i], viewer->session, &label);
        mc_finder_append_detail(&dialog->finder.rows[i], viewer->session, &detail);
        if (label.failed || detail.failed) break;
        add_row(dialog, "", label.data ? label.data : "", detail.data ? detail.data : "");
    }
    mc_text_deinit(&label);
    mc_text_deinit(&detail);
    bool searches = dialog->finder.next_node < dialog->finder.node_count;
    dialog->box.heading =
        dialog->paths.count == 0 && !searches ? "No command and no building is called so." : NULL;
}

static bool opens(const mc_dialog *dialog) {
    return dialog->kind == MC_DIALOG_OPEN || dialog->kind == MC_DIALOG_VERSUS ||
           dialog->kind == MC_DIALOG_WITH;
}

static void fill_list(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    clear_list(dialog);
    if (dialog->kind == MC_DIALOG_COMMANDS) {
        mc_finder_begin(&dialog->finder, viewer->session, dialog->box.text);
        mc_finder_continue(&dialog->finder, viewer->session, dialog->box.text);
        list_found(viewer);
    } else if (dialog->kind == MC_DIALOG_BOOKMARKS) {
        list_bookmarks(viewer);
    } else if (dialog->kind == MC_DIALOG_PROGRAMS) {
        list_programs(viewer);
    } else if (dialog->kind == MC_DIALOG_TABS) {
        list_tabs(viewer);
    } else if (opens(dialog) && !dialog->box.text[0]) {
        list_recent(viewer);
    } else if (dialog->box.is_question) {
        list_answers(dialog);
    } else if (dialog->kind == MC_DIALOG_RECORD) {
        list_ways(dialog);
        tell_folder(dialog);
    } else if (dialog->kind != MC_DIALOG_RENAME && dialog->kind != MC_DIALOG_NOTE) {
        list_completions(viewer);
    }
    if (is_only_chosen(dialog) && dialog->paths.count > 0) dialog->box.chosen = 0;
    make_entries(dialog);
}

static void set_text(mc_viewer *viewer, const char *text) {
    mc_ui_dialog *box = &viewer->dialog.box;
    snprintf(box->text, sizeof box->text, "%s", text);
    mc_ui_reset_text(viewer->ui, MC_UI_DIALOG_FIELD);
    box->note = NULL;
    viewer->dialog.replaces = false;
}

void mc_viewer_open_dialog(mc_viewer *viewer, mc_dialog_kind kind) {
    mc_dialog *dialog = &viewer->dialog;
    static const char *const titles[] = {"Open",
                                         "Bookmarks",
                                         "Save this view",
                                         "Commands and buildings",
                                         "Rename the bookmark",
                                         NULL, // names the program
                                         "Record",
                                         "Compare with another trace",
                                         "A heap and its methods",
                                         "Open",
                                         "Note of this step",
                                         "Quit while a program is recorded?",
                                         "Make a video of many frames?"};
    static const char *const placeholders[] = {
        "Path of a trace or saved view, ws://HOST:8887 or ssh://HOST/PATH",
        "Part of a name, or a name for this view",
        "Path of the file",
        "What to do, or what to show",
        "Its name",
        "Path of an .mct file",
        "Part of a name, or a number",
        "Path of a trace",
        "Path of the methods of this heap, or of the heap",
        "Part of a tab's name, or its number",
        "What happened, in a few words; nothing: no note",
        "",
        ""};
    static const char *const actions[] = {"Open",  "Show",   "Save",    "Go",   "Rename",
                                          "Start", "Choose", "Compare", "Link", "Open",
                                          "Note",  "OK",     "OK"};
    bool again = dialog->box.is_open && dialog->kind == kind;
    mc_viewer_close_dialog(viewer);
    if (again) return;
    dialog->kind = kind;
    dialog->box = (mc_ui_dialog){.is_open = true,
                                 .is_question = kind == MC_DIALOG_QUIT || kind == MC_DIALOG_VIDEO,
                                 .title = titles[kind] ? titles[kind] : dialog->title,
                                 .placeholder = placeholders[kind],
                                 .action = actions[kind],
                                 .chosen = MC_NONE};
    mc_session_close_help(viewer->session);
    if (viewer->session->message.is_notice) mc_session_set_message(viewer->session, NULL);
    char text[MC_UI_DIALOG_TEXT_SIZE] = "";
    if (kind == MC_DIALOG_SAVE) {
        mc_text name = {0}, path = {0};
        const char *name_of_trace = mc_session_get_trace_name(viewer->session);
        mc_text_format(&name, "%s-step%u", name_of_trace ? name_of_trace : "view",
                       viewer->session->playback.step);
        if (!name.failed) mc_user_append_free_path(&path, "", name.data, "json");
        if (!path.failed && path.data) snprintf(text, sizeof text, "%s", path.data);
        mc_text_deinit(&name);
        mc_text_deinit(&path);
    }
    if (kind == MC_DIALOG_RECORD) {
        mc_text name = {0}, path = {0};
        dialog->way = 0;
        mc_text_format(&name, "%s-%" PRIu32, dialog->recorded.name, dialog->recorded.pid);
        if (!name.failed) mc_user_append_free_path(&path, "", name.data, "mct");
        if (!path.failed && path.data) snprintf(text, sizeof text, "%s", path.data);
        mc_text_deinit(&name);
        mc_text_deinit(&path);
    }
    if (kind == MC_DIALOG_NOTE)
        (void)mc_session_get_note(viewer->session, viewer->session->playback.step, text);
    if (kind == MC_DIALOG_RENAME)
        snprintf(text, sizeof text, "%.*s",
                 (int)(strlen(get_last_part(dialog->renamed)) - strlen(".json")),
                 get_last_part(dialog->renamed));
    set_text(viewer, text);
    fill_list(viewer);
    mc_session_redraw(viewer->session);
}

bool mc_viewer_close_dialog(mc_viewer *viewer) {
    if (!viewer->dialog.box.is_open) return false;
    viewer->dialog.box.is_open = false;
    clear_list(&viewer->dialog);
    mc_ui_leave_text(viewer->ui);
    mc_session_redraw(viewer->session);
    return true;
}

// Where it is after others came before it; the first one, if there is no room for it any more.
static uint32_t find_row(const mc_finder *finder, mc_finder_row row) {
    for (uint32_t i = 0; i < finder->count; i++)
        if (finder->rows[i].action == row.action && finder->rows[i].number == row.number) return i;
    return 0;
}

// A further slice of a huge trace, or the list anew if there is another one.
static void go_on_finding(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    if (dialog->kind != MC_DIALOG_COMMANDS) return;
    if (mc_finder_is_stale(&dialog->finder, viewer->session)) fill_list(viewer);
    if (dialog->finder.next_node >= dialog->finder.node_count) return;
    uint32_t chosen = dialog->box.chosen;
    bool has_chosen = chosen > 0 && chosen < dialog->finder.count; // the first one is by itself
    mc_finder_row row = dialog->finder.rows[has_chosen ? chosen : 0];
    mc_finder_continue(&dialog->finder, viewer->session, dialog->box.text);
    clear_list(dialog);
    list_found(viewer);
    make_entries(dialog);
    dialog->box.chosen = has_chosen                ? find_row(&dialog->finder, row)
                         : dialog->paths.count > 0 ? 0
                                                   : MC_NONE;
    mc_session_redraw(viewer->session);
}

void mc_viewer_update_dialog(mc_viewer *viewer) {
    mc_ui_dialog *box = &viewer->dialog.box;
    if (viewer->dialog.tabs_version != viewer->session->opening.tabs.version) {
        viewer->dialog.tabs_version = viewer->session->opening.tabs.version;
        mc_session_set_message(viewer->session, NULL); // the list says it
        mc_viewer_open_dialog(viewer, MC_DIALOG_TABS);
    }
    if (!box->is_open) return;
    if (!box->text_changed) {
        go_on_finding(viewer);
        return;
    }
    box->text_changed = false;
    box->note = NULL;
    viewer->dialog.replaces = false;
    viewer->dialog.deletes = MC_NONE;
    fill_list(viewer);
    mc_session_redraw(viewer->session);
}

// As much as all names in the list have in common.
static void complete(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    const mc_form_texts *paths = &dialog->paths;
    uint32_t first = dialog->ways;
    if (is_only_chosen(dialog) || paths->count == first) return;
    if (dialog->box.chosen >= first && dialog->box.chosen < paths->count) {
        if (mc_trace_location_is_pair(paths->items[dialog->box.chosen])) return;
        set_text(viewer, paths->items[dialog->box.chosen]);
    } else {
        size_t size = strlen(paths->items[first]);
        for (uint32_t i = first + 1; i < paths->count; i++) {
            size_t same = 0;
            while (same < size && paths->items[i][same] == paths->items[first][same]) {
                same++;
            }
            size = same;
        }
        // Not within a character.
        while (size > 0 && ((unsigned char)paths->items[first][size] & 0xc0) == 0x80) {
            size--;
        }
        char text[MC_UI_DIALOG_TEXT_SIZE];
        snprintf(text, sizeof text, "%.*s", (int)size, paths->items[first]);
        if (size <= strlen(dialog->box.text) && dialog->box.text[0] != '~') return;
        set_text(viewer, text);
    }
    fill_list(viewer);
}

static void say(mc_viewer *viewer, const char *format, const char *path) {
    snprintf(viewer->dialog.note, sizeof viewer->dialog.note, format, path);
    viewer->dialog.box.note = viewer->dialog.note;
}

// The bookmarks are listed again afterwards.
static void rename_bookmark(mc_viewer *viewer, const char *name) {
    mc_error error = {0};
    if (mc_bookmark_rename(viewer->dialog.renamed, name, &error) != MC_OK)
        say(viewer, "%s", error.message);
    else
        mc_viewer_open_dialog(viewer, MC_DIALOG_BOOKMARKS);
}

static void record_into(mc_viewer *viewer, const char *path) {
    mc_dialog *dialog = &viewer->dialog;
    if (!path[0]) return;
    bool goes_on = dialog->replaces;
    dialog->replaces = access(path, F_OK) == 0 && !goes_on;
    if (dialog->replaces) {
        say(viewer, "There is a file %s; the same again goes on behind its steps.", path);
        return;
    }
    mc_program program = dialog->recorded;
    mc_viewer_close_dialog(viewer);
    mc_viewer_begin_recording(viewer, &program, path, dialog->way > 0);
}

void mc_viewer_ask_recording(mc_viewer *viewer, const mc_program *program) {
    mc_dialog *dialog = &viewer->dialog;
    dialog->recorded = *program;
    snprintf(dialog->title, sizeof dialog->title, "Record %s (PID %" PRIu32 ") into", program->name,
             program->pid);
    mc_viewer_open_dialog(viewer, MC_DIALOG_RECORD);
}

static void choose_way(mc_viewer *viewer, uint32_t way) {
    mc_dialog *dialog = &viewer->dialog;
    dialog->way = way < dialog->ways ? way : dialog->ways - 1;
    make_entries(dialog);
    mc_session_redraw(viewer->session);
}

static void answer(mc_viewer *viewer, uint32_t index) {
    mc_dialog_kind kind = viewer->dialog.kind;
    mc_viewer_close_dialog(viewer);
    if (index > 0) return;
    if (kind == MC_DIALOG_VIDEO) {
        viewer->may_make_video = true;
        mc_session_do(viewer->session, MC_ACTION_VIDEO, 0);
        return;
    }
    viewer->may_quit = true;
    mc_session_do(viewer->session, MC_ACTION_QUIT, 0);
}

void mc_viewer_ask_video(mc_viewer *viewer, const char *what) {
    snprintf(viewer->dialog.note, sizeof viewer->dialog.note, "%s", what);
    mc_viewer_open_dialog(viewer, MC_DIALOG_VIDEO);
}

static void take_path(mc_viewer *viewer, const char *path) {
    if (!path[0]) return;
    if (viewer->dialog.kind == MC_DIALOG_RENAME) {
        rename_bookmark(viewer, path);
        return;
    }
    if (viewer->dialog.kind == MC_DIALOG_SAVE) {
        bool replaces = viewer->dialog.replaces;
        viewer->dialog.replaces = access(path, F_OK) == 0 && !replaces;
        if (viewer->dialog.replaces) {
            say(viewer, "There is a file %s; Enter again replaces it.", path);
        } else if (mc_session_save_as(viewer->session, path)) {
            mc_viewer_close_dialog(viewer);
        }
        return;
    }
    if (viewer->dialog.kind == MC_DIALOG_RECORD) {
        record_into(viewer, path);
        return;
    }
    struct stat status;
    mc_error error;
    mc_ws_address address;
    mc_far_place place;
    const char *far_path;
    if (mc_ws_is_address(path)) {
        if (mc_ws_address_parse(path, &address, &error) != MC_OK) {
            say(viewer, "%s", error.message);
            return;
        }
    } else if (mc_far_is_address(path)) {
        if (mc_far_address_parse(path, &place, &far_path, &error) != MC_OK) {
            say(viewer, "%s", error.message);
            return;
        }
        if (!far_path) {
            say(viewer, "%s: a path is missing behind it", path);
            return;
        }
    } else if (stat(path, &status) != 0) {
        say(viewer, "There is no file or folder %s", path);
        return;
    }
    mc_viewer_close_dialog(viewer);
    if (viewer->dialog.kind == MC_DIALOG_VERSUS)
        mc_session_open_versus(viewer->session, path);
    else if (viewer->dialog.kind == MC_DIALOG_WITH)
        mc_session_open_with(viewer->session, path);
    else
        mc_session_open_path(viewer->session, path);
}

static void open_pair(mc_viewer *viewer, const char *listed) {
    char *path = mc_copy_string(listed); // the list goes
    mc_viewer_close_dialog(viewer);
    if (path) mc_session_open_path(viewer->session, path);
    mc_free(path);
}

// One that has ended meanwhile is no more.
static void take_program(mc_viewer *viewer, uint32_t pid) {
    mc_program programs[MC_PROGRAM_LIST_MOST];
    uint32_t count = mc_program_find_all(programs, MC_PROGRAM_LIST_MOST);
    for (uint32_t i = 0; i < count; i++) {
        if (programs[i].pid != pid) continue;
        mc_viewer_ask_recording(viewer, &programs[i]);
        return;
    }
    fill_list(viewer);
    mc_session_redraw(viewer->session);
}

void mc_viewer_take_dialog_entry(mc_viewer *viewer, uint32_t index) {
    mc_dialog *dialog = &viewer->dialog;
    if (index >= dialog->paths.count) return;
    if (dialog->kind == MC_DIALOG_COMMANDS) {
        mc_finder_row row = dialog->finder.rows[index];
        bool is_stale = mc_finder_is_stale(&dialog->finder, viewer->session);
        mc_viewer_close_dialog(viewer);
        if (is_stale) return;
        const mc_action *action = mc_action_get(row.action);
        const char *obstacle = action ? mc_action_get_obstacle(viewer->session, action) : NULL;
        if (obstacle) mc_session_set_status(viewer->session, "%s", obstacle);
        mc_session_do(viewer->session, row.action, row.number);
        return;
    }
    if (dialog->box.is_question) {
        answer(viewer, index);
        return;
    }
    if (dialog->kind == MC_DIALOG_PROGRAMS) {
        take_program(viewer, (uint32_t)strtoul(dialog->paths.items[index], NULL, 10));
        return;
    }
    if (index < dialog->ways) {
        choose_way(viewer, index);
        return;
    }
    if (dialog->adds && index + 1 == dialog->paths.count) {
        mc_session_save_bookmark(viewer->session, dialog->paths.items[index]);
        mc_viewer_close_dialog(viewer);
        return;
    }
    const char *listed = dialog->paths.items[index];
    if (mc_trace_location_is_pair(listed)) {
        open_pair(viewer, listed);
        return;
    }
    char path[MC_UI_DIALOG_TEXT_SIZE];
    snprintf(path, sizeof path, "%s", listed);
    // A folder may be a trace or lead to one: a click goes into it, Enter then opens it.
    size_t size = strlen(path);
    bool completes = dialog->kind == MC_DIALOG_SAVE || dialog->kind == MC_DIALOG_RECORD ||
                     (size > 1 && path[size - 1] == '/');
    if (completes) {
        set_text(viewer, path);
        fill_list(viewer);
    } else {
        take_path(viewer, path);
    }
}

void mc_viewer_take_dialog(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    mc_viewer_update_dialog(viewer); // what was typed in the same moment
    if (dialog->box.chosen < dialog->paths.count) {
        mc_viewer_take_dialog_entry(viewer, dialog->box.chosen);
        return;
    }
    if (is_only_chosen(dialog)) return;
    if (dialog->kind == MC_DIALOG_NOTE) {
        mc_session_set_note(viewer->session, dialog->box.text);
        mc_viewer_close_dialog(viewer);
        return;
    }
    mc_text path = {0};
    append_expanded(&path, dialog->box.text);
    if (!path.failed) take_path(viewer, path.data);
    mc_text_deinit(&path);
}

static bool is_bookmark(const mc_dialog *dialog, uint32_t index) {
    return dialog->box.is_open && index < dialog->box.entry_count &&
           dialog->box.entries[index].can_edit;
}

void mc_viewer_rename_dialog_entry(mc_viewer *viewer, uint32_t index) {
    mc_dialog *dialog = &viewer->dialog;
    if (!is_bookmark(dialog, index)) return;
    char *path = mc_copy_string(dialog->paths.items[index]);
    if (!path) return;
    mc_free(dialog->renamed);
    dialog->renamed = path;
    mc_viewer_open_dialog(viewer, MC_DIALOG_RENAME);
}

void mc_viewer_delete_dialog_entry(mc_viewer *viewer, uint32_t index) {
    mc_dialog *dialog = &viewer->dialog;
    mc_error error = {0};
    if (!is_bookmark(dialog, index)) return;
    mc_session_redraw(viewer->session);
    if (dialog->deletes != index) {
        dialog->deletes = dialog->box.chosen = index;
        say(viewer, "Once more deletes the bookmark “%s”.", dialog->labels.items[index]);
        return;
    }
    dialog->box.note = NULL;
    if (mc_bookmark_delete(dialog->paths.items[index], &error) != MC_OK)
        say(viewer, "%s", error.message);
    fill_list(viewer);
    if (index < dialog->box.entry_count) dialog->box.chosen = index;
}

static void choose(mc_viewer *viewer, int way) {
    mc_ui_dialog *box = &viewer->dialog.box;
    if (box->entry_count == 0) return;
    if (viewer->dialog.ways > 0) {
        uint32_t now = viewer->dialog.way;
        choose_way(viewer, way > 0 ? now + 1 : now > 0 ? now - 1 : 0);
        return;
    }
    bool can_be_none = !is_only_chosen(&viewer->dialog);
    viewer->dialog.deletes = MC_NONE;
    if (way > 0) {
        if (box->chosen == MC_NONE) {
            box->chosen = 0;
        } else if (box->chosen + 1 < box->entry_count) {
            box->chosen++;
        }
    } else if (box->chosen != MC_NONE && box->chosen > 0) {
        box->chosen--;
    } else if (can_be_none) {
        box->chosen = MC_NONE;
    }
}

bool mc_viewer_dialog_key(mc_viewer *viewer, int key) {
    if (!viewer->dialog.box.is_open) return false;
    const char *field = mc_ui_get_text_field(viewer->ui);
    if (field[0] && strcmp(field, MC_UI_DIALOG_FIELD) != 0) return false;
    switch (key) {
    case GLFW_KEY_ESCAPE:
        mc_viewer_close_dialog(viewer);
        if (viewer->dialog.kind == MC_DIALOG_RENAME)
            mc_viewer_open_dialog(viewer, MC_DIALOG_BOOKMARKS);
        return true;
    case GLFW_KEY_F2: mc_viewer_rename_dialog_entry(viewer, viewer->dialog.box.chosen); return true;
    case GLFW_KEY_DELETE:
        if (!is_bookmark(&viewer->dialog, viewer->dialog.box.chosen)) return false;
        mc_viewer_delete_dialog_entry(viewer, viewer->dialog.box.chosen);
        return true;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: mc_viewer_take_dialog(viewer); return true;
    case GLFW_KEY_TAB: complete(viewer); return true;
    case GLFW_KEY_DOWN: choose(viewer, 1); return true;
    case GLFW_KEY_UP: choose(viewer, -1); return true;
    default: return false;
    }
}

void mc_viewer_end_dialog(mc_viewer *viewer) {
    mc_form_texts_deinit(&viewer->dialog.paths);
    mc_form_texts_deinit(&viewer->dialog.labels);
    mc_form_texts_deinit(&viewer->dialog.details);
    mc_text_deinit(&viewer->dialog.footer);
    mc_free(viewer->dialog.entries);
    mc_free(viewer->dialog.renamed);
}
