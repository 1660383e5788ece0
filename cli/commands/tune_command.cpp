#include "command.hpp"
#include "jobs/score_report.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "batch/input_files.hpp"
#include "batch/truth_folder.hpp"
#include "batch/tune.hpp"
#include "components/label_scores.hpp"
#include "engine/engine_registry.hpp"
#include "io/page_selection.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

struct TuneOptions {
    std::string recipe;
    std::vector<std::string> inputs;
    std::string truth;
    std::vector<std::string> vary;
    std::uint32_t folds = 5;
    std::string table;
};

/// "100:200:10" or "1,2,5".
std::vector<double> valuesIn(const std::string& text) {
    constexpr std::size_t kMost = 10'000;
    constexpr double kDigits = 1e9; // so that .1 + .1 + .1 is .3
    const bool isRange = text.find(':') != std::string::npos;
    std::string listed = text;
    std::ranges::replace(listed, ':', ',');
    const std::string wrong = "--vary: '" + text +
                              "': must be FIRST:LAST:STEP with at most 10,000 numbers, or numbers "
                              "with commas between";
    std::vector<double> numbers;
    for (const std::string& part : splitList(listed)) {
        const std::optional<double> number = numberIn<double>(part);
        refuseConflicts({{!number || !std::isfinite(*number), wrong}});
        numbers.push_back(*number);
    }
    if (!isRange) {
        return numbers;
    }
    refuseConflicts({{numbers.size() != 3 || !(numbers[2] > 0) || numbers[1] < numbers[0] ||
                          (numbers[1] - numbers[0]) / numbers[2] >= kMost,
                      wrong}});
    std::vector<double> values;
    for (std::size_t i = 0;; ++i) {
        const double next = std::round((numbers[0] + static_cast<double>(i) * numbers[2]) * kDigits) / kDigits;
        if (next > numbers[1]) {
            return values;
        }
        values.push_back(next);
    }
}

/// STEP.PARAMETER=VALUES.
TriedNumber triedIn(const std::string& text) {
    const std::size_t equals = text.find('=');
    refuseConflicts({{equals == std::string::npos, "--vary: '" + text + "': must be STEP.PARAMETER=FIRST:LAST:STEP"}});
    return {text.substr(0, equals), valuesIn(text.substr(equals + 1))};
}

class TuneJob {
public:
    TuneJob(const TuneOptions& options, const Recipe& recipe, Trials trials, Context& context)
        : options_(options), recipe_(recipe), trials_(std::move(trials)), context_(context),
          truths_(options.truth), run_{enginesWith(context, {}),
                                       noting([&context](const std::string& note) { printNote(context, note); }),
                                       context.common.threads, context.stop},
          scores_(trials_.recipes.size()) {}

    void run() {
        ThreadArena arena(context_.common.threads);
        ProgressLine progress(context_.err, context_.showProgress, context_.pace);
        for (const std::string& input : expandInputs(options_.inputs)) {
            const ImageArgument argument = parseImageArgument(input);
            for (const std::filesystem::path& image : imagesUnder(argument.path)) {
                ReadOptions read = readOptionsOf(recipe_);
                read.page = argument.page != 0 ? argument.page : read.page;
                read.threads = context_.common.threads;
                for (const SelectedPart& part : partsOf(recipe_, image, std::move(read)).parts) {
                    arena.execute([&] { score(image, part, progress); });
                }
            }
        }
        progress.clear();
    }
    [[nodiscard]] const TrialScores& scores() const noexcept { return scores_; }
    [[nodiscard]] const Trials& trials() const noexcept { return trials_; }
    [[nodiscard]] std::size_t withoutTruth() const noexcept { return withoutTruth_; }

private:
    void score(const std::filesystem::path& image, const SelectedPart& part, ProgressLine& progress) {
        const std::optional<std::filesystem::path> file = truths_.of(image);
        if (!file) {
            ++withoutTruth_;
            return;
        }
        scores_.add(trials_, {image, part, file->string()}, run_,
                    progress.control(nameInTables(image).string(), context_.stop));
    }

    const TuneOptions& options_;
    const Recipe& recipe_;
    Trials trials_;
    Context& context_;
    TruthFolder truths_;
    TrialRun run_;
    TrialScores scores_;
    std::size_t withoutTruth_ = 0;
};

std::string trialText(const std::vector<TriedNumber>& varied, const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i != varied.size(); ++i) {
        text += (i == 0 ? "" : ", ") + varied[i].name + " = " + exactNumber(values[i]);
    }
    return text;
}

void printTuned(const TuneOptions& options, const std::vector<TriedNumber>& varied, const TuneJob& job,
                Context& context) {
    const TrialScores& scores = job.scores();
    const std::size_t images = scores.images();
    const std::size_t best = scores.best();
    std::vector<std::string> titles;
    std::ranges::transform(varied, std::back_inserter(titles), &TriedNumber::name);
    std::vector<std::vector<std::string>> rows{titles};
    rows.front().insert(rows.front().end(), {"precision", "recall", "f1", "mean_accuracy"});
    titles.insert(titles.end(), {"precision", "recall", "F1", "mean accuracy"});
    const std::string aligned(titles.size(), 'r');
    TextTable table(std::move(titles), aligned);
    Report report;
    Json& trials = report.fields["trials"] = Json::array();
    for (std::size_t trial = 0; trial != scores.trials(); ++trial) {
        const ScoreTotals score = scores.of(trial);
        const MatchScore& match = score.matches.front();
        std::vector<std::string> row;
        Json json;
        for (std::size_t i = 0; i != varied.size(); ++i) {
            row.push_back(exactNumber(job.trials().values[trial][i]));
            json[varied[i].name] = numberJson(job.trials().values[trial][i]);
        }
        std::vector<std::string> shown = row;
        for (const auto& [key, value] :
             {std::pair("precision", match.precision()), std::pair("recall", match.recall()),
              std::pair("f1", match.f1()), std::pair("mean_accuracy", meanAccuracy(score.matches))}) {
            row.push_back(exactNumber(value));
            shown.push_back(fixed(value, 3));
            json[key] = value;
        }
        rows.push_back(std::move(row));
        table.add(std::move(shown));
        trials.push_back(std::move(json));
    }
    table.print(report.text);
    const ScoreTotals score = scores.of(best);
    report.fields.update(
        {{"images", images}, {"pixels", score.pixels}, {"without_truth", job.withoutTruth()}, {"best", trials[best]}});
    report.text << "best of " << counted(images, "image")
                << (job.withoutTruth() == 0 ? "" : ", " + grouped(job.withoutTruth()) + " without truth") << ": "
                << trialText(varied, job.trials().values[best]) << ", F1 " << fixed(score.matches.front().f1(), 3)
                << '\n';
    if (const std::vector<TrialScores::Fold> folds = scores.folds(options.folds); !folds.empty()) {
        ScoreTotals others;
        for (const TrialScores::Fold& fold : folds) {
            others += fold.score;
        }
        report.fields["cross_validated"] = {{"folds", folds.size()},
                                            {"f1", others.matches.front().f1()},
                                            {"mean_accuracy", meanAccuracy(others.matches)}};
        report.text << "cross-validated in " << folds.size() << " folds, on images that did not choose the values: F1 "
                    << fixed(others.matches.front().f1(), 3) << '\n';
    } else {
        report.fields["cross_validated"] = Json();
    }
    if (!options.table.empty()) {
        writeCsv(options.table, rows, "write table of values");
    }
    report.addWritten("csv_file", options.table);
    report.print(context);
}

void runTune(Context& context, const TuneOptions& options) {
    const RecipeArgument argument = recipeNamed(options.recipe);
    refuseConflicts({{options.vary.empty() || options.vary.size() > 2, "--vary: give one or two numbers of the recipe"},
                     {!argument.recipe.channels.empty(), "tune: the recipe has filters of several channels"}});
    std::vector<TriedNumber> varied;
    std::ranges::transform(options.vary, std::back_inserter(varied), triedIn);
    Trials trials = parsedArgument([&] { return trialsOf(argument.recipe, varied); }, "--vary: ");
    if (!options.table.empty()) {
        requireWritable(options.table);
    }
    TuneJob job(options, argument.recipe, std::move(trials), context);
    job.run();
    if (job.scores().images() == 0) {
        throw Error(ErrorCode::invalidArgument, "tune: none of the images has a truth in " + options.truth);
    }
    printTuned(options, varied, job, context);
}

} // namespace

CommandAction declareTune(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("tune", "Try numbers of a recipe on images with a truth");
    const auto options = std::make_shared<TuneOptions>();
    command.add_option("RECIPE", options->recipe, "Recipe file (JSON) that finds objects, or preset:NAME")->required();
    command.add_option("INPUT", options->inputs, "Image files, as for run")->required();
    addValue(command, "--score", options->truth, "The truth of the images, as for run", "FOLDER")->required();
    addRepeated(
        command, "--vary", options->vary,
        "A number and its values, FIRST:LAST:STEP or numbers with\ncommas between: objects.threshold=100:200:10,\n"
        "objects.best.strictness=0.1:0.9:0.1, filter.area=10,50,100\nfor the criterion on area. Twice for all "
        "pairs of two numbers",
        "NUMBER=VALUES");
    addValue(command, "--folds", options->folds,
             "Parts of the images for the cross-validation: each is scored\nby the values that are best on the others",
             "N")
        ->capture_default_str();
    addValue(command, "--csv", options->table, "Write a line per value with its scores", "OUT.csv");
    return [options](Context& context) { runTune(context, *options); };
}

} // namespace pollard::cli
