#include "app/ui/ui_letters.h"

extern "C" {
#include "app/user_files.h"
#include "app/version.h"
#include "engine/base/file.h"
}
#include <cstring>
#include <imgui_internal.h>
#include <memory>
#include <sys/stat.h>
#include <zstd.h>

// A file is two zstd frames with checksums: what it was made of and the glyphs; the pixels.
namespace {

constexpr size_t most_bytes = 64u << 20; // of either, unpacked
constexpr int32_t most_side = 16384;     // of the pixels

struct cached_atlas {
    int32_t width, height, font_count;
    ImVec2 uv_scale, uv_white;
    ImVec4 uv_lines[IM_DRAWLIST_TEX_LINES_WIDTH_MAX + 1];
};

struct cached_font {
    float ascent, descent;
    int32_t ellipsis, surface, glyph_count;
};

bool append_path(mc_text *path, unsigned pixels) {
    return mc_user_append_cache_path(path, ("letters-" + std::to_string(pixels)).c_str());
}

void append(std::string *out, const void *bytes, size_t size) {
    out->append(static_cast<const char *>(bytes), size);
}

// Whatever of this changes, other letters come of the same fonts.
std::string get_head(const std::string &made_of) {
    std::string head = std::string("memcity letters 1 ") + mc_version + " " IMGUI_VERSION "\n";
    const uint64_t sizes[] = {sizeof(ImFontGlyph), sizeof(cached_atlas), sizeof(cached_font),
                              made_of.size()};
    append(&head, sizes, sizeof sizes);
    return head + made_of;
}

struct reader {
    const char *at;
    size_t left;
    const char *take(size_t size) {
        if (size > left) return nullptr;
        const char *taken = at;
        at += size;
        left -= size;
        return taken;
    }
    template <typename T> bool read(T *out) {
        const char *bytes = take(sizeof *out);
        if (bytes) memcpy(static_cast<void *>(out), bytes, sizeof *out);
        return bytes;
    }
};

struct packed_frame {
    const unsigned char *bytes;
    size_t size, unpacked;
};

bool find_frame(const unsigned char *bytes, size_t size, packed_frame *frame) {
    const size_t packed = ZSTD_findFrameCompressedSize(bytes, size);
    if (ZSTD_isError(packed)) return false;
    const unsigned long long unpacked = ZSTD_getFrameContentSize(bytes, size);
    if (unpacked > most_bytes) return false; // what means unknown, too
    *frame = {bytes, packed, static_cast<size_t>(unpacked)};
    return true;
}

bool unpack(const packed_frame &frame, void *out) {
    return ZSTD_decompress(out, frame.unpacked, frame.bytes, frame.size) == frame.unpacked;
}

bool read_glyphs(reader *in, ImFont *font, cached_font *about) {
    if (!in->read(about) || about->glyph_count < 1 || about->glyph_count >= 0xffff) return false;
    const size_t count = static_cast<size_t>(about->glyph_count);
    const char *glyphs = in->take(count * sizeof(ImFontGlyph));
    if (!glyphs) return false;
    font->Glyphs.resize(about->glyph_count);
    memcpy(static_cast<void *>(font->Glyphs.Data), glyphs, count * sizeof(ImFontGlyph));
    for (const ImFontGlyph &glyph : font->Glyphs)
        if (glyph.Codepoint > IM_UNICODE_CODEPOINT_MAX) return false;
    return true;
}

void set_up(ImFontAtlas *atlas, const std::vector<cached_font> &fonts) {
    for (ImFontConfig &config : atlas->ConfigData) {
        const auto index = atlas->Fonts.find(config.DstFont) - atlas->Fonts.begin();
        const cached_font &about = fonts[static_cast<size_t>(index)];
        ImVector<ImFontGlyph> glyphs;
        glyphs.swap(config.DstFont->Glyphs); // setting up begins with none
        ImFontAtlasBuildSetupFont(atlas, config.DstFont, &config, about.ascent, about.descent);
        glyphs.swap(config.DstFont->Glyphs);
    }
    for (int i = 0; i < atlas->Fonts.Size; i++) {
        ImFont *font = atlas->Fonts[i];
        font->EllipsisChar = static_cast<ImWchar>(fonts[static_cast<size_t>(i)].ellipsis);
        font->MetricsTotalSurface = fonts[static_cast<size_t>(i)].surface;
        font->BuildLookupTable();
    }
    atlas->TexReady = true;
}

bool read_atlas(ImFontAtlas *atlas, const std::string &head, const mc_file_map &map) {
    packed_frame first, second;
    if (!find_frame(map.data, map.size, &first) ||
        !find_frame(map.data + first.size, map.size - first.size, &second))
        return false;
    const std::unique_ptr<char[]> bytes(new (std::nothrow) char[first.unpacked + 1]);
    if (!bytes || !unpack(first, bytes.get())) return false;
    reader in = {bytes.get(), first.unpacked};
    cached_atlas about;
    const char *said = in.take(head.size());
    if (!said || memcmp(said, head.data(), head.size()) != 0 || !in.read(&about)) return false;
    if (about.font_count != atlas->Fonts.Size || about.width < 1 || about.height < 1 ||
        about.width > most_side || about.height > most_side ||
        static_cast<uint64_t>(about.width) * static_cast<uint64_t>(about.height) != second.unpacked)
        return false;
    std::vector<cached_font> fonts(static_cast<size_t>(about.font_count));
    for (int i = 0; i < about.font_count; i++)
        if (!read_glyphs(&in, atlas->Fonts[i], &fonts[static_cast<size_t>(i)])) return false;
    auto *pixels = static_cast<unsigned char *>(ImGui::MemAlloc(second.unpacked));
    if (!pixels || !unpack(second, pixels)) {
        ImGui::MemFree(pixels);
        return false;
    }
    atlas->TexPixelsAlpha8 = pixels;
    atlas->TexWidth = about.width;
    atlas->TexHeight = about.height;
    atlas->TexUvScale = about.uv_scale;
    atlas->TexUvWhitePixel = about.uv_white;
    memcpy(static_cast<void *>(atlas->TexUvLines), about.uv_lines, sizeof about.uv_lines);
    set_up(atlas, fonts);
    return true;
}

std::string list_glyphs(const ImFontAtlas *atlas, const std::string &made_of) {
    std::string out = get_head(made_of);
    cached_atlas about = {};
    about.width = atlas->TexWidth;
    about.height = atlas->TexHeight;
    about.font_count = atlas->Fonts.Size;
    about.uv_scale = atlas->TexUvScale;
    about.uv_white = atlas->TexUvWhitePixel;
    memcpy(static_cast<void *>(about.uv_lines), atlas->TexUvLines, sizeof about.uv_lines);
    append(&out, &about, sizeof about);
    for (const ImFont *font : atlas->Fonts) {
        const cached_font one = {font->Ascent, font->Descent, font->EllipsisChar,
                                 font->MetricsTotalSurface, font->Glyphs.Size};
        append(&out, &one, sizeof one);
        append(&out, font->Glyphs.Data,
               static_cast<size_t>(font->Glyphs.Size) * sizeof(ImFontGlyph));
    }
    return out;
}

bool write_frame(FILE *stream, const void *bytes, size_t size) {
    const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx *)> context(ZSTD_createCCtx(),
                                                                      ZSTD_freeCCtx);
    std::string packed(ZSTD_compressBound(size), '\0');
    if (!context) return false;
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 1);
    const size_t got = ZSTD_compress2(context.get(), &packed[0], packed.size(), bytes, size);
    return !ZSTD_isError(got) && fwrite(packed.data(), 1, got, stream) == got;
}

} // namespace

void ui::append_font_identity(std::string *made_of, const std::string &path,
                              const unsigned char *data, size_t size) {
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) status = {};
    const int64_t numbers[] = {static_cast<int64_t>(size), status.st_mtim.tv_sec,
                               status.st_mtim.tv_nsec};
    *made_of += path + '\n';
    append(made_of, numbers, sizeof numbers);
    append(made_of, data, size < 1024 ? size : 1024); // where the list of tables is
}

bool ui::read_letters(ImFontAtlas *atlas, const std::string &made_of, unsigned pixels) {
    mc_text path = {};
    mc_file_map map = {};
    bool is_read =
        append_path(&path, pixels) && mc_file_map_open(&map, path.data, nullptr) == MC_OK;
    if (is_read) is_read = read_atlas(atlas, get_head(made_of), map);
    if (map.data) mc_file_map_close(&map);
    mc_text_deinit(&path);
    return is_read;
}

void ui::write_letters(ImFontAtlas *atlas, const std::string &made_of, unsigned pixels) {
    mc_text path = {};
    mc_file_writer writer = {};
    unsigned char *texture;
    int width, height;
    atlas->GetTexDataAsAlpha8(&texture, &width, &height);
    const size_t texture_size = static_cast<size_t>(width) * static_cast<size_t>(height);
    const std::string glyphs = list_glyphs(atlas, made_of);
    if (texture_size <= most_bytes && append_path(&path, pixels) &&
        mc_file_make_parents(path.data, MC_USER_FOLDER_MODE, nullptr) == MC_OK &&
        mc_file_writer_begin(&writer, path.data, nullptr) == MC_OK) {
        writer.sync = MC_FILE_SYNC_NONE; // it has checksums
        if (write_frame(writer.stream, glyphs.data(), glyphs.size()) &&
            write_frame(writer.stream, texture, texture_size))
            (void)mc_file_writer_commit(&writer, nullptr);
        mc_file_writer_discard(&writer);
    }
    mc_text_deinit(&path);
}
