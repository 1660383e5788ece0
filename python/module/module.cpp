// pollard_morphology._core: the library with NumPy arrays of levels. The package's Python files have its public names,
// the kinds of values that arrays may have, and the documentation.

#include "bindings.hpp"
#include "job.hpp"

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/system.hpp"
#include "image/length_unit.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

namespace pollard::python {

namespace {

namespace py = pybind11;

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

/// Maps errors of the library to Python exceptions with the same line of text: ValueError, MemoryError,
/// FileNotFoundError, OSError or RuntimeError.
void translateErrors() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) {
                std::rethrow_exception(thrown);
            }
        } catch (const Error& error) {
            PyErr_SetString(exceptionFor(error.code()), error.what());
        }
    });
}

/// Freed memory that the next call takes, see BlockReserve: what a tree of 24 megapixels needs, if there is enough.
std::size_t keptBytes() {
    constexpr std::uint64_t kMost = std::uint64_t{512} << 20;
    constexpr std::uint64_t kShare = 8;
    return static_cast<std::size_t>(std::min(kMost, pollard::availableMemory() / kShare));
}

py::list devices() {
    py::list all;
    for (const Engine* engine : allEngines()) {
        py::dict entry;
        entry["name"] = engine->name();
        entry["device"] = engine->device();
        entry["unusable"] = engine->unusableReason();
        all.append(entry);
    }
    return all;
}

py::list attributes(bool ofVolumes) {
    py::list all;
    for (const AttributeInfo& info : ofVolumes ? volumeAttributes() : allAttributes()) {
        py::dict entry;
        entry["name"] = std::string(info.name);
        entry["title"] = std::string(info.title);
        entry["formula"] = std::string(info.formula);
        entry["unit"] = std::string(info.unit);
        entry["group"] = std::string(info.group);
        entry["source"] = std::string(info.source);
        entry["increasing"] = info.increasing;
        entry["dimension"] = powerOf(dimensionOf(info.id, ofVolumes));
        all.append(entry);
    }
    return all;
}

} // namespace

} // namespace pollard::python

PYBIND11_MODULE(_core, module) {
    using namespace pollard::python; // NOLINT(google-build-using-namespace): the macro opens a function
    module.attr("__version__") = POLLARD_VERSION;
    translateErrors();
    // pybind11 before 2.12 looks for NumPy's interface in the first call that needs it, holds the guard of a static
    // variable and lets other threads of Python run: two first calls would wait for each other.
    pybind11::detail::npy_api::get();
    static const pollard::BlockReserve reserve(keptBytes());
    module.def("devices", &devices);
    module.def("attributes", &attributes, py::arg("of_volumes"));
    bindArrowStreams(module);
    bindDeviceArrays(module);
    bindJobs(module);
    bindValueMappings(module);
    bindMaxTree(module);
    bindChunkTasks(module);
    bindObjects(module);
    bindRecipes(module);
    bindSegmentation(module);
    bindOperators(module);
    bindHierarchies(module);
    bindSnake(module);
}
