#pragma once

#include "vm/base/async_result.hpp"

#include "batch/tune.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class EditHistory;
class ObjectsViewModel;
class RecipeViewModel;
class ScoreViewModel;

/// Equally spaced values of a number of the recipe.
struct TuneRange {
    QString name; ///< see RecipeNumber
    double first = 0;
    double last = 1;
    int count = kUsualCount;
    QString unit = {}; ///< of the values; empty: none

    static constexpr int kUsualCount = 9;
    static constexpr int kMostCount = 50;
    /// Rounded to nine decimals, so that .1 + .2 is .3.
    [[nodiscard]] TriedNumber values() const;
};

/// The scores of values of one or two numbers; immutable.
struct TuneResult {
    std::vector<TriedNumber> numbers;
    std::vector<QString> units; ///< of the numbers; empty: none
    Recipe recipe;              ///< of the window
    Trials trials = {};
    std::vector<double> f1 = {}; ///< of each trial, all images together
    std::size_t best = 0;
    std::size_t images = 0;
    std::vector<TrialScores::Fold> folds = {}; ///< of the cross-validation; empty for one image
    [[nodiscard]] double crossValidatedF1() const;
};

/// Tries values of one or two numbers of the window's recipe, like `pollard-cli tune`: on the open image, and on the
/// images of its folder that have a file of the truth if the name of the truth has "{stem}". Computed on another
/// thread. A trial is taken as one entry of the history.
class TuneViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kFolds = 5;

    /// All must outlive this.
    struct Subjects {
        DocumentViewModel& document;
        const ObjectsViewModel& objects;
        const ScoreViewModel& score;
        RecipeViewModel& recipe;
        EditHistory& history;
    };
    using Engines = std::function<std::vector<Engine*>()>;
    /// @param engines called on another thread. @throws Error
    TuneViewModel(const Subjects& subjects, Engines engines, QObject* parent = nullptr);

    /// Ranges around the numbers of the recipe.
    [[nodiscard]] std::vector<TuneRange> proposals() const;

    /// @param ranges one or two
    void start(const std::vector<TuneRange>& ranges);
    /// Stops; there is no result.
    void cancel() { result_.clear(); }
    [[nodiscard]] AsyncState state() const noexcept { return result_.state(); }
    [[nodiscard]] QString problem() const { return result_.problem(); }          ///< of AsyncState::failed
    [[nodiscard]] double progress() const noexcept { return progress_->load(); } ///< 0 .. 1, while computing
    [[nodiscard]] std::shared_ptr<const TuneResult> result() const noexcept { return result_.value(); }

    /// Sets the numbers of a trial in the window. @return the reason of a failure; empty after success
    QString take(std::size_t trial);

signals:
    void changed(); ///< state or result

private:
    Subjects subjects_;
    Engines engines_;
    std::shared_ptr<std::atomic<double>> progress_ = std::make_shared<std::atomic<double>>(0);
    AsyncResult<TuneResult> result_{[this] { emit changed(); }};
};

} // namespace pollard::vm
