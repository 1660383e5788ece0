#pragma once

#include "trace/trace.hpp"

#include <QColor>
#include <QPalette>

namespace pollard::app {

/// Colour of virtual threads 0 to 7; distinguishable in colour blindness, and labelled by letters as well.
[[nodiscard]] QColor threadColour(std::int64_t thread);

/// Colour of the effect of a step on a pixel or an edge; invalid for none.
[[nodiscard]] QColor markColour(teach::Mark mark, const QPalette& palette);
[[nodiscard]] QColor edgeColour(teach::EdgeMark mark, const QPalette& palette);

/// Colour of the frame around the highlighted pixel and component.
[[nodiscard]] QColor focusColour();

/// Colour of a level between the lowest and the highest of an image.
[[nodiscard]] QColor cellColour(int level, int lowest, int highest);
/// Black or white, readable on a background.
[[nodiscard]] QColor inkOn(const QColor& ground);

} // namespace pollard::app
