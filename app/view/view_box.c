#include "app/user_files.h"
#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_CAPACITY 200     // rows that are worth showing
#define FOLDER_CAPACITY 20000 // names that are looked at in a folder, once a keystroke

static void clear_list(mc_view_comfort *comfort) {
    mc_form_texts_deinit(&comfort->box_paths);
    mc_form_texts_deinit(&comfort->box_details);
    comfort->box.entry_count = 0;
    comfort->box.chosen = MC_NONE;
    comfort->box.heading = NULL;
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

static void add_row(mc_view_comfort *comfort, const char *path, const char *detail) {
    if (comfort->box_paths.count == LIST_CAPACITY) return;
    if (!mc_form_texts_add(&comfort->box_paths, path, strlen(path))) return;
    if (mc_form_texts_add(&comfort->box_details, detail, strlen(detail))) return;
    mc_free(comfort->box_paths.items[--comfort->box_paths.count]);
}

// The rows' labels point into the paths, which don't move any more.
static void make_entries(mc_view_comfort *comfort) {
    uint32_t count = comfort->box_paths.count;
    if (!mc_reserve(&comfort->box_entries, &comfort->box_capacity, (size_t)count + 1,
                    sizeof *comfort->box_entries)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *path = comfort->box_paths.items[i];
        size_t size = strlen(path);
        const char *label = get_last_part(path);
        // A folder's name ends with its slash.
        if (size > 1 && path[size - 1] == '/') {
            label = path + size - 1;
            while (label > path && label[-1] != '/') {
                label--;
            }
        }
        comfort->box_entries[i] = (mc_ui_box_entry){label, comfort->box_details.items[i]};
    }
    comfort->box.entries = comfort->box_entries;
    comfort->box.entry_count = count;
}

static void list_recent(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    const mc_form_texts *recent = &comfort->preferences.recent;
    for (uint32_t i = 0; i < recent->count; i++) {
        mc_text folder = {0};
        const char *path = recent->items[i], *name = get_last_part(path);
        mc_text_append(&folder, path, (size_t)(name - path));
        if (!folder.failed && access(path, F_OK) == 0)
            add_row(comfort, path, folder.data ? folder.data : "");
        mc_text_deinit(&folder);
    }
    if (comfort->box_paths.count > 0) comfort->box.heading = "Opened before";
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
static void list_completions(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    mc_text path = {0}, folder = {0}, whole = {0};
    append_expanded(&path, comfort->box.text);
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
        if (!whole.failed) add_row(comfort, whole.data, "");
    }
    if (names.count > 0) comfort->box.heading = "Tab completes";
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

static void add_bookmark(mc_view *view, const char *path) {
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
    const char *typed = view->comfort.box.text;
    bool matches = !typed[0] || strcasestr(get_last_part(path), typed) ||
                   (detail.data && strcasestr(detail.data, typed));
    if (matches && !detail.failed) add_row(&view->comfort, path, detail.data);
    mc_text_deinit(&detail);
}

static void list_bookmarks(mc_view *view) {
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
        add_bookmark(view, paths.items[i]);
    }
    view->comfort.box.heading =
        paths.count > 0 ? "Views saved with Ctrl+D" : "No views yet: Ctrl+D saves one.";
    mc_form_texts_deinit(&names);
    mc_form_texts_deinit(&paths);
    mc_text_deinit(&folder);
    mc_text_deinit(&path);
}

static void fill_list(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    clear_list(comfort);
    if (comfort->box_kind == MC_VIEW_BOX_BOOKMARKS) {
        list_bookmarks(view);
        if (comfort->box_paths.count > 0) comfort->box.chosen = 0;
    } else if (comfort->box_kind == MC_VIEW_BOX_OPEN && !comfort->box.text[0]) {
        list_recent(view);
    } else {
        list_completions(view);
    }
    make_entries(comfort);
}

static void set_text(mc_view *view, const char *text) {
    mc_ui_box *box = &view->comfort.box;
    snprintf(box->text, sizeof box->text, "%s", text);
    mc_ui_reset_text(view->ui, MC_UI_BOX_FIELD);
    box->note = NULL;
    view->comfort.box_replaces = false;
}

void mc_view_open_box(mc_view *view, mc_view_box kind) {
    mc_view_comfort *comfort = &view->comfort;
    static const char *const titles[] = {"Open", "Bookmarks", "Save this view"};
    static const char *const placeholders[] = {"Path of a trace or of a saved view",
                                               "Part of a name", "Path of the file"};
    static const char *const actions[] = {"Open", "Show", "Save"};
    bool again = comfort->box.is_open && comfort->box_kind == kind;
    mc_view_close_box(view);
    if (again) return;
    comfort->box_kind = kind;
    comfort->box = (mc_ui_box){.is_open = true,
                               .title = titles[kind],
                               .placeholder = placeholders[kind],
                               .action = actions[kind],
                               .chosen = MC_NONE};
    view->wish.help = false;
    if (comfort->message_is_notice) mc_view_set_message(view, NULL);
    char text[MC_UI_BOX_TEXT_SIZE] = "";
    if (kind == MC_VIEW_BOX_SAVE) {
        mc_text name = {0}, path = {0};
        mc_text_format(&name, "%s-step%u", view->trace_name ? view->trace_name : "view",
                       view->playback.step);
        if (!name.failed) mc_user_append_free_path(&path, "", name.data, "json");
        if (!path.failed && path.data) snprintf(text, sizeof text, "%s", path.data);
        mc_text_deinit(&name);
        mc_text_deinit(&path);
    }
    set_text(view, text);
    fill_list(view);
    mc_view_redraw(view);
}

bool mc_view_close_box(mc_view *view) {
    if (!view->comfort.box.is_open) return false;
    view->comfort.box.is_open = false;
    clear_list(&view->comfort);
    mc_ui_leave_text(view->ui);
    mc_view_redraw(view);
    return true;
}

void mc_view_update_box(mc_view *view) {
    mc_ui_box *box = &view->comfort.box;
    if (!box->is_open || !box->text_changed) return;
    box->text_changed = false;
    box->note = NULL;
    view->comfort.box_replaces = false;
    fill_list(view);
    mc_view_redraw(view);
}

// As much as all names in the list have in common.
static void complete(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    const mc_form_texts *paths = &comfort->box_paths;
    if (comfort->box_kind == MC_VIEW_BOX_BOOKMARKS || paths->count == 0) return;
    if (comfort->box.chosen < paths->count) {
        set_text(view, paths->items[comfort->box.chosen]);
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
        char text[MC_UI_BOX_TEXT_SIZE];
        snprintf(text, sizeof text, "%.*s", (int)size, paths->items[0]);
        if (size <= strlen(comfort->box.text) && comfort->box.text[0] != '~') return;
        set_text(view, text);
    }
    fill_list(view);
}

static void say(mc_view *view, const char *format, const char *path) {
    snprintf(view->comfort.box_note, sizeof view->comfort.box_note, format, path);
    view->comfort.box.note = view->comfort.box_note;
}

static void take_path(mc_view *view, const char *path) {
    if (!path[0]) return;
    if (view->comfort.box_kind == MC_VIEW_BOX_SAVE) {
        bool replaces = view->comfort.box_replaces;
        view->comfort.box_replaces = access(path, F_OK) == 0 && !replaces;
        if (view->comfort.box_replaces) {
            say(view, "There is a file %s; Enter again replaces it.", path);
        } else if (mc_view_save_as(view, path)) {
            mc_view_close_box(view);
        }
        return;
    }
    struct stat status;
    if (stat(path, &status) != 0) {
        say(view, "There is no file or folder %s", path);
        return;
    }
    mc_view_close_box(view);
    mc_view_open_path(view, path);
}

void mc_view_take_box_entry(mc_view *view, uint32_t index) {
    mc_view_comfort *comfort = &view->comfort;
    if (index >= comfort->box_paths.count) return;
    const char *listed = comfort->box_paths.items[index];
    char path[MC_UI_BOX_TEXT_SIZE];
    snprintf(path, sizeof path, "%s", listed);
    // A folder may be a trace or lead to one: a click goes into it, Enter then opens it.
    size_t size = strlen(path);
    bool completes = comfort->box_kind == MC_VIEW_BOX_SAVE || (size > 1 && path[size - 1] == '/');
    if (completes) {
        set_text(view, path);
        fill_list(view);
    } else {
        take_path(view, path);
    }
}

void mc_view_take_box(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    mc_view_update_box(view); // what was typed in the same moment
    if (comfort->box.chosen < comfort->box_paths.count) {
        mc_view_take_box_entry(view, comfort->box.chosen);
        return;
    }
    if (comfort->box_kind == MC_VIEW_BOX_BOOKMARKS) return;
    mc_text path = {0};
    append_expanded(&path, comfort->box.text);
    if (!path.failed) take_path(view, path.data);
    mc_text_deinit(&path);
}

static void choose(mc_view *view, int way) {
    mc_ui_box *box = &view->comfort.box;
    if (box->entry_count == 0) return;
    bool can_be_none = view->comfort.box_kind != MC_VIEW_BOX_BOOKMARKS;
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

bool mc_view_box_key(mc_view *view, int key) {
    if (!view->comfort.box.is_open) return false;
    const char *field = mc_ui_get_text_field(view->ui);
    if (field[0] && strcmp(field, MC_UI_BOX_FIELD) != 0) return false;
    switch (key) {
    case GLFW_KEY_ESCAPE: mc_view_close_box(view); return true;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: mc_view_take_box(view); return true;
    case GLFW_KEY_TAB: complete(view); return true;
    case GLFW_KEY_DOWN: choose(view, 1); return true;
    case GLFW_KEY_UP: choose(view, -1); return true;
    default: return false;
    }
}
