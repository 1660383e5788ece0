#pragma once

#include "vm/filter/filter_view_model.hpp"
#include "vm/picture/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/pyramid.hpp"
#include "io/image_file.hpp"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

/// The channel of a picture: its index in channelsOf(), "luminance" of colours, or the expression of a derived one.
/// Empty for a picture of one channel.
[[nodiscard]] std::string channelKey(const OpenRequest& request, const ImageInfo& info);

/// The filtered picture of a channel that is not displayed, as it was when the channel was left.
struct ChannelResult {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Pyramid> pyramid; ///< of `image`; null where results are drawn from the device
    FilterSpec spec;
    std::uint16_t brightLevel = 0; ///< see FrameResult::brightLevel
};

/// Keeps the filter of every channel of a picture: criteria, prominence, picks, rule and output. When another channel
/// is displayed, the filter of the one left is stored, and the one entered gets its own back; a channel without one
/// continues with the present filter. Moving along other axes than the channels keeps the filters without their picks.
/// The tree and earlier filters are those of all channels. Nothing is stored for pictures of one channel.
///
/// The filtered picture of the channel left is kept, too, if its filter may have an effect, until the file, its part,
/// its resolution or the position along other axes changes. Kept pictures take at most as much memory as cached
/// pages may, in addition to these; those left first are dropped first.
class ChannelFilters : public QObject {
    Q_OBJECT

public:
    using Filter = FilterViewModel::State;
    using Filters = std::map<std::string, Filter>; ///< by channelKey()

    /// Filters to be restored later.
    struct State {
        std::string present;                   ///< channelKey() of the displayed picture
        std::shared_ptr<const Filters> others; ///< without the present channel; null: none

        /// Whether the filters are those of the same channels.
        bool operator==(const State& other) const;
    };

    /// Both must outlive this.
    ChannelFilters(DocumentViewModel& document, FilterViewModel& filter);

    [[nodiscard]] const State& state() const noexcept { return state_; }
    /// Replaces the filters of the other channels.
    void setOthers(const std::shared_ptr<const Filters>& others);

    /// The kept picture of a channel, by its index in channelsOf(); null if there is none, and for the displayed one.
    [[nodiscard]] const ChannelResult* result(std::size_t channel) const;
    [[nodiscard]] std::uint64_t resultBytes() const noexcept; ///< memory of all kept pictures

signals:
    void resultsChanged();
};

} // namespace pollard::vm
