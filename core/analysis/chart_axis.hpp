#pragma once

namespace pollard {

/// An axis over the values that occur.
struct ChartAxis {
    double low = 0; ///< smallest and largest value; apart even if all values are equal
    double high = 1;
    bool logarithmic = false;

    /// Place of a value, 0..1 from low to high; those beyond are beyond.
    [[nodiscard]] double placeOf(double value) const noexcept;
    /// Value at a place; those beyond the axis are its ends.
    [[nodiscard]] double valueAt(double place) const noexcept;
};

} // namespace pollard
