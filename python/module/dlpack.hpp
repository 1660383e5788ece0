#pragma once

#include <cstdint>

// The memory layout of DLPack 0.8 (https://dmlc.github.io/dlpack/latest/c_api.html), its names in this program's style.

namespace pollard::python::dlpack {

inline constexpr std::int32_t kCuda = 2;         ///< kDLCUDA
inline constexpr std::int32_t kCudaManaged = 13; ///< kDLCUDAManaged
inline constexpr std::uint8_t kUnsigned = 1;     ///< kDLUInt

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

} // namespace pollard::python::dlpack
