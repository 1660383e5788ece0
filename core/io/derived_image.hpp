#pragma once

#include "io/image_file.hpp"

namespace pollard {

/// readImage() and readImageInfo() for a derived channel, see Derivation. Its inputs are read with their automatic
/// range of values, reduced to the region and shrunk; the mapping choice of the options is that of the derived values,
/// where `automatic` is -1..1 for normalised differences.
/// @throws as readImage(); Error(invalidArgument) for an expression that does not fit the picture
[[nodiscard]] LoadedImage readDerived(const std::filesystem::path& path, const ReadOptions& options,
                                      const JobControl& control);
[[nodiscard]] ImageInfo readDerivedInfo(const std::filesystem::path& path, const ReadOptions& options);

} // namespace pollard
