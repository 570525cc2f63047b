// window.h - the window on the screen: a Vulkan surface and a queue of input events.
//
// All positions are in framebuffer pixels from the top left corner, whatever the screen's scale.
// Threads: the main thread only, but for mc_window_wake().
#pragma once
#include "engine/base/base.h"
#include <volk.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

typedef struct mc_window mc_window;

typedef struct mc_window_desc {
    uint32_t width, height; // screen coordinates
    const char *title;
    bool is_exact; // not scaled to the monitor
} mc_window_desc;

typedef enum mc_window_event_kind {
    MC_WINDOW_KEY,     // code: GLFW_KEY_*, action: GLFW_PRESS, _REPEAT or _RELEASE
    MC_WINDOW_TEXT,    // code: the character that a key press stands for
    MC_WINDOW_BUTTON,  // code: GLFW_MOUSE_BUTTON_*, action: GLFW_PRESS or _RELEASE
    MC_WINDOW_POINTER, // moved to (x, y)
    MC_WINDOW_LEAVE,   // the pointer left the window
    MC_WINDOW_BLUR,    // the window lost the focus: no key is down any more
    MC_WINDOW_SCROLL,  // by (scroll_x, scroll_y) notches
    MC_WINDOW_RESIZE,  // the framebuffer's size or the content's scale changed
    MC_WINDOW_DROP,    // mc_window_get_drop() has the paths
    MC_WINDOW_REFRESH, // the picture was damaged
} mc_window_event_kind;

typedef struct mc_window_event {
    mc_window_event_kind kind;
    int code, action, modifiers; // modifiers: GLFW_MOD_*
    int printed;                 // KEY: the small character on the key; 0: none
    double x, y;                 // the pointer
    double scroll_x, scroll_y;
} mc_window_event;

// Before the first window. MC_ERROR_UNSUPPORTED if there is no display.
mc_result mc_window_open_display(mc_error *error);
// Behind the last window, and whoever may wake one; also where none was opened.
void mc_window_close_display(void);
// MC_ERROR_UNSUPPORTED if there is no Vulkan loader.
mc_result mc_window_create(const mc_window_desc *desc, mc_window **window, mc_error *error);
// It is hidden at first. Waits until the display's server has come to it.
void mc_window_show(mc_window *window);
// NULL is fine; destroy the surface first.
void mc_window_destroy(mc_window *window);

// For mc_gpu_desc: what the surface needs, and how to make it (`user` is the mc_window).
const char *const *mc_window_get_extensions(uint32_t *count);
VkResult mc_window_create_surface(VkInstance instance, void *user, VkSurfaceKHR *surface);

// Sleeps until an event comes or the time is over (0: looks only), and queues the events.
void mc_window_wait(mc_window *window, double timeout_s);
// Ends a wait, or the first one once there is a display; from any thread.
void mc_window_wake(void);
bool mc_window_next_event(mc_window *window, mc_window_event *event);
// The paths of the last drop. They stay valid until the next one.
const char *const *mc_window_get_drop(const mc_window *window, uint32_t *count);

void mc_window_get_size(const mc_window *window, uint32_t *width, uint32_t *height); // pixels
float mc_window_get_scale(const mc_window *window);   // of text and controls; 1 on a plain screen
bool mc_window_is_minimized(const mc_window *window); // or otherwise not on the screen
bool mc_window_should_close(const mc_window *window);
void mc_window_stay(mc_window *window); // it should close no more
// In screen coordinates; false while that is not the user's own choice (full screen, minimised).
bool mc_window_get_restored_size(const mc_window *window, uint32_t *width, uint32_t *height);
void mc_window_hide(mc_window *window);
void mc_window_toggle_full_screen(mc_window *window);
const char *mc_window_get_clipboard(mc_window *window); // valid until the next call; "" if empty
void mc_window_set_clipboard(mc_window *window, const char *text);
void mc_window_set_title(mc_window *window, const char *title);
