#pragma once

#include "base/job_control.hpp"
#include "components/label_scores.hpp"
#include "engine/engine_registry.hpp"
#include "io/page_selection.hpp"
#include "recipe/recipe.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard {

/// A number of a recipe, named STEP.PARAMETER as in its file: "objects.best.strictness". The last step of an id counts.
/// "objects.threshold" is a threshold by hand, "filter.area" the number of the first criterion on the area.
struct RecipeNumber {
    std::string name;
    double value = 0;      ///< NaN: chosen by a method
    std::string unit = {}; ///< of the value, as the recipe states it; empty: none
};

/// The numbers of filters, and those that decide about objects, in the order of the steps.
[[nodiscard]] std::vector<RecipeNumber> numbersOf(const Recipe& recipe);

/// @throws Error(invalidArgument) naming the number, if the recipe has no such step or cannot have the value
[[nodiscard]] Recipe withNumber(Recipe recipe, const RecipeNumber& number);

/// A number of a recipe with the values that are tried.
struct TriedNumber {
    std::string name;
    std::vector<double> values;
};

/// All combinations of values.
struct Trials {
    std::vector<std::vector<double>> values; ///< per trial, in the order of the numbers; the last one runs fastest
    std::vector<Recipe> recipes;             ///< per trial
};
/// @throws Error(invalidArgument) for more than 10,000 trials; as withNumber()
[[nodiscard]] Trials trialsOf(const Recipe& recipe, std::span<const TriedNumber> numbers);

/// A part of an image file with its truth.
struct TrialImage {
    std::filesystem::path file;
    SelectedPart part;
    std::string truth; ///< see labelFileOf()
};

/// How trials run.
struct TrialRun {
    std::vector<Engine*> engines; ///< tried in this order
    FallbackListener failed = {};
    int threads = 0;
    std::stop_token stop = {};
};

/// The scores of trials, with usualThresholds(), per image.
class TrialScores {
public:
    explicit TrialScores(std::size_t trials) : scores_(trials) {}

    /// Scores the last listed objects of each trial, or the labels of its last filter.
    /// @throws errors of runRecipe() and of the truth, which has the size of the image; Cancelled
    void add(const Trials& trials, const TrialImage& image, const TrialRun& run, const JobControl& control = {});

    [[nodiscard]] std::size_t trials() const noexcept { return scores_.size(); }
    [[nodiscard]] std::size_t images() const noexcept { return scores_.front().size(); }
    /// The score of all images together.
    [[nodiscard]] ScoreTotals of(std::size_t trial) const;
    /// The score of the images of a fold, see folds().
    [[nodiscard]] ScoreTotals ofFold(std::size_t trial, std::size_t fold, std::size_t folds) const;
    /// The first trial with the highest F1.
    [[nodiscard]] std::size_t best() const;

    /// Images scored with the trial that is best on all other images.
    struct Fold {
        std::size_t trial = 0;
        ScoreTotals score;
    };
    /// Cross-validation: image number i is in fold i modulo the folds. Empty for fewer than two folds or images.
    /// @param most number of folds; more than images are as many as images
    [[nodiscard]] std::vector<Fold> folds(std::size_t most) const;

private:
    using Takes = std::function<bool(std::size_t image)>;
    [[nodiscard]] ScoreTotals pooled(std::size_t trial, const Takes& takes) const;
    [[nodiscard]] std::size_t bestOf(const Takes& takes) const;

    std::vector<std::vector<ScoreTotals>> scores_; ///< per trial and image
};

} // namespace pollard
