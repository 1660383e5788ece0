#include "vm/display/value_range_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

constexpr double kLowPercentile = 0.001; ///< the default
constexpr double kHighPercentile = 0.999;
constexpr int kDigits = 7;

} // namespace

ValueRangeViewModel::ValueRangeViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &ValueRangeViewModel::changed);
    connect(&document_.activity(), &DocumentActivity::stateChanged, this, &ValueRangeViewModel::changed);
    connect(&document_.reading(), &DocumentReading::readingKept, this, &ValueRangeViewModel::changed);
}

bool ValueRangeViewModel::isAvailable() const {
    const auto info = document_.imageInfo();
    // Calibrated 8- and 16-bit samples have values, but each has its level.
    return info != nullptr && info->mapping && info->mapping->file.type != ValueType::u8 &&
           info->mapping->file.type != ValueType::u16;
}

MappingChoice::Range ValueRangeViewModel::range() const { return document_.request().mapping.range; }

bool ValueRangeViewModel::isEditable() const { return range() == Range::percentile || range() == Range::fixed; }

double ValueRangeViewModel::lastLevel() const {
    const auto image = document_.image();
    return image ? maxLevelOf(image->type()) : 0;
}

double ValueRangeViewModel::low() const {
    const MappingChoice& choice = document_.request().mapping;
    if (range() == Range::percentile) {
        return choice.low * 100;
    }
    return range() == Range::fixed ? choice.low : isAvailable() ? document_.imageInfo()->mapping->valueOf(0) : 0;
}

double ValueRangeViewModel::high() const {
    const MappingChoice& choice = document_.request().mapping;
    if (range() == Range::percentile) {
        return choice.high * 100;
    }
    return range() == Range::fixed ? choice.high
           : isAvailable()         ? document_.imageInfo()->mapping->valueOf(lastLevel())
                                   : 0;
}

QString ValueRangeViewModel::numberText(double value) { return QLocale().toString(value, 'g', kDigits); }

QString ValueRangeViewModel::valuesText() const {
    if (!isAvailable()) {
        return {};
    }
    const ValueMapping& mapping = *document_.imageInfo()->mapping;
    return tr("%1 to %2").arg(numberText(mapping.minimum), withUnit(numberText(mapping.maximum), mapping.unit));
}

QString ValueRangeViewModel::levelsText() const {
    if (!isAvailable()) {
        return {};
    }
    const ValueMapping& mapping = *document_.imageInfo()->mapping;
    if (!mapping.isProportional()) {
        return tr("ranks: every value has its own level");
    }
    const QString from = numberText(mapping.valueOf(0));
    const QString to = numberText(mapping.valueOf(lastLevel()));
    const QString text = tr("0 = %1, %2 = %3").arg(from, QLocale().toString(static_cast<int>(lastLevel())), to);
    return mapping.exact ? tr("%1 (every value has its own)").arg(text)
                         : tr("%1 (one level is %2)").arg(text, numberText(mapping.step));
}

QString ValueRangeViewModel::gapsText() const {
    if (!isAvailable()) {
        return {};
    }
    const ValueMapping& mapping = *document_.imageInfo()->mapping;
    const QLocale locale;
    QStringList parts;
    const auto add = [&](std::uint64_t count, const QString& what) {
        if (count > 0) {
            parts << what.arg(locale.toString(static_cast<qulonglong>(count)));
        }
    };
    add(mapping.nan, tr("%1 no number (NaN)"));
    add(mapping.infinite, tr("%1 infinite"));
    add(mapping.clipped, tr("%1 clipped"));
    return parts.join(QStringLiteral(", "));
}

bool ValueRangeViewModel::canFix() const {
    return isAvailable() && document_.pageCount() > 1 && range() != Range::fixed &&
           document_.imageInfo()->mapping->isProportional();
}

QString ValueRangeViewModel::valueText(int level) const {
    return isAvailable() ? numberText(document_.imageInfo()->mapping->valueOf(level)) : QString();
}

void ValueRangeViewModel::setRange(Range range) {
    MappingChoice choice;
    choice.range = range;
    if (range == Range::percentile) {
        choice.low = kLowPercentile;
        choice.high = kHighPercentile;
    } else if (range == Range::fixed) {
        choice.low = isAvailable() ? document_.imageInfo()->mapping->valueOf(0) : 0;
        choice.high = isAvailable() ? document_.imageInfo()->mapping->valueOf(lastLevel()) : 1;
        if (!(choice.low < choice.high)) {
            choice.high = choice.low + 1;
        }
    }
    if (range != this->range()) {
        document_.reading().setMapping(choice);
    }
}

void ValueRangeViewModel::setNumbers(double low, double high) {
    MappingChoice choice = document_.request().mapping;
    if (!isEditable() || !std::isfinite(low) || !std::isfinite(high) || low >= high) {
        emit changed(); // input fields show the valid numbers again
        return;
    }
    const bool percent = range() == Range::percentile;
    choice.low = percent ? std::clamp(low / 100, 0.0, 1.0) : low;
    choice.high = percent ? std::clamp(high / 100, 0.0, 1.0) : high;
    document_.reading().setMapping(choice);
}

void ValueRangeViewModel::fixForAllPages() {
    if (canFix()) {
        const ValueMapping& mapping = *document_.imageInfo()->mapping;
        document_.reading().setMapping({Range::fixed, mapping.valueOf(0), mapping.valueOf(lastLevel())});
    }
}

} // namespace pollard::vm
