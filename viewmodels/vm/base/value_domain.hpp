#pragma once

namespace pollard::vm {

/// The possible values of a parameter, and the scale of its slider.
struct ValueDomain {
    double minimum = 0;
    double maximum = 0;
    bool logarithmic = false; ///< the slider follows log(1 + value - minimum)
    bool integral = false;    ///< integers only
    int decimals = 0;         ///< displayed digits after the point; values snap to them

    bool operator==(const ValueDomain&) const = default;

    /// A domain over [minimum, maximum] with suitable decimals. Logarithmic only if @p wide and the range is large.
    [[nodiscard]] static ValueDomain over(double minimum, double maximum, bool integral, bool wide,
                                          int mostDecimals = kMostDecimals);
    static constexpr int kMostDecimals = 6;

    [[nodiscard]] bool isSinglePoint() const noexcept { return !(maximum > minimum); }
    /// Nearest value in the domain; NaN becomes the minimum.
    [[nodiscard]] double clamp(double value) const noexcept;
    /// clamp(), then rounded to integers or to decimals. Within half a step of an end it is exactly that end.
    [[nodiscard]] double snap(double value) const noexcept;
    /// Slider position 0..1 of a value; exactly 0 and 1 at the ends. 0 for a single point.
    [[nodiscard]] double positionOf(double value) const noexcept;
    /// Snapped value at a slider position; exactly the ends at 0 and 1.
    [[nodiscard]] double valueAt(double position) const noexcept;
    /// Smallest step of the value: 1 for integral ones, else 10^-decimals.
    [[nodiscard]] double step() const noexcept;
};

} // namespace pollard::vm
