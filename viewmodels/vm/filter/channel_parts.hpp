#pragma once

#include "vm/document/document_reading.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/image/open_request.hpp"

#include "io/image_file.hpp"
#include "recipe/recipe.hpp"

#include <QString>

#include <string>
#include <vector>

namespace pollard::vm {

class ChannelFilters;

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
[[nodiscard]] QString channelProblem(const Recipe& recipe, const OpenRequest& picture, const ImageInfo& info);

/// Sets the filters of all channels that are not displayed to those of a recipe without a channelProblem(), and those
/// of others to none. Nothing changes for a recipe without filters of other channels.
void takeChannels(const Recipe& recipe, ChannelFilters& channels, const ImageInfo& info);

/// The channels of DocumentReading::channels(), the computed ones that have a filter of their own, and the other stains
/// of each expression with vectors of one's own. Such stains have their names: "DAB", "Stain 2 (own vectors)".
[[nodiscard]] QList<ChannelEntry> offeredChannels(const DocumentReading& reading, const ChannelFilters& filters);

} // namespace pollard::vm
