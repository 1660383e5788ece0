#include "vm/base/thinned_curve.hpp"

#include <cmath>

namespace pollard::vm {

std::vector<CurvePoint> thinnedCurve(int rows, const std::function<QPointF(int)>& placeOf, double apart) {
    std::vector<CurvePoint> kept;
    if (rows <= 0) {
        return kept;
    }
    kept.push_back({0, placeOf(0)});
    std::vector<CurvePoint> ahead; // ends of parts that start at the row kept last, the nearest on top
    if (rows > 1) {
        ahead.push_back({rows - 1, placeOf(rows - 1)});
    }
    while (!ahead.empty()) {
        const CurvePoint& from = kept.back();
        const CurvePoint to = ahead.back();
        const QPointF way = to.place - from.place;
        if (to.row - from.row == 1 || (std::abs(way.x()) <= apart && std::abs(way.y()) <= apart)) {
            kept.push_back(to);
            ahead.pop_back();
        } else {
            const int middle = from.row + (to.row - from.row) / 2;
            ahead.push_back({middle, placeOf(middle)});
        }
    }
    return kept;
}

} // namespace pollard::vm
