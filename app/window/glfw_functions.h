// glfw_functions.h - the functions of GLFW that a window needs. GLFW and the libraries of X11 that
// come with it are loaded with the first window, since a fifth of a short command would be spent on
// them.
#pragma once
#include "engine/base/library.h"
#include <volk.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#define GLFW_FUNCTIONS(X)                \
    X(glfwCreateWindow)                  \
    X(glfwCreateWindowSurface)           \
    X(glfwDestroyWindow)                 \
    X(glfwGetClipboardString)            \
    X(glfwGetError)                      \
    X(glfwGetFramebufferSize)            \
    X(glfwGetKeyName)                    \
    X(glfwGetMonitorWorkarea)            \
    X(glfwGetPrimaryMonitor)             \
    X(glfwGetRequiredInstanceExtensions) \
    X(glfwGetVideoMode)                  \
    X(glfwGetWindowAttrib)               \
    X(glfwGetWindowContentScale)         \
    X(glfwGetWindowFrameSize)            \
    X(glfwGetWindowMonitor)              \
    X(glfwGetWindowPos)                  \
    X(glfwGetWindowSize)                 \
    X(glfwGetWindowUserPointer)          \
    X(glfwHideWindow)                    \
    X(glfwInit)                          \
    X(glfwPollEvents)                    \
    X(glfwPostEmptyEvent)                \
    X(glfwSetCharCallback)               \
    X(glfwSetClipboardString)            \
    X(glfwSetCursorEnterCallback)        \
    X(glfwSetCursorPosCallback)          \
    X(glfwSetDropCallback)               \
    X(glfwSetErrorCallback)              \
    X(glfwSetFramebufferSizeCallback)    \
    X(glfwSetKeyCallback)                \
    X(glfwSetMouseButtonCallback)        \
    X(glfwSetScrollCallback)             \
    X(glfwSetWindowContentScaleCallback) \
    X(glfwSetWindowFocusCallback)        \
    X(glfwSetWindowIcon)                 \
    X(glfwSetWindowIconifyCallback)      \
    X(glfwSetWindowMonitor)              \
    X(glfwSetWindowPos)                  \
    X(glfwSetWindowRefreshCallback)      \
    X(glfwSetWindowShouldClose)          \
    X(glfwSetWindowSize)                 \
    X(glfwSetWindowSizeLimits)           \
    X(glfwSetWindowTitle)                \
    X(glfwSetWindowUserPointer)          \
    X(glfwShowWindow)                    \
    X(glfwTerminate)                     \
    X(glfwVulkanSupported)               \
    X(glfwWaitEvents)                    \
    X(glfwWaitEventsTimeout)             \
    X(glfwWindowHint)                    \
    X(glfwWindowHintString)              \
    X(glfwWindowShouldClose)

typedef struct glfw_functions {
    GLFW_FUNCTIONS(MC_LIBRARY_POINTER)
} glfw_functions;
