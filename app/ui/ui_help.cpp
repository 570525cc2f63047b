#include "app/ui/ui_internal.h"

#include <algorithm>
#include <cmath>

namespace {

// ---- what to know first

struct part {
    const char *title;
    const char *lines[4]; // as many as there are
};

constexpr part reading_city = {
    "How to read the city",
    {"A building is a group of objects, mostly a class; the blue ground around it is a package.",
     "Its plot has room for the most there ever was; height and footprint are what there is now.",
     "Pale has not grown, orange has, red the most; what stands before those turns to glass.",
     "Of what is selected, purple leads to what keeps it alive, green to what it keeps alive."}};

constexpr part reading_tree = {
    "How to read sunburst and icicle",
    {"A sector or bar is a group of objects, as wide as its share of all at this step.",
     "Its parts lie around it, or to its right: packages, then classes.",
     "The legend says what colours mean; Alt+C has others, such as growth.",
     "What is too small to be seen, or pruned (Alt+P), is gathered as Others."}};

constexpr part reading_methods = {
    "How to read the city",
    {"A building is a method, an orange block its class, a green district its package.",
     "It is as high as its longest thread was in it in the last second, but for what it called; "
     "the "
     "poles are 100 %.",
     "< and > take a shorter or longer time than a second, also afterwards.",
     "What stays at 100 % never ends: the list of the highest calls that steady. Alt+C colours by "
     "it, or by threads."}};

constexpr part first_steps_methods = {
    "First steps",
    {"1 shows the highest method, the list beside it who else is, and in which thread.",
     "Space plays what was recorded; Shift+L follows what is being recorded.",
     "Drag, right drag and wheel move; Home leads back; a right click shows what can be done."}};

constexpr part first_steps = {
    "First steps",
    {"1 shows the first finding; the sentence above the findings says what leaks, if anything.",
     "0 walks from there to who holds it, and names the cause.",
     "Drag, right drag and wheel move; Home leads back; a right click shows what can be done."}};

constexpr float line_gap = 4, part_gap = 14;

float measure_part(mc_ui *ui, const part &p, float width) {
    float height = ImGui::GetFontSize() + ui->px(line_gap);
    for (const char *line : p.lines)
        if (line) height += ImGui::CalcTextSize(line, nullptr, false, width).y + ui->px(line_gap);
    return height;
}

// Where the second part begins, and how wide both may be.
struct beside {
    float first, second, second_width;
    bool is_beside;
};

// Beside each other if there is room, above a column of the keys where that parts them well.
beside divide(mc_ui *ui, float width, float column) {
    float gap = ui->px(32);
    if (width < ui->px(720)) return {width, 0, width, false};
    float second = column > 0.4f * width && column < 0.6f * width ? column : (width + gap) / 2;
    return {second - gap, second, width - second, true};
}

// With the gap below it, above the keys.
float measure_intro(mc_ui *ui, const part &reading, const part &steps, float width, float column) {
    beside places = divide(ui, width, column);
    float first = measure_part(ui, reading, places.first);
    float second = measure_part(ui, steps, places.second_width), gap = ui->px(part_gap);
    return (places.is_beside ? std::max(first, second) : first + gap + second) + 2 * gap;
}

// Returns its height.
float draw_part(mc_ui *ui, const part &p, ImVec2 at, float width) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    float y = at.y;
    ImGui::PushFont(ui->strong);
    list->AddText(ImVec2(at.x, y), ui->colors.text, p.title);
    ImGui::PopFont();
    y += ImGui::GetFontSize() + ui->px(line_gap);
    for (const char *line : p.lines) {
        if (!line) continue;
        list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(at.x, std::floor(y)),
                      ui->colors.text, line, nullptr, width);
        y += ImGui::CalcTextSize(line, nullptr, false, width).y + ui->px(line_gap);
    }
    return y - at.y;
}

void draw_intro(mc_ui *ui, const part &reading, const part &steps, float width, float column) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    beside places = divide(ui, width, column);
    float gap = ui->px(part_gap), height = measure_intro(ui, reading, steps, width, column);
    float first = draw_part(ui, reading, at, places.first);
    ImVec2 second(at.x + places.second, places.is_beside ? at.y : at.y + first + gap);
    draw_part(ui, steps, second, places.second_width);
    float y = std::floor(at.y + height - gap) + 0.5f;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + width, y),
                                        ui->colors.border);
    ImGui::Dummy(ImVec2(1, height));
}

// ---- keys

constexpr uint32_t most_columns = 4;
constexpr float heading_air = 0.5f; // rows above a heading
constexpr float least_column = 340; // of long lines that are wrapped

struct place {
    uint32_t column;
    float y, rows; // in rows
};

// Where everything in the table is, measured from its upper left corner, in pixels but for rows.
struct table {
    uint32_t columns;
    float left[most_columns], text[most_columns];
    float keys_wrap, text_wrap; // 0: nothing is wrapped
    float width, rows;
    std::vector<place> places;
};

bool is_heading(const mc_fact_key &key) {
    return !key.keys;
}

// How many rows a heading and what is below it take, or the row itself.
float measure_together(const mc_facts *model, uint32_t index, const std::vector<place> &places) {
    float rows = places[index].rows;
    if (!is_heading(model->keys[index])) return rows;
    for (uint32_t i = index + 1; i < model->key_count && !is_heading(model->keys[i]); i++) {
        rows += places[i].rows;
    }
    return rows;
}

// Fills columns of at most `rows` rows. What is below a heading stays with it, unless it is longer
// than a column. Returns how many columns that takes.
uint32_t flow(const mc_facts *model, float rows, std::vector<place> &places) {
    uint32_t column = 0;
    float y = 0;
    for (uint32_t i = 0; i < model->key_count; i++) {
        bool heading = is_heading(model->keys[i]);
        float above = heading && y > 0 ? heading_air : 0, own = places[i].rows;
        float together = measure_together(model, i, places), least = heading ? own + 1 : own;
        float needed = above + (together > rows ? least : together);
        if (y > 0 && y + needed > rows) {
            column++;
            y = above = 0;
        }
        places[i].column = column;
        places[i].y = y + above;
        y += above + own;
    }
    return column + 1;
}

// Each column is as wide as what it holds.
void measure_widths(mc_ui *ui, const mc_facts *model, table &t) {
    t.width = t.rows = 0;
    for (uint32_t c = 0; c < t.columns; c++) {
        float keys = 0, text = 0;
        for (uint32_t i = 0; i < model->key_count; i++) {
            if (t.places[i].column != c) continue;
            t.rows = std::max(t.rows, t.places[i].y + t.places[i].rows);
            if (is_heading(model->keys[i])) continue;
            keys = std::max(keys, ImGui::CalcTextSize(model->keys[i].keys).x);
            text = std::max(text, ImGui::CalcTextSize(model->keys[i].text).x);
        }
        if (c > 0) t.width += ui->px(32);
        t.left[c] = t.width;
        t.text[c] = t.width + std::ceil(keys) + ui->px(16);
        t.width = t.text[c] + std::ceil(text) + ui->px(2);
    }
}

// The lowest table of this many columns, of rows as high as they are by now.
void flow_lowest(const mc_facts *model, uint32_t columns, table &t) {
    float all = 0;
    for (const place &place : t.places)
        all += place.rows;
    float rows = std::ceil(all / static_cast<float>(columns));
    while (flow(model, rows, t.places) > columns) {
        rows += heading_air;
    }
    t.columns = columns;
}

table measure(mc_ui *ui, const mc_facts *model, uint32_t columns) {
    table t = {};
    t.places.assign(model->key_count, {0, 0, 1});
    flow_lowest(model, columns, t);
    measure_widths(ui, model, t);
    return t;
}

float count_lines(const char *text, float wrap) {
    return std::round(ImGui::CalcTextSize(text, nullptr, false, wrap).y / ImGui::GetFontSize());
}

// Columns that share `width` pixels: what is too long for its column is wrapped.
table measure_wrapped(mc_ui *ui, const mc_facts *model, uint32_t columns, float width) {
    constexpr float keys_share = 0.36f;
    table t = {};
    float apart = ui->px(32), each = (width + apart) / static_cast<float>(columns) - apart;
    t.keys_wrap = std::floor(each * keys_share);
    t.text_wrap = std::floor(each - t.keys_wrap - ui->px(16));
    for (uint32_t i = 0; i < model->key_count; i++) {
        const mc_fact_key &key = model->keys[i];
        float rows = is_heading(key) ? 1
                                     : std::max(count_lines(key.keys, t.keys_wrap),
                                                count_lines(key.text, t.text_wrap));
        t.places.push_back({0, 0, rows});
    }
    flow_lowest(model, columns, t);
    for (const place &place : t.places)
        t.rows = std::max(t.rows, place.y + place.rows);
    for (uint32_t c = 0; c < columns; c++) {
        t.left[c] = std::floor(static_cast<float>(c) * (each + apart));
        t.text[c] = t.left[c] + t.keys_wrap + ui->px(16);
    }
    t.width = width;
    return t;
}

void draw_table(mc_ui *ui, const mc_facts *model, const table &t, float row_height) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float right = at.x + ImGui::GetContentRegionAvail().x;
    for (uint32_t i = 0; i < model->key_count; i++) {
        const mc_fact_key &key = model->keys[i];
        uint32_t c = t.places[i].column;
        float y = std::floor(at.y + t.places[i].y * row_height);
        if (is_heading(key)) {
            ImGui::PushFont(ui->strong);
            list->AddText(ImVec2(at.x + t.left[c], y), ui->colors.text, key.text);
            ImGui::PopFont();
            continue;
        }
        list->AddText(nullptr, 0, ImVec2(at.x + t.left[c], y), ui->colors.muted, key.keys, nullptr,
                      t.keys_wrap);
        if (t.text_wrap > 0) {
            list->AddText(nullptr, 0, ImVec2(at.x + t.text[c], y), ui->colors.text, key.text,
                          nullptr, t.text_wrap);
            continue;
        }
        ui::clipped_text(list, ImVec2(at.x + t.text[c], y), right - at.x - t.text[c] + 1,
                         ui->colors.text, key.text);
    }
    ImGui::Dummy(ImVec2(1, t.rows * row_height));
}

// ---- all of it

// How the help is laid out.
struct form {
    table t;
    float row_height;
    bool is_small;
};

struct help_text {
    const mc_facts *model;
    const part &reading, &steps;
};

// Where the first of the right columns begins, if there are as many left ones.
float get_middle(const table &t) {
    return t.columns % 2 == 0 ? t.left[t.columns / 2] : 0;
}

float get_width(mc_ui *ui, const table &t, float room) {
    return std::max(std::min(t.width, room), std::min(ui->px(720), room));
}

float get_height(mc_ui *ui, const help_text &text, const form &f, float room) {
    if (f.is_small) ImGui::PushFont(ui->small);
    float width = get_width(ui, f.t, room);
    float intro = measure_intro(ui, text.reading, text.steps, width, get_middle(f.t));
    if (f.is_small) ImGui::PopFont();
    return intro + ImGui::GetStyle().ItemSpacing.y + f.t.rows * f.row_height;
}

// In as few columns as there is height for; closer and in small type where there is little room.
// False: it is higher.
bool choose_form(mc_ui *ui, const help_text &text, float room, float most_height, form &f) {
    f.is_small = false;
    f.row_height = std::floor(ImGui::GetFontSize() + ui->px(6));
    f.t = measure(ui, text.model, 1);
    auto fits = [&] { return get_height(ui, text, f, room) <= most_height; };
    for (int attempt = 0; attempt < 3 && !fits(); attempt++) {
        f.is_small = attempt == 2;
        if (f.is_small) ImGui::PushFont(ui->small);
        if (attempt > 0) f.row_height = std::floor(ImGui::GetFontSize() + ui->px(2));
        table wider = measure(ui, text.model, 1);
        for (uint32_t columns = 1; wider.width <= room || columns == 1;) {
            f.t = wider;
            if (columns == most_columns || fits()) break;
            wider = measure(ui, text.model, ++columns);
        }
        if (f.is_small) ImGui::PopFont();
    }
    return fits();
}

// With long lines wrapped, if that makes the table lower.
void wrap_form(mc_ui *ui, const help_text &text, float room, form &f) {
    float columns = std::floor(room / ui->px(least_column));
    columns = std::min(std::max(columns, 1.0f), static_cast<float>(most_columns));
    if (f.is_small) ImGui::PushFont(ui->small);
    table wrapped = measure_wrapped(ui, text.model, static_cast<uint32_t>(columns), room);
    if (f.is_small) ImGui::PopFont();
    if (wrapped.rows < f.t.rows) f.t = wrapped;
}

} // namespace

void ui::draw_help(mc_ui *ui, const mc_facts *model, mc_settings *settings) {
    float margin = ui->px(12), padding = ui->px(20), header = ui->px(30), bar = ui->px(12);
    float top = ui->px(top_bar_height) + margin; // over remarks and the legend
    float most_height = std::max(ui->height - ui->answer->bottom - margin - top, ui->px(120));
    float around = 2 * padding + bar, above = header + 2 * padding;
    float whole_room = ui->width - 2 * margin - around, room = whole_room - ui->answer->right;
    const help_text text = {model,
                            settings->view != 0  ? reading_tree
                            : model->has_methods ? reading_methods
                                                 : reading_city,
                            model->has_methods ? first_steps_methods : first_steps};

    // Beside the panels, unless only over them there is room; in a small window over the time bar,
    // too.
    form f, over;
    bool fits = choose_form(ui, text, room, most_height - above, f);
    bool fits_over = !fits && choose_form(ui, text, whole_room, most_height - above, over);
    bool is_narrow = room < ui->px(720);
    if (!fits && (fits_over || is_narrow)) {
        room = whole_room;
        f = over;
    }
    if (!fits && !fits_over) {
        if (is_narrow) most_height = std::max(ui->height - margin - top, most_height);
        wrap_form(ui, text, room, f);
    }
    float inner = get_width(ui, f.t, room), width = inner + around;
    float height = std::min(get_height(ui, text, f, room) + above, most_height);
    ImVec2 at(std::floor(margin + (room + around - width) / 2),
              std::floor(top + (most_height - height) / 2));

    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    ImGui::Begin("keys", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::SetCursorPos(ImVec2(width - ui->px(28 + 10), ui->px(12)));
    if (icon_button(ui, "close_help", icon::close, "Close  (?)")) settings->help = false;
    const char *more = settings->all_keys ? "First keys" : "All keys";
    float more_width = ImGui::CalcTextSize(more).x + ui->px(20), more_x = width - ui->px(28 + 18);
    ImGui::SetCursorPos(ImVec2(more_x - more_width, ui->px(12)));
    if (button(ui, "all_keys", more, more_width, "", true))
        settings->all_keys = !settings->all_keys;
    place_item(ui, "all_keys");
    ImGui::SetCursorPos(ImVec2(padding, padding));
    clipped_text(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(),
                 more_x - more_width - padding - ui->px(12), ui->colors.muted,
                 "Help. Ctrl+P finds what can be done by its name; F10 is the menu.");
    ImGui::SetCursorPos(ImVec2(padding, padding + header));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("table", ImVec2(width - padding - bar / 2, height - 2 * padding - header),
                      false, ImGuiWindowFlags_NoNav);
    if (f.is_small) ImGui::PushFont(ui->small);
    draw_intro(ui, text.reading, text.steps, inner, get_middle(f.t));
    ImVec2 table_at = ImGui::GetCursorScreenPos();
    draw_table(ui, model, f.t, f.row_height);
    if (f.is_small) ImGui::PopFont();
    fade_cut_off(ui);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    place(ui, "key_table", table_at,
          ImVec2(at.x + width - padding, std::max(at.y + height - padding, table_at.y)));
    place(ui, "keys", at, ImVec2(at.x + width, at.y + height));
    ImGui::End();
    ImGui::PopStyleVar();
}
