#include "device_arrays.hpp"

#include "bindings.hpp"
#include "dlpack.hpp"

#include "base/error.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

constexpr const char* kTensor = "dltensor";
constexpr const char* kUsedTensor = "used_dltensor";

[[noreturn]] void refuse(std::string_view what, const std::string& problem) {
    throw Error(ErrorCode::invalidArgument, std::string(what) + ": " + problem);
}

/// Keeps a Python object; the last owner may be a thread without Python's lock.
std::shared_ptr<const void> kept(const void* address, py::object owner) {
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
    array.pixels.values = kept(reinterpret_cast<const void*>(address), source);
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
    // From here on this program ends the tensor, whose deleter may need Python's lock.
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
        if (PyCapsule_IsValid(object, kTensor) != 0) { // no library took the tensor
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

} // namespace pollard::python
