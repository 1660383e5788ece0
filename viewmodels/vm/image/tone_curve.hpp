#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard::vm {

/// Mapping from the window's 0..1 to 0..1 of the colour map.
enum class ToneCurve : std::uint8_t {
    linear,
    logarithmic, ///< log(1 + 1000 t) / log(1001), as in viewers for astronomy
    squareRoot,
    gamma, ///< t^gamma: below 1 dark parts become brighter
    asinh, ///< asinh(10 t) / asinh(10), as in viewers for astronomy
};

inline constexpr std::array kToneCurves{ToneCurve::linear, ToneCurve::logarithmic, ToneCurve::asinh,
                                        ToneCurve::squareRoot, ToneCurve::gamma};

inline constexpr double kSmallestGamma = 0.1;
inline constexpr double kLargestGamma = 5.0;

/// @param t place within the window, clamped to 0..1
[[nodiscard]] double applyCurve(ToneCurve curve, double gamma, double t) noexcept;

/// Stable name for settings: "linear", "logarithmic", "square-root", "gamma", "asinh".
[[nodiscard]] std::string_view nameOf(ToneCurve curve) noexcept;
[[nodiscard]] std::optional<ToneCurve> findToneCurve(std::string_view name) noexcept;
/// For menus, translated.
[[nodiscard]] QString titleOf(ToneCurve curve);

} // namespace pollard::vm
