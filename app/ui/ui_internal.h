// ui_internal.h - fonts, colours and widgets, shared by the files of the UI. C++ only.
//
// Lengths in this header are in units of the design (1 at a plain screen) unless said otherwise;
// px() turns them into pixels.
#pragma once
#include "app/ui/ui.h"
#include "engine/scene/name_fit.h"
#include <imgui.h>
#include <string>
#include <vector>

// The colours of one theme.
struct ui_colors {
    ImU32 panel, border, text, muted, faint; // faint: lines and marks, never text
    ImU32 accent, accent_text, hover, active, warning;
    ImU32 chart_fill, chart_line;
    ImU32 plate;              // behind names in the picture
    ImU32 incoming, outgoing; // references
};

// A key, or a character if `key` is MC_UI_KEY_COUNT.
struct ui_typed {
    mc_ui_key_code key;
    uint32_t modifiers, character;
};

// A name that was drawn in the last frame, and how high on its line it stood.
struct ui_shown_label {
    uint32_t node;
    int rise;
};

// What the Tab key goes to, by ImGui's ids.
struct ui_focus {
    std::vector<unsigned> stops; // of the frame under way
    unsigned item = 0;           // that has the focus; 0: none
    int way = 0;                 // where it is to go
    bool is_pressed = false, has_moved = false;
};

// What is marked of a text by dragging.
struct ui_marked {
    std::string text;        // all of it
    size_t from = 0, to = 0; // bytes; where it began, where it is by now
    bool is_dragged = false;
    std::string part; // that is marked
    int frame = 0;    // in which the text was seen last
};

struct mc_ui {
    ImGuiContext *context;
    float scale;
    ImFont *regular, *strong, *small, *title; // title: of Latin letters alone
    ui_colors colors;
    bool dark;
    bool buttons[3], pressed[3]; // held; pressed since the last frame, even if let go again
    bool pressed_twice;          // the left one, faster than frames are drawn
    bool has_pointer;
    bool list_is_open, close_list; // as of the last frame; wanted
    float pointer_x, pointer_y;
    float scroll_x, scroll_y;
    // Text fields by their ids: the one with the focus as of the last frame, the same of the frame
    // under way, and the one that is to get it. Empty: none.
    std::string text_field, active_field, wanted_field;
    uint32_t wanted_frames; // that the wanted one has not been drawn
    bool leave_text, reset_text;
    uint32_t left_frames; // in which a field that was left before it had the focus may still get it
    std::vector<ui_typed> typed; // and not yet seen by a field
    std::vector<ui_shown_label> shown_labels;
    std::vector<mc_ui_vertex> vertices;
    std::vector<uint16_t> indices;
    std::vector<mc_ui_command> commands;
    mc_ui_answer *answer; // of the frame under way
    float width, height;  // pixels, of the frame under way
    float panels_left;    // of the panels, also of folded ones; 0: there are none
    float hint_right;     // hints end here; 0: they are at the pointer
    bool is_covered;      // the picture's left part, of the frame under way: by the search
    ImVec2 legend;        // its upper right corner, of the frame under way; 0, 0: there is none
    ui_focus focus;
    ui_marked marked;                 // of the headline
    bool all_suspects = false;        // listed, or only the first ones
    bool whole_headline = false;      // or its first lines, where room is short
    float suspects_least = 0;         // height that their card needs; pixels
    float suspects_bottom = 0;        // where their card ends unless it needs more, of this frame
    float edge_offset = 0;            // of the panels' edge from where it was taken hold of
    uint32_t panel_node = UINT32_MAX; // what the panels were about in the last frame
    uint32_t panel_count = 0;         // of what is selected, likewise
    bool panel_has_walk = false;
    bool follows = false;                   // what is selected, until the user scrolls
    float panels_top = 0;                   // of the card below the findings, in the last frame
    uint32_t following = 0;                 // frames in which they still scroll to what is selected
    uint32_t holding = 0;                   // frames in which they stay at what was unfolded
    uint32_t open_sections = UINT32_MAX;    // of the panels in the last frame, a bit each
    float last_scroll = 0, kept_scroll = 0; // of the panels, in pixels: now; before that
    // The end of the time window that is being dragged, 0 or 1 (-1: none), and where it is by now.
    int dragged_end;
    uint32_t dragged_step;
    // Of the time chart, while it is held down: the point that was pressed, MC_NONE: it is dragged.
    uint32_t pressed_point;
    ImVec2 pressed_at;

    float px(float length) const { return length * scale; }
};

namespace ui {
constexpr float top_bar_height = 40;
constexpr float time_bar_height = 96;

// Fonts and theme.
bool load_fonts(mc_ui *ui, mc_error *error);
void apply_theme(mc_ui *ui, bool dark);

// Names stay clear of each other and of what is covered (x0, y0, x1, y1 in pixels). Which ones
// give way changes little from frame to frame.
void draw_labels(mc_ui *ui, const mc_fact_label *labels, uint32_t count, const ImVec4 *covered,
                 uint32_t covered_count);
// A text on the ground: what a pixel of the font is there, where a place of its plane is drawn, and
// the text itself, glyph by glyph.
float get_ground_scale(const mc_ui *ui, const mc_ground_text &ground);
ImVec2 project_ground(const mc_ground_text &ground, float u, float v);
void draw_ground_name(const mc_ui *ui, ImDrawList *list, ImFont *font, const mc_ground_text &ground,
                      float opacity, const char *name, const mc_name_part *part);
// The number of a stop of the walk, on a plate of its own; `at` its upper left corner.
ImVec2 measure_number(mc_ui *ui, uint32_t number);
void draw_number(mc_ui *ui, ImDrawList *list, ImVec2 at, uint32_t number, float alpha);

// The window's parts; each adds its places and answers.
uint32_t draw_caption(mc_ui *ui, const mc_ui_caption *caption,
                      ImVec4 covered[3]); // returns how much it covers
void draw_drawing(mc_ui *ui, const mc_drawing *drawing);
void draw_top_bar(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_panels(mc_ui *ui, const mc_facts *model, mc_settings *settings);
// The headline and the findings, as many as fit above `bottom` (pixels), but all of them if that is
// asked for; the open one with its evidence.
void draw_suspects(mc_ui *ui, const mc_facts *model, mc_settings *settings, float bottom);
void draw_search(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_references(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_walk(mc_ui *ui, const mc_facts *model);
void draw_why(mc_ui *ui, const mc_facts *model);
void draw_roots(mc_ui *ui, const mc_facts *model);
void draw_grouping(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_legend(mc_ui *ui, const mc_fact_legend *legend, bool is_flat);
void draw_time_bar(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_overlays(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_dialog(mc_ui *ui, mc_ui_dialog *box, float y); // y: pixels, below messages
void draw_menu(mc_ui *ui, mc_ui_menu *menu);
void draw_start(mc_ui *ui, const mc_ui_start *start);
void draw_help(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_preferences(mc_ui *ui, const mc_facts *model, mc_settings *settings);
void draw_warnings(mc_ui *ui, const mc_facts *model, mc_settings *settings);

// Widgets. They advance ImGui's cursor like its own.
bool begin_panel(mc_ui *ui, const char *name, ImVec2 position,
                 ImVec2 size); // pixels; y 0: as needed
void end_panel();
bool segmented(mc_ui *ui, const char *id, const char *const *items, uint32_t count, float width,
               uint32_t *value);                        // width in pixels; 0: as needed
bool toggle(mc_ui *ui, const char *label, bool *value); // a row: text left, switch right
bool fold(mc_ui *ui, const char *label, bool *open);
bool choice(mc_ui *ui, const char *label, const char *const *items, uint32_t count,
            uint32_t *value); // a row: text left, list right
// A push button of `width` pixels.
bool button(mc_ui *ui, const char *id, const char *label, float width, const char *hint,
            bool enabled);
// The list alone, `width` pixels wide; `shown` is what it says while it is closed.
bool drop_down(mc_ui *ui, const char *id, float width, const char *shown, const char *const *items,
               uint32_t count, uint32_t *value);
// The metrics that settings can name, for a list of them.
struct metric_list {
    explicit metric_list(const mc_facts *model);
    uint32_t find(const char *key) const; // MC_NONE: it is none of them
    void put(uint32_t index, char key[MC_METRIC_NAME_SIZE]) const;

    uint32_t count = 0;
    const char *keys[MC_FACT_METRIC_MOST], *titles[MC_FACT_METRIC_MOST];
};

// An invisible button that can be pressed by keys, too.
bool pressable(mc_ui *ui, const char *id, ImVec2 size);
// Of the last item: it is a stop of the Tab key. True: it was pressed by a key.
bool take_focus(mc_ui *ui, unsigned item);
void settle_focus(mc_ui *ui); // at the end of a frame
bool slider(mc_ui *ui, const char *label, float *value, float low, float high, const char *format);
void line(mc_ui *ui); // a thin rule with air

// Rows of a list, as high as the list needs but `most_rows` rows or `height` pixels (0: rows
// count).
struct list_style {
    float row_height;
    float widths[MC_FACT_LIST_VALUES]; // of the values' columns; 0: not shown
    uint32_t most_rows;
    float height;
    bool small_values;
    const char *places[3]; // the first rows' in the state file; NULL: none
};

// Returns the row that was clicked, MC_NONE for none; `hovered_row` may be NULL.
uint32_t list(mc_ui *ui, const char *id, const mc_fact_list *rows, const list_style *style,
              uint32_t *hovered_row);
// The names of a list's columns, that of the rows' names first; a click sorts. Returns whether the
// order is another one now.
bool list_header(mc_ui *ui, const list_style *style, const char *const *names, uint32_t *sorted_by,
                 bool *ascending, bool scrolls);

// A line of text, `width` pixels wide. Returns whether it has changed.
bool text_field(mc_ui *ui, const char *id, const char *placeholder, char *text, size_t size,
                float width);

enum class icon {
    first,
    previous,
    play,
    pause,
    next,
    last,
    loop,
    close,
    help,
    back,
    forward,
    search,
    up,
    down,
    menu
};
bool icon_button(mc_ui *ui, const char *id, icon which, const char *hint, bool lit = false,
                 bool enabled = true);

// Values from 0 to 1 as an area, each at its place from 0 to 1, with a mark at `current` (MC_NONE:
// none), in pixels.
void area_chart(mc_ui *ui, ImVec2 from, ImVec2 to, const float *values, const float *places,
                uint32_t count, uint32_t current);

// A thin line over it, of values in the same measure.
void line_chart(mc_ui *ui, ImVec2 from, ImVec2 to, const float *values, const float *places,
                uint32_t count, ImU32 color);

void muted_text(mc_ui *ui, const char *text, bool wrapped = false);
// To the right end of the panel, broken at blanks alone. True: it needs more lines, and its last
// one ends with an ellipsis.
bool wrapped_text(const char *text, uint32_t most_lines = UINT32_MAX);
// The same, of which a part can be marked by dragging, to be copied.
bool markable_text(mc_ui *ui, const char *text, uint32_t most_lines = UINT32_MAX);
void hint(mc_ui *ui, const char *text);                           // a tooltip for the last item
void hint_row(mc_ui *ui, const mc_fact_list *list, uint32_t row); // what more a row says
void place(mc_ui *ui, const char *name, ImVec2 from, ImVec2 to);
void place_item(mc_ui *ui, const char *name); // the last item
void act(mc_ui *ui, mc_action_id action, uint32_t argument = 0);

// Typing (ui_text.cpp), for the frame.
void map_keys();
void feed_typed(mc_ui *ui);
void end_text(mc_ui *ui); // if the field is to be left

ImU32 with_alpha(ImU32 color, float alpha); // alpha times `alpha`
// As much of `text` as fits into `width` pixels, with an ellipsis if that is not all.
void clipped_text(ImDrawList *list, ImVec2 at, float width, ImU32 color, const char *text);
// The same for a name, of which the end says the most (engine/scene/name_fit.h).
void clipped_name(mc_ui *ui, ImDrawList *list, ImVec2 at, float width, ImU32 color,
                  const char *name);
bool fit_name(ImFont *font, const char *name, float width, mc_name_part *part);
// From nothing above to a card's colour below.
void fade_out(mc_ui *ui, ImDrawList *list, ImVec2 from, ImVec2 to);
// What scrolling cuts off below fades out, so that no row looks whole that is not. To be called at
// the end of a child that scrolls.
void fade_cut_off(mc_ui *ui);
void draw_name(ImDrawList *list, ImFont *font, ImVec2 at, ImU32 color, const char *name,
               const mc_name_part *part);
} // namespace ui
