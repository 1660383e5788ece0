#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// The end of a file's name in lower case if it is one of a well-known format: ".csv", ".nii.gz"; else empty.
[[nodiscard]] std::string knownEnding(const std::filesystem::path& path);

/// ".gpkg, .fgb or .csv"
[[nodiscard]] std::string endingList(std::span<const std::string_view> endings);

/// Why a file of this name is not written: its ending is that of a format that is none of these. Empty for a name that
/// ends in one of @p written, for one without a known ending, and for GeoJSON as .json.
/// @param written endings in lower case with the dot
[[nodiscard]] std::string endingProblem(const std::filesystem::path& path, std::span<const std::string_view> written);

} // namespace pollard
