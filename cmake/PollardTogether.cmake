# pollard_compile_together(TARGET SOURCES...): if POLLARD_COMPILE_TOGETHER is ON, compiles groups of these sources as one,
# which parses and instantiates their headers once per group. For builds that are made once, like those of the full
# check: a change of a source recompiles its group. Builds of the other presets compile each source alone, which finds
# missing includes; the full check compiles the headers alone (scripts/headers.py).
#
# The groups are determined at every run of CMake (scripts/together.py); the sources of a group lie in one folder.

option(POLLARD_COMPILE_TOGETHER "Compile several sources as one" OFF)
if(POLLARD_COMPILE_TOGETHER)
  pollard_require(Python3 Python3::Interpreter "" python3 COMPONENTS Interpreter)
  # A library, so that its options come after those of pollard_options. Included sources define types of their own, and a
  # local variable may have the name of a constant in another source.
  add_library(pollard_together INTERFACE)
  target_compile_options(pollard_together INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow> $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

function(pollard_compile_together target)
  if(NOT POLLARD_COMPILE_TOGETHER)
    return()
  endif()
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/together.py 16 ${sources}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE numbered COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${numbered}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^ ]+) (.+)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_link_libraries(${target} PRIVATE pollard_together)
endfunction()
