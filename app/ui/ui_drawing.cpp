#include "app/ui/ui_internal.h"

#include <cmath>
#include <cstring>
#include <imgui_internal.h>

namespace {

ImFont *get_font(const mc_ui *ui, mc_drawn_font font) {
    return font == MC_DRAWN_SMALL ? ui->small : font == MC_DRAWN_STRONG ? ui->strong : ui->regular;
}

// A text's glyphs, as many as fit.
struct fitted {
    std::vector<const ImFontGlyph *> glyphs;
    float width = 0;
};

fitted measure(ImFont *font, const char *text, const char *end) {
    fitted all;
    while (text < end) {
        unsigned int c = 0;
        int size = ImTextCharFromUtf8(&c, text, end);
        if (size <= 0 || c == 0) break;
        text += size;
        const ImFontGlyph *glyph = font->FindGlyph(static_cast<ImWchar>(c));
        if (!glyph) continue;
        all.glyphs.push_back(glyph);
        all.width += glyph->AdvanceX;
    }
    return all;
}

void add(fitted *all, ImFont *font, const char *begin, const char *end) {
    fitted part = measure(font, begin, end);
    all->glyphs.insert(all->glyphs.end(), part.glyphs.begin(), part.glyphs.end());
    all->width += part.width;
}

fitted fit(ImFont *font, const mc_drawn_text *text) {
    const char *begin = text->text, *end = begin + strlen(begin);
    float room = text->room;
    fitted all = measure(font, begin, end);
    if (room <= 0 || all.width <= room) return all;
    if (text->is_name) {
        mc_name_part part;
        all = fitted();
        if (!ui::fit_name(font, begin, room, &part)) return all;
        // A few letters of a word say nothing.
        if (part.is_torn && part.end - part.begin < MC_NAME_LEAST_TORN) return all;
        mc_name_piece pieces[MC_NAME_PIECES_MOST];
        unsigned count = mc_name_part_get_pieces(&part, begin, pieces);
        for (unsigned i = 0; i < count; i++)
            add(&all, font, pieces[i].begin, pieces[i].end);
        return all;
    }
    const ImFontGlyph *ellipsis = font->FindGlyph(0x2026);
    while (!all.glyphs.empty() && all.width + ellipsis->AdvanceX > room) {
        all.width -= all.glyphs.back()->AdvanceX;
        all.glyphs.pop_back();
    }
    // Fewer than two letters say nothing.
    if (all.glyphs.size() < 2) return fitted();
    all.glyphs.push_back(ellipsis);
    all.width += ellipsis->AdvanceX;
    return all;
}

// A place in the text's own frame: `along` from its middle, `down` from its middle line.
struct frame {
    ImVec2 at, direction;
    float radius;

    // What turns with the arc is a whole glyph, of which `along` is the middle.
    ImVec2 place(float along, float x, float y) const {
        float angle = radius != 0 ? along / radius : 0, c = std::cos(angle), s = std::sin(angle);
        ImVec2 d(direction.x * c - direction.y * s, direction.x * s + direction.y * c);
        ImVec2 middle(at.x + direction.x * along, at.y + direction.y * along);
        if (radius != 0) {
            ImVec2 center(at.x - direction.y * radius, at.y + direction.x * radius);
            middle = ImVec2(center.x + d.y * radius, center.y - d.x * radius);
        }
        return ImVec2(middle.x + d.x * x - d.y * y, middle.y + d.y * x + d.x * y);
    }
};

void draw_text(mc_ui *ui, ImDrawList *list, const mc_drawn_text *text) {
    ImFont *font = get_font(ui, text->font);
    fitted all = fit(font, text);
    if (all.glyphs.empty()) return;
    bool is_level = text->angle_rad == 0 && text->radius == 0;
    float begin = text->align == MC_DRAWN_CENTER ? -all.width / 2
                  : text->align == MC_DRAWN_LEFT ? 0
                                                 : -all.width;
    float top = -font->FontSize / 2;
    frame f = {ImVec2(text->x, text->y),
               ImVec2(std::cos(text->angle_rad), std::sin(text->angle_rad)), text->radius};
    if (is_level) {
        f.at = ImVec2(std::floor(text->x + begin) - begin, std::floor(text->y + top) - top);
    }
    float pen = begin;
    int visible = 0;
    for (const ImFontGlyph *glyph : all.glyphs)
        visible += glyph->Visible;
    list->PrimReserve(visible * 6, visible * 4);
    for (const ImFontGlyph *g : all.glyphs) {
        if (g->Visible) {
            float middle = pen + g->AdvanceX / 2, shift = -g->AdvanceX / 2;
            ImVec2 a = f.place(middle, shift + g->X0, top + g->Y0);
            ImVec2 b = f.place(middle, shift + g->X1, top + g->Y0);
            ImVec2 c = f.place(middle, shift + g->X1, top + g->Y1);
            ImVec2 d = f.place(middle, shift + g->X0, top + g->Y1);
            list->PrimQuadUV(a, b, c, d, ImVec2(g->U0, g->V0), ImVec2(g->U1, g->V0),
                             ImVec2(g->U1, g->V1), ImVec2(g->U0, g->V1), text->color);
        }
        pen += g->AdvanceX;
    }
}

void draw_shape(ImDrawList *list, const mc_drawn_shape *shape) {
    std::vector<ImVec2> points(shape->count);
    for (uint32_t i = 0; i < shape->count; i++) {
        points[i] = ImVec2(shape->points[i * 2], shape->points[i * 2 + 1]);
    }
    if (points.empty()) return;
    if (shape->kind == MC_DRAWN_DISC) {
        list->AddCircleFilled(points[0], shape->width, shape->color);
    } else if (shape->kind == MC_DRAWN_LINE) {
        list->AddPolyline(points.data(), static_cast<int>(points.size()), shape->color, 0,
                          shape->width);
    } else {
        for (size_t i = 1; i < points.size(); i++) {
            ImVec2 a = points[i - 1], b = points[i];
            list->PrimReserve(6, 4);
            ImVec2 uv = list->_Data->TexUvWhitePixel;
            list->PrimQuadUV(a, b, ImVec2(b.x, shape->width), ImVec2(a.x, shape->width), uv, uv, uv,
                             uv, shape->color);
        }
    }
}

} // namespace

void ui::draw_drawing(mc_ui *ui, const mc_drawing *drawing) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (uint32_t i = 0; i < drawing->shape_count; i++) {
        draw_shape(list, &drawing->shapes[i]);
    }
    for (uint32_t i = 0; i < drawing->text_count; i++) {
        draw_text(ui, list, &drawing->texts[i]);
    }
}
