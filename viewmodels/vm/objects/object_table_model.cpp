#include "vm/objects/object_table_model.hpp"

#include "vm/base/async_result.hpp"
#include "vm/base/data_table.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "components/objects/channel_measures.hpp"
#include "components/objects/object_classes.hpp"

#include <QColor>
#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

/// Place among the features that are described.
std::ptrdiff_t orderOf(ObjectFeature feature) {
    const auto described = describedFeatures();
    return std::ranges::find(described, feature, &ObjectFeatureInfo::feature) - described.begin();
}

QString channelColumnHelp(const std::string& column) {
    const ColumnParts parts = partsOfColumn(column);
    constexpr std::array<std::pair<std::string_view, const char*>, 11> kDefinitions{
        {{"mean", QT_TRANSLATE_NOOP("ObjectTable", "mean of its pixels with data in channel %1")},
         {"sum", QT_TRANSLATE_NOOP("ObjectTable", "sum of its pixels with data in channel %1")},
         {"min", QT_TRANSLATE_NOOP("ObjectTable", "lowest value of its pixels in channel %1")},
         {"max", QT_TRANSLATE_NOOP("ObjectTable", "highest value of its pixels in channel %1")},
         {"stddev", QT_TRANSLATE_NOOP("ObjectTable", "standard deviation of its pixels in channel %1")},
         {"median", QT_TRANSLATE_NOOP("ObjectTable", "median of its pixels in channel %1")},
         {"count", QT_TRANSLATE_NOOP("ObjectTable", "objects of channel %1 whose largest part lies in it")},
         {"ring", QT_TRANSLATE_NOOP("ObjectTable", "mean of the background around it in channel %1")},
         {"pearson", QT_TRANSLATE_NOOP("ObjectTable", "Pearson's correlation of the channels %1")},
         {"manders1", QT_TRANSLATE_NOOP("ObjectTable", "share of the first channel where the second is above 0: %1")},
         {"manders2", QT_TRANSLATE_NOOP("ObjectTable", "share of the second channel where the first is above 0: %1")}}};
    const auto* const known =
        std::ranges::find(kDefinitions, parts.measure, &decltype(kDefinitions)::value_type::first);
    const QString definition =
        known != kDefinitions.end()
            ? QCoreApplication::translate("ObjectTable", known->second).arg(fromUtf8(parts.channels))
            : QString();
    return ObjectTableModel::tr("%1: %2\nIn conditions and tables: %3")
        .arg(fromUtf8(column), definition, fromUtf8(column));
}

/// How a column of pollard::placeColumns() or the flux is shown.
struct PlaceText {
    std::string_view column;
    const char* title;
    const char* definition;
    int decimals;
};

constexpr std::array kPlaceTexts{
    PlaceText{"flux", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Flux"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel",
                                "sum of value - local background over the pixels of the original image"),
              1},
    PlaceText{
        "ra_deg", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "RA (°)"),
        QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "right ascension of the centroid, in the file's frame"), 6},
    PlaceText{"dec_deg", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Dec (°)"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "declination of the centroid, in the file's frame"),
              6},
    PlaceText{"centroid_easting", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Easting"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel",
                                "easting of the centroid in the coordinate system of the file"),
              2},
    PlaceText{"centroid_northing", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Northing"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel",
                                "northing of the centroid in the coordinate system of the file"),
              2},
    PlaceText{"lon", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Longitude (°)"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "longitude of the centroid on WGS 84"), 6},
    PlaceText{"lat", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Latitude (°)"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "latitude of the centroid on WGS 84"), 6},
    PlaceText{"patient_x_mm", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Right (mm)"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel",
                                "place of the centroid in the patient, to the right of the origin of the file"),
              1},
    PlaceText{"patient_y_mm", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Anterior (mm)"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel",
                                "place of the centroid in the patient, anterior to the origin of the file"),
              1},
    PlaceText{"patient_z_mm", QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel", "Superior (mm)"),
              QT_TRANSLATE_NOOP("pollard::vm::ObjectTableModel",
                                "place of the centroid in the patient, superior to the origin of the file"),
              1}};

/// The text of a column of places; null for other columns.
const PlaceText* placeText(std::string_view column) {
    const auto* const found = std::ranges::find(kPlaceTexts, column, &PlaceText::column);
    return found == kPlaceTexts.end() ? nullptr : &*found;
}

/// Shows integers if all values of a column are integers, else at least four figures.
QString channelValueText(const std::string& column, double value) {
    const QLocale locale;
    const std::string_view measure = partsOfColumn(column).measure;
    if (value == std::trunc(value) && std::abs(value) < 1e15 &&
        (measure == "sum" || measure == "count" || measure == "min" || measure == "max" || measure == "median")) {
        return locale.toString(static_cast<qlonglong>(value));
    }
    const double size = std::abs(value);
    const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 3;
    return locale.toString(value, 'f', std::clamp(4 - whole, 1, 6));
}

} // namespace

ObjectTableModel::ObjectTableModel(ObjectsViewModel& objects, QObject* parent)
    : QAbstractTableModel(parent),
      objects_(objects), columns_{ObjectFeature::label,     ObjectFeature::area,        ObjectFeature::centroidX,
                                  ObjectFeature::centroidY, ObjectFeature::major,       ObjectFeature::minor,
                                  ObjectFeature::perimeter, ObjectFeature::circularity, ObjectFeature::greyMean},
      otherColumns_{ObjectFeature::label,     ObjectFeature::area,       ObjectFeature::front,
                    ObjectFeature::slices,    ObjectFeature::centroidX,  ObjectFeature::centroidY,
                    ObjectFeature::centroidZ, ObjectFeature::major,      ObjectFeature::minor,
                    ObjectFeature::surface,   ObjectFeature::sphericity, ObjectFeature::greyMean},
      unit_(objects.document()) {
    connect(&objects_, &ObjectsViewModel::changed, this, [this] {
        if (objects_.objects() != asked_) {
            update();
        }
    });
    connect(&objects_, &ObjectsViewModel::settingsChanged, this, &ObjectTableModel::onSettings);
    connect(&objects_.channels(), &MeasuredChannels::changed, this, &ObjectTableModel::onChannels);
    connect(&objects_.classes(), &ClassList::classesChanged, this, &ObjectTableModel::onClasses);
    connect(&marks_, &ObjectMarks::removedChanged, this, &ObjectTableModel::update);
    const DocumentViewModel& document = objects_.document();
    connect(&document, &DocumentViewModel::imageChanged, &marks_, &ObjectMarks::forgetLast);
    connect(&document, &DocumentViewModel::imageChanged, this, &ObjectTableModel::adoptKind);
    connect(&document, &DocumentViewModel::imageChanged, this, &ObjectTableModel::adoptUnit);
    connect(&document.pixelSizes(), &DocumentPixelSizes::changed, this, &ObjectTableModel::adoptUnit);
}

int ObjectTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !listing_ ? 0 : static_cast<int>(listing_->labels.size());
}

int ObjectTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : trackColumn() + (tracks_ ? 1 : 0);
}

QVariant ObjectTableModel::data(const QModelIndex& index, int role) const {
    if (!listing_ || !index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((isClassColumn(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::UserRole && role != Qt::DecorationRole) {
        return {};
    }
    const std::uint32_t label = listing_->labels[static_cast<std::size_t>(index.row())];
    if (isClassColumn(index.column())) {
        return classAt(label, role);
    }
    if (role == Qt::DecorationRole) {
        return {};
    }
    if (isTrackColumn(index.column())) {
        return trackAt(label, role);
    }
    const ObjectQuantity quantity = quantityAt(index.column());
    const double value = valueAt(label, index.column());
    return role == Qt::UserRole ? QVariant(value) : QVariant(textOf(quantity, value));
}

ObjectQuantity ObjectTableModel::quantityAt(int column) const {
    return column < featureColumns() ? ObjectQuantity(columns_[static_cast<std::size_t>(column)])
           : isClassColumn(column)   ? ObjectQuantity(std::string(kClassColumn))
           : column < firstChannelColumn()
               ? ObjectQuantity(placeColumns_[static_cast<std::size_t>(column - featureColumns())])
               : ObjectQuantity(channelColumns_[static_cast<std::size_t>(column - firstChannelColumn())]);
}

double ObjectTableModel::valueAt(std::uint32_t label, int column) const {
    if (column < featureColumns()) {
        return listing_->value(label, columns_[static_cast<std::size_t>(column)], scale());
    }
    const auto place = static_cast<std::size_t>(column - featureColumns());
    const auto columns = listing_->columnList();
    return place < columns.size() && ObjectQuantity(columns[place].name) == quantityAt(column)
               ? columns[place].valueOf(label)
               : std::numeric_limits<double>::quiet_NaN();
}

QVariant ObjectTableModel::classAt(std::uint32_t label, int role) const {
    const ObjectClass* const own = listing_->classified ? listing_->classified->classOf(label) : nullptr;
    if (own == nullptr) {
        return {};
    }
    return role == Qt::DecorationRole ? QVariant(QColor::fromRgb(own->colour))
                                      : QVariant(QString::fromStdString(own->name));
}

template <class Edit>
void ObjectTableModel::changeColumns(bool inserts, int first, std::size_t count, const Edit& edit) {
    if (count == 0) {
        return;
    }
    const int last = first + static_cast<int>(count) - 1;
    inserts ? beginInsertColumns({}, first, last) : beginRemoveColumns({}, first, last);
    edit();
    inserts ? endInsertColumns() : endRemoveColumns();
}

void ObjectTableModel::resetKey() {
    key_ = {};
    descending_ = false;
}

void ObjectTableModel::onClasses() {
    if (const bool has = !objects_.classes().isEmpty(); has != hasClasses_) {
        const int column = classColumn();
        changeColumns(has, column, 1, [&] { hasClasses_ = has; });
        if (key_.column == kClassColumn && !has) {
            resetKey();
        }
        emit columnsChanged();
    }
    update();
}

QVariant ObjectTableModel::trackAt(std::uint32_t label, int role) const {
    const auto* numbers = trackNumbers();
    if (numbers == nullptr || (*numbers)[label - 1] == 0) {
        return role == Qt::UserRole ? QVariant() : QVariant(QStringLiteral("–"));
    }
    const qulonglong track = (*numbers)[label - 1];
    return role == Qt::UserRole ? QVariant(track) : QVariant(QLocale().toString(track));
}

void ObjectTableModel::setTracks(std::shared_ptr<const TrackedStack> tracks) {
    if (tracks == tracks_) {
        return;
    }
    const int column = trackColumn();
    const bool had = tracks_ != nullptr;
    if (had != (tracks != nullptr)) {
        changeColumns(!had, column, 1, [&] { tracks_ = std::move(tracks); });
        emit columnsChanged();
    } else {
        tracks_ = std::move(tracks);
        if (rowCount() > 0) {
            emit dataChanged(index(0, column), index(rowCount() - 1, column));
        }
    }
    emit tracksChanged();
    if (byTrack_) {
        if (!tracks_) {
            byTrack_ = false;
            resetKey();
        }
        update();
    }
}

void ObjectTableModel::onChannels() {
    const MeasuredChannels& channels = objects_.channels();
    if (channels.columns() != channelColumns_) {
        const int first = firstChannelColumn();
        changeColumns(false, first, channelColumns_.size(), [&] { channelColumns_.clear(); });
        changeColumns(true, first, channels.columns().size(), [&] { channelColumns_ = channels.columns(); });
        if (key_.isColumn() && key_.column != kClassColumn &&
            std::ranges::find(placeColumns_, key_.column) == placeColumns_.end() &&
            std::ranges::find(channelColumns_, key_.column) == channelColumns_.end()) {
            resetKey();
        }
        emit columnsChanged();
        nameColumns();
        update();
    } else if (channels.planes() != askedPlanes_ || channels.measures() != askedMeasures_) {
        update();
    }
}

void ObjectTableModel::nameColumns() {
    namedColumns_ = placeColumns_;
    namedColumns_.insert(namedColumns_.end(), channelColumns_.begin(), channelColumns_.end());
    objects_.classes().setPlaces(placeColumns_);
    if (condition_.isSet()) {
        condition_.refresh();
        emit conditionChanged();
    }
}

const std::vector<std::uint32_t>* ObjectTableModel::trackNumbers() const {
    return tracks_ && listing_ ? tracks_->tracksOf(*listing_->found) : nullptr;
}

QVariant ObjectTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (isTrackColumn(section)) {
        return role == Qt::DisplayRole   ? QVariant(tr("Track"))
               : role == Qt::ToolTipRole ? QVariant(tr("Number of the object's track over the pages"))
                                         : QVariant();
    }
    if (role == Qt::DisplayRole) {
        return titleOf(quantityAt(section));
    }
    if (role == Qt::ToolTipRole) {
        return helpOf(quantityAt(section));
    }
    return {};
}

void ObjectTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount()) {
        return;
    }
    const bool byTrack = isTrackColumn(column);
    sortBy(byTrack ? key_ : quantityAt(column), order == Qt::DescendingOrder, byTrack);
}

void ObjectTableModel::sortBy(const ObjectQuantity& key, bool descending) { sortBy(key, descending, false); }

void ObjectTableModel::sortBy(const ObjectQuantity& key, bool descending, bool byTrack) {
    if (key != key_ || descending != descending_ || byTrack != byTrack_) {
        key_ = key;
        descending_ = descending;
        byTrack_ = byTrack;
        update();
    }
}

void ObjectTableModel::setColumnShown(ObjectFeature feature, bool shown) {
    if (shown == isColumnShown(feature) || feature == ObjectFeature::label) {
        return;
    }
    const auto place = std::ranges::lower_bound(columns_, orderOf(feature), {}, orderOf);
    const auto column = static_cast<int>(place - columns_.begin());
    if (shown) {
        changeColumns(true, column, 1, [&] { columns_.insert(place, feature); });
        demand(feature);
    } else {
        changeColumns(false, column, 1, [&] { columns_.erase(place); });
    }
    emit columnsChanged();
}

std::vector<std::string> ObjectTableModel::columnIds() const {
    std::vector<std::string> ids;
    for (const ObjectFeature feature : columns_) {
        ids.emplace_back(objectFeatureInfo(feature, ofVolumes_).id);
    }
    ids.insert(ids.end(), placeColumns_.begin(), placeColumns_.end());
    ids.insert(ids.end(), channelColumns_.begin(), channelColumns_.end());
    return ids;
}

void ObjectTableModel::showColumns(const std::vector<std::string>& ids) {
    for (const ObjectFeatureInfo& info : objectFeatures(ofVolumes_ ? Connectivity::six : Connectivity::four)) {
        setColumnShown(info.feature, std::ranges::find(ids, info.id) != ids.end());
    }
}

void ObjectTableModel::demand(const ObjectQuantity& quantity) {
    const EdgeMeasure needed = quantity.edge();
    if (needed > demanded_) {
        demanded_ = needed;
        if (asked_) {
            update();
        }
    }
}

void ObjectTableModel::onSettings() {
    const ObjectListSpec spec = rowSpec();
    if (spec.withoutBorder != withoutBorder_ || spec.borderXy != borderXy_) {
        update();
    }
}

bool ObjectTableModel::isColumnShown(ObjectFeature feature) const {
    return std::ranges::find(columns_, feature) != columns_.end();
}

void ObjectTableModel::setCondition(const QString& text) {
    if (text == condition_.text()) {
        return;
    }
    if (condition_.set(text)) {
        update();
    }
    emit conditionChanged();
}

QString ObjectTableModel::classCondition() const {
    if (!condition_.problem().isEmpty()) {
        return {};
    }
    return condition_.withUnits();
}

bool ObjectTableModel::canAddClass() const {
    const QString condition = classCondition();
    return !condition.isEmpty() && condition.toUtf8().size() <= static_cast<qsizetype>(ObjectClass::kMostBytes) &&
           objects_.classes().classes().size() < ObjectClass::kMost;
}

int ObjectTableModel::addClass() {
    const int row = objects_.classes().add(classCondition());
    setCondition({});
    return row;
}

void ObjectTableModel::setPhysical(bool physical) {
    if (unit_.prefer(physical)) {
        adoptUnit();
    }
}

void ObjectTableModel::setUnit(LengthUnit unit) {
    if (unit_.choose(unit)) {
        adoptUnit();
    }
}

QString ObjectTableModel::lengthUnit() const { return unitText(unit(), Dimension::length); }

void ObjectTableModel::adoptUnit() {
    if (unit_.wanted() != unit()) {
        condition_.addUnits();
        unit_.adopt();
    }
    condition_.refresh();
    objects_.classes().setUnit(unit(), whyNoUnit());
    emit unitChanged();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    if (condition_.isSet()) {
        emit conditionChanged();
    }
    if (condition_.isSet() || hasClasses_ || ofVolumes_) { // the order of a volume's objects depends on its voxels, too
        update();
    }
}

void ObjectTableModel::adoptKind() {
    if (objects_.document().isVolume() == ofVolumes_) {
        return;
    }
    beginResetModel();
    ofVolumes_ = !ofVolumes_;
    columns_.swap(otherColumns_);
    endResetModel();
    if (!key_.isColumn() && !isDescribed(key_.feature)) {
        resetKey();
    }
    emit columnsChanged();
}

ObjectUnit ObjectTableModel::pixelScale() const {
    const DocumentViewModel& document = objects_.document();
    return objectUnitOf(LengthUnit::pixel, unit_.size(), ofVolumes_, document.pixelSizes().spacing(),
                        originalMappingOf(document));
}

QString ObjectTableModel::titleOf(const ObjectQuantity& quantity) const {
    if (quantity.column == kClassColumn) {
        return tr("Class");
    }
    const QString ofValues = fromUtf8(unitOf(originalMappingOf(objects_.document())));
    if (const PlaceText* const place = placeText(quantity.column)) {
        const bool hasUnit = quantity.column == "flux" && !ofValues.isEmpty();
        return hasUnit ? QStringLiteral("%1 (%2)").arg(tr(place->title), ofValues) : tr(place->title);
    }
    if (quantity.isColumn()) {
        return QString::fromStdString(quantity.column);
    }
    const ObjectFeatureInfo& info = describedFeature(quantity.feature);
    QString name = featureName(quantity.feature);
    switch (info.unit) {
    case FeatureUnit::length:
        return tr("%1 (%2)").arg(name, lengthUnit());
    case FeatureUnit::area:
        return tr("%1 (%2²)").arg(name, lengthUnit());
    case FeatureUnit::angle:
        return tr("%1 (rad)").arg(name);
    case FeatureUnit::grey:
        return ofValues.isEmpty() ? tr("%1 (grey)").arg(name) : QStringLiteral("%1 (%2)").arg(name, ofValues);
    case FeatureUnit::volume:
        return tr("%1 (%2³)").arg(name, lengthUnit());
    case FeatureUnit::none:
        break;
    }
    return name;
}

QString ObjectTableModel::helpOf(const ObjectQuantity& quantity) const {
    if (quantity.column == kClassColumn) {
        return tr("Class by hand, else the first class whose condition the object meets");
    }
    if (const PlaceText* const place = placeText(quantity.column)) {
        return tr("%1: %2\nIn tables: %3").arg(titleOf(quantity), tr(place->definition), fromUtf8(quantity.column));
    }
    if (quantity.isColumn()) {
        return channelColumnHelp(quantity.column);
    }
    const ObjectFeatureInfo& info = describedFeature(quantity.feature);
    return tr("%1: %2\nIn conditions and tables: %3")
        .arg(titleOf(quantity), tr(info.definition.data()), fromUtf8(info.id));
}

QString ObjectTableModel::textOf(const ObjectQuantity& quantity, double value) const {
    const ObjectFeatureInfo& info = describedFeature(quantity.feature);
    const QLocale locale;
    if (std::isnan(value)) {
        return QStringLiteral("–");
    }
    if (const PlaceText* const place = placeText(quantity.column)) {
        return locale.toString(value, 'f', place->decimals);
    }
    if (quantity.isColumn()) {
        return channelValueText(quantity.column, value);
    }
    if (info.unit == FeatureUnit::grey && originalMappingOf(objects_.document())) {
        return greyNumber(value);
    }
    const auto withDigits = [&locale](double number, int digits) {
        QString text = locale.toString(number, 'f', digits);
        if (std::abs(number) < 1 && digits > 0) { // "0.02", not "0.02000"
            while (text.endsWith(locale.zeroDigit())) {
                text.chop(1);
            }
            text = text.endsWith(locale.decimalPoint()) ? locale.zeroDigit() : text;
        }
        return text;
    };
    const bool scaled =
        info.unit == FeatureUnit::length || info.unit == FeatureUnit::area || info.unit == FeatureUnit::volume;
    if (info.integral && !(scaled && isPhysical())) {
        return locale.toString(static_cast<qlonglong>(value));
    }
    if (scaled && isPhysical()) {
        const double size = std::abs(value);
        const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
        return withDigits(value, std::clamp(4 - whole, 0, 6));
    }
    return locale.toString(value, 'f', info.unit == FeatureUnit::none || info.unit == FeatureUnit::angle ? 3 : 1);
}

ShownObjects ObjectTableModel::shown() const {
    DataTable titles;
    for (int column = 0; column < columnCount(); ++column) {
        const ColumnTitle title = columnTitle(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        titles.names << title.name;
        titles.units << title.unit;
    }
    std::vector<std::string> further = placeColumns_;
    further.insert(further.end(), channelColumns_.begin(), channelColumns_.end());
    if (hasClasses_) {
        further.emplace_back(kClassColumn);
    }
    return {csvOf(titles, false).toUtf8(), columns_, scale(), listing_, further, tracks_ != nullptr, tracks_};
}

std::uint32_t ObjectTableModel::labelAt(const QPointF& image) const {
    return labelAt(image, objects_.document().shown());
}

std::uint32_t ObjectTableModel::labelAt(const QPointF& place, const ShownImage& plane) const {
    if (!listing_) {
        return 0;
    }
    const Components& found = listing_->found->components;
    const auto voxel = plane.voxelAt(place, found.extent());
    const std::uint32_t label = voxel && *voxel < found.labels.size() ? found.labels[*voxel] : 0;
    return listing_->lists(label) ? label : 0;
}

QString ObjectTableModel::summary() const {
    if (!listing_) {
        return {};
    }
    const QLocale locale;
    const std::size_t all = listing_->objectCount();
    const std::size_t listed = listing_->labels.size();
    const Components& found = listing_->found->components;
    const std::uint64_t inRegion = listing_->found->regionPixels;
    const double share = 100.0 * static_cast<double>(listing_->pixels) /
                         static_cast<double>(inRegion > 0 ? inRegion : found.extent().pixelCount());
    const QString percent = locale.toString(share, 'f', 1);
    QString text = listed == all ? (all == 1 ? tr("1 object") : tr("%1 objects").arg(countText(all)))
                                 : tr("%1 of %2 objects").arg(countText(listed), countText(all));
    text += (inRegion > 0       ? tr(", %1 % of the region")
             : found.isVolume() ? tr(", %1 % of the volume")
                                : tr(", %1 % of the image"))
                .arg(percent);
    if (listing_->atBorder > 0) {
        text += tr(", %1 at the border left out").arg(countText(listing_->atBorder));
    }
    if (marks_.removedCount() > 0) {
        text += tr(", %1 deleted").arg(locale.toString(marks_.removedCount()));
    }
    if (marks_.selectedCount() > 0) {
        text += tr(", %1 selected").arg(locale.toString(marks_.selectedCount()));
    }
    if (!listing_->columnProblem.empty()) {
        text += tr("; not measured in all channels: %1").arg(QString::fromStdString(listing_->columnProblem));
    }
    return text;
}

ObjectListSpec ObjectTableModel::rowSpec() const {
    ObjectListSpec spec;
    spec.condition = condition_.condition();
    spec.side = condition_.side();
    spec.withoutBorder = objects_.option(&ObjectRule::withoutBorder);
    spec.borderXy = objects_.settings().rule.borderXy;
    return spec;
}

void ObjectTableModel::update() {
    const auto found = objects_.objects();
    asked_ = found;
    askedPlanes_ = objects_.channels().planes();
    askedMeasures_ = objects_.channels().measures();
    withoutBorder_ = rowSpec().withoutBorder;
    borderXy_ = rowSpec().borderXy;
    if (!found) {
        worker_.stop(Lane::filter);
        adopt(nullptr);
        return;
    }
    ListingRequest request;
    request.found = found;
    request.removed = marks_.objects() == found ? marks_.removed() : nullptr;
    request.tracks = byTrack_ ? tracks_ : nullptr;
    request.spec = rowSpec();
    request.unit = scale();
    request.spec.key = key_;
    request.spec.descending = descending_;
    request.demanded = demanded_;
    request.source = objects_.document().imageInfo();
    request.planes = askedPlanes_;
    request.measures = askedMeasures_;
    request.classes = objects_.classes().classes();
    request.conditions = objects_.classes().conditions();
    request.known = listing_;
    worker_.post(
        Lane::filter,
        [request = std::move(request)](const std::stop_token& stop) { return listingOf(request, JobControl(stop)); },
        [this](const JobOutcome& outcome, const std::shared_ptr<const ObjectListing>& listing) {
            if (outcome.ok()) {
                adopt(listing);
            }
        });
}

void ObjectTableModel::adopt(std::shared_ptr<const ObjectListing> listing) {
    if (listing == listing_) {
        return;
    }
    DeferredRelease old;
    beginResetModel();
    old.hold(std::exchange(listing_, std::move(listing)));
    const std::vector<std::string> places = listing_ ? listing_->placeNames : placeColumns_;
    const bool hasOthers = places != placeColumns_;
    placeColumns_ = places;
    endResetModel();
    if (hasOthers) {
        emit columnsChanged();
        nameColumns();
    }
    marks_.setObjects(listing_ ? listing_->found : nullptr);
    objects_.classes().setCounts(listing_ ? listing_->classCounts : std::vector<std::size_t>());
    emit listingChanged();
    if (hasOthers && (!condition_.condition().columns().empty() || hasClasses_)) {
        update(); // conditions may name these columns
    }
}

} // namespace pollard::vm
