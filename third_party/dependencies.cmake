# All that memcity stands on: found here, and nowhere else. README.md beside this file says which versions and why.
#
# Defines the targets that the rest of the build links:
#   mc_core_libraries   of engine/, up to the city: no Vulkan, no window
#   mc_gpu_libraries    of engine/gpu and engine/render
#   mc_app_libraries    of app/
# and the programs GLSLC, SPIRV_VAL and PYTHON3.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(CGLM REQUIRED cglm)
pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate>=1.8)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.38)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8>=10.30)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw>=0.170)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle>=3.6)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng>=1.6)
pkg_check_modules(EDIT IMPORTED_TARGET libedit)
pkg_check_modules(GLFW REQUIRED glfw3>=3.3)
pkg_check_modules(FONTCONFIG REQUIRED fontconfig)
pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
find_path(VOLK_INCLUDE volk.h REQUIRED)
find_path(VULKAN_INCLUDE vulkan/vulkan_core.h REQUIRED)
find_program(GLSLC glslc REQUIRED)
find_program(SPIRV_VAL spirv-val REQUIRED)
find_program(PYTHON3 python3 REQUIRED)

# Its functions are all inline, so there is nothing to link. Unaligned: its vectors and matrices are
# members of structs that come from malloc() and go to the GPU as they are.
add_library(mc_cglm INTERFACE)
target_include_directories(mc_cglm SYSTEM INTERFACE ${CGLM_INCLUDE_DIRS})
target_compile_definitions(mc_cglm INTERFACE CGLM_ALL_UNALIGNED)

add_library(mc_core_libraries INTERFACE)
target_link_libraries(mc_core_libraries INTERFACE mc_cglm PkgConfig::SIMDJSON PkgConfig::ZSTD PkgConfig::LZ4
  PkgConfig::DEFLATE PkgConfig::SQLITE PkgConfig::PCRE2 PkgConfig::NETTLE PkgConfig::DW ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)

# The Vulkan loader itself is opened when it is needed.
add_library(mc_gpu_libraries INTERFACE)
target_include_directories(mc_gpu_libraries SYSTEM INTERFACE ${VOLK_INCLUDE} ${VULKAN_INCLUDE})

# What is loaded when it is first used (engine/base/library.h): its headers, and no more.
add_library(mc_loaded_libraries INTERFACE)
target_include_directories(mc_loaded_libraries SYSTEM INTERFACE ${GLFW_INCLUDE_DIRS} ${FONTCONFIG_INCLUDE_DIRS})

# Debian's libimgui.a carries a Vulkan backend that we don't use, and needs stb.
add_library(mc_app_libraries INTERFACE)
target_link_libraries(mc_app_libraries INTERFACE mc_loaded_libraries PkgConfig::PNG PkgConfig::IMGUI)
# Without it the prompt of `memcity query` has no history and no completion.
if(TARGET PkgConfig::EDIT)
  target_link_libraries(mc_app_libraries INTERFACE PkgConfig::EDIT)
  target_compile_definitions(mc_app_libraries INTERFACE MC_HAS_EDIT)
endif()
