#include "jobs/recipe_batch.hpp"

#include "base/error.hpp"
#include "jobs/tree_job.hpp"
#include "progress_line.hpp"
#include "recipe/recipe_outputs.hpp"
#include "thread_arena.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

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
    fs::file_time_type newest = fs::last_write_time(item.image.path, problem);
    if (!problem && !recipeFile.empty()) {
        newest = std::max(newest, fs::last_write_time(recipeFile, problem));
    }
    return !problem && !item.targets.empty() && std::ranges::all_of(item.targets, [&](const fs::path& target) {
        std::error_code missing;
        const fs::file_time_type written = fs::last_write_time(target, missing);
        return !missing && written >= newest;
    });
}

BatchObjects factsOf(const ObjectsStepReport& report) {
    return {report.step + 1, report.components.count, report.list.labels.size(), report.list.pixels, report.levels};
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

BatchResult factsOf(const RecipeResult& result) {
    BatchResult facts;
    if (!result.filters.empty()) {
        const FilterStepReport& last = result.filters.back();
        facts.filter = {last.tree.nodes, last.filter.keptNodes, last.filter.removedNodes, last.filter.changedPixels,
                        std::nullopt};
        if (result.labelled) {
            facts.filter->labels = result.labelled->count;
        }
    }
    for (const ContourStepReport& report : result.contours) {
        facts.contours.push_back(factsOf(report));
    }
    return facts;
}

/// Processes the pictures of a batch on several threads.
class Batch {
public:
    Batch(const Recipe& recipe, const std::vector<BatchItem>& items, const BatchOptions& options, int threads,
          Context& context)
        : recipe_(recipe), items_(items), options_(options), threads_(threads), context_(context),
          files_(filesOf(recipe)), engines_(enginesWith(context, {})),
          progress_(context.err, context.showProgress, context.pace), results_(items.size()) {}

    /// Processes pictures until none is left.
    void work() {
        while (!cancelled_ && !context_.stop.stop_requested()) {
            const std::size_t number = next_++;
            if (number >= items_.size()) {
                return;
            }
            std::ostringstream notes;
            try {
                results_[number] = runOne(number, notes);
            } catch (const Cancelled&) {
                cancelled_ = true;
            } catch (const std::bad_alloc&) {
                results_[number].error = items_[number].input + ": memory: not enough for this image";
            } catch (const std::exception& error) {
                results_[number].error = withFile(items_[number], error.what());
            }
            const std::lock_guard lock(printing_);
            progress_.clear();
            context_.err << notes.str() << std::flush;
        }
    }

    [[nodiscard]] std::vector<BatchResult> take() {
        progress_.clear();
        if (cancelled_ || context_.stop.stop_requested()) {
            throw Cancelled{};
        }
        return std::move(results_);
    }

private:
    /// Adds the file name unless the message has it.
    static std::string withFile(const BatchItem& item, const std::string& message) {
        const bool named = message.find(item.image.path.string()) != std::string::npos ||
                           std::ranges::any_of(item.targets, [&](const fs::path& target) {
                               return message.find(target.string()) != std::string::npos;
                           });
        return named ? message : item.input + ": " + message;
    }

    BatchResult runOne(std::size_t number, std::ostream& notes) {
        const auto start = std::chrono::steady_clock::now();
        const BatchItem& item = items_[number];
        if (options_.resumes && isDone(item, options_.recipeFile)) {
            BatchResult done;
            done.done = done.skipped = true;
            return done;
        }
        CommonOptions common = context_.common;
        common.threads = threads_;
        const Context own{context_.out, notes, context_.registry, common, context_.stop, false};
        const std::string what = item.image.path.filename().string() + " (" + std::to_string(number + 1) + " of " +
                                 std::to_string(items_.size()) + ")";
        const JobControl control = progress_.control(what, context_.stop);

        ReadOptions read = readOptionsOf(recipe_);
        read.page = item.image.page != 0 ? item.image.page : read.page;
        read.threads = threads_;
        if (options_.pixelSize) {
            read.pixelSize = options_.pixelSize;
        }
        const LoadedImage loaded = readImage(item.image.path, read, control);
        for (const std::string& note : loaded.info.notes) {
            printNote(own, item.image.path.string() + ": " + note);
        }
        ThreadArena arena(threads_);
        std::string used;
        RecipeResult result;
        std::optional<RecipeOutputs> outputs;
        std::vector<BatchObjects> objects;
        onFirstThatWorks(engines_, own, [&](Engine& engine) {
            outputs.emplace(files_, item.targets, loaded, item.image.path.filename().string());
            objects.clear();
            result = arena.execute([&] {
                return runRecipe(
                    recipe_, loaded, engine, {.threads = threads_}, context_.stop,
                    [&control](double fraction, std::string_view stage) { control.report(fraction, stage); },
                    [&](const ObjectsStepReport& report, std::size_t found, const JobControl& step) {
                        objects.push_back(factsOf(report));
                        outputs->writeObjects(report, found, step);
                    });
            });
            used = engine.name();
        });
        arena.execute([&] { outputs->finish(result, control); });
        for (const std::string& note : outputs->notes()) {
            printNote(own, item.image.path.string() + ": " + note);
        }
        BatchResult done = factsOf(result);
        done.objects = std::move(objects);
        done.engine = used;
        done.width = loaded.image->width();
        done.height = loaded.image->height();
        done.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        done.done = true;
        return done;
    }

    const Recipe& recipe_;
    const std::vector<BatchItem>& items_;
    const BatchOptions& options_;
    int threads_;
    Context& context_;
    std::vector<RecipeFile> files_;
    std::vector<Engine*> engines_;
    ProgressLine progress_;
    std::vector<BatchResult> results_; ///< each is written by one thread
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> cancelled_ = false;
    std::mutex printing_;
};

} // namespace

const fs::path* BatchItem::picture(const Recipe& recipe) const {
    const bool filters = std::ranges::any_of(
        recipe.steps, [](const RecipeStep& step) { return std::holds_alternative<FilterStep>(step); });
    return filters ? &targets.back() : nullptr;
}

std::vector<BatchItem> planBatch(const Recipe& recipe, const std::vector<std::string>& inputs, const fs::path& folder) {
    const std::vector<RecipeFile> files = filesOf(recipe);
    std::vector<BatchItem> items;
    std::set<fs::path> sources;
    for (const std::string& input : inputs) {
        BatchItem item{input, parseImageArgument(input), {}};
        const std::string page = item.image.page == 0 ? "" : "_page" + std::to_string(item.image.page);
        for (const RecipeFile& file : files) {
            item.targets.push_back(folder / (item.image.path.stem().string() + page + file.ending));
        }
        sources.insert(placeOf(item.image.path));
        items.push_back(std::move(item));
    }
    std::map<fs::path, std::string> targets;
    for (const BatchItem& item : items) {
        for (const fs::path& target : item.targets) {
            const fs::path place = placeOf(target);
            if (sources.contains(place)) {
                throw UsageError("output: '" + target.string() + "': is also an input; name another folder");
            }
            const auto [other, isNew] = targets.emplace(place, item.input);
            if (!isNew) {
                throw UsageError("output: '" + target.string() + "': would be the result of '" + other->second +
                                 "' and of '" + item.input + "'; run them apart");
            }
        }
    }
    return items;
}

void requireFurther(const fs::path& file, const std::vector<BatchItem>& items, const fs::path& recipeFile) {
    const fs::path place = placeOf(file);
    const auto refuseIf = [&](const fs::path& other, const std::string& what) {
        if (placeOf(other) == place) {
            throw UsageError("output: '" + file.string() + "': is also " + what + "; name another file");
        }
    };
    for (const BatchItem& item : items) {
        refuseIf(item.image.path, "an input");
        for (const fs::path& target : item.targets) {
            refuseIf(target, "the result of '" + item.input + "'");
        }
    }
    if (!recipeFile.empty()) {
        refuseIf(recipeFile, "the recipe");
    }
}

std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items,
                                  const BatchOptions& options, Context& context) {
    const int all = context.common.threads > 0 ? context.common.threads
                                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int workers = std::clamp(options.jobs, 1, std::max(1, static_cast<int>(items.size())));
    Batch batch(recipe, items, options, workers == 1 ? context.common.threads : std::max(1, all / workers), context);
    {
        std::vector<std::jthread> others;
        for (int i = 1; i < workers; ++i) {
            others.emplace_back([&batch] { batch.work(); });
        }
        batch.work();
    }
    return batch.take();
}

} // namespace pollard::cli
