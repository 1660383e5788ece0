#include "arrays.hpp"

#include "bindings.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/object_features.hpp"
#include "image/mask.hpp"
#include "io/metadata/length_units.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& problem) {
    throw Error(ErrorCode::invalidArgument, std::string(what) + ": " + problem);
}

void requireContiguous(const py::array& array, std::string_view what) {
    if ((array.flags() & py::array::c_style) == 0) {
        refuse(what, "the array is not contiguous in C order");
    }
}

/// Deleter of an image over the memory of an array.
struct ArrayDeleter {
    py::array array;
    void operator()(Image* image) {
        delete image;
        const py::gil_scoped_acquire held; // the last owner may be a thread of the engine
        array.release().dec_ref();
    }
};

/// Booleans that other code wrote into NumPy arrays may be any byte.
constexpr bool isSet(std::uint8_t flag) noexcept { return flag != 0; }

/// Bit i says whether flag i is set; at most 64 flags.
Mask::Word wordOf(const std::uint8_t* flags, std::uint32_t count) noexcept {
    constexpr std::uint32_t kAtOnce = 8;
    constexpr std::uint64_t kLow = 0x7f7f'7f7f'7f7f'7f7f;
    Mask::Word word = 0;
    std::uint32_t i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; i + kAtOnce <= count; i += kAtOnce) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, flags + i, kAtOnce);
            const std::uint64_t tops = (((bytes & kLow) + kLow) | bytes) & ~kLow; // the highest bit of a set flag
            word |= ((tops >> 7U) * 0x0102'0408'1020'4080 >> 56U) << i;
        }
    }
    for (; i < count; ++i) {
        word |= Mask::Word{isSet(flags[i])} << i;
    }
    return word;
}

/// Sets the pixels of a row that have a flag.
void setRow(Mask& mask, std::uint32_t y, const std::uint8_t* flags) noexcept {
    Mask::Word left = 0;
    std::uint32_t first = 0;
    bool within = false;
    for (std::uint32_t x = 0; x < mask.width(); x += Mask::kBitsPerWord) {
        const Mask::Word word = wordOf(flags + x, std::min(Mask::kBitsPerWord, mask.width() - x));
        for (Mask::Word edges = edgesOf(word, left); edges != 0; edges &= edges - 1) {
            const std::uint32_t edge = x + static_cast<std::uint32_t>(std::countr_zero(edges));
            if (within) {
                mask.setRun(first, edge, y, true);
            }
            first = edge;
            within = !within;
        }
        left = word >> (Mask::kBitsPerWord - 1);
    }
    if (within) {
        mask.setRun(first, mask.width(), y, true);
    }
}

bool isBoolean(const py::array& array) { return array.dtype().kind() == 'b'; }

} // namespace

Shape shapeOf(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

Extent extentOf(const Shape& shape, std::string_view what) {
    if (shape.size() != 2 && shape.size() != 3) {
        refuse(what, "the array has " + std::to_string(shape.size()) + " axes; images have 2, volumes 3");
    }
    std::uint64_t pixels = 1;
    for (const py::ssize_t side : shape) {
        if (side <= 0) {
            refuse(what, "has no pixels");
        }
        if (static_cast<std::uint64_t>(side) > Image::kMaxPixels / pixels) {
            throw Error(ErrorCode::limitExceeded,
                        std::string(what) + ": more than " + std::to_string(Image::kMaxPixels) + " pixels");
        }
        pixels *= static_cast<std::uint64_t>(side);
    }
    const auto side = [&](std::size_t fromEnd) { return static_cast<std::uint32_t>(shape[shape.size() - fromEnd]); };
    return {side(1), side(2), shape.size() == 3 ? side(3) : 1};
}

PixelSize sizeOfArray(const std::array<double, 3>& sides, const std::string& unit) {
    const std::optional<std::string_view> known = statedUnit(unit);
    if (!known) {
        throw Error(ErrorCode::invalidArgument, "unit: '" + unit + "': unknown (there are nm, um, mm, cm, m, km)");
    }
    const auto [z, y, x] = sides;
    return {x, y, std::string(*known), "spacing", false, z};
}

Connectivity neighboursIn(std::size_t axes, const Extent& extent, int connectivity) {
    constexpr std::array kImages{Connectivity::four, Connectivity::eight};
    constexpr std::array kVolumes{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    if (connectivity < 1 || static_cast<std::size_t>(connectivity) > axes) {
        throw Error(ErrorCode::invalidArgument, "connectivity: " + std::to_string(connectivity) + ": is 1 to " +
                                                    std::to_string(axes) + " in an array of " + std::to_string(axes) +
                                                    " axes");
    }
    const auto at = static_cast<std::size_t>(connectivity - 1);
    return axes == 2 ? kImages.at(at) : connectivityIn(extent, kVolumes.at(at));
}

std::shared_ptr<Image> imageOf(const py::array& levels, std::string_view what) {
    const Extent extent = extentOf(shapeOf(levels), what);
    requireContiguous(levels, what);
    const bool bytes = levels.dtype().equal(py::dtype::of<std::uint8_t>());
    if (!bytes && !levels.dtype().equal(py::dtype::of<std::uint16_t>())) {
        refuse(what, "the values are " + std::string(py::str(levels.dtype())) + ", not uint8 or uint16");
    }
    const PixelType type = bytes ? PixelType::u8 : PixelType::u16;
    // Engines only read images, so read-only arrays stay unchanged. pybind11 before 2.12 does not know the size of a
    // value in NumPy 2, and so no nbytes().
    const std::span<std::byte> memory(static_cast<std::byte*>(const_cast<void*>(levels.data())),
                                      extent.pixelCount() * bytesOf(type));
    if ((levels.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) {
        auto copy = std::make_shared<Image>(type, extent);
        std::copy(memory.begin(), memory.end(), copy->data());
        return copy;
    }
    auto image = std::make_unique<Image>(type, extent, Buffer<std::byte>::over(memory));
    const ArrayDeleter keeper{levels};
    return {image.release(), keeper};
}

std::shared_ptr<const Mask> maskOf(const py::array& flags, std::string_view what) {
    const Extent extent = extentOf(shapeOf(flags), what);
    requireContiguous(flags, what);
    if (!isBoolean(flags)) {
        refuse(what, "the values are " + std::string(py::str(flags.dtype())) + ", not bool");
    }
    if (extent.rows() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded, std::string(what) + ": " + std::to_string(extent.rows()) + " rows");
    }
    auto mask = std::make_shared<Mask>(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
    const auto* const bytes = static_cast<const std::uint8_t*>(flags.data());
    constexpr std::size_t kPixelsPerTask = std::size_t{1} << 18;
    const auto setRows = [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y != end; ++y) {
            setRow(*mask, static_cast<std::uint32_t>(y), bytes + y * extent.width);
        }
    };
    forEachRange(mask->height(), {}, setRows, kPixelsPerTask / extent.width + 1);
    return mask;
}

Buffer<std::uint8_t> flagsOf(const py::array& flags, std::size_t count, std::string_view what) {
    if (!isBoolean(flags) || flags.ndim() != 1 || static_cast<std::size_t>(flags.size()) != count) {
        refuse(what, "needs a boolean array with a value for each of the " + std::to_string(count) + " nodes");
    }
    requireContiguous(flags, what);
    Buffer<std::uint8_t> copy(count);
    const auto* source = static_cast<const std::uint8_t*>(flags.data());
    std::transform(source, source + count, copy.begin(), [](std::uint8_t flag) { return isSet(flag) ? 1 : 0; });
    return copy;
}

py::array arrayOf(std::shared_ptr<Image> image, const Shape& shape) {
    return dispatch(image->type(), [&]<class Pixel>(Pixel) -> py::array {
        Pixel* pixels = image->pixels<Pixel>().data();
        return arrayOver(pixels, shape, std::move(image));
    });
}

namespace {

/// The memory layout of DLPack 0.8 (https://dmlc.github.io/dlpack/latest/c_api.html), with names in the style of this
/// program.
namespace dlpack {

constexpr std::int32_t kCuda = 2;         ///< kDLCUDA
constexpr std::int32_t kCudaManaged = 13; ///< kDLCUDAManaged
constexpr std::uint8_t kUnsigned = 1;     ///< kDLUInt

struct Device {
    std::int32_t type;
    std::int32_t number;
};

struct Tensor {
    void* data;
    Device device;
    std::int32_t axes;
    std::uint8_t code; ///< kind of the values
    std::uint8_t bits;
    std::uint16_t lanes; ///< 1
    std::int64_t* shape;
    std::int64_t* strides; ///< in values; null: contiguous in C order
    std::uint64_t byteOffset;
};

struct ManagedTensor {
    Tensor tensor;
    void* context;
    void (*deleter)(ManagedTensor* self);
};

} // namespace dlpack

constexpr const char* kTensor = "dltensor";
constexpr const char* kUsedTensor = "used_dltensor";

/// Keeps a Python object; the last owner may be a thread without Python's lock.
std::shared_ptr<const void> keepAlive(const void* address, py::object owner) {
    const std::shared_ptr<py::object> keeper(new py::object(std::move(owner)), [](py::object* held) {
        const py::gil_scoped_acquire lock;
        delete held;
    });
    return {keeper, address};
}

/// @param strides in units of @p unit
void requireContiguous(const Shape& shape, const Shape& strides, py::ssize_t unit, std::string_view what) {
    bool contiguous = strides.size() == shape.size();
    for (std::size_t i = shape.size(); contiguous && i-- > 0; unit *= shape[i]) {
        contiguous = shape[i] == 1 || strides[i] == unit;
    }
    if (!contiguous) {
        refuse(what, "the array is not contiguous in C order");
    }
}

TexelType texelsOfBits(int bits, const std::string& type, std::string_view what) {
    for (const TexelType texels : {TexelType::u8, TexelType::u16, TexelType::u32}) {
        if (bitsOf(texels) == static_cast<unsigned>(bits)) {
            return texels;
        }
    }
    refuse(what, "the values are " + type + ", not uint8 or uint16");
}

GpuArray fromInterface(const py::object& source, std::string_view what) {
    const py::dict fields = source.attr("__cuda_array_interface__");
    GpuArray array;
    array.shape = fields["shape"].cast<Shape>();
    array.pixels.extent = extentOf(array.shape, what);
    const auto type = fields["typestr"].cast<std::string>();
    const bool isUnsigned = type == "|u1" || type == "<u1" || type == "<u2" || type == "<u4";
    array.pixels.type = texelsOfBits(isUnsigned ? 8 * (type[2] - '0') : 0, type, what);
    if (fields.contains("strides") && !fields["strides"].is_none()) {
        requireContiguous(array.shape, fields["strides"].cast<Shape>(), bitsOf(array.pixels.type) / 8, what);
    }
    if (fields.contains("mask") && !fields["mask"].is_none()) {
        refuse(what, "arrays of a GPU with a mask are not possible");
    }
    const auto address = fields["data"].cast<py::tuple>()[0].cast<std::uintptr_t>();
    array.pixels.values = keepAlive(reinterpret_cast<const void*>(address), source);
    return array;
}

GpuArray fromDlpack(const py::object& source, std::string_view what) {
    const auto device = source.attr("__dlpack_device__")().cast<std::pair<std::int32_t, std::int32_t>>();
    if (device.first != dlpack::kCuda && device.first != dlpack::kCudaManaged) {
        refuse(what, "the memory is not that of an NVIDIA GPU (DLPack's device " + std::to_string(device.first) + ")");
    }
    const py::capsule given = source.attr("__dlpack__")();
    if (std::string(given.name() != nullptr ? given.name() : "") != kTensor) {
        refuse(what, "__dlpack__() gives no new tensor");
    }
    auto* const managed = static_cast<dlpack::ManagedTensor*>(given.get_pointer());
    const dlpack::Tensor& tensor = managed->tensor;
    GpuArray array;
    array.shape.assign(tensor.shape, tensor.shape + tensor.axes);
    array.pixels.extent = extentOf(array.shape, what);
    const bool isUnsigned = tensor.code == dlpack::kUnsigned && tensor.lanes == 1;
    array.pixels.type = texelsOfBits(
        isUnsigned ? tensor.bits : 0,
        "of DLPack's type " + std::to_string(tensor.code) + " with " + std::to_string(tensor.bits) + " bits", what);
    if (tensor.strides != nullptr) {
        requireContiguous(array.shape, Shape(tensor.strides, tensor.strides + tensor.axes), 1, what);
    }
    array.pixels.device = tensor.device.number;
    // From here on this program owns the tensor; its deleter may need Python's lock.
    const std::shared_ptr<dlpack::ManagedTensor> owner(managed, [](dlpack::ManagedTensor* held) {
        const py::gil_scoped_acquire lock;
        if (held->deleter != nullptr) {
            held->deleter(held);
        }
    });
    if (PyCapsule_SetName(given.ptr(), kUsedTensor) != 0) {
        throw py::error_already_set();
    }
    array.pixels.values = {owner, static_cast<const std::byte*>(tensor.data) + tensor.byteOffset};
    return array;
}

std::string typeOf(const GpuArray& array) { return "uint" + std::to_string(bitsOf(array.pixels.type)); }

py::dict interfaceOf(const GpuArray& array) {
    const unsigned bytes = bitsOf(array.pixels.type) / 8;
    py::dict fields;
    fields["shape"] = py::tuple(py::cast(array.shape));
    fields["typestr"] = (bytes == 1 ? "|u" : "<u") + std::to_string(bytes);
    fields["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(array.pixels.values.get()), false);
    fields["strides"] = py::none();
    fields["stream"] = py::none(); // the values are complete
    fields["version"] = 3;
    return fields;
}

/// A tensor of DLPack with its shape and the owner of its memory.
struct Export {
    dlpack::ManagedTensor managed{};
    std::vector<std::int64_t> shape;
    std::shared_ptr<const void> owner;
};

py::capsule tensorOf(const GpuArray& array) {
    auto made = std::make_unique<Export>();
    made->shape.assign(array.shape.begin(), array.shape.end());
    made->owner = array.pixels.values;
    made->managed = {{const_cast<void*>(array.pixels.values.get()),
                      {dlpack::kCuda, array.pixels.device},
                      static_cast<std::int32_t>(made->shape.size()),
                      dlpack::kUnsigned,
                      static_cast<std::uint8_t>(bitsOf(array.pixels.type)),
                      1,
                      made->shape.data(),
                      nullptr,
                      0},
                     made.get(),
                     [](dlpack::ManagedTensor* self) { delete static_cast<Export*>(self->context); }};
    py::capsule capsule(&made->managed, kTensor, [](PyObject* object) {
        if (PyCapsule_IsValid(object, kTensor) != 0) { // no library has consumed the tensor
            auto* const managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(object, kTensor));
            managed->deleter(managed);
        }
    });
    (void)made.release();
    return capsule;
}

} // namespace

GpuArray gpuArrayOf(const py::object& source, std::string_view what) {
    try {
        return py::hasattr(source, "__cuda_array_interface__") ? fromInterface(source, what) : fromDlpack(source, what);
    } catch (const py::cast_error&) {
        refuse(what, "the description of the array on the GPU has a field of another type");
    } catch (const py::error_already_set& error) {
        if (error.matches(PyExc_LookupError)) {
            refuse(what, "the description of the array on the GPU lacks a field");
        }
        throw;
    }
}

void bindDeviceArrays(py::module_& module) {
    py::class_<GpuArray>(
        module, "DeviceArray",
        "Array in the memory of a GPU: for libraries with `__cuda_array_interface__` or DLPack, such as\n"
        "``cupy.asarray(array)`` and ``torch.from_dlpack(array)``. Made of an array of such a library,\n"
        "it shares the memory.")
        .def(py::init([](const py::object& source) { return gpuArrayOf(source, "array"); }), py::arg("source"))
        .def_property_readonly(
            "shape", [](const GpuArray& self) { return py::tuple(py::cast(self.shape)); }, "Pixels along each axis.")
        .def_property_readonly("dtype", &typeOf, "Name of the type of the values: \"uint8\", \"uint16\" or \"uint32\".")
        .def_property_readonly("__cuda_array_interface__", &interfaceOf)
        .def("__dlpack_device__",
             [](const GpuArray& self) { return py::make_tuple(dlpack::kCuda, self.pixels.device); })
        .def("__dlpack__", [](const GpuArray& self, const py::kwargs&) { return tensorOf(self); });
}

py::dict dictOf(const SnakeState& state) {
    py::array_t<std::int32_t> corners({static_cast<py::ssize_t>(state.nodes.size()), py::ssize_t{2}});
    auto cells = corners.mutable_unchecked<2>();
    for (std::size_t i = 0; i < state.nodes.size(); ++i) {
        const auto row = static_cast<py::ssize_t>(i);
        cells(row, 0) = state.nodes[i].y;
        cells(row, 1) = state.nodes[i].x;
    }
    py::dict entry;
    entry["contour"] = corners;
    entry["energy"] = state.energy;
    entry["round"] = state.round;
    entry["step"] = std::string(nameOf(state.kind));
    entry["pixels"] = state.inside.pixels;
    return entry;
}

py::dict resultOf(const SnakeResult& evolved) {
    py::list contours;
    for (const SnakeState& state : evolved.states) {
        contours.append(dictOf(state));
    }
    py::dict result;
    result["contours"] = contours;
    result["energy"] = evolved.energy;
    return result;
}

py::dict tableOf(const MeasuredObjects& objects, const std::vector<std::uint32_t>& labels,
                 const std::vector<std::string>& further) {
    py::dict table;
    for (const ObjectFeatureInfo& info : objectFeatures(objects.components().connectivity)) {
        if (info.edge > EdgeMeasure::traced && std::ranges::find(further, info.id) == further.end()) {
            continue;
        }
        const auto cell = [&](std::uint32_t label) { return objects.value(label, info.feature); };
        const py::str name{std::string(info.id)};
        if (isWhole(info, objects.unit())) {
            table[name] = columnOf<std::int64_t>(labels, cell);
        } else {
            table[name] = columnOf<double>(labels, cell);
        }
    }
    return table;
}

} // namespace pollard::python
