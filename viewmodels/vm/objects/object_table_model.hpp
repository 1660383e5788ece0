#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_marks.hpp"
#include "vm/objects/shown_objects.hpp"

#include "image/length_unit.hpp"

#include <QAbstractTableModel>
#include <QPointF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ObjectsViewModel;
struct TrackedStack;

/// The objects as a table: a row an object, a column a feature. Values are worked out when they are shown; which rows
/// there are and in which order is decided on a thread of its own, so that a million of them stay smooth.
class ObjectTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// @param objects must outlive this
    explicit ObjectTableModel(ObjectsViewModel& objects, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, text alignment; Qt::UserRole: the value.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Roles: display ("Area (px²)"), tooltip (helpOf()).
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Sorts by a column; rows move when the job is done.
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] ObjectMarks& marks() noexcept { return marks_; }
    [[nodiscard]] const ObjectMarks& marks() const noexcept { return marks_; }
    /// What is listed; null if there is nothing. May be of objects before those of the ObjectsViewModel for a moment.
    [[nodiscard]] std::shared_ptr<const ObjectListing> listing() const noexcept { return listing_; }
    /// A job is at work.
    [[nodiscard]] bool isListing() const noexcept { return newest_ != 0; }

    [[nodiscard]] const std::vector<ObjectFeature>& columns() const noexcept { return columns_; }
    /// At least the label is shown; the order is that of objectFeatures().
    void setColumnShown(ObjectFeature feature, bool shown);
    [[nodiscard]] bool isColumnShown(ObjectFeature feature) const;
    /// After this call listing() knows what this feature is taken from, whether its column is shown or not.
    void demand(ObjectFeature feature);
    [[nodiscard]] ObjectFeature sortFeature() const noexcept { return key_; }
    [[nodiscard]] bool isDescending() const noexcept { return descending_; }
    /// Rows are sorted by track, whatever sortFeature() is.
    [[nodiscard]] bool isByTrack() const noexcept { return byTrack_; }
    /// Sorts by a feature, whether its column is shown or not.
    void sortBy(ObjectFeature feature, bool descending);

    /// Tracks over the pages: as long as there are any the last column tells the track of every object, and
    /// trackNumbers() gives the colours. Null: none.
    void setTracks(std::shared_ptr<const TrackedStack> tracks);
    /// Track of object number i + 1 of listing() at place i; null if its page was not followed, or otherwise.
    [[nodiscard]] const std::vector<std::uint32_t>* trackNumbers() const;

    /// Condition on the rows, e.g. "area >= 50 && circularity > 0.8"; numbers without a unit are in unit().
    [[nodiscard]] QString condition() const { return conditionText_; }
    /// Why the text that was set last is no condition, or has no meaning for this picture; empty if it has one. The
    /// last one that was a condition is still in force; one without a meaning for the picture lists all objects.
    [[nodiscard]] QString conditionProblem() const { return conditionProblem_; }
    /// A line for a person about the condition after the unit was switched; may be empty.
    [[nodiscard]] QString conditionNotice() const { return conditionNotice_; }
    void setCondition(const QString& text);

    /// The condition in force, for a recipe: numbers have their units, or all that have none are in `unit`.
    struct StatedCondition {
        QString text;
        LengthUnit unit = LengthUnit::pixel;
    };
    [[nodiscard]] StatedCondition statedCondition() const;

    /// Whose objects are listed.
    [[nodiscard]] const ObjectsViewModel& objects() const noexcept { return objects_; }
    /// Whether the document says how big its (square) pixels are in the scene; else whyNoUnit() tells why not.
    [[nodiscard]] bool hasPhysicalUnit() const { return whyNoUnit().isEmpty(); }
    [[nodiscard]] QString whyNoUnit() const;
    /// Lengths and areas are in a unit of the scene.
    [[nodiscard]] bool isPhysical() const noexcept { return unit_ != LengthUnit::pixel; }
    /// Whether the unit of a picture is one of the scene until another one is chosen; forgets which one was.
    void setPhysical(bool physical);
    /// Of lengths; areas are in its square.
    [[nodiscard]] LengthUnit unit() const noexcept { return unit_; }
    /// Those that numbers of this picture are readable in, px first.
    [[nodiscard]] std::vector<LengthUnit> units() const;
    /// Chooses one of units(), also for the pictures that follow, where it is one of theirs. The condition keeps its
    /// meaning: numbers without a unit get the one that they were in; where dimensions are ambiguous,
    /// conditionNotice() says that they are in the new unit.
    void setUnit(pollard::LengthUnit unit);
    /// "µm", or "px".
    [[nodiscard]] QString lengthUnit() const;
    /// Of a pixel, in lengthUnit().
    [[nodiscard]] double side() const;
    /// "Area (µm²)"
    [[nodiscard]] QString titleOf(ObjectFeature feature) const;
    /// Title, definition and id, for a tool tip.
    [[nodiscard]] QString helpOf(ObjectFeature feature) const;
    /// A value in the units that are shown, for a person.
    [[nodiscard]] QString textOf(ObjectFeature feature, double value) const;

    /// The shown table, to be written into a file. @pre there is a listing
    [[nodiscard]] ShownObjects shown() const;

    /// The label of the listed object at a place in the picture, px; 0 if there is none.
    [[nodiscard]] std::uint32_t labelAt(const QPointF& image) const;

    /// "1,234 of 5,678 objects, 12.3 % of the picture; 3 selected".
    [[nodiscard]] QString summary() const;

signals:
    void listingChanged();
    void columnsChanged();
    void conditionChanged(); ///< text or problem
    void unitChanged();
    void tracksChanged();

private:
    void update();
    void sortBy(ObjectFeature feature, bool descending, bool byTrack);
    void adopt(std::shared_ptr<const ObjectListing> listing);
    void onSettings();
    [[nodiscard]] QVariant trackAt(std::uint32_t label, int role) const;
    [[nodiscard]] bool isTrackColumn(int column) const { return column == static_cast<int>(columns_.size()); }
    void adoptUnit();
    [[nodiscard]] LengthUnit wantedUnit() const;
    /// Gives the numbers of the condition the unit that they are in.
    void keepMeaning();
    /// Turns the condition in force into px of this picture.
    void resolve();

    ObjectsViewModel& objects_;
    ObjectMarks marks_;
    std::vector<ObjectFeature> columns_;
    QString conditionText_;
    QString validText_; ///< the last one that was a condition
    QString conditionProblem_;
    QString conditionNotice_;
    ObjectCondition condition_; ///< in px
    double conditionSide_ = 1;  ///< of a pixel, in the unit of numbers of the condition
    LengthUnit unit_ = LengthUnit::pixel;
    std::optional<LengthUnit> chosenUnit_;
    bool physical_ = true;
    ObjectFeature key_ = ObjectFeature::label;
    bool descending_ = false;
    bool byTrack_ = false; ///< instead of by key_
    std::shared_ptr<const TrackedStack> tracks_;
    bool withoutBorder_ = false;                ///< of the newest job
    EdgeMeasure demanded_ = EdgeMeasure::none;  ///< of the objects' edges, whatever is asked for
    std::shared_ptr<const FoundObjects> asked_; ///< of the newest job
    std::shared_ptr<const ObjectListing> listing_;
    LatestWinsWorker::Generation newest_ = 0; ///< of the job under way, else 0
    LatestWinsWorker worker_;                 ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
