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
#include "components/best/best_rule.hpp"
#include "components/best/best_weights.hpp"
#include "components/label_scores.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "io/page_selection.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
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

/// A number of a recipe with the values that are tried.
struct Varied {
    std::string name; ///< "objects.best.strictness"
    std::size_t step = 0;
    std::vector<std::string> keys; ///< of the parameter in the step
    std::vector<double> values;
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

/// STEP.PARAMETER=VALUES. The last step of an id counts.
Varied variedIn(const std::string& text, const Recipe& recipe) {
    const std::size_t equals = text.find('=');
    refuseConflicts({{equals == std::string::npos, "--vary: '" + text + "': must be STEP.PARAMETER=FIRST:LAST:STEP"}});
    Varied varied;
    varied.name = text.substr(0, equals);
    varied.values = valuesIn(text.substr(equals + 1));
    for (std::size_t from = 0; from <= varied.name.size();) {
        const std::size_t to = std::min(varied.name.find('.', from), varied.name.size());
        varied.keys.push_back(varied.name.substr(from, to - from));
        from = to + 1;
    }
    const std::string id = varied.keys.front();
    varied.keys.erase(varied.keys.begin());
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i != recipe.steps.size(); ++i) {
        found = idOf(recipe.steps[i]) == id ? std::optional(i) : found;
    }
    refuseConflicts({{!found || id == "read" || varied.keys.empty(),
                      "--vary: '" + varied.name +
                          "': must be a parameter of a step of the recipe after reading, such "
                          "as objects.threshold"}});
    varied.step = *found;
    return varied;
}

/// Replaces the number of the criterion on an attribute. @return whether there is one
bool setCriterion(Json& criteria, const std::string& attribute, double value) {
    const std::regex form("^(" + attribute + R"(\s*(?:>=|<=|>|<)\s*)[-+0-9.eE]+(.*)$)");
    for (Json& criterion : criteria) {
        const std::string text = criterion.get<std::string>();
        if (std::smatch parts; std::regex_match(text, parts, form)) {
            criterion = parts[1].str() + exactNumber(value) + parts[2].str();
            return true;
        }
    }
    return false;
}

/// Sets the number of a recipe. @throws UsageError for another parameter or a value that it cannot have
void setValue(Recipe& recipe, const Varied& varied, double value) {
    RecipeStep& step = recipe.steps[varied.step];
    if (auto* const objects = std::get_if<ObjectsStep>(&step);
        objects != nullptr && varied.keys == std::vector<std::string>{"threshold"}) {
        ObjectRule& rule = objects->rule;
        ValueBounds bounds;
        (rule.dark || (rule.values && std::isinf(rule.values->low)) ? bounds.high : bounds.low) = value;
        bounds.unit = rule.values ? rule.values->unit : std::string();
        rule.method.reset();
        rule.levels = {};
        rule.dark = false;
        rule.values = bounds;
        return;
    }
    Json json = Json::parse(stepText(step));
    Json* at = &json["parameters"];
    const bool isWord =
        std::ranges::all_of(varied.keys.back(), [](char c) { return c == '_' || std::isalnum(c) != 0; });
    if (isWord && varied.keys.size() == 1 && at->contains("criteria") &&
        setCriterion((*at)["criteria"], varied.keys.front(), value)) {
        at = nullptr;
    }
    for (std::size_t i = 0; at != nullptr && i + 1 < varied.keys.size(); ++i) {
        refuseConflicts({{!at->is_object() || !at->contains(varied.keys[i]),
                          "--vary: '" + varied.name + "': the step has no " + varied.keys[i]}});
        at = &(*at)[varied.keys[i]];
    }
    if (at != nullptr) {
        (*at)[varied.keys.back()] = numberJson(value);
    }
    step = parsedArgument([&] { return parseStep(json.dump()); }, "--vary: '" + varied.name + "': ");
}

/// The recipes of all combinations of values.
struct Trials {
    std::vector<std::vector<double>> values; ///< of each trial
    std::vector<Recipe> recipes;
};
Trials trialsOf(const Recipe& recipe, const std::vector<Varied>& varied) {
    constexpr std::size_t kMost = 10'000;
    Trials trials{{{}}, {recipe}};
    for (const Varied& each : varied) {
        Trials more;
        refuseConflicts(
            {{trials.recipes.size() * each.values.size() > kMost, "--vary: more than 10,000 combinations"}});
        for (std::size_t i = 0; i != trials.recipes.size(); ++i) {
            for (const double value : each.values) {
                more.values.push_back(trials.values[i]);
                more.values.back().push_back(value);
                setValue(more.recipes.emplace_back(trials.recipes[i]), each, value);
            }
        }
        trials = std::move(more);
    }
    return trials;
}

/// Scores per trial and image.
using TrialScores = std::vector<std::vector<ScoreTotals>>;

/// The images of which @p takes(number) is true, as one.
template <class Takes> ScoreTotals pooled(const std::vector<ScoreTotals>& images, const Takes& takes) {
    ScoreTotals all;
    for (std::size_t i = 0; i != images.size(); ++i) {
        if (takes(i)) {
            all += images[i];
        }
    }
    return all;
}

/// The first trial with the highest F1 on these images.
template <class Takes> std::size_t bestOf(const TrialScores& scores, const Takes& takes) {
    std::size_t best = 0;
    double highest = -1;
    for (std::size_t trial = 0; trial != scores.size(); ++trial) {
        const double f1 = pooled(scores[trial], takes).matches.front().f1();
        if (f1 > highest) {
            best = trial;
            highest = f1;
        }
    }
    return best;
}

/// The score of images by the trial that is best on the others: image number i is in fold i modulo the folds.
ScoreTotals crossValidated(const TrialScores& scores, std::size_t folds) {
    ScoreTotals all;
    for (std::size_t fold = 0; fold != folds; ++fold) {
        const std::size_t best = bestOf(scores, [&](std::size_t image) { return image % folds != fold; });
        all += pooled(scores[best], [&](std::size_t image) { return image % folds == fold; });
    }
    return all;
}

/// An image with its truth.
struct TunedImage {
    const std::filesystem::path& path;
    const SelectedPart& part;
    LoadedImage loaded;
    std::shared_ptr<const StoredLabels> truth;
};

/// The images that a recipe is tuned on.
class TunedImages {
public:
    TunedImages(const TuneOptions& options, const Recipe& recipe, Context& context)
        : options_(options), recipe_(recipe), context_(context), truths_(options.truth),
          engines_(enginesWith(context, {})) {}

    /// Calls visit(TunedImage, JobControl) for the images that have a truth.
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
                for (const SelectedPart& part : partsOf(recipe_, image, std::move(read)).parts) {
                    arena.execute([&] { visitPart(image, part, progress, visit); });
                }
            }
        }
        progress.clear();
    }
    [[nodiscard]] std::size_t withoutTruth() const noexcept { return withoutTruth_; }

    [[nodiscard]] RecipeResult run(const Recipe& recipe, const TunedImage& image, const ObjectsListener& listener) {
        RecipeResult result;
        onFirstThatWorks(engines_, context_, [&](Engine& engine) {
            result = runRecipe(recipe, image.loaded, engine, {.threads = context_.common.threads}, context_.stop, {},
                               listener, channelsOfFile(image.path, image.part),
                               labelsOfImage(image.path, image.part.options));
        });
        return result;
    }

private:
    template <class Visit> void visitPart(const std::filesystem::path& image, const SelectedPart& part,
                                          ProgressLine& progress, const Visit& visit) {
        const std::optional<std::filesystem::path> file = truths_.of(image);
        if (!file) {
            ++withoutTruth_;
            return;
        }
        const JobControl control = progress.control(nameInTables(image).string(), context_.stop);
        LoadedImage loaded = readPart(image, part, control);
        const std::shared_ptr<const StoredLabels> truth =
            labelsOfImage(image, part.options)(file->string(), loaded.image->extent(), readsVolume(recipe_), control);
        visit(TunedImage{image, part, std::move(loaded), truth}, control);
    }

    const TuneOptions& options_;
    const Recipe& recipe_;
    Context& context_;
    TruthFolder truths_;
    std::vector<Engine*> engines_;
    std::size_t withoutTruth_ = 0;
};

/// The listed objects of a recipe, or the labels of its last filter.
Buffer<std::uint32_t> tunedLabels(TunedImages& images, const Recipe& recipe, const TunedImage& image) {
    Buffer<std::uint32_t> labels;
    const RecipeResult result =
        images.run(recipe, image, [&](const ObjectsStepReport& report, std::size_t, const JobControl&) {
            labels = listedLabels(report);
        });
    if (labels.size() == 0 && result.labelled) {
        labels = Buffer<std::uint32_t>(result.labelled->labels.size());
        std::ranges::copy(result.labelled->labels, labels.begin());
    }
    return labels;
}

/// @throws Error(invalidArgument) if no image has a truth
TrialScores trialScores(TunedImages& images, const std::vector<Recipe>& recipes, const TuneOptions& options) {
    TrialScores scores(recipes.size());
    const std::vector<double> thresholds = usualThresholds();
    images.forEach([&](const TunedImage& image, const JobControl& control) {
        for (std::size_t trial = 0; trial != recipes.size(); ++trial) {
            control.report(static_cast<double>(trial) / static_cast<double>(recipes.size()), "trying values");
            control.throwIfStopped();
            const Buffer<std::uint32_t> labels = tunedLabels(images, recipes[trial], image);
            ScoreTotals& own = scores[trial].emplace_back();
            own.add(LabelScores(labels.span(), image.truth->labels.span(), thresholds, control), labels.size());
        }
    });
    if (scores.front().empty()) {
        throw Error(ErrorCode::invalidArgument, "tune: none of the images has a truth in " + options.truth);
    }
    return scores;
}

std::string trialText(const std::vector<Varied>& varied, const std::vector<double>& values) {
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

void printTuned(const TuneOptions& options, const std::vector<Varied>& varied, const Trials& tried,
                const TrialScores& scores, std::size_t withoutTruth, Context& context) {
    const auto all = [](std::size_t) { return true; };
    const std::size_t images = scores.front().size();
    const std::size_t best = bestOf(scores, all);
    const std::size_t folds = std::min<std::size_t>(options.folds, images);
    std::vector<std::string> titles;
    std::ranges::transform(varied, std::back_inserter(titles), &Varied::name);
    std::vector<std::vector<std::string>> rows{titles};
    rows.front().insert(rows.front().end(), {"precision", "recall", "f1", "mean_accuracy"});
    titles.insert(titles.end(), {"precision", "recall", "F1", "mean accuracy"});
    const std::string aligned(titles.size(), 'r');
    TextTable table(std::move(titles), aligned);
    Report report;
    Json& trials = report.fields["trials"] = Json::array();
    for (std::size_t trial = 0; trial != scores.size(); ++trial) {
        const ScoreTotals score = pooled(scores[trial], all);
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
    const ScoreTotals score = pooled(scores[best], all);
    report.fields.update(
        {{"images", images}, {"pixels", score.pixels}, {"without_truth", withoutTruth}, {"best", trials[best]}});
    report.text << "best of " << imagesText(images, withoutTruth) << ": " << trialText(varied, tried.values[best])
                << ", F1 " << fixed(score.matches.front().f1(), 3) << '\n';
    addCrossValidated(report, folds, folds > 1 ? std::optional(crossValidated(scores, folds)) : std::nullopt, "values");
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

/// Learns weights of best components from all images, and for the cross-validation from the images outside each fold.
void tuneWeights(Context& context, const TuneOptions& options, Recipe recipe) {
    BestRule& rule = bestRuleOf(recipe);
    const Recipe before = recipe;
    TunedImages images(options, recipe, context);
    std::vector<BestLesson> lessons;
    images.forEach([&](const TunedImage& image, const JobControl& control) {
        std::optional<BestLesson> lesson;
        (void)images.run(before, image, [&](const ObjectsStepReport& report, std::size_t, const JobControl&) {
            if (report.candidates) {
                const std::optional<double> size = report.components.expectedArea;
                lesson.emplace(*report.candidates, size && *size > 0 ? size : std::nullopt, image.truth->labels.span(),
                               control);
            }
        });
        lessons.push_back(std::move(*lesson));
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
    std::vector<Recipe> trials{before};
    for (std::size_t fold = 0; folds > 1 && fold != folds; ++fold) {
        rule.weights = learnedWithout(fold);
        trials.push_back(recipe);
    }
    rule.weights = learnedWithout(folds);
    trials.push_back(recipe);
    const TrialScores scores = trialScores(images, trials, options);

    const auto all = [](std::size_t) { return true; };
    Report report;
    TextTable table({"weights", "precision", "recall", "F1", "mean accuracy"}, "lrrrr");
    for (const auto& [key, shown, trial] :
         {std::tuple("before", "as before", std::size_t{0}), std::tuple("learned", "learned", trials.size() - 1)}) {
        std::vector<std::string> row{shown};
        for (const auto& [name, value] : numbersOf(pooled(scores[trial], all))) {
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
        const ScoreTotals part = pooled(scores[fold + 1], [&](std::size_t image) { return image % folds == fold; });
        others = others.value_or(ScoreTotals{});
        *others += part;
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
    for (const std::string& file : {options.table, options.learned}) {
        if (!file.empty()) {
            requireWritable(file);
        }
    }
    if (options.weights) {
        tuneWeights(context, options, argument.recipe);
        return;
    }
    std::vector<Varied> varied;
    for (const std::string& text : options.vary) {
        varied.push_back(variedIn(text, argument.recipe));
    }
    const Trials trials = trialsOf(argument.recipe, varied);
    TunedImages images(options, argument.recipe, context);
    const TrialScores scores = trialScores(images, trials.recipes, options);
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
