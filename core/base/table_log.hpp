#pragma once

#include "base/compiler.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pollard {

/// Natural logarithm from a table and a polynomial, in additions and multiplications only. Unless the compiler
/// contracts them to fused multiply-adds, every CPU and GPU returns the same bits, unlike the libraries' functions.
/// Error at most 4e-16 max(1, |ln x|).
struct TableLog {
    static constexpr int kBits = 7;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;

    struct Entry {
        double inverse; ///< about 1 / c for the centre c of the interval of [1, 2), rounded to 24 bits
        double log;     ///< -ln(inverse)
    };

    /// @param value positive, normal
    /// @param table result of makeTable(), in any memory
    [[nodiscard]] POLLARD_HOST_DEVICE static double of(double value, const Entry* table) noexcept {
        const std::uint64_t bits = bitsOf(value);
        const int exponent = static_cast<int>(bits >> 52U) - 1023;
        const Entry entry = table[bits >> (52U - kBits) & (kSize - 1)];
        const double mantissa = fromBits((bits & 0xf'ffff'ffff'ffffU) | 0x3ff0'0000'0000'0000U);
        // |rest| < 2^-8, exact: the inverse has 24 bits, and the leading ones of the product cancel.
        const double high = fromBits(bitsOf(mantissa) & 0xffff'ffff'e000'0000U);
        const double rest = (high * entry.inverse - 1.0) + (mantissa - high) * entry.inverse;
        const double square = rest * rest;
        const double tail = (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7))) * rest -
                            (1.0 / 2 + square * (1.0 / 4 + square * (1.0 / 6)));
        return exponent * 0.693147180559945309417 + (entry.log + (rest + square * tail));
    }

    [[nodiscard]] static std::array<Entry, kSize> makeTable() {
        std::array<Entry, kSize> table{};
        for (std::size_t i = 0; i < kSize; ++i) {
            const double middle = 1.0 + (static_cast<double>(i) + 0.5) / kSize;
            const double inverse = static_cast<float>(1.0 / middle);
            table[i] = {inverse, -std::log(inverse)};
        }
        return table;
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint64_t bitsOf(double value) noexcept {
#ifdef __CUDA_ARCH__
        return static_cast<std::uint64_t>(__double_as_longlong(value));
#else
        return std::bit_cast<std::uint64_t>(value);
#endif
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static double fromBits(std::uint64_t bits) noexcept {
#ifdef __CUDA_ARCH__
        return __longlong_as_double(static_cast<long long>(bits));
#else
        return std::bit_cast<double>(bits);
#endif
    }
};

} // namespace pollard
