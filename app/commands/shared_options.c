#include "app/command.h"
#include "app/picture/view_option.h"

const mc_option_list *mc_command_get_shared_options(void) {
    static mc_option_list list;
    static mc_input_options input;
    static mc_picture_options picture;
    static mc_view_option view;
    if (list.count > 0) return &list;
    mc_option_list_add_input(&list, &input);
    mc_option_list_add_pair(&list, &input.pair, &picture.settings.layout);
    mc_option_list_add_view(&list, &view);
    mc_option_list_add_picture(&list, &picture);
    mc_option_list_add_ground_size(&list, &picture.settings.layout, "ground-size");
    return &list;
}
