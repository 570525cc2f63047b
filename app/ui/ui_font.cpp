#include "app/ui/ui_letters.h"

extern "C" {
#include "app/program_files.h"
#include "engine/base/file.h"
#include "engine/base/library.h"
}
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fontconfig/fontconfig.h>
#include <iterator>
#include <string>

namespace {

// Latin, Greek, Cyrillic, punctuation, currency, letterlike, arrows, a few operators and shapes.
const ImWchar ranges[] = {0x0020, 0x024f, 0x0370, 0x03ff, 0x0400, 0x052f, 0x2010, 0x2027,
                          0x2030, 0x205e, 0x20a0, 0x20bf, 0x2100, 0x214f, 0x2190, 0x21ff,
                          0x2200, 0x22ff, 0x25a0, 0x25ff, 0xfffd, 0xfffd, 0};

const ImWchar latin[] = {0x0020, 0x007e, 0};

const char *const families[] = {"Inter", "Noto Sans", "DejaVu Sans"};

// Loaded with the first font: no command without pictures needs it.
#define FONTCONFIG_FUNCTIONS(X) \
    X(FcConfigAppFontAddFile)   \
    X(FcConfigCreate)           \
    X(FcConfigDestroy)          \
    X(FcConfigGetFonts)         \
    X(FcConfigSetCurrent)       \
    X(FcConfigSubstitute)       \
    X(FcDefaultSubstitute)      \
    X(FcFini)                   \
    X(FcFontMatch)              \
    X(FcPatternAddBool)         \
    X(FcPatternAddInteger)      \
    X(FcPatternAddString)       \
    X(FcPatternCreate)          \
    X(FcPatternDestroy)         \
    X(FcPatternGetInteger)      \
    X(FcPatternGetString)

struct {
    FONTCONFIG_FUNCTIONS(MC_LIBRARY_POINTER)
} fontconfig;

bool load_fontconfig() {
    static const char *const names[] = {FONTCONFIG_FUNCTIONS(MC_LIBRARY_NAME)};
    return fontconfig.FcFini || mc_library_load("libfontconfig.so.1", names, std::size(names),
                                                &fontconfig, nullptr) == MC_OK;
}

struct font_file {
    std::string path;
    int index = 0;
};

// Fonts that came with the program are all there is, so that pictures are the same everywhere: what
// is configured here, if anything, is not even read. File by file, as folders want to be cached.
void use_own_fonts() {
    mc_text path = {};
    std::error_code error;
    FcConfig *config =
        mc_program_append_path(&path, "fonts") ? fontconfig.FcConfigCreate() : nullptr;
    if (config) {
        for (const auto &file : std::filesystem::directory_iterator(path.data, error)) {
            const char *name = file.path().c_str();
            fontconfig.FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8 *>(name));
        }
        const FcFontSet *fonts = fontconfig.FcConfigGetFonts(config, FcSetApplication);
        if (fonts && fonts->nfont > 0) fontconfig.FcConfigSetCurrent(config);
        fontconfig.FcConfigDestroy(config);
    }
    mc_text_deinit(&path);
}

// The best match for the families from `first` on.
font_file find_font(size_t first, int weight) {
    font_file file;
    FcPattern *pattern = fontconfig.FcPatternCreate();
    if (!pattern) return file;
    for (size_t i = first; i < sizeof families / sizeof *families; i++) {
        fontconfig.FcPatternAddString(pattern, FC_FAMILY,
                                      reinterpret_cast<const FcChar8 *>(families[i]));
    }
    fontconfig.FcPatternAddInteger(pattern, FC_WEIGHT, weight);
    fontconfig.FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    fontconfig.FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    fontconfig.FcPatternAddBool(pattern, FC_COLOR, FcFalse);
    fontconfig.FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    fontconfig.FcDefaultSubstitute(pattern);
    FcResult result;
    FcPattern *match = fontconfig.FcFontMatch(nullptr, pattern, &result);
    FcChar8 *path;
    if (match && fontconfig.FcPatternGetString(match, FC_FILE, 0, &path) == FcResultMatch) {
        file.path = reinterpret_cast<const char *>(path);
        int index = 0;
        // The upper half names an instance of a variable font, which the rasteriser doesn't know.
        if (fontconfig.FcPatternGetInteger(match, FC_INDEX, 0, &index) == FcResultMatch) {
            file.index = index & 0xffff;
        }
    }
    if (match) fontconfig.FcPatternDestroy(match);
    fontconfig.FcPatternDestroy(pattern);
    return file;
}

uint32_t read_u16(const unsigned char *at) {
    return static_cast<uint32_t>(at[0]) << 8 | at[1];
}
uint32_t read_u32(const unsigned char *at) {
    return read_u16(at) << 16 | read_u16(at + 2);
}

// Line height over em height. ImGui takes the former, type is measured by the latter.
float get_line_ratio(const mc_file_map &file, int index) {
    const float usual = 1.2f;
    size_t start = 0;
    if (file.size < 64) return usual;
    if (memcmp(file.data, "ttcf", 4) == 0) {
        size_t entry = 12 + 4 * static_cast<size_t>(index);
        if (entry + 4 > file.size) return usual;
        start = read_u32(file.data + entry);
    }
    if (start + 12 > file.size) return usual;
    uint32_t table_count = read_u16(file.data + start + 4), em = 0, height = 0;
    for (uint32_t i = 0; i < table_count; i++) {
        size_t entry = start + 12 + 16 * static_cast<size_t>(i);
        if (entry + 16 > file.size) break;
        const unsigned char *record = file.data + entry;
        size_t at = read_u32(record + 8);
        if (at + 20 > file.size) continue;
        if (memcmp(record, "head", 4) == 0) em = read_u16(file.data + at + 18);
        if (memcmp(record, "hhea", 4) == 0) {
            height = read_u16(file.data + at + 4) + (65536 - read_u16(file.data + at + 6)) % 65536;
        }
    }
    float ratio = em > 0 ? static_cast<float>(height) / static_cast<float>(em) : usual;
    return ratio > 0.8f && ratio < 3 ? ratio : usual;
}

// What letters are made of: files, which stay mapped until they are rendered, and sizes.
struct font_files {
    mc_file_map maps[3] = {};
    std::string made_of;

    ~font_files() {
        for (mc_file_map &map : maps)
            if (map.data) mc_file_map_close(&map);
    }
    // False: there is no such file.
    bool open(size_t index, const font_file &file) {
        if (file.path.empty() ||
            mc_file_map_open(&maps[index], file.path.c_str(), nullptr) != MC_OK)
            return false;
        ui::append_font_identity(&made_of, file.path, maps[index].data, maps[index].size);
        return true;
    }
};

ImFont *add_font(ImFontAtlas *atlas, font_files *files, size_t index, int number, float em_pixels,
                 bool merge, const ImWchar *letters) {
    const mc_file_map &map = files->maps[index];
    if (!map.data) return nullptr;
    ImFontConfig config;
    config.FontNo = number;
    config.MergeMode = merge;
    config.OversampleH = em_pixels < 24 ? 2 : 1;
    config.OversampleV = 1;
    config.PixelSnapH = false;
    float size = std::round(em_pixels * get_line_ratio(map, number));
    ImFont *font = atlas->AddFontFromMemoryTTF(const_cast<unsigned char *>(map.data),
                                               static_cast<int>(map.size), size, &config, letters);
    if (font) atlas->ConfigData.back().FontDataOwnedByAtlas = false; // it would free the file
    size_t count = 0;
    while (letters[count] != 0)
        count++;
    files->made_of += std::to_string(index) + ' ' + std::to_string(number) + ' ' +
                      std::to_string(size) + ' ' + std::to_string(config.OversampleH) +
                      (merge ? " more\n" : "\n");
    files->made_of.append(reinterpret_cast<const char *>(letters), count * sizeof *letters);
    return font;
}

// Digits of one width, so that numbers don't dance while time goes by. The rasteriser knows nothing
// of the font's own tabular figures.
void make_tabular(ImFont *font) {
    float widest = 0;
    for (ImWchar c = '0'; c <= '9'; c++) {
        widest = std::fmax(widest, font->FindGlyph(c)->AdvanceX);
    }
    for (ImWchar c = '0'; c <= '9'; c++) {
        ImFontGlyph *glyph = const_cast<ImFontGlyph *>(font->FindGlyph(c));
        float shift = std::round((widest - glyph->AdvanceX) / 2);
        glyph->X0 += shift;
        glyph->X1 += shift;
        glyph->AdvanceX = widest;
        font->IndexAdvanceX[c] = widest;
    }
}

} // namespace

bool ui::load_fonts(mc_ui *ui, mc_error *error) {
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    atlas->Clear();
    atlas->Flags |= ImFontAtlasFlags_NoMouseCursors;
    font_file regular, strong, spare;
    // Without it, the font that ImGui brings along has to do.
    if (load_fontconfig()) {
        use_own_fonts();
        regular = find_font(0, FC_WEIGHT_REGULAR);
        strong = find_font(0, FC_WEIGHT_DEMIBOLD);
        spare = find_font(2, FC_WEIGHT_REGULAR);
        fontconfig.FcFini();
    }
    font_files files;
    files.open(0, regular);
    files.open(1, strong);
    files.open(2, spare);
    const font_file *const named[] = {&regular, &strong, &spare};
    struct {
        ImFont **font;
        size_t file;
        float size;
        const ImWchar *letters;
    } wanted[] = {{&ui->regular, 0, 14, ranges},
                  {&ui->strong, 1, 14, ranges},
                  {&ui->small, 0, 12, ranges},
                  {&ui->title, 1, 22, latin}};
    bool is_known = true; // all that letters depend on
    for (auto &entry : wanted) {
        float size = ui->px(entry.size);
        const font_file *file = named[entry.file];
        *entry.font = add_font(atlas, &files, entry.file, file->index, size, false, entry.letters);
        if (!*entry.font) {
            ImFontConfig config;
            config.SizePixels = std::round(size);
            *entry.font = atlas->AddFontDefault(&config);
            is_known = false;
        } else if (spare.path != file->path && entry.letters == ranges) {
            // for what the first one lacks
            add_font(atlas, &files, 2, spare.index, size, true, ranges);
        }
    }
    const unsigned pixels = static_cast<unsigned>(std::lround(ui->px(14)));
    if (!is_known || !ui::read_letters(atlas, files.made_of, pixels)) {
        if (!atlas->Build()) {
            mc_fail(error, MC_ERROR_OUT_OF_MEMORY, "can't render the font");
            return false;
        }
        if (is_known) ui::write_letters(atlas, files.made_of, pixels);
    }
    for (ImFontConfig &config : atlas->ConfigData)
        if (!config.FontDataOwnedByAtlas) config.FontData = nullptr; // the files are closed
    for (auto &entry : wanted) {
        make_tabular(*entry.font);
    }
    return true;
}
