#include "engine/store/rows/row_ddl.h"

#include "engine/base/printable.h"
#include <string.h>

#define POSTGRES_NAME_MOST 63u // bytes
#define POSTGRES_COLUMN_MOST 1600u

const char *const mc_row_dialect_names[] = {"clickhouse", "postgres", "spark", NULL};

typedef struct table {
    mc_row_dialect dialect;
    mc_text *out;
    mc_error *error;
    mc_result result;
    uint32_t column_count;
} table;

// Quoted, what is special in it doubled or escaped.
static void append_quoted(table *self, const char *name, size_t size) {
    char quote = self->dialect == MC_ROW_POSTGRES ? '"' : '`';
    mc_text_append(self->out, &quote, 1);
    for (size_t i = 0; i < size; i++) {
        bool is_escaped =
            self->dialect == MC_ROW_CLICKHOUSE && (name[i] == quote || name[i] == '\\');
        if (is_escaped) mc_text_append(self->out, "\\", 1);
        if (!is_escaped && name[i] == quote) mc_text_append(self->out, &quote, 1);
        mc_text_append(self->out, name + i, 1);
    }
    mc_text_append(self->out, &quote, 1);
}

static void check_name(table *self, const char *name, size_t size) {
    mc_excerpt shown;
    bool has_nul = memchr(name, '\0', size) != NULL;
    if (!has_nul && (self->dialect != MC_ROW_POSTGRES || size <= POSTGRES_NAME_MOST)) return;
    self->result =
        mc_fail(self->error, MC_ERROR_UNSUPPORTED,
                "%s has no room for a column of the name \"%s\": name the columns "
                "of the table yourself, and those of the rows by their order",
                mc_row_dialect_names[self->dialect], mc_excerpt_make(&shown, name, size));
}

static const char *get_type(const table *self, const mc_row_column *column) {
    static const char *const types[][4] = {
        [MC_ROW_CLICKHOUSE] = {"Int64", "String", "Int64", "Float64"},
        [MC_ROW_POSTGRES] = {"bigint", "text", "bigint", "double precision"},
        [MC_ROW_SPARK] = {"BIGINT", "STRING", "BIGINT", "DOUBLE"}};
    return types[self->dialect][column->kind];
}

static bool add_column(void *user, const mc_row_column *column) {
    table *self = user;
    bool is_clickhouse = self->dialect == MC_ROW_CLICKHOUSE;
    const char *type = get_type(self, column);
    check_name(self, column->title, column->title_size);
    if (self->dialect == MC_ROW_POSTGRES && ++self->column_count > POSTGRES_COLUMN_MOST)
        self->result =
            mc_fail(self->error, MC_ERROR_UNSUPPORTED,
                    "postgres has no room for more than %u columns", POSTGRES_COLUMN_MOST);
    mc_text_append_string(self->out,
                          self->out->data[self->out->size - 1] == '(' ? "\n    " : ",\n    ");
    append_quoted(self, column->title, column->title_size);
    mc_text_format(self->out, column->may_be_null && is_clickhouse ? " Nullable(%s)" : " %s", type);
    if (!column->may_be_null && !is_clickhouse) mc_text_append_string(self->out, " NOT NULL");
    return self->result == MC_OK && !self->out->failed;
}

static void append_table(table *self, const mc_row_layout *layout, bool is_references,
                         const char *name) {
    self->column_count = 0;
    mc_text_append_string(self->out, "CREATE TABLE ");
    append_quoted(self, name, strlen(name));
    mc_text_append_string(self->out, " (");
    if (self->out->failed) return;
    mc_row_layout_list(layout, is_references, add_column, self);
    mc_text_append_string(self->out, "\n)");
    if (self->dialect == MC_ROW_CLICKHOUSE)
        mc_text_append_string(self->out, " ENGINE = MergeTree ORDER BY time");
    if (self->dialect == MC_ROW_SPARK) mc_text_append_string(self->out, " USING parquet");
    mc_text_append_string(self->out, ";\n");
}

mc_result mc_row_append_ddl(const mc_row_layout *layout, mc_row_dialect dialect, const char *name,
                            mc_text *out, mc_error *error) {
    table self = {.dialect = dialect, .out = out, .error = error, .result = MC_OK};
    mc_text second = {0};
    mc_text_format(&second, "%s_references", name);
    append_table(&self, layout, false, name);
    if (self.result == MC_OK && mc_trace_has_references(layout->trace) && !second.failed)
        append_table(&self, layout, true, second.data);
    if (self.result == MC_OK && (out->failed || second.failed))
        self.result = mc_error_out_of_memory(error);
    mc_text_deinit(&second);
    return self.result;
}
