#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
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

/// Rank (0-based) of the quantile @p q of @p count values, count > 0.
[[nodiscard]] inline std::uint64_t rankOfQuantile(double q, std::uint64_t count) noexcept {
    constexpr double kHalf = 0.5;
    return std::min(static_cast<std::uint64_t>(q * static_cast<double>(count - 1) + kHalf), count - 1);
}

/// Numbers of values below, at and above a quantile.
struct QuantileCounts {
    std::uint64_t below = 0;
    std::uint64_t equal = 0;
    std::uint64_t above = 0;
};

/// Finds quantiles without sorting or copying values: histograms determine one 16-bit digit of their keys after the
/// other. Takes half a megabyte for each quantile and thread, for any number of values. Nothing if there are no values.
/// @param visit `visit(take)` calls `take(forEach)` for parts of the values, from any thread; `forEach(f)` calls f for
/// each value of the part, which must not be NaN. Called once for 16 bits of the type.
/// @param counts receives the numbers of values for each quantile, unless null
/// @param stops `stops(smallest, largest)` receives the ends between which each quantile lies after a visit; if it
/// returns true, no more visits are made, and nothing is returned
template <class T, std::size_t N, class Visit, class Stops>
[[nodiscard]] std::optional<std::array<T, N>> quantilesOf(const Visit& visit, const std::array<double, N>& quantiles,
                                                          std::array<QuantileCounts, N>* counts, const Stops& stops) {
    using Key = decltype(orderedKey(T{}));
    using Counts = std::array<std::uint64_t, 1U << 16>;
    constexpr int kBits = 8 * sizeof(Key);
    constexpr int kFirstShift = kBits > 16 ? kBits - 16 : 0;
    std::array<std::uint64_t, N> known{};  // upper digits of the keys
    std::array<std::uint64_t, N> ranks{};  // among the values with these digits
    std::array<std::uint64_t, N> wanted{}; // among all values
    std::uint64_t all = 0;
    for (int shift = kFirstShift; shift >= 0; shift -= 16) {
        const auto totals = std::make_unique<std::array<Counts, N>>();
        std::mutex mutex;
        visit([&](auto&& forEach) {
            const auto part = std::make_unique<std::array<Counts, N>>();
            // All values count in the first visit: once for all quantiles.
            const std::size_t counted = shift == kFirstShift ? 1 : N;
            forEach([&](T value) {
                const auto key = static_cast<std::uint64_t>(orderedKey(value)) >> shift;
                for (std::size_t i = 0; i < counted; ++i) {
                    if (key >> 16 == known[i] >> shift >> 16) {
                        ++(*part)[i][key & 0xffffU];
                    }
                }
            });
            const std::scoped_lock lock(mutex);
            for (std::size_t i = 0; i < counted; ++i) {
                std::transform((*part)[i].begin(), (*part)[i].end(), (*totals)[i].begin(), (*totals)[i].begin(),
                               std::plus<>());
            }
        });
        if (shift == kFirstShift) {
            std::fill(std::next(totals->begin()), totals->end(), totals->front());
        }
        for (std::size_t i = 0; i < N; ++i) {
            const Counts& total = (*totals)[i];
            if (shift == kFirstShift) {
                const std::uint64_t count = std::accumulate(total.begin(), total.end(), std::uint64_t{0});
                if (count == 0) {
                    return std::nullopt;
                }
                ranks[i] = rankOfQuantile(quantiles[i], count);
                wanted[i] = ranks[i];
                all = count;
            }
            std::uint64_t digit = 0;
            while (ranks[i] >= total[digit]) {
                ranks[i] -= total[digit];
                ++digit;
            }
            known[i] |= digit << shift;
            if (shift == 0 && counts != nullptr) {
                const std::uint64_t below = wanted[i] - ranks[i];
                (*counts)[i] = {below, total[digit], all - below - total[digit]};
            }
        }
        if (shift > 0) {
            std::array<T, N> smallest{};
            std::array<T, N> largest{};
            for (std::size_t i = 0; i < N; ++i) {
                smallest[i] = valueOfKey<T>(static_cast<Key>(known[i]));
                largest[i] = valueOfKey<T>(static_cast<Key>(known[i] | ((std::uint64_t{1} << shift) - 1)));
            }
            if (stops(smallest, largest)) {
                return std::nullopt;
            }
        }
    }
    std::array<T, N> values{};
    std::transform(known.begin(), known.end(), values.begin(),
                   [](std::uint64_t key) { return valueOfKey<T>(static_cast<Key>(key)); });
    return values;
}

template <class T, std::size_t N, class Visit>
[[nodiscard]] std::optional<std::array<T, N>> quantilesOf(const Visit& visit, const std::array<double, N>& quantiles,
                                                          std::array<QuantileCounts, N>* counts = nullptr) {
    return quantilesOf<T>(visit, quantiles, counts, [](const auto&, const auto&) { return false; });
}

} // namespace pollard
