#include "vm/base/attribute_catalogue.hpp"

#include "attributes/grey_values.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace pollard::vm {

namespace {

bool ofVolumes = false; ///< see describeVolumes()

/// Text of core in the user's language.
QString translated(std::string_view source) {
    return QCoreApplication::translate("Attribute", std::string(source).c_str());
}

/// Rank of an attribute for the words of a query, 0 is best; empty if it does not match.
std::optional<int> rankOf(AttributeId id, const QStringList& words) {
    const AttributeInfo& info = describedAttribute(id);
    const QString title = attributeTitle(id).toLower();
    const QString name = fromUtf8(info.name).toLower();
    const QString group = attributeGroup(id).toLower();
    const QString rest = (attributeFormula(id) + u' ' + fromUtf8(info.unit)).toLower();
    int worst = 0;
    for (const QString& word : words) {
        const int rank = title == word || name == word                     ? 0
                         : title.startsWith(word) || name.startsWith(word) ? 1
                         : title.contains(u' ' + word)                     ? 2
                         : title.contains(word) || name.contains(word)     ? 3
                         : group.contains(word)                            ? 4
                         : rest.contains(word)                             ? 5
                                                                           : -1;
        if (rank < 0) {
            return std::nullopt;
        }
        worst = std::max(worst, rank);
    }
    return worst;
}

} // namespace

void describeVolumes(bool volumes) noexcept { ofVolumes = volumes; }

bool describesVolumes() noexcept { return ofVolumes; }

QString imagesOnlyText() { return QCoreApplication::translate("Volumes", "Works on images, not on volumes."); }

std::span<const AttributeInfo> describedAttributes() noexcept {
    return ofVolumes ? volumeAttributes() : allAttributes();
}

const AttributeInfo& describedAttribute(AttributeId id) noexcept {
    const std::span<const AttributeInfo> described = describedAttributes();
    const auto found = std::ranges::find(described, id, &AttributeInfo::id);
    return found == described.end() ? attributeInfo(id) : *found;
}

QString unitInWords(std::string_view unit) { return translated(unit); }
QString attributeTitle(AttributeId id) { return translated(describedAttribute(id).title); }
QString attributeFormula(AttributeId id) { return translated(describedAttribute(id).formula); }
QString attributeGroup(AttributeId id) { return translated(describedAttribute(id).group); }

QString attributeDetails(AttributeId id) {
    const AttributeInfo& info = describedAttribute(id);
    QStringList lines{QStringLiteral("%1 (%2)").arg(attributeTitle(id), fromUtf8(info.name))};
    const QString formula = attributeFormula(id);
    lines << (info.unit.empty() ? formula : QStringLiteral("%1 [%2]").arg(formula, unitInWords(info.unit)));
    lines << (info.increasing
                  ? AttributeCatalogue::tr(
                        "Increasing: a component never has less than one inside it, so all rules agree")
                  : AttributeCatalogue::tr("Not increasing: rules treat components inside removed ones differently"));
    if (!info.source.empty()) {
        lines << AttributeCatalogue::tr("Source: %1").arg(fromUtf8(info.source));
    }
    return lines.join(u'\n');
}

QString attributeText(AttributeId id, double value, int digits) {
    if (std::isnan(value)) {
        return QStringLiteral("–");
    }
    const QLocale locale;
    return attributeInfo(id).integral ? locale.toString(static_cast<qlonglong>(value))
                                      : locale.toString(value, 'g', digits);
}

QString columnText(AttributeId id, double number, const std::optional<ValueMapping>& mapping, int digits) {
    if (!mapping || attributeInfo(id).grey == Grey::none || std::isnan(number)) {
        return attributeText(id, number, digits);
    }
    return greyNumber(columnValue(id, number, mapping), std::max(digits, 6));
}

double columnNumber(AttributeId id, double value, const std::optional<ValueMapping>& mapping) {
    const double first = columnValue(id, 0, mapping);
    return (value - first) / (columnValue(id, 1, mapping) - first);
}

std::string columnUnitText(AttributeId id, const std::optional<ValueMapping>& mapping) {
    const bool hasOwn = attributeInfo(id).grey != Grey::none && !unitOf(mapping).empty();
    return hasOwn ? columnUnit(id, mapping) : unitInWords(describedAttribute(id).unit).toStdString();
}

bool isWhole(AttributeId id, const std::optional<ValueMapping>& mapping) {
    const AttributeInfo& info = attributeInfo(id);
    if (!mapping || info.grey == Grey::none) {
        return info.integral;
    }
    const auto whole = [](double value) { return value == std::floor(value); };
    return info.integral && mapping->isProportional() && whole(mapping->step) && whole(mapping->offset);
}

AttributeCatalogue::AttributeCatalogue(QObject* parent) : QAbstractListModel(parent) { fill(); }

int AttributeCatalogue::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant AttributeCatalogue::data(const QModelIndex& index, int role) const {
    if (index.row() < 0 || index.row() >= rowCount()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (row.heading) {
        return role == Qt::DisplayRole ? QVariant(attributeGroup(row.id)) : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole:
        return attributeTitle(row.id);
    case Qt::ToolTipRole:
        return attributeDetails(row.id);
    case Qt::AccessibleDescriptionRole:
    case formulaRole:
        return attributeFormula(row.id);
    case attributeRole:
        return static_cast<int>(row.id);
    case unitRole:
        return unitInWords(describedAttribute(row.id).unit);
    case increasingRole:
        return describedAttribute(row.id).increasing;
    default:
        return {};
    }
}

Qt::ItemFlags AttributeCatalogue::flags(const QModelIndex& index) const {
    if (!index.isValid() || isHeading(index.row())) {
        return Qt::NoItemFlags;
    }
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

int AttributeCatalogue::rowOf(AttributeId id) const {
    const auto found = std::ranges::find_if(rows_, [id](const Row& row) { return !row.heading && row.id == id; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int AttributeCatalogue::bestRow() const {
    int best = -1;
    for (int row = 0; row < rowCount(); ++row) {
        const Row& candidate = rows_[static_cast<std::size_t>(row)];
        if (!candidate.heading && (best < 0 || candidate.rank < rows_[static_cast<std::size_t>(best)].rank)) {
            best = row;
        }
    }
    return best;
}

int AttributeCatalogue::nextRow(int row, int step) const {
    for (int next = row + step; next >= 0 && next < rowCount(); next += step) {
        if (!isHeading(next)) {
            return next;
        }
    }
    return row;
}

void AttributeCatalogue::refresh() {
    beginResetModel();
    fill();
    endResetModel();
}

void AttributeCatalogue::fill() {
    const QStringList words = query_.toLower().simplified().split(u' ', Qt::SkipEmptyParts);
    // Groups in the order of their first attributes, even if interleaved.
    std::vector<std::string_view> groups;
    for (const AttributeInfo& info : describedAttributes()) {
        if (std::ranges::find(groups, info.group) == groups.end()) {
            groups.push_back(info.group);
        }
    }
    rows_.clear();
    for (const std::string_view group : groups) {
        bool headed = false;
        for (const AttributeInfo& info : describedAttributes()) {
            if (info.group != group) {
                continue;
            }
            if (const auto rank = rankOf(info.id, words)) {
                if (!headed) {
                    rows_.push_back({info.id, true, 0});
                    headed = true;
                }
                rows_.push_back({info.id, false, *rank});
            }
        }
    }
}

} // namespace pollard::vm
