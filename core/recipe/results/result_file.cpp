#include "recipe/results/result_file.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/image_writer.hpp"
#include "io/write/npy_writer.hpp"
#include "io/write/planes.hpp"
#include "io/write/volume_writer.hpp"
#include "recipe/no_data.hpp"

#ifdef POLLARD_WITH_ZARR
#include "formats/zarr/zarr_writer.hpp"
#endif

#include <algorithm>
#include <utility>

namespace pollard {

namespace {

[[noreturn]] void refuseGaps(const std::filesystem::path& path) {
    throw Error(ErrorCode::invalidArgument,
                "cannot write: " + path.string() +
                    ": the image has pixels without data, which this format cannot mark; write .tif or .fits");
}

} // namespace

bool isZarrResult([[maybe_unused]] const std::filesystem::path& path) {
#ifdef POLLARD_WITH_ZARR
    return knownEnding(path) == ".zarr";
#else
    return false;
#endif
}

std::vector<std::string_view> resultEndings() {
    std::vector<std::string_view> endings{".tif", ".tiff", ".nii", ".nii.gz", ".nrrd", ".mha", ".fits", ".fit", ".fts"};
    if (isZarrResult("result.zarr")) {
        endings.emplace_back(".zarr");
    }
    endings.emplace_back(".npy");
    return endings;
}

Plane resultPlane(const Image& image, const LoadedImage& source, ResultValues values) {
    if (values == ResultValues::others) {
        return {measuredRowsOf(image), resultFacts(source.info, values, image.extent())};
    }
    const ResultSamples samples = resultSamples(source, values);
    return {resultRows(image, source, values, samples), resultFacts(source.info, {values, samples}, image.extent())};
}

Plane resultPlane(std::shared_ptr<const Image> image, const LoadedImage& source, ResultValues values,
                  ResultPages pages) {
    const ResultSamples samples = resultSamples(source, values);
    return {ownedRows(std::move(image), source, values, samples), resultFacts(source.info, {values, samples}, pages)};
}

Plane resultPlane(std::span<const std::uint32_t> values, const Extent& extent, const ImageInfo& source,
                  const LabelProperties* properties) {
    Plane plane{measuredRowsOf(values, extent), resultFacts(source, ResultValues::others, extent)};
    plane.facts.properties = properties;
    return plane;
}

void writeResult(const std::filesystem::path& path, const Planes& planes, const JobControl& control,
                 const TiffWriteOptions& how) {
    const Planes whole(planes.count, [&](int number, const JobControl& making) {
        Plane plane = planes.make(number, making);
        const bool areLabels = plane.rows.type == ValueType::u32 && !plane.facts.means; // 0 where there are no data
        if (!isMarkedByNan(plane) && !(isZarrResult(path) && (areLabels || plane.facts.noData))) {
            refuseGaps(path);
        }
        return plane;
    });
    if (isVoxelFile(path) && planes.count == 1) {
        writeVoxels(path, whole, control);
    } else if (isFitsFile(path) && planes.count == 1) {
        writeFits(path, planes, control);
#ifdef POLLARD_WITH_ZARR
    } else if (isZarrResult(path)) {
        writeZarr(path, whole, control);
#endif
    } else if (isImageFile(path)) {
        writeImage(path, whole, control);
    } else if (knownEnding(path) == ".npy") {
        writeNpy(path, planes, control);
    } else {
        writeTiff(path, planes, how, control);
    }
}

void writeVolumeLabels(const std::filesystem::path& path, const Components& components, const ObjectList& list,
                       const ImageInfo& source, const JobControl& control) {
    if (list.labels.size() == components.count && components.numbers.empty()) {
        writeResult(path, resultPlane(components.labels.span(), components.extent(), source), control);
        return;
    }
    Buffer<std::uint32_t> labels(components.labels.size());
    std::ranges::transform(components.labels.span(), labels.begin(),
                           [&](std::uint32_t label) { return list.lists(label) ? components.numberOf(label) : 0; });
    writeResult(path, resultPlane(labels.span(), components.extent(), source), control);
}

void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source, const ResultSamples& written) {
    const bool hasNan = source.mapping && isFloat(source.mapping->file.type);
    const bool isMarked = hasNan || (isZarrResult(path) && written.mark);
    if (source.invalidPixels > 0 && !isMarked && (isVoxelFile(path) || isZarrResult(path))) {
        refuseGaps(path);
    }
}

} // namespace pollard
