#include "vm/tree/profile_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "analysis/spectrum.hpp"
#include "attributes/grey_values.hpp"
#include "filter/analysis_image.hpp"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::array kShares{0.005, 0.02, 0.06, 0.15, 0.40}; ///< of the grey mass, mostly in few components
constexpr std::uint32_t kSpectrumBins = 64;

/// Whether a comma between digits is the decimal mark, so that only one before a gap separates numbers.
bool hasDecimalComma() { return QLocale().decimalPoint() == QStringLiteral(","); }

QString numberText(double value) {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(value, 'g', 10);
}

} // namespace

ProfileViewModel::ProfileViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : AttributeAnalysis(document, parent), filter_(filter) {
    connect(&document_, &DocumentViewModel::sliceChanged, this, &ProfileViewModel::update);
    connect(&filter_, &FilterViewModel::attributeChanged, this, [this] {
        followsSpectrum_ = true; // thresholds do not transfer to another attribute
        emit thresholdsChanged();
        update();
    });
    connect(&filter_, &FilterViewModel::ruleChanged, this, &ProfileViewModel::update);
    connect(&filter_, &FilterViewModel::rangeChanged, this, &ProfileViewModel::currentChanged);
}

QString ProfileViewModel::thresholdsText() const {
    QStringList texts;
    for (const double threshold : thresholds_) {
        texts << numberText(columnValue(measured(), threshold, mappingOf(document_)));
    }
    return texts.join(hasDecimalComma() ? QStringLiteral("; ") : QStringLiteral(", "));
}

QString ProfileViewModel::titleOf(int number) const {
    const AttributeId attribute = shown().attribute;
    const double threshold = shown().thumbnails[static_cast<std::size_t>(number)].threshold;
    const QString value = greyNumber(columnValue(attribute, threshold, mappingOf(document_)), 4);
    return withUnit(QStringLiteral("≥ %1").arg(value), columnUnitText(attribute, mappingOf(document_)));
}

QString ProfileViewModel::descriptionOf(int number) const {
    const ProfileThumbnail& thumbnail = shown().thumbnails[static_cast<std::size_t>(number)];
    return tr("Keeps %1 of %2 nodes").arg(countText(thumbnail.keptNodes), countText(shown().nodes));
}

int ProfileViewModel::current() const {
    if (!filter_.isAvailable() || filter_.attribute() != shown().attribute ||
        filter_.maximum() < filter_.domainMaximum()) {
        return -1;
    }
    const auto found = std::ranges::find_if(shown().thumbnails, [this](const ProfileThumbnail& each) {
        return filter_.domain().clamp(each.threshold) == filter_.minimum() || each.threshold == filter_.minimum();
    });
    return found == shown().thumbnails.end() ? -1 : static_cast<int>(found - shown().thumbnails.begin());
}

QString ProfileViewModel::setThresholdsText(const QString& text) {
    static const QRegularExpression gaps(QStringLiteral("[\\s,;]+"));
    static const QRegularExpression gapsBesideCommas(QStringLiteral("(?:[\\s;]|,(?!\\d)|(?<!\\d),)+"));
    std::vector<double> thresholds;
    for (const QString& part : text.split(hasDecimalComma() ? gapsBesideCommas : gaps, Qt::SkipEmptyParts)) {
        const auto value = typedNumber(part);
        if (!value) {
            return tr("'%1' is not a number").arg(part);
        }
        thresholds.push_back(columnBound(measured(), *value, true, mappingOf(document_)));
    }
    std::ranges::sort(thresholds);
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    if (thresholds.empty()) {
        return tr("No threshold is left");
    }
    if (thresholds.size() > kMostThresholds) {
        return tr("%1 thresholds; at most %2 are shown").arg(thresholds.size()).arg(kMostThresholds);
    }
    if (change(thresholds_, std::move(thresholds))) {
        followsSpectrum_ = false;
        emit thresholdsChanged();
        update();
    }
    return {};
}

void ProfileViewModel::select(int number) {
    if (number >= static_cast<int>(shown().thumbnails.size())) {
        return;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double threshold = number < 0 ? -kInfinity : shown().thumbnails[static_cast<std::size_t>(number)].threshold;
    filter_.setCriterion(inValues({shown().attribute, threshold, kInfinity}, mappingOf(document_)));
}

AttributeId ProfileViewModel::measured() const { return filter_.attribute(); }

void ProfileViewModel::compute(const Column& area, const Column& column) {
    const ProfileSource source{document_.tree(), document_.input(),
                               intersection(document_.shown().valid, document_.choices().domain()), column,
                               document_.shown().firstPixel()};
    ProfileImages made;
    made.attribute = column->id;
    made.differential = differential_;
    made.thresholds = thresholds_;
    result_.compute([made = std::move(made), source, area, follows = followsSpectrum_, mapping = mappingOf(document_),
                     rule = filter_.rule()](const std::stop_token& stop) mutable {
        const JobControl control(stop);
        if (follows) {
            BinSpec bins;
            bins.count = kSpectrumBins;
            const bool positive = source.column->minimum >= 0 && source.column->maximum > 0;
            bins.scale = positive ? BinScale::log : BinScale::linear;
            made.thresholds = thresholdsAtShares(
                patternSpectrum(*source.tree, *area, *source.column, bins, control, mapping), kShares);
        }
        made.nodes = source.tree->nodeCount();
        made.original = makeThumbnail(*source.image, kThumbnailSide);
        made.thumbnails =
            makeProfileThumbnails(source, made.thresholds, rule, made.differential, kThumbnailSide, control);
        return std::move(made);
    });
}

void ProfileViewModel::onResult() {
    if (state() == State::ready && std::exchange(thresholds_, shown().thresholds) != shown().thresholds) {
        emit thresholdsChanged(); // they follow the spectrum
    }
    emit changed();
}

} // namespace pollard::vm
