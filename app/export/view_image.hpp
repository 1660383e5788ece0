#pragma once

#include "vm/image/view_transform.hpp"

#include <QImage>

#include <cstdint>
#include <vector>

namespace pollard {
class RgbWriter;
}

namespace pollard::app {

class Canvas;
class OverlayLayer;

/// Image of the canvas on the screen with all overlays, in device px.
[[nodiscard]] QImage imageOfView(Canvas& canvas, OverlayLayer& overlays);

/// Draws the rows [top, top + rows) of a planned image as RGB888, in parts that no driver refuses for their size.
/// @param overlays null for the image without overlays
/// @throws Error(outOfMemory, deviceFailed) if the driver refuses
[[nodiscard]] QImage renderRows(Canvas& canvas, OverlayLayer* overlays, const vm::ExportPlan& plan, int top, int rows);

/// All rows of an RGB888 image, of shape (height, width, 3).
[[nodiscard]] std::vector<std::uint8_t> rgbOf(const QImage& rows);

/// Writes all rows of an RGB888 image to a writer of the same width.
/// @throws Error(writeFailed)
void writeRows(RgbWriter& writer, const QImage& rows);

} // namespace pollard::app
