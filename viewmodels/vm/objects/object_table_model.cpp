#include "vm/objects/object_table_model.hpp"

#include "vm/base/data_table.hpp"
#include "vm/base/retired_data.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/picture_units.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/objects/tracked_stack.hpp"
#include "vm/picture/world_scale.hpp"

#include "base/error.hpp"
#include "components/objects/channel_columns.hpp"
#include "components/objects/channel_measures.hpp"
#include "io/metadata/scene_units.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// Measures objects in channels.
std::vector<ObjectColumn> columnsOf(const FoundObjects& found, const ChannelImage& channels,
                                    const JobControl& control) {
    const std::vector<NamedMeasure> measures = parseChannelMeasures(kUsualMeasures);
    std::vector<std::string> names;
    for (const ChannelPlane& plane : channels.planes) {
        names.push_back(plane.channel.name);
    }
    ChannelMeasuresSpec spec;
    spec.percentiles = percentilesOf(measures);
    return channelColumns(
        std::make_shared<const ChannelMeasures>(measureChannels(found.components, channels.planes, spec, control)),
        measures, names);
}

QString channelColumnHelp(const std::string& column) {
    const ColumnParts parts = partsOfColumn(column);
    constexpr std::array<std::pair<std::string_view, const char*>, 6> kDefinitions{
        {{"mean", QT_TRANSLATE_NOOP("ObjectTable", "mean of its pixels with data in channel %1")},
         {"sum", QT_TRANSLATE_NOOP("ObjectTable", "sum of its pixels with data in channel %1")},
         {"min", QT_TRANSLATE_NOOP("ObjectTable", "lowest value of its pixels in channel %1")},
         {"max", QT_TRANSLATE_NOOP("ObjectTable", "highest value of its pixels in channel %1")},
         {"stddev", QT_TRANSLATE_NOOP("ObjectTable", "standard deviation of its pixels in channel %1")},
         {"median", QT_TRANSLATE_NOOP("ObjectTable", "median of its pixels in channel %1")}}};
    const auto* const known =
        std::ranges::find(kDefinitions, parts.measure, &decltype(kDefinitions)::value_type::first);
    const QString definition =
        known != kDefinitions.end()
            ? QCoreApplication::translate("ObjectTable", known->second).arg(fromView(parts.channels))
            : QString();
    return ObjectTableModel::tr("%1: %2\nIn conditions and tables: %3")
        .arg(fromView(column), definition, fromView(column));
}

/// Integers where all values of a column can be integers, else four figures at least.
QString channelValueText(const std::string& column, double value) {
    const QLocale locale;
    const std::string_view measure = partsOfColumn(column).measure;
    if (value == std::trunc(value) && std::abs(value) < 1e15 && measure != "mean" && measure != "stddev") {
        return locale.toString(static_cast<qlonglong>(value));
    }
    const double size = std::abs(value);
    const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 3;
    return locale.toString(value, 'f', std::clamp(4 - whole, 1, 6));
}

/// Whether a typed condition is the valid one.
bool isInForce(const QString& typed, const QString& valid) { return TypedCondition(typed).stored() == valid; }

} // namespace

ObjectTableModel::ObjectTableModel(ObjectsViewModel& objects, QObject* parent)
    : QAbstractTableModel(parent),
      objects_(objects), columns_{ObjectFeature::label,     ObjectFeature::area,        ObjectFeature::centroidX,
                                  ObjectFeature::centroidY, ObjectFeature::major,       ObjectFeature::minor,
                                  ObjectFeature::perimeter, ObjectFeature::circularity, ObjectFeature::greyMean} {
    connect(&objects_, &ObjectsViewModel::changed, this, [this] {
        if (objects_.objects() != asked_) {
            update();
        }
    });
    connect(&objects_, &ObjectsViewModel::settingsChanged, this, &ObjectTableModel::onSettings);
    connect(&objects_.channels(), &MeasuredChannels::changed, this, &ObjectTableModel::onChannels);
    connect(&marks_, &ObjectMarks::removedChanged, this, &ObjectTableModel::update);
    const DocumentViewModel& document = objects_.document();
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
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::UserRole) {
        return {};
    }
    const std::uint32_t label = listing_->labels[static_cast<std::size_t>(index.row())];
    if (isTrackColumn(index.column())) {
        return trackAt(label, role);
    }
    const ObjectQuantity quantity = quantityAt(index.column());
    const double value = valueAt(label, index.column());
    return role == Qt::UserRole ? QVariant(value) : QVariant(textOf(quantity, value));
}

ObjectQuantity ObjectTableModel::quantityAt(int column) const {
    return column < featureColumns()
               ? ObjectQuantity(columns_[static_cast<std::size_t>(column)])
               : ObjectQuantity(channelColumns_[static_cast<std::size_t>(column - featureColumns())]);
}

double ObjectTableModel::valueAt(std::uint32_t label, int column) const {
    if (column < featureColumns()) {
        return listing_->value(label, columns_[static_cast<std::size_t>(column)], side());
    }
    const auto place = static_cast<std::size_t>(column - featureColumns());
    const auto columns = listing_->columnList();
    return place < columns.size() && columns[place].name == channelColumns_[place]
               ? columns[place].valueOf(label)
               : std::numeric_limits<double>::quiet_NaN();
}

QVariant ObjectTableModel::trackAt(std::uint32_t label, int role) const {
    const auto* numbers = trackNumbers();
    if (numbers == nullptr) {
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
    if (tracks && !had) {
        beginInsertColumns({}, column, column);
        tracks_ = std::move(tracks);
        endInsertColumns();
    } else if (!tracks) {
        beginRemoveColumns({}, column, column);
        tracks_ = nullptr;
        endRemoveColumns();
    } else {
        tracks_ = std::move(tracks);
        if (rowCount() > 0) {
            emit dataChanged(index(0, column), index(rowCount() - 1, column));
        }
    }
    if (had != (tracks_ != nullptr)) {
        emit columnsChanged();
    }
    emit tracksChanged();
    if (byTrack_) {
        if (!tracks_) {
            byTrack_ = false;
            key_ = {};
            descending_ = false;
        }
        update();
    }
}

void ObjectTableModel::onChannels() {
    const MeasuredChannels& channels = objects_.channels();
    if (channels.columns() != channelColumns_) {
        if (!channelColumns_.empty()) {
            beginRemoveColumns({}, featureColumns(), trackColumn() - 1);
            channelColumns_.clear();
            endRemoveColumns();
        }
        if (const int count = static_cast<int>(channels.columns().size()); count > 0) {
            beginInsertColumns({}, featureColumns(), featureColumns() + count - 1);
            channelColumns_ = channels.columns();
            endInsertColumns();
        }
        if (key_.isColumn() && std::ranges::find(channelColumns_, key_.column) == channelColumns_.end()) {
            key_ = {};
            descending_ = false;
        }
        emit columnsChanged();
        if (!validText_.isEmpty()) {
            const bool broken = !isInForce(conditionText_, validText_);
            const QString problem = conditionProblem_;
            resolve();
            conditionProblem_ = broken ? problem : conditionProblem_;
            emit conditionChanged();
        }
        update();
    } else if (channels.planes() != askedPlanes_) {
        update();
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
    const auto place = std::ranges::lower_bound(columns_, feature);
    const auto column = static_cast<int>(place - columns_.begin());
    if (shown) {
        beginInsertColumns({}, column, column);
        columns_.insert(place, feature);
        endInsertColumns();
        demand(feature);
    } else {
        beginRemoveColumns({}, column, column);
        columns_.erase(place);
        endRemoveColumns();
    }
    emit columnsChanged();
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
    if (objects_.isWithoutBorder() != withoutBorder_) {
        update();
    }
}

bool ObjectTableModel::isColumnShown(ObjectFeature feature) const {
    return std::ranges::binary_search(columns_, feature);
}

void ObjectTableModel::setCondition(const QString& text) {
    if (text == conditionText_) {
        return;
    }
    conditionText_ = text;
    conditionNotice_.clear();
    try {
        const QString stored = TypedCondition(text).stored();
        (void)ObjectCondition::parse(stored.toStdString());
        validText_ = stored;
        resolve();
        update();
    } catch (const Error&) {
        conditionProblem_ =
            vm::conditionProblem(text, objects_.document().pixelSizes().present(), whyNoUnit(), channelColumns_).text;
    }
    emit conditionChanged();
}

void ObjectTableModel::resolve() {
    const std::string text = validText_.toStdString();
    const auto size = objects_.document().pixelSizes().present();
    condition_ = {};
    conditionSide_ = 1;
    conditionProblem_.clear();
    try {
        const ObjectCondition condition = ObjectCondition::parse(text).inPixels(size);
        condition.requireColumns(channelColumns_);
        if (!isPhysical()) {
            condition_ = condition;
            return;
        }
        try {
            condition_ = ObjectCondition::parse(ObjectCondition::withUnits(text, unit_)).inPixels(size);
        } catch (const Error&) { // values of mixed dimensions, which only make sense in this unit
            condition_ = condition;
            conditionSide_ = side();
        }
    } catch (const Error&) {
        conditionProblem_ = vm::conditionProblem(shownCondition(validText_), size, whyNoUnit(), channelColumns_).text;
    }
}

ObjectTableModel::StatedCondition ObjectTableModel::statedCondition() const {
    if (isPhysical()) {
        try {
            return {QString::fromStdString(ObjectCondition::withUnits(validText_.toStdString(), unit_))};
        } catch (const Error&) {
            return {validText_, unit_};
        }
    }
    return {validText_};
}

QString ObjectTableModel::whyNoUnit() const {
    const auto size = objects_.document().pixelSizes().present();
    if (whyNoScene(size, Dimension::length).empty()) {
        return {};
    }
    if (whyNoScene(size, Dimension::area).empty()) {
        return tr("The pixels of this picture are not square.");
    }
    if (size && size->print) {
        return tr("The file states the size of a pixel in print, but not in the scene.");
    }
    return sceneSize(objects_.document().imageInfo().get())
               ? tr("The size of a pixel is given in %1, which is no unit of length.")
                     .arg(QString::fromStdString(size->unit))
               : tr("The size of a pixel is unknown; set it in the Image panel.");
}

std::vector<LengthUnit> ObjectTableModel::units() const {
    return readableUnits(objects_.document().pixelSizes().present(), Dimension::length);
}

double ObjectTableModel::side() const {
    const auto size = objects_.document().pixelSizes().present();
    return isPhysical() && size ? inUnit(1, unit_, Dimension::length, *size) : 1;
}

QString ObjectTableModel::lengthUnit() const { return unitText(unit_, Dimension::length); }

void ObjectTableModel::setPhysical(bool physical) {
    if (physical != physical_ || chosenUnit_) {
        physical_ = physical;
        chosenUnit_.reset();
        adoptUnit();
    }
}

void ObjectTableModel::setUnit(LengthUnit unit) {
    if (unit != chosenUnit_) {
        chosenUnit_ = unit;
        adoptUnit();
    }
}

LengthUnit ObjectTableModel::wantedUnit() const {
    const std::vector<LengthUnit> offered = units();
    if (chosenUnit_ && std::ranges::find(offered, *chosenUnit_) != offered.end()) {
        return *chosenUnit_;
    }
    return physical_ ? pollard::readableUnit(objects_.document().pixelSizes().present()) : LengthUnit::pixel;
}

void ObjectTableModel::keepMeaning() {
    try {
        const QString text = QString::fromStdString(ObjectCondition::withUnits(validText_.toStdString(), unit_));
        if (isInForce(conditionText_, validText_)) {
            conditionText_ = shownCondition(text);
        }
        validText_ = text;
        conditionNotice_.clear();
    } catch (const Error&) {
        conditionNotice_ = tr("The numbers of the condition are in %1 since the unit was switched.")
                               .arg(unitText(wantedUnit(), Dimension::length));
    }
}

void ObjectTableModel::adoptUnit() {
    const bool hasCondition = !validText_.isEmpty();
    if (const LengthUnit unit = wantedUnit(); unit != unit_) {
        if (hasCondition) {
            keepMeaning();
        }
        unit_ = unit;
    }
    if (hasCondition) {
        const bool broken = !isInForce(conditionText_, validText_);
        const QString problem = conditionProblem_;
        resolve();
        conditionProblem_ = broken ? problem : conditionProblem_;
    }
    emit unitChanged();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    if (hasCondition) {
        emit conditionChanged();
        update();
    }
}

QString ObjectTableModel::titleOf(const ObjectQuantity& quantity) const {
    if (quantity.isColumn()) {
        return QString::fromStdString(quantity.column);
    }
    const ObjectFeatureInfo& info = objectFeatureInfo(quantity.feature);
    QString name = featureName(quantity.feature);
    switch (info.unit) {
    case FeatureUnit::length:
        return tr("%1 (%2)").arg(name, lengthUnit());
    case FeatureUnit::area:
        return tr("%1 (%2²)").arg(name, lengthUnit());
    case FeatureUnit::angle:
        return tr("%1 (rad)").arg(name);
    case FeatureUnit::grey:
        return tr("%1 (grey)").arg(name);
    case FeatureUnit::none:
        break;
    }
    return name;
}

QString ObjectTableModel::helpOf(const ObjectQuantity& quantity) const {
    if (quantity.isColumn()) {
        return channelColumnHelp(quantity.column);
    }
    const ObjectFeatureInfo& info = objectFeatureInfo(quantity.feature);
    return tr("%1: %2\nIn conditions and tables: %3")
        .arg(titleOf(quantity), tr(info.definition.data()), fromView(info.id));
}

QString ObjectTableModel::textOf(const ObjectQuantity& quantity, double value) const {
    const ObjectFeatureInfo& info = objectFeatureInfo(quantity.feature);
    const QLocale locale;
    if (std::isnan(value)) {
        return QStringLiteral("–");
    }
    if (quantity.isColumn()) {
        return channelValueText(quantity.column, value);
    }
    const bool scaled = info.unit == FeatureUnit::length || info.unit == FeatureUnit::area;
    if (info.integral && !(scaled && isPhysical())) {
        return locale.toString(static_cast<qulonglong>(value));
    }
    if (scaled && isPhysical()) {
        const double size = std::abs(value);
        const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
        return locale.toString(value, 'f', std::clamp(4 - whole, 0, 6));
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
    return {csvOf(titles, false).toUtf8(), columns_, side(), listing_, channelColumns_, tracks_ != nullptr, tracks_};
}

std::uint32_t ObjectTableModel::labelAt(const QPointF& image) const {
    if (!listing_ || image.x() < 0 || image.y() < 0) {
        return 0;
    }
    const Components& components = listing_->found->components;
    const auto x = static_cast<std::size_t>(image.x());
    const auto y = static_cast<std::size_t>(image.y());
    if (x >= components.width || y >= components.height) {
        return 0;
    }
    const std::uint32_t label = components.labels[y * components.width + x];
    return listing_->lists(label) ? label : 0;
}

QString ObjectTableModel::summary() const {
    if (!listing_) {
        return {};
    }
    const QLocale locale;
    const auto all = static_cast<qulonglong>(listing_->rows.size());
    const auto listed = static_cast<qulonglong>(listing_->labels.size());
    const Components& components = listing_->found->components;
    const double share = 100.0 * static_cast<double>(listing_->pixels) /
                         (static_cast<double>(components.width) * static_cast<double>(components.height));
    QString text = listed == all ? (all == 1 ? tr("1 object") : tr("%1 objects").arg(locale.toString(all)))
                                 : tr("%1 of %2 objects").arg(locale.toString(listed), locale.toString(all));
    text += tr(", %1 % of the picture").arg(locale.toString(share, 'f', 1));
    if (listing_->atBorder > 0) {
        text += tr(", %1 at the border left out").arg(locale.toString(static_cast<qulonglong>(listing_->atBorder)));
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

void ObjectTableModel::update() {
    const auto found = objects_.objects();
    asked_ = found;
    askedPlanes_ = objects_.channels().planes();
    withoutBorder_ = objects_.isWithoutBorder();
    if (!found) {
        worker_.stop(Lane::filter);
        newest_ = 0;
        adopt(nullptr);
        return;
    }
    const RemovedObjects removed = marks_.objects() == found ? marks_.removed() : nullptr;
    ObjectListSpec spec;
    spec.condition = condition_;
    spec.side = conditionSide_;
    spec.key = key_;
    spec.descending = descending_;
    spec.withoutBorder = withoutBorder_;
    const auto tracks = byTrack_ ? tracks_ : nullptr;
    const bool same = listing_ && listing_->found == found;
    auto edges = same ? listing_->edges : nullptr;
    auto columns = same && askedPlanes_ == listing_->planes ? listing_->columns : nullptr;
    newest_ = worker_.post(
        Lane::filter,
        [found, removed, tracks, spec = std::move(spec), edges = std::move(edges), columns = std::move(columns),
         planes = askedPlanes_, demanded = demanded_](const std::stop_token& stop) mutable {
            const JobControl control(stop);
            spec.removed = removed.get();
            spec.keys = tracks ? tracks->tracksOf(*found) : nullptr;
            const EdgeMeasure needed = std::max(demanded, edgeMeasureOf(spec));
            if (needed > (edges ? edges->measured : EdgeMeasure::none)) {
                edges = std::make_shared<const ObjectEdges>(measureEdges(found->components, needed, control));
            }
            spec.edges = edges.get();
            ObjectListing listing{{}, found, edges, columns, planes, {}};
            if (planes && !columns) {
                try {
                    columns = std::make_shared<const std::vector<ObjectColumn>>(columnsOf(*found, *planes, control));
                    listing.columns = columns;
                } catch (const Error& error) {
                    listing.columnProblem = error.what();
                }
            }
            spec.columns = listing.columnList();
            spec.condition = columns                       ? spec.condition.withColumns(*columns)
                             : spec.condition.hasColumns() ? spec.condition
                                                           : ObjectCondition();
            static_cast<ObjectList&>(listing) = listObjects(found->components, spec, control);
            return std::make_shared<const ObjectListing>(std::move(listing));
        },
        [this](LatestWinsWorker::Generation generation, const JobOutcome& outcome,
               const std::shared_ptr<const ObjectListing>& listing) {
            if (generation == newest_) {
                newest_ = 0;
            }
            if (outcome.ok()) {
                adopt(listing);
            }
        });
}

void ObjectTableModel::adopt(std::shared_ptr<const ObjectListing> listing) {
    if (listing == listing_) {
        return;
    }
    RetiredData old;
    beginResetModel();
    old.hold(std::exchange(listing_, std::move(listing)));
    endResetModel();
    marks_.setObjects(listing_ ? listing_->found : nullptr);
    emit listingChanged();
}

} // namespace pollard::vm
