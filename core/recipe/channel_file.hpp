#pragma once

#include "base/job_control.hpp"
#include "image/channel.hpp"
#include "io/image_file.hpp"
#include "io/tiff/sample_layout.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "recipe/result_tags.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
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
    using Change = std::function<std::shared_ptr<const Image>(const LoadedImage& source, std::size_t channel)>;

    /// Reads the header. @param read a page; its channel is ignored
    /// @throws Error as readImageInfo()
    ChannelFile(std::filesystem::path path, const ReadOptions& read, Listener listener);

    [[nodiscard]] const ImageInfo& info() const noexcept { return info_; }
    [[nodiscard]] const std::vector<Channel>& channels() const noexcept { return channels_; } ///< channelsOf()
    [[nodiscard]] LoadedImage load(std::size_t channel);

    /// Writes a TIFF whole or not at all; transparency stays as it is.
    /// @param values of the channels
    /// @throws Error as readImage() and writeTiffChannels(); errors of @p change; Cancelled
    void write(const std::filesystem::path& target, std::span<const ResultValues> values, const Change& change,
               const JobControl& control);

private:
    [[nodiscard]] std::vector<LoadedImage> load(const std::string& name, int page, const std::vector<int>& samples);
    [[nodiscard]] bool isAlpha(std::size_t sample) const { return static_cast<int>(sample) == layout_.alpha; }
    [[nodiscard]] std::size_t channelAt(std::size_t plane) const;
    [[nodiscard]] WrittenPage make(std::size_t plane, std::span<const ResultValues> values, const Change& change);

    std::filesystem::path path_;
    ReadOptions read_;
    Listener listener_;
    ImageInfo info_;
    std::vector<Channel> channels_;
    std::size_t onPage_ = 1; ///< channels of a page
    SampleLayout layout_;
    bool readsPages_ = false; ///< all samples of a page are read together
    std::vector<LoadedImage> loaded_;
    std::set<std::string> notes_;
};

} // namespace pollard
