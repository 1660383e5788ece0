#include "vm/recipe/tune_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/labels/score_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/session/edit_history.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "batch/input_files.hpp"
#include "io/label_file.hpp"
#include "recipe/recipe.hpp"

#include <QFileInfo>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace pollard::vm {
namespace {

struct TuneJob {
    std::vector<TriedNumber> numbers;
    std::vector<QString> units;
    Recipe recipe;
    std::filesystem::path image;
    std::string truth;
    TuneViewModel::Engines engines;
    std::shared_ptr<std::atomic<double>> progress;
};

/// The open image, then the images of its folder that have a truth.
std::vector<std::filesystem::path> imagesWithTruth(const TuneJob& job) {
    std::vector<std::filesystem::path> images{job.image};
    if (job.truth.find("{stem}") != std::string::npos) {
        for (const std::filesystem::path path : imagesIn(job.image.parent_path())) {
            std::error_code ignored;
            if (path != job.image && std::filesystem::exists(labelFileOf(job.truth, path), ignored)) {
                images.push_back(path);
            }
        }
    }
    return images;
}

TuneResult tuned(const TuneJob& job, const std::stop_token& stop) {
    TuneResult result{job.numbers, job.units, job.recipe, trialsOf(job.recipe, job.numbers)};
    TrialScores scores(result.trials.recipes.size());
    const TrialRun run{job.engines(), {}, 0, stop};
    const std::vector<std::filesystem::path> images = imagesWithTruth(job);
    for (std::size_t i = 0; i != images.size(); ++i) {
        const JobControl control(stop, [&](double share, std::string_view) {
            *job.progress = (static_cast<double>(i) + share) / static_cast<double>(images.size());
        });
        for (const SelectedPart& part : partsOf(job.recipe, images[i], readOptionsOf(job.recipe)).parts) {
            scores.add(result.trials, {images[i], part, job.truth}, run, control);
        }
    }
    result.images = scores.images();
    result.best = scores.best();
    for (std::size_t trial = 0; trial != scores.trials(); ++trial) {
        result.f1.push_back(scores.of(trial).matches.front().f1());
    }
    result.folds = scores.folds(TuneViewModel::kFolds);
    return result;
}

QString textOf(const RecipeStep& step) { return QString::fromStdString(stepText(step)).trimmed(); }

/// Half to double of a number; from 0 on if it is 0, and at most 1 if it is a share.
TuneRange rangeAround(const RecipeNumber& number) {
    const QString name = QString::fromStdString(number.name);
    const bool isShare = name.endsWith(QStringLiteral(".strictness")) || name.endsWith(QStringLiteral(".strength"));
    if (isShare) {
        return {name, 0.1, 0.9};
    }
    TuneRange range{name, 0, 1, TuneRange::kUsualCount, QString::fromStdString(number.unit)};
    if (number.value != 0) {
        std::tie(range.first, range.last) = std::minmax({number.value / 2, number.value * 2});
    }
    return range;
}

} // namespace

TriedNumber TuneRange::values() const {
    constexpr double kDigits = 1e9;
    TriedNumber tried{name.toStdString(), {}};
    for (int i = 0; i < count; ++i) {
        const double value = count == 1 ? first : first + (last - first) * i / (count - 1);
        tried.values.push_back(std::round(value * kDigits) / kDigits);
    }
    return tried;
}

double TuneResult::crossValidatedF1() const {
    ScoreTotals all;
    for (const TrialScores::Fold& fold : folds) {
        all += fold.score;
    }
    return all.matches.front().f1();
}

TuneViewModel::TuneViewModel(const Subjects& subjects, Engines engines, QObject* parent)
    : QObject(parent), subjects_(subjects), engines_(std::move(engines)) {
    connect(&subjects_.document, &DocumentViewModel::imageChanged, this, &TuneViewModel::cancel);
}

std::vector<TuneRange> TuneViewModel::proposals() const {
    std::vector<TuneRange> ranges;
    if (!subjects_.document.hasImage()) {
        return ranges;
    }
    for (RecipeNumber number : numbersOf(subjects_.recipe.recipe())) {
        if (const auto found = subjects_.objects.objects(); std::isnan(number.value) && found) {
            const bool isDark = subjects_.objects.rule().dark;
            const auto level = isDark ? found->high : found->low;
            const auto mapping = originalMappingOf(subjects_.document);
            number.value = mapping ? mapping->valueOf(level) : level;
            number.unit = mapping ? mapping->unit : std::string();
        }
        if (!std::isnan(number.value)) {
            ranges.push_back(rangeAround(number));
        }
    }
    return ranges;
}

void TuneViewModel::start(const std::vector<TuneRange>& ranges) {
    TuneJob job{{},
                {},
                subjects_.recipe.recipe(),
                QFileInfo(subjects_.document.path()).filesystemAbsoluteFilePath(),
                subjects_.score.truth().toStdString(),
                engines_,
                progress_};
    std::ranges::transform(ranges, std::back_inserter(job.numbers), &TuneRange::values);
    std::ranges::transform(ranges, std::back_inserter(job.units), &TuneRange::unit);
    *progress_ = 0;
    result_.begin(nullptr);
    result_.compute([job = std::move(job)](const std::stop_token& stop) { return tuned(job, stop); });
}

QString TuneViewModel::take(std::size_t trial) {
    const auto result = this->result();
    RecipeViewModel& recipe = subjects_.recipe;
    const EditHistory::Group group(subjects_.history, tr("tuned numbers"));
    for (std::size_t step = 0; step != result->recipe.steps.size(); ++step) {
        const RecipeStep& wanted = result->trials.recipes[trial].steps[step];
        if (wanted == result->recipe.steps[step]) {
            continue;
        }
        const QString present = textOf(result->recipe.steps[step]);
        int row = recipe.rowCount() - 1;
        while (row >= 0 && recipe.data(recipe.index(row), RecipeViewModel::textRole).toString() != present) {
            --row;
        }
        QString problem =
            row < 0 ? tr("The recipe has changed since. Try the values again.") : recipe.edit(row, textOf(wanted));
        if (!problem.isEmpty()) {
            return problem;
        }
    }
    return {};
}

} // namespace pollard::vm
