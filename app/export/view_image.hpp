#pragma once

#include "vm/display/export_plan.hpp"

#include <QImage>

namespace pollard::app {

class Canvas;
class OverlayLayer;

/// The canvas on the screen with all overlays, in device px.
[[nodiscard]] QImage imageOfView(Canvas& canvas, OverlayLayer& overlays);

/// The rows [top, top + rows) of a planned image as RGB888, drawn by the canvas in parts within the limits of all
/// drivers.
/// @param overlays null for the image without overlays
/// @throws Error(outOfMemory, deviceFailed) if the driver refuses
[[nodiscard]] QImage renderRows(Canvas& canvas, OverlayLayer* overlays, const vm::ExportPlan& plan, int top, int rows);

} // namespace pollard::app
