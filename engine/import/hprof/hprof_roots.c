#include "engine/import/hprof/hprof_roots.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_fields.h"
#include "engine/trace/notes.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DETAILS_MAX (1u << 20)
#define THREADS_MAX (1u << 16) // whose names are told

// What is known of a root. Interned as bytes, so without padding.
typedef struct root_detail {
    uint64_t class_id; // of a system class
    uint32_t kind;
    uint32_t thread; // serial number; MC_NONE: none
    uint32_t frame;  // of its stack trace; MC_NONE: none
    uint32_t zero;
} root_detail;
_Static_assert(sizeof(root_detail) == 24, "no padding");

void mc_hprof_root_notes_deinit(mc_hprof_root_notes *notes) {
    mc_strings_deinit(&notes->details);
    mc_heap_pairs_deinit(&notes->roots);
    mc_hprof_table_deinit(&notes->threads);
    mc_hprof_table_deinit(&notes->traces);
}

// ---- noting

bool mc_hprof_get_root_kind(uint8_t tag, mc_root_kind *kind) {
    switch (tag) {
    case 0x01: *kind = MC_ROOT_JNI_GLOBAL; return true;
    case 0x02: *kind = MC_ROOT_JNI_LOCAL; return true;
    case 0x03: *kind = MC_ROOT_STACK; return true;
    case 0x04: *kind = MC_ROOT_NATIVE_STACK; return true;
    case 0x05: *kind = MC_ROOT_SYSTEM_CLASS; return true;
    case 0x06: *kind = MC_ROOT_THREAD_BLOCK; return true;
    case 0x07: *kind = MC_ROOT_MONITOR; return true;
    case 0x08: *kind = MC_ROOT_THREAD; return true;
    case 0x89: *kind = MC_ROOT_INTERNED_STRING; return true;
    case 0x8a: *kind = MC_ROOT_FINALIZING; return true;
    case 0x8b: *kind = MC_ROOT_DEBUGGER; return true;
    case 0x8c: *kind = MC_ROOT_REFERENCE_CLEANUP; return true;
    case 0x8d: *kind = MC_ROOT_VM_INTERNAL; return true;
    case 0x8e: *kind = MC_ROOT_JNI_MONITOR; return true;
    case 0xff: *kind = MC_ROOT_UNKNOWN; return true;
    default: return false;
    }
}

static bool put(mc_hprof_table *table, uint64_t key, uint64_t value) {
    if (table->count >= DETAILS_MAX) return true;
    uint64_t *slot = mc_hprof_table_put(table, key);
    // Of two the lower, whoever came first.
    if (slot && (*slot == MC_HPROF_NO_VALUE || value < *slot)) *slot = value;
    return slot != NULL;
}

static bool count_root(mc_hprof_root_notes *notes, uint32_t leaf, const root_detail *detail,
                       uint64_t count) {
    root_detail known = *detail;
    if (notes->details.count >= DETAILS_MAX)
        known = (root_detail){.kind = detail->kind, .thread = MC_NONE, .frame = MC_NONE};
    uint32_t index = mc_strings_intern(&notes->details, (const char *)&known, sizeof known);
    mc_heap_pair *pair = index == MC_NONE ? NULL : mc_heap_pairs_put(&notes->roots, leaf, index);
    if (pair) pair->points_to += count;
    return pair != NULL;
}

bool mc_hprof_root_notes_add(mc_hprof_root_notes *notes, const unsigned char *record,
                             uint32_t id_size, uint32_t leaf) {
    const unsigned char *rest = record + 1 + id_size;
    mc_root_kind kind;
    root_detail detail = {.thread = MC_NONE, .frame = MC_NONE};
    if (!mc_hprof_get_root_kind(*record, &kind)) return true;
    detail.kind = kind;
    switch (kind) {
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL:
        detail.frame = mc_hprof_read_u4(rest + 4); // and the thread
    // fall through
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD_BLOCK: detail.thread = mc_hprof_read_u4(rest); break;
    case MC_ROOT_THREAD:
        detail.thread = mc_hprof_read_u4(rest);
        if (!put(&notes->threads, detail.thread, mc_hprof_read_id(record + 1, id_size)) ||
            !put(&notes->traces, detail.thread, mc_hprof_read_u4(rest + 4)))
            return false;
        break;
    case MC_ROOT_SYSTEM_CLASS: detail.class_id = mc_hprof_read_id(record + 1, id_size); break;
    default: break;
    }
    return count_root(notes, leaf, &detail, 1);
}

static bool merge_table(mc_hprof_table *into, const mc_hprof_table *from) {
    bool is_done = true;
    for (size_t i = 0; i < from->slot_count && is_done; i++)
        if (from->slots[i].value != MC_HPROF_NO_VALUE)
            is_done = put(into, from->slots[i].key, from->slots[i].value);
    return is_done;
}

static root_detail get_detail(const mc_hprof_root_notes *notes, uint32_t index) {
    root_detail detail;
    memcpy(&detail, mc_strings_get(&notes->details, index, NULL), sizeof detail);
    return detail;
}

bool mc_hprof_root_notes_merge(mc_hprof_root_notes *notes, const mc_hprof_root_notes *other) {
    bool is_done = merge_table(&notes->threads, &other->threads) &&
                   merge_table(&notes->traces, &other->traces);
    for (size_t i = 0; i < other->roots.slot_count && is_done; i++) {
        const mc_heap_pair *pair = &other->roots.slots[i];
        if (pair->points_to == 0) continue;
        root_detail detail = get_detail(other, (uint32_t)pair->key);
        is_done = count_root(notes, (uint32_t)(pair->key >> 32), &detail, pair->points_to);
    }
    return is_done;
}

// ---- as they are

void mc_hprof_root_records_deinit(mc_hprof_root_records *records) {
    mc_free(records->items);
    *records = (mc_hprof_root_records){.items = NULL};
}

bool mc_hprof_root_records_add(mc_hprof_root_records *records, const unsigned char *record,
                               uint32_t id_size, uint32_t target) {
    size_t size = 1 + (size_t)mc_hprof_measure_root(*record, id_size);
    if (!mc_reserve(&records->items, &records->capacity, records->count + 1,
                    sizeof *records->items))
        return false;
    mc_hprof_root_record *added = &records->items[records->count++];
    *added = (mc_hprof_root_record){.target = target};
    memcpy(added->record, record, size < sizeof added->record ? size : sizeof added->record);
    return true;
}

bool mc_hprof_root_records_merge(mc_hprof_root_records *records,
                                 const mc_hprof_root_records *other) {
    size_t count = records->count + other->count;
    if (!mc_reserve(&records->items, &records->capacity, count, sizeof *records->items))
        return false;
    if (other->count > 0)
        memcpy(records->items + records->count, other->items, other->count * sizeof *other->items);
    records->count = count;
    return true;
}

static uint32_t get_serial(const mc_hprof_root_record *record, uint32_t id_size) {
    return mc_hprof_read_u4(record->record + 1 + id_size);
}

// Whose record has its thread's serial number.
static bool is_of_thread(mc_root_kind kind) {
    return kind == MC_ROOT_STACK || kind == MC_ROOT_JNI_LOCAL || kind == MC_ROOT_NATIVE_STACK ||
           kind == MC_ROOT_THREAD_BLOCK;
}

static bool is_thread(const mc_hprof_root_record *record) {
    return *record->record == MC_HPROF_ROOT_THREAD;
}

static bool list_holders(const mc_hprof_root_records *records, uint32_t id_size,
                         mc_hprof_table *threads, mc_heap_root_holders *holders) {
    for (size_t i = 0; i < records->count; i++) {
        const mc_hprof_root_record *record = &records->items[i];
        uint64_t thread = MC_HPROF_NO_VALUE;
        mc_root_kind kind;
        if (is_thread(record) || !mc_hprof_get_root_kind(*record->record, &kind)) continue;
        if (is_of_thread(kind)) thread = mc_hprof_table_get(threads, get_serial(record, id_size));
        if (!mc_reserve(&holders->items, &holders->capacity, holders->count + 1,
                        sizeof *holders->items))
            return false;
        holders->items[holders->count++] = (mc_heap_root_holder){
            record->target, thread == MC_HPROF_NO_VALUE ? 0 : (uint32_t)thread};
    }
    return true;
}

bool mc_hprof_root_records_list_holders(const mc_hprof_root_records *records, uint32_t id_size,
                                        mc_heap_root_holders *holders) {
    mc_hprof_table threads = {0}; // serial number: position
    bool is_done = true;
    for (size_t i = 0; i < records->count && is_done; i++) {
        const mc_hprof_root_record *record = &records->items[i];
        if (!is_thread(record)) continue;
        uint64_t *thread = mc_hprof_table_put(&threads, get_serial(record, id_size));
        is_done = thread != NULL;
        // Of two with one number the lower, whoever came first.
        if (thread && (*thread == MC_HPROF_NO_VALUE || record->target < *thread))
            *thread = record->target;
    }
    is_done = is_done && list_holders(records, id_size, &threads, holders);
    mc_hprof_table_deinit(&threads);
    return is_done;
}

// ---- telling

typedef struct teller {
    const mc_hprof_root_notes *notes;
    mc_hprof_lookup *lookup;
    mc_strings *names;
    mc_text text, part;
    bool is_general; // of alike threads and lines the texts are the same
} teller;

// Stage 0: the threads, 1: the strings that are their names, 2: the characters.
static bool want_names(teller *self, uint32_t stage) {
    const mc_hprof_table *threads = &self->notes->threads;
    mc_hprof_lookup *lookup = self->lookup;
    bool is_done = true;
    size_t count = 0;
    for (size_t i = 0; i < threads->slot_count && is_done && count < THREADS_MAX; i++) {
        uint64_t id = threads->slots[i].value;
        if (id == MC_HPROF_NO_VALUE) continue;
        count++;
        if (stage > 0)
            id = mc_hprof_lookup_get_reference(lookup, mc_hprof_lookup_get_offset(lookup, id),
                                               "name");
        if (stage > 1)
            id = mc_hprof_lookup_get_reference(lookup, mc_hprof_lookup_get_offset(lookup, id),
                                               "value");
        is_done = mc_hprof_lookup_want(lookup, id);
    }
    return is_done;
}

static mc_result find_names(teller *self, mc_error *error) {
    mc_result result = MC_OK;
    if (self->notes->threads.count == 0) return MC_OK;
    for (uint32_t stage = 0; stage < 3 && result == MC_OK; stage++)
        result = want_names(self, stage) ? mc_hprof_lookup_run(self->lookup)
                                         : mc_error_out_of_memory(error);
    return result;
}

// Numbers of a thread's name are those of its pool, mostly.
static void append_thread_name(teller *self) {
    const char *name = self->part.data;
    for (size_t i = 0; i < self->part.size; i++) {
        bool is_digit = self->is_general && name[i] >= '0' && name[i] <= '9';
        if (!is_digit)
            mc_text_append(&self->text, name + i, 1);
        else if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9')
            mc_text_append(&self->text, "#", 1);
    }
}

// Its name in quotes, or its number.
static void append_which_thread(teller *self, uint32_t serial) {
    uint64_t id = mc_hprof_table_get(&self->notes->threads, serial);
    uint64_t name = mc_hprof_lookup_get_reference(
        self->lookup, mc_hprof_lookup_get_offset(self->lookup, id), "name");
    if (mc_hprof_lookup_get_string(self->lookup, name, &self->part)) {
        mc_text_append(&self->text, "\"", 1);
        append_thread_name(self);
        mc_text_append(&self->text, "\"", 1);
    } else if (self->is_general) {
        mc_text_append(&self->text, "#", 1);
    } else {
        mc_text_format(&self->text, "%" PRIu32, serial);
    }
}

static void append_thread(teller *self, uint32_t serial) {
    mc_text_append_string(&self->text, "thread ");
    append_which_thread(self, serial);
}

// Names come from the dump; what is no UTF-8 becomes U+FFFD. Returns the size of the package in it.
static size_t append_string(teller *self, uint64_t string, const char *otherwise) {
    size_t size = 0, package_size = 0;
    bool is_primitive;
    const char *text = string == MC_HPROF_NO_VALUE
                           ? NULL
                           : mc_hprof_file_get_string(self->lookup->file, string, &size);
    if (text && size > 0)
        mc_class_name_append(&self->text, text, size, &package_size, &is_primitive);
    else
        mc_text_append_string(&self->text, otherwise);
    return package_size;
}

static bool find_frame(const teller *self, uint32_t thread, uint32_t index, mc_hprof_frame *frame) {
    uint64_t trace = mc_hprof_table_get(&self->notes->traces, thread);
    return trace != MC_HPROF_NO_VALUE &&
           mc_hprof_file_get_frame(self->lookup->file, (uint32_t)trace, index, frame);
}

static bool is_string(const teller *self, uint64_t string, const char *expected) {
    size_t size = 0;
    const char *text = string == MC_HPROF_NO_VALUE
                           ? NULL
                           : mc_hprof_file_get_string(self->lookup->file, string, &size);
    return mc_hprof_is_text(text, size, expected);
}

static void append_method(teller *self, const mc_hprof_frame *frame) {
    append_string(self, frame->class_name, "(unknown)");
    mc_text_append(&self->text, ".", 1);
    append_string(self, frame->method, "(unknown)");
    if (frame->line <= 0 || self->is_general) return;
    mc_text_append(&self->text, "(", 1);
    append_string(self, frame->source, "line");
    mc_text_format(&self->text, ":%" PRId32 ")", frame->line);
}

static void append_frame(teller *self, uint32_t thread, uint32_t index) {
    mc_hprof_frame frame;
    if (!find_frame(self, thread, index, &frame)) return;
    mc_text_append_string(&self->text, " in ");
    append_method(self, &frame);
}

static uint32_t tell(teller *self, const root_detail *detail) {
    const mc_hprof_classes *classes = self->lookup->classes;
    mc_text_clear(&self->text);
    if (detail->kind == MC_ROOT_SYSTEM_CLASS && detail->class_id != 0) {
        uint32_t class = mc_hprof_classes_find(classes, detail->class_id);
        mc_text_append_string(&self->text, "class ");
        if (class == MC_NONE)
            mc_text_append_string(&self->text, "(unknown)");
        else
            mc_hprof_append_class(classes, class, true, &self->text);
    } else if (detail->thread != MC_NONE) {
        append_thread(self, detail->thread);
        if (detail->frame != MC_NONE) append_frame(self, detail->thread, detail->frame);
    } else {
        mc_text_append_string(&self->text, mc_root_kind_names[detail->kind]);
    }
    if (self->text.failed) return MC_NONE;
    return mc_strings_intern(self->names, self->text.data, self->text.size);
}

// ---- the thread that ran out of memory

#define MOST_FRAMES 200u // that are looked at
#define MOST_INNER 2u    // that are told
#define MOST_OWN 3u      // that are told of the program's
#define MOST_TOLD_SIZE 380u

// JVMs write an OutOfMemoryError's constructor above the frames of the thread whose error it is.
static uint32_t find_thrower(const teller *self) {
    const mc_hprof_table *traces = &self->notes->traces;
    uint32_t found = MC_NONE;
    for (size_t i = 0; i < traces->slot_count; i++) {
        mc_hprof_frame frame;
        uint32_t thread = (uint32_t)traces->slots[i].key;
        if (traces->slots[i].value == MC_HPROF_NO_VALUE || thread >= found ||
            !find_frame(self, thread, 0, &frame))
            continue;
        if (is_string(self, frame.class_name, "java/lang/OutOfMemoryError") &&
            is_string(self, frame.method, "<init>"))
            found = thread;
    }
    return found;
}

static bool is_of_jdk(const teller *self, const mc_hprof_frame *frame) {
    static const char *const packages[] = {"java/", "javax/", "jdk/", "sun/"};
    size_t size = 0;
    const char *name = frame->class_name == MC_HPROF_NO_VALUE
                           ? NULL
                           : mc_hprof_file_get_string(self->lookup->file, frame->class_name, &size);
    for (size_t i = 0; name && i < sizeof packages / sizeof *packages; i++)
        if (size > strlen(packages[i]) && memcmp(name, packages[i], strlen(packages[i])) == 0)
            return true;
    return false;
}

// The innermost frames, and the innermost of the program's own; what does not fit is left out.
static void append_stack(teller *self, uint32_t thread, mc_text *told) {
    mc_hprof_frame frame;
    uint32_t own_count = 0, last = 0;
    for (uint32_t i = 1; i < MOST_FRAMES && own_count < MOST_OWN; i++) {
        if (!find_frame(self, thread, i, &frame)) break;
        bool is_own = !is_of_jdk(self, &frame);
        own_count += is_own;
        if (!is_own && i > MOST_INNER) continue;
        mc_text_clear(&self->text);
        append_method(self, &frame);
        if (told->size + self->text.size + 16 > MOST_TOLD_SIZE) break;
        mc_text_append_string(told, last == 0 ? " at " : i == last + 1 ? " ← " : " ← … ← ");
        mc_text_append(told, mc_text_get(&self->text), self->text.size);
        last = i;
    }
}

static void tell_thrower(teller *self, mc_text *told) {
    uint32_t thread = find_thrower(self);
    if (thread == MC_NONE) return;
    mc_text_clear(&self->text);
    append_which_thread(self, thread);
    mc_text_append_string(told, MC_NOTE_OUT_OF_MEMORY);
    if (self->text.size <= MOST_TOLD_SIZE / 2)
        mc_text_append(told, mc_text_get(&self->text), self->text.size);
    else
        mc_text_format(told, "%" PRIu32, thread);
    append_stack(self, thread, told);
    told->failed |= self->text.failed;
}

typedef struct counted_root {
    root_detail detail;
    uint64_t count;
    uint32_t leaf;
} counted_root;

static int compare_counted_roots(const void *a, const void *b) {
    const counted_root *x = a, *y = b;
    if (x->leaf != y->leaf) return x->leaf < y->leaf ? -1 : 1;
    return memcmp(&x->detail, &y->detail, sizeof x->detail);
}

// In an order that does not depend on threads. NULL: out of memory.
static counted_root *list_roots(const mc_hprof_root_notes *notes, size_t *count) {
    counted_root *list = mc_alloc_scattered(notes->roots.count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < notes->roots.slot_count; i++) {
        const mc_heap_pair *pair = &notes->roots.slots[i];
        if (pair->points_to == 0) continue;
        list[(*count)++] = (counted_root){get_detail(notes, (uint32_t)pair->key), pair->points_to,
                                          (uint32_t)(pair->key >> 32)};
    }
    if (*count > 1) qsort(list, *count, sizeof *list, compare_counted_roots);
    return list;
}

mc_result mc_hprof_roots_tell(mc_heap_leaf_roots *roots, const mc_hprof_root_notes *notes,
                              mc_hprof_lookup *lookup, mc_strings *names, mc_text *thrower,
                              mc_error *error) {
    teller self = {.notes = notes, .lookup = lookup, .names = names};
    size_t count;
    mc_result result = find_names(&self, error);
    if (result == MC_OK) tell_thrower(&self, thrower);
    if (thrower->failed && result == MC_OK) result = mc_error_out_of_memory(error);
    counted_root *list = list_roots(notes, &count);
    if (!list && result == MC_OK) result = mc_error_out_of_memory(error);
    for (size_t i = 0; i < count && result == MC_OK; i++) {
        const counted_root *of = &list[i];
        uint32_t name = tell(&self, &of->detail);
        mc_heap_leaf_root root = {of->leaf, (mc_root_kind)of->detail.kind, name, of->count};
        if (name == MC_NONE || !mc_heap_leaf_roots_add(roots, root))
            result = mc_error_out_of_memory(error);
    }
    mc_free(list);
    mc_text_deinit(&self.text);
    mc_text_deinit(&self.part);
    return result;
}

// ---- as owners

typedef struct owner_root {
    uint32_t leaf, rank;
    uint32_t thread, frame;
    uint32_t detail;
} owner_root;

// Of one rank the thread that began first, and of its frames the outermost.
static int compare_owner_roots(const void *a, const void *b) {
    const owner_root *x = a, *y = b;
    if (x->leaf != y->leaf) return x->leaf < y->leaf ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    if (x->frame != y->frame) return x->frame > y->frame ? -1 : 1;
    return x->detail < y->detail ? -1 : x->detail > y->detail;
}

static uint32_t rank_root(const root_detail *detail) {
    switch (detail->kind) {
    case MC_ROOT_THREAD: return 0;
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL: return detail->frame != MC_NONE ? 100 : 101;
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD_BLOCK: return 102;
    case MC_ROOT_MONITOR:
    case MC_ROOT_JNI_MONITOR: return 103;
    default: return 1 + detail->kind;
    }
}

// The first of each leaf.
static bool list_owner_roots(const teller *self, const mc_hprof_table *of, owner_root **list,
                             size_t *count) {
    const mc_heap_pairs *roots = &self->notes->roots;
    *list = mc_alloc_scattered(roots->count + 1, sizeof **list);
    for (size_t i = 0; *list && i < roots->slot_count; i++) {
        const mc_heap_pair *pair = &roots->slots[i];
        uint32_t leaf = (uint32_t)(pair->key >> 32), index = (uint32_t)pair->key;
        if (pair->points_to == 0 || mc_hprof_table_get(of, leaf) == MC_HPROF_NO_VALUE) continue;
        root_detail detail = get_detail(self->notes, index);
        (*list)[(*count)++] =
            (owner_root){leaf, rank_root(&detail), detail.thread, detail.frame, index};
    }
    if (!*list) return false;
    qsort(*list, *count, sizeof **list, compare_owner_roots);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (kept == 0 || (*list)[kept - 1].leaf != (*list)[i].leaf) (*list)[kept++] = (*list)[i];
    *count = kept;
    return true;
}

static bool tell_owner(teller *self, const owner_root *root, mc_hprof_table *of,
                       mc_hprof_owner_roots *roots) {
    root_detail detail = get_detail(self->notes, root->detail);
    mc_heap_root told = {.kind = (mc_root_kind)detail.kind, .example = MC_NONE};
    uint64_t *at = mc_hprof_table_put(of, root->leaf);
    self->is_general = true;
    told.name = tell(self, &detail);
    self->is_general = false;
    if (detail.thread != MC_NONE) {
        told.example = tell(self, &detail);
        if (told.example == MC_NONE) return false;
    }
    if (!at || told.name == MC_NONE ||
        !mc_reserve(&roots->items, &roots->capacity, roots->count + 1, sizeof *roots->items))
        return false;
    *at = roots->count;
    roots->items[roots->count++] = told;
    return true;
}

mc_result mc_hprof_roots_tell_owners(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                                     mc_hprof_lookup *lookup, mc_hprof_owner_roots *roots,
                                     mc_error *error) {
    teller self = {.notes = notes, .lookup = lookup, .names = roots->names};
    owner_root *list;
    size_t count = 0;
    mc_result result = find_names(&self, error);
    bool is_done = list_owner_roots(&self, of, &list, &count);
    for (size_t i = 0; i < count && is_done && result == MC_OK; i++)
        is_done = tell_owner(&self, &list[i], of, roots);
    if (result == MC_OK && !is_done) result = mc_error_out_of_memory(error);
    mc_free(list);
    mc_text_deinit(&self.text);
    mc_text_deinit(&self.part);
    return result;
}

// ---- in few words

enum { WEIGHT_LOCK, WEIGHT_THREAD, WEIGHT_METHOD, WEIGHT_LASTING };

typedef struct brief_root {
    uint32_t leaf, weight;
    uint32_t thread, frame;
    uint32_t kind;
} brief_root;

// What says most of a leaf comes first, and then of each thread its outermost frame.
static int compare_brief(const void *a, const void *b) {
    const brief_root *x = a, *y = b;
    if (x->leaf != y->leaf) return x->leaf < y->leaf ? -1 : 1;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    if (x->frame != y->frame) return x->frame > y->frame ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static uint32_t weigh(const teller *self, const root_detail *detail) {
    mc_hprof_frame frame;
    switch (detail->kind) {
    case MC_ROOT_MONITOR:
    case MC_ROOT_JNI_MONITOR: return WEIGHT_LOCK;
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL:
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD:
    case MC_ROOT_THREAD_BLOCK:
        return detail->frame != MC_NONE && find_frame(self, detail->thread, detail->frame, &frame)
                   ? WEIGHT_METHOD
                   : WEIGHT_THREAD;
    default: return WEIGHT_LASTING;
    }
}

// The weightiest of each leaf that is in `of`. False: out of memory.
static bool list_brief(const teller *self, const mc_hprof_table *of, brief_root **list,
                       size_t *count) {
    const mc_heap_pairs *roots = &self->notes->roots;
    *list = mc_alloc_scattered(roots->count + 1, sizeof **list);
    for (size_t i = 0; *list && i < roots->slot_count; i++) {
        const mc_heap_pair *pair = &roots->slots[i];
        uint32_t leaf = (uint32_t)(pair->key >> 32);
        if (pair->points_to == 0 || mc_hprof_table_get(of, leaf) == MC_HPROF_NO_VALUE) continue;
        root_detail detail = get_detail(self->notes, (uint32_t)pair->key);
        (*list)[(*count)++] =
            (brief_root){leaf, weigh(self, &detail), detail.thread, detail.frame, detail.kind};
    }
    if (!*list) return false;
    qsort(*list, *count, sizeof **list, compare_brief);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        const brief_root *root = &(*list)[i], *last = kept > 0 ? &(*list)[kept - 1] : NULL;
        bool is_same = last && last->leaf == root->leaf;
        if (is_same && (last->weight != root->weight ||
                        (root->thread != MC_NONE && last->thread == root->thread)))
            continue;
        (*list)[kept++] = *root;
    }
    *count = kept;
    return true;
}

static uint32_t tell_briefly(teller *self, const brief_root *root) {
    mc_hprof_frame frame;
    size_t skipped = 0;
    mc_text_clear(&self->text);
    if (root->weight == WEIGHT_METHOD && find_frame(self, root->thread, root->frame, &frame)) {
        size_t package_size = append_string(self, frame.class_name, "(unknown)");
        if (package_size > 0) skipped = package_size + 1;
        mc_text_append(&self->text, ".", 1);
        append_string(self, frame.method, "(unknown)");
        mc_text_append_string(&self->text, "()");
    } else if (root->weight == WEIGHT_THREAD && root->thread != MC_NONE) {
        append_thread(self, root->thread);
    } else if (root->kind == MC_ROOT_UNKNOWN) {
        mc_text_append_string(&self->text, "(root)");
    } else {
        mc_text_format(&self->text, "(%s)", mc_root_kind_names[root->kind]);
    }
    if (self->text.failed) return MC_NONE;
    return mc_strings_intern(self->names, self->text.data + skipped, self->text.size - skipped);
}

mc_result mc_hprof_roots_tell_briefly(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                                      mc_hprof_lookup *lookup, mc_strings *names, mc_error *error) {
    teller self = {.notes = notes, .lookup = lookup, .names = names};
    brief_root *list;
    size_t count = 0;
    bool is_done = list_brief(&self, of, &list, &count), has_threads = false;
    for (size_t i = 0; i < count; i++)
        has_threads = has_threads || list[i].weight == WEIGHT_THREAD;
    mc_result result = MC_OK;
    if (is_done && has_threads) result = find_names(&self, error);
    uint32_t several = mc_strings_intern(names, "(several)", strlen("(several)"));
    is_done = is_done && several != MC_NONE;
    for (size_t i = 0; i < count && is_done && result == MC_OK; i++) {
        uint32_t name = tell_briefly(&self, &list[i]);
        uint64_t *at = mc_hprof_table_put(of, list[i].leaf);
        is_done = name != MC_NONE && at;
        if (!is_done) break;
        bool is_first = i == 0 || list[i - 1].leaf != list[i].leaf;
        *at = is_first || *at == name ? name : several;
    }
    if (result == MC_OK && !is_done) result = mc_error_out_of_memory(error);
    mc_free(list);
    mc_text_deinit(&self.text);
    mc_text_deinit(&self.part);
    return result;
}
