#pragma once

#include "filter/filter_spec.hpp"
#include "image/channel.hpp"
#include "io/channels.hpp"
#include "io/image_file.hpp"
#include "operators/operator_spec.hpp"
#include "recipe/recipe.hpp"
#include "recipe/results/result_tags.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// One filter of a sequence, with the region and the kind of tree to which it applies; or an operator with its region.
struct FilterStage {
    RegionStep region;    ///< without shapes: all pixels
    bool regionOn = true; ///< off: all pixels, whatever the shapes
    TreeStep tree;
    FilterSpec filter;
    bool on = true;                             ///< off: the next filter gets the image unchanged
    std::optional<OperatorSpec> operation = {}; ///< replaces tree and filter

    bool operator==(const FilterStage&) const = default;
};

/// A sequence of filters. Each filters the result of the filter before it, the first the image that was read.
using FilterStages = std::vector<FilterStage>;

/// The region of a stage; without shapes if the region is off.
[[nodiscard]] RegionStep regionOf(const FilterStage& stage);

/// The active stages, with their regions as regionOf(). Lists that differ only in inactive stages or regions become
/// equal.
[[nodiscard]] FilterStages effectiveStages(std::span<const FilterStage> stages);

/// The active stages as steps of a recipe: a tree and a filter, or an operator, each, and a region if it differs from
/// the region before.
[[nodiscard]] std::vector<RecipeStep> recipeStepsOf(std::span<const FilterStage> stages);

/// The filters and operators of a recipe, each with the region and tree that precede it. Steps after the last one are
/// left out.
[[nodiscard]] FilterStages stagesOf(const Recipe& recipe);

/// Relation of the values after the active stages to the values of the image that was read.
[[nodiscard]] ResultValues resultValuesOf(std::span<const FilterStage> stages) noexcept;
/// Whether the values after the active stages are lengths, or differences of lengths.
[[nodiscard]] bool givesLengths(std::span<const FilterStage> stages) noexcept;

/// Sets options that the results of a recipe require: the samples, and, if results of several channels are differences,
/// levels at the distances of their values.
void readForResults(const Recipe& recipe, ReadOptions& options);

/// The channel of RecipeChannel::channel in an image, as storedChannel().
/// @param channels of channelsOf(@p info)
/// @throws Error(invalidArgument) naming the existing channels if the image has no such channel
[[nodiscard]] std::optional<std::size_t> recipeChannel(const std::string& channel, const ImageInfo& info,
                                                       std::span<const Channel> channels);

/// The steps of a recipe for the stored channels of an image.
struct ChannelRecipes {
    std::size_t read = 0;                 ///< index in channelsOf() of the channel that is read
    std::map<std::size_t, Recipe> others; ///< of the other channels with a filter; without objects and contours
    std::vector<std::string> computed;    ///< channels with a filter that are not stored
};

/// Unset if the recipe has one channel, or reads a channel that is computed in this image.
/// @param read the channel that is read
/// @throws Error(invalidArgument) for a channel that does not exist or occurs twice, and for labels, which number the
/// components of one channel
[[nodiscard]] std::optional<ChannelRecipes> recipesOfChannels(const Recipe& recipe, const ChannelChoice& read,
                                                              const ImageInfo& info);

} // namespace pollard
