#include "recipe/run_recipe.hpp"

#include "base/error.hpp"
#include "components/object_places.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_parents.hpp"
#include "components/shape/object_edges.hpp"
#include "engine/engine_registry.hpp"
#include "engine/find_objects.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_units.hpp"
#include "image/region_shape.hpp"
#include "io/channels.hpp"
#include "io/metadata/scene_units.hpp"
#include "operators/apply_operator.hpp"
#include "recipe/evolve_contours.hpp"
#include "snake/contour/contour_starts.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace pollard {

namespace {

constexpr double kTreeShare = 0.8; ///< of a filter's time

/// Progress of a step as a part of the progress of all steps.
struct Progress {
    std::stop_token stop;
    JobControl::ProgressFunction whole;
    double from = 0;
    double to = 1;

    /// Control of the part [start, end] of the step.
    [[nodiscard]] JobControl control(double start = 0, double end = 1) const {
        if (!whole) {
            return JobControl(stop);
        }
        const double low = from + start * (to - from);
        const double high = from + end * (to - from);
        return JobControl(stop, [report = whole, low, high](double fraction, std::string_view stage) {
            report(low + fraction * (high - low), stage);
        });
    }
};

/// Flags of the objects removed by hand, as listObjects() takes them.
/// @throws Error(invalidArgument) if they refer to another number of objects
std::vector<std::uint8_t> removedFlags(const ObjectsStep& step, std::uint32_t found) {
    if (step.count != found) {
        throw Error(ErrorCode::invalidArgument, "removed: refers to " + std::to_string(step.count) +
                                                    " objects, but this image has " + std::to_string(found));
    }
    std::vector<std::uint8_t> flags(found, 0);
    for (const std::uint32_t label : step.removed) {
        flags[label - 1] = 1;
    }
    return flags;
}

/// Whether the delta of a criterion on `stability` counts levels; they are not ranks then, see readOptionsOf().
bool hasStabilityInLevels(const FilterSpec& filter) {
    return anyCriterion(
        filter, [](const Criterion& each) { return each.attribute == AttributeId::stability && each.grey == kLevels; });
}

/// Runs the steps of a recipe on an image.
class RecipeRun {
public:
    /// @param loaded must outlive this @param inVolume the image is a volume, perhaps of one slice
    RecipeRun(const LoadedImage& loaded, bool inVolume, Engine& engine, const SessionOptions& options,
              const ChannelSource& channels, const LabelSource& labels)
        : original_(loaded.image), current_(loaded.image), valid_(loaded.valid), info_(loaded.info),
          units_(loaded.info, inVolume || loaded.image->extent().isVolume()), spacing_(loaded.info.spacing),
          engine_(engine), options_(options), channels_(channels), labels_(labels) {
        if (current_->extent().isVolume()) {
            tree_.connectivity = Connectivity::six;
        }
    }

    void take(const ReadStep&, std::size_t, const Progress&) {}
    void take(const RegionStep& step, std::size_t, const Progress& whole) {
        region_.reset();
        if (!step.shapes.empty()) {
            Mask mask =
                makeRegionMask(current_->width(), current_->height(), step.shapes, step.inverted, whole.control(0, 0));
            const std::uint64_t pixels = mask.count();
            const Extent& extent = current_->extent();
            if (pixels > 0 && pixels < extent.slicePixels()) {
                region_ =
                    std::make_shared<const Mask>(extent.isVolume() ? mask.repeated(extent.slices) : std::move(mask));
            }
        }
    }
    void take(const TreeStep& step, std::size_t, const Progress&) {
        tree_.kind = step.kind;
        tree_.connectivity = step.connectivity;
    }
    void take(const FilterStep& step, std::size_t number, const Progress& whole) {
        const std::optional<ValueMapping> values = valuesOf(StepImage::result);
        const FilterSpec spec = inPixels(step.filter, {units_.pixelSize, values, units_.isVolume});
        FilterStepReport report;
        report.step = number;
        const auto session = engine_.openSession(options_);
        requireMemory(engine_, session->leastTreeBytes(*current_) + current_->bytes(), current_->extent());
        session->open(current_, intersection(valid_, region_),
                      hasStabilityInLevels(step.filter) ? std::nullopt : values);
        report.tree = session->buildTree(tree_, whole.control(0, kTreeShare));
        const JobControl rest = whole.control(kTreeShare, 1);
        if (needsProportional(spec) && values && !values->isProportional()) {
            ValueResult filtered = session->filterRanks(spec, rest);
            report.filter = std::move(filtered.report);
            current_ = std::move(filtered.image);
            own_ = std::move(filtered.mapping);
        } else {
            auto out = std::make_shared<Image>(current_->type(), current_->extent());
            report.filter = session->filter(spec, *out, rest);
            if (spec.output == Output::labels) {
                // `out` only numbers components up to the limit of its type.
                result_.labelled = session->labels(spec, rest);
            }
            current_ = std::move(out);
            if (own_ && !areLevels(resultValuesOf(spec))) {
                own_ = differencesOf(*own_);
            }
        }
        result_.values = resultValuesAfter(result_.values, spec);
        result_.filters.push_back(std::move(report));
    }

    void take(const OperatorStep& step, std::size_t, const Progress& whole) {
        const JobControl control = whole.control();
        const bool areLengths = result_.isLength && result_.values != ResultValues::others;
        if (areLengths && own_->ranks && needsProportional(step.spec.kind)) {
            takeLengths(evenLengths(*current_, *own_, control));
        }
        const ImageUnits units(units_.pixelSize, valuesOf(StepImage::result), units_.isVolume);
        OperatorResult made =
            applyOperator(engine_, current_, step.spec, units, {intersection(valid_, region_)}, options_, control);
        result_.values = resultValuesAfter(result_.values, made.values);
        if (made.values == OperatorValues::lengths) {
            takeLengths(std::move(made));
            return;
        }
        current_ = std::move(made.image);
        if (made.values == OperatorValues::flags) {
            own_.reset();
            result_.isLength = false;
        } else if (own_ && made.values == OperatorValues::differences) {
            own_ = differencesOf(*own_);
        }
    }

    void take(const ObjectsStep& step, std::size_t number, const Progress& whole) {
        const JobControl control = whole.control();
        const Image& source = *imageOf(step.of);
        const std::shared_ptr<const Mask> inside = intersection(valid_, region_);
        ObjectsStepReport report;
        report.step = number;
        ObjectRule rule = step.rule;
        if (units_.isVolume && rule.above) {
            throw Error(ErrorCode::invalidArgument, "above_background: works on images, not on volumes");
        }
        rule.connectivity = correspondingConnectivity({1, 1, units_.isVolume ? 2U : 1U}, rule.connectivity);
        report.levels = rule.levelsOf(source, inside.get(), control, valuesOf(step.of));
        const ObjectSource objects{source, inside.get(), valuesOf(step.of), units_.pixelSize, original_.get(), labels_};
        ObjectChoices choices;
        report.components = findObjects(engine_, rule, objects, report.levels, {}, control, &choices);
        report.candidates = std::move(choices.candidates);
        sumValues(report.components, *original_, units_.mapping, control);
        if (step.measure) {
            report.columns = measured(*step.measure, report.components, control);
        }
        report.fluxes = rule.fluxesOf(report.components, *original_, inside.get(), control, units_.mapping);
        report.list = listed(step, report, control);
        report.values = valuesOf(step.of);
        result_.objects.push_back(std::move(report));
    }
    [[nodiscard]] const ObjectsStepReport& lastObjects() const { return result_.objects.back(); }
    void releaseObjects() { result_.objects.clear(); }
    void releaseCandidates() { result_.objects.back().candidates.reset(); }
    void take(const ContoursStep& step, std::size_t number, const Progress& whole) {
        requireImage(current_->extent(), "region snake");
        const JobControl control = whole.control();
        const std::shared_ptr<const Image>& source = imageOf(step.of);
        SnakeJob job;
        job.image = source;
        job.valid = valid_;
        job.spec = step.spec;
        job.forbidden = forbiddenPixelsOf(step, source->width(), source->height(), control);
        job.starts = startsOf(step, control);
        if (step.apart) {
            job.parts = partsAround(job.starts, *step.apart, *source);
        }
        ContourStepReport report;
        report.values = valuesOf(step.of);
        report.step = number;
        SnakeListener listener;
        if (std::ranges::find(step.files, ContourFile::trace) != step.files.end()) {
            listener = [&report, several = job.starts.size() > 1](std::size_t contour, const SnakeState& state) {
                const TraceKey key{{}, several ? std::optional(static_cast<std::uint32_t>(contour + 1)) : std::nullopt};
                report.states.push_back(TraceRow::of(state, key, report.values));
                return true;
            };
        }
        // An engine may have no other moves; the CPU takes the same states.
        Engine* const engine = step.spec.moves == SnakeMoves::localBest ? &engine_ : nullptr;
        report.contours = evolveContours(job, engine, listener, control);
        result_.contours.push_back(std::move(report));
    }

    [[nodiscard]] RecipeResult finish() {
        if (!result_.labelled) {
            result_.image = current_;
        }
        if (result_.values != ResultValues::others) {
            result_.own = std::move(own_);
        }
        return std::move(result_);
    }

private:
    void takeLengths(OperatorResult lengths) {
        current_ = std::move(lengths.image);
        own_ = std::move(lengths.mapping);
        result_.isLength = true;
    }
    /// The objects that meet the condition of a step and were not removed.
    [[nodiscard]] ObjectList listed(const ObjectsStep& step, const ObjectsStepReport& found,
                                    const JobControl& control) const {
        ObjectListSpec list;
        list.condition = ObjectCondition::parse(step.condition, objectFeatures(found.components.connectivity));
        list.condition = units_.isVolume ? list.condition.inVolume(step.unit, units_.pixelSize)
                                         : list.condition.inPixels(units_.pixelSize);
        if (const std::vector<std::string>& named = list.condition.columns(); !named.empty()) {
            const bool namesPlaces = std::ranges::any_of(named, isPlaceColumn);
            const ImagePlaces places =
                namesPlaces ? placesOf(info_, original_->width(), original_->height()) : ImagePlaces{};
            std::vector<ObjectColumn> columns = placeColumns(found.components, places, found.fluxes);
            columns.insert(columns.end(), found.columns.begin(), found.columns.end());
            list.condition = list.condition.withColumns(columns);
        }
        list.key = step.order;
        list.descending = step.descending;
        list.withoutBorder = step.rule.withoutBorder;
        list.borderXy = step.rule.borderXy;
        std::vector<std::uint8_t> removed;
        if (!step.removed.empty()) {
            removed = removedFlags(step, found.components.count);
            list.removed = &removed;
        }
        const std::optional<ValueMapping> values = step.conditionInLevels ? std::nullopt : units_.mapping;
        if (!units_.isVolume) {
            list.side = sideFor(step);
            list.proportions = objectUnitOf(LengthUnit::pixel, units_.pixelSize, false, spacing_).proportions();
            return listObjects(found.components, list, control, values);
        }
        if (step.unit != LengthUnit::pixel) {
            requireUnit(step.unit, whyNoObjectUnit(units_.pixelSize, true));
        }
        const ObjectUnit unit = objectUnitOf(step.unit, units_.pixelSize, true, spacing_, values);
        const ObjectEdges edges = measureEdges(found.components, edgeMeasureOf(list), control, unit.proportions());
        return listObjects(MeasuredObjects(found.components, &edges, unit), list, control);
    }
    /// The usual measurements in channels.
    [[nodiscard]] std::vector<ObjectColumn> measured(const MeasureChoice& choice, const Components& components,
                                                     const JobControl& control) const {
        if (!channels_) {
            throw Error(ErrorCode::invalidArgument, "measure: an image without a file has no channels");
        }
        std::vector<ObjectColumn> columns = measuredIn(choice, channels_(choice, control), components, control);
        if (choice.counted) {
            MeasureChoice counted;
            counted.channels = {choice.counted->channel};
            columns.push_back(
                countColumn(components, channels_(counted, control).front(), choice.counted->from, control));
        }
        return columns;
    }
    [[nodiscard]] static std::vector<ObjectColumn> measuredIn(const MeasureChoice& choice,
                                                              const std::vector<ChannelPlane>& planes,
                                                              const Components& components, const JobControl& control) {
        if (planes.empty()) {
            return {};
        }
        const std::vector<NamedMeasure> measures = parseChannelMeasures(kUsualMeasures);
        ChannelMeasuresSpec spec;
        spec.percentiles = percentilesOf(measures);
        spec.ring = choice.ring;
        std::vector<std::string> names;
        std::ranges::transform(planes, std::back_inserter(names),
                               [](const ChannelPlane& plane) { return plane.channel.name; });
        for (std::size_t first = 0; choice.pairs && first < planes.size(); ++first) {
            for (std::size_t second = first + 1; second < planes.size(); ++second) {
                spec.pairs.push_back({first, second});
            }
        }
        return channelColumns(
            std::make_shared<const ChannelMeasures>(measureChannels(components, planes, spec, control)), measures,
            names);
    }
    [[nodiscard]] const std::shared_ptr<const Image>& imageOf(StepImage of) const {
        return of == StepImage::original ? original_ : current_;
    }
    /// Values of the levels of an image.
    [[nodiscard]] std::optional<ValueMapping> valuesOf(StepImage of) const {
        if (of == StepImage::original || (areLevels(result_.values) && !own_)) {
            return units_.mapping;
        }
        if (result_.values == ResultValues::others || (!units_.mapping && !own_)) {
            return std::nullopt;
        }
        return own_ ? *own_ : differencesOf(*units_.mapping);
    }
    /// Values of the levels that are differences. @param mapping without ranks
    [[nodiscard]] static ValueMapping differencesOf(ValueMapping mapping) {
        mapping.maximum -= mapping.minimum;
        mapping.minimum = 0;
        mapping.offset = 0;
        return mapping;
    }
    /// @param why the image has no lengths in this unit; empty if it has
    static void requireUnit(LengthUnit unit, const std::string& why) {
        if (!why.empty()) {
            throw Error(ErrorCode::invalidArgument, "unit '" + unitName(unit, Dimension::length) + "': " + why);
        }
    }
    /// Side of a pixel in the unit of the condition's numbers.
    [[nodiscard]] double sideFor(const ObjectsStep& step) const {
        if (step.unit == LengthUnit::pixel) {
            return step.side;
        }
        requireUnit(step.unit, whyNoScene(units_.pixelSize, Dimension::length));
        return inUnit(1, step.unit, Dimension::length, *units_.pixelSize);
    }
    [[nodiscard]] std::vector<Contour> startsOf(const ContoursStep& step, const JobControl& control) const {
        const auto requireFew = [&](std::size_t number) {
            if (!step.apart) {
                requireFewContours(number);
            }
        };
        if (!step.fromObjects) {
            requireFew(step.starts.size());
            return contoursOf(step.starts, step.spec, original_->width(), original_->height());
        }
        const ObjectsStepReport& objects = result_.objects.back();
        if (objects.list.labels.empty()) {
            throw Error(ErrorCode::invalidArgument,
                        "starts: no object is listed by step " + std::to_string(objects.step + 1) + " to start from");
        }
        requireFew(objects.list.labels.size());
        return outlinesOf(objects.components, objects.list.labels, step.spec, control);
    }

    std::shared_ptr<const Image> original_; ///< as it was read
    std::shared_ptr<const Image> current_;
    std::shared_ptr<const Mask> valid_;
    std::shared_ptr<const Mask> region_; ///< null: all pixels
    const ImageInfo& info_;
    ImageUnits units_;
    std::optional<VoxelSides> spacing_;
    Engine& engine_;
    SessionOptions options_;
    const ChannelSource& channels_;
    const LabelSource& labels_;
    TreeSpec tree_;
    std::optional<ValueMapping> own_; ///< mapping of the image if its levels differ from the levels of the original
    RecipeResult result_;
};

bool isObjects(const RecipeStep& step) { return std::holds_alternative<ObjectsStep>(step); }

/// Whether one of these steps starts from the objects of a step before them.
bool startFromObjects(std::span<const RecipeStep> steps) {
    for (const RecipeStep& step : steps) {
        if (isObjects(step)) {
            return false;
        }
        const auto* const contours = std::get_if<ContoursStep>(&step);
        if (contours != nullptr && contours->fromObjects) {
            return true;
        }
    }
    return false;
}

} // namespace

ChannelSource channelsOfFile(const std::filesystem::path& file, const SelectedPart& part) {
    return [file, part](const MeasureChoice& choice, const JobControl& control) {
        SelectedPart all = part;
        ReadOptions& read = all.options;
        if (read.channel.kind == ChannelChoice::Kind::derived) {
            read.mapping = {}; // the range of the derived values
        }
        read.channel = {ChannelChoice::Kind::sample, 0};
        const std::vector<Channel> channels = channelsOf(readImageInfo(file, read));
        std::vector<std::size_t> wanted;
        for (const std::string& name : choice.channels) {
            const auto found = choice.all ? std::nullopt : findChannel(channels, name);
            if (!found && !choice.all) {
                throw Error(ErrorCode::invalidArgument, "no channel " + name + " (has " + namesOf(channels) + ")");
            }
            if (found && std::ranges::find(wanted, *found) == wanted.end()) {
                wanted.push_back(*found);
            }
        }
        if (wanted.empty() && !choice.all) {
            return std::vector<ChannelPlane>();
        }
        return readPartChannels(file, all, wanted, control).planes;
    };
}

RecipeResult runRecipe(const Recipe& recipe, const LoadedImage& loaded, Engine& engine, const SessionOptions& options,
                       const std::stop_token& stop, const JobControl::ProgressFunction& progress,
                       const ObjectsListener& listener, const ChannelSource& channels, const LabelSource& labels) {
    RecipeRun run(loaded, readsVolume(recipe), engine, options, channels, labels);
    const std::span<const RecipeStep> steps = recipe.steps;
    const auto count = static_cast<double>(steps.size());
    std::size_t reported = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Progress part{stop, progress, static_cast<double>(i) / count, static_cast<double>(i + 1) / count};
        part.control().throwIfStopped();
        try {
            std::visit([&](const auto& step) { run.take(step, i, part); }, steps[i]);
        } catch (const Error& error) {
            throw Error(error.code(),
                        "step " + std::to_string(i + 1) + " (" + std::string(idOf(steps[i])) + "): " + error.what());
        }
        if (isObjects(steps[i])) {
            if (listener) {
                listener(run.lastObjects(), reported++, part.control(1, 1));
            }
            run.releaseCandidates();
        }
        if (listener) {
            if (!startFromObjects(steps.subspan(i + 1))) {
                run.releaseObjects();
            }
        }
    }
    return run.finish();
}

bool findsObjects(const Recipe& recipe) noexcept {
    return std::ranges::any_of(recipe.steps,
                               [](const RecipeStep& step) { return std::holds_alternative<ObjectsStep>(step); });
}

Recipe trackedRecipe(const Recipe& recipe, const ObjectRule& otherwise) {
    requireImages(recipe, "tracking");
    Recipe tracked{recipe.name, {}, {}, {}};
    ObjectsStep objects;
    objects.rule = otherwise;
    std::size_t end = recipe.steps.size();
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
        if (const auto* const found = std::get_if<ObjectsStep>(&recipe.steps[i])) {
            objects = *found;
            end = i;
        }
    }
    for (std::size_t i = 0; i < end; ++i) {
        const RecipeStep& step = recipe.steps[i];
        if (!std::holds_alternative<ObjectsStep>(step) && !std::holds_alternative<ContoursStep>(step)) {
            tracked.steps.push_back(step);
        }
    }
    objects.count = 0; // removals by hand refer to one image
    objects.removed.clear();
    objects.measure.reset();
    tracked.steps.emplace_back(std::move(objects));
    return tracked;
}

Components trackedObjects(const Recipe& tracked, const LoadedImage& loaded, Engine& engine,
                          const SessionOptions& options, const std::stop_token& stop,
                          const JobControl::ProgressFunction& progress, const LabelSource& labels) {
    RecipeResult result = runRecipe(tracked, loaded, engine, options, stop, progress, {}, {}, labels);
    ObjectsStepReport& found = result.objects.back();
    if (found.list.labels.size() < found.components.count) {
        keepObjects(
            found.components, [&list = found.list](std::uint32_t label) { return list.lists(label); },
            JobControl(stop));
    }
    return std::move(found.components);
}

} // namespace pollard
