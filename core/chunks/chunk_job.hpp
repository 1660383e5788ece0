#pragma once

#include "base/job_control.hpp"
#include "chunks/chunk_grid.hpp"
#include "chunks/chunked_filter.hpp"
#include "chunks/image_chunks.hpp"
#include "chunks/work_folder.hpp"
#include "formats/tiff/tiles/tile_layout.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

class ChannelFile;
class TileStore;

/// A working file with all pixels of an image or volume in the order of memory. Boxes are written in any order; flushed
/// boxes survive the end of the program. For one thread at a time.
class PixelStore {
public:
    /// @param resume continues with the boxes of the file, if there is one of this size
    /// @throws Error(writeFailed) with the system's reason
    PixelStore(std::filesystem::path path, const Extent& whole, ValueType type, bool resume);
    ~PixelStore();
    PixelStore(const PixelStore&) = delete;
    PixelStore& operator=(const PixelStore&) = delete;

    /// Whether the store continues an existing file.
    [[nodiscard]] bool isResumed() const noexcept { return isResumed_; }
    /// @throws Error(writeFailed)
    void put(const ChunkBox& box, const std::byte* pixels);
    /// Makes the boxes durable. @throws Error(writeFailed)
    void flush();
    /// The pixels; the store must outlive them. Reading throws Error(fileUnreadable).
    [[nodiscard]] PixelRows rows() const;

private:
    [[noreturn]] void failToWrite() const;

    std::filesystem::path path_;
    PixelRows layout_;
    int descriptor_ = -1;
    bool isResumed_ = false;
};

/// A filter of an image or volume in chunks, or a task's share of the chunks: the working folder and the steps of
/// ChunkedFilter. A sink takes the chunks: tiles of a TIFF, or the pixels of a file that is written row by row.
class ChunkJob {
public:
    /// A job for all chunks. Its destructor removes the working files; if the request names a folder, only after
    /// finish().
    /// @param chunks must outlive apply() @param folder for working files
    ChunkJob(const ChunkRequest& request, const ImageChunks& chunks, const std::filesystem::path& folder);
    /// A job for the share of a task. @param text of the task's job, see WorkFolder @param removes whether the
    /// destructor removes the working files
    ChunkJob(const ChunkRequest& request, const ImageChunks& chunks, ChunkRows rows,
             const std::filesystem::path& folder, const std::string& text, bool removes);

    [[nodiscard]] const WorkFolder& folder() const noexcept { return folder_; }
    [[nodiscard]] ChunkedFilter& filter() noexcept { return *filter_; } ///< before apply()

    /// Opens a store of tiles in the folder, with the tiles of an earlier run if the request resumes it. Call it after
    /// ChunkedFilter::prepare() or its steps. @throws as TileStore
    [[nodiscard]] TileStore openTiles() const;
    /// Opens a store of pixels in the folder, as openTiles().
    /// @throws as PixelStore; Error(fileDamaged) to resume without the pixels of earlier chunks
    [[nodiscard]] std::unique_ptr<PixelStore> openPixels() const;

    /// The last step: filters the chunks into a sink, except those that an earlier run has written, and frees the
    /// memory of the trees. @throws as ChunkedFilter::apply()
    [[nodiscard]] ChunkReport apply(const ChunkSink& sink, const JobControl& control);
    /// Call when the result is complete and the working files are not needed any more.
    void finish() noexcept { folder_.removeAtEnd(); }

private:
    const ImageChunks& chunks_;
    TiffCompression compression_;
    bool resume_;
    WorkFolder folder_;
    std::optional<ChunkedFilter> filter_;
};

/// Layout of the stores of filtered chunks. @param type of the samples
[[nodiscard]] TileLayout resultLayout(const PartJob& job, TiffCompression compression, ValueType type);
/// Puts chunks into a store, which must outlive it.
[[nodiscard]] ChunkSink sinkInto(TileStore& tiles);
[[nodiscard]] ChunkSink sinkInto(PixelStore& pixels);
/// Facts about the filtered image. @param info of the source
[[nodiscard]] PlaneFacts filteredFacts(const PartJob& job, const ImageInfo& info);

/// Filters an image or volume of any size exactly, see ChunkedFilter. The target appears when it is complete. If
/// writesRows(), it is the file that writeResult() writes for a result in memory; else a tiled TIFF with reduced
/// versions, see writeTiledTiff().
/// @throws as ImageChunks, ChunkJob, writeResult() and writeTiledTiff(); Cancelled
[[nodiscard]] ChunkReport filterImage(const ChunkRequest& request, const JobControl& control = {});

/// Filters the channels of an image one after another, each with a tree of its own, and writes the file
/// that ChannelFile::write() writes of channels that are filtered in memory. Each channel has a folder of working files
/// in workFolder().
/// @param request of the image; its options of reading and its filter are ignored @param filters one for each channel
/// @return reports on the channels
/// @throws as ImageChunks and ChunkJob, with the name of the channel; Error(invalidArgument) for channels that differ
/// in size or depth; errors of ChannelFile::writeStored(); Cancelled
[[nodiscard]] std::vector<ChunkReport> filterChannels(const ChunkRequest& request, const ChannelFile& file,
                                                      std::span<const FilterSpec> filters,
                                                      const JobControl& control = {});

} // namespace pollard
