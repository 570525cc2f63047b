// Texts on the ground of the picture, glyph by glyph: each is a quad whose corners are projected.
// Within a glyph perspective is not felt.
#include "app/ui/ui_internal.h"

#include <imgui_internal.h>

namespace {

constexpr float em = 14;                // of the fonts, in units of the design
constexpr float capital_middle = 0.36f; // above the base line, in ems

struct ground_pen {
    ImDrawList *list;
    ImFont *font;
    const mc_ground_text *ground;
    float scale, middle, u; // middle: of a line of capitals, from its top; u: of the next glyph
    ImVec2 shift;
    ImU32 color;

    void write(const char *begin, const char *end) {
        while (begin < end) {
            unsigned int c = 0;
            int size = ImTextCharFromUtf8(&c, begin, end);
            if (size <= 0 || c == 0) return;
            begin += size;
            const ImFontGlyph *glyph = font->FindGlyph(static_cast<ImWchar>(c));
            if (glyph) write(*glyph);
        }
    }

    ImVec2 place(float x, float y) const {
        ImVec2 at = ui::project_ground(*ground, u + x * scale, (middle - y) * scale);
        return ImVec2(at.x + shift.x, at.y + shift.y);
    }

    void write(const ImFontGlyph &g) {
        if (g.Visible) {
            list->PrimReserve(6, 4);
            list->PrimQuadUV(place(g.X0, g.Y0), place(g.X1, g.Y0), place(g.X1, g.Y1),
                             place(g.X0, g.Y1), ImVec2(g.U0, g.V0), ImVec2(g.U1, g.V0),
                             ImVec2(g.U1, g.V1), ImVec2(g.U0, g.V1), color);
        }
        u += g.AdvanceX * scale;
    }
};

void write_name(ground_pen pen, const char *name, const mc_name_part *part) {
    mc_name_piece pieces[MC_NAME_PIECES_MOST];
    unsigned count = mc_name_part_get_pieces(part, name, pieces);
    pen.u = -part->width / 2 * pen.scale;
    for (unsigned i = 0; i < count; i++)
        pen.write(pieces[i].begin, pieces[i].end);
}

} // namespace

float ui::get_ground_scale(const mc_ui *ui, const mc_ground_text &ground) {
    return ground.em / ui->px(em);
}

ImVec2 ui::project_ground(const mc_ground_text &ground, float u, float v) {
    const float *m = ground.matrix;
    float w = m[6] * u + m[7] * v + m[8];
    return ImVec2((m[0] * u + m[1] * v + m[2]) / w, (m[3] * u + m[4] * v + m[5]) / w);
}

void ui::draw_ground_name(const mc_ui *ui, ImDrawList *list, ImFont *font,
                          const mc_ground_text &ground, float opacity, const char *name,
                          const mc_name_part *part) {
    const float reach = ui->px(1), ways[][2] = {{-reach, 0}, {reach, 0}, {0, -reach}, {0, reach}};
    ground_pen pen = {list, font, &ground, get_ground_scale(ui, ground),
                      0,    0,    {},      with_alpha(ground.halo, opacity)};
    pen.middle = font->Ascent - capital_middle * ui->px(em);
    for (const float *way : ways) {
        pen.shift = ImVec2(way[0], way[1]);
        write_name(pen, name, part);
    }
    pen.shift = ImVec2(0, 0);
    pen.color = with_alpha(ground.ink, opacity);
    write_name(pen, name, part);
}
