#include "vm/image/channel_reader.hpp"

#include "io/page_selection.hpp"

#include <QFileInfo>

#include <system_error>
#include <utility>
#include <vector>

namespace pollard::vm {

std::optional<ChannelPlane> ChannelReader::Known::plane() const {
    ChannelPlane plane = facts;
    plane.image = image.lock();
    plane.valid = valid.lock();
    return plane.image && (plane.valid != nullptr) == isMasked ? std::optional(std::move(plane)) : std::nullopt;
}

ChannelImage ChannelReader::read(const OpenRequest& picture, const ReadLimits& limits,
                                 std::span<const std::size_t> wanted, const JobControl& control) {
    const std::filesystem::path path = QFileInfo(picture.path).filesystemFilePath();
    std::error_code ignored; // a missing file is reported by the read
    const auto changed = std::filesystem::last_write_time(path, ignored);
    ChannelImage result;
    result.planes.resize(wanted.size());
    std::vector<std::size_t> missing;
    std::vector<std::size_t> places; ///< of the missing ones in the result
    {
        const std::lock_guard lock(mutex_);
        if (!(picture == picture_) || changed != changed_) {
            known_.clear();
            picture_ = picture;
            changed_ = changed;
        }
        for (std::size_t place = 0; place < wanted.size(); ++place) {
            const auto known = known_.find(wanted[place]);
            auto plane = known == known_.end() ? std::nullopt : known->second.plane();
            if (plane) {
                result.planes[place] = std::move(*plane);
            } else {
                missing.push_back(wanted[place]);
                places.push_back(place);
            }
        }
    }
    if (missing.empty()) {
        return result;
    }
    const SelectedPart part{picture.options(limits), picture.slices == Slices::volume, {}};
    ChannelImage read = readPartChannels(path, part, missing, control);
    result.info = std::move(read.info);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        ChannelPlane& plane = read.planes[i];
        if (picture == picture_ && changed == changed_) {
            known_[missing[i]] = {
                {plane.channel, nullptr, nullptr, plane.mapping}, plane.image, plane.valid, plane.valid != nullptr};
        }
        result.planes[places[i]] = std::move(plane);
    }
    return result;
}

} // namespace pollard::vm
