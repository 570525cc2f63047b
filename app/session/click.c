#include "app/session/click.h"

#include "app/session/action.h"
#include "app/session/gc_roots.h"
#include "app/session/references.h"
#include "app/session/selection.h"
#include "app/session/zoom_root.h"

static void open_other(mc_session *session, uint32_t node) {
    if (!mc_selection_add(&session->settings.tree_opened, node))
        mc_session_set_notice(session, "%d Others are open, as many as can be.",
                              MC_SELECTION_CAPACITY);
}

void mc_session_click(mc_session *session, double x, double y, bool is_double) {
    mc_view_click click = session->view->kind->click(session->view, x, y, is_double);
    switch (click.kind) {
    case MC_VIEW_CLICK_NOTHING: return;
    case MC_VIEW_CLICK_NODE:
        if (is_double || !mc_session_show_pointed_partner(session))
            mc_session_select_node(session, click.index, true);
        return;
    case MC_VIEW_CLICK_GROUP:
        if (click.index == session->settings.root_node)
            mc_session_leave_root(session);
        else
            mc_session_set_root(session, click.index);
        return;
    case MC_VIEW_CLICK_OTHER: open_other(session, click.index); return;
    case MC_VIEW_CLICK_GC_ROOTS: mc_session_choose_root(session, click.index); return;
    case MC_VIEW_CLICK_STEP: mc_session_do(session, MC_ACTION_SHOW_STEP, click.index); return;
    }
}
