#pragma once

#include "vm/contour/contour_run.hpp"

#include <QString>

#include <cstdint>
#include <string>

namespace pollard::vm {

/// "2: Gaussian, step 16, length 8; from run 1 at state 30".
[[nodiscard]] QString nameOf(const ContourRun& run, std::uint32_t width, std::uint32_t height);

/// A message of core about a snake as one sentence for the user.
[[nodiscard]] QString sentenceOf(const std::string& message);

/// Reports that the CPU took over from an engine, with the reason.
[[nodiscard]] QString takenOverText(const std::string& why);

} // namespace pollard::vm
