#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "image/channel.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// The channels of a file, to be written with other values into a file of the same layout, tags and names. Reads the
/// channels one after another; interleaved channels of a page are read together.
class ChannelFile {
public:
    /// Both may be empty.
    struct Listener {
        /// Returns the control for reading a channel, or "transparency".
        std::function<JobControl(const std::string& channel)> reading;
        std::function<void(const std::string& note)> noted; ///< receives each note of the reader once
    };
    /// The values to write for a channel, in the size and type of its source.
    struct ChangedChannel {
        std::shared_ptr<const Image> image;
        std::shared_ptr<const Mask> valid; ///< pixels with data; null: all
    };
    using FurtherLevel = std::function<std::optional<std::uint16_t>(const LoadedImage& source)>;
    using Change = std::function<ChangedChannel(const LoadedImage& source, std::size_t channel)>;

    /// A channel, or transparency, that is read while it is written.
    struct StoredPlane {
        ImageInfo info; ///< with the mapping of its levels
        PixelRows rows;
        ResultSamples samples = {}; ///< of the rows; all channels have the same mark
    };
    /// @param channel unset: transparency @param options that read the channel as an image
    using StoredPlanes = std::function<StoredPlane(std::optional<std::size_t> channel, const ReadOptions& options)>;

    /// Reads the header. @param read a page; its channel is ignored
    /// @throws Error as readImageInfo()
    ChannelFile(std::filesystem::path path, const ReadOptions& read, Listener listener);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] const ImageInfo& info() const noexcept { return info_; }
    [[nodiscard]] const std::vector<Channel>& channels() const noexcept { return channels_; } ///< channelsOf()
    [[nodiscard]] bool hasTransparency() const noexcept { return layout_.alpha >= 0; }
    [[nodiscard]] LoadedImage load(std::size_t channel);
    /// Options that read a channel as an image.
    [[nodiscard]] ReadOptions optionsOf(std::size_t channel) const {
        return optionsOf(channels_[channel].page, channels_[channel].sample);
    }

    /// Checks before the work that write() can write a file of this name.
    /// @throws Error(invalidArgument) for transparency in OME-Zarr
    void requireTarget(const std::filesystem::path& target) const;

    /// Type of the samples that write() wrote last.
    [[nodiscard]] ValueType writtenType() const noexcept { return written_.type; }

    /// Writes a TIFF, or OME-Zarr if isZarrResult(), whole or not at all. Transparency stays as it is.
    /// @param values of the channels @param emptied returns, by the source of a channel, a further level that pixels
    /// with data can get; unset: they can lose their data. May be empty
    /// @throws Error as requireTarget(), readImage() and writeResult(); errors of @p change; Cancelled
    void write(const std::filesystem::path& target, std::span<const ResultValues> values, const Change& change,
               const JobControl& control, TiffCompression compression = TiffCompression::deflate,
               const FurtherLevel& emptied = {});

    /// Like write(), for planes that need not be in memory. @param planes called at most twice for each plane
    /// @throws as write(); errors of @p planes
    void writeStored(const std::filesystem::path& target, std::span<const ResultValues> values,
                     const StoredPlanes& planes, const JobControl& control,
                     TiffCompression compression = TiffCompression::deflate) const;

private:
    struct Source {
        PixelRows rows;
        std::vector<ImageInfo> samples = {}; ///< of the described planes, or of the first one
        ResultSamples written = {};          ///< of all described planes
    };
    /// @param described number of planes, from this one on, whose facts are needed
    using Sources = std::function<Source(std::size_t plane, std::size_t described)>;

    void writeSources(const std::filesystem::path& target, std::span<const ResultValues> values, const Sources& sources,
                      const JobControl& control, TiffCompression compression) const;
    [[nodiscard]] ReadOptions optionsOf(int page, int sample) const;
    [[nodiscard]] std::vector<LoadedImage> load(const std::string& name, int page, const std::vector<int>& samples);
    [[nodiscard]] bool isAlpha(std::size_t sample) const { return static_cast<int>(sample) == layout_.alpha; }
    [[nodiscard]] std::size_t channelAt(std::size_t plane) const;
    [[nodiscard]] std::size_t sampleOf(std::size_t plane) const {
        return plane % static_cast<std::size_t>(layout_.samples);
    }
    /// Facts about a channel, for OME-Zarr.
    [[nodiscard]] PlaneFacts factsOf(std::size_t channel, ResultValues values, const Source& source) const;
    /// Facts about a page, for TIFF.
    [[nodiscard]] PlaneFacts factsOfPage(std::size_t firstPlane, std::span<const ResultValues> values,
                                         const Source& first) const;
    /// The samples of a page by its sources. Loads all sources if their pixels matter.
    [[nodiscard]] ResultSamples samplesOf(std::size_t firstPlane, std::span<const ResultValues> values,
                                          const FurtherLevel& emptied) const;
    /// Reads the source of a plane, and the sources that are read with it. @return its number in them
    std::size_t loadPlane(std::size_t plane);

    std::filesystem::path path_;
    ReadOptions read_;
    Listener listener_;
    ImageInfo info_;
    std::vector<Channel> channels_;
    std::size_t onPage_ = 1; ///< channels of a page
    SampleLayout layout_;
    bool readsPages_ = false; ///< all samples of a page are read together
    std::vector<LoadedImage> loaded_;
    ResultSamples written_; ///< of the page
    std::set<std::string> notes_;
};

} // namespace pollard
