#pragma once

#include "io/image_file.hpp"

#include <string>

namespace pollard::cli {

/// Name of a carried tag ("XResolution"), or "tag 12345".
[[nodiscard]] std::string nameOf(const CarriedTag& tag);

/// Values for display, shortened if there are many: "0.5, 0.5, 0, ... (12 values)".
[[nodiscard]] std::string valuesOf(const CarriedTag& tag);

} // namespace pollard::cli
