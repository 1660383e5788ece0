# Language level, warnings and sanitizers of all rooms.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(POLLARD_WERROR "Treat warnings as errors" OFF)
set(POLLARD_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(POLLARD_CCACHE ccache)
if(POLLARD_CCACHE)
  # Compares precompiled headers by their content. Clones and work trees in other folders share the results.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    ${POLLARD_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

add_library(pollard_options INTERFACE)
target_compile_options(pollard_options INTERFACE
  # Messages name files of the project without the folder of the clone.
  $<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${POLLARD_WERROR}>>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns wrongly about overlapping copies in std::string's operator+ (GCC bug 105651).
  target_compile_options(pollard_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(POLLARD_SANITIZE)
  target_compile_options(pollard_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${POLLARD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined>)
  target_link_options(pollard_options INTERFACE -fsanitize=${POLLARD_SANITIZE})
  if(POLLARD_SANITIZE MATCHES "address.*undefined")
    # A check of every pointer takes a third of the compile time. The address sanitizer finds accesses through null and
    # beyond objects.
    target_compile_options(pollard_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size,vptr>)
  endif()
  find_program(POLLARD_LLD ld.lld)
  if(POLLARD_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_link_options(pollard_options INTERFACE -fuse-ld=lld)
  endif()
endif()

# pollard_calls(TARGET): the code of the target calls other rooms and libraries more than it computes. It is optimised
# little, and under sanitizers not at all, which takes most of its compile time.
function(pollard_calls target)
  if(POLLARD_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    # g++ 12 warns wrongly about uninitialised values of std::optional if it optimises little.
    target_compile_options(${target} PRIVATE
      $<$<AND:$<CONFIG:Release,RelWithDebInfo>,$<COMPILE_LANGUAGE:CXX>>:-O1>
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()
