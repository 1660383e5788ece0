#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>

namespace pollard {

/// Unsigned integer of the same size with the order of the values. Not for NaN; -0 is just below 0.
template <class T> [[nodiscard]] auto orderedKey(T value) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        using Key = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        constexpr Key kSign = Key{1} << (8 * sizeof(T) - 1);
        const Key bits = std::bit_cast<Key>(value);
        return (bits & kSign) != 0 ? static_cast<Key>(~bits) : static_cast<Key>(bits | kSign);
    } else {
        using Key = std::make_unsigned_t<T>;
        constexpr Key kSign = std::is_signed_v<T> ? static_cast<Key>(Key{1} << (8 * sizeof(T) - 1)) : Key{0};
        return static_cast<Key>(static_cast<Key>(value) ^ kSign);
    }
}

/// Inverse of orderedKey().
template <class T, class Key> [[nodiscard]] T valueOfKey(Key key) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        constexpr Key kSign = Key{1} << (8 * sizeof(T) - 1);
        return std::bit_cast<T>((key & kSign) != 0 ? static_cast<Key>(key ^ kSign) : static_cast<Key>(~key));
    } else {
        constexpr Key kSign = std::is_signed_v<T> ? static_cast<Key>(Key{1} << (8 * sizeof(T) - 1)) : Key{0};
        return static_cast<T>(static_cast<Key>(key ^ kSign));
    }
}

/// The value of @p rank (0-based) in ascending order, without sorting or copying: a histogram per 16-bit digit
/// determines the key, in half a megabyte per thread for any number of values.
/// @param visit `visit(take)` calls `take(forEach)` for parts of the values, from any thread; `forEach(f)` calls f for
/// each value of the part. There must be more than @p rank values, none of them NaN.
template <class T, class Visit> [[nodiscard]] T valueOfRank(const Visit& visit, std::uint64_t rank) {
    using Key = decltype(orderedKey(T{}));
    using Counts = std::array<std::uint64_t, 1U << 16>;
    constexpr int kBits = 8 * sizeof(Key);
    Key known = 0; // upper digits of the key
    for (int shift = kBits > 16 ? kBits - 16 : 0; shift >= 0; shift -= 16) {
        const auto total = std::make_unique<Counts>();
        std::mutex mutex;
        visit([&](auto&& forEach) {
            const auto counts = std::make_unique<Counts>();
            forEach([&](T value) {
                const auto key = static_cast<std::uint64_t>(orderedKey(value)) >> shift;
                if (key >> 16 == static_cast<std::uint64_t>(known) >> shift >> 16) {
                    ++(*counts)[key & 0xffffU];
                }
            });
            const std::scoped_lock lock(mutex);
            for (std::size_t i = 0; i < counts->size(); ++i) {
                (*total)[i] += (*counts)[i];
            }
        });
        std::uint64_t digit = 0;
        while (rank >= (*total)[digit]) {
            rank -= (*total)[digit];
            ++digit;
        }
        known = static_cast<Key>(known | static_cast<Key>(digit << shift));
    }
    return valueOfKey<T>(known);
}

} // namespace pollard
