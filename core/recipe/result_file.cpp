#include "recipe/result_file.hpp"

#include "base/error.hpp"
#include "io/write/name_ending.hpp"
#include "io/write/npy_writer.hpp"
#include "io/write/volume_writer.hpp"
#include "recipe/no_data.hpp"

#ifdef POLLARD_WITH_ZARR
#include "formats/zarr/zarr_writer.hpp"
#endif

#include <optional>

namespace pollard {

namespace {

[[noreturn]] void refuseGaps(const std::filesystem::path& path) {
    throw Error(ErrorCode::invalidArgument,
                "cannot write: " + path.string() +
                    ": the picture has pixels without data, which this format cannot mark; write .tif");
}

} // namespace

bool isZarrResult([[maybe_unused]] const std::filesystem::path& path) {
#ifdef POLLARD_WITH_ZARR
    return knownEnding(path) == ".zarr";
#else
    return false;
#endif
}

Plane resultPlane(const Image& image, const LoadedImage& source, ResultValues values) {
    const std::optional<NoDataMark> mark = noDataMark(source, values);
    return {values == ResultValues::others ? measuredRowsOf(image) : markedRows(image, source.valid.get(), mark),
            resultFacts(source.info, {values, mark}, image.extent())};
}

Plane resultPlane(std::span<const std::uint32_t> values, const Extent& extent, const ImageInfo& source,
                  const LabelProperties* properties) {
    Plane plane{measuredRowsOf(values, extent), resultFacts(source, ResultValues::others, extent)};
    plane.facts.properties = properties;
    return plane;
}

void writeResult(const std::filesystem::path& path, const Planes& planes, const JobControl& control,
                 const TiffWriteOptions& how) {
    const bool isZarr = isZarrResult(path);
    const Planes whole(planes.count, [&](int number, const JobControl& making) {
        Plane plane = planes.make(number, making);
        const bool areLabels = plane.rows.bits == 32 && !plane.facts.means; // 0 where there are no data
        if (plane.facts.hasGaps && !(isZarr && areLabels)) {
            refuseGaps(path);
        }
        return plane;
    });
    if (isVoxelFile(path) && planes.count == 1) {
        writeVoxels(path, whole, control);
#ifdef POLLARD_WITH_ZARR
    } else if (isZarr) {
        writeZarr(path, whole, control);
#endif
    } else if (knownEnding(path) == ".npy") {
        writeNpy(path, planes, control);
    } else {
        writeTiff(path, planes, how, control);
    }
}

void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source) {
    if (source.invalidPixels > 0 && (isVoxelFile(path) || isZarrResult(path))) {
        refuseGaps(path);
    }
}

} // namespace pollard
