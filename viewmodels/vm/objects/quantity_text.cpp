#include "vm/objects/quantity_text.hpp"

#include "vm/document/picture_units.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"

#include "components/objects/channel_columns.hpp"
#include "components/objects/object_classes.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString channelColumnHelp(const std::string& column) {
    const ColumnParts parts = partsOfColumn(column);
    constexpr std::array<std::pair<std::string_view, const char*>, 10> kDefinitions{
        {{"mean", QT_TRANSLATE_NOOP("ObjectTable", "mean of its pixels with data in channel %1")},
         {"sum", QT_TRANSLATE_NOOP("ObjectTable", "sum of its pixels with data in channel %1")},
         {"min", QT_TRANSLATE_NOOP("ObjectTable", "lowest value of its pixels in channel %1")},
         {"max", QT_TRANSLATE_NOOP("ObjectTable", "highest value of its pixels in channel %1")},
         {"stddev", QT_TRANSLATE_NOOP("ObjectTable", "standard deviation of its pixels in channel %1")},
         {"median", QT_TRANSLATE_NOOP("ObjectTable", "median of its pixels in channel %1")},
         {"ring", QT_TRANSLATE_NOOP("ObjectTable", "mean of the background around it in channel %1")},
         {"pearson", QT_TRANSLATE_NOOP("ObjectTable", "Pearson's correlation of the channels %1")},
         {"manders1", QT_TRANSLATE_NOOP("ObjectTable", "share of the first channel where the second is above 0: %1")},
         {"manders2", QT_TRANSLATE_NOOP("ObjectTable", "share of the second channel where the first is above 0: %1")}}};
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
    if (value == std::trunc(value) && std::abs(value) < 1e15 &&
        (measure == "sum" || measure == "min" || measure == "max" || measure == "median")) {
        return locale.toString(static_cast<qlonglong>(value));
    }
    const double size = std::abs(value);
    const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 3;
    return locale.toString(value, 'f', std::clamp(4 - whole, 1, 6));
}

} // namespace

QString quantityTitle(const ObjectQuantity& quantity, LengthUnit unit) {
    if (quantity.column == kClassColumn) {
        return ObjectTableModel::tr("Class");
    }
    if (quantity.isColumn()) {
        return QString::fromStdString(quantity.column);
    }
    const ObjectFeatureInfo& info = describedFeature(quantity.feature);
    QString name = featureName(quantity.feature);
    switch (info.unit) {
    case FeatureUnit::length:
        return ObjectTableModel::tr("%1 (%2)").arg(name, unitText(unit, Dimension::length));
    case FeatureUnit::area:
        return ObjectTableModel::tr("%1 (%2²)").arg(name, unitText(unit, Dimension::length));
    case FeatureUnit::angle:
        return ObjectTableModel::tr("%1 (rad)").arg(name);
    case FeatureUnit::grey:
        return ObjectTableModel::tr("%1 (grey)").arg(name);
    case FeatureUnit::volume:
        return ObjectTableModel::tr("%1 (%2³)").arg(name, unitText(unit, Dimension::length));
    case FeatureUnit::none:
        break;
    }
    return name;
}

QString quantityHelp(const ObjectQuantity& quantity, LengthUnit unit) {
    if (quantity.column == kClassColumn) {
        return ObjectTableModel::tr("First class whose condition the object meets");
    }
    if (quantity.isColumn()) {
        return channelColumnHelp(quantity.column);
    }
    const ObjectFeatureInfo& info = describedFeature(quantity.feature);
    return ObjectTableModel::tr("%1: %2\nIn conditions and tables: %3")
        .arg(quantityTitle(quantity, unit), ObjectTableModel::tr(info.definition.data()), fromView(info.id));
}

QString quantityText(const ObjectQuantity& quantity, double value, LengthUnit unit) {
    const ObjectFeatureInfo& info = describedFeature(quantity.feature);
    const QLocale locale;
    if (std::isnan(value)) {
        return QStringLiteral("–");
    }
    if (quantity.isColumn()) {
        return channelValueText(quantity.column, value);
    }
    const bool scaled =
        info.unit == FeatureUnit::length || info.unit == FeatureUnit::area || info.unit == FeatureUnit::volume;
    if (info.integral && !(scaled && unit != LengthUnit::pixel)) {
        return locale.toString(static_cast<qlonglong>(value));
    }
    if (scaled && unit != LengthUnit::pixel) {
        const double size = std::abs(value);
        const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
        return locale.toString(value, 'f', std::clamp(4 - whole, 0, 6));
    }
    return locale.toString(value, 'f', info.unit == FeatureUnit::none || info.unit == FeatureUnit::angle ? 3 : 1);
}

} // namespace pollard::vm
