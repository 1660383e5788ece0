#include "recipe/result_file.hpp"

#include "base/error.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"
#include "recipe/no_data.hpp"

#ifdef POLLARD_WITH_ZARR
#include "formats/zarr/zarr_writer.hpp"
#endif

#include <utility>

namespace pollard {

namespace {

VoxelFacts factsFor(const std::filesystem::path& path, const Extent& extent, const ImageInfo& source,
                    ResultValues values) {
    if (source.invalidPixels > 0) {
        throw Error(ErrorCode::invalidArgument,
                    "cannot write: " + path.string() +
                        ": the picture has pixels without data, which this format cannot mark; write .tif");
    }
    VoxelFacts facts;
    facts.size = source.pixelSize;
    const bool isWhole = extent.width == source.width && extent.height == source.height &&
                         static_cast<int>(extent.slices) == slicePages(source).count;
    if (extent.isVolume() && isWhole) {
        facts.orientation = orientationOf(source);
    }
    if (source.mapping && values != ResultValues::others) {
        facts.step = source.mapping->step;
        facts.offset = values == ResultValues::levels ? source.mapping->offset : 0;
    }
    return facts;
}

#ifdef POLLARD_WITH_ZARR
ZarrFacts zarrFactsFor(const std::filesystem::path& path, const Extent& extent, const ImageInfo& source,
                       ResultValues values) {
    const VoxelFacts voxels = factsFor(path, extent, source, values);
    ZarrFacts facts{voxels.offset, voxels.step, voxels.size, {}, values != ResultValues::others};
    const SceneDescription scene = resultOptions(source, values, extent).scene;
    if (!scene.channels.empty()) {
        facts.channel = scene.channels.front();
    } else if (!scene.channel.empty()) {
        facts.channel.emplace().name = scene.channel;
    }
    return facts;
}
#endif

} // namespace

bool isZarrResult([[maybe_unused]] const std::filesystem::path& path) {
#ifdef POLLARD_WITH_ZARR
    return isZarrName(path);
#else
    return false;
#endif
}

void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source) {
    if (isVoxelFile(path) || isZarrResult(path)) {
        (void)factsFor(path, {}, source, ResultValues::others);
    }
}

void writeResult(const std::filesystem::path& path, const PixelRows& pixels, const ImageInfo& source,
                 const WrittenValues& values, TiffCompression compression, const JobControl& control) {
#ifdef POLLARD_WITH_ZARR
    if (isZarrResult(path)) {
        writeZarr(path, pixels, zarrFactsFor(path, pixels.extent, source, values.values), control);
        return;
    }
#endif
    if (isVoxelFile(path)) {
        writeVoxels(path, pixels, factsFor(path, pixels.extent, source, values.values), control);
        return;
    }
    TiffWriteOptions options = resultOptions(source, values, pixels.extent);
    options.compression = compression;
    writeTiff(path, pixels, options, control);
}

void writeResult(const std::filesystem::path& path, const Image& image, const Mask* valid, const ImageInfo& source,
                 const WrittenValues& values, const JobControl& control, TiffCompression compression) {
    const bool isMeasured = values.values == ResultValues::others && !values.mark;
    writeResult(path, isMeasured ? measuredRowsOf(image) : markedRows(image, valid, values.mark), source, values,
                compression, control);
}

void writeResult(const std::filesystem::path& path, const Image& image, const ImageInfo& source, ResultValues values,
                 const JobControl& control) {
    writeResult(path, image, nullptr, source, values, control);
}

void writeResult32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                   const ImageInfo& source, const JobControl& control,
                   [[maybe_unused]] const LabelProperties* properties, TiffCompression compression) {
#ifdef POLLARD_WITH_ZARR
    if (isZarrResult(path)) {
        writeZarr32(path, values, extent, {.size = source.pixelSize, .properties = properties}, control);
        return;
    }
#endif
    if (isVoxelFile(path)) {
        writeVoxels32(path, values, extent, factsFor(path, extent, source, ResultValues::others), control);
    } else {
        TiffWriteOptions options = resultOptions(source, ResultValues::others, extent);
        options.compression = compression;
        writeTiff32(path, values, extent, options, control);
    }
}

void writeResultChannels(const std::filesystem::path& path, std::size_t count,
                         const std::function<ResultChannel(std::size_t channel)>& make, const JobControl& control) {
#ifdef POLLARD_WITH_ZARR
    writeZarrChannels(
        path, count,
        [&](std::size_t number) {
            ResultChannel made = make(number);
            ZarrFacts facts = zarrFactsFor(path, made.pixels.extent, made.source, made.values);
            if (made.values != ResultValues::levels || made.source.mapping) {
                made.channel.window.reset(); // it is one of stored values
            }
            facts.channel = std::move(made.channel);
            return ZarrChannel{std::move(made.pixels), std::move(facts), std::move(made.owner)};
        },
        control);
#else
    (void)count, (void)make, (void)control;
    throw Error(ErrorCode::formatUnsupported, "cannot write: " + path.string() + ": this build has no OME-Zarr");
#endif
}

} // namespace pollard
