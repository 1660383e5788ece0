# pollard_precompile(TARGET HEADERS...): parses these headers, and the standard ones that most sources need, once for the
# target. Reading Qt's headers takes longer than compiling what follows them.
#
# Only the rooms with Qt gain by it: under sanitizers the templates of GoogleTest and CLI11 get slower, not faster, and
# core has few headers. No header may rely on it (the header checks read each one alone, without), and no source should:
# clang-tidy reads them without it, too, though several at a time.

function(pollard_precompile target)
  set(headers)
  foreach(header algorithm array cmath cstdint functional memory optional span string string_view utility vector ${ARGN})
    list(APPEND headers <${header}>)
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  if(POLLARD_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>) # ccache asks for it
  endif()
endfunction()
