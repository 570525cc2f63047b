#include "app/png_file.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <png.h>
#include <setjmp.h>

static void on_error(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void append_bytes(png_structp png, png_bytep bytes, size_t size) {
    mc_text_append(png_get_io_ptr(png), (const char *)bytes, size);
}

static void flush_bytes(png_structp png) {
    (void)png;
}

// Into `stream`, or, if that is NULL, into `text`. libpng reports by longjmp: nothing that lives in
// this frame changes after setjmp.
static bool write_rows(png_structp png, png_infop info, FILE *stream, mc_text *text,
                       const uint8_t *rgba, uint8_t *row, uint32_t width, uint32_t height) {
    if (setjmp(png_jmpbuf(png))) return false;
    if (stream)
        png_init_io(png, stream);
    else
        png_set_write_fn(png, text, append_bytes, flush_bytes);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    // Of flat faces, filters make a larger file of most pictures, in more than twice the time.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, 3);
    png_write_info(png, info);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *from = rgba + (size_t)y * width * 4;
        for (uint32_t x = 0; x < width; x++) {
            row[x * 3] = from[x * 4];
            row[x * 3 + 1] = from[x * 4 + 1];
            row[x * 3 + 2] = from[x * 4 + 2];
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
    return true;
}

static mc_result encode(FILE *stream, mc_text *text, const char *path, const uint8_t *rgba,
                        uint32_t width, uint32_t height, mc_error *error) {
    mc_result result = MC_OK;
    uint8_t *row = mc_alloc(width, 3);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!row || !info) {
        result = mc_error_out_of_memory(error);
    } else if (!write_rows(png, info, stream, text, rgba, row, width, height)) {
        result = mc_fail(error, MC_ERROR_IO, "%s: can't write: the disk may be full", path);
    }
    png_destroy_write_struct(png ? &png : NULL, info ? &info : NULL);
    mc_free(row);
    return result;
}

mc_result mc_png_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                       mc_error *error) {
    mc_file_writer writer = {0};
    mc_result result = mc_file_writer_begin(&writer, path, error);
    if (result != MC_OK) return result;
    result = encode(writer.stream, NULL, path, rgba, width, height, error);
    if (result == MC_OK) return mc_file_writer_commit(&writer, error);
    mc_file_writer_discard(&writer);
    return result;
}

mc_result mc_png_append(mc_text *out, const uint8_t *rgba, uint32_t width, uint32_t height,
                        mc_error *error) {
    mc_result result = encode(NULL, out, "the picture", rgba, width, height, error);
    return result == MC_OK && out->failed ? mc_error_out_of_memory(error) : result;
}

#define PIXELS_MAX (UINT64_C(1) << 28)

mc_result mc_png_read(const char *path, mc_png *png, mc_error *error) {
    mc_file_map map;
    png_image image = {.version = PNG_IMAGE_VERSION};
    *png = (mc_png){0};
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    bool is_good = png_image_begin_read_from_memory(&image, map.data, map.size);
    image.format = PNG_FORMAT_RGBA;
    if (is_good && (uint64_t)image.width * image.height > PIXELS_MAX) {
        result = mc_fail(error, MC_ERROR_BAD_DATA,
                         "%s: expected a picture of 2^28 pixels or fewer, found %u x %u", path,
                         image.width, image.height);
    } else if (is_good) {
        *png = (mc_png){image.width, image.height, mc_alloc(image.width, image.height * (size_t)4)};
        if (!png->rgba)
            result = mc_error_out_of_memory(error);
        else
            is_good = png_image_finish_read(&image, NULL, png->rgba, 0, NULL);
    }
    if (result == MC_OK && !is_good)
        result = mc_fail(error, MC_ERROR_BAD_DATA,
                         "%s: expected a PNG file, found one that can't be read: %s", path,
                         image.message);
    png_image_free(&image);
    mc_file_map_close(&map);
    return result;
}

void mc_png_deinit(mc_png *png) {
    mc_free(png->rgba);
    *png = (mc_png){0};
}
