#include "vm/tree/chain_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "io/metadata/scene_units.hpp"
#include "tree/node_set.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace pollard::vm {

ChainViewModel::ChainViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : QAbstractTableModel(parent), document_(document), filter_(filter),
      attribute_(filter.attribute() == AttributeId::area ? AttributeId::contrast : filter.attribute()) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &ChainViewModel::onTree);
    connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
        const auto needed = neededAttributes();
        if (!isActive() || std::ranges::find(needed, id) == needed.end()) {
            return;
        }
        if (!chain_.empty()) {
            emit dataChanged(index(0, areaColumn), index(rowCount() - 1, attributeColumn));
        }
        emit valuesChanged();
        askForValues();
    });
    connect(&filter_, &FilterViewModel::edited, this, [this] {
        emit verdictChanged();
        askForValues();
    });
}

int ChainViewModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(chain_.size());
}

int ChainViewModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnCountOfAll; }

QVariant ChainViewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index.row(), column);
    case Qt::ToolTipRole:
        if (const auto known = value(index.row(), column); known && column == levelColumn) {
            return levelText(mappingOf(document_), *known);
        }
        return {};
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::UserRole:
        if (const auto known = value(index.row(), column)) {
            return *known;
        }
        return {};
    default:
        return {};
    }
}

QVariant ChainViewModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCountOfAll) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    const AttributeId id = attributeOf(static_cast<Column>(section));
    if (role == Qt::DisplayRole) {
        const std::string unit = unitOf(mappingOf(document_)).empty() || attributeInfo(id).grey == Grey::none
                                     ? std::string()
                                     : columnUnitText(id, mappingOf(document_));
        return unit.empty() ? attributeTitle(id) : QStringLiteral("%1 (%2)").arg(attributeTitle(id), fromUtf8(unit));
    }
    return role == Qt::ToolTipRole ? QVariant(attributeDetails(id)) : QVariant();
}

std::optional<std::uint32_t> ChainViewModel::node() const {
    return current_ < 0 ? std::nullopt : std::optional(chain_[static_cast<std::size_t>(current_)]);
}

std::optional<std::uint32_t> ChainViewModel::canonical() const {
    const auto tree = document_.tree();
    const auto chosen = node();
    return tree && chosen ? std::optional(tree->canonical[*chosen]) : std::nullopt;
}

AttributeId ChainViewModel::attributeOf(Column column) const noexcept {
    switch (column) {
    case levelColumn:
        return AttributeId::level;
    case areaColumn:
        return AttributeId::area;
    default:
        return attribute_;
    }
}

std::optional<double> ChainViewModel::value(int row, Column column) const {
    const auto tree = document_.tree();
    if (!tree || row < 0 || row >= rowCount()) {
        return std::nullopt;
    }
    const std::uint32_t node = chain_[static_cast<std::size_t>(row)];
    if (column == levelColumn) {
        return tree->level[node];
    }
    const auto values = document_.attribute(attributeOf(column));
    return values ? std::optional(values->at(node)) : std::nullopt;
}

double ChainViewModel::levelValue(int row) const {
    return valueOf(mappingOf(document_), value(row, levelColumn).value_or(0));
}

bool ChainViewModel::hasValues() const { return mappingOf(document_).has_value(); }

QString ChainViewModel::levelUnit() const { return greyUnit(mappingOf(document_)); }

QString ChainViewModel::levelTitle() const {
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    const QString unit = QString::fromStdString(unitOf(mapping));
    return !mapping ? tr("Level") : unit.isEmpty() ? tr("Value") : tr("Value (%1)").arg(unit);
}

namespace {

/// A value in px in the unit of a criterion.
QString valueText(const Criterion& stated, double pixels, const ImageUnits& units) {
    const std::optional<PixelSize>& size = units.pixelSize;
    if (stated.unit == LengthUnit::pixel || !size) {
        const QString value = columnText(stated.attribute, pixels, units.mapping);
        return unitOf(units.mapping).empty() || attributeInfo(stated.attribute).grey == Grey::none
                   ? value
                   : withUnit(value, columnUnitText(stated.attribute, units.mapping));
    }
    const Dimension dimension = dimensionOf(stated);
    const PixelSize side = sizeFor(stated.attribute, *size, units.isVolume);
    return QLocale().toString(pixels / pixelsOf(1, stated.unit, dimension, side), 'g', 5) + u' ' +
           unitText(stated.unit, dimension);
}

} // namespace

QString ChainViewModel::textOf(int row, Column column) const {
    const auto known = value(row, column);
    if (!known) {
        return QStringLiteral("…");
    }
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    return column == levelColumn ? greyNumber(levelValue(row)) : columnText(attributeOf(column), *known, mapping);
}

QString ChainViewModel::summary() const {
    if (current_ < 0) {
        return {};
    }
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    return (mapping ? tr("Component %1 of %2 around the pixel: value %3, %4 px")
                    : tr("Component %1 of %2 around the pixel: level %3, %4 px"))
        .arg(QLocale().toString(current_ + 1), QLocale().toString(rowCount()),
             withUnit(textOf(current_, levelColumn), unitOf(mapping)), textOf(current_, areaColumn));
}

QString ChainViewModel::verdict() const {
    const auto tree = document_.tree();
    if (!tree || current_ < 0 || !filter_.isEnabled()) {
        return {};
    }
    const std::uint32_t node = chain_[static_cast<std::size_t>(current_)];
    const auto isIn = [&](const std::vector<std::uint32_t>& canonicals) {
        return [&](std::uint32_t n) { return std::ranges::binary_search(canonicals, tree->canonical[n]); };
    };
    const auto around = std::span(chain_).subspan(static_cast<std::size_t>(current_));
    if (const auto only = filter_.picks().only(); std::ranges::any_of(around, isIn(filter_.picks().removed())) ||
                                                  (!only.empty() && std::ranges::none_of(around, isIn(only)))) {
        return tr("Removed by hand");
    }
    if (isIn(filter_.picks().kept())(node)) {
        return tr("Kept by hand");
    }
    const CriteriaModel& criteria = filter_.criteria();
    const ImageUnits units = unitsOf(document_);
    QStringList unmet;
    bool meetsOne = false;
    for (int row = 0; row < criteria.count(); ++row) {
        const Criterion inPixels = criteria.criterion(row);
        if (!criteria.entry(row).enabled || !isBounded(inPixels) || !criteria.problem(row).isEmpty()) {
            continue;
        }
        const auto values = document_.attribute(inPixels.attribute);
        if (!values) {
            return {};
        }
        const double value = values->at(node);
        if (value >= inPixels.minimum && value <= inPixels.maximum) {
            meetsOne = true;
        } else {
            const Criterion stated = criteria.stated(row);
            unmet << tr("%1 (it has %2)")
                         .arg(shownCriterion(readable(stated, units.mapping)), valueText(stated, value, units));
        }
    }
    const bool isRemoved = !unmet.isEmpty() && (criteria.matchMode() == Match::all || !meetsOne);
    const bool decidesAlone = filter_.rule() == Rule::direct || filter_.rule() == Rule::subtractive;
    if (!isRemoved) {
        return !meetsOne ? QString()
               : decidesAlone && !filter_.isProminentOnly()
                   ? tr("Kept: meets the criteria")
                   : tr("Meets the criteria; the rule or the prominence may remove it");
    }
    const QString reasons = unmet.join(tr(", ", "between criteria"));
    return decidesAlone && node != 0 ? tr("Removed: %1").arg(reasons) : tr("Criteria not met: %1").arg(reasons);
}

std::vector<AttributeId> ChainViewModel::neededAttributes() const {
    std::vector<AttributeId> needed{AttributeId::area, attribute_};
    if (filter_.isEnabled()) {
        std::ranges::transform(filter_.criteria().criteria(), std::back_inserter(needed), &Criterion::attribute);
    }
    return needed;
}

void ChainViewModel::setWatched(const QObject* watcher, bool watched) {
    if (!watched) {
        // Queued, because the held chain stays when one view replaces another, in either order of the calls.
        if (watchers_.erase(watcher) != 0 && watchers_.empty()) {
            QMetaObject::invokeMethod(this, &ChainViewModel::stopIfUnwatched, Qt::QueuedConnection);
        }
        return;
    }
    watchers_.insert(watcher);
    if (!active_) {
        active_ = true;
        emit activeChanged();
        askForValues();
    }
}

void ChainViewModel::stopIfUnwatched() {
    if (active_ && watchers_.empty()) {
        letGo();
        active_ = false;
        emit activeChanged();
    }
}

void ChainViewModel::setAttribute(AttributeId id) {
    if (!change(attribute_, id)) {
        return;
    }
    emit headerDataChanged(Qt::Horizontal, attributeColumn, attributeColumn);
    if (!chain_.empty()) {
        emit dataChanged(index(0, attributeColumn), index(rowCount() - 1, attributeColumn));
    }
    emit attributeChanged();
    emit valuesChanged();
    askForValues();
}

void ChainViewModel::askForValues() {
    if (!isActive() || !document_.tree()) {
        return;
    }
    for (const AttributeId id : neededAttributes()) {
        if (!document_.attribute(id)) {
            document_.requestAttribute(id); // the next one is requested when it arrives
            return;
        }
    }
}

void ChainViewModel::onTree() {
    setHeld(false);
    setChain(std::nullopt, -1);
    before_.clear();
    askForValues();
}

std::optional<std::uint32_t> ChainViewModel::nodeAt(const QPointF& image) const {
    const auto tree = document_.tree();
    return tree ? document_.shown().nodeAt(image, *tree) : std::nullopt;
}

void ChainViewModel::hover(const QPointF& image) { hoverNode(nodeAt(image)); }

void ChainViewModel::hoverNode(std::optional<std::uint32_t> node) {
    if (!isActive() || held_) {
        return;
    }
    if (!node || chain_.empty() || chain_.front() != *node) {
        setChain(node, 0);
    }
}

void ChainViewModel::leave() {
    if (!held_) {
        setChain(std::nullopt, -1);
    }
}

void ChainViewModel::hold(const QPointF& image) { toggleHold(nodeAt(image)); }

void ChainViewModel::toggleHold(std::optional<std::uint32_t> node) {
    if (!node || (held_ && !chain_.empty() && chain_.front() == *node)) {
        letGo();
    } else {
        holdNode(*node);
    }
}

void ChainViewModel::holdNode(std::uint32_t node) {
    if (!isActive()) {
        return;
    }
    const bool before = std::exchange(held_, true);
    setChain(node, 0);
    if (!before) {
        emit heldChanged();
    }
}

void ChainViewModel::letGo() {
    setHeld(false);
    setChain(std::nullopt, -1);
}

void ChainViewModel::setCurrent(int row) {
    const int clamped = std::clamp(row, -1, rowCount() - 1);
    if (clamped >= 0 || chain_.empty()) {
        change(this, current_, clamped, &ChainViewModel::currentChanged);
    }
}

void ChainViewModel::toParent() { setCurrent(current_ + 1); }

void ChainViewModel::toChild() {
    if (current_ > 0) {
        setCurrent(current_ - 1);
    } else if (current_ == 0) {
        if (const auto child = firstChild(*document_.tree(), chain_.front())) {
            setChain(child, 0);
        }
    }
}

void ChainViewModel::toSibling(int step) {
    const auto tree = document_.tree();
    const auto from = node();
    if (!tree || !from) {
        return;
    }
    if (const auto sibling = step > 0 ? nextSibling(*tree, *from) : previousSibling(*tree, *from)) {
        setChain(sibling, 0);
    }
}

void ChainViewModel::setChain(std::optional<std::uint32_t> node, int current) {
    if (!node && chain_.empty()) {
        return;
    }
    beginResetModel();
    if (!chain_.empty()) {
        before_ = std::move(chain_);
    }
    chain_ = node ? chainOf(*document_.tree(), *node, before_) : std::vector<std::uint32_t>{};
    current_ = node ? current : -1;
    endResetModel();
    emit chainChanged();
    emit currentChanged();
}

void ChainViewModel::pickCurrent(PicksModel::PickEffect effect) {
    const auto chosen = canonical();
    if (chosen && node() != 0U) {
        filter_.picks().pick(*chosen, effect);
    }
}

void ChainViewModel::removeCurrent() { pickCurrent(PicksModel::PickEffect::removed); }

void ChainViewModel::keepCurrent() { pickCurrent(PicksModel::PickEffect::kept); }

void ChainViewModel::keepOnlyCurrent() {
    const auto chosen = canonical();
    if (chosen && node() != 0U) {
        filter_.picks().keepOnly(*chosen);
    }
}

void ChainViewModel::keepFromCurrentOn() {
    const auto from = value(current_, attributeColumn);
    if (from && !std::isnan(*from)) {
        filter_.setCriterion(
            inValues({attribute_, *from, std::numeric_limits<double>::infinity()}, mappingOf(document_)));
    }
}

std::vector<CurvePoint> thinnedCurve(int rows, const std::function<QPointF(int)>& placeOf, double apart) {
    std::vector<CurvePoint> kept;
    if (rows <= 0) {
        return kept;
    }
    kept.push_back({0, placeOf(0)});
    std::vector<CurvePoint> ahead; // ends of parts that start at the row kept last, the nearest on top
    if (rows > 1) {
        ahead.push_back({rows - 1, placeOf(rows - 1)});
    }
    while (!ahead.empty()) {
        const CurvePoint& from = kept.back();
        const CurvePoint to = ahead.back();
        const QPointF way = to.place - from.place;
        if (to.row - from.row == 1 || (std::abs(way.x()) <= apart && std::abs(way.y()) <= apart)) {
            kept.push_back(to);
            ahead.pop_back();
        } else {
            const int middle = from.row + (to.row - from.row) / 2;
            ahead.push_back({middle, placeOf(middle)});
        }
    }
    return kept;
}

} // namespace pollard::vm
