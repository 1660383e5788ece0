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
#include "components/best/best_rule.hpp"
#include "components/best/best_weights.hpp"
#include "components/label_scores.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "engine/engine_registry.hpp"
#include "io/page_selection.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
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
    bool weights = false; ///< of best components
    std::string table;
    std::string learned; ///< recipe with the weights
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

/// The images that a recipe is tuned on.
class TunedImages {
public:
    TunedImages(const TuneOptions& options, const Recipe& recipe, Context& context)
        : options_(options), recipe_(recipe), context_(context), truths_(options.truth) {}

    /// Calls visit(TrialImage, JobControl) for the images that have a truth.
    template <class Visit> void forEach(const Visit& visit) {
        ThreadArena arena(context_.common.threads);
        ProgressLine progress(context_.err, context_.showProgress, context_.pace);
        withoutTruth_ = 0;
        for (const std::string& input : expandInputs(options_.inputs)) {
            const ImageArgument argument = parseImageArgument(input);
            for (const std::filesystem::path& image : imagesUnder(argument.path)) {
                ReadOptions read = readOptionsOf(recipe_);
                read.page = argument.page != 0 ? argument.page : read.page;
                read.threads = context_.common.threads;
                const std::optional<std::filesystem::path> truth = truths_.of(image);
                for (const SelectedPart& part : partsOf(recipe_, image, std::move(read)).parts) {
                    if (!truth) {
                        ++withoutTruth_;
                        continue;
                    }
                    const JobControl control = progress.control(nameInTables(image).string(), context_.stop);
                    arena.execute([&] { visit(TrialImage{image, part, truth->string()}, control); });
                }
            }
        }
        progress.clear();
    }
    [[nodiscard]] std::size_t withoutTruth() const noexcept { return withoutTruth_; }

private:
    const TuneOptions& options_;
    const Recipe& recipe_;
    Context& context_;
    TruthFolder truths_;
    std::size_t withoutTruth_ = 0;
};

/// @throws Error(invalidArgument) if no image has a truth
TrialScores scoresOf(const Trials& trials, TunedImages& images, const TuneOptions& options, Context& context) {
    const TrialRun run{enginesWith(context, {}),
                       noting([&context](const std::string& note) { printNote(context, note); }),
                       context.common.threads, context.stop};
    TrialScores scores(trials.recipes.size());
    images.forEach(
        [&](const TrialImage& image, const JobControl& control) { scores.add(trials, image, run, control); });
    if (scores.images() == 0) {
        throw Error(ErrorCode::invalidArgument, "tune: none of the images has a truth in " + options.truth);
    }
    return scores;
}

std::string trialText(const std::vector<TriedNumber>& varied, const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i != varied.size(); ++i) {
        text += (i == 0 ? "" : ", ") + varied[i].name + " = " + exactNumber(values[i]);
    }
    return text;
}

/// Precision, recall, F1 and mean accuracy with their names.
std::array<std::pair<const char*, double>, 4> numbersOf(const ScoreTotals& score) {
    const MatchScore& match = score.matches.front();
    return {{{"precision", match.precision()},
             {"recall", match.recall()},
             {"f1", match.f1()},
             {"mean_accuracy", meanAccuracy(score.matches)}}};
}

/// Adds what the other folds say. @param others nothing for a single fold
void addCrossValidated(Report& report, std::size_t folds, const std::optional<ScoreTotals>& others, const char* what) {
    if (!others) {
        report.fields["cross_validated"] = Json();
        return;
    }
    report.fields["cross_validated"] = {
        {"folds", folds}, {"f1", others->matches.front().f1()}, {"mean_accuracy", meanAccuracy(others->matches)}};
    report.text << "cross-validated in " << folds << " folds, on images that did not choose the " << what << ": F1 "
                << fixed(others->matches.front().f1(), 3) << '\n';
}

std::string imagesText(std::size_t images, std::size_t withoutTruth) {
    return counted(images, "image") + (withoutTruth == 0 ? "" : ", " + grouped(withoutTruth) + " without truth");
}

void printTuned(const TuneOptions& options, const std::vector<TriedNumber>& varied, const Trials& tried,
                const TrialScores& scores, std::size_t withoutTruth, Context& context) {
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
        std::vector<std::string> row;
        Json json;
        for (std::size_t i = 0; i != varied.size(); ++i) {
            row.push_back(exactNumber(tried.values[trial][i]));
            json[varied[i].name] = numberJson(tried.values[trial][i]);
        }
        std::vector<std::string> shown = row;
        for (const auto& [key, value] : numbersOf(score)) {
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
        {{"images", images}, {"pixels", score.pixels}, {"without_truth", withoutTruth}, {"best", trials[best]}});
    report.text << "best of " << imagesText(images, withoutTruth) << ": " << trialText(varied, tried.values[best])
                << ", F1 " << fixed(score.matches.front().f1(), 3) << '\n';
    const std::vector<TrialScores::Fold> folds = scores.folds(options.folds);
    std::optional<ScoreTotals> others;
    for (const TrialScores::Fold& fold : folds) {
        others = others.value_or(ScoreTotals{});
        *others += fold.score;
    }
    addCrossValidated(report, folds.size(), others, "values");
    if (!options.table.empty()) {
        writeCsv(options.table, rows, "write table of values");
    }
    report.addWritten("csv_file", options.table);
    report.print(context);
}

/// The rule of the last step of best components. @throws UsageError without one
BestRule& bestRuleOf(Recipe& recipe) {
    BestRule* found = nullptr;
    for (RecipeStep& step : recipe.steps) {
        if (auto* const objects = std::get_if<ObjectsStep>(&step); objects != nullptr && objects->rule.best) {
            found = &*objects->rule.best;
        }
    }
    refuseConflicts({{found == nullptr, "--weights: the recipe has no step of best components"}});
    return *found;
}

/// The candidates of the best components of an image, with its truth.
BestLesson lessonOf(const Recipe& recipe, const TrialImage& image, Context& context, const JobControl& control) {
    const LoadedImage loaded = readPart(image.file, image.part, control);
    const std::shared_ptr<const StoredLabels> truth = labelsOfImage(image.file, image.part.options)(
        image.truth, loaded.image->extent(), readsVolume(recipe), control);
    std::optional<BestLesson> lesson;
    onFirstThatWorks(enginesWith(context, {}), context, [&](Engine& engine) {
        (void)runRecipe(
            recipe, loaded, engine, {.threads = context.common.threads}, context.stop, {},
            [&](const ObjectsStepReport& report, std::size_t, const JobControl&) {
                if (report.candidates) {
                    const std::optional<double> size = report.components.expectedArea;
                    lesson.emplace(*report.candidates, size && *size > 0 ? size : std::nullopt, truth->labels.span(),
                                   control);
                }
            },
            channelsOfFile(image.file, image.part), labelsOfImage(image.file, image.part.options));
    });
    return std::move(lesson).value();
}

/// Learns weights of best components from all images, and for the cross-validation from the images outside each fold.
void tuneWeights(Context& context, const TuneOptions& options, Recipe recipe) {
    BestRule& rule = bestRuleOf(recipe);
    const Recipe before = recipe;
    TunedImages images(options, recipe, context);
    std::vector<BestLesson> lessons;
    images.forEach([&](const TrialImage& image, const JobControl& control) {
        lessons.push_back(lessonOf(before, image, context, control));
    });
    const std::size_t folds = std::min<std::size_t>(options.folds, lessons.size());
    const auto learnedWithout = [&](std::size_t fold) { // `folds`: from all images
        std::vector<const BestLesson*> from;
        for (std::size_t i = 0; i != lessons.size(); ++i) {
            if (fold == folds || i % folds != fold) {
                from.push_back(&lessons[i]);
            }
        }
        return learnBestWeights(from, JobControl(context.stop));
    };
    Trials trials{{}, {before}};
    for (std::size_t fold = 0; folds > 1 && fold != folds; ++fold) {
        rule.weights = learnedWithout(fold);
        trials.recipes.push_back(recipe);
    }
    rule.weights = learnedWithout(folds);
    trials.recipes.push_back(recipe);
    const TrialScores scores = scoresOf(trials, images, options, context);

    Report report;
    TextTable table({"weights", "precision", "recall", "F1", "mean accuracy"}, "lrrrr");
    for (const auto& [key, shown, trial] :
         {std::tuple("before", "as before", std::size_t{0}), std::tuple("learned", "learned", scores.trials() - 1)}) {
        std::vector<std::string> row{shown};
        for (const auto& [name, value] : numbersOf(scores.of(trial))) {
            row.push_back(fixed(value, 3));
            report.fields[key][name] = value;
        }
        table.add(std::move(row));
    }
    table.print(report.text);
    for (const auto& [name, weight] : kBestWeights) {
        report.fields["weights"][std::string(name)] = rule.weights.*weight;
    }
    report.fields.update({{"images", lessons.size()}, {"without_truth", images.withoutTruth()}});
    std::optional<ScoreTotals> others;
    for (std::size_t fold = 0; folds > 1 && fold != folds; ++fold) {
        others = others.value_or(ScoreTotals{});
        *others += scores.ofFold(fold + 1, fold, folds);
    }
    report.text << "learned from " << imagesText(lessons.size(), images.withoutTruth()) << ": --weights '"
                << bestWeightsText(rule.weights) << "'\n";
    addCrossValidated(report, folds, others, "weights");
    if (!options.learned.empty()) {
        saveRecipe(recipe, options.learned);
    }
    report.addWritten("recipe_file", options.learned);
    report.print(context);
}

void runTune(Context& context, const TuneOptions& options) {
    const RecipeArgument argument = recipeNamed(options.recipe);
    const bool varies = !options.vary.empty();
    refuseConflicts(
        {{!options.weights && (!varies || options.vary.size() > 2), "--vary: give one or two numbers of the recipe"},
         {options.weights && varies, "--weights, --vary: give one of them"},
         {options.weights && !options.table.empty(), "--csv: is for --vary"},
         {!options.weights && !options.learned.empty(), "--out-recipe: is for --weights"},
         {!argument.recipe.channels.empty(), "tune: the recipe has filters of several channels"}});
    std::vector<TriedNumber> varied;
    std::ranges::transform(options.vary, std::back_inserter(varied), triedIn);
    const Trials trials = parsedArgument([&] { return trialsOf(argument.recipe, varied); }, "--vary: ");
    for (const std::string& file : {options.table, options.learned}) {
        if (!file.empty()) {
            requireWritable(file);
        }
    }
    if (options.weights) {
        tuneWeights(context, options, argument.recipe);
        return;
    }
    TunedImages images(options, argument.recipe, context);
    const TrialScores scores = scoresOf(trials, images, options, context);
    printTuned(options, varied, trials, scores, images.withoutTruth(), context);
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
    command.add_flag(
        "--weights", options->weights,
        "Instead of --vary: learn the weights of best components from\nthe truth, close to the built-in ones");
    addValue(command, "--out-recipe", options->learned, "With --weights: write the recipe with the weights",
             "OUT.json");
    addValue(command, "--folds", options->folds,
             "Parts of the images for the cross-validation: each is scored\nby the values that are best on the others",
             "N")
        ->capture_default_str();
    addValue(command, "--csv", options->table, "Write a line per value with its scores", "OUT.csv");
    return [options](Context& context) { runTune(context, *options); };
}

} // namespace pollard::cli
