#include "command.hpp"
#include "image_argument.hpp"
#include "level_range.hpp"
#include "named.hpp"
#include "output_target.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "thread_arena.hpp"
#include "tree_job.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "components/object_files.hpp"
#include "components/object_tracks.hpp"
#include "io/text_file.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace pollard::cli {

namespace {

struct Options {
    ImageOptions image; ///< its name: of the frame at hand
    std::vector<std::string> files;
    std::string threshold = "1";
    int connectivity = 4;
    std::string algorithm;
    std::string table;
    std::string events;
};

/// What the frames brought, all together.
struct Summary {
    std::uint64_t objects = 0;
    std::array<std::uint64_t, kTrackEventKinds.size()> events{};
    std::vector<double> milliseconds; ///< a frame: threshold, objects, tracks; not reading
    std::string engine;
    std::string algorithm;

    [[nodiscard]] double median() const {
        std::vector<double> sorted = milliseconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[sorted.size() / 2];
    }
    [[nodiscard]] double longest() const {
        return milliseconds.empty() ? 0 : *std::max_element(milliseconds.begin(), milliseconds.end());
    }
};

/// The tables as they grow; they appear under their names at the end, together.
class Tables {
public:
    explicit Tables(const Options& options) {
        if (!options.table.empty()) {
            objects_.emplace(options.table, "write table of tracks");
            *objects_ << "frame,track,";
            writeObjectColumns(*objects_);
            objects_->endLine({});
        }
        if (!options.events.empty()) {
            events_.emplace(options.events, "write table of events");
            *events_ << "frame,event,track,other";
            events_->endLine({});
        }
    }
    void add(const std::vector<ComponentRecord>& objects, const TrackedFrame& frame, const JobControl& control) {
        for (std::size_t i = 0; objects_ && i < frame.tracks.size(); ++i) {
            *objects_ << frame.frame << ',' << frame.tracks[i] << ',';
            writeObjectCells(*objects_, objects[i], static_cast<std::uint32_t>(i + 1));
            objects_->endLine(control);
        }
        for (std::size_t i = 0; events_ && i < frame.events.size(); ++i) {
            const TrackEvent& event = frame.events[i];
            *events_ << frame.frame << ',' << nameOf(event.kind) << ',' << event.track << ',';
            if (event.other != 0) {
                *events_ << event.other;
            }
            events_->endLine(control);
        }
    }
    void commit() {
        if (objects_) {
            objects_->commit();
        }
        if (events_) {
            events_->commit();
        }
    }

private:
    std::optional<TextFile> objects_;
    std::optional<TextFile> events_;
};

void checkTargets(const Options& options) {
    for (const std::string* target : {&options.table, &options.events}) {
        if (target->empty()) {
            continue;
        }
        for (const std::string& file : options.files) {
            requireDifferent(file, *target, "an input");
        }
        requireWritable(*target);
    }
    if (!options.table.empty() && !options.events.empty()) {
        requireDifferent(options.table, options.events, "the table of tracks");
    }
}

/// Reads, labels and follows the frames one after another; at most two are in memory.
class Follower {
public:
    Follower(Context& context, const Options& options, ProgressLine& progress)
        : context_(context), options_(options), progress_(progress), arena_(context.common.threads),
          engines_(enginesWith(context, options.algorithm, kLabellingJob)), tables_(options) {}

    void followFile(const std::string& file) {
        const ImageArgument first = parseImageArgument(file);
        const bool onePage = first.path != std::filesystem::path(file);
        for (int page = first.page, pages = first.page + 1; page < pages; ++page) {
            ImageOptions options = options_.image;
            options.image = onePage ? file : first.path.string() + '[' + std::to_string(page) + ']';
            const LoadedImage loaded = loadImage(options, context_, progress_);
            pages = onePage ? pages : loaded.info.pages;
            addFrame(loaded, options.image);
        }
    }
    [[nodiscard]] const Summary& finish() {
        tables_.commit();
        return summary_;
    }
    [[nodiscard]] const ObjectTracker& tracker() const noexcept { return tracker_; }

private:
    void addFrame(const LoadedImage& loaded, const std::string& name) {
        const JobControl control = progress_.control("following objects", context_.stop);
        StageTimer timer;
        LevelRange range = parseThreshold(options_.threshold);
        const Mask mask = arena_.execute([&] { return maskOf(range, *loaded.image, loaded.valid.get(), control); });
        ComponentsSpec spec;
        spec.connectivity = options_.connectivity == 4 ? Connectivity::four : Connectivity::eight;
        spec.algorithm = options_.algorithm;
        Components components;
        onFirstThatWorks(engines_, context_, [&](Engine& engine) {
            components =
                arena_.execute([&] { return engine.labelComponents(mask, loaded.image.get(), spec, control); });
            summary_.engine = engine.name();
        });
        summary_.algorithm = components.algorithm;
        summary_.objects += components.count;
        const std::vector<ComponentRecord> objects = std::move(components.objects);
        TrackedFrame frame;
        try {
            frame = arena_.execute([&] { return tracker_.add(std::move(components), control); });
        } catch (const Error& error) {
            throw Error(error.code(), name + ": " + error.what());
        }
        timer.finish("frame");
        summary_.milliseconds.push_back(timer.totalMilliseconds());
        for (const TrackEvent& event : frame.events) {
            ++summary_.events[static_cast<std::size_t>(event.kind)];
        }
        tables_.add(objects, frame, control);
    }

    Context& context_;
    const Options& options_;
    ProgressLine& progress_;
    ThreadArena arena_;
    std::vector<Engine*> engines_;
    Tables tables_;
    ObjectTracker tracker_;
    Summary summary_;
};

void printResult(const Options& options, const ObjectTracker& tracker, const Summary& summary, Context& context) {
    if (context.common.json) {
        Json object{{"frames", tracker.frameCount()}, {"objects", summary.objects}, {"tracks", tracker.trackCount()}};
        for (const TrackEventKind kind : kTrackEventKinds) {
            object[std::string(nameOf(kind)) + "s"] = summary.events[static_cast<std::size_t>(kind)];
        }
        object["connectivity"] = options.connectivity;
        object["engine"] = summary.engine;
        object["algorithm"] = summary.algorithm;
        object["csv_file"] = options.table.empty() ? Json() : Json(options.table);
        object["events_file"] = options.events.empty() ? Json() : Json(options.events);
        object["frame_ms_median"] = summary.median();
        object["frame_ms_longest"] = summary.longest();
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    context.out << grouped(summary.objects) << " objects on " << grouped(tracker.trackCount()) << " tracks in "
                << grouped(tracker.frameCount()) << " frames (" << summary.engine << ", " << summary.algorithm << ", "
                << fixed(summary.median(), 1) << " ms a frame, longest " << fixed(summary.longest(), 1) << " ms)\n";
    for (const std::string& file : {options.table, options.events}) {
        if (!file.empty()) {
            context.out << "written: " << file << '\n';
        }
    }
}

void run(Context& context, const Options& options) {
    (void)parseThreshold(options.threshold); // says what is wrong with it before anything is read
    checkTargets(options);
    ProgressLine progress(context.err, context.showProgress);
    Follower follower(context, options, progress);
    for (const std::string& file : options.files) {
        follower.followFile(file);
    }
    const Summary& summary = follower.finish();
    progress.clear();
    printResult(options, follower.tracker(), summary, context);
}

} // namespace

CommandAction declareTrack(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("track", "Follow the objects of a stack or an image sequence");
    const auto options = std::make_shared<Options>();
    command
        .add_option("files", options->files,
                    "Frames in their order: all pages of every file,\nor IMAGE[page] for one page")
        ->type_name("IMAGE...")
        ->required();
    options->image.declareReading(command);
    declareThreshold(command, options->threshold);
    command.add_option("--connectivity", options->connectivity, "Neighbours of a pixel")
        ->check(CLI::IsMember({4, 8}).description(""))
        ->type_name("4|8")
        ->capture_default_str();
    addText(command, "--algorithm", options->algorithm, "Labelling algorithm, see 'pollard-cli algorithms'", "NAME");
    addText(command, "--csv", options->table,
            "Write a line an object and frame: frame, track, and the\ncolumns of components", "OUT.csv");
    addText(
        command, "--events", options->events,
        "Write a line for every birth, split, merge and death\nof a track; a split names the track it comes from, a\n"
        "merge the one that goes on",
        "OUT.csv");
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
