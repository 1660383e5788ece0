#pragma once

#include "vm/document/jobs/document_reading.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/pyramid.hpp"
#include "io/image_file.hpp"
#include "recipe/recipe.hpp"

#include <QObject>
#include <QString>

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
    std::shared_ptr<const Pyramid> pyramid; ///< of `image`; null if results are drawn from the device
    FilterSpec spec;
    std::uint16_t brightLevel = 0; ///< see FrameResult::brightLevel

    [[nodiscard]] std::uint64_t bytes() const noexcept;
};

/// Keeps the filter of every channel of an image: criteria, prominence, picks, rule and output. When another channel is
/// displayed, the filter of the previous channel is stored, and the filter of the new channel is restored; a channel
/// without a filter continues with the present one. Moving along other axes than the channels keeps the filters without
/// their picks, and another file keeps them if its channels have the same names. All channels share the tree and the
/// earlier filters. Nothing is stored for images of one channel.
///
/// The filtered image of the channel left is kept, too, if its filter may have an effect, until the file, the part or
/// resolution that is read, the range of values or the position along other axes changes. Kept images take at most as
/// much memory as cached pages may, in addition to the cached pages; the oldest are dropped first. A channel that was
/// left before its image was copied from the device has none.
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
    /// Replaces the filters, and drops the kept images of channels whose filter changes.
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
    struct PreviousChannel {
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
    /// The result of the displayed channel; empty if its filter has no effect or the image is not in main memory.
    [[nodiscard]] std::optional<ChannelResult> presentResult() const;
    /// The filter to open an image with; empty: the present one.
    [[nodiscard]] std::optional<FilterSpec> filterFor(const OpenRequest& image) const;
    void setResults(Results results);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    std::string present_;
    Filters others_;
    std::optional<PreviousChannel> previous_;
    Results results_;
};

/// The filter of a channel that is not displayed.
struct ChannelPart {
    std::string channel; ///< channelKey()
    FilterSpec filter;   ///< as if it were on
    bool on = true;
};

/// The filters of the other channels that change images when they are on, in the order of the channels, computed ones
/// last.
[[nodiscard]] std::vector<ChannelPart> channelParts(const ChannelFilters& channels);

/// Name of a channel by its channelKey(): that in recipes.
[[nodiscard]] std::string nameOfChannel(const std::string& channel, const ImageInfo& info);

/// Replaces the filter of a channel that is not displayed.
void setChannelFilter(ChannelFilters& channels, const std::string& channel, const ChannelFilters::Filter& filter);

/// Switches the filter of a channel that is not displayed.
void setChannelOn(ChannelFilters& channels, const std::string& channel, bool on);

/// Why a recipe cannot set the filters of an image's channels, one sentence; empty if it can.
/// @param image as the recipe reads it; its displayed channel is not among the others
[[nodiscard]] QString channelProblem(const Recipe& recipe, const OpenRequest& image, const ImageInfo& info);

/// Sets the filters of all channels that are not displayed from a recipe without a channelProblem(); channels that the
/// recipe lacks get no filter. Nothing changes for a recipe without filters of other channels.
void takeChannels(const Recipe& recipe, ChannelFilters& channels, const ImageInfo& info);

/// The channels of DocumentReading::channels(), the computed ones that have a filter of their own, and the other stains
/// of each expression with stain vectors set by the user. Such stains have their names: "DAB", "Stain 2 (own vectors)".
[[nodiscard]] QList<ChannelEntry> offeredChannels(const DocumentReading& reading, const ChannelFilters& filters);

} // namespace pollard::vm
