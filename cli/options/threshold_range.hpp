#pragma once

#include "base/job_control.hpp"
#include "components/auto_threshold.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace pollard::cli {

/// Levels that make the foreground: those from a low one on, which is given or found.
struct ThresholdRange {
    std::optional<ThresholdMethod> method;
    std::optional<std::uint16_t> low;
    std::optional<std::uint16_t> high;
};

/// Declares --threshold.
void declareThreshold(CLI::App& command, std::string& text);

/// @throws UsageError for what is neither LO, LO:HI nor a method
[[nodiscard]] ThresholdRange parseThreshold(const std::string& text);

/// Finds the low level if a method is to, and notes it in @p range.
/// @throws Error as automaticThreshold(); Cancelled
void findLevels(ThresholdRange& range, const Image& image, const Mask* valid, const JobControl& control);

/// The pixels of the foreground. Finds the low level if a method is to, and notes it in @p range.
/// @throws Error as automaticThreshold(), thresholdMask(); Cancelled
[[nodiscard]] Mask maskOf(ThresholdRange& range, const Image& image, const Mask* valid, const JobControl& control);

} // namespace pollard::cli
