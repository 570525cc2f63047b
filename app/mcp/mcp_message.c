#include "app/mcp/mcp_message.h"

#include "app/format.h"
#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include <inttypes.h>
#include <string.h>

typedef struct parser {
    mc_json_tokens tokens;
    mc_mcp_message *message;
    mc_error *error;
    int code; // of what is wrong beside the JSON; 0: nothing
    bool has_version;
} parser;

// Keeps the first one.
static bool refuse(parser *self, int code, const char *what) {
    if (self->code != 0) return true;
    self->code = code;
    mc_fail(self->error, MC_ERROR_BAD_DATA, "%s", what);
    return true;
}

// What has a NUL is no name and no path.
static bool copy_text(parser *self, const mc_json_string *string, char **copy) {
    if (memchr(string->bytes, '\0', string->size))
        return refuse(self, MC_MCP_BAD_PARAMS, "a text has a NUL character");
    mc_free(*copy);
    *copy = mc_alloc(string->size + 1, 1);
    if (!*copy) return mc_json_fail_memory(&self->tokens);
    memcpy(*copy, string->bytes, string->size);
    (*copy)[string->size] = '\0';
    return true;
}

// A text, or whatever stands in its place.
static bool take_text(parser *self, char **copy, int code, const char *wrong) {
    mc_json_string string;
    if (mc_json_peek(&self->tokens) != '"')
        return mc_json_skip_value(&self->tokens) && refuse(self, code, wrong);
    return mc_json_take_string(&self->tokens, "a text", &string) && copy_text(self, &string, copy);
}

static bool is_number(int first) {
    return first == '-' || (first >= '0' && first <= '9');
}

// Whether the number at the next token is a whole one of 18 digits at most.
static bool is_whole(parser *self) {
    const unsigned char *at = mc_json_get_place(&self->tokens);
    const unsigned char *end = self->tokens.data + self->tokens.size;
    size_t digits = 0;
    if (at < end && *at == '-') at++;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        digits++;
    return digits > 0 && digits <= 18 && (at == end || !strchr(".eE", *at) || *at == '\0');
}

static bool take_id(parser *self, mc_text *id) {
    mc_json_string string;
    int64_t number;
    int first = mc_json_peek(&self->tokens);
    mc_text_clear(id);
    if (first == '"') {
        if (!mc_json_take_string(&self->tokens, "an id", &string)) return false;
        mc_format_append_json(id, string.bytes, string.size);
        return true;
    }
    if (is_number(first) && is_whole(self)) {
        if (!mc_json_take_integer(&self->tokens, INT64_MIN, &number)) return false;
        mc_text_format(id, "%" PRId64, number);
        return true;
    }
    return mc_json_skip_value(&self->tokens) &&
           refuse(self, MC_MCP_BAD_REQUEST, "an id is a text or a whole number");
}

static bool take_jsonrpc(parser *self) {
    mc_json_string string;
    self->has_version = true;
    if (mc_json_peek(&self->tokens) != '"')
        return mc_json_skip_value(&self->tokens) &&
               refuse(self, MC_MCP_BAD_REQUEST, "jsonrpc is not \"2.0\"");
    if (!mc_json_take_string(&self->tokens, "a version", &string)) return false;
    return mc_json_string_is(string, "2.0") ||
           refuse(self, MC_MCP_BAD_REQUEST, "jsonrpc is not \"2.0\"");
}

// ---- arguments

static bool add_text(parser *self, mc_mcp_argument *argument) {
    mc_json_string string;
    if (!mc_json_take_string(&self->tokens, "a text", &string)) return false;
    if (argument->count == MC_MCP_TEXTS_MOST)
        return refuse(self, MC_MCP_BAD_PARAMS, "a list has too many texts");
    if (!argument->texts) {
        argument->texts = mc_alloc_zero(MC_MCP_TEXTS_MOST, sizeof(char *));
        if (!argument->texts) return mc_json_fail_memory(&self->tokens);
    }
    return copy_text(self, &string, &argument->texts[argument->count]) &&
           (self->code != 0 || ++argument->count > 0);
}

static bool take_list(parser *self, mc_mcp_argument *argument) {
    argument->kind = MC_MCP_LIST;
    if (!mc_json_take(&self->tokens, '[')) return false;
    for (bool is_first = true; !mc_json_take(&self->tokens, ']'); is_first = false) {
        if (!is_first && !mc_json_take(&self->tokens, ','))
            return mc_json_fail(&self->tokens, "',' or ']'");
        if (mc_json_peek(&self->tokens) == '"') {
            if (!add_text(self, argument)) return false;
            continue;
        }
        argument->kind = MC_MCP_OTHER;
        if (!mc_json_skip_value(&self->tokens)) return false;
    }
    return true;
}

static bool take_argument(parser *self, mc_mcp_argument *argument) {
    bool value;
    int first = mc_json_peek(&self->tokens);
    argument->kind = MC_MCP_OTHER;
    if (first == '"') {
        argument->kind = MC_MCP_TEXT;
        return add_text(self, argument);
    }
    if (first == '[') return take_list(self, argument);
    if (is_number(first) && is_whole(self)) {
        argument->kind = MC_MCP_INTEGER;
        return mc_json_take_integer(&self->tokens, INT64_MIN, &argument->number);
    }
    if (first == 't' || first == 'f') {
        argument->kind = MC_MCP_BOOLEAN;
        if (!mc_json_take_boolean(&self->tokens, &value)) return false;
        argument->number = value;
        return true;
    }
    return mc_json_skip_value(&self->tokens);
}

// Calls take(self, name) for each member; it takes the value.
static bool take_object(parser *self, bool (*take)(parser *self, const mc_json_string *name)) {
    mc_json_string name;
    if (mc_json_peek(&self->tokens) != '{')
        return mc_json_skip_value(&self->tokens) &&
               refuse(self, MC_MCP_BAD_PARAMS, "expected an object");
    (void)mc_json_take(&self->tokens, '{');
    for (bool is_first = true;; is_first = false) {
        mc_json_member member = mc_json_next_member(&self->tokens, is_first, &name);
        if (member != MC_JSON_MEMBER) return member == MC_JSON_END;
        if (!take(self, &name)) return false;
    }
}

static bool take_one_argument(parser *self, const mc_json_string *name) {
    mc_mcp_message *message = self->message;
    if (message->argument_count == MC_MCP_ARGUMENTS_MOST)
        return mc_json_skip_value(&self->tokens) &&
               refuse(self, MC_MCP_BAD_PARAMS, "too many arguments");
    mc_mcp_argument *argument = &message->arguments[message->argument_count++];
    return copy_text(self, name, &argument->name) && take_argument(self, argument);
}

static bool take_meta(parser *self, const mc_json_string *name) {
    if (mc_json_string_is(*name, "io.modelcontextprotocol/protocolVersion"))
        return take_text(self, &self->message->version, MC_MCP_BAD_PARAMS,
                         "the protocol's version is no text");
    return mc_json_skip_value(&self->tokens);
}

static bool take_param(parser *self, const mc_json_string *name) {
    if (mc_json_string_is(*name, "name"))
        return take_text(self, &self->message->tool, MC_MCP_BAD_PARAMS, "name is no text");
    if (mc_json_string_is(*name, "protocolVersion"))
        return take_text(self, &self->message->wanted, MC_MCP_BAD_PARAMS,
                         "protocolVersion is no text");
    if (mc_json_string_is(*name, "_meta")) return take_object(self, take_meta);
    if (mc_json_string_is(*name, "requestId")) return take_id(self, &self->message->request);
    if (!mc_json_string_is(*name, "arguments")) return mc_json_skip_value(&self->tokens);
    self->message->has_arguments = true;
    return take_object(self, take_one_argument);
}

static bool take_member(parser *self, const mc_json_string *name) {
    if (mc_json_string_is(*name, "jsonrpc")) return take_jsonrpc(self);
    if (mc_json_string_is(*name, "id")) return take_id(self, &self->message->id);
    if (mc_json_string_is(*name, "method"))
        return take_text(self, &self->message->method, MC_MCP_BAD_REQUEST, "method is no text");
    if (mc_json_string_is(*name, "params")) return take_object(self, take_param);
    return mc_json_skip_value(&self->tokens);
}

static bool take_message(parser *self) {
    if (mc_json_peek(&self->tokens) != '{')
        return mc_json_skip_value(&self->tokens) && mc_json_take_end(&self->tokens) &&
               refuse(self, MC_MCP_BAD_REQUEST, "a message is one object");
    return take_object(self, take_member) && mc_json_take_end(&self->tokens);
}

int mc_mcp_message_parse(mc_mcp_message *message, const char *line, size_t size, mc_error *error) {
    parser self = {.message = message, .error = error};
    mc_error json_error = {0};
    if (!mc_json_tokens_init(&self.tokens)) {
        (void)mc_error_out_of_memory(error);
        return MC_MCP_INTERNAL;
    }
    mc_json_tokens_begin(&self.tokens, (const unsigned char *)line, size, 0, &json_error);
    bool is_json = take_message(&self);
    mc_json_tokens_deinit(&self.tokens);
    if (!is_json || message->id.failed || message->request.failed) {
        if (error) *error = json_error;
        return json_error.code == MC_ERROR_OUT_OF_MEMORY ? MC_MCP_INTERNAL : MC_MCP_BAD_JSON;
    }
    if (self.code == 0 && !self.has_version)
        (void)refuse(&self, MC_MCP_BAD_REQUEST, "jsonrpc is not \"2.0\"");
    if (self.code == 0 && !message->method)
        (void)refuse(&self, MC_MCP_BAD_REQUEST, "there is no method");
    return self.code;
}

void mc_mcp_message_deinit(mc_mcp_message *message) {
    mc_text_deinit(&message->id);
    mc_text_deinit(&message->request);
    mc_free(message->method);
    mc_free(message->version);
    mc_free(message->wanted);
    mc_free(message->tool);
    for (uint32_t i = 0; i < message->argument_count; i++) {
        mc_mcp_argument *argument = &message->arguments[i];
        for (uint32_t k = 0; argument->texts && k < MC_MCP_TEXTS_MOST; k++)
            mc_free(argument->texts[k]);
        mc_free(argument->texts);
        mc_free(argument->name);
    }
    *message = (mc_mcp_message){.method = NULL};
}

const mc_mcp_argument *mc_mcp_find(const mc_mcp_message *message, const char *name) {
    for (uint32_t i = 0; i < message->argument_count; i++)
        if (message->arguments[i].name && strcmp(message->arguments[i].name, name) == 0)
            return &message->arguments[i];
    return NULL;
}
