#include "app/window/window.h"

#include "app/window/glfw_functions.h"
#include "app/window/icon.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct mc_window {
    GLFWwindow *handle;
    mc_window_event *events;
    size_t event_count, event_capacity, next_event;
    char **drop;
    uint32_t drop_count;
    double x, y; // of the pointer
    bool minimized;
    int restored[4]; // position and size to go back to from full screen
};

static glfw_functions glfw;               // loaded with the first window
static atomic_bool has_display, is_woken; // woken: also before there was one

static const char without_window[] =
    "; without a display, 'memcity why TRACE' says what leaks, 'memcity report TRACE -o FILE.html' "
    "writes a page, 'memcity record --pid PID' records a program, and 'memcity render' draws to "
    "files";

static void on_error(int code, const char *description) {
    (void)code;
    (void)description; // asked for with glfwGetError() where it matters
}

static void push(GLFWwindow *handle, mc_window_event event) {
    mc_window *window = glfw.glfwGetWindowUserPointer(handle);
    event.x = window->x;
    event.y = window->y;
    // A pointer that moves on replaces its own last move: only the latest place counts.
    if (event.kind == MC_WINDOW_POINTER && window->event_count > window->next_event &&
        window->events[window->event_count - 1].kind == MC_WINDOW_POINTER) {
        window->events[window->event_count - 1] = event;
        return;
    }
    if (!mc_reserve(&window->events, &window->event_capacity, window->event_count + 1,
                    sizeof *window->events)) {
        return; // an event lost to lack of memory is the least of our worries then
    }
    window->events[window->event_count++] = event;
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers) {
    const char *name = glfw.glfwGetKeyName(key, scancode); // by the keyboard's layout
    bool is_ascii = name && name[0] > ' ' && name[0] < 0x7f && name[1] == '\0';
    push(handle, (mc_window_event){.kind = MC_WINDOW_KEY,
                                   .code = key,
                                   .action = action,
                                   .modifiers = modifiers,
                                   .printed = is_ascii ? name[0] : 0});
}

static void on_text(GLFWwindow *handle, unsigned int character) {
    push(handle, (mc_window_event){.kind = MC_WINDOW_TEXT, .code = (int)character});
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers) {
    push(handle,
         (mc_window_event){
             .kind = MC_WINDOW_BUTTON, .code = button, .action = action, .modifiers = modifiers});
}

static void on_pointer(GLFWwindow *handle, double x, double y) {
    mc_window *window = glfw.glfwGetWindowUserPointer(handle);
    int screen_width, screen_height, width, height;
    glfw.glfwGetWindowSize(handle, &screen_width, &screen_height);
    glfw.glfwGetFramebufferSize(handle, &width, &height);
    window->x = screen_width > 0 ? x * width / screen_width : x;
    window->y = screen_height > 0 ? y * height / screen_height : y;
    push(handle, (mc_window_event){.kind = MC_WINDOW_POINTER});
}

static void on_enter(GLFWwindow *handle, int entered) {
    if (!entered) push(handle, (mc_window_event){.kind = MC_WINDOW_LEAVE});
}

static void on_focus(GLFWwindow *handle, int focused) {
    if (!focused) push(handle, (mc_window_event){.kind = MC_WINDOW_BLUR});
}

static void on_scroll(GLFWwindow *handle, double x, double y) {
    push(handle, (mc_window_event){.kind = MC_WINDOW_SCROLL, .scroll_x = x, .scroll_y = y});
}

static void on_resize(GLFWwindow *handle, int width, int height) {
    (void)width;
    (void)height;
    push(handle, (mc_window_event){.kind = MC_WINDOW_RESIZE});
}

static void on_scale(GLFWwindow *handle, float x, float y) {
    (void)x;
    (void)y;
    push(handle, (mc_window_event){.kind = MC_WINDOW_RESIZE});
}

static void on_iconify(GLFWwindow *handle, int iconified) {
    mc_window *window = glfw.glfwGetWindowUserPointer(handle);
    window->minimized = iconified;
    push(handle, (mc_window_event){.kind = MC_WINDOW_RESIZE});
}

static void on_refresh(GLFWwindow *handle) {
    push(handle, (mc_window_event){.kind = MC_WINDOW_REFRESH});
}

static void free_drop(mc_window *window) {
    for (uint32_t i = 0; i < window->drop_count; i++) {
        mc_free(window->drop[i]);
    }
    mc_free(window->drop);
    window->drop = NULL;
    window->drop_count = 0;
}

static void on_drop(GLFWwindow *handle, int count, const char **paths) {
    mc_window *window = glfw.glfwGetWindowUserPointer(handle);
    free_drop(window);
    window->drop = count > 0 ? mc_alloc_zero((size_t)count, sizeof *window->drop) : NULL;
    if (!window->drop) return;
    for (int i = 0; i < count; i++) {
        size_t size = strlen(paths[i]) + 1;
        window->drop[i] = mc_alloc(size, 1);
        if (!window->drop[i]) {
            free_drop(window);
            return;
        }
        memcpy(window->drop[i], paths[i], size);
        window->drop_count++;
    }
    push(handle, (mc_window_event){.kind = MC_WINDOW_DROP});
}

static mc_result fail_with_glfw(mc_error *error, const char *what, const char *advice) {
    const char *description = NULL;
    glfw.glfwGetError(&description);
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "%s: %s%s", what,
                   description ? description : "unknown reason", advice);
}

static mc_result load_glfw(mc_error *error) {
    static const char *const names[] = {GLFW_FUNCTIONS(MC_LIBRARY_NAME)};
    mc_error why = {0};
    if (glfw.glfwInit ||
        mc_library_load("libglfw.so.3", names, sizeof names / sizeof *names, &glfw, &why) == MC_OK)
        return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "can't open a window: %s%s", why.message,
                   without_window);
}

// The size asked for, scaled to the monitor, may be more than there is on it.
static void fit_to_monitor(GLFWwindow *handle) {
    int x, y, most_width, most_height, width, height, left, top, right, bottom;
    GLFWmonitor *monitor = glfw.glfwGetPrimaryMonitor();
    if (!monitor) return;
    glfw.glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
    glfw.glfwGetWindowFrameSize(handle, &left, &top, &right, &bottom);
    glfw.glfwGetWindowSize(handle, &width, &height);
    most_width -= left + right;
    most_height -= top + bottom;
    if (most_width < 1 || most_height < 1) return;
    if (width <= most_width && height <= most_height) return;
    glfw.glfwSetWindowSize(handle, width < most_width ? width : most_width,
                           height < most_height ? height : most_height);
    glfw.glfwSetWindowPos(handle, x + left, y + top);
}

// For lists of windows where no desktop entry is installed. Wayland knows only those.
static void set_icon(GLFWwindow *handle) {
    static const int sizes[] = {16, 32, 48, MC_ICON_SIZE_MOST};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    GLFWimage images[COUNT];
    int count = 0;
    for (; count < COUNT; count++) {
        size_t side = (size_t)sizes[count];
        uint8_t *pixels = mc_alloc(side * side, 4);
        if (!pixels) break;
        mc_icon_draw((uint32_t)side, pixels);
        images[count] = (GLFWimage){sizes[count], sizes[count], pixels};
    }
    if (count > 0) glfw.glfwSetWindowIcon(handle, count, images);
    while (count > 0)
        mc_free(images[--count].pixels);
}

mc_result mc_window_open_display(mc_error *error) {
    mc_result result = load_glfw(error);
    if (result != MC_OK) return result;
    glfw.glfwSetErrorCallback(on_error);
    if (!glfw.glfwInit()) return fail_with_glfw(error, "can't open a window", without_window);
    atomic_store(&has_display, true);
    if (atomic_load(&is_woken)) glfw.glfwPostEmptyEvent();
    return MC_OK;
}

void mc_window_close_display(void) {
    atomic_store(&has_display, false);
    if (glfw.glfwTerminate) glfw.glfwTerminate();
}

mc_result mc_window_create(const mc_window_desc *desc, mc_window **out, mc_error *error) {
    *out = NULL;
    mc_result result = MC_OK;
    mc_window *window = mc_alloc_zero(1, sizeof *window);
    if (!window) return mc_error_out_of_memory(error);
    if (!glfw.glfwVulkanSupported()) {
        result =
            fail_with_glfw(error, "can't draw with Vulkan", "; install a Vulkan loader and driver");
        goto fail;
    }
    glfw.glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfw.glfwWindowHint(GLFW_SCALE_TO_MONITOR, desc->is_exact ? GLFW_FALSE : GLFW_TRUE);
    glfw.glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfw.glfwWindowHintString(GLFW_X11_CLASS_NAME, "memcity");
    glfw.glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "memcity");
    window->handle =
        glfw.glfwCreateWindow((int)desc->width, (int)desc->height, desc->title, NULL, NULL);
    if (!window->handle) {
        result = fail_with_glfw(error, "can't open a window", "");
        goto fail;
    }
    GLFWwindow *handle = window->handle;
    glfw.glfwSetWindowUserPointer(handle, window);
    glfw.glfwSetWindowSizeLimits(handle, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfw.glfwSetKeyCallback(handle, on_key);
    glfw.glfwSetCharCallback(handle, on_text);
    glfw.glfwSetMouseButtonCallback(handle, on_button);
    glfw.glfwSetCursorPosCallback(handle, on_pointer);
    glfw.glfwSetCursorEnterCallback(handle, on_enter);
    glfw.glfwSetWindowFocusCallback(handle, on_focus);
    glfw.glfwSetScrollCallback(handle, on_scroll);
    glfw.glfwSetFramebufferSizeCallback(handle, on_resize);
    glfw.glfwSetWindowContentScaleCallback(handle, on_scale);
    glfw.glfwSetWindowIconifyCallback(handle, on_iconify);
    glfw.glfwSetWindowRefreshCallback(handle, on_refresh);
    glfw.glfwSetDropCallback(handle, on_drop);
    fit_to_monitor(handle);
    set_icon(handle);
    *out = window;
    return MC_OK;
fail:
    mc_window_destroy(window);
    return result;
}

void mc_window_show(mc_window *window) {
    glfw.glfwShowWindow(window->handle);
}

void mc_window_destroy(mc_window *window) {
    if (!window) return;
    if (window->handle) glfw.glfwDestroyWindow(window->handle);
    free_drop(window);
    mc_free(window->events);
    mc_free(window);
}

const char *const *mc_window_get_extensions(uint32_t *count) {
    return (const char *const *)glfw.glfwGetRequiredInstanceExtensions(count);
}

VkResult mc_window_create_surface(VkInstance instance, void *user, VkSurfaceKHR *surface) {
    const mc_window *window = user;
    return glfw.glfwCreateWindowSurface(instance, window->handle, NULL, surface);
}

void mc_window_wait(mc_window *window, double timeout_s) {
    // What was read is gone, what was not moves to the front.
    size_t left = window->event_count - window->next_event;
    if (left > 0 && window->next_event > 0) {
        memmove(window->events, window->events + window->next_event, left * sizeof *window->events);
    }
    window->event_count = left;
    window->next_event = 0;
    if (timeout_s <= 0) {
        glfw.glfwPollEvents();
    } else if (isinf(timeout_s)) {
        glfw.glfwWaitEvents();
    } else {
        glfw.glfwWaitEventsTimeout(timeout_s);
    }
}

void mc_window_wake(void) {
    atomic_store(&is_woken, true);
    if (atomic_load(&has_display)) glfw.glfwPostEmptyEvent();
}

bool mc_window_next_event(mc_window *window, mc_window_event *event) {
    if (window->next_event == window->event_count) return false;
    *event = window->events[window->next_event++];
    return true;
}

const char *const *mc_window_get_drop(const mc_window *window, uint32_t *count) {
    *count = window->drop_count;
    return (const char *const *)window->drop;
}

void mc_window_get_size(const mc_window *window, uint32_t *width, uint32_t *height) {
    int w, h;
    glfw.glfwGetFramebufferSize(window->handle, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
}

float mc_window_get_scale(const mc_window *window) {
    float x, y;
    glfw.glfwGetWindowContentScale(window->handle, &x, &y);
    float scale = fmaxf(x, y);
    return scale >= 0.5f && scale <= 8 ? scale : 1;
}

bool mc_window_is_minimized(const mc_window *window) {
    uint32_t width, height;
    mc_window_get_size(window, &width, &height);
    // A window manager may also take it from the screen without a word.
    bool visible = glfw.glfwGetWindowAttrib(window->handle, GLFW_VISIBLE);
    return window->minimized || !visible || width == 0 || height == 0;
}

bool mc_window_should_close(const mc_window *window) {
    return glfw.glfwWindowShouldClose(window->handle);
}

void mc_window_stay(mc_window *window) {
    glfw.glfwSetWindowShouldClose(window->handle, GLFW_FALSE);
}

bool mc_window_get_restored_size(const mc_window *window, uint32_t *width, uint32_t *height) {
    GLFWwindow *handle = window->handle;
    int w, h;
    glfw.glfwGetWindowSize(handle, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
    return w > 0 && h > 0 && !window->minimized && !glfw.glfwGetWindowMonitor(handle) &&
           !glfw.glfwGetWindowAttrib(handle, GLFW_MAXIMIZED);
}

void mc_window_hide(mc_window *window) {
    glfw.glfwHideWindow(window->handle);
}

void mc_window_toggle_full_screen(mc_window *window) {
    GLFWwindow *handle = window->handle;
    int *r = window->restored;
    if (glfw.glfwGetWindowMonitor(handle)) {
        glfw.glfwSetWindowMonitor(handle, NULL, r[0], r[1], r[2], r[3], GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor *monitor = glfw.glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfw.glfwGetVideoMode(monitor) : NULL;
    if (!mode) return;
    glfw.glfwGetWindowPos(handle, &r[0], &r[1]);
    glfw.glfwGetWindowSize(handle, &r[2], &r[3]);
    glfw.glfwSetWindowMonitor(handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

const char *mc_window_get_clipboard(mc_window *window) {
    const char *text = glfw.glfwGetClipboardString(window->handle);
    return text ? text : "";
}

void mc_window_set_clipboard(mc_window *window, const char *text) {
    glfw.glfwSetClipboardString(window->handle, text);
}

void mc_window_set_title(mc_window *window, const char *title) {
    glfw.glfwSetWindowTitle(window->handle, title);
}
