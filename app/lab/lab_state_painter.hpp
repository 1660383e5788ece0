#pragma once

#include "lab/lab_scene.hpp"

#include <QSize>

namespace pollard::app {

/// Size of a drawing of a state, px.
[[nodiscard]] QSize stateSize(const LabScene& scene);

/// Paints a state with all its views side by side, pseudo-code and caption below: for slides, frames and exercises.
/// @param captioned with title, caption and pseudo-code
void paintState(QPainter& painter, const LabScene& scene, bool captioned = true);

} // namespace pollard::app
