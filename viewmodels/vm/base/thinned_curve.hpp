#pragma once

#include <QPointF>

#include <functional>
#include <vector>

namespace pollard::vm {

/// A row of a table and its place in a chart.
struct CurvePoint {
    int row = 0;
    QPointF place;
};

/// The rows needed to draw a line that looks like one through all rows, for a curve that is monotonic in both
/// directions: the first and the last row; between two consecutive ones there are no other rows, or all of them lie in
/// the box of both, at most @p apart wide and high. Evaluates few places: a curve across w x h pixels costs O((w + h) /
/// apart * log(rows)).
/// @param rows their number; rows are counted from 0
/// @param placeOf place of a row
[[nodiscard]] std::vector<CurvePoint> thinnedCurve(int rows, const std::function<QPointF(int)>& placeOf, double apart);

} // namespace pollard::vm
