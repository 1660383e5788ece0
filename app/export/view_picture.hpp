#pragma once

#include "vm/display/export_plan.hpp"

#include <QImage>

namespace pollard::app {

class Canvas;
class OverlayLayer;

/// The canvas as it is on the screen with everything that lies over it, in device px.
[[nodiscard]] QImage pictureOfView(Canvas& canvas, OverlayLayer& overlays);

/// The rows [top, top + rows) of a planned picture, drawn by the canvas in parts that every driver can draw, as RGB888.
/// @param overlays null for the bare picture
/// @throws Error(outOfMemory, deviceFailed) when the driver refuses
[[nodiscard]] QImage renderRows(Canvas& canvas, OverlayLayer* overlays, const vm::ExportPlan& plan, int top, int rows);

} // namespace pollard::app
