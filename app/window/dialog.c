#include "app/window/dialog.h"

#include "app/session/action.h"
#include "app/session/saved_view.h"
#include "app/user_files.h"
#include "engine/base/memory.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_CAPACITY 200     // rows that are worth showing
#define FOLDER_CAPACITY 20000 // names that are looked at in a folder, once a keystroke

static void clear_list(mc_dialog *dialog) {
    mc_form_texts_deinit(&dialog->paths);
    mc_form_texts_deinit(&dialog->details);
    dialog->box.entry_count = 0;
    dialog->box.chosen = MC_NONE;
    dialog->box.heading = NULL;
}

static const char *get_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
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

static void add_row(mc_dialog *dialog, const char *path, const char *detail) {
    if (dialog->paths.count == LIST_CAPACITY) return;
    if (!mc_form_texts_add(&dialog->paths, path, strlen(path))) return;
    if (mc_form_texts_add(&dialog->details, detail, strlen(detail))) return;
    mc_free(dialog->paths.items[--dialog->paths.count]);
}

// What is chosen from the list alone: what is typed only narrows it.
static bool is_only_chosen(const mc_dialog *dialog) {
    return dialog->kind == MC_DIALOG_BOOKMARKS || dialog->kind == MC_DIALOG_COMMANDS;
}

// The rows' labels point into the paths, which don't move any more.
static void make_entries(mc_dialog *dialog) {
    uint32_t count = dialog->paths.count;
    if (!mc_reserve(&dialog->entries, &dialog->capacity, (size_t)count + 1,
                    sizeof *dialog->entries)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *path = dialog->paths.items[i];
        size_t size = strlen(path);
        const char *label = dialog->kind == MC_DIALOG_COMMANDS ? path : get_last_part(path);
        // A folder's name ends with its slash.
        if (label != path && size > 1 && path[size - 1] == '/') {
            label = path + size - 1;
            while (label > path && label[-1] != '/') {
                label--;
            }
        }
        dialog->entries[i] = (mc_ui_dialog_entry){label, dialog->details.items[i]};
    }
    dialog->box.entries = dialog->entries;
    dialog->box.entry_count = count;
}

static void list_recent(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    const mc_form_texts *recent = &viewer->session->preferences.recent;
    for (uint32_t i = 0; i < recent->count; i++) {
        mc_text folder = {0};
        const char *path = recent->items[i], *name = get_last_part(path);
        mc_text_append(&folder, path, (size_t)(name - path));
        if (!folder.failed && access(path, F_OK) == 0)
            add_row(dialog, path, folder.data ? folder.data : "");
        mc_text_deinit(&folder);
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
        if (!whole.failed) add_row(dialog, whole.data, "");
    }
    if (names.count > 0) dialog->box.heading = "Tab completes";
    mc_form_texts_deinit(&names);
    mc_text_deinit(&path);
    mc_text_deinit(&folder);
    mc_text_deinit(&whole);
}

static int compare_times(const void *a, const void *b) {
    struct stat first, second;
    bool has_first = stat(*(char *const *)a, &first) == 0;
    bool has_second = stat(*(char *const *)b, &second) == 0;
    if (!has_first || !has_second) return (int)has_second - (int)has_first;
    return first.st_mtime < second.st_mtime ? 1 : first.st_mtime > second.st_mtime ? -1 : 0;
}

static void add_bookmark(mc_viewer *viewer, const char *path) {
    mc_view_file snapshot;
    mc_text detail = {0};
    if (mc_view_file_read(&snapshot, path, NULL) == MC_OK) {
        mc_text_format(&detail, "step %u", snapshot.wish.step);
        if (snapshot.selection) {
            const char *name = strrchr(snapshot.selection, '#');
            mc_text_format(&detail, " · %s", name ? name + 1 : snapshot.selection);
        }
    } else {
        mc_text_append_string(&detail, "damaged");
    }
    mc_view_file_deinit(&snapshot);
    const char *typed = viewer->dialog.box.text;
    bool matches = !typed[0] || strcasestr(get_last_part(path), typed) ||
                   (detail.data && strcasestr(detail.data, typed));
    if (matches && !detail.failed) add_row(&viewer->dialog, path, detail.data);
    mc_text_deinit(&detail);
}

static void list_bookmarks(mc_viewer *viewer) {
    mc_text folder = {0}, path = {0};
    mc_form_texts names = {0}, paths = {0};
    if (mc_user_append_bookmarks_path(&folder)) read_folder(folder.data, "", &names);
    for (uint32_t i = 0; i < names.count; i++) {
        mc_text_clear(&path);
        mc_text_format(&path, "%s/%s", folder.data, names.items[i]);
        size_t size = path.size;
        bool fits = !path.failed && size > 5 && strcmp(path.data + size - 5, ".json") == 0;
        if (fits) mc_form_texts_add(&paths, path.data, size);
    }
    if (paths.count > 1) qsort(paths.items, paths.count, sizeof *paths.items, compare_times);
    for (uint32_t i = 0; i < paths.count && i < LIST_CAPACITY; i++) {
        add_bookmark(viewer, paths.items[i]);
    }
    viewer->dialog.box.heading =
        paths.count > 0 ? "Views saved with Ctrl+D" : "No views yet: Ctrl+D saves one.";
    mc_form_texts_deinit(&names);
    mc_form_texts_deinit(&paths);
    mc_text_deinit(&folder);
    mc_text_deinit(&path);
}

// Those rows of the finder that are not listed yet.
static void list_found(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    mc_text label = {0}, detail = {0};
    for (uint32_t i = dialog->paths.count; i < dialog->finder.count; i++) {
        mc_text_clear(&label);
        mc_text_clear(&detail);
        mc_finder_append_label(&dialog->finder.rows[i], viewer->session, &label);
        mc_finder_append_detail(&dialog->finder.rows[i], viewer->session, &detail);
        if (label.failed || detail.failed) break;
        add_row(dialog, label.data ? label.data : "", detail.data ? detail.data : "");
    }
    mc_text_deinit(&label);
    mc_text_deinit(&detail);
    bool searches = dialog->finder.next_node < dialog->finder.node_count;
    dialog->box.heading =
        dialog->paths.count == 0 && !searches ? "No command and no building is called so." : NULL;
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
    } else if (dialog->kind == MC_DIALOG_OPEN && !dialog->box.text[0]) {
        list_recent(viewer);
    } else {
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
    static const char *const titles[] = {"Open", "Bookmarks", "Save this view",
                                         "Commands and buildings"};
    static const char *const placeholders[] = {"Path of a trace or of a saved view",
                                               "Part of a name", "Path of the file",
                                               "What to do, or what to show"};
    static const char *const actions[] = {"Open", "Show", "Save", "Go"};
    bool again = dialog->box.is_open && dialog->kind == kind;
    mc_viewer_close_dialog(viewer);
    if (again) return;
    dialog->kind = kind;
    dialog->box = (mc_ui_dialog){.is_open = true,
                                 .title = titles[kind],
                                 .placeholder = placeholders[kind],
                                 .action = actions[kind],
                                 .chosen = MC_NONE};
    viewer->session->wish.help = false;
    if (viewer->session->message_is_notice) mc_session_set_message(viewer->session, NULL);
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

// A further slice of a huge trace, or the list anew if there is another one.
static void go_on_finding(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    if (dialog->kind != MC_DIALOG_COMMANDS) return;
    if (mc_finder_is_stale(&dialog->finder, viewer->session)) fill_list(viewer);
    if (dialog->finder.next_node >= dialog->finder.node_count) return;
    if (dialog->finder.count == MC_FINDER_CAPACITY) return;
    mc_finder_continue(&dialog->finder, viewer->session, dialog->box.text);
    uint32_t chosen = dialog->box.chosen;
    list_found(viewer);
    make_entries(dialog);
    dialog->box.chosen = chosen == MC_NONE && dialog->paths.count > 0 ? 0 : chosen;
    mc_session_redraw(viewer->session);
}

void mc_viewer_update_dialog(mc_viewer *viewer) {
    mc_ui_dialog *box = &viewer->dialog.box;
    if (!box->is_open) return;
    if (!box->text_changed) {
        go_on_finding(viewer);
        return;
    }
    box->text_changed = false;
    box->note = NULL;
    viewer->dialog.replaces = false;
    fill_list(viewer);
    mc_session_redraw(viewer->session);
}

// As much as all names in the list have in common.
static void complete(mc_viewer *viewer) {
    mc_dialog *dialog = &viewer->dialog;
    const mc_form_texts *paths = &dialog->paths;
    if (is_only_chosen(dialog) || paths->count == 0) return;
    if (dialog->box.chosen < paths->count) {
        set_text(viewer, paths->items[dialog->box.chosen]);
    } else {
        size_t size = strlen(paths->items[0]);
        for (uint32_t i = 1; i < paths->count; i++) {
            size_t same = 0;
            while (same < size && paths->items[i][same] == paths->items[0][same]) {
                same++;
            }
            size = same;
        }
        // Not within a character.
        while (size > 0 && ((unsigned char)paths->items[0][size] & 0xc0) == 0x80) {
            size--;
        }
        char text[MC_UI_DIALOG_TEXT_SIZE];
        snprintf(text, sizeof text, "%.*s", (int)size, paths->items[0]);
        if (size <= strlen(dialog->box.text) && dialog->box.text[0] != '~') return;
        set_text(viewer, text);
    }
    fill_list(viewer);
}

static void say(mc_viewer *viewer, const char *format, const char *path) {
    snprintf(viewer->dialog.note, sizeof viewer->dialog.note, format, path);
    viewer->dialog.box.note = viewer->dialog.note;
}

static void take_path(mc_viewer *viewer, const char *path) {
    if (!path[0]) return;
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
    struct stat status;
    if (stat(path, &status) != 0) {
        say(viewer, "There is no file or folder %s", path);
        return;
    }
    mc_viewer_close_dialog(viewer);
    mc_session_open_path(viewer->session, path);
}

void mc_viewer_take_dialog_entry(mc_viewer *viewer, uint32_t index) {
    mc_dialog *dialog = &viewer->dialog;
    if (index >= dialog->paths.count) return;
    if (dialog->kind == MC_DIALOG_COMMANDS) {
        mc_finder_row row = dialog->finder.rows[index];
        bool is_stale = mc_finder_is_stale(&dialog->finder, viewer->session);
        mc_viewer_close_dialog(viewer);
        if (is_stale) return;
        mc_session_do(viewer->session, row.action, row.number);
        return;
    }
    const char *listed = dialog->paths.items[index];
    char path[MC_UI_DIALOG_TEXT_SIZE];
    snprintf(path, sizeof path, "%s", listed);
    // A folder may be a trace or lead to one: a click goes into it, Enter then opens it.
    size_t size = strlen(path);
    bool completes = dialog->kind == MC_DIALOG_SAVE || (size > 1 && path[size - 1] == '/');
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
    mc_text path = {0};
    append_expanded(&path, dialog->box.text);
    if (!path.failed) take_path(viewer, path.data);
    mc_text_deinit(&path);
}

static void choose(mc_viewer *viewer, int way) {
    mc_ui_dialog *box = &viewer->dialog.box;
    if (box->entry_count == 0) return;
    bool can_be_none = !is_only_chosen(&viewer->dialog);
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
    case GLFW_KEY_ESCAPE: mc_viewer_close_dialog(viewer); return true;
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
    mc_form_texts_deinit(&viewer->dialog.details);
    mc_free(viewer->dialog.entries);
}
