#include "engine/import/ruby/ruby_reader.h"

#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/ruby/ruby_edges.h"
#include "engine/import/ruby/ruby_slices.h"
#include <inttypes.h>
#include <string.h>

#define NAME_MOST 300 // bytes of a name that are told
#define AHEAD 8       // objects whose numbers are fetched into the cache before they are added
#define NOTES_KNOWN 4096u
#define GENERATION_MOST (UINT64_C(1) << 31)

static const char *const classifiers[] = {"Site", "Class"};
#define LEVELS 2
#define SITE_NONE (MC_NONE - 1) // it is not known

// What is known of an object before the names of classes are.
typedef struct object_note {
    uint64_t class_address;
    uint32_t what; // of texts: its type, as Ruby has it, or what kind of that
    uint32_t name; // of a class: its name; MC_NONE: none
    uint32_t site; // SITE_NONE: not known
} object_note;

// What roots refer to, until objects are known.
typedef struct root_note {
    mc_ruby_span name;
    size_t begin, count; // of root_addresses
} root_note;

typedef struct reader {
    mc_object_heap *heap;
    const char *begin, *end;
    bool is_mapped;
    object_note *notes;
    mc_ruby_edges edges;
    root_note *roots;
    size_t root_count;
    mc_ruby_addresses root_addresses;
    size_t note_capacity, size_capacity, id_capacity, birth_capacity, root_capacity;
    mc_object_ids ids;
    mc_strings site_keys; // files and lines
    uint32_t *sites;      // by key: the text
    size_t site_capacity;
    uint32_t field_label, class_label, block_label;
    uint64_t wrong_count;
    bool is_cut, has_births;
    uint64_t first_birth, last_birth; // of objects that say it
    mc_text text;
    mc_error *error;
} reader;

bool mc_ruby_detect(const void *data, size_t size) {
    static const char *const begins[] = {"{\"type\":\"ROOT\"", "{\"address\":\"0x"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (size >= strlen(begins[i]) && memcmp(data, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static mc_result out_of_memory(const reader *self) {
    return mc_error_out_of_memory(self->error);
}

// ---- objects

static uint32_t find_object(const reader *self, uint64_t address) {
    return mc_object_ids_find(&self->ids, self->heap, address);
}

static uint32_t add_span(reader *self, mc_ruby_span span) {
    size_t size = span.size < NAME_MOST ? span.size : NAME_MOST;
    return mc_object_heap_add_text(self->heap, size > 0 ? span.text : "", size);
}

static bool is(mc_ruby_span text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.text, wanted, text.size) == 0;
}

// "leak.rb:5", with the last part of the path.
static uint32_t add_site(reader *self, const mc_ruby_row *row) {
    if (row->file.size == 0) return SITE_NONE;
    mc_text_clear(&self->text);
    mc_text_append(&self->text, (const char *)&row->line, sizeof row->line);
    mc_text_append(&self->text, row->file.text, row->file.size);
    if (self->text.failed) return MC_NONE;
    const uint32_t count = self->site_keys.count;
    const uint32_t key = mc_strings_intern(&self->site_keys, self->text.data, self->text.size);
    if (key < count) return self->sites[key];
    if (key == MC_NONE ||
        !mc_reserve(&self->sites, &self->site_capacity, (size_t)key + 1, sizeof *self->sites))
        return MC_NONE;
    mc_text_clear(&self->text);
    mc_text_append(&self->text, row->file.text, row->file.size);
    mc_text_format(&self->text, ":%" PRIu64, row->line);
    return self->sites[key] =
               self->text.failed
                   ? MC_NONE
                   : mc_object_heap_add_text(self->heap, self->text.data, self->text.size);
}

static bool make_note(reader *self, const mc_ruby_row *row, object_note *note) {
    mc_ruby_span what = row->type;
    *note = (object_note){.class_address = row->class_address, .name = MC_NONE};
    mc_text_clear(&self->text);
    if (is(row->type, "IMEMO") || is(row->type, "DATA")) {
        const mc_ruby_span kind = is(row->type, "DATA") ? row->structure : row->imemo_type;
        mc_text_append(&self->text, row->type.text, row->type.size);
        mc_text_append(&self->text, " ", 1);
        mc_text_append(&self->text, kind.size > 0 ? kind.text : "", kind.size);
        what = (mc_ruby_span){mc_text_get(&self->text), self->text.size};
    }
    note->what = add_span(self, what);
    const mc_ruby_span name = row->name.size > 0 ? row->name : row->real_class_name;
    bool is_class = is(row->type, "CLASS") || is(row->type, "MODULE") || is(row->type, "ICLASS");
    if (is_class && name.size > 0) note->name = add_span(self, name);
    note->site = add_site(self, row);
    return note->what != MC_NONE && note->site != MC_NONE &&
           (!is_class || name.size == 0 || note->name != MC_NONE);
}

// A generation that nothing can have reached says nothing.
static bool add_birth(reader *self, uint64_t generation) {
    uint64_t **births = &self->heap->births.births;
    const size_t count = (size_t)self->heap->object_count + 1;
    if (!self->has_births) return true;
    if (!mc_reserve(births, &self->birth_capacity, count, sizeof **births)) return false;
    if (generation > GENERATION_MOST) generation = 0;
    (*births)[count - 1] = generation;
    if (generation > 0 && (self->first_birth == 0 || generation < self->first_birth))
        self->first_birth = generation;
    if (generation > self->last_birth) self->last_birth = generation;
    return true;
}

// From the collection before the first one that an object names, a second each.
static bool choose_moments(reader *self, uint32_t most) {
    mc_object_births *births = &self->heap->births;
    if (!self->has_births || self->first_birth == 0) return true;
    const uint64_t span = self->last_birth - self->first_birth + 2;
    const uint32_t count = span < most ? (uint32_t)span : most;
    mc_object_moment *moments = mc_alloc((size_t)count + 1, sizeof *moments);
    if (!moments) return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = (i + 1) * span / count - 1;
        moments[i] = (mc_object_moment){self->first_birth - 1 + at, (int64_t)at * 1000};
    }
    births->is_of_collections = true;
    bool is_done = mc_object_births_choose(births, moments, count, most);
    mc_free(moments);
    return is_done;
}

// How it refers to others.
static uint32_t choose_label(const reader *self, const mc_ruby_row *row) {
    if (is(row->type, "CLASS") || is(row->type, "MODULE")) return self->class_label;
    if (is(row->type, "OBJECT") || is(row->type, "STRUCT")) return self->field_label;
    return is(row->type, "IMEMO") && is(row->imemo_type, "env") ? self->block_label : 0;
}

static mc_result add_object(reader *self, const mc_ruby_row *row, const uint64_t *references) {
    mc_object_heap *heap = self->heap;
    const size_t count = (size_t)heap->object_count + 1;
    if (row->address == 0 || is(row->type, "NONE") || is(row->type, "SHAPE") ||
        mc_object_ids_is_taken(&self->ids, heap, row->address))
        return MC_OK;
    if (count >= MC_NONE / 4)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many objects: more than 2^30");
    if (!mc_reserve(&heap->object_ids, &self->id_capacity, count, sizeof *heap->object_ids) ||
        !mc_reserve(&heap->object_sizes, &self->size_capacity, count, sizeof *heap->object_sizes) ||
        !mc_reserve(&self->notes, &self->note_capacity, count, sizeof *self->notes) ||
        !mc_object_ids_reserve(&self->ids) || !add_birth(self, row->generation) ||
        !make_note(self, row, &self->notes[count - 1]) ||
        !mc_ruby_edges_add(&self->edges, heap->object_count, references, row->reference_count,
                           choose_label(self, row)))
        return out_of_memory(self);
    heap->object_ids[count - 1] = row->address;
    heap->object_sizes[count - 1] = row->size;
    mc_object_ids_enter(&self->ids, row->address, heap->object_count++);
    return MC_OK;
}

static mc_result note_root(reader *self, const mc_ruby_row *row, const uint64_t *references) {
    mc_ruby_addresses *into = &self->root_addresses;
    if (row->reference_count == 0) return MC_OK;
    if (!mc_reserve(&self->roots, &self->root_capacity, self->root_count + 1,
                    sizeof *self->roots) ||
        !mc_reserve(&into->items, &into->capacity, into->count + row->reference_count,
                    sizeof *into->items))
        return out_of_memory(self);
    self->roots[self->root_count++] = (root_note){row->root, into->count, row->reference_count};
    memcpy(into->items + into->count, references, row->reference_count * sizeof *references);
    into->count += row->reference_count;
    return MC_OK;
}

static mc_result take_slice(void *user, const mc_ruby_slice *slice) {
    reader *self = user;
    mc_result result = MC_OK;
    for (size_t i = 0; i < slice->row_count && result == MC_OK; i++) {
        const mc_ruby_row *row = &slice->rows[i];
        if (i + AHEAD < slice->row_count) mc_object_ids_prefetch(&self->ids, row[AHEAD].address);
        const uint64_t *references =
            row->reference_count > 0 ? slice->addresses.items + row->references : NULL;
        result = is(row->type, "ROOT") ? note_root(self, row, references)
                                       : add_object(self, row, references);
    }
    self->wrong_count += slice->wrong_count;
    self->is_cut |= slice->is_cut;
    if (self->is_mapped)
        mc_file_map_give_back((const unsigned char *)self->begin,
                              (uint64_t)(slice->begin - self->begin),
                              (uint64_t)(slice->end - self->begin));
    return result;
}

static mc_result report(void *user, const char *at) {
    const reader *self = user;
    return mc_object_heap_report(self->heap, 0, (uint64_t)(at - self->begin),
                                 (uint64_t)(self->end - self->begin), self->error);
}

static mc_result read_objects(reader *self) {
    const mc_ruby_slices_desc desc = {.begin = self->begin,
                                      .end = self->end,
                                      .thread_count = self->heap->heap.thread_count,
                                      .take = take_slice,
                                      .report = report,
                                      .user = self};
    mc_result result = mc_ruby_slices_read(&desc);
    return result == MC_ERROR_OUT_OF_MEMORY ? out_of_memory(self) : result;
}

// ---- types

static const char *get_text(const reader *self, uint32_t text) {
    return mc_strings_get(&self->heap->texts, text, NULL);
}

// The name of a class; MC_NONE: it has none.
static uint32_t find_class_name(const reader *self, uint64_t address) {
    const uint32_t class = address == 0 ? MC_NONE : find_object(self, address);
    return class == MC_NONE ? MC_NONE : self->notes[class].name;
}

static bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_library_path(const char *path) {
    return begins_with(path, "<internal:") || strstr(path, "/gems/") || strstr(path, "/lib/ruby/");
}

static bool is_library_class(const char *name) {
    static const char *const names[] = {"Gem", "RubyVM",   "Thread",      "Monitor",    "Encoding",
                                        "IRB", "RbConfig", "ObjectSpace", "Enumerator", "Object"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        if (begins_with(name, names[i]) && (name[size] == '\0' || name[size] == ':')) return true;
    }
    return false;
}

static bool is_container(const char *what) {
    return strcmp(what, "HASH") == 0 || strcmp(what, "ARRAY") == 0;
}

// What an extension's object is, if it has no class of its own; NULL: it has one. The recorder's
// table grows as the program allocates.
static const char *find_structure(const char *what, const char *class_name) {
    static const char data[] = "DATA ", table[] = "ObjectTracing/allocation_info_tracer";
    if (strcmp(class_name, "Object") != 0 || !begins_with(what, data)) return NULL;
    what += strlen(data);
    if (strcmp(what, table) == 0) return "tracing table of trace_object_allocations";
    return what[0] ? what : NULL;
}

// Appends what an object is called: "Session", "class Session", "Hash".
static void append_class(reader *self, const object_note *note, mc_text *text) {
    const char *what = get_text(self, note->what);
    const bool is_class = strcmp(what, "CLASS") == 0 || strcmp(what, "MODULE") == 0;
    const uint32_t name = is_class ? note->name : find_class_name(self, note->class_address);
    // What the interpreter has for itself has a class, too, that is none of its own.
    bool is_own = strncmp(what, "IMEMO", 5) == 0 || strcmp(what, "ICLASS") == 0;
    const char *structure = name == MC_NONE ? NULL : find_structure(what, get_text(self, name));
    if (is_class) mc_text_append_string(text, strcmp(what, "CLASS") == 0 ? "class " : "module ");
    if (is_own)
        mc_text_append_string(text, what);
    else if (name != MC_NONE)
        mc_text_append_string(text, structure ? structure : get_text(self, name));
    else
        mc_text_append_string(text, is_class ? "(without a name)" : what);
}

static uint32_t find_type(reader *self, const object_note *note) {
    const bool has_site = note->site != SITE_NONE;
    const char *what = get_text(self, note->what);
    const char *path = has_site ? get_text(self, note->site) : "";
    const bool is_of_program = has_site && !is_library_path(path);
    const bool is_instance = strcmp(what, "OBJECT") == 0 || strcmp(what, "STRUCT") == 0;
    uint32_t flags = is_container(what) ? MC_OBJECT_ARRAY : 0;
    mc_text *title = &self->text;
    mc_text_clear(title);
    append_class(self, note, title);
    if (title->failed) return MC_NONE;
    if (is_container(what) ? is_of_program : is_instance && !is_library_class(mc_text_get(title)))
        flags |= MC_OBJECT_PROGRAM;
    const size_t size = title->size; // of the class alone
    const char *slash = strrchr(path, '/');
    if (is_container(what) && is_of_program)
        mc_text_format(title, " made at %s", slash ? slash + 1 : path);
    if (title->failed) return MC_NONE;
    const mc_heap_key keys[LEVELS] = {{path, strlen(path)}, {mc_text_get(title), size}};
    return mc_object_heap_find_type(self->heap, keys,
                                    (mc_heap_key){mc_text_get(title), title->size}, flags);
}

static bool is_same_note(const object_note *a, const object_note *b) {
    return a->class_address == b->class_address && a->what == b->what && a->name == b->name &&
           a->site == b->site;
}

// Objects of one class and site have one type, and are many.
static mc_result find_types(reader *self) {
    typedef struct known_note {
        object_note note;
        uint32_t type;
        bool is_set;
    } known_note;
    mc_object_heap *heap = self->heap;
    known_note *known = mc_alloc_zero(NOTES_KNOWN, sizeof *known);
    heap->object_types = mc_alloc((size_t)heap->object_count + 1, sizeof *heap->object_types);
    mc_result result = known && heap->object_types ? MC_OK : out_of_memory(self);
    assert(self->notes || heap->object_count == 0);
    for (uint32_t i = 0; i < heap->object_count && result == MC_OK; i++) {
        const object_note *note = &self->notes[i];
        const uint64_t key = (uint64_t)note->site << 32 | note->what;
        known_note *like = &known[mc_hash_u64(key, note->class_address) % NOTES_KNOWN];
        if (!like->is_set || !is_same_note(&like->note, note))
            *like = (known_note){*note, find_type(self, note), true};
        heap->object_types[i] = like->type;
        if (like->type == MC_NONE) result = out_of_memory(self);
    }
    mc_free(known);
    return result;
}

// ---- references and roots

static const struct {
    const char *name, *words;
    mc_root_kind kind;
} roots[] = {{"machine_context", "a method that runs", MC_ROOT_STACK},
             {"global_tbl", "a global variable", MC_ROOT_GLOBAL},
             {"global_list", "the C code of extensions", MC_ROOT_HANDLE},
             {"finalizers", "the list of finalizers", MC_ROOT_VM_INTERNAL}};

static mc_result add_root(reader *self, const root_note *root) {
    mc_root_kind kind = MC_ROOT_VM_INTERNAL;
    uint32_t text = MC_NONE;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && text == MC_NONE; i++) {
        if (!is(root->name, roots[i].name)) continue;
        kind = roots[i].kind;
        text = mc_object_heap_add_text(self->heap, roots[i].words, strlen(roots[i].words));
        if (text == MC_NONE) return out_of_memory(self);
    }
    if (text == MC_NONE) { // "vm", "end_proc"
        mc_text_clear(&self->text);
        mc_text_append_string(&self->text, "the interpreter (");
        mc_text_append(&self->text, root->name.text, root->name.size);
        mc_text_append_string(&self->text, ")");
        text = mc_object_heap_add_text(self->heap, mc_text_get(&self->text), self->text.size);
    }
    if (text == MC_NONE) return out_of_memory(self);
    for (size_t i = 0; i < root->count; i++) {
        const uint32_t object = find_object(self, self->root_addresses.items[root->begin + i]);
        if (object != MC_NONE && !mc_object_heap_add_root(self->heap, object, kind, text))
            return out_of_memory(self);
    }
    return MC_OK;
}

static mc_result read_references(reader *self) {
    mc_result result = mc_ruby_edges_find(&self->edges, self->heap, &self->ids, self->error);
    for (size_t i = 0; i < self->root_count && result == MC_OK; i++)
        result = add_root(self, &self->roots[i]);
    return result;
}

// ---- all of it

static mc_result begin(reader *self) {
    static const char field[] = "(instance variable)", variable[] = "(constant or class variable)";
    static const char of_block[] = "a variable of a block";
    uint32_t a = mc_object_heap_add_text(self->heap, field, sizeof field - 1);
    uint32_t b = mc_object_heap_add_text(self->heap, variable, sizeof variable - 1);
    uint32_t c = mc_object_heap_add_text(self->heap, of_block, sizeof of_block - 1);
    if (a == MC_NONE || b == MC_NONE || c == MC_NONE) return out_of_memory(self);
    self->block_label = mc_object_heap_find_label(self->heap, c, MC_HEAP_LINK_FIELD, true);
    self->field_label = mc_object_heap_find_label(self->heap, a, MC_HEAP_LINK_FIELD, false);
    self->class_label = mc_object_heap_find_label(self->heap, b, MC_HEAP_LINK_FIELD, false);
    bool is_done = self->field_label != MC_NONE && self->class_label != MC_NONE &&
                   self->block_label != MC_NONE;
    return is_done ? MC_OK : out_of_memory(self);
}

static void tell_damage(const reader *self, mc_text *damage) {
    if (self->is_cut) mc_text_append_string(damage, "its last line is cut off");
    if (self->wrong_count > 0)
        mc_text_format(damage, "%s%" PRIu64 " lines are no JSON", damage->size > 0 ? "; " : "",
                       self->wrong_count);
}

static mc_result read_dump(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                           mc_object_heap *heap, mc_text *damage, mc_error *error) {
    reader self = {.heap = heap, .begin = (const char *)data, .error = error};
    self.has_births = desc->is_by_generation && desc->moment_count > 0;
    self.ids.seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)&self;
    self.end = self.begin + size;
    self.is_mapped = desc->is_mapped;
    mc_result result = mc_object_heap_init(heap, classifiers, LEVELS, desc->thread_count, error);
    if (result == MC_OK) result = begin(&self);
    if (result == MC_OK) result = read_objects(&self);
    if (result == MC_OK && heap->object_count == 0)
        result = mc_error_set(error, MC_ERROR_BAD_DATA, 0, "no line has an object of Ruby");
    if (result == MC_OK && !choose_moments(&self, desc->moment_count))
        result = out_of_memory(&self);
    if (result == MC_OK) result = find_types(&self);
    if (result == MC_OK) result = read_references(&self);
    if (result == MC_OK) tell_damage(&self, damage);
    mc_free(self.notes);
    mc_ruby_edges_deinit(&self.edges);
    mc_free(self.roots);
    mc_free(self.root_addresses.items);
    mc_free(self.sites);
    mc_strings_deinit(&self.site_keys);
    mc_slots_deinit(&self.ids.slots);
    mc_text_deinit(&self.text);
    return result == MC_OK ? mc_object_heap_end(heap, error) : result;
}

const mc_object_reader mc_ruby_reader = {.read = read_dump};
