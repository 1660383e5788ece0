#include "batch/tune.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "batch/truth_folder.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "image/value_mapping.hpp"
#include "recipe/run_recipe.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <regex>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace pollard {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "'" + name + "': " + why);
}

/// "objects.best.size": objects, best, size.
std::vector<std::string> keysOf(const std::string& name) {
    std::vector<std::string> keys;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t to = std::min(name.find('.', from), name.size());
        keys.push_back(name.substr(from, to - from));
        from = to + 1;
    }
    return keys;
}

/// The parts of a criterion on one bound of an attribute: before its number, the number, and its unit.
std::optional<std::array<std::string, 3>> partsOf(const std::string& criterion, const std::string& attribute) {
    const std::regex form("^(" + attribute + R"(\s*(?:>=|<=|>|<)\s*)([-+0-9.eE]+)(.*)$)");
    std::smatch parts;
    return std::regex_match(criterion, parts, form)
               ? std::optional(std::array{parts.str(1), parts.str(2), parts.str(3)})
               : std::nullopt;
}

bool isLastOfItsId(const Recipe& recipe, std::size_t step) {
    return std::none_of(recipe.steps.begin() + static_cast<std::ptrdiff_t>(step) + 1, recipe.steps.end(),
                        [&](const RecipeStep& later) { return idOf(later) == idOf(recipe.steps[step]); });
}

void addCriteria(const Json& criteria, std::vector<RecipeNumber>& numbers) {
    for (const Json& criterion : criteria) {
        const std::string text = criterion.get<std::string>();
        const auto isLetter = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
        const std::string attribute(text.begin(), std::ranges::find_if_not(text, isLetter));
        if (const auto parts = partsOf(text, attribute)) {
            const std::string& number = (*parts)[1];
            RecipeNumber found{"filter." + attribute, 0, std::string(trimmed((*parts)[2]))};
            const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), found.value);
            if (problem == std::errc{} &&
                std::ranges::find(numbers, found.name, &RecipeNumber::name) == numbers.end()) {
                numbers.push_back(std::move(found));
            }
        }
    }
}

void addObjects(const ObjectRule& rule, const Json& parameters, std::vector<RecipeNumber>& numbers) {
    const bool takesThreshold =
        !rule.labels && !rule.best && !rule.hierarchy && !(rule.watershed && rule.watershed->everywhere) && !rule.above;
    if (takesThreshold) {
        const double value = !rule.values                   ? std::numeric_limits<double>::quiet_NaN()
                             : std::isinf(rule.values->low) ? rule.values->high
                                                            : rule.values->low;
        numbers.push_back({"objects.threshold", value, rule.values ? rule.values->unit : std::string()});
    }
    for (const char* const part : {"above_background", "best", "watershed", "hierarchy", "split"}) {
        if (parameters.contains(part)) {
            for (const auto& [key, value] : parameters[part].items()) {
                if (value.is_number()) {
                    numbers.push_back({std::string("objects.") + part + '.' + key, value.get<double>()});
                }
            }
        }
    }
}

/// Replaces the number of the criterion on an attribute. @return whether there is one
bool setCriterion(Json& criteria, const std::string& attribute, double value) {
    for (Json& criterion : criteria) {
        if (const auto parts = partsOf(criterion.get<std::string>(), attribute)) {
            criterion = (*parts)[0] + exactNumber(value) + (*parts)[2];
            return true;
        }
    }
    return false;
}

void setThreshold(ObjectRule& rule, double value) {
    ValueBounds bounds;
    (rule.dark || (rule.values && std::isinf(rule.values->low)) ? bounds.high : bounds.low) = value;
    bounds.unit = rule.values ? rule.values->unit : std::string();
    rule.method.reset();
    rule.levels = {};
    rule.dark = false;
    rule.values = bounds;
}

/// The number as an integer if it is one, as whole parameters need it.
Json jsonOf(double value) {
    constexpr double kLargest = 0x1p53;
    return std::floor(value) == value && std::abs(value) < kLargest ? Json(static_cast<std::int64_t>(value))
                                                                    : Json(value);
}

/// The listed objects of a recipe, or the labels of its last filter.
Buffer<std::uint32_t> labelsOf(const Recipe& recipe, const LoadedImage& loaded, const TrialImage& image,
                               const TrialRun& run) {
    Buffer<std::uint32_t> labels;
    onFirstThatWorks(
        run.engines,
        [&](Engine& engine) {
            const RecipeResult result = runRecipe(
                recipe, loaded, engine, {.threads = run.threads}, run.stop, {},
                [&](const ObjectsStepReport& report, std::size_t, const JobControl&) { labels = listedLabels(report); },
                channelsOfFile(image.file, image.part), labelsOfImage(image.file, image.part.options));
            if (labels.size() == 0 && result.labelled) {
                labels = Buffer<std::uint32_t>(result.labelled->labels.size());
                std::ranges::copy(result.labelled->labels, labels.begin());
            }
        },
        run.failed);
    return labels;
}

} // namespace

std::vector<RecipeNumber> numbersOf(const Recipe& recipe) {
    std::vector<RecipeNumber> numbers;
    for (std::size_t step = 0; step != recipe.steps.size(); ++step) {
        if (!isLastOfItsId(recipe, step)) {
            continue;
        }
        const auto* const objects = std::get_if<ObjectsStep>(&recipe.steps[step]);
        if (objects == nullptr && !std::holds_alternative<FilterStep>(recipe.steps[step])) {
            continue;
        }
        const Json json = Json::parse(stepText(recipe.steps[step]));
        const Json& parameters = json.at("parameters");
        if (objects != nullptr) {
            addObjects(objects->rule, parameters, numbers);
        } else {
            addCriteria(parameters.value("criteria", Json::array()), numbers);
        }
    }
    return numbers;
}

Recipe withNumber(Recipe recipe, const RecipeNumber& number) {
    std::vector<std::string> keys = keysOf(number.name);
    const std::string id = keys.front();
    keys.erase(keys.begin());
    const auto found = std::find_if(recipe.steps.rbegin(), recipe.steps.rend(),
                                    [&](const RecipeStep& step) { return idOf(step) == id; });
    if (found == recipe.steps.rend() || id == "read" || keys.empty()) {
        refuse(number.name, "must be a parameter of a step of the recipe after reading, such as objects.threshold");
    }
    RecipeStep& step = *found;
    if (auto* const objects = std::get_if<ObjectsStep>(&step);
        objects != nullptr && keys == std::vector<std::string>{"threshold"}) {
        setThreshold(objects->rule, number.value);
        return recipe;
    }
    Json json = Json::parse(stepText(step));
    Json* at = &json["parameters"];
    const bool isWord = std::ranges::all_of(
        keys.back(), [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
    if (!isWord || keys.size() != 1 || !at->contains("criteria") ||
        !setCriterion((*at)["criteria"], keys.front(), number.value)) {
        for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
            if (!at->is_object() || !at->contains(keys[i])) {
                refuse(number.name, "the step has no " + keys[i]);
            }
            at = &(*at)[keys[i]];
        }
        (*at)[keys.back()] = jsonOf(number.value);
    }
    try {
        step = parseStep(json.dump());
    } catch (const Error& error) {
        refuse(number.name, error.what());
    }
    return recipe;
}

Trials trialsOf(const Recipe& recipe, std::span<const TriedNumber> numbers) {
    constexpr std::size_t kMost = 10'000;
    Trials trials{{{}}, {recipe}};
    for (const TriedNumber& number : numbers) {
        if (trials.recipes.size() * number.values.size() > kMost) {
            throw Error(ErrorCode::invalidArgument, "more than 10,000 combinations");
        }
        Trials more;
        for (std::size_t i = 0; i != trials.recipes.size(); ++i) {
            for (const double value : number.values) {
                more.values.push_back(trials.values[i]);
                more.values.back().push_back(value);
                more.recipes.push_back(withNumber(trials.recipes[i], {number.name, value}));
            }
        }
        trials = std::move(more);
    }
    return trials;
}

void TrialScores::add(const Trials& trials, const TrialImage& image, const TrialRun& run, const JobControl& control) {
    const LoadedImage loaded = readPart(image.file, image.part, control.withoutProgress());
    const bool isVolume = readsVolume(trials.recipes.front());
    const std::shared_ptr<const StoredLabels> truth = labelsOfImage(image.file, image.part.options)(
        image.truth, loaded.image->extent(), isVolume, control.withoutProgress());
    const std::vector<double> thresholds = usualThresholds();
    std::vector<ScoreTotals> scores(trials.recipes.size());
    for (std::size_t trial = 0; trial != scores.size(); ++trial) {
        control.report(static_cast<double>(trial) / static_cast<double>(scores.size()), "trying values");
        control.throwIfStopped();
        const Buffer<std::uint32_t> labels = labelsOf(trials.recipes[trial], loaded, image, run);
        scores[trial].add(LabelScores(labels.span(), truth->labels.span(), thresholds, control.withoutProgress()),
                          labels.size());
    }
    for (std::size_t trial = 0; trial != scores.size(); ++trial) {
        scores_[trial].push_back(std::move(scores[trial]));
    }
}

ScoreTotals TrialScores::pooled(std::size_t trial, const Takes& takes) const {
    ScoreTotals all;
    for (std::size_t image = 0; image != images(); ++image) {
        if (takes(image)) {
            all += scores_[trial][image];
        }
    }
    return all;
}

std::size_t TrialScores::bestOf(const Takes& takes) const {
    std::size_t best = 0;
    double highest = -1;
    for (std::size_t trial = 0; trial != trials(); ++trial) {
        const double f1 = pooled(trial, takes).matches.front().f1();
        if (f1 > highest) {
            best = trial;
            highest = f1;
        }
    }
    return best;
}

ScoreTotals TrialScores::ofFold(std::size_t trial, std::size_t fold, std::size_t folds) const {
    return pooled(trial, [&](std::size_t image) { return image % folds == fold; });
}

ScoreTotals TrialScores::of(std::size_t trial) const {
    return pooled(trial, [](std::size_t) { return true; });
}

std::size_t TrialScores::best() const {
    return bestOf([](std::size_t) { return true; });
}

std::vector<TrialScores::Fold> TrialScores::folds(std::size_t most) const {
    const std::size_t count = std::min(most, images());
    std::vector<Fold> folds;
    for (std::size_t fold = 0; count > 1 && fold != count; ++fold) {
        const std::size_t trial = bestOf([&](std::size_t image) { return image % count != fold; });
        folds.push_back({trial, ofFold(trial, fold, count)});
    }
    return folds;
}

} // namespace pollard
