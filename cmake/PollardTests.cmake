# pollard_add_tests(NAME SOURCES... LIBRARIES... [DEFINITIONS ...] [PROPERTIES ...]): a GoogleTest executable and its
# ctest entries.
#
# One ctest entry per test suite, listed when ctest starts, so that building needs no display and no GPU. One entry per
# test would start thousands of processes for parameterised suites, which takes longer than the tests.

function(pollard_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;DEFINITIONS;PROPERTIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE pollard_options ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE POLLARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ${arg_DEFINITIONS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # Assertions expand to much code that runs once: optimising it costs more time than it saves, most of all with the
  # checks of sanitizers.
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release,RelWithDebInfo>,$<COMPILE_LANGUAGE:CXX>>:-O0>)

  pollard_compile_together(${name} ${arg_SOURCES})

  set(script ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  file(GENERATE OUTPUT ${script} CONTENT "\
set(test_name [==[${name}]==])
set(test_executable [==[$<TARGET_FILE:${name}>]==])
set(test_properties [==[${arg_PROPERTIES}]==])
include([==[${PROJECT_SOURCE_DIR}/cmake/DiscoverTestSuites.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
