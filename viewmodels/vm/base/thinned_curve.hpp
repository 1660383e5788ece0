#pragma once

#include <QPointF>

#include <functional>
#include <vector>

namespace pollard::vm {

/// A row of a table, and where a chart shows it.
struct CurvePoint {
    int row = 0;
    QPointF place;
};

/// The rows that a line has to run through to look like one through all of them, for a curve that only rises or only
/// falls in each direction: the first and the last row, and between two that follow each other either no other row, or
/// only such as lie in the box between both, at most @p apart wide and high. Places of few other rows are asked for, so
/// a curve across w x h pixels costs O((w + h) / apart * log(rows)) however many rows it has.
/// @param rows how many there are, numbered from 0
/// @param placeOf of a row
[[nodiscard]] std::vector<CurvePoint> thinnedCurve(int rows, const std::function<QPointF(int)>& placeOf, double apart);

} // namespace pollard::vm
