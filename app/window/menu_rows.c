#include "app/window/menu_rows.h"

#include "app/node_text.h"
#include "app/session/available.h"
#include "app/session/bookmarks.h"
#include "app/trace_location.h"
#include <stdio.h>
#include <string.h>

#define LISTED_MOST 12 // paths and bookmarks: the dialogs have all of them

static const char FILES[] = "Files and undo"; // the heading that comes first

static const char *keep(mc_menu_rows *rows, const char *text) {
    return mc_form_texts_add(&rows->texts, text, strlen(text))
               ? rows->texts.items[rows->texts.count - 1]
               : "";
}

static uint32_t add(mc_menu_rows *rows, mc_ui_menu_row row, mc_menu_deed deed) {
    if (rows->count == MC_MENU_ROWS_MOST) return MC_NONE;
    rows->rows[rows->count] = row;
    rows->deeds[rows->count] = deed;
    return rows->count++;
}

static void add_action(mc_menu_rows *rows, const mc_session *session, uint32_t parent,
                       mc_action_id id, bool begins_group) {
    const mc_action *action = mc_action_get(id);
    char keys[32] = "";
    if (!action) return;
    size_t size;
    const char *key = mc_action_get_first_key(action, &size);
    snprintf(keys, sizeof keys, "%.*s", (int)size, key);
    add(rows,
        (mc_ui_menu_row){.label = action->help,
                         .keys = keep(rows, keys),
                         .obstacle = mc_action_get_obstacle(session, action),
                         .parent = parent,
                         .begins_group = begins_group,
                         .is_on = mc_action_is_on(session, action)},
        (mc_menu_deed){.action = id});
}

static uint32_t add_opener(mc_menu_rows *rows, const char *label, bool begins_group) {
    return add(rows,
               (mc_ui_menu_row){.label = label,
                                .keys = "",
                                .parent = MC_NONE,
                                .opens = true,
                                .begins_group = begins_group},
               (mc_menu_deed){MC_NO_ACTION, NULL});
}

static void add_path(mc_menu_rows *rows, uint32_t parent, const char *label, const char *path,
                     bool begins_group) {
    add(rows,
        (mc_ui_menu_row){
            .label = keep(rows, label), .keys = "", .parent = parent, .begins_group = begins_group},
        (mc_menu_deed){MC_NO_ACTION, keep(rows, path)});
}

static void add_nothing(mc_menu_rows *rows, uint32_t parent, const char *label) {
    add(rows, (mc_ui_menu_row){.label = label, .keys = "", .parent = parent, .is_title = true},
        (mc_menu_deed){MC_NO_ACTION, NULL});
}

// ---- the main menu

// The commands below a heading of the table. Returns where they end.
static uint32_t add_commands(mc_menu_rows *rows, const mc_session *session, uint32_t parent,
                             uint32_t index) {
    for (; index < mc_action_count; index++) {
        const mc_action *action = &mc_actions[index];
        if (!action->name && !action->shown) break;
        bool is_beside = action->id == MC_ACTION_COMMANDS || action->id == MC_ACTION_HELP ||
                         action->id == MC_ACTION_MENU || action->id == MC_ACTION_CONTEXT_MENU;
        if (mc_action_is_command(action) && !is_beside)
            add_action(rows, session, parent, action->id, false);
    }
    return index;
}

static void add_headings(mc_menu_rows *rows, const mc_session *session, bool is_files) {
    bool is_first = true;
    for (uint32_t i = 0; i < mc_action_count;) {
        const mc_action *heading = &mc_actions[i++];
        if ((strcmp(heading->help, FILES) == 0) != is_files || heading->name || heading->shown)
            continue;
        uint32_t parent = add_opener(rows, heading->help, is_first && !is_files);
        i = add_commands(rows, session, parent, i);
        is_first = false;
    }
}

static void add_recent(mc_menu_rows *rows, const mc_session *session) {
    const mc_form_texts *recent = &session->preferences.recent;
    uint32_t parent = add_opener(rows, "Opened before", true), before = rows->count;
    for (uint32_t i = 0; i < recent->count && rows->count - before < LISTED_MOST; i++) {
        const char *path = recent->items[i];
        if (!mc_trace_location_is_there(path)) continue;
        mc_text label = {0}, whole = {0};
        mc_trace_location_append_label(path, &label);
        mc_trace_location_append(path, &whole);
        if (!label.failed && !whole.failed) {
            add_path(rows, parent, label.data, path, false);
            if (strcmp(label.data, whole.data) != 0 && rows->count > before)
                rows->rows[rows->count - 1].keys = keep(rows, whole.data);
        }
        mc_text_deinit(&label);
        mc_text_deinit(&whole);
    }
    if (rows->count == before) add_nothing(rows, parent, "Nothing yet");
}

static void add_bookmarks(mc_menu_rows *rows, const mc_session *session) {
    mc_bookmarks bookmarks;
    uint32_t parent = add_opener(rows, "Bookmarks", false);
    add_action(rows, session, parent, MC_ACTION_SAVE_BOOKMARK, false);
    add_action(rows, session, parent, MC_ACTION_BOOKMARKS, false);
    mc_bookmarks_read(&bookmarks);
    for (uint32_t i = 0; i < bookmarks.count && i < LISTED_MOST; i++)
        add_path(rows, parent, bookmarks.items[i].name, bookmarks.items[i].path, i == 0);
    mc_bookmarks_deinit(&bookmarks);
}

void mc_menu_rows_fill_main(mc_menu_rows *rows, const mc_session *session) {
    mc_menu_rows_deinit(rows);
    add_headings(rows, session, true);
    add_recent(rows, session);
    add_bookmarks(rows, session);
    add_headings(rows, session, false);
    add_action(rows, session, MC_NONE, MC_ACTION_COMMANDS, true);
    add_action(rows, session, MC_NONE, MC_ACTION_HELP, false);
}

// ---- the menu of what is under the pointer

typedef struct entry {
    mc_action_id id;
    bool begins_group;
} entry;

static const entry of_selection[] = {
    {MC_ACTION_FRAME, false},        {MC_ACTION_MAKE_ROOT, false}, {MC_ACTION_LEAVE_ROOT, false},
    {MC_ACTION_PARENT, false},       {MC_ACTION_HOLDER, true},     {MC_ACTION_HELD, false},
    {MC_ACTION_WALK_FROM, false},    {MC_ACTION_DEMOLISH, true},   {MC_ACTION_REBUILD, false},
    {MC_ACTION_COPY_KEY, true},      {MC_ACTION_COPY_ROW, false},  {MC_ACTION_SAVE_BOOKMARK, true},
    {MC_ACTION_PICTURE_ALONE, false}};

static const entry of_picture[] = {
    {MC_ACTION_HOME, false},          {MC_ACTION_BIRD, false},
    {MC_ACTION_LEAVE_ROOT, false},    {MC_ACTION_WALK, true},
    {MC_ACTION_REBUILD, false},       {MC_ACTION_VIEW_CITY, true},
    {MC_ACTION_VIEW_SUNBURST, false}, {MC_ACTION_VIEW_ICICLE, false},
    {MC_ACTION_UNDO, true},           {MC_ACTION_REDO, false},
    {MC_ACTION_SAVE_BOOKMARK, true},  {MC_ACTION_PICTURE_ALONE, false},
    {MC_ACTION_PANELS, true}};

void mc_menu_rows_fill_context(mc_menu_rows *rows, const mc_session *session) {
    uint32_t selected = session->shown ? mc_session_get_selected(session) : MC_NONE;
    const entry *entries = selected == MC_NONE ? of_picture : of_selection;
    size_t count = selected == MC_NONE ? sizeof of_picture / sizeof *of_picture
                                       : sizeof of_selection / sizeof *of_selection;
    mc_text name = {0};
    mc_menu_rows_deinit(rows);
    if (selected != MC_NONE) mc_node_append_name_line(session->trace, selected, &name);
    if (name.size > 0 && !name.failed) add_nothing(rows, MC_NONE, keep(rows, name.data));
    for (size_t i = 0; i < count; i++)
        add_action(rows, session, MC_NONE, entries[i].id, entries[i].begins_group);
    mc_text_deinit(&name);
}

static const entry of_sharing[] = {
    {MC_ACTION_COPY_FINDING, false}, {MC_ACTION_REPORT, false},       {MC_ACTION_PAGE, false},
    {MC_ACTION_PICTURE_ALONE, true}, {MC_ACTION_PICTURE, false},      {MC_ACTION_VIDEO, false},
    {MC_ACTION_SAVE_AS, true},       {MC_ACTION_EXPORT_TABLE, false}, {MC_ACTION_COPY_ROW, false}};

void mc_menu_rows_fill_share(mc_menu_rows *rows, const mc_session *session) {
    mc_menu_rows_deinit(rows);
    for (size_t i = 0; i < sizeof of_sharing / sizeof *of_sharing; i++)
        add_action(rows, session, MC_NONE, of_sharing[i].id, of_sharing[i].begins_group);
}

void mc_menu_rows_deinit(mc_menu_rows *rows) {
    mc_form_texts_deinit(&rows->texts);
    rows->count = 0;
}
