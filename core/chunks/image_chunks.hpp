#pragma once

#include "base/job_control.hpp"
#include "chunks/chunk_trees.hpp"
#include "chunks/chunked_filter.hpp"
#include "chunks/part_job.hpp"
#include "engine/engine.hpp"
#include "filter/filter_units.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/image_file.hpp"
#include "io/region_source.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

/// Side of the tiles of results, px.
inline constexpr std::uint32_t kResultTile = 512;

/// Share of a job's progress for the passes that find the range of the image, if there are any.
inline constexpr double kPassShare = 0.15;

/// Request to filter an image in a file, or a volume, in chunks.
struct ChunkRequest {
    std::filesystem::path source;
    bool volume = false;                       ///< the source is a volume
    std::vector<std::filesystem::path> slices; ///< files of a volume, see VolumeSlices; empty: the source
    ReadOptions read;
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    FilterSpec filter;            ///< criteria in pixels or in units
    std::filesystem::path target; ///< see filterImage()
    TiffCompression compression = TiffCompression::deflate;
    bool strips = false;      ///< a TIFF has strips and no reduced versions, instead of tiles
    std::uint64_t memory = 0; ///< bytes for the whole job; 0 = three quarters of the free memory
    /// Side of a chunk in px, in images rounded up to tiles; 0 = the side in the resumed job, or else by the memory.
    std::uint32_t chunk = 0;
    std::filesystem::path folder;                 ///< for working files; empty = beside the target
    bool resume = false;                          ///< continue with the working files of the same job
    std::vector<Engine*> engines;                 ///< the most preferred first
    std::string algorithm;                        ///< empty = the engine's default
    int threads = 0;                              ///< 0 = all cores
    std::function<void(const std::string&)> note; ///< receives single lines for the user; may be empty
};

/// Whether a filter in chunks takes distances of levels as distances of values, including its criteria and its measure
/// of prominence: chunks measure in levels. The image is then read with MappingChoice::proportional.
[[nodiscard]] bool needsProportionalInChunks(const FilterSpec& filter) noexcept;

/// The filter with bounds of the numbers that chunks measure: of levels, and of sums as PartJob::measureValues().
/// @throws as inPixels()
[[nodiscard]] FilterSpec inLevelsOfChunks(const FilterSpec& filter, const ImageUnits& units);

/// Folder of the working files: the folder of the request, or the target with ".parts" appended.
[[nodiscard]] std::filesystem::path workFolder(const ChunkRequest& request);

/// Whether the target is written row by row: a volume, a TIFF in strips, or OME-Zarr. Else it is a tiled TIFF.
[[nodiscard]] bool writesRows(const ChunkRequest& request);

struct ChunkReport {
    ChunkCounts counts;
    ImageInfo info; ///< of the image or the first slice
    PixelType type = PixelType::u8;
    Extent extent;
    Extent chunk;
    int bits = 8;       ///< per pixel of the target
    int readings = 0;   ///< upper bound for how often a pixel of the image was read
    std::string engine; ///< that built the last tree
};

/// Approximate memory of a filter of the whole image, bytes.
[[nodiscard]] std::uint64_t bytesInMemory(std::uint64_t pixels) noexcept;

/// Sides of chunks of an image that fit the memory: whole tiles of the result, or whole rows for strips.
/// @param blocks of the file
[[nodiscard]] Extent chunkFor(const Extent& image, const BlockGrid& blocks, std::uint64_t memory);
/// Sides of chunks of a volume that fit the memory: whole slices if there is room for several, else cubes.
[[nodiscard]] Extent chunkForVolume(const Extent& volume, std::uint64_t memory);

/// A job, and the facts about the whole image that its tasks need.
struct ChunkPlan {
    std::string job;   ///< textOf(PartJob)
    std::string facts; ///< of RegionSource
};

/// An image or volume in chunks, with the values of the whole image, and its job.
struct ImageChunks {
    /// Plans the job; makes the passes of RegionSource::prepare().
    /// @throws exceptions of openRegions(), inPixels(), partJob() and ChunkGrid;
    /// Error(invalidArgument) for criteria with units in a volume; Cancelled
    ImageChunks(const ChunkRequest& request, const JobControl& control);
    /// Joins a job that is already planned.
    /// @throws as above; Error(invalidArgument) if the image or its reading differs from the plan
    ImageChunks(const ChunkRequest& request, const ChunkPlan& plan, const JobControl& control);

    std::unique_ptr<RegionSource> regions;
    std::uint64_t memory; ///< bytes for the whole job
    PartJob job;
    std::string facts; ///< of RegionSource
    /// For other tasks. @throws Error(invalidArgument) if the job is for a volume
    [[nodiscard]] ChunkPlan plan() const;
    [[nodiscard]] std::uint64_t mergeMemory() const noexcept; ///< bytes
    /// Control for the rest of a job, after the passes over the image; these took kPassShare of the progress.
    [[nodiscard]] JobControl afterPasses(const JobControl& control) const {
        return regions->passes() > 0 ? control.part(kPassShare, 1 - kPassShare) : control;
    }
    [[nodiscard]] ChunkReader reader() const;
    [[nodiscard]] ChunkTreeOptions treeOptions(const ChunkRequest& request) const;
};

/// A report without counts of pixels and nodes. @param bits per pixel of the target
[[nodiscard]] ChunkReport reportOn(const ImageChunks& chunks, int bits);

} // namespace pollard
