#pragma once

#include "vm/contour/contour_run.hpp"

#include <QString>

#include <cstdint>
#include <string>

namespace pollard::vm {

/// "2: Gaussian, step 16, length 8; from run 1 at state 30".
[[nodiscard]] QString nameOf(const ContourRun& run, std::uint32_t width, std::uint32_t height);

/// One sentence for a person of what the core says about a snake.
[[nodiscard]] QString sentenceOf(const std::string& message);

/// That the CPU took over from an engine, and why.
[[nodiscard]] QString takenOverText(const std::string& why);

} // namespace pollard::vm
