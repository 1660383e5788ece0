#pragma once

#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/stream_options.hpp"
#include "parts/picture_filter.hpp"

#include <cstdint>
#include <string>

namespace pollard::cli {

/// Notes that the result has tiles, and which programs open them.
void printTilesNote(const Context& context);

/// Why a picture is worked on in chunks though no option asks for it: "the picture of 100,000 x 100,000 px takes about
/// 480 GB of memory, 21 GB are free". Empty if it fits the memory, cannot be read, or cannot be worked on in chunks
/// because of its options.
/// @param pixelBytes that the work takes in memory, per pixel
[[nodiscard]] std::string memoryReason(const ImageOptions& image, std::uint64_t pixelBytes = bytesInMemory(1));

/// The same for a volume, in a command that filters it.
[[nodiscard]] std::string volumeMemoryReason(const ImageOptions& image);

/// @throws UsageError for options of the image that need the whole of it, and for a volume
void refuseWholeImages(const ImageOptions& image);
/// @throws UsageError
void refuseShrinking(const ImageOptions& image);

/// The picture, tree, memory and engines of a job in chunks; without a filter and files to write.
/// @throws UsageError, Error
[[nodiscard]] PictureFilter pictureRequest(const ImageOptions& image, const TreeSpec& tree, const StreamOptions& stream,
                                           const Context& context);
/// The picture and memory of a job in chunks without a tree.
/// @throws UsageError, Error
[[nodiscard]] PictureFilter pictureRequest(const ImageOptions& image, const StreamOptions& stream,
                                           const Context& context);

/// Facts for the report of a command, in memory or in chunks.
struct WorkFacts {
    Extent extent;
    int bits = 8;
    std::string tree; ///< for display
    Json fields = Json::object();
};

/// "10,000 x 8,000 px", "512 x 512 x 200 px"
[[nodiscard]] std::string sidesText(const Extent& extent);
/// "40 trees, 12,345 nodes over seams, picture read at most 2 times"
[[nodiscard]] std::string chunksText(const StreamedReport& report, int readings);
/// Facts for display: "12,345 nodes in chunks of 512 x 512 px (cpu, 40 trees, .., 1.5 s)".
[[nodiscard]] std::string chunksText(const StreamedReport& report, const Extent& chunk, const std::string& engine,
                                     int readings, double milliseconds);
/// Adds the fields that all commands in chunks report.
void addStreamFields(Json& object, const std::string& engine, const Extent& chunk, int readings,
                     const StreamedReport& report);

/// The same after the number of nodes and the choice of the tree.
void addStreamFields(Json& object, const TreeSpec& tree, const std::string& engine, const Extent& chunk, int readings,
                     const StreamedReport& report);

/// A number of nodes for a report: null if it is not known because parts were cut, see StreamedReport::isCut.
[[nodiscard]] Json countJson(std::uint64_t nodes, bool isCut);

} // namespace pollard::cli
