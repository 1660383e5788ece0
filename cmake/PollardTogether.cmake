# pollard_compile_together(TARGET SOURCES...): where POLLARD_COMPILE_TOGETHER is set, compiles several of these sources as one,
# which reads and instantiates their headers once for all of them. For builds that are made once, as the full check's: when
# a source changes, all that go with it are compiled again. The full check compiles sources alone, too, with the other
# compiler: only then does a missing #include show.
#
# Which ones go together is found anew whenever CMake runs (scripts/together.py).

option(POLLARD_COMPILE_TOGETHER "Compile several sources of a room or of its tests as one" OFF)
if(POLLARD_COMPILE_TOGETHER)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # A library, so that its options follow those of pollard_options. A source that is included has types of its own, too,
  # and may call a local variable what another source calls a constant.
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
