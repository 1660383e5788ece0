#pragma once

#include "headless/command_line.hpp"

namespace pollard::app {

/// The options of the window and of the measurements: numbers of images, steps or runs; 0: no measurement.
struct BenchLine {
    CommandLine window; ///< also has errors in options of the measurements
    int view = 0;
    int drag = 0;
    int brush = 0;
    int slices = 0;
    int hover = 0;
    int pointerRate = 0; ///< movements per second; 0: move as soon as the last one is on the screen
    int rotation = 0;
    int focus = 0;
    int cut = 0;
    int stroke = 0;
    int open = 0; ///< above 0: once
    int contour = 0;
    int liveContour = 0;
};

/// @param arguments all, starting with the program's name
[[nodiscard]] BenchLine parseBenchLine(const QStringList& arguments);

} // namespace pollard::app
