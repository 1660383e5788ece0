# Sets POLLARD_WITH_CUDA: whether the CUDA engine is built.

set(POLLARD_CUDA_ARCHITECTURES AUTO CACHE STRING "GPU architectures of the CUDA engine: AUTO, ALL (for packages)")
set_property(CACHE POLLARD_CUDA_ARCHITECTURES PROPERTY STRINGS AUTO ALL)

# Sets CMAKE_CUDA_ARCHITECTURES unless it or CUDAARCHS is set. AUTO: architectures of the GPUs of this machine, or
# without a GPU intermediate code of the oldest one, which drivers compile at program start. Each takes minutes to
# compile.
macro(pollard_choose_architectures)
  if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
    if(POLLARD_CUDA_ARCHITECTURES STREQUAL "ALL")
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100-real 120)
    else()
      execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
        OUTPUT_VARIABLE capabilities RESULT_VARIABLE failed ERROR_QUIET)
      string(REGEX MATCHALL "[0-9]+[.][0-9]+" capabilities "${capabilities}")
      if("${failed}" STREQUAL "0" AND capabilities)
        list(REMOVE_DUPLICATES capabilities)
        string(REPLACE "." "" CMAKE_CUDA_ARCHITECTURES "${capabilities}")
      endif()
    endif()
  endif()
endmacro()

# A compiler that CMake cannot use would stop it: nvcc may lack its libraries, or refuse the host compiler.
pollard_wish(CUDA "Build the CUDA engine")
set(missing)
if(POLLARD_CUDA)
  find_program(POLLARD_NVCC nvcc PATHS /usr/local/cuda/bin)
  set(nvcc ${POLLARD_NVCC})
  if(CMAKE_CUDA_COMPILER)
    set(nvcc ${CMAKE_CUDA_COMPILER})
  elseif(DEFINED ENV{CUDACXX})
    set(nvcc $ENV{CUDACXX})
  endif()
  set(host ${CMAKE_CUDA_HOST_COMPILER})
  if(NOT host)
    set(host $ENV{CUDAHOSTCXX})
  endif()
  if(host)
    list(PREPEND host -ccbin)
  endif()
  if(nvcc)
    pollard_try_compiler(missing ${nvcc} probe.cu [[
#include <cuda_runtime.h>
__global__ void probe() {}
int main() {
    probe<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
]] -std=c++20 ${host})
  else()
    set(missing "nvcc is missing (CUDACXX names it)")
  endif()
  if(NOT missing)
    pollard_choose_architectures()
  endif()
endif()
set(architectures ${CMAKE_CUDA_ARCHITECTURES})
if(NOT architectures)
  set(architectures $ENV{CUDAARCHS})
endif()
pollard_decide(CUDA "CUDA engine" "built with ${nvcc} for ${architectures}" "not built, the CPU engine does every job"
  "${missing}")

if(POLLARD_WITH_CUDA)
  set(CMAKE_CUDA_COMPILER ${nvcc} CACHE FILEPATH "CUDA compiler" FORCE)
  enable_language(CUDA)
  # CMake 3.25 lacks the C++20 flag of nvcc.
  foreach(kind STANDARD EXTENSION)
    if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
      set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
    endif()
  endforeach()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
endif()
