#pragma once

#include "trace/trace.hpp"

#include <QColor>
#include <QPalette>

namespace pollard::app {

/// Of virtual threads 0 to 7; told apart by every colour vision, and named by letters besides.
[[nodiscard]] QColor threadColour(std::int64_t thread);

/// Of what a step does to a pixel or an edge; invalid for none.
[[nodiscard]] QColor markColour(teach::Mark mark, const QPalette& palette);
[[nodiscard]] QColor edgeColour(teach::EdgeMark mark, const QPalette& palette);

/// Around the pixel and the component that all views light up.
[[nodiscard]] QColor focusColour();

/// Of a level between the lowest and the highest of a picture.
[[nodiscard]] QColor cellColour(int level, int lowest, int highest);
/// Black or white, as it is read on a ground.
[[nodiscard]] QColor inkOn(const QColor& ground);

} // namespace pollard::app
