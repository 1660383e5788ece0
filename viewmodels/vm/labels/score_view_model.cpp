#include "vm/labels/score_view_model.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "base/system.hpp"
#include "components/components.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "io/image_file.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kOverlapDigits = 3;

/// What a score is made of.
struct ScoreJob {
    std::shared_ptr<const ObjectListing> listing;
    std::shared_ptr<const StoredLabels> truth; ///< null: not read yet
    LabelSource read;
    std::string name; ///< of the truth
    VoxelSides sides; ///< in `unit`
    QString unit;     ///< of distances
    double threshold = LabelScores::kUsualThreshold;
};

/// @throws Error(outOfMemory) before the memory of a score is taken
void requireScoreMemory(std::size_t pixels) {
    constexpr std::size_t kBytes = 32; // labels of both, outcomes, distances and boundaries of one direction
    if (const std::uint64_t there = availableMemory(); there != 0 && pixels * kBytes > there) {
        throw Error(ErrorCode::outOfMemory, "score: this needs " + std::to_string(pixels * kBytes >> 20U) +
                                                " MiB, there are " + std::to_string(there >> 20U) + " MiB");
    }
}

/// The labels of the listed objects; the others are background.
Buffer<std::uint32_t> labelsInList(const ObjectListing& listing, const JobControl& control) {
    const Components& found = listing.found->components;
    Buffer<std::uint32_t> labels(found.labels.size());
    for (std::size_t row = 0; row < labels.size(); row += found.width) {
        control.throwIfStopped();
        for (std::size_t at = row; at < row + found.width; ++at) {
            labels[at] = listing.lists(found.labels[at]) ? found.labels[at] : 0;
        }
    }
    return labels;
}

/// Errors among the objects of the truth, with their centroids.
std::vector<ScoreError> errorsOfTruth(const LabelScores& scores, const StoredLabels& truth, const JobControl& control) {
    std::vector<ScoreError> errors;
    std::vector<double> pixels;
    for (const ScoredObject& object : scores.truth()) {
        if (object.outcome != ObjectOutcome::matched) {
            errors.push_back({object.outcome, object.label, object.overlap});
            pixels.push_back(static_cast<double>(object.pixels));
        }
    }
    const Extent& extent = truth.extent;
    std::uint32_t last = 0; // label of `error`
    ScoreError* error = nullptr;
    std::size_t at = 0;
    for (std::uint32_t z = 0; z < extent.slices; ++z) {
        for (std::uint32_t y = 0; y < extent.height; ++y) {
            control.throwIfStopped();
            for (std::uint32_t x = 0; x < extent.width; ++x, ++at) {
                if (const std::uint32_t label = truth.labels[at]; label != last) {
                    const auto place = std::ranges::lower_bound(errors, label, {}, &ScoreError::number);
                    error = place != errors.end() && place->number == label ? &*place : nullptr;
                    last = label;
                }
                if (error != nullptr) {
                    error->x += x;
                    error->y += y;
                    error->z += z;
                }
            }
        }
    }
    for (std::size_t i = 0; i != errors.size(); ++i) {
        errors[i].x /= pixels[i];
        errors[i].y /= pixels[i];
        errors[i].z /= pixels[i];
    }
    return errors;
}

ScoreError inventedOf(const ScoredObject& object, const Components& found) {
    const ComponentRecord& record = found.objects[object.label - 1];
    ScoreError error{object.outcome, found.numberOf(object.label), object.overlap, record.centroidX(),
                     record.centroidY()};
    if (object.label <= found.depths.size()) {
        error.z = static_cast<double>(found.depths[object.label - 1].sumZ) / static_cast<double>(record.area);
    }
    return error;
}

ObjectScore scoreOf(const ScoreJob& job, const JobControl& control) {
    const Components& found = job.listing->found->components;
    const Extent extent = found.extent();
    requireScoreMemory(extent.pixelCount());
    ObjectScore score;
    score.truth = job.truth ? job.truth : job.read(job.name, extent, found.isVolume(), control);
    const std::span<const std::uint32_t> truth = score.truth->labels.span();
    const Buffer<std::uint32_t> labels = labelsInList(*job.listing, control);
    std::vector<double> thresholds = usualThresholds();
    thresholds.insert(thresholds.begin(), job.threshold);
    const LabelScores scores(labels.span(), truth, thresholds, control);
    score.totals.add(scores, labels.size());
    score.distances = boundaryDistances(labels.span(), truth, extent, job.sides, control);
    score.unit = job.unit;
    score.outcomes = std::make_shared<const Image>(outcomeImage(scores, labels.span(), truth, extent, control));
    score.errors = errorsOfTruth(scores, *score.truth, control);
    for (const ScoredObject& object : scores.found()) {
        if (object.outcome == ObjectOutcome::invented) {
            score.errors.push_back(inventedOf(object, found));
        }
    }
    std::ranges::sort(score.errors, {},
                      [](const ScoreError& error) { return std::tuple(error.outcome, error.number); });
    return score;
}

} // namespace

QString outcomeTitle(ObjectOutcome outcome) {
    switch (outcome) {
    case ObjectOutcome::missed:
        return ScoreViewModel::tr("Missed");
    case ObjectOutcome::invented:
        return ScoreViewModel::tr("Invented");
    case ObjectOutcome::split:
        return ScoreViewModel::tr("Split");
    case ObjectOutcome::merged:
        return ScoreViewModel::tr("Merged");
    case ObjectOutcome::matched:
        break;
    }
    return ScoreViewModel::tr("Matched");
}

ScoreViewModel::ScoreViewModel(DocumentViewModel& document, const ObjectTableModel& table, QObject* parent)
    : Analysis(parent), document_(document), table_(table) {
    connect(&document_, &DocumentViewModel::imageChanged, this, [this] { result_.clear(); });
    connect(&table_, &ObjectTableModel::listingChanged, this, &ScoreViewModel::update);
    connect(&table_, &ObjectTableModel::unitChanged, this, &ScoreViewModel::update);
}

void ScoreViewModel::setTruth(const QString& name) {
    result_.clear(); // the file may have changed, too
    truth_ = name;
    emit settingsChanged();
    update();
}

void ScoreViewModel::chooseTruth(const QString& path) {
    const auto file = QFileInfo(path).filesystemAbsoluteFilePath();
    const auto image = QFileInfo(document_.path()).filesystemAbsoluteFilePath();
    setTruth(QString::fromStdString(labelNameOf(file, image)));
}

void ScoreViewModel::setThreshold(double threshold) {
    if (change(threshold_, std::clamp(threshold, kLeastThreshold, 1.0))) {
        emit settingsChanged();
        update();
    }
}

std::optional<SessionTruth> ScoreViewModel::stored() const {
    return truth_.isEmpty() ? std::nullopt : std::optional(SessionTruth{truth_.toStdString(), threshold_});
}

void ScoreViewModel::restore(const std::optional<SessionTruth>& truth) {
    const SessionTruth taken = truth.value_or(SessionTruth{{}, threshold_});
    threshold_ = std::clamp(taken.overlap, kLeastThreshold, 1.0);
    setTruth(QString::fromStdString(taken.file));
}

void ScoreViewModel::showSliceOf(const ScoreError& error) {
    if (document_.isVolume()) {
        document_.setSlice(static_cast<int>(std::lround(error.z)));
    }
}

void ScoreViewModel::update() {
    const auto listing = table_.listing();
    const bool hasLabels =
        listing && listing->found->components.labels.size() == listing->found->components.extent().pixelCount();
    if (!isActive() || truth_.isEmpty() || !hasLabels) {
        result_.clear();
        return;
    }
    ScoreJob job{
        listing,
        score() ? score()->truth : nullptr,
        labelsOfImage(QFileInfo(document_.path()).filesystemFilePath(), document_.request().options(ReadLimits{})),
        truth_.toStdString(),
        table_.scale().steps(),
        table_.lengthUnit(),
        threshold_};
    result_.begin(score());
    result_.compute([job = std::move(job)](const std::stop_token& stop) { return scoreOf(job, JobControl(stop)); });
}

ScoreErrorModel::ScoreErrorModel(const ScoreViewModel& score, QObject* parent) : QAbstractTableModel(parent) {
    connect(&score, &ScoreViewModel::changed, this, [this, &score] {
        if (shown_ != score.score()) {
            beginResetModel();
            shown_ = score.score();
            endResetModel();
        }
    });
}

int ScoreErrorModel::rowCount(const QModelIndex& parent) const {
    return shown_ && !parent.isValid() ? static_cast<int>(shown_->errors.size()) : 0;
}

int ScoreErrorModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

const ScoreError* ScoreErrorModel::errorAt(int row) const {
    return row >= 0 && row < rowCount() ? &shown_->errors[static_cast<std::size_t>(row)] : nullptr;
}

QVariant ScoreErrorModel::data(const QModelIndex& index, int role) const {
    const ScoreError* const error = errorAt(index.row());
    if (error == nullptr) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignVCenter | (index.column() == outcome ? Qt::AlignLeft : Qt::AlignRight));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QLocale locale;
    switch (index.column()) {
    case outcome:
        return outcomeTitle(error->outcome);
    case number:
        return countText(error->number);
    case place: {
        const QString plane =
            QStringLiteral("%1, %2").arg(countText(static_cast<std::uint64_t>(std::lround(error->x))),
                                         countText(static_cast<std::uint64_t>(std::lround(error->y))));
        return shown_->truth->extent.slices == 1
                   ? plane
                   : QStringLiteral("%1, %2").arg(plane, countText(static_cast<std::uint64_t>(std::lround(error->z))));
    }
    default:
        return locale.toString(error->overlap, 'f', kOverlapDigits);
    }
}

QVariant ScoreErrorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const bool isTitle = role == Qt::DisplayRole;
    switch (section) {
    case outcome:
        return isTitle ? tr("Error")
                       : tr("Missed, split and merged objects are of the truth, invented ones of the result");
    case number:
        return isTitle ? tr("Number") : tr("Number in the file of the truth; of an invented object in the table");
    case place:
        return isTitle ? tr("Place (px)") : tr("Centroid of the object, px");
    default:
        return isTitle ? tr("Overlap")
                       : tr("Largest overlap (intersection over union) with an object of the other image");
    }
}

} // namespace pollard::vm
