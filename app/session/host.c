#include "app/session/host.h"

#include "app/message.h"

void mc_session_set_input(mc_session *session, const mc_session_input *input) {
    session->input = *input;
}

void mc_session_take_panels(mc_session *session, const mc_settings *settings, uint32_t row,
                            uint32_t path_row) {
    session->settings = *settings;
    session->hover.row = row;
    session->hover.path_row = path_row;
}

void mc_session_fold_panels(mc_session *session) {
    mc_settings *settings = &session->settings;
    settings->selection_open = settings->suspects_open = settings->references_open = false;
    session->remembered = *settings;
}

void mc_session_close_help(mc_session *session) {
    session->settings.help = false;
}

void mc_session_set_text_scale(mc_session *session, float scale) {
    session->settings.text_scale = scale;
}

void mc_session_clear_notices(mc_session *session) {
    if (session->message.is_notice) mc_session_set_message(session, NULL);
    mc_text_clear(&session->status.text);
}

bool mc_session_save_preferences(mc_session *session, uint32_t width, uint32_t height) {
    mc_error error = {0};
    if (width == 0 &&
        !mc_settings_differs(&session->remembered, &session->settings, MC_USE_PREFERENCE))
        return false;
    if (mc_preferences_update(&session->preferences, &session->remembered, &session->settings,
                              width, height, &error) != MC_OK)
        mc_message_warn("%s", error.message);
    session->remembered = session->settings;
    return true;
}
