#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"
#include "image/channel.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/label_file.hpp"
#include "recipe/no_data.hpp"
#include "recipe/recipe.hpp"
#include "recipe/results/result_tags.hpp"
#include "snake/contour/contour_output.hpp"
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
    LevelRange levels;    ///< range of the objects; kNoLevels if no level has the values
    Components components;
    ObjectList list;                                ///< objects that meet the condition and were not removed
    std::optional<ValueMapping> values = {};        ///< of the levels
    std::vector<ObjectColumn> columns = {};         ///< of ObjectsStep::measure: "mean[GFP]" ...
    std::optional<std::vector<double>> fluxes = {}; ///< see ObjectRule::fluxesOf(), in the image as it was read
    /// From which best components were chosen; null for other objects and in the result of a recipe.
    std::shared_ptr<const BestCandidates> candidates = {};
};

/// The evolved contours of a step.
struct ContourStepReport {
    std::size_t step = 0; ///< 0-based, of Recipe::steps
    SnakeResult contours;
    std::optional<ValueMapping> values = {}; ///< of the levels
    std::vector<TraceRow> states = {};       ///< all states if a trace is written, else empty
};

/// Result of a recipe, in the size of the image.
struct RecipeResult {
    std::shared_ptr<const Image> image; ///< the image as it was read if nothing filters; null if a filter gives labels
    std::optional<LabelImage> labelled; ///< set if a filter gives labels
    ResultValues values = ResultValues::levels;
    /// Mapping of the image if its levels differ from the levels as read, see Session::filterRanks().
    std::optional<ValueMapping> own = {};
    bool isLength = false;                 ///< the values of `own` are lengths, of an operator
    std::vector<FilterStepReport> filters; ///< in the order of the steps, like the next two members
    std::vector<ObjectsStepReport> objects;
    std::vector<ContourStepReport> contours;
};

/// Receives the objects of a step as soon as they are found. @param number index of the step among the steps of objects
using ObjectsListener =
    std::function<void(const ObjectsStepReport& report, std::size_t number, const JobControl& control)>;

/// Reads the chosen channels of the image that the recipe processes. @throws Error for a missing channel
using ChannelSource = std::function<std::vector<ChannelPlane>(const MeasureChoice& choice, const JobControl& control)>;
/// Makes a source for the channels of a part of a file.
[[nodiscard]] ChannelSource channelsOfFile(const std::filesystem::path& file, const SelectedPart& part);

/// Runs a recipe on an image that was read as readOptionsOf() says. Every filter gets the result of the filter before
/// it, in its own session on @p engine. Pixels without data take no part and stay as Session says, or get no label. @p
/// engine also finds objects, and evolves contours if it supports their moves.
/// @param progress as in JobControl, over all steps; may be empty
/// @param listener may be empty. With a listener, objects are released when no step needs them any more: the result has
///        no objects, and the memory for the labels of one step suffices
/// @param channels for objects that are measured in channels; if empty, such objects are an error
/// @param labels for objects of label files; if empty, such objects are an error
/// @throws Error naming the step that failed, errors of @p listener unchanged; Cancelled
[[nodiscard]] RecipeResult runRecipe(const Recipe& recipe, const LoadedImage& loaded, Engine& engine,
                                     const SessionOptions& options = {}, const std::stop_token& stop = {},
                                     const JobControl::ProgressFunction& progress = {},
                                     const ObjectsListener& listener = {}, const ChannelSource& channels = {},
                                     const LabelSource& labels = {});

[[nodiscard]] bool findsObjects(const Recipe& recipe) noexcept;

/// Steps for every image of a sequence whose objects are tracked: a recipe up to its last step of objects, without
/// removals by hand. If it has no such step, @p otherwise finds the objects in the result of its filters. Contours are
/// left out.
[[nodiscard]] Recipe trackedRecipe(const Recipe& recipe, const ObjectRule& otherwise);

/// The objects of one of the images that meet the condition and the border rule of the step. @param tracked of
/// trackedRecipe()
/// @throws as runRecipe()
[[nodiscard]] Components trackedObjects(const Recipe& tracked, const LoadedImage& loaded, Engine& engine,
                                        const SessionOptions& options = {}, const std::stop_token& stop = {},
                                        const JobControl::ProgressFunction& progress = {},
                                        const LabelSource& labels = {});

} // namespace pollard
