#pragma once

#include "vm/filter/filter_view_model.hpp"
#include "vm/image/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/pyramid.hpp"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

/// The filtered image of a channel that is not displayed, as it was when the channel was left.
struct ChannelResult {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Pyramid> pyramid; ///< of `image`; null where results are drawn from the device
    FilterSpec spec;
    std::uint16_t brightLevel = 0; ///< see FrameResult::brightLevel

    [[nodiscard]] std::uint64_t bytes() const noexcept;
};

/// Keeps the filter of every channel of an image: criteria, prominence, picks, rule and output. When another channel
/// is displayed, the filter of the one left is stored, and the one entered gets its own back; a channel without one
/// continues with the present filter. Moving along other axes than the channels keeps the filters without their picks,
/// and another file keeps them if its channels have the same names. The tree and earlier filters are those of all
/// channels. Nothing is stored for images of one channel.
///
/// The filtered image of the channel left is kept, too, if its filter may have an effect, until the file, the part
/// or resolution that is read, the range of values or the position along other axes changes. Kept images take at
/// most as much memory as cached pages may, in addition to these; those left first are dropped first. There is none of
/// a channel that was left before its image was copied from the device.
class ChannelFilters : public QObject {
    Q_OBJECT

public:
    using Filter = FilterViewModel::State;
    using Filters = std::map<std::string, Filter>; ///< by channelKey()

    /// Both must outlive this.
    ChannelFilters(DocumentViewModel& document, FilterViewModel& filter);
    ~ChannelFilters() override;

    /// channelKey() of the displayed image.
    [[nodiscard]] const std::string& present() const noexcept { return present_; }
    /// The filters of the other channels.
    [[nodiscard]] const Filters& others() const noexcept { return others_; }
    /// Replaces them. Kept images of those whose filter changes are dropped.
    void setOthers(Filters others);

    /// The kept image of a channel, by its index in channelsOf(); null if there is none, and for the displayed one.
    [[nodiscard]] const ChannelResult* result(std::size_t channel) const;
    [[nodiscard]] std::uint64_t resultBytes() const noexcept; ///< memory of all kept images

signals:
    void resultsChanged();

private:
    /// The extent of an image that all of its channels share.
    struct Place {
        OpenRequest read;
        int position = 0;               ///< page of the first channel
        std::vector<std::string> names; ///< of the channels

        bool operator==(const Place& other) const;
    };
    /// The channel that is about to be replaced.
    struct Left {
        Place place;
        std::string channel;
        Filter filter;
        std::optional<ChannelResult> result;
    };
    using Results = std::list<std::pair<std::string, ChannelResult>>; ///< the last one left first

    void onLeave();
    void onEnter();
    [[nodiscard]] std::string presentKey() const;
    [[nodiscard]] Place presentPlace() const;
    /// Of the displayed channel; empty if its filter has no effect, or it is not in main memory.
    [[nodiscard]] std::optional<ChannelResult> presentResult() const;
    /// The filter to open an image with; empty: the present one.
    [[nodiscard]] std::optional<FilterSpec> filterFor(const OpenRequest& picture) const;
    void setResults(Results results);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    std::string present_;
    Filters others_;
    std::optional<Left> left_;
    Results results_;
};

} // namespace pollard::vm
