#pragma once

#include <QList>
#include <QString>

namespace pollard::app {

/// A mark of an axis.
struct ChartTick {
    double value = 0;
    QString label;

    bool operator==(const ChartTick&) const = default;
};

/// Round values between two ends, at most about @p most: 1, 2 or 5 times a power of ten apart; on a logarithmic axis
/// powers of ten, or 1, 2 and 5 of each where there are few of them. None if the ends are not ascending or, for
/// logarithms, not positive.
[[nodiscard]] QList<ChartTick> ticksBetween(double low, double high, bool logarithmic, int most);

/// 1,200 -> "1.2 k", 3e6 -> "3 M", 0.25 -> "0.25".
[[nodiscard]] QString shortNumber(double value);

} // namespace pollard::app
