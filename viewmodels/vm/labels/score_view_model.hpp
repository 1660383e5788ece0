#pragma once

#include "vm/base/async_result.hpp"

#include "components/label_scores.hpp"
#include "image/image.hpp"
#include "io/label_file.hpp"
#include "session/session.hpp"

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class ObjectTableModel;
struct ObjectListing;

/// An object of the truth without a partner, or an invented one of the displayed objects.
struct ScoreError {
    ObjectOutcome outcome{};
    std::uint32_t number = 0; ///< in tables and files
    double overlap = 0;       ///< the largest intersection over union with an object of the other image
    double x = 0;             ///< centroid, px; the centre of the first pixel is 0
    double y = 0;
    double z = 0; ///< slice
};

/// The listed objects beside the truth; immutable.
struct ObjectScore {
    std::shared_ptr<const StoredLabels> truth;
    ScoreTotals totals; ///< at the chosen threshold, then at usualThresholds()
    std::optional<BoundaryDistances> distances;
    QString unit;                          ///< of the distances, "µm"
    std::vector<ScoreError> errors;        ///< by outcome, then by number
    std::shared_ptr<const Image> outcomes; ///< see outcomeImage()
};

/// The outcomes that are errors.
inline constexpr std::array kErrorOutcomes{ObjectOutcome::missed, ObjectOutcome::invented, ObjectOutcome::split,
                                           ObjectOutcome::merged};
/// "Missed", "Invented" .. in the user's language.
[[nodiscard]] QString outcomeTitle(ObjectOutcome outcome);

/// The listed objects beside the true ones of a file, like `pollard-cli score`: computed on another thread while
/// active, again after each change of the objects.
class ScoreViewModel : public Analysis {
    Q_OBJECT

public:
    static constexpr double kLeastThreshold = 0.01;

    /// @param document,table must outlive this
    ScoreViewModel(DocumentViewModel& document, const ObjectTableModel& table, QObject* parent = nullptr);

    [[nodiscard]] bool isIdle() const override { return !result_.isBusy(); }
    [[nodiscard]] AsyncState state() const noexcept { return result_.state(); }
    [[nodiscard]] QString problem() const { return result_.problem(); } ///< of AsyncState::failed
    /// The newest score; null if there is none.
    [[nodiscard]] std::shared_ptr<const ObjectScore> score() const noexcept { return result_.value(); }
    /// The file with the true labels, see labelFileOf(); empty: none.
    [[nodiscard]] QString truth() const { return truth_; }
    /// Smallest intersection over union of partners.
    [[nodiscard]] double threshold() const noexcept { return threshold_; }
    /// Whether the image shows outcomes instead of the colours of objects while there is a score.
    [[nodiscard]] bool coloursErrors() const noexcept { return coloursErrors_; }
    /// The score whose outcomes the image shows; null: none.
    [[nodiscard]] std::shared_ptr<const ObjectScore> coloured() const noexcept {
        return coloursErrors_ ? score() : nullptr;
    }
    /// Truth and threshold for a session; nothing without truth.
    [[nodiscard]] std::optional<SessionTruth> stored() const;
    /// Takes them from a session; nothing: no truth.
    void restore(const std::optional<SessionTruth>& truth);
    /// The slice of an error in a volume.
    void showSliceOf(const ScoreError& error);

public slots:
    void setTruth(const QString& name);
    /// Takes a file by its name relative to the image.
    void chooseTruth(const QString& path);
    void setThreshold(double threshold);
    void setColoursErrors(bool on) { vm::change(this, coloursErrors_, on, &ScoreViewModel::settingsChanged); }

signals:
    void settingsChanged();

private:
    void onActive() override { update(); }
    void update();

    DocumentViewModel& document_;
    const ObjectTableModel& table_;
    QString truth_;
    double threshold_ = LabelScores::kUsualThreshold;
    bool coloursErrors_ = false;
    AsyncResult<ObjectScore> result_{[this] { emit changed(); }};
};

/// The errors of a score as a table, one per row.
class ScoreErrorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { outcome, number, place, overlap };
    static constexpr int kColumns = 4;

    /// @param score must outlive this
    explicit ScoreErrorModel(const ScoreViewModel& score, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, text alignment.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Null if there is none.
    [[nodiscard]] const ScoreError* errorAt(int row) const;

private:
    std::shared_ptr<const ObjectScore> shown_;
};

} // namespace pollard::vm
