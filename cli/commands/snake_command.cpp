#include "base/error.hpp"
#include "base/parallel.hpp"
#include "command.hpp"
#include "geo/vector_layer.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/page_selection.hpp"
#include "jobs/snake_frames.hpp"
#include "jobs/tree_job.hpp"
#include "options/snake_options.hpp"
#include "recipe/evolve_contours.hpp"
#include "recipe/results/result_file.hpp"
#include "report.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_output.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/contour_levels.hpp"
#include "snake/next_starts.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_run.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// The final contours of a page.
struct SnakePage {
    int page = 0;                   ///< 0-based, on SnakeOutcome::axis
    std::optional<AxisPosition> at; ///< on the axis along which contours are followed
    std::vector<SnakeState> contours;
    RegionSums background;              ///< pixels in no contour
    double energy = 0;                  ///< of the levels
    std::optional<ValueMapping> values; ///< of the levels
    double milliseconds = 0;            ///< sums and evolution, including output during the run
};

/// Result of `snake`.
struct SnakeOutcome {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits = 0;
    std::uint32_t maxStep = 0; ///< px, as used
    std::string engine;
    std::string algorithm;
    std::string moves;
    std::string law;
    std::vector<SnakePage> pages; ///< one, or with --follow all from the first on
    std::string axis = "page";    ///< on which the numbers of the pages count
};

std::vector<Contour> nodesOf(const SnakePage& page) {
    std::vector<Contour> nodes;
    for (const SnakeState& state : page.contours) {
        nodes.push_back(state.nodes);
    }
    return nodes;
}

/// Evolves the contours on one page, or with --follow from page to page, and writes all files.
class SnakePages {
public:
    SnakePages(const SnakeOptions& options, const Context& context, ProgressLine& progress)
        : options_(options), context_(context), progress_(progress), spec_(options.spec()),
          arena_(context.common.threads) {
        refuseConflicts({{!options.layer.empty() && std::ranges::none_of(options.starts, namesVectorFile),
                          "--layer: '" + options.layer + "': no --init is a .gpkg, .shp, .fgb or .csv file"}});
        for (const std::string& start : options.starts) {
            filedStarts_.push_back(parseStart(start, options.positions.unmarked(), options.layer));
            starts_.resize(starts_.size() + filedStarts_.back().rings.size());
        }
        const bool severalContours = options.follow || starts_.size() > 1;
        refuseConflicts({{!options.roi.empty() && !namesRoiSet(options.roi) && severalContours,
                          "--roi: '" + options.roi + "': several contours need a name that ends in .zip"}});
        // Only the CPU engine has algorithms named after moves, and only it moves nodes sequentially.
        const bool isSequential = spec_.moves == SnakeMoves::sequential && options.algorithm.empty();
        algorithm_ = isSequential ? std::string(nameOf(spec_.moves)) : options.algorithm;
        engines_ = enginesWith(context, algorithm_, kSnakeJob);
        if (starts_.size() > 1 && !options.apart) {
            engines_ = {requireGroupEngine()};
        }
    }

    /// @throws UsageError, Error, Cancelled
    [[nodiscard]] SnakeOutcome run() {
        if (!options_.forbidden.empty()) {
            ImageOptions mask = options_.image;
            mask.image = options_.forbidden;
            mask.at.reset();
            forbidden_ = std::make_shared<const Mask>(maskOfOthers(*loadImage(mask, context_, progress_).image, 0));
        }
        std::optional<ImageSequence> followed;
        if (options_.follow) {
            followed = imagesAlong(options_.image, {options_.along, nullptr, true});
        }
        if (followed) {
            axis_ = axisName(followed->axis);
        }
        if (!options_.trace.empty()) {
            trace_.emplace(options_.trace, keyOf(0, 0));
        }
        if (!options_.frames.empty()) {
            frames_.emplace(options_.frames, options_.frameStep);
        }
        if (followed) {
            followParts(*followed);
        } else {
            followPages();
        }
        arena_.execute([&] { writeFiles(progress_.control("writing", context_.stop)); });
        return std::move(outcome_);
    }

private:
    void followParts(const ImageSequence& followed) {
        ImageOptions image = options_.image;
        image.image = parseImageArgument(image.image).path.string();
        printNotes(context_, followed.notes, image.image + ": ");
        for (const SelectedPart& part : followed.parts) {
            image.part = part;
            at_ = positionOn(followed.axis, part);
            LoadedImage loaded = loadImage(image, context_, progress_, {.proportional = true});
            loaded.info.pages = static_cast<int>(followed.parts.size()); // of the results
            loaded.info.axes = {{followed.axis, loaded.info.pages, {}}};
            loaded.info.page = at_ ? at_->index : 0;
            take(loaded, loaded.info.page, imageName(image.image, part));
        }
    }
    void followPages() {
        const ImageArgument first = parseImageArgument(options_.image.image);
        for (int page = first.page, end = first.page + 1; page < end; ++page) {
            ImageOptions image = options_.image;
            if (page > first.page) {
                image.image = first.path.string() + '[' + std::to_string(page) + ']';
            }
            const LoadedImage loaded = loadImage(image, context_, progress_, {.proportional = true});
            end = options_.follow ? loaded.info.pages : end;
            at_ = pagePosition('t', loaded.info);
            at_ = at_ ? at_ : pagePosition('z', loaded.info);
            take(loaded, page, image.image);
        }
    }
    /// Evolves the contours on the next image.
    void take(const LoadedImage& loaded, int page, const std::string& name) {
        if (outcome_.pages.empty()) {
            outcome_ = {loaded.image->width(),
                        loaded.image->height(),
                        bitsOf(loaded.image->type()),
                        usedMaxStep(spec_, loaded.image->width(), loaded.image->height()),
                        {},
                        {},
                        {},
                        {},
                        {},
                        axis_};
            unit_ = contourUnitOf(loaded.info);
            maskFacts_ =
                resultFacts(loaded.info, ResultValues::others, options_.follow ? ResultPages::all : ResultPages::one);
            placeStarts(loaded);
            if (options_.isLawAuto()) {
                spec_.law = chosenLaw(*loaded.image, loaded.valid.get(), starts_, options_.apart);
            }
            outcome_.law = nameOf(spec_.law);
            if (!options_.geojson.empty()) {
                map_ = options_.positions.mapOf(loaded, name, context_);
            }
        } else if (loaded.image->width() != outcome_.width || loaded.image->height() != outcome_.height) {
            throw Error(ErrorCode::invalidArgument, name + ": it has " + std::to_string(loaded.image->width()) + " x " +
                                                        std::to_string(loaded.image->height()) +
                                                        " px, the page before " + std::to_string(outcome_.width) +
                                                        " x " + std::to_string(outcome_.height));
        }
        try {
            evolve(loaded, page);
        } catch (const Error& error) {
            throw Error(error.code(), name + ": " + error.what());
        }
    }
    /// Converts the starts to px of the image.
    void placeStarts(const LoadedImage& loaded) {
        starts_.clear();
        for (std::size_t i = 0; i < filedStarts_.size(); ++i) {
            const FileRings& filed = filedStarts_[i];
            if (filed.system) {
                placeVector(filed, loaded, options_.starts[i]);
                continue;
            }
            const auto map =
                filed.positions == GeoJsonIn::degrees ? neededMapOf(loaded, options_.image.image) : nullptr;
            try {
                std::ranges::move(contoursOf(filed, map.get()), std::back_inserter(starts_));
                options_.positions.noteAmbiguous(filed, loaded, options_.starts[i], context_);
            } catch (const Error& error) {
                throw Error(error.code(), "read the contour: " + options_.starts[i] + ": " + error.what());
            }
        }
    }
    void placeVector(const FileRings& filed, const LoadedImage& loaded, const std::string& file) {
        try {
            std::ranges::move(contoursOf(filed, loaded.info.carried, loaded.image->width(), loaded.image->height()),
                              std::back_inserter(starts_));
        } catch (const Error& error) {
            throw Error(error.code(), "read the contour: " + file + ": " + error.what());
        }
    }
    /// The CPU engine, for several contours on one image.
    [[nodiscard]] Engine* requireGroupEngine() const {
        const auto found = std::ranges::find_if(engines_, [](const Engine* engine) { return engine->name() == "cpu"; });
        if (found == engines_.end()) {
            throw UsageError("--init: several contours evolve on the engine cpu alone");
        }
        return *found;
    }
    [[nodiscard]] TraceKey keyOf(int page, std::size_t contour) const {
        TraceKey key;
        key.axis = axis_;
        if (options_.follow) {
            key.page = page;
        }
        if (starts_.size() > 1) {
            key.contour = static_cast<std::uint32_t>(contour + 1);
        }
        return key;
    }

    void evolve(const LoadedImage& loaded, int page) {
        const JobControl control = progress_.control("evolving the contour", context_.stop);
        SnakePage found;
        found.page = page;
        found.at = at_;
        found.values = loaded.info.mapping;
        arena_.execute([&] {
            if (frames_) {
                frames_->start(*loaded.image, loaded.valid.get());
            }
        });
        if (const auto last = outcome_.pages.rbegin(); last != outcome_.pages.rend()) {
            const auto earlier = std::next(last);
            starts_ = nextStarts(nodesOf(*last),
                                 earlier == outcome_.pages.rend() ? std::vector<Contour>() : nodesOf(*earlier),
                                 {*loaded.image, loaded.valid.get(), spec_, forbidden_.get(), options_.apart});
        }
        SnakeJob job{loaded.image, loaded.valid, starts_, spec_, forbidden_, algorithm_};
        if (options_.apart) {
            job.parts = partsAround(starts_, *options_.apart, *loaded.image);
        }
        shown_.assign(starts_.size(), {});
        states_.assign(options_.apart && frames_ ? starts_.size() : 0, {});
        std::size_t written = 0;
        SnakeResult evolved;
        // If another engine takes over, it repeats the same states from the start.
        onFirstThatWorks(engines_, context_, [&](Engine& engine) {
            std::size_t states = 0;
            SnakeListener listener;
            if (trace_ || frames_) {
                listener = [&](std::size_t contour, const SnakeState& state) {
                    if (++states > written) {
                        written = states;
                        write(state, page, contour, loaded.info.mapping, control);
                    }
                    return true;
                };
            }
            outcome_.engine = engine.name();
            evolved = arena_.execute([&] { return evolveContours(job, &engine, listener, control); });
        });
        addFrames(evolved, control);
        outcome_.algorithm = evolved.algorithm;
        outcome_.moves = nameOf(evolved.moves);
        found.background = evolved.background;
        found.energy = evolved.energy;
        found.milliseconds = evolved.milliseconds;
        found.contours = std::move(evolved.states);
        outcome_.pages.push_back(std::move(found));
    }

    void write(const SnakeState& state, int page, std::size_t contour, const std::optional<ValueMapping>& values,
               const JobControl& control) {
        if (trace_) {
            trace_->add(state, keyOf(page, contour), control, values);
        }
        if (!frames_) {
            return;
        }
        if (!states_.empty()) {
            states_[contour].push_back(state.nodes);
            return;
        }
        shown_[contour] = state.nodes;
        if (state.kind != SnakeStep::start || contour + 1 == shown_.size()) {
            frames_->add(shown_);
        }
    }

    /// Writes the last image of the contours; of independent contours also an image after each number of changes.
    void addFrames(const SnakeResult& evolved, const JobControl& control) {
        if (!frames_) {
            return;
        }
        std::size_t most = 0;
        for (const std::vector<Contour>& states : states_) {
            most = std::max(most, states.size());
        }
        for (std::size_t round = 0; round < most; ++round) {
            control.throwIfStopped();
            for (std::size_t i = 0; i < states_.size(); ++i) {
                shown_[i] = states_[i][std::min(round, states_[i].size() - 1)];
            }
            frames_->add(shown_);
        }
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            shown_[i] = evolved.states[i].nodes;
        }
        frames_->finish(shown_);
    }

    void writeMasks(const JobControl& control) const {
        PlaneFacts facts = maskFacts_;
        if (options_.follow && starts_.size() > 1) {
            facts.scene.window = ChannelWindow{0, static_cast<double>(starts_.size())}; // the labels
        }
        const auto make = [&](int page, const JobControl& making) {
            const auto mask = std::make_shared<const Image>(maskOfContours(
                nodesOf(outcome_.pages[static_cast<std::size_t>(page)]), outcome_.width, outcome_.height, making));
            PixelRows rows = ownedRows(mask);
            rows.largest = options_.follow ? 0 : measuredRowsOf(*mask).largest;
            return Plane{std::move(rows), facts};
        };
        writeResult(options_.mask, {static_cast<int>(outcome_.pages.size()), make}, control,
                    {.arePages = options_.follow});
    }

    /// t_s or z_um; empty unless the file states the distance on the axis.
    [[nodiscard]] std::vector<ContourValue> distancesOf(const SnakePage& page) const {
        const std::optional<AxisPosition>& first = outcome_.pages.front().at;
        if (!first || !first->distance) {
            return {};
        }
        return {{distanceColumn(first->axis), page.at ? page.at->distance : std::nullopt}};
    }

    void writeFiles(const JobControl& control) {
        std::vector<LabelledContour> contours;
        for (const SnakePage& page : outcome_.pages) {
            for (std::size_t i = 0; i < page.contours.size(); ++i) {
                const SnakeState& state = page.contours[i];
                std::vector<ContourValue> values = options_.follow ? distancesOf(page) : std::vector<ContourValue>();
                std::ranges::move(
                    contourValues(state.nodes, ContourSums{state.inside, state.outside}, unit_, page.values),
                    std::back_inserter(values));
                contours.push_back({state.nodes, static_cast<std::uint32_t>(i + 1),
                                    options_.follow ? std::optional(page.page) : std::nullopt, axis_,
                                    std::move(values)});
            }
        }
        if (!options_.mask.empty()) {
            writeMasks(control);
        }
        if (!options_.geojson.empty()) {
            writeContourGeojson(options_.geojson, contours, control, map_.get());
        }
        if (!options_.vector.empty()) {
            writeContourVector(options_.vector, contours, maskFacts_.carried, control);
        }
        if (!options_.svg.empty()) {
            writeContourSvg(options_.svg, contours, outcome_.width, outcome_.height, options_.image.image, control);
        }
        if (!options_.roi.empty()) {
            writeContourRois(options_.roi, contours, control);
        }
        if (trace_) {
            trace_->commit();
        }
    }

    const SnakeOptions& options_;
    const Context& context_;
    ProgressLine& progress_;
    SnakeSpec spec_;
    ThreadArena arena_;
    std::vector<FileRings> filedStarts_;        ///< as given
    std::vector<Contour> starts_;               ///< of the next page; before the first page only their number counts
    std::shared_ptr<const MapCoordinates> map_; ///< for GeoJSON; null: pixels
    std::string algorithm_;
    std::vector<Engine*> engines_; ///< preferred engine first
    std::shared_ptr<const Mask> forbidden_;
    std::optional<TraceFile> trace_;
    std::optional<SnakeFrames> frames_;
    std::vector<Contour> shown_;               ///< in the last image
    std::vector<std::vector<Contour>> states_; ///< of independent contours, if images are written
    ObjectUnit unit_;                          ///< of measurements
    PlaneFacts maskFacts_;
    std::optional<AxisPosition> at_; ///< of the image that is read, on the axis that is followed
    std::string axis_ = "page";      ///< on which the numbers of the pages count
    SnakeOutcome outcome_;
};

/// Totals over the contours of a page.
struct SnakeSummary {
    std::size_t nodes = 0;
    std::uint64_t iterations = 0;
    RegionSums inside;

    explicit SnakeSummary(const SnakePage& page) {
        for (const SnakeState& state : page.contours) {
            nodes += state.nodes.size();
            iterations += state.round;
            inside += state.inside;
        }
    }
};

double meanValue(const RegionSums& sums, const SnakePage& page) { return valueOf(page.values, meanOf(sums)); }

double varianceValue(const RegionSums& sums, const SnakePage& page) {
    const double step = page.values ? page.values->step : 1;
    return step * step * varianceOf(sums);
}

Json contourJson(const SnakeState& state, const SnakePage& page) {
    return {{"nodes", state.nodes.size()},
            {"iterations", state.round},
            {"area", state.inside.pixels},
            {"inside_mean", meanValue(state.inside, page)},
            {"inside_variance", varianceValue(state.inside, page)}};
}

/// The results of a page, and of each contour if there are several.
Json pageJson(const SnakePage& page) {
    const SnakeSummary summary(page);
    Json object{{"nodes", summary.nodes},
                {"iterations", summary.iterations},
                {"energy", page.energy},
                {"area", summary.inside.pixels},
                {"inside_mean", meanValue(summary.inside, page)},
                {"outside_mean", meanValue(page.background, page)},
                {"inside_variance", varianceValue(summary.inside, page)},
                {"outside_variance", varianceValue(page.background, page)},
                {"snake_ms", page.milliseconds}};
    if (page.contours.size() > 1) {
        object["contours"] = arrayOf(page.contours, [&](const SnakeState& state) { return contourJson(state, page); });
    }
    addValueUnit(object, unitOf(page.values));
    return object;
}

std::string pageText(const SnakePage& page, const SnakeOutcome& outcome) {
    const SnakeSummary summary(page);
    const std::size_t contours = page.contours.size();
    const std::string unit = unitOf(page.values);
    return (contours > 1 ? grouped(contours) + " contours" : "a contour") + " of " + counted(summary.nodes, "node") +
           " around " + counted(static_cast<std::uint64_t>(summary.inside.pixels), "pixel") + " of mean " +
           valueText(meanValue(summary.inside, page), 1, unit) + ", outside " +
           valueText(meanValue(page.background, page), 1, unit) + " (" + counted(summary.iterations, "change") + ", " +
           outcome.engine + ", " + outcome.algorithm + ", " + fixed(page.milliseconds, 1) + " ms)\n";
}

void runSnake(Context& context, const SnakeOptions& options) {
    options.checkTargets();
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const SnakeOutcome outcome = SnakePages(options, context, progress).run();
    progress.clear();
    Report report;
    Json pages = Json::array();
    for (const SnakePage& page : outcome.pages) {
        report.text << options.image.image
                    << (options.follow ? ", " + outcome.axis + " " + std::to_string(page.page) : "") << ": "
                    << pageText(page, outcome);
        pages.push_back({{outcome.axis, page.page}});
        if (options.follow && page.at && page.at->distance) {
            pages.back()[distanceColumn(page.at->axis)] = *page.at->distance;
        }
        pages.back().update(pageJson(page));
    }
    report.addImage(options.image.image, {outcome.width, outcome.height}, outcome.bits);
    report.fields.update(pageJson(outcome.pages.back()));
    report.fields.update({{"law", outcome.law},
                          {"moves", outcome.moves},
                          {"max_step", outcome.maxStep},
                          {"min_length", options.minLength},
                          {"engine", outcome.engine},
                          {"algorithm", outcome.algorithm}});
    if (options.lengthPrice != 0) {
        report.fields["length_price"] = options.lengthPrice;
    }
    report.addWritten("geojson_file", options.geojson);
    report.addWritten("vector_file", options.vector);
    report.addWritten("mask_file", options.mask);
    report.addWritten("trace_file", options.trace);
    report.addWritten("svg_file", options.svg);
    report.addWritten("roi_file", options.roi);
    report.fields["frames_folder"] = orNull(options.frames);
    if (options.follow) {
        report.fields["pages"] = std::move(pages);
    }
    report.print(context);
}

} // namespace

CommandAction declareSnake(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("snake", "Move contours to the borders of objects: the region snake");
    const auto options = std::make_shared<SnakeOptions>();
    options->declare(command);
    return [options](Context& context) { runSnake(context, *options); };
}

} // namespace pollard::cli
