#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/image_reader.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// The slices of a volume that the options select, counted from 0. Slices are pages of a file, or files.
class VolumeSlices {
public:
    /// @param files one for each slice, in the order of the caller or of the places that they state; one file holds all
    /// slices as pages, or stands for its series with options.series
    /// @throws Error as readVolume()
    VolumeSlices(const std::vector<std::filesystem::path>& files, const ReadOptions& options);

    [[nodiscard]] int count() const noexcept { return pages_.count; }
    /// Sides by the header of the first slice and the region of the options. @throws Error as readImageInfo()
    [[nodiscard]] Extent extent() const;
    /// The file, or the file of the first slice.
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::vector<std::filesystem::path> files() const;
    [[nodiscard]] const std::filesystem::path& fileOf(int slice) const;
    /// "page 3", or the name of a file.
    [[nodiscard]] std::string nameOf(int slice) const;
    /// Options for the file of a slice. @param like region, range and statistics of values, and threads
    [[nodiscard]] ReadOptions optionsOf(int slice, const ReadOptions& like) const;

    /// A slice as readImage() reads it. @param like as in optionsOf()
    [[nodiscard]] LoadedImage read(int slice, const ReadOptions& like, const JobControl& control) const;
    /// Slices one after another, if their reader decodes the data before them once; else false, and none is taken.
    /// @param take called in ascending order
    [[nodiscard]] bool readAtOnce(int first, int count, const ReadOptions& like, const FilePage::TakeSlice& take,
                                  const JobControl& control) const;
    /// @throws Error(formatUnsupported) if a slice has another size or type than the first, or only one is mapped
    void requireAlike(int slice, const LoadedImage& read, PixelType type, const Extent& extent, bool isMapped) const;
    /// Adds the facts that the files state about the volume to the facts about its first slice.
    void describe(ImageInfo& info) const;

    /// Whether the levels of a slice follow from the values of all. @param slice facts about one
    [[nodiscard]] bool needsAllValues(const ImageInfo& slice) const;

    /// Throws an error about the volume.
    [[noreturn]] void refuse(ErrorCode code, const std::string& why) const;

private:
    /// The slices of a file that is no series.
    [[nodiscard]] SlicePages pagesOfFile() const;
    void takePart(const ReadOptions& options);

    std::filesystem::path path_;
    ReadOptions options_;
    SliceFiles files_; ///< one a slice; none: slices are pages
    SlicePages pages_;
    int whole_ = 0; ///< number of all slices, including slices that the options leave out
};

/// Facts about the values of a volume from its slices. Different slices may be added at the same time.
class SliceValues {
public:
    explicit SliceValues(int slices) : slices_(static_cast<std::size_t>(slices)) {}

    void add(int slice, const LoadedImage& loaded);

    /// Of slices with values; the others agree with any mapping.
    [[nodiscard]] bool haveOneMapping() const;
    /// From the smallest to the largest value of all slices; infinity to -infinity without values.
    [[nodiscard]] MappingChoice range() const;
    /// The mapping with the facts about all slices. Nothing if levels are the values of the files.
    /// @param slice facts about one
    [[nodiscard]] std::optional<ValueMapping> whole(const ImageInfo& slice) const;
    /// Moves the samples of all slices into the samples of a volume; null if no slice has samples.
    /// @param levels of the volume
    [[nodiscard]] std::shared_ptr<const SampleGrid> takeSamples(const Image& levels);

private:
    struct SliceFacts {
        std::optional<ValueMapping> mapping;
        bool any = false; ///< finite and with data
        std::shared_ptr<const SampleGrid> samples = {};
    };

    std::vector<SliceFacts> slices_;
};

/// Assembles a volume from slices and averages blocks of side x side x side voxels.
///
/// The value of a block is the mean of its voxels with data, rounded half up. A block without such voxels has no data
/// and the mean of all its voxels. The last column, row and layer of blocks may be smaller. Besides the volume, takes
/// memory for a mask if voxels have no data, and for sums of one layer of blocks.
class VolumeAssembly {
public:
    /// @param voxels of all slices @param side of blocks, >= 1
    /// @throws Error as Image
    VolumeAssembly(PixelType type, const Extent& voxels, std::uint32_t side);

    /// Of the volume of blocks.
    [[nodiscard]] static Extent extentOf(const Extent& voxels, std::uint32_t side) noexcept;

    /// Adds slice @p z, of the type and size of the others. Slices of blocks of more than a voxel are added in
    /// ascending order; others in any order and from any threads.
    /// @param valid voxels with data; null for all @throws Cancelled
    void add(std::uint32_t z, const Image& slice, const Mask* valid, const JobControl& control);

    /// After all slices were added.
    [[nodiscard]] const std::shared_ptr<Image>& volume() const noexcept { return volume_; }
    /// Voxels or blocks with data, by the rows of all slices; null if all have.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const;

private:
    void copy(std::uint32_t z, const Image& slice, const Mask* valid);
    template <class T> void addRow(std::uint32_t row, const Image& slice, const Mask* valid);
    template <class T> void finishRow(std::uint32_t row, std::uint32_t layer);
    /// Marks voxels [first, last) of a row of the volume as without data.
    void addGap(std::uint32_t first, std::uint32_t last, std::size_t row);
    [[nodiscard]] std::uint64_t blockVoxels(std::uint32_t x, std::uint32_t y, std::uint32_t slices) const noexcept;

    Extent voxels_;
    std::uint32_t side_;
    std::shared_ptr<Image> volume_;
    std::mutex mutex_; ///< of the mask's creation
    std::shared_ptr<Mask> mask_;
    std::uint32_t slices_ = 0;             ///< of the layer that were added
    std::vector<std::uint64_t> sums_;      ///< of blocks of the layer
    std::vector<std::uint64_t> validSums_; ///< of voxels with data; empty while all of the layer have
    std::vector<std::uint64_t> validCounts_;
};

} // namespace pollard
