#include "app/view/view_keys.h"

#include "app/view/view.h"

typedef struct binding {
    int key;        // GLFW_KEY_*; 0: by `character`
    int modifiers;  // GLFW_MOD_*, exactly these
    char character; // what a key types, or, with modifiers, what is printed on it
} binding;

typedef struct row {
    const char *keys, *text; // no keys: a heading
    mc_view_command command;
    binding bindings[3];
} row;

enum { CONTROL = GLFW_MOD_CONTROL };

static const row rows[] = {
    {NULL, "Time", MC_VIEW_NO_COMMAND, {{0}}},
    {"Space", "Play, pause", MC_VIEW_PLAY, {{GLFW_KEY_SPACE, 0, 0}}},
    {"Left", "Previous step", MC_VIEW_PREVIOUS, {{GLFW_KEY_LEFT, 0, 0}}},
    {"Right", "Next step", MC_VIEW_NEXT, {{GLFW_KEY_RIGHT, 0, 0}}},
    {"Page Up, Shift+Left",
     "First step",
     MC_VIEW_FIRST,
     {{GLFW_KEY_PAGE_UP, 0, 0}, {GLFW_KEY_LEFT, GLFW_MOD_SHIFT, 0}}},
    {"Page Down, Shift+Right",
     "Last step",
     MC_VIEW_LAST,
     {{GLFW_KEY_PAGE_DOWN, 0, 0}, {GLFW_KEY_RIGHT, GLFW_MOD_SHIFT, 0}}},
    {"+", "Play faster", MC_VIEW_FASTER, {{0, 0, '+'}, {0, 0, '='}}},
    {"-", "Play slower", MC_VIEW_SLOWER, {{0, 0, '-'}}},
    {"L", "Loop on or off", MC_VIEW_LOOP, {{0, 0, 'l'}}},
    {"Shift+L", "Follow a recording or not", MC_VIEW_FOLLOW, {{0, GLFW_MOD_SHIFT, 'l'}}},
    {NULL, "Time window", MC_VIEW_NO_COMMAND, {{0}}},
    {"[", "Begin at this step", MC_VIEW_WINDOW_FIRST, {{0, 0, '['}}},
    {"]", "End at this step", MC_VIEW_WINDOW_LAST, {{0, 0, ']'}}},
    {"{", "Begin a step earlier", MC_VIEW_WINDOW_EARLIER, {{0, 0, '{'}}},
    {"}", "End a step later", MC_VIEW_WINDOW_LATER, {{0, 0, '}'}}},
    {"\\", "All steps", MC_VIEW_WINDOW_RESET, {{0, 0, '\\'}}},
    {"H", "Leave out what was freed at the end, or not", MC_VIEW_FOLLOW_HINT, {{0, 0, 'h'}}},
    {NULL, "Camera", MC_VIEW_NO_COMMAND, {{0}}},
    {"Left drag, W A S D", "Move over the city", MC_VIEW_NO_COMMAND, {{0}}},
    {"Right drag, Ctrl+arrows", "Turn and tilt", MC_VIEW_NO_COMMAND, {{0}}},
    {"Wheel, Q E", "Closer, farther", MC_VIEW_NO_COMMAND, {{0}}},
    {"Home", "Show the whole city", MC_VIEW_HOME, {{GLFW_KEY_HOME, 0, 0}}},
    {"B", "Bird's eye, and back", MC_VIEW_BIRD, {{0, 0, 'b'}}},
    {"F, double click", "Show the selection", MC_VIEW_FRAME, {{0, 0, 'f'}}},
    {NULL, "Selection", MC_VIEW_NO_COMMAND, {{0}}},
    {"Click", "Select; on nothing: clear", MC_VIEW_NO_COMMAND, {{0}}},
    {"Up, Backspace",
     "Select the district around",
     MC_VIEW_PARENT,
     {{GLFW_KEY_UP, 0, 0}, {GLFW_KEY_BACKSPACE, 0, 0}}},
    {"Down", "Select its largest part", MC_VIEW_CHILD, {{GLFW_KEY_DOWN, 0, 0}}},
    {"Shift+Up, Shift+Down",
     "Select the one before, after",
     MC_VIEW_PREVIOUS_SIBLING,
     {{GLFW_KEY_UP, GLFW_MOD_SHIFT, 0}}},
    {"1 … 9", "Select a suspect", MC_VIEW_NO_COMMAND, {{0}}},
    {"Enter", "A city of the selected district alone", MC_VIEW_MAKE_ROOT, {{GLFW_KEY_ENTER, 0, 0}}},
    {"Shift+Backspace",
     "Back to the city around it",
     MC_VIEW_LEAVE_ROOT,
     {{GLFW_KEY_BACKSPACE, GLFW_MOD_SHIFT, 0}}},
    {"Alt+Left, mouse 4",
     "Back to the selection before",
     MC_VIEW_BACK,
     {{GLFW_KEY_LEFT, GLFW_MOD_ALT, 0}}},
    {"Alt+Right, mouse 5", "Forward again", MC_VIEW_FORWARD, {{GLFW_KEY_RIGHT, GLFW_MOD_ALT, 0}}},
    {NULL, "Search", MC_VIEW_NO_COMMAND, {{0}}},
    {"/, Ctrl+F",
     "Search; Enter, Shift+Enter: next, previous",
     MC_VIEW_SEARCH,
     {{0, 0, '/'}, {GLFW_KEY_F, GLFW_MOD_CONTROL, 0}}},
    {"Ctrl+G", "Next hit", MC_VIEW_NEXT_HIT, {{GLFW_KEY_G, GLFW_MOD_CONTROL, 0}}},
    {"Ctrl+Shift+G",
     "Previous hit",
     MC_VIEW_PREVIOUS_HIT,
     {{GLFW_KEY_G, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT, 0}}},
    {"Alt+R",
     "Search by regular expression",
     MC_VIEW_SEARCH_REGEX,
     {{GLFW_KEY_R, GLFW_MOD_ALT, 0}}},
    {NULL, "References and causes", MC_VIEW_NO_COMMAND, {{0}}},
    {"J", "To what most keeps it alive", MC_VIEW_HOLDER, {{0, 0, 'j'}}},
    {"Y", "To what it most keeps alive", MC_VIEW_HELD, {{0, 0, 'y'}}},
    {"Z", "References: both, in, out, none", MC_VIEW_REFERENCE_FILTER, {{0, 0, 'z'}}},
    {";", "References: fewer", MC_VIEW_FEWER_REFERENCES, {{0, 0, ';'}}},
    {"'", "References: more", MC_VIEW_MORE_REFERENCES, {{0, 0, '\''}}},
    {"(", "References: arcs or straight", MC_VIEW_ARCS, {{0, 0, '('}}},
    {"0", "Walk to the root cause", MC_VIEW_WALK, {{0, 0, '0'}}},
    {"Alt+0", "The same from the selection", MC_VIEW_WALK_FROM, {{GLFW_KEY_0, GLFW_MOD_ALT, 0}}},
    {NULL, "City", MC_VIEW_NO_COMMAND, {{0}}},
    {"M", "Objects or bytes", MC_VIEW_METRIC, {{0, 0, 'm'}}},
    {"X", "Scaling of areas", MC_VIEW_SCALING, {{0, 0, 'x'}}},
    {"T", "Tiling", MC_VIEW_TILING, {{0, 0, 't'}}},
    {",", "Child limit: hide less", MC_VIEW_LIMIT_LESS, {{0, 0, ','}}},
    {".", "Child limit: hide more", MC_VIEW_LIMIT_MORE, {{0, 0, '.'}}},
    {"C", "Colour by growth on or off", MC_VIEW_COLOR, {{0, 0, 'c'}}},
    {"Alt+C", "Colour by another thing", MC_VIEW_COLOR_MODE, {{0, GLFW_MOD_ALT, 'c'}}},
    {"Alt+H", "Height by another thing", MC_VIEW_HEIGHT_MODE, {{0, GLFW_MOD_ALT, 'h'}}},
    {"O", "Highlight top growers on or off", MC_VIEW_OPACITY, {{0, 0, 'o'}}},
    {"U", "Fewer opaque buildings", MC_VIEW_FEWER_OPAQUE, {{0, 0, 'u'}}},
    {"I", "More opaque buildings", MC_VIEW_MORE_OPAQUE, {{0, 0, 'i'}}},
    {"V", "Opacity of the others", MC_VIEW_OTHERS, {{0, 0, 'v'}}},
    {"G", "Edges on or off", MC_VIEW_EDGES, {{0, 0, 'g'}}},
    {"N", "Names on or off", MC_VIEW_NAMES, {{0, 0, 'n'}}},
    {NULL, "Window", MC_VIEW_NO_COMMAND, {{0}}},
    {"K", "Light or dark", MC_VIEW_THEME, {{0, 0, 'k'}}},
    {"P", "Palette", MC_VIEW_PALETTE, {{0, 0, 'p'}}},
    {"R", "Motion on or off", MC_VIEW_MOTION, {{0, 0, 'r'}}},
    {"Tab", "Panels on or off", MC_VIEW_PANELS, {{GLFW_KEY_TAB, 0, 0}}},
    {"F2, F3, F4", "Fold Selection, Suspects, View", MC_VIEW_FOLD_SELECTION, {{GLFW_KEY_F2, 0, 0}}},
    {"F5, F6, F7",
     "Fold References, Root cause, Contents",
     MC_VIEW_FOLD_REFERENCES,
     {{GLFW_KEY_F5, 0, 0}}},
    {"F11", "Full screen", MC_VIEW_FULL_SCREEN, {{GLFW_KEY_F11, 0, 0}}},
    {"!", "Warnings of the import", MC_VIEW_WARNINGS, {{0, 0, '!'}}},
    {"?, F1", "This help", MC_VIEW_HELP, {{0, 0, '?'}, {GLFW_KEY_F1, 0, 0}}},
    {"Esc",
     "Cancel; close help, message; clear selection",
     MC_VIEW_ESCAPE,
     {{GLFW_KEY_ESCAPE, 0, 0}}},
    {NULL, "Files and undo", MC_VIEW_NO_COMMAND, {{0}}},
    {"Ctrl+O", "Open a trace or a view", MC_VIEW_OPEN, {{0, CONTROL, 'o'}}},
    {"Ctrl+Z", "Undo", MC_VIEW_UNDO, {{0, CONTROL, 'z'}}},
    {"Ctrl+Y, Ctrl+Shift+Z",
     "Redo",
     MC_VIEW_REDO,
     {{0, CONTROL, 'y'}, {0, CONTROL | GLFW_MOD_SHIFT, 'z'}}},
    {"Ctrl+D", "Bookmark this view", MC_VIEW_SAVE_BOOKMARK, {{0, CONTROL, 'd'}}},
    {"Ctrl+B", "Bookmarks", MC_VIEW_BOOKMARKS, {{0, CONTROL, 'b'}}},
    {"Ctrl+Shift+S",
     "Save this view as a file",
     MC_VIEW_SAVE_AS,
     {{0, CONTROL | GLFW_MOD_SHIFT, 's'}}},
    {"Ctrl+C", "Copy the full key", MC_VIEW_COPY_KEY, {{0, CONTROL, 'c'}}},
    {"Ctrl+Shift+C",
     "Copy key and numbers",
     MC_VIEW_COPY_ROW,
     {{0, CONTROL | GLFW_MOD_SHIFT, 'c'}}},
    {"Ctrl+E", "Write the open tables as CSV", MC_VIEW_EXPORT_TABLE, {{0, CONTROL, 'e'}}},
    {"Ctrl+S, F12",
     "Picture of the window",
     MC_VIEW_PICTURE,
     {{0, CONTROL, 's'}, {GLFW_KEY_F12, 0, 0}}},
    {"Shift+F12",
     "Picture of the city",
     MC_VIEW_PICTURE_ALONE,
     {{GLFW_KEY_F12, GLFW_MOD_SHIFT, 0}}},
    {"Ctrl+R", "Video of this view; stop it", MC_VIEW_VIDEO, {{0, CONTROL, 'r'}}},
    {"Ctrl++, Ctrl+-",
     "Larger, smaller text",
     MC_VIEW_LARGER,
     {{0, CONTROL, '+'}, {0, CONTROL, '='}, {0, CONTROL | GLFW_MOD_SHIFT, '='}}},
    {"Ctrl+0", "Text as the screen asks for", MC_VIEW_USUAL_SIZE, {{0, CONTROL, '0'}}},
    {"Ctrl+Q", "Quit", MC_VIEW_QUIT, {{GLFW_KEY_Q, GLFW_MOD_CONTROL, 0}}},
};

// Where a row of the help names several commands.
static const struct {
    binding binding;
    mc_view_command command;
} more_bindings[] = {
    {{GLFW_KEY_DOWN, GLFW_MOD_SHIFT, 0}, MC_VIEW_NEXT_SIBLING},
    {{GLFW_KEY_F3, 0, 0}, MC_VIEW_FOLD_SUSPECTS},
    {{GLFW_KEY_KP_ADD, CONTROL, 0}, MC_VIEW_LARGER},
    {{0, CONTROL, '-'}, MC_VIEW_SMALLER},
    {{GLFW_KEY_KP_SUBTRACT, CONTROL, 0}, MC_VIEW_SMALLER},
    {{GLFW_KEY_KP_0, CONTROL, 0}, MC_VIEW_USUAL_SIZE},
    {{GLFW_KEY_F4, 0, 0}, MC_VIEW_FOLD_VIEW},
    {{GLFW_KEY_F6, 0, 0}, MC_VIEW_FOLD_WALK},
    {{GLFW_KEY_F7, 0, 0}, MC_VIEW_FOLD_CONTENTS},
};

static const int moves[MC_VIEW_MOVE_COUNT] = {
    [MC_VIEW_MOVE_AHEAD] = GLFW_KEY_W,   [MC_VIEW_MOVE_LEFT] = GLFW_KEY_A,
    [MC_VIEW_MOVE_BACK] = GLFW_KEY_S,    [MC_VIEW_MOVE_RIGHT] = GLFW_KEY_D,
    [MC_VIEW_MOVE_DOWN] = GLFW_KEY_Q,    [MC_VIEW_MOVE_UP] = GLFW_KEY_E,
    [MC_VIEW_TURN_LEFT] = GLFW_KEY_LEFT, [MC_VIEW_TURN_RIGHT] = GLFW_KEY_RIGHT,
    [MC_VIEW_TILT_UP] = GLFW_KEY_UP,     [MC_VIEW_TILT_DOWN] = GLFW_KEY_DOWN,
};

uint32_t mc_view_get_key_count(void) {
    return sizeof rows / sizeof *rows;
}

mc_view_key_info mc_view_get_key(uint32_t index) {
    return (mc_view_key_info){rows[index].keys, rows[index].text};
}

static bool is_bound(const binding *b, const mc_window_event *event) {
    if (event->kind == MC_WINDOW_TEXT) {
        int character = event->code;
        if (character >= 'A' && character <= 'Z') character += 'a' - 'A';
        return b->character != 0 && b->modifiers == 0 && b->character == character;
    }
    int modifiers = event->modifiers & (GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT);
    if (b->modifiers != modifiers) return false;
    if (b->key != 0) return b->key == event->code;
    return modifiers != 0 && b->character != 0 && b->character == event->printed;
}

mc_view_command mc_view_find_command(const mc_window_event *event) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < sizeof rows[i].bindings / sizeof *rows[i].bindings; k++) {
            if (is_bound(&rows[i].bindings[k], event)) return rows[i].command;
        }
    }
    for (size_t i = 0; i < sizeof more_bindings / sizeof *more_bindings; i++) {
        if (is_bound(&more_bindings[i].binding, event)) return more_bindings[i].command;
    }
    if (event->kind == MC_WINDOW_TEXT && event->code >= '1' && event->code <= '9') {
        return (mc_view_command)(MC_VIEW_SUSPECT + (event->code - '1'));
    }
    return MC_VIEW_NO_COMMAND;
}

bool mc_view_move_needs_control(mc_view_move move) {
    return move >= MC_VIEW_TURN_LEFT;
}

mc_view_move mc_view_find_move(int key) {
    int move = 0;
    while (move < MC_VIEW_MOVE_COUNT && moves[move] != key) {
        move++;
    }
    return (mc_view_move)move;
}
