# pollard_precompile(TARGET HEADERS...): parses these headers and common standard headers once per target. Parsing Qt's
# headers takes longer than compiling the code of a source.
#
# Only rooms with Qt benefit: under sanitizers the templates of GoogleTest and CLI11 get slower, and core has few
# headers. Headers must not rely on it (the header checks compile each alone, without it), and sources should not:
# clang-tidy reads them without it, though several at a time.

function(pollard_precompile target)
  set(headers)
  foreach(header algorithm array cmath cstdint functional memory optional span string string_view utility vector ${ARGN})
    list(APPEND headers <${header}>)
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  if(POLLARD_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>) # required by ccache
  endif()
endfunction()
