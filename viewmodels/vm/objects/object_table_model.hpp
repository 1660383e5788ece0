#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_listing.hpp"

#include "image/length_unit.hpp"
#include "io/channels.hpp"

#include <QAbstractTableModel>
#include <QPointF>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

class ObjectsViewModel;
struct ShownImage;
struct ShownObjects;

/// The objects as a table: a row per object, a column per feature. Values are computed when displayed; rows and their
/// order are computed on a separate thread, so that a million rows remain responsive.
class ObjectTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// @param objects must outlive this
    explicit ObjectTableModel(ObjectsViewModel& objects, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, text alignment; Qt::UserRole: the value; decoration: the colour of a class.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Roles: display ("Area (px²)"), tooltip (helpOf()).
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Sorts by a column; rows move after the job.
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] ObjectMarks& marks() noexcept { return marks_; }
    [[nodiscard]] const ObjectMarks& marks() const noexcept { return marks_; }
    /// The listing; null if there is none. For a moment it may list earlier objects than the ObjectsViewModel has.
    [[nodiscard]] std::shared_ptr<const ObjectListing> listing() const noexcept { return listing_; }
    /// A job is running.
    [[nodiscard]] bool isListing() const { return worker_.isBusy(Lane::filter); }

    [[nodiscard]] const std::vector<ObjectFeature>& columns() const noexcept { return columns_; }
    /// The label is always shown; columns have the order of describedFeatures(), and volumes have columns of their own.
    void setColumnShown(ObjectFeature feature, bool shown);
    [[nodiscard]] bool isColumnShown(ObjectFeature feature) const;
    /// Ids of the columns that a recipe can have: all but class and track.
    [[nodiscard]] std::vector<std::string> columnIds() const;
    /// Shows only the columns of these features.
    void showColumns(const std::vector<std::string>& ids);
    /// Columns of channels, which follow the features, see MeasuredChannels::columns().
    [[nodiscard]] const std::vector<std::string>& channelColumns() const noexcept { return channelColumns_; }
    /// Makes listing() include the data of this feature, with or without its column.
    void demand(const ObjectQuantity& quantity);
    [[nodiscard]] const ObjectQuantity& sortKey() const noexcept { return key_; }
    [[nodiscard]] bool isDescending() const noexcept { return descending_; }
    /// Rows are sorted by track instead of sortKey().
    [[nodiscard]] bool isByTrack() const noexcept { return byTrack_; }
    /// Sorts by a feature, with or without its column, or a column of channels.
    void sortBy(const ObjectQuantity& key, bool descending);

    /// Tracks over the pages: the last column shows the track of every object, and trackNumbers() gives the colours.
    /// Null: none.
    void setTracks(std::shared_ptr<const TrackedStack> tracks);
    [[nodiscard]] const TrackedStack* tracks() const noexcept { return tracks_.get(); }
    /// Element i is the track of object number i + 1 of listing(); null unless its page was followed in the same way.
    [[nodiscard]] const std::vector<std::uint32_t>* trackNumbers() const;

    /// Condition on the rows, e.g. "area >= 50 && circularity > 0.8"; numbers without a unit are in unit().
    [[nodiscard]] QString condition() const { return condition_.text(); }
    /// Why the last text is not a valid condition, or does not apply to this image; else empty. After an invalid text
    /// the last valid condition stays in force; one that does not apply to the image lists all objects.
    [[nodiscard]] QString conditionProblem() const { return condition_.problem(); }
    /// A notice for the user on the condition after a change of the unit; may be empty.
    [[nodiscard]] QString conditionNotice() const { return condition_.notice(); }
    void setCondition(const QString& text);

    [[nodiscard]] TableCondition::Stated statedCondition() const { return condition_.stated(); }
    /// Condition and border of the rows.
    [[nodiscard]] ObjectListSpec rowSpec() const;
    /// There is a condition, which can be a class: none of its numbers depends on the displayed unit.
    [[nodiscard]] bool canAddClass() const;
    /// Makes a class of the objects that meet the condition, and clears the condition. @returns the row of the class
    int addClass();

    /// Source of the listed objects.
    [[nodiscard]] const ObjectsViewModel& objects() const noexcept { return objects_; }
    /// Whether the document has a physical size for its (square) pixels; else see whyNoUnit().
    [[nodiscard]] bool hasPhysicalUnit() const { return whyNoUnit().isEmpty(); }
    [[nodiscard]] QString whyNoUnit() const { return unit_.whyNone(); }
    /// Lengths and areas are in a physical unit.
    [[nodiscard]] bool isPhysical() const noexcept { return unit_.isPhysical(); }
    /// Whether the default unit of images is a physical one; forgets the chosen unit.
    void setPhysical(bool physical);
    /// The unit of lengths; areas are in its square.
    [[nodiscard]] LengthUnit unit() const noexcept { return unit_.unit(); }
    /// Units with readable numbers for this image, px first.
    [[nodiscard]] std::vector<LengthUnit> units() const { return unit_.offered(); }
    /// Chooses one of units(), also for later images that have it. The condition keeps its meaning: numbers without a
    /// unit get their present one; if dimensions are ambiguous, they are in the new unit, as conditionNotice() reports.
    void setUnit(pollard::LengthUnit unit);
    /// "µm", or "px".
    [[nodiscard]] QString lengthUnit() const;
    /// Side of a pixel, in lengthUnit().
    [[nodiscard]] double side() const { return unit_.side(); }
    /// unit() with the sides of a pixel or voxel.
    [[nodiscard]] ObjectUnit scale() const { return unit_.scale(); }
    /// Px, with the sides of a pixel or voxel.
    [[nodiscard]] ObjectUnit pixelScale() const;
    /// "Area (µm²)"
    [[nodiscard]] QString titleOf(const ObjectQuantity& quantity) const;
    /// Title, definition and id, for a tooltip.
    [[nodiscard]] QString helpOf(const ObjectQuantity& quantity) const;
    /// A value in the displayed units, for the user.
    [[nodiscard]] QString textOf(const ObjectQuantity& quantity, double value) const;

    /// The displayed table, for writing to a file. @pre there is a listing
    [[nodiscard]] ShownObjects shown() const;

    /// The label of the listed object at a place of the image, px; 0 if there is none.
    [[nodiscard]] std::uint32_t labelAt(const QPointF& image) const;
    /// The label at a place in a plane of the volume.
    [[nodiscard]] std::uint32_t labelAt(const QPointF& place, const ShownImage& plane) const;

    /// "1,234 of 5,678 objects, 12.3 % of the image; 3 selected".
    [[nodiscard]] QString summary() const;

signals:
    void listingChanged();
    void columnsChanged();
    void conditionChanged(); ///< text or problem
    void unitChanged();
    void tracksChanged();

private:
    void update();
    void sortBy(const ObjectQuantity& key, bool descending, bool byTrack);
    void onChannels();
    void onClasses();
    /// Inserts or removes columns by @p edit.
    template <class Edit> void changeColumns(bool inserts, int first, std::size_t count, const Edit& edit);
    void resetKey(); ///< sorts by the label
    /// The condition in force with units; empty: none.
    [[nodiscard]] QString classCondition() const;
    void adopt(std::shared_ptr<const ObjectListing> listing);
    void onSettings();
    [[nodiscard]] QVariant trackAt(std::uint32_t label, int role) const;
    [[nodiscard]] QVariant classAt(std::uint32_t label, int role) const;
    [[nodiscard]] int featureColumns() const { return static_cast<int>(columns_.size()); }
    [[nodiscard]] int firstChannelColumn() const { return featureColumns() + static_cast<int>(placeColumns_.size()); }
    [[nodiscard]] int classColumn() const { return firstChannelColumn() + static_cast<int>(channelColumns_.size()); }
    [[nodiscard]] bool isClassColumn(int column) const { return hasClasses_ && column == classColumn(); }
    [[nodiscard]] int trackColumn() const { return classColumn() + (hasClasses_ ? 1 : 0); }
    [[nodiscard]] bool isTrackColumn(int column) const { return column == trackColumn(); }
    /// The quantity of a column other than the track.
    [[nodiscard]] ObjectQuantity quantityAt(int column) const;
    [[nodiscard]] double valueAt(std::uint32_t label, int column) const;
    void adoptUnit();
    /// Adapts the conditions to the columns that they may name.
    void nameColumns();
    /// Changes between columns of images and of volumes.
    void adoptKind();

    ObjectsViewModel& objects_;
    ObjectMarks marks_;
    std::vector<ObjectFeature> columns_;
    std::vector<ObjectFeature> otherColumns_; ///< of volumes in an image, of images in a volume
    bool ofVolumes_ = false;                  ///< columns_ are features of volumes
    std::vector<std::string> placeColumns_;   ///< behind the features, see pollard::placeColumns()
    std::vector<std::string> channelColumns_;
    std::vector<std::string> namedColumns_; ///< that conditions may name: the two kinds before
    bool hasClasses_ = false;               ///< in a column after the channels
    TableUnit unit_;
    TableCondition condition_{unit_, namedColumns_};
    ObjectQuantity key_;
    bool descending_ = false;
    bool byTrack_ = false; ///< instead of by key_
    std::shared_ptr<const TrackedStack> tracks_;
    bool withoutBorder_ = false;                      ///< of the newest job
    bool borderXy_ = false;                           ///< of the newest job
    EdgeMeasure demanded_ = EdgeMeasure::none;        ///< edge data of demand()
    std::shared_ptr<const FoundObjects> asked_;       ///< of the newest job
    std::shared_ptr<const ChannelImage> askedPlanes_; ///< of the newest job
    PlaneMeasures askedMeasures_;                     ///< of the newest job
    std::shared_ptr<const ObjectListing> listing_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
