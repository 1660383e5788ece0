# Run by ctest when it starts: one entry per GoogleTest suite of test_executable, named executable.Suite.
# Instantiations of a parameterised suite (Prefix/Suite) are one suite each; typed suites (Suite/0, Suite/1) are joined.

# A missing executable is a failing test instead of a shorter list, with the labels of its suites.
function(add_failing_test name)
  add_test(${name} /bin/false)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ${test_properties})
endfunction()

if(NOT EXISTS "${test_executable}")
  add_failing_test(${test_name}.NOT_BUILT)
  return()
endif()

execute_process(COMMAND "${test_executable}" --gtest_list_tests
  OUTPUT_VARIABLE listing ERROR_VARIABLE errors RESULT_VARIABLE status)
string(REGEX MATCHALL "(^|\n)[A-Za-z_][A-Za-z0-9_/]*\\." suites "${listing}")
list(TRANSFORM suites REPLACE "[\n.]" "")
list(TRANSFORM suites REPLACE "/[0-9]+$" "/")
list(REMOVE_DUPLICATES suites)
if(NOT status EQUAL 0 OR NOT suites)
  message("${test_executable} --gtest_list_tests: ${status}: no tests listed\n${errors}")
  add_failing_test(${test_name}.NOT_LISTED)
  return()
endif()

# Every other suite that needs the display runs on the second one, if there is one.
set(uses_second FALSE)
set(changed_environment "")

foreach(suite IN LISTS suites)
  if(suite MATCHES "/$")
    set(filter "${suite}*")
    string(REGEX REPLACE "/$" "" suite "${suite}")
  else()
    set(filter "${suite}.*")
  endif()
  add_test(${test_name}.${suite} "${test_executable}" "--gtest_filter=${filter}")
  # Skipped: no test passed or failed; failures are printed after the list of skipped tests.
  set_tests_properties(${test_name}.${suite} PROPERTIES
    TIMEOUT 600
    SKIP_REGULAR_EXPRESSION "PASSED  . 0 tests\\.\n.  SKIPPED . [0-9]+ tests?, listed below:\n(.  SKIPPED . [^\n]*\n)+$"
    ${test_properties} ENVIRONMENT_MODIFICATION "${changed_environment}")
  if(DEFINED ENV{POLLARD_SECOND_DISPLAY} AND test_properties MATCHES "RESOURCE_LOCK;(second_)?display")
    if(uses_second)
      set(uses_second FALSE)
      set(changed_environment "")
      string(REPLACE ";second_display;" ";display;" test_properties "${test_properties}")
    else()
      set(uses_second TRUE)
      set(changed_environment
        "DISPLAY=set:$ENV{POLLARD_SECOND_DISPLAY};XAUTHORITY=set:$ENV{POLLARD_SECOND_XAUTHORITY}")
      string(REPLACE ";display;" ";second_display;" test_properties "${test_properties}")
    endif()
  endif()
endforeach()
