#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_list.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"
#include "image/channel.hpp"
#include "image/label_image.hpp"
#include "io/image_file.hpp"
#include "recipe/no_data.hpp"
#include "recipe/recipe.hpp"
#include "recipe/result_tags.hpp"
#include "snake/contour/trace_file.hpp"
#include "snake/snake_job.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace pollard {

/// Report on one filter of a recipe.
struct FilterStepReport {
    std::size_t step = 0; ///< 0-based, of Recipe::steps
    TreeReport tree;
    FilterReport filter;
};

/// The objects that a step found.
struct ObjectsStepReport {
    std::size_t step = 0; ///< 0-based, of Recipe::steps
    LevelRange levels;    ///< that made them; kNoLevels if no level has the values
    Components components;
    ObjectList list;                                ///< those that meet the condition and were not taken out
    std::optional<ValueMapping> values = {};        ///< of the levels
    std::vector<ObjectColumn> columns = {};         ///< of ObjectsStep::measure: "mean[GFP]" ...
    std::optional<std::vector<double>> fluxes = {}; ///< see ObjectRule::fluxesOf(), of the image as it was read
};

/// The evolved contours of a step.
struct ContourStepReport {
    std::size_t step = 0; ///< 0-based, of Recipe::steps
    SnakeResult contours;
    std::optional<ValueMapping> values = {}; ///< of the levels
    std::vector<TraceRow> states = {};       ///< all of them, if a trace is to be written
};

/// Result of a recipe, in the size of the image.
struct RecipeResult {
    std::shared_ptr<const Image> image; ///< the image as it was read if nothing filters; null if a filter gives labels
    std::optional<LabelImage> labelled; ///< set if one does
    ResultValues values = ResultValues::levels;
    /// Of the image if its levels are not those of the image as it was read, see Session::filterRanks().
    std::optional<ValueMapping> own = {};
    std::vector<FilterStepReport> filters; ///< in their order, as the next two members
    std::vector<ObjectsStepReport> objects;
    std::vector<ContourStepReport> contours;
};

/// Receives the objects of a step as soon as they are found. @param number of the step among those of objects
using ObjectsListener =
    std::function<void(const ObjectsStepReport& report, std::size_t number, const JobControl& control)>;

/// Reads the channels of a choice, of the image that the recipe works on. @throws Error for one that it lacks
using ChannelSource = std::function<std::vector<ChannelPlane>(const MeasureChoice& choice, const JobControl& control)>;
/// The channels of a part of a file.
[[nodiscard]] ChannelSource channelsOfFile(const std::filesystem::path& file, const SelectedPart& part);

/// Runs a recipe on an image that was read as readOptionsOf() says. Every filter works on the image that the one
/// before left, in a session of its own on @p engine; pixels without data take no part and stay as
/// Session says, or without a label. Objects are @p engine's, and contours where it has their moves.
/// @param progress as JobControl's, over all steps; may be empty
/// @param listener may be empty. With one, objects are forgotten when no step needs them any more: the result has none,
///        and the memory of one step's labels is enough
/// @param channels for objects that are measured in channels; empty: an error for these
/// @throws Error naming the step that failed, errors of @p listener unchanged; Cancelled
[[nodiscard]] RecipeResult runRecipe(const Recipe& recipe, const LoadedImage& loaded, Engine& engine,
                                     const SessionOptions& options = {}, const std::stop_token& stop = {},
                                     const JobControl::ProgressFunction& progress = {},
                                     const ObjectsListener& listener = {}, const ChannelSource& channels = {});

} // namespace pollard
