#pragma once

#include "image/channel.hpp"
#include "io/channels.hpp"
#include "io/image_file.hpp"
#include "recipe/recipe.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// The channel of RecipeChannel::channel in an image, as storedChannel().
/// @param channels of channelsOf(@p info)
/// @throws Error(invalidArgument) with the names there are, if the image has no such channel
[[nodiscard]] std::optional<std::size_t> recipeChannel(const std::string& channel, const ImageInfo& info,
                                                       std::span<const Channel> channels);

/// The steps of a recipe for the stored channels of an image.
struct ChannelRecipes {
    std::size_t read = 0;                 ///< index in channelsOf() of the channel that is read
    std::map<std::size_t, Recipe> others; ///< of the other channels with a filter; without objects and contours
    std::vector<std::string> computed;    ///< channels with a filter that are not stored
};

/// Empty if the recipe has one channel, or reads one that is computed in this image.
/// @param read the channel that is read
/// @throws Error(invalidArgument) for a channel that does not exist or stands twice, and for labels, which are numbers
/// of one channel
[[nodiscard]] std::optional<ChannelRecipes> recipesOfChannels(const Recipe& recipe, const ChannelChoice& read,
                                                              const ImageInfo& info);

} // namespace pollard
