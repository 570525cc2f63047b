#include "engine/import/tracemalloc/pickle.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

#define STOP_INTERVAL 65536 // opcodes between two looks at whether to go on

typedef struct list {
    mc_pickle_value *items;
    size_t count, capacity;
} list;

typedef struct instance {
    uint32_t class;
    mc_pickle_value state;
} instance;

struct mc_pickle {
    mc_pickle_value *items; // of tuples
    size_t item_count, item_capacity;
    list *lists; // and dicts
    size_t list_count, list_capacity;
    instance *objects;
    size_t object_count, object_capacity;
};

typedef struct machine {
    mc_pickle *pickle;
    const unsigned char *data, *at, *end;
    const unsigned char *opcode; // that is being done
    const char *const *classes;
    mc_import_watch *watch;
    mc_pickle_value *stack;
    size_t stack_count, stack_capacity;
    size_t *marks; // how high the stack was
    size_t mark_count, mark_capacity;
    mc_pickle_value *memo;
    size_t memo_count, memo_capacity;
    mc_error *error;
} machine;

void mc_pickle_destroy(mc_pickle *pickle) {
    if (!pickle) return;
    for (size_t i = 0; i < pickle->list_count; i++)
        mc_free(pickle->lists[i].items);
    mc_free(pickle->items);
    mc_free(pickle->lists);
    mc_free(pickle->objects);
    mc_free(pickle);
}

// ---- errors, bytes, the stack

static mc_result fail(const machine *m, const char *expected) {
    return mc_error_set(m->error, MC_ERROR_BAD_DATA, (uint64_t)(m->opcode - m->data),
                        "pickle: expected %s", expected);
}

static mc_result fail_memory(const machine *m) {
    return mc_error_out_of_memory(m->error);
}

static bool take_bytes(machine *m, size_t size, const unsigned char **bytes) {
    if ((size_t)(m->end - m->at) < size) return false;
    *bytes = m->at;
    m->at += size;
    return true;
}

// Of `size` bytes, the lowest first.
static bool take_unsigned(machine *m, size_t size, uint64_t *number) {
    const unsigned char *bytes;
    if (!take_bytes(m, size, &bytes)) return false;
    *number = 0;
    for (size_t i = 0; i < size; i++)
        *number |= (uint64_t)bytes[i] << (8 * i);
    return true;
}

static mc_result push(machine *m, mc_pickle_value value) {
    if (!mc_reserve(&m->stack, &m->stack_capacity, m->stack_count + 1, sizeof value))
        return fail_memory(m);
    m->stack[m->stack_count++] = value;
    return MC_OK;
}

// How many values there are above the last mark.
static size_t get_height(const machine *m) {
    return m->stack_count - (m->mark_count > 0 ? m->marks[m->mark_count - 1] : 0);
}

static mc_result push_number(machine *m, int64_t number) {
    return push(m, (mc_pickle_value){.kind = MC_PICKLE_NUMBER, .is.number = number});
}

// ---- opcodes

static mc_result do_number(machine *m, size_t size) {
    uint64_t number;
    if (!take_unsigned(m, size, &number)) return fail(m, "a number");
    return push_number(m, size == 4 ? (int32_t)(uint32_t)number : (int64_t)number);
}

static mc_result do_long(machine *m) {
    uint64_t size, number;
    if (!take_unsigned(m, 1, &size) || size > 8 || !take_unsigned(m, (size_t)size, &number))
        return fail(m, "a number of at most eight bytes");
    if (size > 0 && size < 8 && number >> (8 * size - 1) != 0)
        number |= UINT64_MAX << (8 * size); // its sign
    return push_number(m, (int64_t)number);
}

static mc_result do_text(machine *m, size_t length_size) {
    uint64_t size;
    const unsigned char *bytes;
    if (!take_unsigned(m, length_size, &size) || size >= MC_NONE ||
        !take_bytes(m, (size_t)size, &bytes))
        return fail(m, "a text");
    return push(m, (mc_pickle_value){.kind = MC_PICKLE_TEXT,
                                     .count = (uint32_t)size,
                                     .is.text = (const char *)bytes});
}

// Of the topmost values.
static mc_result make_tuple(machine *m, size_t count) {
    mc_pickle *p = m->pickle;
    if (get_height(m) < count) return fail(m, "values for a tuple");
    if (count >= MC_NONE ||
        !mc_reserve(&p->items, &p->item_capacity, p->item_count + count + 1, sizeof *p->items))
        return fail_memory(m);
    mc_pickle_value tuple = {
        .kind = MC_PICKLE_TUPLE, .count = (uint32_t)count, .is.part = p->item_count};
    m->stack_count -= count;
    if (count > 0)
        memcpy(p->items + p->item_count, m->stack + m->stack_count, count * sizeof *p->items);
    p->item_count += count;
    return push(m, tuple);
}

static bool take_mark(machine *m, size_t *count) {
    if (m->mark_count == 0) return false;
    *count = m->stack_count - m->marks[--m->mark_count];
    return true;
}

static mc_result do_tuple(machine *m) {
    size_t count;
    return take_mark(m, &count) ? make_tuple(m, count) : fail(m, "a mark before a tuple");
}

static mc_result do_mark(machine *m) {
    if (!mc_reserve(&m->marks, &m->mark_capacity, m->mark_count + 1, sizeof *m->marks))
        return fail_memory(m);
    m->marks[m->mark_count++] = m->stack_count;
    return MC_OK;
}

static mc_result make_list(machine *m, mc_pickle_kind kind) {
    mc_pickle *p = m->pickle;
    if (!mc_reserve(&p->lists, &p->list_capacity, p->list_count + 1, sizeof *p->lists))
        return fail_memory(m);
    p->lists[p->list_count] = (list){.count = 0};
    return push(m, (mc_pickle_value){.kind = kind, .is.part = p->list_count++});
}

// The topmost values to the list or dict below them.
static mc_result extend(machine *m, mc_pickle_kind kind, size_t count) {
    if (get_height(m) < count + 1 || m->stack[m->stack_count - count - 1].kind != kind ||
        (kind == MC_PICKLE_DICT && count % 2 != 0))
        return fail(m, kind == MC_PICKLE_LIST ? "a list below what is appended"
                                              : "a dict below keys and values");
    list *l = &m->pickle->lists[m->stack[m->stack_count - count - 1].is.part];
    if (!mc_reserve(&l->items, &l->capacity, l->count + count + 1, sizeof *l->items))
        return fail_memory(m);
    m->stack_count -= count;
    if (count > 0) memcpy(l->items + l->count, m->stack + m->stack_count, count * sizeof *l->items);
    l->count += count;
    return MC_OK;
}

static mc_result do_extend(machine *m, mc_pickle_kind kind) {
    size_t count;
    return take_mark(m, &count) ? extend(m, kind, count) : fail(m, "a mark before what is added");
}

static mc_result do_memoize(machine *m) {
    if (get_height(m) < 1) return fail(m, "a value to remember");
    if (!mc_reserve(&m->memo, &m->memo_capacity, m->memo_count + 1, sizeof *m->memo))
        return fail_memory(m);
    m->memo[m->memo_count++] = m->stack[m->stack_count - 1];
    return MC_OK;
}

static mc_result do_get(machine *m, size_t size) {
    uint64_t index;
    if (!take_unsigned(m, size, &index) || index >= m->memo_count)
        return fail(m, "the number of a value that was remembered");
    return push(m, m->memo[index]);
}

static bool is_named(mc_pickle_value module, mc_pickle_value name, const char *wanted) {
    return strlen(wanted) == (size_t)module.count + 1 + name.count &&
           memcmp(wanted, module.is.text, module.count) == 0 && wanted[module.count] == '.' &&
           memcmp(wanted + module.count + 1, name.is.text, name.count) == 0;
}

static mc_result do_class(machine *m) {
    if (get_height(m) < 2 || m->stack[m->stack_count - 1].kind != MC_PICKLE_TEXT ||
        m->stack[m->stack_count - 2].kind != MC_PICKLE_TEXT)
        return fail(m, "the names of a module and a class");
    mc_pickle_value name = m->stack[m->stack_count - 1], module = m->stack[m->stack_count - 2];
    m->stack_count -= 2;
    for (uint32_t i = 0; m->classes[i]; i++)
        if (is_named(module, name, m->classes[i]))
            return push(m, (mc_pickle_value){.kind = MC_PICKLE_CLASS, .is.part = i});
    return mc_error_set(m->error, MC_ERROR_BAD_DATA, (uint64_t)(m->opcode - m->data),
                        "pickle: expected only known classes, found \"%.*s.%.*s\"",
                        module.count < 100 ? (int)module.count : 100, module.is.text,
                        name.count < 100 ? (int)name.count : 100, name.is.text);
}

static mc_result do_new_object(machine *m) {
    mc_pickle *p = m->pickle;
    if (get_height(m) < 2 || m->stack[m->stack_count - 1].kind != MC_PICKLE_TUPLE ||
        m->stack[m->stack_count - 2].kind != MC_PICKLE_CLASS)
        return fail(m, "a class and a tuple to make an object of");
    if (!mc_reserve(&p->objects, &p->object_capacity, p->object_count + 1, sizeof *p->objects))
        return fail_memory(m);
    p->objects[p->object_count] =
        (instance){.class = (uint32_t)m->stack[m->stack_count - 2].is.part};
    m->stack_count -= 2;
    return push(m, (mc_pickle_value){.kind = MC_PICKLE_OBJECT, .is.part = p->object_count++});
}

static mc_result do_build(machine *m) {
    if (get_height(m) < 2 || m->stack[m->stack_count - 2].kind != MC_PICKLE_OBJECT)
        return fail(m, "an object and its state");
    m->pickle->objects[m->stack[m->stack_count - 2].is.part].state = m->stack[m->stack_count - 1];
    m->stack_count--;
    return MC_OK;
}

static mc_result do_skip(machine *m, size_t size, const char *expected) {
    const unsigned char *bytes;
    return take_bytes(m, size, &bytes) ? MC_OK : fail(m, expected);
}

static mc_result do_opcode(machine *m) {
    switch (*m->opcode) {
    case 0x80: return do_skip(m, 1, "a protocol");
    case 0x95: return do_skip(m, 8, "the length of a frame");
    case 0x94: return do_memoize(m);
    case 'h': return do_get(m, 1);
    case 'j': return do_get(m, 4);
    case 0x8c: return do_text(m, 1);
    case 'X': return do_text(m, 4);
    case 0x8d: return do_text(m, 8);
    case 'K': return do_number(m, 1);
    case 'M': return do_number(m, 2);
    case 'J': return do_number(m, 4);
    case 0x8a: return do_long(m);
    case 'N': return push(m, (mc_pickle_value){.kind = MC_PICKLE_NONE});
    case '(': return do_mark(m);
    case ')': return make_tuple(m, 0);
    case 't': return do_tuple(m);
    case 0x85: return make_tuple(m, 1);
    case 0x86: return make_tuple(m, 2);
    case 0x87: return make_tuple(m, 3);
    case ']': return make_list(m, MC_PICKLE_LIST);
    case 'a': return extend(m, MC_PICKLE_LIST, 1);
    case 'e': return do_extend(m, MC_PICKLE_LIST);
    case '}': return make_list(m, MC_PICKLE_DICT);
    case 's': return extend(m, MC_PICKLE_DICT, 2);
    case 'u': return do_extend(m, MC_PICKLE_DICT);
    case 0x93: return do_class(m);
    case 0x81: return do_new_object(m);
    case 'b': return do_build(m);
    default:
        return mc_error_set(m->error, MC_ERROR_BAD_DATA, (uint64_t)(m->opcode - m->data),
                            "pickle: expected data alone, found the opcode 0x%02x, which is not "
                            "executed",
                            *m->opcode);
    }
}

static mc_result run(machine *m, mc_pickle_value *root) {
    for (uint64_t count = 1;; count++) {
        m->opcode = m->at;
        if (m->at == m->end) return fail(m, "more, found the end of the file");
        if (*m->at++ == '.') break;
        mc_result result = do_opcode(m);
        if (result != MC_OK) return result;
        if (count % STOP_INTERVAL == 0 && mc_import_watch_should_stop(m->watch))
            return mc_fail(m->error, MC_ERROR_CANCELLED, "cancelled");
    }
    if (m->mark_count > 0 || m->stack_count != 1) return fail(m, "one value at the end");
    *root = m->stack[0];
    return MC_OK;
}

mc_result mc_pickle_read(const unsigned char *data, size_t size, const char *const *classes,
                         mc_import_watch *watch, mc_pickle **pickle, mc_pickle_value *root,
                         mc_error *error) {
    machine m = {.data = data,
                 .at = data,
                 .end = data + size,
                 .classes = classes,
                 .watch = watch,
                 .error = error};
    m.pickle = *pickle = mc_alloc_zero(1, sizeof **pickle);
    if (!m.pickle) return mc_error_out_of_memory(error);
    mc_result result = run(&m, root);
    mc_free(m.stack);
    mc_free(m.marks);
    mc_free(m.memo);
    if (result == MC_OK) return MC_OK;
    mc_pickle_destroy(*pickle);
    *pickle = NULL;
    return result;
}

// ---- what came out

const mc_pickle_value *mc_pickle_get_items(const mc_pickle *pickle, mc_pickle_value value,
                                           size_t *count) {
    *count = 0;
    if (value.kind == MC_PICKLE_TUPLE) {
        *count = value.count;
        return pickle->items + value.is.part;
    }
    if (value.kind != MC_PICKLE_LIST && value.kind != MC_PICKLE_DICT) return NULL;
    *count = pickle->lists[value.is.part].count;
    return pickle->lists[value.is.part].items;
}

uint32_t mc_pickle_get_class(const mc_pickle *pickle, mc_pickle_value object) {
    return object.kind == MC_PICKLE_OBJECT ? pickle->objects[object.is.part].class : MC_NONE;
}

mc_pickle_value mc_pickle_find(const mc_pickle *pickle, mc_pickle_value object, const char *name) {
    if (object.kind == MC_PICKLE_OBJECT) object = pickle->objects[object.is.part].state;
    size_t count, size = strlen(name);
    const mc_pickle_value *items = mc_pickle_get_items(pickle, object, &count);
    if (object.kind == MC_PICKLE_DICT)
        for (size_t i = 0; i + 1 < count; i += 2)
            if (items[i].kind == MC_PICKLE_TEXT && items[i].count == size &&
                memcmp(items[i].is.text, name, size) == 0)
                return items[i + 1];
    return (mc_pickle_value){.kind = MC_PICKLE_NONE};
}
