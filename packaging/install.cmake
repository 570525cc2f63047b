# `cmake --install`: the program, its agent, and what a desktop, a shell and `man` look for.
include(GNUInstallDirs)

install(TARGETS memcity RUNTIME)
# The program looks for its agent in ../lib/memcity, seen from its own folder.
if(TARGET memcity-agent)
  install(TARGETS memcity-agent LIBRARY DESTINATION lib/memcity)
endif()
if(TARGET memcity-agent-jar)
  install(FILES ${CMAKE_BINARY_DIR}/memcity-agent.jar DESTINATION lib/memcity)
endif()

# The manual page and completions come from the tables that --help prints.
function(install_usage FORM FILE)
  install(CODE "
    set(OUTPUT \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${FILE}\")
    message(STATUS \"Installing: \${OUTPUT}\")
    get_filename_component(FOLDER \"\${OUTPUT}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${FOLDER}\")
    execute_process(COMMAND \"$<TARGET_FILE:memcity>\" usage ${FORM} OUTPUT_FILE \"\${OUTPUT}\" COMMAND_ERROR_IS_FATAL ANY)")
endfunction()
install_usage(man ${CMAKE_INSTALL_MANDIR}/man1/memcity.1)
install_usage(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions/memcity)
install_usage(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_memcity)
install_usage(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/memcity.fish)

install(FILES packaging/memcity.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/memcity.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES packaging/memcity.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
