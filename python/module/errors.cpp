#include "errors.hpp"

#include "base/error.hpp"

#include <pybind11/pybind11.h>

#include <exception>

namespace pollard::python {

namespace py = pybind11;

namespace {

PyObject* exceptionFor(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::fileNotFound:
        return PyExc_FileNotFoundError;
    case ErrorCode::fileUnreadable:
    case ErrorCode::writeFailed:
        return PyExc_OSError;
    case ErrorCode::outOfMemory:
        return PyExc_MemoryError;
    case ErrorCode::engineUnavailable:
    case ErrorCode::deviceFailed:
        return PyExc_RuntimeError;
    case ErrorCode::formatUnknown:
    case ErrorCode::formatUnsupported:
    case ErrorCode::fileDamaged:
    case ErrorCode::limitExceeded:
    case ErrorCode::invalidArgument:
        break;
    }
    return PyExc_ValueError;
}

} // namespace

void translateErrors() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) {
                std::rethrow_exception(thrown);
            }
        } catch (const Error& error) {
            PyErr_SetString(exceptionFor(error.code()), error.what());
        } catch (const Cancelled&) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
}

} // namespace pollard::python
