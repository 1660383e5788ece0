#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace pollard {

/// For a std::vector of what a Buffer could hold: new elements without a value stay as they are in memory, so that
/// threads can write them for the first time, and large blocks are of huge pages, see allocateBytes().
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
