#include "app/ui/ui_internal.h"

#include <cstring>
#include <new>

// The vertices are handed on as they are.
static_assert(sizeof(ImDrawVert) == sizeof(mc_ui_vertex) &&
                  offsetof(ImDrawVert, uv) == offsetof(mc_ui_vertex, u) &&
                  offsetof(ImDrawVert, col) == offsetof(mc_ui_vertex, color),
              "ImGui's vertices are laid out as the renderer's");
static_assert(sizeof(ImDrawIdx) == sizeof(uint16_t), "the renderer draws 16-bit indices");

mc_result mc_ui_create(float scale, mc_ui **out, mc_error *error) {
    *out = nullptr;
    mc_ui *ui = new (std::nothrow) mc_ui();
    if (!ui) return mc_error_out_of_memory(error);
    ui->context = ImGui::CreateContext();
    ui->scale = scale;
    ui->dragged_end = -1;
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.MouseDoubleClickTime = 0.5f; // frames of a software driver take a while
    if (!ui::load_fonts(ui, error)) {
        mc_ui_destroy(ui);
        return MC_ERROR_OUT_OF_MEMORY;
    }
    ui::map_keys();
    ui::apply_theme(ui, false);
    *out = ui;
    return MC_OK;
}

void mc_ui_destroy(mc_ui *ui) {
    if (!ui) return;
    ImGui::DestroyContext(ui->context);
    delete ui;
}

mc_result mc_ui_set_scale(mc_ui *ui, float scale, mc_error *error) {
    if (scale == ui->scale) return MC_OK;
    ui->scale = scale;
    ui::apply_theme(ui, ui->dark);
    return ui::load_fonts(ui, error) ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
}

const uint8_t *mc_ui_get_texture(mc_ui *ui, uint32_t *width, uint32_t *height) {
    (void)ui;
    unsigned char *pixels;
    int w, h;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
    *width = static_cast<uint32_t>(w);
    *height = static_cast<uint32_t>(h);
    return pixels;
}

void mc_ui_set_pointer(mc_ui *ui, float x, float y) {
    ui->has_pointer = true;
    ui->pointer_x = x;
    ui->pointer_y = y;
}

void mc_ui_set_no_pointer(mc_ui *ui) {
    ui->has_pointer = false;
    memset(ui->buttons, 0, sizeof ui->buttons);
}

void mc_ui_set_button(mc_ui *ui, uint32_t button, bool down) {
    if (button >= 3) return;
    ui->buttons[button] = down;
    if (down && button == 0) ui->pressed_twice = ui->pressed[0] || ImGui::GetIO().MouseDown[0];
    if (down) ui->pressed[button] = true;
    if (down) ui->focus.item = 0;
}

void mc_ui_add_scroll(mc_ui *ui, float x, float y) {
    ui->scroll_x += x;
    ui->scroll_y += y;
}

bool mc_ui_wants_pointer(const mc_ui *ui) {
    (void)ui;
    return ImGui::GetIO().WantCaptureMouse;
}

bool mc_ui_close_list(mc_ui *ui) {
    ui->close_list = ui->list_is_open;
    return ui->list_is_open;
}

static void feed_input(mc_ui *ui, double elapsed_s) {
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = ImVec2(ui->width, ui->height);
    io.DeltaTime = elapsed_s > 1e-4 ? static_cast<float>(elapsed_s) : 1e-4f;
    io.MousePos =
        ui->has_pointer ? ImVec2(ui->pointer_x, ui->pointer_y) : ImVec2(-FLT_MAX, -FLT_MAX);
    io.MouseWheel = ui->scroll_y;
    io.MouseWheelH = ui->scroll_x;
    ui->scroll_x = ui->scroll_y = 0;
    for (int i = 0; i < 3; i++) {
        io.MouseDown[i] = ui->buttons[i] || ui->pressed[i];
        // A click within one frame: the release comes with the next.
        if (ui->pressed[i] && !ui->buttons[i]) ui->answer->wants_frame = true;
        ui->pressed[i] = false;
    }
    ui::feed_typed(ui);
}

// Which text field has the focus now. One that was to get it, but is not there, does not get it.
static void settle_text(mc_ui *ui) {
    bool changed = ui->text_field != ui->active_field;
    ui->text_field.swap(ui->active_field);
    ui->active_field.clear();
    if (ui->left_frames > 0) ui->left_frames--;
    if (!ui->wanted_field.empty() && ++ui->wanted_frames > 3) ui->wanted_field.clear();
    if (changed || !ui->wanted_field.empty() || !ui->typed.empty()) ui->answer->wants_frame = true;
}

static void convert_draw_data(mc_ui *ui, const ImDrawData *data, mc_ui_draw *draw) {
    ui->vertices.resize(static_cast<size_t>(data->TotalVtxCount));
    ui->indices.resize(static_cast<size_t>(data->TotalIdxCount));
    ui->commands.clear();
    size_t vertex_count = 0, index_count = 0;
    for (int n = 0; n < data->CmdListsCount; n++) {
        const ImDrawList *list = data->CmdLists[n];
        size_t vertices = static_cast<size_t>(list->VtxBuffer.Size);
        size_t indices = static_cast<size_t>(list->IdxBuffer.Size);
        if (vertices > 0) {
            memcpy(static_cast<void *>(&ui->vertices[vertex_count]), list->VtxBuffer.Data,
                   vertices * sizeof(ImDrawVert));
        }
        if (indices > 0) {
            memcpy(&ui->indices[index_count], list->IdxBuffer.Data, indices * sizeof(ImDrawIdx));
        }
        for (const ImDrawCmd &command : list->CmdBuffer) {
            if (command.ElemCount == 0 || command.UserCallback) continue;
            mc_ui_command out;
            out.clip_x0 = command.ClipRect.x;
            out.clip_y0 = command.ClipRect.y;
            out.clip_x1 = command.ClipRect.z;
            out.clip_y1 = command.ClipRect.w;
            out.first_index = static_cast<uint32_t>(index_count) + command.IdxOffset;
            out.index_count = command.ElemCount;
            out.vertex_offset = static_cast<uint32_t>(vertex_count) + command.VtxOffset;
            ui->commands.push_back(out);
        }
        vertex_count += vertices;
        index_count += indices;
    }
    draw->vertices = ui->vertices.data();
    draw->indices = ui->indices.data();
    draw->commands = ui->commands.data();
    draw->vertex_count = static_cast<uint32_t>(vertex_count);
    draw->index_count = static_cast<uint32_t>(index_count);
    draw->command_count = static_cast<uint32_t>(ui->commands.size());
}

// What names in the picture stay clear of.
static const char *const covering[] = {"top_bar", "panels",       "time_bar", "search_panel",
                                       "legend",  "legend_joins", "hint_card"};
static constexpr uint32_t covering_count = sizeof covering / sizeof *covering;

static uint32_t find_covered(const mc_ui *ui, ImVec4 covered[covering_count]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ui->answer->place_count; i++) {
        const mc_ui_place *place = &ui->answer->places[i];
        for (uint32_t k = 0; k < covering_count && count < covering_count; k++) {
            if (strcmp(place->name, covering[k]) != 0) continue;
            covered[count++] = ImVec4(place->x0, place->y0, place->x1, place->y1);
        }
    }
    return count;
}

void mc_ui_frame(mc_ui *ui, const mc_facts *model, const mc_settings *wished, float width,
                 float height, double elapsed_s, mc_ui_answer *answer, mc_ui_draw *draw) {
    memset(answer, 0, sizeof *answer);
    answer->lit_row = answer->lit_path_row = answer->start_row = MC_NONE;
    answer->settings = *wished;
    mc_settings *settings = &answer->settings;
    ui->answer = answer;
    ui->width = width;
    ui->height = height;
    if (settings->look.dark != ui->dark) ui::apply_theme(ui, settings->look.dark);
    feed_input(ui, elapsed_s);
    ImGui::NewFrame();
    ui::end_text(ui);
    ui->list_is_open = false;
    ui->panels_left = 0;
    if (model->drawing) ui::draw_drawing(ui, model->drawing);
    if (settings->panels) {
        ui::draw_top_bar(ui, model, settings);
        if (model->trace_name) {
            ui::draw_panels(ui, model, settings);
            ui::draw_time_bar(ui, model, settings);
            ui::draw_search(ui, model, settings);
            ui::draw_legend(ui, &model->lists.legend, settings->view != 0);
        }
    }
    ui::draw_overlays(ui, model, settings);
    ImVec4 covered[covering_count];
    ui::draw_labels(ui, model->labels, model->label_count, covered, find_covered(ui, covered));
    ui->close_list = ui->pressed_twice = false;
    ui::settle_focus(ui);
    settle_text(ui);
    ImGui::Render();
    convert_draw_data(ui, ImGui::GetDrawData(), draw);
    ui->answer = nullptr;
}

void mc_ui_draw_caption(mc_ui *ui, const mc_ui_caption *caption, bool dark, float width,
                        float height, mc_ui_draw *draw) {
    mc_ui_answer answer = {};
    ui->answer = &answer;
    ui->width = width;
    ui->height = height;
    if (dark != ui->dark) ui::apply_theme(ui, dark);
    feed_input(ui, 0);
    ImGui::NewFrame();
    ImVec4 covered[3];
    if (caption->drawing) ui::draw_drawing(ui, caption->drawing);
    uint32_t covered_count = ui::draw_caption(ui, caption, covered);
    ui::draw_labels(ui, caption->labels, caption->label_count, covered, covered_count);
    ui->focus.stops.clear();
    ImGui::Render();
    convert_draw_data(ui, ImGui::GetDrawData(), draw);
    ui->answer = nullptr;
}
