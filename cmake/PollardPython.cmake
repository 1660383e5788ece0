# The Python module is built if pybind11 and the development files of Python are found:
# POLLARD_PYTHON (AUTO, ON, OFF) decides, POLLARD_WITH_PYTHON is the result.

pollard_wish(PYTHON "Build the Python module")
set(missing)
if(POLLARD_PYTHON)
  # The distribution's Python, for which its packages are; Python_EXECUTABLE names another.
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  pollard_find(missing Python Python::Module Python.h python3-dev 3.10 COMPONENTS Interpreter Development.Module)
  if(missing AND Python_Interpreter_FOUND)
    set(missing "Python.h is missing (Debian: python3-dev)")
  elseif(NOT missing)
    pollard_find(missing pybind11 pybind11::pybind11_headers pybind11/pybind11.h pybind11-dev 2.10 CONFIG)
  endif()
endif()
pollard_decide(PYTHON "Python module" "for Python ${Python_VERSION}, pybind11 ${pybind11_VERSION}" "not built" "${missing}")
