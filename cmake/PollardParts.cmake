# Required and optional parts of the build. A library counts as found if its headers and libraries are there, too: a file
# of CMake or pkg-config alone does not help, and CMake may stop when it is used.
#
# Functions that look for something set OUT to the reason why it cannot be used, or to an empty text.

find_package(PkgConfig QUIET)

# pollard_wish(NAME HELP): the setting POLLARD_<NAME>, which pollard_decide reads.
function(pollard_wish name help)
  set(POLLARD_${name} AUTO CACHE STRING "${help}: AUTO (if all that it needs is found), ON, OFF")
  set_property(CACHE POLLARD_${name} PROPERTY STRINGS AUTO ON OFF)
endfunction()

# pollard_decide(NAME TITLE YES NO REASON): sets POLLARD_WITH_<NAME>, without BUILD_ in the name, by POLLARD_<NAME> and by
# the reason why the part cannot be built. Prints one line, with the reason.
function(pollard_decide name title yes no reason)
  string(REPLACE "BUILD_" "" result ${name})
  set(with OFF)
  if(NOT POLLARD_${name})
    set(reason "POLLARD_${name}=OFF")
  elseif("${reason}" STREQUAL "")
    set(with ON)
  elseif(NOT POLLARD_${name} STREQUAL "AUTO")
    pollard_need("POLLARD_${name}=${POLLARD_${name}}, but ${reason}")
  endif()
  if(with)
    message(STATUS "${title}: ${yes}")
  else()
    message(STATUS "${title}: ${no}: ${reason}")
  endif()
  set(POLLARD_WITH_${result} ${with} PARENT_SCOPE)
endfunction()

# pollard_need(REASON): keeps the reason for pollard_stop_if_missing; none if it is empty.
function(pollard_need reason)
  if(reason)
    set_property(GLOBAL APPEND PROPERTY pollard_reasons "${reason}")
  endif()
endfunction()

# pollard_stop_if_missing(): stops with one line that has all reasons.
function(pollard_stop_if_missing)
  get_property(reasons GLOBAL PROPERTY pollard_reasons)
  if(reasons)
    list(REMOVE_DUPLICATES reasons)
    list(JOIN reasons "; " text)
    message(FATAL_ERROR " Pollard cannot be built: ${text}")
  endif()
endfunction()

# pollard_look(OUT TARGET HEADERS DEBIAN): whether the target, its folders and these headers are there. DEBIAN names the
# packages that bring them.
function(pollard_look out target headers debian)
  set(missing)
  set(folders)
  if(TARGET ${target})
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
  else()
    set(missing ${target})
  endif()
  foreach(folder IN LISTS folders)
    if(IS_ABSOLUTE "${folder}" AND NOT EXISTS "${folder}")
      set(missing "${folder}")
    endif()
  endforeach()
  foreach(header IN LISTS headers)
    if(NOT missing)
      find_path(found ${header} HINTS ${folders} NO_CACHE)
      if(NOT found)
        set(missing ${header})
      endif()
      unset(found)
    endif()
  endforeach()
  if(missing)
    set(missing "${missing} is missing (Debian: ${debian})")
  endif()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# pollard_find(OUT PACKAGE TARGET HEADERS DEBIAN [ARGUMENTS...]): find_package. A macro, so that the caller has its variables.
macro(pollard_find out package target headers debian)
  find_package(${package} QUIET ${ARGN})
  if(${package}_FOUND)
    pollard_look(${out} ${target} "${headers}" "${debian}")
  else()
    set(${out} "${package} is missing (Debian: ${debian})")
  endif()
endmacro()

# pollard_require(PACKAGE TARGET HEADERS DEBIAN [ARGUMENTS...]): find_package for something that Pollard cannot do without.
macro(pollard_require package target headers debian)
  pollard_find(missing ${package} ${target} "${headers}" "${debian}" ${ARGN})
  pollard_need("${missing}")
endmacro()

# pollard_find_modules(OUT NAME MODULES HEADERS DEBIAN): pkg-config modules. Pollard::<NAME> is the target if they can be used.
function(pollard_find_modules out name modules headers debian)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${modules})
  if(NOT PKG_CONFIG_EXECUTABLE)
    set(missing "pkg-config is missing (Debian: pkg-config)")
  elseif(NOT ${name}_FOUND)
    list(JOIN modules ", " text)
    set(missing "pkg-config does not find ${text} (Debian: ${debian})")
  else()
    pollard_look(missing PkgConfig::${name} "${headers}" "${debian}")
  endif()
  foreach(library IN LISTS ${name}_LINK_LIBRARIES)
    # A library that CMake does not find has no path. The compiler finds these parts of the C library itself.
    if(NOT missing AND NOT (IS_ABSOLUTE "${library}" AND EXISTS "${library}") AND NOT library MATCHES "^(dl|m|pthread|rt)$")
      set(missing "the library ${library} is missing (Debian: ${debian})")
    endif()
  endforeach()
  if(NOT missing)
    add_library(Pollard::${name} ALIAS PkgConfig::${name})
  endif()
  set(${out} "${missing}" PARENT_SCOPE)
  set(${name}_VERSION "${${name}_VERSION}" PARENT_SCOPE)
endfunction()

# pollard_try_compiler(OUT COMPILER FILE CODE [ARGUMENTS...]): whether a compiler that CMake did not check makes a program.
# CMake remembers success.
function(pollard_try_compiler out compiler file code)
  set(${out} "" PARENT_SCOPE)
  string(MAKE_C_IDENTIFIER "POLLARD_TRIED_${file}" tried)
  if("${${tried}}" STREQUAL "${compiler} ${ARGN}")
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/CMakeFiles/pollard)
  file(WRITE ${folder}/${file} "${code}")
  execute_process(COMMAND ${compiler} ${ARGN} ${file} -o ${file}.out WORKING_DIRECTORY ${folder}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(status EQUAL 0)
    set(${tried} "${compiler} ${ARGN}" CACHE INTERNAL "The compiler that made a program of ${file}")
    return()
  endif()
  string(REGEX MATCH "[^\n]*(error|fatal|cannot|not found)[^\n]*" line "${text}")
  string(STRIP "${line}" line)
  if(NOT line)
    set(line "${status}")
  endif()
  set(${out} "${compiler} fails: ${line}" PARENT_SCOPE)
endfunction()
