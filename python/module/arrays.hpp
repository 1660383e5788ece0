#pragma once

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "engine/device_pixels.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "snake/snake_job.hpp"
#include "tree/component_tree.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::python {

namespace py = pybind11;

using Shape = std::vector<py::ssize_t>;

[[nodiscard]] Shape shapeOf(const py::array& array);
/// Size of an image, (height, width), or volume, (slices, height, width).
/// @param what for messages: "image"
/// @throws Error(invalidArgument) without pixels and for other numbers of axes, Error(limitExceeded) above
/// Image::kMaxPixels
[[nodiscard]] Extent extentOf(const Shape& shape, std::string_view what);

/// The size of pixels that the caller states.
/// @param sides of a voxel (z, y, x)
/// @throws Error(invalidArgument) for a unit that is no length
[[nodiscard]] PixelSize sizeOfArray(const std::array<double, 3>& sides, const std::string& unit);

/// The neighbours of a pixel of an array with this number of axes, by scikit-image's number.
/// @param connectivity largest number of steps along axes to a neighbour, 1 to the number of axes
/// @throws Error(invalidArgument) for another number
[[nodiscard]] Connectivity neighboursIn(std::size_t axes, const Extent& extent, int connectivity);

/// An image over the memory of an array, which it keeps alive; a copy if the array is not aligned.
/// @param levels uint8 or uint16 in the byte order of the machine, contiguous in C order, of 2 or 3 axes
/// @throws Error(invalidArgument) for any other array
[[nodiscard]] std::shared_ptr<Image> imageOf(const py::array& levels, std::string_view what);

/// Converts a boolean array to a mask of its true values. @throws Error(invalidArgument) unless it is boolean,
/// contiguous and of 2 or 3 axes
[[nodiscard]] std::shared_ptr<const Mask> maskOf(const py::array& flags, std::string_view what);

/// A copy of boolean flags. @throws Error(invalidArgument) unless the array is contiguous and has @p count values
[[nodiscard]] Buffer<std::uint8_t> flagsOf(const py::array& flags, std::size_t count, std::string_view what);

/// An array over memory that @p owner keeps.
template <class T>
[[nodiscard]] py::array_t<T> arrayOver(T* data, const Shape& shape, std::shared_ptr<const void> owner) {
    const py::capsule keeper(new std::shared_ptr<const void>(std::move(owner)),
                             [](void* kept) { delete static_cast<std::shared_ptr<const void>*>(kept); });
    return py::array_t<T>(shape, data, keeper);
}

/// A read-only array over memory that @p owner keeps.
template <class T>
[[nodiscard]] py::array_t<T> arrayOver(const T* data, const Shape& shape, std::shared_ptr<const void> owner) {
    py::array_t<T> array = arrayOver(const_cast<T*>(data), shape, std::move(owner));
    array.attr("flags").attr("writeable") = false;
    return array;
}

/// An array that owns the buffer.
template <class T> [[nodiscard]] py::array_t<T> arrayOf(Buffer<T> buffer, const Shape& shape) {
    const auto owner = std::make_shared<Buffer<T>>(std::move(buffer));
    return arrayOver(owner->data(), shape, owner);
}
/// An array of the pixels of an image, which it owns.
[[nodiscard]] py::array arrayOf(std::shared_ptr<Image> image, const Shape& shape);

/// A column of a table.
template <class T, class Rows, class Value> [[nodiscard]] py::array_t<T> columnOf(const Rows& rows, Value&& value) {
    py::array_t<T> column(Shape{static_cast<py::ssize_t>(rows.size())}); // with strides by the size of T, see imageOf()
    T* next = column.mutable_data();
    for (const auto& row : rows) {
        *next++ = static_cast<T>(value(row));
    }
    return column;
}

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

/// "contour", an array of shape (nodes, 2) of rows and columns of corners, "energy", "round", "step" and "pixels".
[[nodiscard]] pybind11::dict dictOf(const SnakeState& state);
/// "contours", a list of states, and "energy" of the whole image.
[[nodiscard]] pybind11::dict resultOf(const SnakeResult& evolved);

/// A table of all features of objects: a dict of columns with the names of `pollard-cli components --csv`.
/// @param labels objects of the rows, in their order
/// @param further ids of features of hulls, balls and thickness that are measured; ids of other objects are left out
[[nodiscard]] pybind11::dict tableOf(const MeasuredObjects& objects, const std::vector<std::uint32_t>& labels,
                                     const std::vector<std::string>& further = {});

/// Finds the value with this name. @param what for messages: "rule"
/// @throws Error(invalidArgument) for an unknown name, listing the known names
template <class Values>
[[nodiscard]] typename Values::value_type named(const Values& values, const std::string& name, std::string_view what) {
    std::string known;
    for (const auto value : values) {
        if (nameOf(value) == name) {
            return value;
        }
        known += (known.empty() ? "" : ", ") + std::string(nameOf(value));
    }
    throw Error(ErrorCode::invalidArgument, std::string(what) + ": '" + name + "': unknown (there are " + known + ")");
}

} // namespace pollard::python
