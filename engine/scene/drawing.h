// drawing.h - a list of lines, areas and texts to draw: charts, and names in segments.
//
// Read by C and C++ alike. Lengths in pixels, y downwards; angles clockwise from the right. Colours
// are RGBA8 with R in the lowest byte. Strings are UTF-8, belong to the caller and live for one
// frame.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum mc_drawn_font { MC_DRAWN_SMALL, MC_DRAWN_REGULAR, MC_DRAWN_STRONG } mc_drawn_font;
typedef enum mc_drawn_align { MC_DRAWN_CENTER, MC_DRAWN_LEFT, MC_DRAWN_RIGHT } mc_drawn_align;

typedef struct mc_drawn_text {
    const char *text;
    float x, y;      // its middle, or the middle of its left or right end
    float angle_rad; // its direction there
    float radius;    // along an arc whose centre is that far at its right hand; negative: at its
                     // left hand; 0: straight
    float room;      // longer text is cut, with an ellipsis; 0: any
    uint32_t color;
    mc_drawn_font font;
    mc_drawn_align align;
    bool is_name; // of a class or package: what it is in goes before its end does
} mc_drawn_text;

// Where a name goes on without its first package or outer class: "HashMap$Node" of
// "java.util.HashMap$Node" after two calls. NULL: there is nothing more that would tell. Numbers,
// as of nameless classes, and what is in brackets are no names.
static inline const char *mc_drawn_name_shorten(const char *name) {
    for (; *name && *name != '<' && *name != '(' && *name != '[' && *name != ' '; name++) {
        char c = *name, next = name[1];
        bool is_end = c == '.' || c == '$' || c == '/' || c == ':';
        bool is_letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                         next == '_' || (next & 0x80);
        if (is_end && is_letter) return name + 1;
    }
    return (const char *)0;
}

typedef enum mc_drawn_kind {
    MC_DRAWN_LINE, // from point to point, `width` wide
    MC_DRAWN_AREA, // between the points and the height `width`, from left to right
    MC_DRAWN_DISC  // around the first point, `width` is its radius
} mc_drawn_kind;

typedef struct mc_drawn_shape {
    mc_drawn_kind kind;
    const float *points; // x, y each
    uint32_t count;
    float width;
    uint32_t color;
} mc_drawn_shape;

// Shapes first, in their order, then texts.
typedef struct mc_drawing {
    const mc_drawn_shape *shapes;
    const mc_drawn_text *texts;
    uint32_t shape_count, text_count;
} mc_drawing;
