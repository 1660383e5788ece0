#pragma once

namespace pollard {

/// Linear or logarithmic axis over a range of values.
struct ChartAxis {
    double low = 0; ///< smallest value; less than high even if all values are equal
    double high = 1;
    bool logarithmic = false;

    /// Position of a value, 0..1 from low to high; outside this range for values off the axis.
    [[nodiscard]] double placeOf(double value) const noexcept;
    /// Value at a position; positions off the axis give its ends.
    [[nodiscard]] double valueAt(double place) const noexcept;
};

} // namespace pollard
