#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>

namespace {

// Text that is laid out first and drawn on its plate afterwards.
struct block {
    mc_ui *ui;
    ImDrawList *list;
    ImVec2 at;
    bool draws; // false: measures only
    float width, y;

    void line(ImFont *font, ImU32 color, const char *begin, const char *end) {
        ImVec2 size = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, begin, end);
        if (draws) {
            list->AddText(font, font->FontSize, ImVec2(at.x, std::floor(at.y + y)), color, begin,
                          end);
        }
        width = std::max(width, size.x);
        y += font->FontSize + ui->px(1);
    }

    // Broken at spaces only: ImGui would break numbers at their commas.
    void text(ImFont *font, ImU32 color, const char *string, float wrap) {
        const char *begin = string, *fits = string;
        for (const char *at_char = string;; at_char++) {
            if (*at_char != ' ' && *at_char != '\0') continue;
            float length = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, begin, at_char).x;
            if (wrap > 0 && length > wrap && fits > begin) {
                line(font, color, begin, fits);
                begin = fits + 1;
            }
            fits = at_char;
            if (*at_char == '\0') break;
        }
        line(font, color, begin, fits);
    }
    void gap(float length) { y += ui->px(length); }
};

void write_title(block *b, const mc_ui_caption *caption, float wrap) {
    const ui_colors &c = b->ui->colors;
    b->text(b->ui->strong, c.text, caption->title, wrap);
    b->gap(2);
    b->text(b->ui->regular, c.muted, caption->subtitle, wrap);
    if (!caption->note) return;
    b->gap(6);
    b->text(b->ui->regular, c.text, caption->note, wrap);
}

void write_gradient(block *b, const mc_ui_caption *caption) {
    float width = b->ui->px(180), height = b->ui->px(8);
    uint32_t last = caption->gradient_count - 1;
    for (uint32_t i = 0; b->draws && i < last; i++) {
        float x0 = b->at.x + width * static_cast<float>(i) / static_cast<float>(last);
        float x1 = b->at.x + width * static_cast<float>(i + 1) / static_cast<float>(last);
        ImU32 left = caption->gradient[i].color, right = caption->gradient[i + 1].color;
        b->list->AddRectFilledMultiColor(ImVec2(x0, b->at.y + b->y),
                                         ImVec2(x1, b->at.y + b->y + height), left, right, right,
                                         left);
    }
    b->y += height;
    b->gap(3);
    ImFont *font = b->ui->small;
    const char *low = caption->gradient[0].text, *high = caption->gradient[last].text;
    float high_width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, high).x;
    float low_width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, low).x;
    float high_x = std::max(width - high_width, low_width + b->ui->px(12));
    if (b->draws) {
        ImU32 color = b->ui->colors.muted;
        float y = std::floor(b->at.y + b->y);
        b->list->AddText(font, font->FontSize, ImVec2(b->at.x, y), color, low);
        b->list->AddText(font, font->FontSize, ImVec2(std::floor(b->at.x + high_x), y), color,
                         high);
    }
    b->width = std::max(b->width, std::max(width, high_x + high_width));
    b->y += font->FontSize;
}

void write_color(block *b, const mc_ui_caption_color *color) {
    ImFont *font = b->ui->small;
    float mark = b->ui->px(16), size = b->ui->px(color->is_line ? 4 : 10);
    float text_x = mark + b->ui->px(8), middle = b->at.y + b->y + font->FontSize / 2;
    float left = color->is_line ? 0 : (mark - size) / 2;
    if (b->draws) {
        b->list->AddRectFilled(ImVec2(b->at.x + left, std::floor(middle - size / 2)),
                               ImVec2(b->at.x + mark - left, std::floor(middle + size / 2)),
                               color->color, b->ui->px(2));
        b->list->AddText(font, font->FontSize,
                         ImVec2(std::floor(b->at.x + text_x), std::floor(b->at.y + b->y)),
                         b->ui->colors.text, color->text);
    }
    float width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, color->text).x;
    b->width = std::max(b->width, text_x + width);
    b->y += font->FontSize;
}

void write_colors(block *b, const mc_ui_caption *caption) {
    bool has_gradient = caption->gradient && caption->gradient_count > 1;
    if (caption->color_title) {
        b->text(b->ui->small, b->ui->colors.text, caption->color_title, 0);
        b->gap(5);
    }
    if (has_gradient) write_gradient(b, caption);
    for (uint32_t i = 0; i < caption->color_count; i++) {
        if (i > 0 || has_gradient) b->gap(5);
        write_color(b, &caption->colors[i]);
    }
}

// A plate in the corner on the left; returns what it covers.
template <typename writer> ImVec4 put(mc_ui *ui, bool at_top, writer write) {
    ImVec2 padding(ui->px(12), ui->px(10));
    float margin = ui->px(16);
    block b = {ui, ImGui::GetBackgroundDrawList(), ImVec2(0, 0), false, 0, 0};
    write(&b);
    ImVec2 size(std::ceil(b.width + 2 * padding.x), std::ceil(b.y + 2 * padding.y));
    ImVec2 from(margin, at_top ? margin : std::floor(ui->height - margin - size.y));
    ImVec2 to(from.x + size.x, from.y + size.y);
    b.list->AddRectFilled(from, to, ui->colors.plate, ui->px(6));
    b = {ui, b.list, ImVec2(from.x + padding.x, from.y + padding.y), true, 0, 0};
    write(&b);
    return ImVec4(from.x, from.y, to.x, to.y);
}

// Where the window has its top bar.
void put_row(mc_ui *ui, const mc_ui_caption *caption) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    float height = ui->px(40), x = ui->px(12), room = ui->width - 2 * x, gap = ui->px(12);
    float width =
        ui->strong->CalcTextSizeA(ui->strong->FontSize, FLT_MAX, 0, caption->title, nullptr).x;
    ImGui::PushFont(ui->strong);
    ImVec2 at(x, std::floor((height - ui->strong->FontSize) / 2));
    ui::clipped_text(list, at, room, ui->colors.text, caption->title);
    ImGui::PopFont();
    at = ImVec2(x + width + gap, std::floor((height - ui->regular->FontSize) / 2));
    if (room > width + gap)
        ui::clipped_text(list, at, room - width - gap, ui->colors.muted, caption->subtitle);
    ui->answer->top = height;
}

} // namespace

uint32_t ui::draw_caption(mc_ui *ui, const mc_ui_caption *caption, ImVec4 covered[3]) {
    uint32_t count = 0;
    float wrap = std::min(ui->width * 0.5f, ui->px(520));
    // A picture too small for its caption goes without.
    if (!caption->title || ui->width < ui->px(240) || ui->height < ui->px(160)) return 0;
    if (caption->is_flat)
        put_row(ui, caption);
    else
        covered[count++] = put(ui, true, [&](block *b) { write_title(b, caption, wrap); });
    if (caption->legend) {
        ui::draw_legend(ui, caption->legend, caption->is_flat);
        const mc_ui_place *place = ui->answer->places;
        if (ui->answer->place_count > 0)
            covered[count++] = ImVec4(place->x0, place->y0, place->x1, place->y1);
    }
    if (caption->color_title || caption->color_count > 0)
        covered[count++] = put(ui, false, [&](block *b) { write_colors(b, caption); });
    return count;
}
