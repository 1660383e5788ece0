#pragma once

#include "vm/image/open_request.hpp"

#include "base/job_control.hpp"
#include "io/channels.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace pollard::vm {

/// Reads channels of images, projections and volumes for several parts of the window. Pixels that a part still
/// holds are not read again. Thread-safe.
class ChannelReader {
public:
    /// As readChannels(); the facts of the page are those of the channels that were read this time.
    /// @param image as from allChannels()
    [[nodiscard]] ChannelImage read(const OpenRequest& picture, const ReadLimits& limits,
                                    std::span<const std::size_t> wanted, const JobControl& control);

private:
    struct Known {
        ChannelPlane facts; ///< without pixels
        std::weak_ptr<const Image> image;
        std::weak_ptr<const Mask> valid;
        bool isMasked = false;

        /// Empty if the pixels are gone.
        [[nodiscard]] std::optional<ChannelPlane> plane() const;
    };

    std::mutex mutex_; ///< of the members below
    OpenRequest picture_;
    std::filesystem::file_time_type changed_;
    std::map<std::size_t, Known> known_; ///< by index in channelsOf()
};

} // namespace pollard::vm
