#pragma once

#include <type_traits>

#ifdef __CUDACC__
#define POLLARD_HOST_DEVICE __host__ __device__
#else
#define POLLARD_HOST_DEVICE
#endif

namespace pollard::cuda {

/// Grey level with the order reversed: largest level of the type minus @p level. The max-tree of the image so
/// reversed is the min-tree of the image. Its own inverse.
template <class T> [[nodiscard]] POLLARD_HOST_DEVICE constexpr T invertedLevel(T level) noexcept {
    static_assert(std::is_unsigned_v<T>);
    return static_cast<T>(~level);
}

} // namespace pollard::cuda
