// ui.h - the panels over the picture: takes a model, returns triangles and the user's input.
//
// A thin C interface to Dear ImGui (C++). One UI per process. All lengths in framebuffer pixels.
// Threads: the main thread only.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#include "app/session/facts.h"
#include "app/ui/ui_answer.h"
#include "app/ui/ui_caption_model.h"
#include "app/ui/ui_dialog_model.h"
#include "app/ui/ui_menu_model.h"
#include "app/ui/ui_start_model.h"
#include "engine/render/core/ui_draw.h"
#include "engine/scene/drawing.h"

typedef struct mc_ui mc_ui;

// Fonts come from fontconfig. `scale` is the screen's content scale.
mc_result mc_ui_create(float scale, mc_ui **ui, mc_error *error);
void mc_ui_destroy(mc_ui *ui); // NULL is fine

// Renders the font anew if the scale differs; the texture then is another one.
mc_result mc_ui_set_scale(mc_ui *ui, float scale, mc_error *error);
// One byte of coverage a pixel; belongs to the UI.
const uint8_t *mc_ui_get_texture(mc_ui *ui, uint32_t *width, uint32_t *height);

void mc_ui_set_pointer(mc_ui *ui, float x, float y);
void mc_ui_set_no_pointer(mc_ui *ui);                         // it left the window
void mc_ui_set_button(mc_ui *ui, uint32_t button, bool down); // 0: left, 1: right, 2: middle
void mc_ui_add_scroll(mc_ui *ui, float x, float y);
// The pointer is over a panel or a panel holds it: such input is not for the city. As of the last
// frame.
bool mc_ui_wants_pointer(const mc_ui *ui);
// Closes an open list. Returns whether one was open.
bool mc_ui_close_list(mc_ui *ui);

// Typing. While a text field has the focus, or is about to get it, what is typed is for it alone.
typedef enum mc_ui_key_code {
    MC_UI_KEY_LEFT,
    MC_UI_KEY_RIGHT,
    MC_UI_KEY_HOME,
    MC_UI_KEY_END,
    MC_UI_KEY_BACKSPACE,
    MC_UI_KEY_DELETE,
    MC_UI_KEY_A, // letters: with control
    MC_UI_KEY_C,
    MC_UI_KEY_V,
    MC_UI_KEY_X,
    MC_UI_KEY_Y,
    MC_UI_KEY_Z,
    MC_UI_KEY_COUNT
} mc_ui_key_code;

enum { MC_UI_CONTROL = 1, MC_UI_SHIFT = 2 };

// The Tab key goes from what can be pressed to the next: forward (1) or back (-1).
void mc_ui_move_focus(mc_ui *ui, int way);
bool mc_ui_has_focus(const mc_ui *ui);
void mc_ui_press_focus(mc_ui *ui); // as a click would
bool mc_ui_leave_focus(mc_ui *ui); // false: nothing had it
// What is marked in the headline by dragging; "": nothing.
const char *mc_ui_get_marked_text(const mc_ui *ui);

bool mc_ui_wants_text(const mc_ui *ui);
const char *mc_ui_get_text_field(const mc_ui *ui); // its id; "" if there is none
void mc_ui_focus_text(mc_ui *ui, const char *field);
void mc_ui_leave_text(mc_ui *ui);
// Its text was changed by somebody else: shows that, with the cursor at the end.
void mc_ui_reset_text(mc_ui *ui, const char *field);
bool mc_ui_has_typed(const mc_ui *ui); // something that no field has seen yet
void mc_ui_add_character(mc_ui *ui, uint32_t character);
void mc_ui_add_key(mc_ui *ui, mc_ui_key_code key, uint32_t modifiers); // pressed or repeated
void mc_ui_set_clipboard(mc_ui *ui, const char *(*get)(void *user),
                         void (*set)(void *user, const char *text), void *user);

// One frame. `draw` stays valid until the next.
void mc_ui_frame(mc_ui *ui, const mc_facts *model, const mc_settings *settings, float width,
                 float height, double elapsed_s, mc_ui_answer *answer, mc_ui_draw *draw);

// One frame of a picture without a window. `draw` stays valid until the next.
void mc_ui_draw_caption(mc_ui *ui, const mc_ui_caption *caption, bool dark, float width,
                        float height, mc_ui_draw *draw);

#ifdef __cplusplus
}
#endif
