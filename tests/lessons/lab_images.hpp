#pragma once

#include <QDir>

namespace pollard::app {

/// Draws the images of docs/teach.md: the window of the grid lab during a run, and a lecture.
void drawLab(const QDir& folder);

} // namespace pollard::app
