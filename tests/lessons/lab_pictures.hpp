#pragma once

#include <QDir>

namespace pollard::app {

/// Draws the pictures of docs/teach.md: the window of the grid lab in the middle of a run, and a lecture.
void drawLab(const QDir& folder);

} // namespace pollard::app
