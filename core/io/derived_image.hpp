#pragma once

#include "channels/stains.hpp"
#include "io/image_file.hpp"

namespace pollard {

/// readImage() and readImageInfo() for a derived channel, see Derivation. It is computed from the values of the file,
/// floating-point ones included, reduced to the region and shrunk; the mapping choice of the options is that of the
/// derived values, where `automatic` is -1..1 for normalised differences.
/// @throws as readImage(); Error(invalidArgument) for an expression that does not fit the image
[[nodiscard]] LoadedImage readDerived(const std::filesystem::path& path, const ReadOptions& options,
                                      const JobControl& control);
[[nodiscard]] ImageInfo readDerivedInfo(const std::filesystem::path& path, const ReadOptions& options);

/// Mean optical densities of red, green and blue in the part of the image that options.region names, see densityOf().
/// Channel, range of values and shrinking of the options are ignored.
/// @throws as readDerived(); Error(invalidArgument) for an image without colours or a part without data
[[nodiscard]] StainVector readDensity(const std::filesystem::path& path, const ReadOptions& options,
                                      const JobControl& control = {});

} // namespace pollard
