#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace pollard {

/// Allocator for a std::vector of trivially copyable values: elements without an initial value stay uninitialised, so
/// that threads can write them first; large blocks use huge pages, see allocateBytes().
template <class T> struct UninitialisedAllocator {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

    using value_type = T;

    UninitialisedAllocator() = default;
    template <class U> explicit UninitialisedAllocator(const UninitialisedAllocator<U>& /*other*/) noexcept {}

    /// @throws std::bad_alloc
    [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(allocateBytes(count * sizeof(T))); }
    void deallocate(T* block, std::size_t count) noexcept { freeBytes(block, count * sizeof(T)); }

    template <class U> void construct(U* /*place*/) noexcept {}
    template <class U, class... Values> void construct(U* place, Values&&... values) {
        ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
    }

    bool operator==(const UninitialisedAllocator&) const = default;
};

} // namespace pollard
