#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/sample_layout.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/channel.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "io/write/pixel_rows.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_tags.hpp"

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

/// The channels of a file, to be written with other values into a file of the same layout, tags and names. Reads them
/// one after another, or those of a page together if they are interleaved.
class ChannelFile {
public:
    /// Both may be empty.
    struct Listener {
        /// Control of reading a channel, or "transparency".
        std::function<JobControl(const std::string& channel)> reading;
        std::function<void(const std::string& note)> noted; ///< of the reader, each once
    };
    /// The values to write for a channel, in the size and type of its source.
    struct Changed {
        std::shared_ptr<const Image> image;
        std::shared_ptr<const Mask> valid; ///< pixels with data; null: all
    };
    using Emptied = std::function<std::optional<std::uint16_t>(const LoadedImage& source)>;
    using Change = std::function<Changed(const LoadedImage& source, std::size_t channel)>;

    /// A channel, or transparency, that is read while it is written.
    struct Plane {
        ImageInfo info; ///< with the mapping of its levels
        PixelRows rows;
        std::optional<NoDataMark> mark = {}; ///< that pixels without data have; one for all channels
    };
    /// @param channel none: transparency @param options that read it as an image
    using Planes = std::function<Plane(std::optional<std::size_t> channel, const ReadOptions& options)>;

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

    /// Writes a TIFF, or OME-Zarr if isZarrResult(), whole or not at all. Transparency stays as it is.
    /// @param levels of the channels @param emptied level that pixels with data can get besides, by the source of a
    /// channel; none: they can lose their data. May be empty
    /// @throws Error as requireTarget(), readImage(), writeTiffChannels() and writeResultChannels(); errors of @p
    /// change; Cancelled
    void write(const std::filesystem::path& target, std::span<const ResultLevels> levels, const Change& change,
               const JobControl& control, TiffCompression compression = TiffCompression::deflate,
               const Emptied& emptied = {});

    /// Writes planes that need not be in memory likewise. @param planes called twice for each at most
    /// @throws as write(); errors of @p planes
    void writePlanes(const std::filesystem::path& target, std::span<const ResultLevels> levels, const Planes& planes,
                     const JobControl& control, TiffCompression compression = TiffCompression::deflate) const;

private:
    [[nodiscard]] ReadOptions optionsOf(int page, int sample) const;
    [[nodiscard]] std::vector<LoadedImage> load(const std::string& name, int page, const std::vector<int>& samples);
    [[nodiscard]] bool isAlpha(std::size_t sample) const { return static_cast<int>(sample) == layout_.alpha; }
    [[nodiscard]] std::size_t channelAt(std::size_t plane) const;
    [[nodiscard]] int planes() const { return static_cast<int>(channels_.size() / onPage_) * layout_.samples; }
    /// Sets the tags of a page by the facts about its first samples, or all of them.
    void describe(std::size_t firstPlane, std::span<const ResultLevels> levels, std::span<const ImageInfo> samples,
                  const std::optional<NoDataMark>& mark, WrittenPage& made) const;
    /// The mark of a page by its sources, all of which are loaded if any has one.
    [[nodiscard]] std::optional<NoDataMark> markOf(std::size_t firstPlane, std::span<const ResultLevels> levels,
                                                   const Emptied& emptied) const;
    /// Reads the sources of a plane and of those that are read with it, unless they are there.
    void loadPlane(std::size_t plane);
    /// The source of a plane that is loaded, once.
    [[nodiscard]] LoadedImage takePlane(std::size_t plane);
    [[nodiscard]] WrittenPage make(std::size_t plane, std::span<const ResultLevels> levels, const Change& change,
                                   const Emptied& emptied);

    std::filesystem::path path_;
    ReadOptions read_;
    Listener listener_;
    ImageInfo info_;
    std::vector<Channel> channels_;
    std::size_t onPage_ = 1; ///< channels of a page
    SampleLayout layout_;
    bool readsPages_ = false; ///< all samples of a page are read together
    std::vector<LoadedImage> loaded_;
    std::optional<NoDataMark> mark_; ///< of the page
    std::set<std::string> notes_;
};

} // namespace pollard
