#pragma once

#include "components/outline_files/outline_painter.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// The outline of a region of ImageJ. (ij.io.RoiDecoder)
/// @param name without ending, of which the number of the object is taken
/// @throws Error(fileDamaged), Error(formatUnsupported) for a region without an area or with curves
[[nodiscard]] StoredOutline outlineOfRoi(std::string_view bytes, const std::string& name, bool inVolume);

/// The outlines of a zip file with regions, stored or deflated. (PKWARE, "APPNOTE.TXT - .ZIP File Format
/// Specification")
/// @throws as outlineOfRoi()
[[nodiscard]] std::vector<StoredOutline> outlinesOfZip(std::string_view file, bool inVolume);

} // namespace pollard
