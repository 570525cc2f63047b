#include "app/commands/units_of.h"

#include "app/format.h"
#include "app/print/print.h"
#include "app/unit_text.h"
#include "engine/base/memory.h"
#include "engine/heap/content.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_PER_OWNER 0.01 // objects: less says nothing of one of them

typedef struct told_content {
    const mc_units_of_options *options;
    const mc_heap *heap;
    const mc_dump *dump;
    const mc_heap_content *content;
    uint32_t group;
} told_content;

static int fail_memory(void) {
    mc_error error = {0};
    (void)mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

static double get_per_owner(const told_content *told, const mc_heap_content_part *part) {
    return (double)part->objects / told->content->owner_count;
}

static void append_key(const told_content *told, uint32_t group, mc_text *out) {
    mc_text key = {0};
    mc_heap_groups_append_key(told->heap->groups, group, &key);
    out->failed |= key.failed;
    mc_format_append_line(out, key.data, key.size);
    mc_text_deinit(&key);
}

// ---- for programs

static const mc_column part_columns[] = {
    {.key = "key"},  {.key = "per_object"}, {.key = "least"}, {.key = "median"},
    {.key = "most"}, {.key = "objects"},    {.key = "bytes"},
};

static void print_parts(const told_content *told, mc_print *print, const char *key) {
    MC_PRINT_BEGIN_ROWS(print, key, part_columns);
    for (uint32_t i = 0; i < told->content->part_count; i++) {
        const mc_heap_content_part *part = &told->content->parts[i];
        mc_text name = {0};
        append_key(told, part->group, &name);
        MC_PRINT_ROW(print, mc_cell_line(&name), mc_cell_decimal(get_per_owner(told, part), 4),
                     mc_cell_count(part->least), mc_cell_count(part->median),
                     mc_cell_count(part->most), mc_cell_count(part->objects),
                     mc_cell_count(part->bytes));
        print->out->failed |= name.failed;
        mc_text_deinit(&name);
    }
    mc_print_end_rows(print);
}

static uint64_t get_bytes_each(const mc_heap_content *content) {
    return content->owner_count > 0
               ? (uint64_t)llround((double)content->bytes / content->owner_count)
               : 0;
}

static void print_json(const told_content *told, mc_print *print) {
    const mc_heap_content *content = told->content;
    mc_text key = {0};
    append_key(told, told->group, &key);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"of", mc_cell_line(&key)}, {"dump", mc_cell_text(told->dump->path)},
             {"time_ms", mc_cell_time(told->dump->time_ms)},
             {"count", mc_cell_count(content->owner_count)},
             {"bytes_each", mc_cell_count(get_bytes_each(content))},
             {"least_bytes", mc_cell_count(content->least)},
             {"median_bytes", mc_cell_count(content->median)},
             {"most_bytes", mc_cell_count(content->most)},
             {"bytes", mc_cell_count(content->bytes)});
    print_parts(told, print, "parts");
    mc_print_end_object(print);
    mc_print_end(print);
    print->out->failed |= key.failed;
    mc_text_deinit(&key);
}

// ---- for people

// Of the formula: fewest first, as units have it.
static int compare_parts(const void *a, const void *b) {
    const mc_heap_content_part *x = a, *y = b;
    if (x->objects != y->objects) return x->objects < y->objects ? -1 : 1;
    return x->group < y->group ? -1 : 1;
}

static void append_name(const told_content *told, uint32_t group, mc_text *out) {
    size_t size;
    const char *name = mc_heap_groups_get_key(told->heap->groups, group, &size);
    mc_format_append_line(out, name, size);
}

static void append_formula(const told_content *told, const mc_heap_content_part *parts,
                           uint32_t count, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    mc_text name = {0};
    uint32_t named = 0, all = 0;
    for (uint32_t i = 0; i < count; i++)
        all += get_per_owner(told, &parts[i]) >= LEAST_PER_OWNER;
    mc_text_format(out, "%s × { ", mc_format_count(text, told->content->owner_count));
    for (uint32_t i = 0; i < count && named < MC_UNIT_TEXT_PARTS; i++) {
        if (get_per_owner(told, &parts[i]) < LEAST_PER_OWNER) continue;
        if (named++ > 0) mc_text_append_string(out, ", ");
        mc_text_clear(&name);
        append_name(told, parts[i].group, &name);
        mc_unit_append_part(get_per_owner(told, &parts[i]), &name, out);
    }
    mc_text_deinit(&name);
    if (all > named) mc_text_format(out, " … and %" PRIu32 " more groups", all - named);
    mc_text_format(out, " }, %s B each\n", mc_format_count(text, get_bytes_each(told->content)));
}

static void append_evenness(const told_content *told, mc_text *out) {
    const mc_heap_content *content = told->content;
    char least[MC_FORMAT_SIZE], median[MC_FORMAT_SIZE], most[MC_FORMAT_SIZE];
    if (content->least == content->most)
        mc_text_append_string(out, "    each of them the same\n");
    else
        mc_text_format(out, "    at least %s, half of them up to %s, at most %s\n",
                       mc_format_bytes(least, content->least),
                       mc_format_bytes(median, content->median),
                       mc_format_bytes(most, content->most));
}

static void append_parts(const told_content *told, mc_text *out) {
    const mc_heap_content *content = told->content;
    char bytes[MC_FORMAT_SIZE];
    uint32_t most =
        told->options->most < content->part_count ? told->options->most : content->part_count;
    mc_text_append_string(out, "\n     mean   least  median    most        bytes  group\n");
    for (uint32_t i = 0; i < most; i++) {
        const mc_heap_content_part *part = &content->parts[i];
        mc_text_format(out, "%9.2f %7" PRIu32 " %7" PRIu32 " %7" PRIu32 " %12s  ",
                       get_per_owner(told, part), part->least, part->median, part->most,
                       mc_format_bytes(bytes, part->bytes));
        append_key(told, part->group, out);
        mc_text_append_string(out, "\n");
    }
    if (most < content->part_count)
        mc_text_format(out, "and %" PRIu32 " more (-n)\n", content->part_count - most);
}

static int print_text(const told_content *told, mc_text *out) {
    uint32_t count = told->content->part_count;
    mc_heap_content_part *parts = mc_alloc((size_t)count + 1, sizeof *parts);
    if (!parts) return fail_memory();
    for (uint32_t i = 0; i < count; i++)
        parts[i] = told->content->parts[i];
    qsort(parts, count, sizeof *parts, compare_parts);
    if (count > 0) {
        append_formula(told, parts, count, out);
        append_evenness(told, out);
        append_parts(told, out);
    } else {
        mc_text_append_string(out, "No object of it is reachable.\n");
    }
    mc_free(parts);
    return MC_EXIT_OK;
}

// ---- the command

static int print_content(const told_content *told) {
    mc_text out = {0};
    int code = MC_EXIT_OK;
    mc_print print = mc_print_to(&out, told->options->json, told->options->tsv);
    switch (print.form) {
    case MC_PRINT_JSON: print_json(told, &print); break;
    case MC_PRINT_TSV: print_parts(told, &print, NULL); break;
    default: code = print_text(told, &out); break;
    }
    if (code == MC_EXIT_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return code;
}

static int tell(told_content *told) {
    mc_vertex_groups groups = mc_heap_get_groups(told->heap);
    bool *is_owner = mc_alloc_zero(groups.count, sizeof *is_owner);
    mc_heap_content content = {0};
    mc_error error = {0};
    if (!is_owner) return fail_memory();
    mc_vertex_groups_mark(&groups, told->group, is_owner);
    mc_result result = mc_heap_content_find(told->heap, is_owner, &content, &error);
    told->content = &content;
    int code = result == MC_OK ? print_content(told) : mc_command_fail(&error);
    told->content = NULL;
    mc_free(is_owner);
    mc_heap_content_deinit(&content);
    return code;
}

static int ask(told_content *told, mc_heap_file *file) {
    const mc_units_of_options *options = told->options;
    mc_text hint = {0};
    int code = mc_dump_link(file);
    if (code == MC_EXIT_OK)
        code = mc_dump_find_group(file->heap, "--of", options->of, &told->group, &hint);
    if (code == MC_EXIT_OK && told->group == MC_NONE)
        code = mc_dump_fail_group("--of", options->of, 1, &hint);
    told->heap = file->heap;
    if (code == MC_EXIT_OK) code = tell(told);
    mc_text_deinit(&hint);
    return code;
}

static int ask_dump(const mc_units_of_options *options, const mc_dump *dump) {
    mc_heap_file file;
    told_content told = {.options = options, .dump = dump};
    int code = mc_dump_open(&file, dump, &options->dump);
    if (code == MC_EXIT_OK) code = ask(&told, &file);
    if (code == MC_EXIT_OK) code = mc_dump_tell_limits(&file, dump, &options->dump);
    mc_heap_file_close(&file);
    return code;
}

int mc_command_units_of(const mc_units_of_options *options, const char **paths, uint32_t count) {
    mc_units_of_options read = *options;
    mc_dump *dumps = NULL;
    int code = mc_dump_options_read(&read.dump);
    if (code == MC_EXIT_OK) code = mc_dumps_list(paths, count, "units --of", &dumps);
    uint32_t step = options->step != MC_NONE ? options->step : count - 1;
    if (code == MC_EXIT_OK && step >= count)
        code = mc_command_wrong_usage(
            "--step %" PRIu32 ": there are %" PRIu32 " dumps, the first is 0", step, count);
    if (code == MC_EXIT_OK) code = ask_dump(&read, &dumps[step]);
    mc_free(dumps);
    return code;
}
