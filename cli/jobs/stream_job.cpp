#include "jobs/stream_job.hpp"

#include "io/picture_regions.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_slices.hpp"
#include "text.hpp"

#include <exception>

namespace pollard::cli {

namespace {

std::string reasonFor(const char* what, const Extent& extent, std::uint64_t pixelBytes) {
    const std::uint64_t needed = pixelBytes * extent.pixelCount();
    const std::uint64_t available = availableMemory();
    if (needed <= available && extent.pixelCount() <= Image::kMaxPixels) {
        return {};
    }
    return std::string(what) + " of " + sidesText(extent) + " takes about " + sizeText(needed) + " of memory, " +
           sizeText(available) + " are free";
}

} // namespace

std::string memoryReason(const ImageOptions& image, std::uint64_t pixelBytes) {
    if (image.volume || image.shrink > 1) {
        return {};
    }
    try {
        const PictureRegions picture(parseImageArgument(image.image).path, image.readOptions());
        return reasonFor("the picture", picture.extent(), pixelBytes);
    } catch (const std::exception&) { // loadImage() fails likewise
        return {};
    }
}

std::string volumeMemoryReason(const ImageOptions& image) {
    if (image.shrink > 1) {
        return {};
    }
    try {
        return reasonFor("the volume", VolumeSlices(volumeFiles(image), image.readOptions()).extent(),
                         bytesInMemory(1));
    } catch (const std::exception&) { // loadImage() fails likewise
        return {};
    }
}

void refuseWholeImages(const ImageOptions& image) {
    if (image.volume) {
        throw UsageError("--stream: works on pictures; leave out --volume");
    }
    refuseShrinking(image);
}

void refuseShrinking(const ImageOptions& image) {
    if (image.shrink > 1) {
        throw UsageError("--stream: leave out --shrink; --level reads a reduced version of a pyramid");
    }
}

PictureFilter pictureRequest(const ImageOptions& image, const StreamOptions& stream, const Context& context) {
    PictureFilter request;
    request.source = parseImageArgument(image.image).path;
    request.read = image.readOptions();
    request.read.threads = context.common.threads;
    request.memory = stream.memoryBytes();
    request.chunk = stream.chunk;
    request.threads = context.common.threads;
    return request;
}

PictureFilter pictureRequest(const ImageOptions& image, const TreeSpec& tree, const StreamOptions& stream,
                             const Context& context) {
    PictureFilter request = pictureRequest(image, stream, context);
    request.kind = tree.kind;
    request.connectivity = tree.connectivity;
    request.algorithm = tree.algorithm;
    request.engines = enginesWith(context, tree.algorithm);
    request.note = [&context](const std::string& text) { printNote(context, text); };
    return request;
}

std::string sidesText(const Extent& extent) {
    return grouped(extent.width) + " x " + grouped(extent.height) +
           (extent.isVolume() ? " x " + grouped(extent.slices) : "") + " px";
}

std::string chunksText(const StreamedReport& report, int readings) {
    return grouped(report.builtTrees) + " trees, " + grouped(report.openNodes) +
           " nodes over seams, picture read at most " + std::to_string(readings) + " times";
}

void addStreamFields(Json& object, const std::string& engine, const Extent& chunk, int readings,
                     const StreamedReport& report) {
    object["engine"] = engine;
    object["chunk"] = {chunk.width, chunk.height};
    object["readings"] = readings;
    object["chunk_trees"] = report.builtTrees;
    object["open_nodes"] = report.openNodes;
    object["merged_nodes"] = report.mergedNodes;
    object["largest_merge"] = report.largestMerge;
    object["largest_frontier"] = report.largestFrontier;
}

void addStreamFields(Json& object, const TreeSpec& tree, const std::string& engine, const Extent& chunk, int readings,
                     const StreamedReport& report) {
    object["nodes"] = report.nodes;
    object["tree"] = tree.kind == TreeKind::max ? "max" : "min";
    object["connectivity"] = static_cast<int>(tree.connectivity);
    addStreamFields(object, engine, chunk, readings, report);
}

std::string chunksText(const StreamedReport& report, const Extent& chunk, const std::string& engine, int readings,
                       double milliseconds) {
    return grouped(report.nodes) + " nodes in chunks of " + sidesText(chunk) + " (" + engine + ", " +
           chunksText(report, readings) + ", " + fixed(milliseconds / 1000, 1) + " s)";
}

Json countJson(std::uint64_t nodes, bool isCut) { return isCut ? Json() : Json(nodes); }

void printTilesNote(const Context& context) {
    printNote(context, "written in tiles, which ImageJ opens by the plugin Bio-Formats only; --strips writes strips");
}

} // namespace pollard::cli
