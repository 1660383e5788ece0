#include "batch/recipe_batch.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "batch/input_files.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "engine/engine_registry.hpp"
#include "geo/map_coordinates.hpp"
#include "image/length_unit.hpp"
#include "io/channels.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/page_selection.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/commit_queue.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/results/channel_file.hpp"
#include "recipe/run_recipe.hpp"
#include "json/json_file.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

namespace pollard {

namespace fs = std::filesystem;

namespace {

/// Images at the same time: of small files one a thread, since threads have little to share in them.
int automaticJobs(const std::vector<BatchItem>& items, int threads) {
    constexpr std::uintmax_t kSmallBytes = std::uintmax_t{1} << 20U;
    const bool areSmall = std::ranges::all_of(items, [](const BatchItem& item) {
        std::error_code problem;
        return fs::file_size(item.input.path, problem) <= kSmallBytes; // the largest number if there is a problem
    });
    return areSmall ? threads : 1;
}

/// Canonical path of a file, even if it does not exist.
fs::path placeOf(const fs::path& path) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(path, ignored);
    const fs::path place = fs::weakly_canonical(whole, ignored);
    return place.empty() ? whole.lexically_normal() : place;
}

/// Whether all result files exist and none is older than its sources.
bool isDone(const BatchItem& item, const fs::path& recipeFile) {
    std::error_code problem;
    fs::file_time_type newest = fs::last_write_time(item.input.path, problem);
    if (!problem && !recipeFile.empty()) {
        newest = std::max(newest, fs::last_write_time(recipeFile, problem));
    }
    return !problem && !item.targets.empty() && std::ranges::all_of(item.targets, [&](const fs::path& target) {
        std::error_code missing;
        const fs::file_time_type written = fs::last_write_time(target, missing);
        return !missing && written >= newest;
    });
}

/// "unit um, pixel size 0.5 x 0.5 x 0 µm": the options that change results.
std::string textOf(const BatchOptions& options) {
    std::string text = "unit " + unitName(options.unit, Dimension::length);
    if (const auto& size = options.pixelSize) {
        text += ", pixel size " + exactNumber(size->x) + " x " + exactNumber(size->y) + " x " + exactNumber(size->z) +
                " " + size->unit;
    }
    return text + (options.stated.empty() ? "" : ", ") + options.stated;
}

/// The file kOptionsFile of a batch.
class OptionsRecord {
public:
    OptionsRecord(const std::vector<BatchItem>& items, const BatchOptions& options) : text_(textOf(options)) {
        const auto item = std::ranges::find_if(items, [](const BatchItem& each) { return !each.targets.empty(); });
        if (item == items.end()) {
            return;
        }
        file_ = item->targets.front().parent_path() / kOptionsFile;
        std::error_code missing;
        const fs::file_time_type written = fs::last_write_time(file_, missing);
        if (missing) {
            isSame_ = text_ == textOf({});
            return;
        }
        since_ = written;
        try {
            constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
            isSame_ = readSmallFile(file_, "options", kMostBytes) == text_ + "\n";
        } catch (const Error&) { // the options are unknown
            isSame_ = false;
        }
    }

    /// Whether the existing results of an image were made with these options.
    [[nodiscard]] bool holds(const BatchItem& item) const {
        return isSame_ && std::ranges::all_of(item.targets, [&](const fs::path& target) {
                   std::error_code missing;
                   return !since_ || fs::last_write_time(target, missing) >= *since_;
               });
    }
    [[nodiscard]] std::string note() const {
        return file_.parent_path().string() + ": results of other options than " + text_ + " are made again";
    }
    /// Writes the file once, unless it has the options. If this fails, the results appear to have other options.
    void write() {
        if (isSame_ || file_.empty()) {
            return;
        }
        std::call_once(written_, [&] {
            try {
                AtomicFile file(file_, "cannot write options");
                const std::string line = text_ + "\n";
                file.writeAll(line.data(), line.size());
                file.commit();
                std::error_code ignored;
                fs::last_write_time(file_, start_, ignored); // results may be written, but not named
            } catch (const Error&) {                         // as the results themselves, whose error is reported
            }
        });
    }

private:
    static constexpr std::chrono::milliseconds kTick{20}; ///< of the times of files

    std::string text_;
    fs::path file_; ///< empty without results
    std::optional<fs::file_time_type> since_;
    bool isSame_ = true;
    fs::file_time_type start_ = fs::file_time_type::clock::now() - kTick;
    std::once_flag written_;
};

BatchObjects factsOf(const ObjectsStepReport& report) {
    return {report.step + 1,    report.components.count, report.list.labels.size(),
            report.list.pixels, report.levels,           report.values};
}

BatchContours factsOf(const ContourStepReport& report) {
    BatchContours facts;
    facts.step = report.step + 1;
    facts.contours = report.contours.states.size();
    for (const SnakeState& state : report.contours.states) {
        facts.nodes += state.nodes.size();
        facts.iterations += state.round;
        facts.area += state.inside.pixels;
    }
    facts.energy = report.contours.energy;
    return facts;
}

/// Report of the last filter; empty without a filter.
std::optional<BatchFilter> filterOf(const RecipeResult& result) {
    if (result.filters.empty()) {
        return std::nullopt;
    }
    const FilterStepReport& last = result.filters.back();
    return BatchFilter{last.tree.nodes, last.filter.keptNodes, last.filter.removedNodes, last.filter.changedPixels,
                       result.labelled ? std::optional(result.labelled->count) : std::nullopt};
}

BatchFilter totalOf(const std::vector<BatchChannel>& channels) {
    BatchFilter total;
    for (const BatchChannel& channel : channels) {
        total.nodes += channel.filter.nodes;
        total.kept += channel.filter.kept;
        total.removed += channel.filter.removed;
        total.changedPixels += channel.filter.changedPixels;
    }
    return total;
}

void addFacts(const RecipeResult& result, BatchResult& facts) {
    facts.filter = facts.channels.empty() ? filterOf(result) : totalOf(facts.channels);
    for (const ContourStepReport& report : result.contours) {
        facts.contours.push_back(factsOf(report));
    }
}

/// Notes on filters that the result does not have: filters of computed channels, or all others if only one channel is
/// read. @param recipes empty: the result has only the channel that is read
std::vector<std::string> notesOn(const std::optional<ChannelRecipes>& recipes, const ChannelChoice& read) {
    if (!recipes) {
        return {"the result has one channel, " + read.text() +
                ", which is computed; the filters of other channels of the recipe are not used"};
    }
    std::vector<std::string> notes;
    for (const std::string& channel : recipes->computed) {
        notes.push_back("channel " + channel +
                        " is computed and not in the result, which has the channels of the file");
    }
    return notes;
}

/// Position of a part on each axis with several positions, channels first.
std::vector<AxisPosition> positionsOf(const fs::path& path, const SelectedPart& part) {
    std::vector<AxisPosition> positions = part.positions;
    ReadOptions facts = part.options;
    facts.channel = {ChannelChoice::Kind::sample, 0};
    const ImageInfo info = readImageInfo(path, facts);
    const std::vector<Channel> channels = channelsOf(info);
    if (channels.size() > 1) {
        const std::optional<std::size_t> stored = storedChannel(part.options.channel, info);
        positions.insert(positions.begin(), {'c', stored ? static_cast<int>(*stored) : -1,
                                             stored ? channels[*stored].name : part.options.channel.text()});
    }
    return positions;
}

/// Names the part that a page is, if other files may have another order of pages; else empty.
std::string noteOnPage(const ImageInfo& info) {
    if (countOfAxes(info) < 2) {
        return {};
    }
    return "read by its page: page " + std::to_string(info.page) + " is " + positionText(info.axes, info.page) +
           "; in a file with another order of pages it is another part";
}

/// "_z3_t1": the position on each axis whose positions are all selected.
std::string endingOf(const PageSelection& selection, const SelectedPart& part) {
    std::string ending;
    for (const AxisPosition& position : part.positions) {
        if (positionsOn(position.axis, selection).kind == AxisPositions::Kind::each) {
            ending += "_" + std::string(axisName(position.axis)) + std::to_string(position.index);
        }
    }
    return ending;
}

/// The inputs, one for each part that the recipe selects in a file.
std::vector<BatchInput> inputsOfParts(const Recipe& recipe, const BatchInput& input) {
    const PageSelection* const selection = selectionOf(recipe);
    const auto isEach = [](const AxisPositions& positions) { return positions.kind == AxisPositions::Kind::each; };
    if (selection == nullptr ||
        !(isEach(selection->z) || isEach(selection->t) || isEach(selection->page) || isEach(selection->scene))) {
        return {input};
    }
    std::vector<BatchInput> inputs;
    try {
        for (const SelectedPart& part : partsOf(recipe, input.path, readOptionsOf(recipe)).parts) {
            BatchInput one = input;
            one.part = inputs.size();
            one.ending = endingOf(*selection, part);
            one.name += one.ending.empty() ? "" : " (" + one.ending.substr(1) + ")";
            inputs.push_back(std::move(one));
        }
    } catch (const Error&) { // reported when the input is read
        return {input};
    }
    return inputs;
}

/// Processes the images of a batch on several threads.
class Batch {
public:
    Batch(const Recipe& recipe, const std::vector<BatchItem>& items, const BatchOptions& options, int threads,
          std::stop_token stop, const BatchReports& reports)
        : recipe_(recipe), items_(items), options_(options), threads_(threads), stop_(std::move(stop)),
          reports_(reports), files_(filesOf(recipe)), record_(items, options), results_(items.size()) {}

    /// Processes images until all are done. @param queue commits their files, and must end before this
    void work(CommitQueue& queue) {
        while (!cancelled_ && !stop_.stop_requested()) {
            const std::size_t number = next_++;
            if (number >= items_.size()) {
                return;
            }
            AtomicFile::FileSet files;
            std::exception_ptr failure;
            try {
                files = runOne(number, results_[number]);
            } catch (const Cancelled&) {
                cancelled_ = true;
                return;
            } catch (const std::exception&) {
                failure = std::current_exception();
            }
            if (files.empty()) {
                end(number, failure);
            } else {
                queue.add(std::move(files),
                          [this, number](const std::exception_ptr& problem) { end(number, problem); });
            }
        }
    }

    [[nodiscard]] std::vector<BatchResult> take() {
        if (cancelled_ || stop_.stop_requested()) {
            throw Cancelled{};
        }
        return std::move(results_);
    }

private:
    /// Completes the result of an image and reports it.
    void end(std::size_t number, const std::exception_ptr& failure) {
        BatchResult& result = results_[number];
        result.done = !failure;
        if (failure) {
            BatchResult failed;
            failed.error = textOf(failure, items_[number]);
            failed.notes = std::move(result.notes);
            result = std::move(failed);
        }
        if (reports_.ended) {
            const std::lock_guard lock(reporting_);
            reports_.ended(number, result);
        }
    }

    static std::string textOf(const std::exception_ptr& failure, const BatchItem& item) {
        try {
            std::rethrow_exception(failure);
        } catch (const std::bad_alloc&) {
            return item.input.name + ": memory: not enough for this image";
        } catch (const std::exception& error) {
            return withFile(item, error.what());
        }
    }

    /// Adds the file name unless the message has it.
    static std::string withFile(const BatchItem& item, const std::string& message) {
        const bool named = message.find(item.input.path.string()) != std::string::npos ||
                           std::ranges::any_of(item.targets, [&](const fs::path& target) {
                               return message.find(target.string()) != std::string::npos;
                           });
        return named ? message : item.input.name + ": " + message;
    }

    [[nodiscard]] JobControl control(std::size_t number) const {
        if (!reports_.progress) {
            return JobControl(stop_);
        }
        return JobControl(stop_, [this, number](double fraction, std::string_view stage) {
            reports_.progress(number, fraction, stage);
        });
    }

    /// Selects the part of a file to read; the result gets its positions.
    [[nodiscard]] SelectedPart partOf(const BatchInput& input, BatchResult& done) const {
        ReadOptions read = readOptionsOf(recipe_);
        read.page = input.page != 0 ? input.page : read.page;
        read.threads = threads_;
        readForResults(recipe_, read);
        if (options_.pixelSize) {
            read.pixelSize = options_.pixelSize;
        }
        const bool selects = selectionOf(recipe_) != nullptr;
        if (selects && input.page != 0) {
            throw Error(ErrorCode::invalidArgument, "page " + std::to_string(input.page) +
                                                        ": the recipe selects by axes; name the file without a page");
        }
        SelectedParts parts = partsOf(recipe_, input.path, std::move(read));
        if (input.part >= parts.parts.size()) {
            throw Error(ErrorCode::invalidArgument, "the file has changed since the batch was planned");
        }
        SelectedPart part = std::move(parts.parts[input.part]);
        if (selects) {
            done.positions = positionsOf(input.path, part);
            for (const std::string& note : parts.notes) {
                done.notes.push_back(input.path.string() + ": " + note);
            }
        }
        return part;
    }

    /// Whether an image is up to date. Notes once if options are the only reason for which it is not.
    [[nodiscard]] bool isUpToDate(const BatchItem& item, BatchResult& done) {
        if (!options_.resumes || !isDone(item, options_.recipeFile)) {
            return false;
        }
        if (record_.holds(item)) {
            return true;
        }
        std::call_once(noted_, [&] { done.notes.push_back(record_.note()); });
        return false;
    }

    /// @return the files to commit; none if the image is up to date
    [[nodiscard]] AtomicFile::FileSet runOne(std::size_t number, BatchResult& done) {
        const auto start = std::chrono::steady_clock::now();
        const BatchItem& item = items_[number];
        const SelectedPart part = partOf(item.input, done);
        const ReadOptions& read = part.options;
        if (isUpToDate(item, done)) {
            done.skipped = true;
            return {};
        }
        const JobControl control = this->control(number);
        const auto addNote = [&](const std::string& text) {
            std::string line = item.input.path.string() + ": " + text;
            if (std::ranges::find(done.notes, line) == done.notes.end()) {
                done.notes.push_back(std::move(line));
            }
        };
        const auto noteAll = [&](const std::vector<std::string>& notes) { std::ranges::for_each(notes, addNote); };
        std::optional<ChannelFile> channelFile;
        std::optional<ChannelRecipes> channels;
        if (!recipe_.channels.empty()) {
            channelFile.emplace(
                item.input.path, read,
                ChannelFile::Listener{[&](const std::string& /*channel*/) { return JobControl(control); }, addNote});
            channels = recipesOfChannels(recipe_, read.channel, channelFile->info());
            noteAll(notesOn(channels, read.channel));
        }
        LoadedImage loaded = readPart(item.input.path, part, control);
        findGroundSize(loaded.info, loaded.image->width(), loaded.image->height());
        noteAll(loaded.info.notes);
        if (const std::string text = noteOnPage(loaded.info); selectionOf(recipe_) == nullptr && !text.empty()) {
            addNote(text);
        }
        ThreadArena arena(threads_);
        RecipeResult result;
        std::optional<RecipeOutputs> outputs;
        std::vector<BatchObjects> objects;
        onFirstThatWorks(
            options_.engines,
            [&](Engine& engine) {
                outputs.emplace(files_, item.targets, loaded, nameInTables(item.input.path).string(), options_.unit,
                                axisColumns(item.input, done.positions));
                objects.clear();
                done.score.reset();
                result = arena.execute([&] {
                    return runRecipe(
                        recipe_, loaded, engine, {.threads = threads_}, stop_,
                        [&control](double fraction, std::string_view stage) { control.report(fraction, stage); },
                        [&](const ObjectsStepReport& report, std::size_t found, const JobControl& step) {
                            objects.push_back(factsOf(report));
                            outputs->writeObjects(report, found, step);
                            scoreObjects(report, item.input.path, part, step, done);
                        },
                        channelsOfFile(item.input.path, part), labelsOfImage(item.input.path, part.options));
                });
                done.engine = engine.name();
            },
            noting([&done](const std::string& note) { done.notes.push_back(note); }));
        RecipeOutputs::ImageWriter image;
        if (channels) {
            image = [&](const fs::path& path) { writeChannels(path, *channelFile, *channels, result, control, done); };
        }
        if (options_.truth && result.labelled && objects.empty()) {
            done.score = scoreBeside(*options_.truth, item.input.path, read, result.labelled->labels.span(),
                                     loaded.image->extent(), part.volume, control);
        }
        record_.write();
        AtomicFile::FileSet files = arena.execute([&] { return outputs->finish(result, control, image); });
        noteAll(outputs->notes());
        addFacts(result, done);
        done.objects = std::move(objects);
        done.width = loaded.image->width();
        done.height = loaded.image->height();
        done.slices = loaded.image->extent().slices;
        done.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        return files;
    }

    /// Scores the listed objects of a step, if there is a truth.
    void scoreObjects(const ObjectsStepReport& report, const fs::path& image, const SelectedPart& part,
                      const JobControl& control, BatchResult& done) const {
        if (!options_.truth) {
            return;
        }
        const Components& found = report.components;
        done.score = scoreBeside(*options_.truth, image, part.options, listedLabels(report).span(), found.extent(),
                                 found.isVolume(), control);
    }

    /// Writes all channels, including one that has been filtered before.
    void writeChannels(const fs::path& path, ChannelFile& file, const ChannelRecipes& recipes, const RecipeResult& read,
                       const JobControl& control, BatchResult& done) const {
        std::vector<ResultValues> values(file.channels().size(), ResultValues::levels);
        values[recipes.read] = read.values;
        for (const auto& [channel, recipe] : recipes.others) {
            values[channel] = resultValuesOf(stagesOf(recipe));
        }
        const auto add = [&](std::size_t channel, const RecipeResult& result) {
            if (const auto filter = filterOf(result)) {
                done.channels.push_back({file.channels()[channel].name, *filter});
            }
            return result.image;
        };
        const auto change = [&](const LoadedImage& source, std::size_t channel) {
            const auto own = recipes.others.find(channel);
            try {
                std::shared_ptr<const Image> image = channel == recipes.read ? add(channel, read)
                                                     : own == recipes.others.end()
                                                         ? source.image
                                                         : add(channel, runOn(source, own->second, control, done));
                return ChannelFile::ChangedChannel{std::move(image), source.valid};
            } catch (const Error& error) {
                throw Error(error.code(), "channel " + file.channels()[channel].name + ": " + error.what());
            }
        };
        file.write(path, values, change, control);
    }

    [[nodiscard]] RecipeResult runOn(const LoadedImage& source, const Recipe& recipe, const JobControl& control,
                                     BatchResult& done) const {
        RecipeResult result;
        onFirstThatWorks(
            options_.engines,
            [&](Engine& engine) {
                result =
                    runRecipe(recipe, source, engine, {.threads = threads_}, stop_,
                              [&control](double fraction, std::string_view stage) { control.report(fraction, stage); });
            },
            noting([&done](const std::string& note) { done.notes.push_back(note); }));
        return result;
    }

    const Recipe& recipe_;
    const std::vector<BatchItem>& items_;
    const BatchOptions& options_;
    int threads_;
    std::stop_token stop_;
    const BatchReports& reports_;
    std::vector<RecipeFile> files_;
    OptionsRecord record_;
    std::once_flag noted_;
    std::vector<BatchResult> results_; ///< each is written by one thread
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> cancelled_ = false;
    std::mutex reporting_;
};

} // namespace

const fs::path* BatchItem::image(const Recipe& recipe) const {
    const bool filters = !recipe.channels.empty() || std::ranges::any_of(recipe.steps, [](const RecipeStep& step) {
        return std::holds_alternative<FilterStep>(step) || std::holds_alternative<OperatorStep>(step);
    });
    return filters ? &targets.back() : nullptr;
}

std::vector<ObjectColumn> axisColumns(const BatchInput& input, const std::vector<AxisPosition>& positions) {
    std::vector<ObjectColumn> columns;
    const auto add = [&](std::string name, double value) {
        columns.push_back({std::move(name), [value](std::uint32_t) { return value; }});
    };
    for (const AxisPosition& position : positions) {
        if (input.ending.empty() || position.axis == 'c' || position.index < 0) {
            continue;
        }
        add(std::string(axisName(position.axis)), position.index);
        if (position.distance) {
            add(distanceColumn(position.axis), *position.distance);
        }
    }
    return columns;
}

std::vector<std::size_t> withoutFurtherSlices(const Recipe& recipe, const std::vector<BatchInput>& inputs) {
    std::vector<std::size_t> first;
    std::set<fs::path> slices; // of the series so far
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (readsSeries(recipe)) {
            if (slices.contains(placeOf(inputs[i].path))) {
                continue;
            }
            try {
                for (const fs::path& slice : seriesOf(inputs[i].path)) {
                    slices.insert(placeOf(slice));
                }
            } catch (const Error&) { // reported when the input is read
            }
        }
        first.push_back(i);
    }
    return first;
}

std::vector<BatchItem> planBatch(const Recipe& recipe, const std::vector<BatchInput>& inputs, const fs::path& folder) {
    const std::vector<RecipeFile> files = filesOf(recipe);
    std::vector<BatchItem> items;
    std::set<fs::path> sources;
    for (std::size_t source = 0; source < inputs.size(); ++source) {
        sources.insert(placeOf(inputs[source].path));
        for (BatchInput& input : inputsOfParts(recipe, inputs[source])) {
            const std::string place = (input.page == 0 ? "" : "_page" + std::to_string(input.page)) + input.ending;
            BatchItem item{std::move(input), {}, source};
            for (const RecipeFile& file : files) {
                item.targets.push_back(folder / (resultName(item.input.path) + place + file.ending));
            }
            items.push_back(std::move(item));
        }
    }
    std::map<fs::path, std::string> targets;
    for (const BatchItem& item : items) {
        for (const fs::path& target : item.targets) {
            const fs::path place = placeOf(target);
            if (sources.contains(place)) {
                throw Error(ErrorCode::invalidArgument,
                            "output: '" + target.string() + "': is also an input; name another folder");
            }
            const auto [other, isNew] = targets.emplace(place, item.input.name);
            if (!isNew) {
                throw Error(ErrorCode::invalidArgument, "output: '" + target.string() + "': would be the result of '" +
                                                            other->second + "' and of '" + item.input.name +
                                                            "'; run them apart");
            }
        }
    }
    return items;
}

void requireFurther(const fs::path& file, const std::vector<BatchItem>& items, const fs::path& recipeFile) {
    const fs::path place = placeOf(file);
    const auto refuseIf = [&](const fs::path& other, const std::string& what) {
        if (placeOf(other) == place) {
            throw Error(ErrorCode::invalidArgument,
                        "output: '" + file.string() + "': is also " + what + "; name another file");
        }
    };
    for (const BatchItem& item : items) {
        refuseIf(item.input.path, "an input");
        for (const fs::path& target : item.targets) {
            refuseIf(target, "the result of '" + item.input.name + "'");
        }
    }
    if (!recipeFile.empty()) {
        refuseIf(recipeFile, "the recipe");
    }
}

void makeBatchFolder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (!fs::is_directory(folder)) {
        throw Error(ErrorCode::writeFailed, "cannot make folder: " + folder.string() + ": " +
                                                (problem ? problem.message() : "there is a file of this name"));
    }
}

std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items,
                                  const BatchOptions& options, const std::stop_token& stop,
                                  const BatchReports& reports) {
    const int all =
        options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int jobs = options.jobs > 0 ? options.jobs : automaticJobs(items, all);
    const int workers = std::clamp(jobs, 1, std::max(1, static_cast<int>(items.size())));
    Batch batch(recipe, items, options, workers == 1 ? options.threads : std::max(1, all / workers), stop, reports);
    {
        CommitQueue queue;
        std::vector<std::jthread> others;
        for (int i = 1; i < workers; ++i) {
            others.emplace_back([&] { batch.work(queue); });
        }
        batch.work(queue);
    }
    return batch.take();
}

} // namespace pollard
