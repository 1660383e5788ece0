#include "base/parallel.hpp"
#include "bench/bench_samples.hpp"
#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/object_options.hpp"
#include "options/option_values.hpp"
#include "options/region_options.hpp"
#include "report.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "components/object_tracks.hpp"
#include "components/objects/object_rule.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "components/shape/object_edges.hpp"
#include "engine/engine_registry.hpp"
#include "engine/find_objects.hpp"
#include "image/value_mapping.hpp"
#include "recipe/run_recipe.hpp"

#include <CLI/App.hpp>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pollard::cli {

namespace {

struct TrackCommandOptions : ObjectSwitches {
    ImageOptions image; ///< `image.image` names the current frame
    std::vector<std::string> files;
    std::string threshold = "1";
    bool statesThreshold = false;
    RegionOptions regions;
    int connectivity = 4; ///< of the best components 8
    std::string algorithm;
    std::string recipe;
    std::string along;
    std::string table;
    std::string events;
};

/// @throws UsageError
ObjectRule ruleOf(const TrackCommandOptions& options) {
    const bool isFour = options.connectivity == 4 && !options.regions.best;
    ObjectRule rule =
        ruleOf(parseThreshold(options.threshold), options, isFour ? Connectivity::four : Connectivity::eight);
    const std::string way = options.regions.option();
    refuseConflicts({{!way.empty() && !options.algorithm.empty(), way + ": leave out --algorithm"}});
    options.regions.addTo(rule, options.statesThreshold, false);
    return rule;
}

/// Totals over all frames.
struct TrackSummary {
    std::uint64_t objects = 0;
    std::uint64_t atBorder = 0; ///< left out
    std::array<std::uint64_t, kTrackEventKinds.size()> events{};
    Latencies latencies; ///< threshold and objects, without reading and tracking
    std::size_t underWay = 0;
    Connectivity connectivity = Connectivity::four; ///< of the objects
    std::string engine;
    std::string algorithm;
};

void checkTrackTargets(const TrackCommandOptions& options) {
    std::vector<NamedFile> inputs;
    for (const std::string& file : options.files) {
        inputs.push_back({file, "an input"});
    }
    requireOutputs(inputs, {{options.table, "the table of tracks"}, {options.events, "the table of events"}});
}

/// Reads frames, finds their objects on an engine, a few frames at a time, and tracks them in the order of the frames.
class TrackJob {
public:
    TrackJob(Context& context, const TrackCommandOptions& options, ProgressLine& progress)
        : context_(context), options_(options), progress_(progress), arena_(context.common.threads),
          spec_(specOf(options)), stream_(enginesWith(context, options.algorithm, kLabellingJob), spec_, kMostUnderWay,
                                          {.threads = context.common.threads},
                                          noting([&context](const std::string& note) { printNote(context, note); })),
          files_(options.table, options.events), recipe_(recipeOf(options)) {}

    void followFile(const std::string& file) {
        ImageOptions options = options_.image;
        options.image = file;
        const auto followed = imagesAlong(options, {options_.along, recipe_ ? &*recipe_ : nullptr});
        if (!followed) {
            followPages(file);
            return;
        }
        printNotes(context_, followed->notes, file + ": ");
        for (const SelectedPart& part : followed->parts) {
            options.part = part;
            at_ = followed->axis == 'p' ? std::nullopt : positionOn(followed->axis, part);
            const std::string name = imageName(file, part);
            addNamed(recipe_ ? read(file, &part) : load(options), name);
        }
    }
    [[nodiscard]] const TrackSummary& finish() {
        while (!stream_.isEmpty()) {
            takeOldest();
        }
        files_.commit();
        return summary_;
    }
    [[nodiscard]] const ObjectTracker& tracker() const noexcept { return tracker_; }

private:
    void followPages(const std::string& file) {
        const ImageArgument first = parseImageArgument(file);
        const bool onePage = first.path != std::filesystem::path(file);
        for (int page = first.page, pages = first.page + 1; page < pages; ++page) {
            ImageOptions options = options_.image;
            options.image = onePage ? file : first.path.string() + '[' + std::to_string(page) + ']';
            const LoadedImage loaded = recipe_ ? read(first.path, nullptr, page) : load(options);
            pages = onePage ? pages : loaded.info.pages;
            at_ = pagePosition('t', loaded.info);
            at_ = at_ ? at_ : pagePosition('z', loaded.info);
            addNamed(loaded, options.image);
        }
    }
    void addNamed(const LoadedImage& loaded, const std::string& name) {
        if (recipe_) {
            addByRecipe(loaded, name);
        } else if (!ruleOf(options_).isThreshold()) {
            addMasked(loaded, name);
        } else {
            addFrame(loaded, name);
        }
    }
    struct Frame {
        std::string name;
        std::optional<ValueMapping> values;
        std::optional<AxisPosition> at;
    };

    static constexpr int kMostUnderWay = 3; ///< one in upload, one in processing, one in download

    static ComponentsSpec specOf(const TrackCommandOptions& options) {
        ComponentsSpec spec;
        spec.connectivity = ruleOf(options).connectivity;
        spec.algorithm = options.algorithm;
        spec.features = !options.table.empty() || options.withoutBorder;
        return spec;
    }
    /// Recipe for every frame, if given.
    static std::optional<Recipe> recipeOf(const TrackCommandOptions& options) {
        if (options.recipe.empty()) {
            return std::nullopt;
        }
        const Recipe recipe = recipeNamed(options.recipe).recipe;
        const TrackCommandOptions defaults;
        const bool statesObjects = options.threshold != defaults.threshold ||
                                   options.connectivity != defaults.connectivity || options.fillHoles ||
                                   options.split.has_value() || !options.regions.option().empty();
        refuseConflicts({{findsObjects(recipe) && statesObjects,
                          "recipe: '" + options.recipe +
                              "': it defines its objects, without --threshold, --connectivity and --fill-holes"}});
        return trackedRecipe(recipe, ruleOf(options));
    }
    /// By the recipe. @param part in place of the page; null: none
    [[nodiscard]] LoadedImage read(const std::filesystem::path& file, const SelectedPart* part, int page = 0) {
        ReadOptions options = readOptionsOf(*recipe_);
        options.page = page;
        if (part != nullptr) {
            takePart(options, *part);
        }
        ImageOptions image = options_.image;
        image.at.reset();
        const ReadOptions stated = image.readOptions();
        options.limits = stated.limits;
        if (stated.pixelSize) {
            options.pixelSize = stated.pixelSize;
        }
        options.threads = context_.common.threads;
        options.mapping.proportional = options.mapping.proportional || !options_.table.empty();
        labels_ = labelsOfImage(file, options);
        LoadedImage loaded = readImage(file, options, progress_.control("reading", context_.stop));
        printNotes(context_, loaded.info.notes, file.string() + ": ");
        return loaded;
    }

    /// By the options of the command.
    [[nodiscard]] LoadedImage load(const ImageOptions& options) {
        labels_ = labelsOfImage(parseImageArgument(options.image).path, options.readOptions());
        return loadImage(options, context_, progress_, tableOptions());
    }

    /// Filters dominate the time, so frames are processed one at a time.
    void addByRecipe(const LoadedImage& loaded, const std::string& name) {
        const JobControl telling = progress_.control(name, context_.stop);
        addAlone({name, loaded.info.mapping, at_}, [&](Engine& engine) {
            return trackedObjects(
                *recipe_, loaded, engine, {.threads = context_.common.threads}, context_.stop,
                [&telling](double fraction, std::string_view stage) { telling.report(fraction, stage); }, labels_);
        });
    }
    /// Streams make masks by levels alone, so other masks are made here.
    void addMasked(const LoadedImage& loaded, const std::string& name) {
        const ObjectRule rule = ruleOf(options_);
        addAlone({name, loaded.info.mapping, at_}, [&](Engine& engine) {
            const Image& image = *loaded.image;
            const LevelRange levels = rule.levelsOf(image, loaded.valid.get(), control(), loaded.info.mapping);
            const ObjectSource source{image,  loaded.valid.get(), loaded.info.mapping, loaded.info.pixelSize, &image,
                                      labels_};
            return findObjects(engine, rule, source, levels, spec_, control());
        });
    }
    /// @param find finds the objects of the frame on an engine
    template <class Find> void addAlone(const Frame& frame, const Find& find) {
        StreamedObjects found;
        StageTimer timer;
        stream_.run([&](Engine& engine) { found.components = arena_.execute([&] { return find(engine); }); });
        timer.finish("frame");
        found.milliseconds = timer.totalMilliseconds();
        follow(std::move(found), frame, 1);
    }

    /// Tables have sums of levels; seeds and boundaries have distances of levels.
    [[nodiscard]] LoadOptions tableOptions() const {
        const ObjectRule rule = ruleOf(options_);
        return {.proportional = !options_.table.empty() || rule.watershed || rule.hierarchy};
    }
    [[nodiscard]] JobControl control() const { return progress_.control("following objects", context_.stop); }

    void addFrame(const LoadedImage& loaded, const std::string& name) {
        const LevelRange levels = arena_.execute([&] {
            return ruleOf(options_).levelsOf(*loaded.image, loaded.valid.get(), control(), loaded.info.mapping);
        });
        frames_.push_back({name, loaded.info.mapping, at_});
        stream_.push({loaded.image, loaded.valid, levels.low, levels.high});
        while (stream_.isFull()) {
            takeOldest();
        }
    }

    void takeOldest() {
        StreamedObjects found = stream_.pop(control());
        follow(std::move(found), frames_.front(), stream_.capacity());
        frames_.pop_front();
    }

    void follow(StreamedObjects found, const Frame& frame, std::size_t underWay) {
        summary_.engine = stream_.engine().name();
        summary_.algorithm = found.components.algorithm;
        summary_.connectivity = found.components.connectivity;
        summary_.underWay = underWay;
        if (options_.withoutBorder) {
            summary_.atBorder += arena_.execute([&] { return removeBorderObjects(found.components, control()); });
        }
        summary_.objects += found.components.count;
        summary_.latencies.add(found.milliseconds);
        const ComponentRecords objects = std::move(found.components.objects);
        FrameTracks tracked;
        try {
            tracked = arena_.execute([&] { return tracker_.add(std::move(found.components), control()); });
        } catch (const Error& error) {
            throw Error(error.code(), frame.name + ": " + error.what());
        }
        for (const TrackEvent& event : tracked.events) {
            ++summary_.events[static_cast<std::size_t>(event.kind)];
        }
        ObjectUnit unit;
        unit.values = frame.values;
        files_.add(objects, tracked, control(), unit, frame.at);
    }

    Context& context_;
    const TrackCommandOptions& options_;
    ProgressLine& progress_;
    ThreadArena arena_;
    ComponentsSpec spec_;
    FallbackStream stream_;
    std::deque<Frame> frames_;       ///< in flight
    std::optional<AxisPosition> at_; ///< of the image that is read
    TrackFiles files_;
    std::optional<Recipe> recipe_;
    LabelSource labels_; ///< of the image that was read last
    ObjectTracker tracker_;
    TrackSummary summary_;
};

void printTrack(const TrackCommandOptions& options, const ObjectTracker& tracker, const TrackSummary& summary,
                Context& context) {
    const Latencies& latencies = summary.latencies;
    Report report;
    report.text << counted(summary.objects, "object") << " on " << counted(tracker.trackCount(), "track") << " in "
                << counted(tracker.frameCount(), "frame")
                << (options.withoutBorder ? ", " + grouped(summary.atBorder) + " at the border left out" : "") << " ("
                << summary.engine << ", " << summary.algorithm << ")\n"
                << "latency a frame: " << fixed(latencies.median(), 1) << " ms, 95 of 100 within "
                << fixed(latencies.p95(), 1) << " ms, longest " << fixed(latencies.longest(), 1) << " ms; "
                << grouped(latencies.overBound()) << " over " << fixed(Latencies::kBoundMs, 0) << " ms\n";
    Json& fields = report.fields;
    fields["frames"] = tracker.frameCount();
    fields["objects"] = summary.objects;
    fields["tracks"] = tracker.trackCount();
    for (const TrackEventKind kind : kTrackEventKinds) {
        fields[std::string(nameOf(kind)) + "s"] = summary.events[static_cast<std::size_t>(kind)];
    }
    fields["connectivity"] = static_cast<int>(summary.connectivity);
    fields["recipe"] = orNull(options.recipe);
    fields["engine"] = summary.engine;
    fields["algorithm"] = summary.algorithm;
    report.addWritten("csv_file", options.table);
    report.addWritten("events_file", options.events);
    fields["frames_under_way"] = summary.underWay;
    fields["frame_ms_median"] = latencies.median();
    fields["frame_ms_p95"] = latencies.p95();
    fields["frame_ms_longest"] = latencies.longest();
    fields["frame_ms_bound"] = Latencies::kBoundMs;
    fields["frames_over_bound"] = latencies.overBound();
    if (!options.regions.option().empty()) {
        addRegions(fields, ruleOf(options), {});
    }
    if (options.fillHoles) {
        fields["fill_holes"] = true;
    }
    addSplit(fields, options);
    if (options.withoutBorder) {
        fields["left_out_at_border"] = summary.atBorder;
    }
    report.print(context);
}

void runTrack(Context& context, const TrackCommandOptions& options) {
    (void)ruleOf(options); // reports errors before reading
    checkTrackTargets(options);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    TrackJob job(context, options, progress);
    for (const std::string& file : options.files) {
        job.followFile(file);
    }
    const TrackSummary& summary = job.finish();
    progress.clear();
    printTrack(options, job.tracker(), summary, context);
}

} // namespace

CommandAction declareTrack(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("track", "Follow the objects of a stack or an image sequence");
    const auto options = std::make_shared<TrackCommandOptions>();
    addValue(command, "files", options->files,
             "Frames in their order: all pages of every file,\nof a file with several axes those along t, "
             "or\nIMAGE[page] for one page",
             "IMAGE...")
        ->required();
    options->image.takesEach = true;
    options->image.declareReading(command);
    declareAlong(command, options->along);
    declareThreshold(command, options->threshold);
    noteStated(command, "--threshold", options->statesThreshold);
    options->regions.declare(command);
    addValue(command, "--connectivity", options->connectivity, "Neighbours of a pixel", "4|8")
        ->check(CLI::IsMember({4, 8}).description(""))
        ->capture_default_str();
    addValue(command, "--algorithm", options->algorithm, "Labelling algorithm, see 'pollard-cli algorithms'", "NAME");
    declareSwitches(command, *options, "Fill the holes of the foreground of every frame first,\nas components does",
                    "Do not follow objects with a pixel in the first or last\nrow or column of their frame; the others "
                    "of a frame are\nnumbered without them");
    CLI::Option* const recipe =
        addValue(command, "--recipe", options->recipe,
                 "Follow the objects that a recipe (a file or preset:NAME)\nfinds in every frame, read and filtered by "
                 "its steps;\nwithout a step of objects, those that --threshold makes\nof its result",
                 "RECIPE");
    for (const char* instead :
         {"--channel", "--derive", "--range", "--region", "--shrink", "--level", "--raw", "--algorithm"}) {
        recipe->excludes(command.get_option(instead));
    }
    addValue(command, "--csv", options->table,
             "Write a line per object and frame: frame, track, and the\ncolumns of components", "OUT.csv");
    addValue(command, "--events", options->events,
             "Write a line for every birth, split, merge and death\nof a track; a split names its parent track, "
             "a\nmerge the track that continues",
             "OUT.csv");
    return [options](Context& context) { runTrack(context, *options); };
}

} // namespace pollard::cli
