#pragma once

#include "components/outlines.hpp"
#include "io/write/imagej_roi.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace pollard {

class TextFile;

/// Writes rings of one object as a GeoJSON Polygon or MultiPolygon, in px.
/// @param slice of a volume: the member "plane" that QuPath reads
/// @throws Error(writeFailed)
void writePolygons(TextFile& file, const Outlines& outlines, std::span<const OutlineRing> rings,
                   std::optional<std::uint32_t> slice = {});

/// Rings of one object as a region of ImageJ: a traced region, or with holes or several parts a composite one.
/// @param slice of a volume: the region lies in it alone
/// @throws Error(limitExceeded) for coordinates that regions cannot have
[[nodiscard]] RoiBytes roiOf(const Outlines& outlines, std::span<const OutlineRing> rings,
                             std::optional<std::uint32_t> slice = {});

} // namespace pollard
