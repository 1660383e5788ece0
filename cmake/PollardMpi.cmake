# pollard-mpi is built if MPI is found: POLLARD_MPI (AUTO, ON, OFF) decides, POLLARD_WITH_MPI is the result.

# CMake would stop at a wrapper of MPI that names headers which are not there.
pollard_wish(MPI "Build pollard-mpi, for the processes of MPI on several machines")
set(missing)
if(POLLARD_MPI)
  find_program(MPI_CXX_COMPILER NAMES mpicxx mpic++ mpiCC mpigxx mpiicpx mpiicpc HINTS ENV MPI_HOME PATH_SUFFIXES bin)
  set(MPI_SKIP_COMPILER_WRAPPER ON)
  if(MPI_CXX_COMPILER)
    set(MPI_SKIP_COMPILER_WRAPPER OFF)
    pollard_try_compiler(missing ${MPI_CXX_COMPILER} probe_mpi.cpp [[
#include <mpi.h>
int main() { return MPI_Init(nullptr, nullptr); }
]])
  endif()
  if(missing)
    string(APPEND missing " (Debian: libopenmpi-dev)")
  else()
    pollard_find(missing MPI MPI::MPI_CXX mpi.h libopenmpi-dev COMPONENTS CXX)
  endif()
endif()
pollard_decide(MPI "MPI" "with version ${MPI_CXX_VERSION}" "not built" "${missing}")
