#pragma once

#include "arrays.hpp"

#include "engine/device_arrays.hpp"

#include <pybind11/pybind11.h>

#include <string_view>

namespace pollard::python {

/// An array in the memory of a GPU, for libraries with the CUDA array interface or DLPack.
struct GpuArray {
    DeviceArray pixels;
    Shape shape;
};

/// The memory of an object with `__cuda_array_interface__`, or with `__dlpack__` on a CUDA device; the array keeps the
/// object alive.
/// @param what for messages: "image"
/// @throws Error(invalidArgument) unless the values are uint8, uint16 or uint32, contiguous in C order, of 2 or 3 axes,
/// on a GPU; Error(limitExceeded) above Image::kMaxPixels
[[nodiscard]] GpuArray gpuArrayOf(const py::object& source, std::string_view what);

} // namespace pollard::python
