#pragma once

#include "base/job_control.hpp"
#include "image/extent.hpp"
#include "io/image_file.hpp"
#include "io/image_reader.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pollard {

/// The slices of a volume, pages of a file or files: those of the options, counted from 0.
class VolumeSlices {
public:
    /// @param files one for each slice, in the order of the caller or of the places that they state; one file holds all
    /// slices as pages, or stands for its series with options.series
    /// @throws Error as readVolume()
    VolumeSlices(const std::vector<std::filesystem::path>& files, const ReadOptions& options);

    [[nodiscard]] int count() const noexcept { return pages_.count; }
    /// Sides by the header of the first slice and the region of the options. @throws Error as readImageInfo()
    [[nodiscard]] Extent extent() const;
    /// The file, or that of the first slice.
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
    /// Adds the facts that the files state about the volume to those about its first slice.
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
    int whole_ = 0; ///< slices, those that are not asked for included
};

} // namespace pollard
