# pollard_compile_together(TARGET SOURCES...): if POLLARD_COMPILE_TOGETHER is ON, or TESTS and the target is one of
# tests, compiles groups of these sources as one, which parses and instantiates their headers once per group. For builds
# that are made once, like the full check: a change of a source recompiles its group. The full check also compiles the
# sources of the rooms alone, with the other compiler, which finds missing includes.
#
# The groups are determined at every run of CMake (scripts/together.py).

set(POLLARD_COMPILE_TOGETHER OFF CACHE STRING "Compile several sources as one: OFF, TESTS or ON (of rooms, too)")
if(POLLARD_COMPILE_TOGETHER)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # A library, so that its options come after those of pollard_options. Included sources define types of their own, and a
  # local variable may have the name of a constant in another source.
  add_library(pollard_together INTERFACE)
  target_compile_options(pollard_together INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow> $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

function(pollard_compile_together target)
  if(NOT POLLARD_COMPILE_TOGETHER OR (POLLARD_COMPILE_TOGETHER STREQUAL TESTS AND NOT target MATCHES "_tests$"))
    return()
  endif()
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/together.py 8 ${sources}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE numbered COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${numbered}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9]+) (.+)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_link_libraries(${target} PRIVATE pollard_together)
endfunction()
