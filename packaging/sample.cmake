# Recorded leaks beside the program in share/: the one that an empty window offers to those who have no trace, with owners, and an older
# one without, of many steps.
set(SAMPLE_SHOP ${CMAKE_BINARY_DIR}/share/shop.mct)
configure_file(${CMAKE_SOURCE_DIR}/examples/web-app/before.mct ${SAMPLE_SHOP} COPYONLY)
set(SAMPLE httpclient-3.0.1)
set(SAMPLE_ARCHIVE ${CMAKE_SOURCE_DIR}/tests/data/traces/${SAMPLE}.tar.gz)
set(SAMPLE_FILE ${CMAKE_BINARY_DIR}/share/${SAMPLE}.mct)
set(SAMPLE_FOLDER ${CMAKE_BINARY_DIR}/sample)
file(MAKE_DIRECTORY ${SAMPLE_FOLDER} ${CMAKE_BINARY_DIR}/share)
add_custom_command(OUTPUT ${SAMPLE_FILE}
  COMMAND ${CMAKE_COMMAND} -E tar xf ${SAMPLE_ARCHIVE}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${SAMPLE_FILE}
  COMMAND $<TARGET_FILE:memcity> import ${SAMPLE} -o ${SAMPLE_FILE}
  WORKING_DIRECTORY ${SAMPLE_FOLDER}
  DEPENDS ${SAMPLE_ARCHIVE} COMMENT "Sample ${SAMPLE}" VERBATIM)
add_custom_target(memcity_sample ALL DEPENDS ${SAMPLE_FILE})
add_dependencies(memcity_sample memcity)
install(FILES ${SAMPLE_FILE} ${SAMPLE_SHOP} DESTINATION share/memcity)
