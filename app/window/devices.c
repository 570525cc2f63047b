#include "app/window/devices.h"

_Static_assert(MC_GPU_LIST_NAME_SIZE <= MC_SETTINGS_DEVICE_SIZE, "a device's name can be kept");

void mc_viewer_devices_fill(mc_viewer_devices *devices, const mc_gpu *gpu,
                            const mc_settings *settings, mc_facts *model) {
    if (!settings->preferences_open) return;
    if (!devices->is_listed)
        devices->count = mc_gpu_list_names(gpu, devices->texts, MC_VIEWER_DEVICE_MOST);
    devices->is_listed = true;
    for (uint32_t i = 0; i < devices->count; i++)
        devices->names[i] = devices->texts[i];
    model->devices = devices->names;
    model->device_count = devices->count;
}
