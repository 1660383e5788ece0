#pragma once

#include "formats/dicom/dicom_header.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Normal of the planes, x cross y, of length 1; nothing if their directions are not stated or meaningless.
[[nodiscard]] std::optional<AxisDirection> normalOf(const DicomHeader& header);

/// Place of a position along a normal, in mm.
[[nodiscard]] double placeAlong(const AxisDirection& normal, const AxisDirection& position) noexcept;

/// Whether two places are one, in mm.
[[nodiscard]] bool isSamePlace(double one, double other) noexcept;

/// Distance of slices.
struct SliceDistance {
    double distance = 0; ///< the median, in mm
    std::string note;    ///< on missing slices and unequal distances; empty if all are equal
};

/// @param places ascending, at least two
[[nodiscard]] SliceDistance distanceOf(std::span<const double> places);

/// The pages of a file with several frames.
struct FrameStack {
    /// Frame of each page; empty: as stored.
    std::vector<std::uint32_t> order;
    std::vector<std::pair<char, std::uint64_t>> axes; ///< as in VolumeLayout
    SliceDistance distance;                           ///< 0: unknown
    std::optional<AxisDirection> step = {};           ///< between slices, in left-posterior-superior
};

/// Slices by their places on the normal, the times of each place in stored order; frames without places as slices, as
/// times if the file states frame times, and as pages without a meaning if they are tiles or lie in different planes.
[[nodiscard]] FrameStack stackOf(const DicomHeader& header);

/// The step between slices whose first pixels lie at two positions, in left-posterior-superior: slices of a tilted
/// gantry are shifted. @param distance along the normal; @param span of the positions along it
[[nodiscard]] AxisDirection stepOf(const AxisDirection& first, const AxisDirection& last, double distance, double span);

/// The place of voxels; nothing if the header does not state it.
/// @param position of the first voxel; @param step between slices; none: along the normal, by the distance that the
/// header states
[[nodiscard]] std::optional<VoxelPlace> placeOf(const DicomHeader& header, const std::optional<AxisDirection>& position,
                                                const std::optional<AxisDirection>& step);

/// Facts on the axes. @param position of the first voxel; @param normal of slices that ascend, if there are several
[[nodiscard]] std::vector<std::pair<std::string, std::string>> axisFacts(const DicomHeader& header,
                                                                         const std::optional<AxisDirection>& position,
                                                                         const std::optional<AxisDirection>& normal);

} // namespace pollard
