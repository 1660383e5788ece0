#include "recipe_batch.hpp"

#include "base/error.hpp"
#include "io/tiff_writer.hpp"
#include "progress_line.hpp"
#include "recipe/run_recipe.hpp"
#include "tree_job.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sstream>
#include <thread>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

/// One name for one file, whatever way leads to it.
fs::path placeOf(const fs::path& path) {
    std::error_code ignored;
    const fs::path place = fs::weakly_canonical(path, ignored);
    return place.empty() ? fs::absolute(path, ignored).lexically_normal() : place;
}

void writeResult(const BatchItem& item, const RecipeResult& result, const LoadedImage& loaded,
                 const JobControl& control) {
    const TiffWriteOptions options{.deflate = true, .carried = resultTags(loaded.info, result.values)};
    if (result.image) {
        writeTiff(item.target, *result.image, options, control);
    } else {
        writeTiff32(item.target, result.labelled->labels.span(), result.labelled->width, result.labelled->height,
                    options, control);
    }
}

/// The work on the pictures of a batch, on several threads at once.
class Batch {
public:
    Batch(const Recipe& recipe, const std::vector<BatchItem>& items, int threads, Context& context)
        : recipe_(recipe), items_(items), threads_(threads), context_(context), engines_(enginesWith(context, {})),
          progress_(context.err, context.showProgress), results_(items.size()) {}

    /// Takes pictures until there are none.
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
    /// Errors of readers and writers name the file already.
    static std::string withFile(const BatchItem& item, const std::string& message) {
        const bool named = message.find(item.image.path.string()) != std::string::npos ||
                           message.find(item.target.string()) != std::string::npos;
        return named ? message : item.input + ": " + message;
    }

    BatchResult runOne(std::size_t number, std::ostream& notes) {
        const auto start = std::chrono::steady_clock::now();
        const BatchItem& item = items_[number];
        CommonOptions common = context_.common;
        common.threads = threads_;
        const Context own{context_.out, notes, context_.registry, common, context_.stop, false};
        const std::string what = item.image.path.filename().string() + " (" + std::to_string(number + 1) + " of " +
                                 std::to_string(items_.size()) + ")";
        const JobControl control = progress_.control(what, context_.stop);

        ReadOptions read = readOptionsOf(recipe_);
        read.page = item.image.page != 0 ? item.image.page : read.page;
        read.threads = threads_;
        const LoadedImage loaded = readImage(item.image.path, read, control);
        for (const std::string& note : loaded.info.notes) {
            printNote(own, item.image.path.string() + ": " + note);
        }
        BatchResult done;
        RecipeResult result;
        onFirstThatWorks(engines_, own, [&](Engine& engine) {
            result =
                runRecipe(recipe_, loaded, engine, {.threads = threads_}, context_.stop,
                          [&control](double fraction, std::string_view stage) { control.report(fraction, stage); });
            done.engine = engine.name();
        });
        writeResult(item, result, loaded, control);

        const FilterStepReport& last = result.filters.back();
        done.width = loaded.image->width();
        done.height = loaded.image->height();
        done.nodes = last.tree.nodes;
        done.kept = last.filter.keptNodes;
        done.removed = last.filter.removedNodes;
        done.changedPixels = last.filter.changedPixels;
        done.labelled = result.labelled.has_value();
        done.labels = result.labelled ? result.labelled->count : 0;
        done.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        done.done = true;
        return done;
    }

    const Recipe& recipe_;
    const std::vector<BatchItem>& items_;
    int threads_;
    Context& context_;
    std::vector<Engine*> engines_;
    ProgressLine progress_;
    std::vector<BatchResult> results_; ///< each is written by the one thread that took its number
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> cancelled_ = false;
    std::mutex printing_;
};

} // namespace

std::vector<BatchItem> planBatch(const std::vector<std::string>& inputs, const fs::path& folder) {
    std::vector<BatchItem> items;
    std::set<fs::path> sources;
    for (const std::string& input : inputs) {
        BatchItem item{input, parseImageArgument(input), {}};
        const std::string page = item.image.page == 0 ? "" : "_page" + std::to_string(item.image.page);
        item.target = folder / (item.image.path.stem().string() + page + ".tif");
        sources.insert(placeOf(item.image.path));
        items.push_back(std::move(item));
    }
    std::map<fs::path, std::string> targets;
    for (const BatchItem& item : items) {
        const fs::path place = placeOf(item.target);
        if (sources.contains(place)) {
            throw UsageError("output: '" + item.target.string() + "': is also an input; name another folder");
        }
        const auto [other, isNew] = targets.emplace(place, item.input);
        if (!isNew) {
            throw UsageError("output: '" + item.target.string() + "': would be the result of '" + other->second +
                             "' and of '" + item.input + "'; run them apart");
        }
    }
    return items;
}

std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items, int jobs,
                                  Context& context) {
    const int all = context.common.threads > 0 ? context.common.threads
                                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int workers = std::clamp(jobs, 1, std::max(1, static_cast<int>(items.size())));
    Batch batch(recipe, items, workers == 1 ? context.common.threads : std::max(1, all / workers), context);
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
