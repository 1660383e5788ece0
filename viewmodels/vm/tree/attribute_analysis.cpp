#include "vm/tree/attribute_analysis.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "analysis/spectrum.hpp"
#include "attributes/grey_values.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_columns.hpp"
#include "filter/node_decision.hpp"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pollard::vm {

namespace {

QString percentText(double share) {
    const double percent = 100 * share;
    const QLocale locale;
    if (percent > 0 && percent < 0.1) {
        return QStringLiteral("< %1 %").arg(locale.toString(0.1, 'f', 1));
    }
    return QStringLiteral("%1 %").arg(locale.toString(percent, 'f', 1));
}

double shareOf(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

SpectrumViewModel::SpectrumViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : AttributeAnalysis(document, parent), filter_(filter), attribute_(filter.attribute()) {
    connect(&filter_, &FilterViewModel::attributeChanged, this, [this] { setAttribute(filter_.attribute()); });
}

double SpectrumViewModel::share(int bin) const {
    if (bin < 0 || bin >= bins()) {
        return 0;
    }
    return shareOf(spectrum()->shares[static_cast<std::size_t>(bin)].mass, spectrum()->total);
}

double SpectrumViewModel::largestShare() const {
    double largest = 0;
    for (int bin = 0; bin < bins(); ++bin) {
        largest = std::max(largest, share(bin));
    }
    return largest;
}

std::vector<GranulometryPoint> SpectrumViewModel::curve() const {
    return spectrum() ? granulometry(*spectrum()) : std::vector<GranulometryPoint>{};
}

double SpectrumViewModel::valueAt(double edge) const {
    return spectrum() ? columnValue(spectrum()->attribute, edge, mappingOf(document_)) : edge;
}

std::string SpectrumViewModel::unit() const { return columnUnitText(attribute(), mappingOf(document_)); }

double SpectrumViewModel::edgeAt(double value) const {
    return spectrum() ? columnNumber(spectrum()->attribute, value, mappingOf(document_)) : value;
}

QString SpectrumViewModel::readout(int bin) const {
    if (bin < 0 || bin >= bins()) {
        return {};
    }
    const AttributeInfo& info = describedAttribute(spectrum()->attribute);
    const bool closed = bin + 1 == bins() && spectrum()->bins.lastClosed;
    const QString unit = withUnit(QString(), columnUnitText(info.id, mappingOf(document_)));
    const auto below = curve()[static_cast<std::size_t>(bin) + 1];
    const quint64 nodes = spectrum()->shares[static_cast<std::size_t>(bin)].nodes;
    return tr("%1 ≤ %2 %3 %4%5: %6 of the grey mass, %n node(s); %7 up to here", nullptr,
              static_cast<int>(std::min<quint64>(nodes, std::numeric_limits<int>::max())))
        .arg(shortValue(valueAt(edge(bin))), fromUtf8(info.name), closed ? QStringLiteral("≤") : QStringLiteral("<"),
             shortValue(valueAt(edge(bin + 1))), unit, percentText(share(bin)), percentText(below.share));
}

QString SpectrumViewModel::leftOutText() const {
    const auto shown = spectrum();
    if (!shown) {
        return {};
    }
    const std::uint64_t nodes = shown->below.nodes + shown->above.nodes + shown->nan.nodes;
    if (nodes == 0) {
        return {};
    }
    const std::uint64_t mass = shown->below.mass + shown->above.mass + shown->nan.mass;
    const QString share = percentText(shareOf(mass, shown->total));
    return nodes == 1 ? tr("1 node with %1 of the grey mass has no bin").arg(share)
                      : tr("%1 nodes with %2 of the grey mass have no bin").arg(countText(nodes), share);
}

void SpectrumViewModel::select(int first, int last) {
    const auto [low, high] = std::minmax(first, last);
    if (low < 0 || high >= bins()) {
        return;
    }
    const AttributeInfo& info = describedAttribute(spectrum()->attribute);
    double minimum = edge(low);
    double maximum = edge(high + 1);
    const auto mapping = mappingOf(document_);
    if (info.integral && !(mapping && isColumnInValues(info.id, *mapping))) {
        minimum = std::ceil(minimum);
        const bool closed = high + 1 == bins() && spectrum()->bins.lastClosed;
        maximum = closed ? std::floor(maximum) : std::ceil(maximum) - 1;
        if (maximum < minimum) {
            return; // the bin contains no integer
        }
    }
    filter_.setCriterion(inValues({spectrum()->attribute, minimum, maximum}, mappingOf(document_)));
}

void SpectrumViewModel::compute(const Column& area, const Column& column) {
    BinSpec spec;
    spec.count = static_cast<std::uint32_t>(binCount_);
    spec.scale = logarithmic_ && column->minimum >= 0 && column->maximum > 0 ? BinScale::log : BinScale::linear;
    result_.compute(
        [tree = document_.tree(), area, column, spec, mapping = mappingOf(document_)](const std::stop_token& stop) {
            return patternSpectrum(*tree, *area, *column, spec, JobControl(stop), mapping);
        });
}

namespace {

constexpr std::uint32_t kSamplesPerSide = 4; ///< most samples per side of a thumbnail's pixel

/// The pixels of an image that are averaged for the pixels of its thumbnail.
class SampleGrid {
public:
    SampleGrid(std::uint32_t sourceWidth, std::uint32_t sourceHeight, std::uint32_t longestSide)
        : sourceWidth_(sourceWidth), sourceHeight_(sourceHeight) {
        const double scale = std::min(1.0, static_cast<double>(longestSide) / std::max(sourceWidth, sourceHeight));
        width = std::max(1U, static_cast<std::uint32_t>(std::lround(sourceWidth * scale)));
        height = std::max(1U, static_cast<std::uint32_t>(std::lround(sourceHeight * scale)));
    }

    /// Writes the means of level(pixel) over the samples, rounded.
    template <class Level> void fill(Image& out, const Level& level) const {
        dispatch(out.type(), [&]<class T>(T) {
            T* pixel = out.pixels<T>().data();
            for (std::uint32_t y = 0; y < height; ++y) {
                for (std::uint32_t x = 0; x < width; ++x) {
                    *pixel++ = static_cast<T>(mean(x, y, level));
                }
            }
        });
    }

    std::uint32_t width = 1;
    std::uint32_t height = 1;

private:
    /// First source pixel of a place in a thumbnail of @p count px.
    static std::uint32_t start(std::uint32_t place, std::uint32_t count, std::uint32_t sourceCount) {
        return static_cast<std::uint32_t>(std::uint64_t{place} * sourceCount / count);
    }

    template <class Level> std::uint32_t mean(std::uint32_t x, std::uint32_t y, const Level& level) const {
        const std::uint32_t left = start(x, width, sourceWidth_);
        const std::uint32_t right = std::max(start(x + 1, width, sourceWidth_), left + 1);
        const std::uint32_t top = start(y, height, sourceHeight_);
        const std::uint32_t bottom = std::max(start(y + 1, height, sourceHeight_), top + 1);
        const std::uint32_t columns = std::min(kSamplesPerSide, right - left);
        const std::uint32_t rows = std::min(kSamplesPerSide, bottom - top);
        std::uint32_t sum = 0;
        for (std::uint32_t row = 0; row < rows; ++row) {
            const std::size_t line = std::size_t{top + row * (bottom - top) / rows} * sourceWidth_;
            for (std::uint32_t column = 0; column < columns; ++column) {
                sum += level(line + left + column * (right - left) / columns);
            }
        }
        const std::uint32_t count = rows * columns;
        return (sum + count / 2) / count;
    }

    std::uint32_t sourceWidth_;
    std::uint32_t sourceHeight_;
};

/// Four digits: readable, and as precise as a bin.
double rounded(double value) {
    if (value == 0) {
        return 0;
    }
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 3);
    return unit > 0 && std::isfinite(unit) ? std::round(value / unit) * unit : value;
}

std::shared_ptr<const Image> difference(const Image& one, const Image& other) {
    auto result = std::make_shared<Image>(one.type(), one.width(), one.height());
    dispatch(one.type(), [&]<class T>(T) {
        std::ranges::transform(one.pixels<T>(), other.pixels<T>(), result->pixels<T>().begin(),
                               [](T a, T b) { return static_cast<T>(a > b ? a - b : b - a); });
    });
    return result;
}

} // namespace

std::vector<double> thresholdsAtShares(const PatternSpectrum& spectrum, std::span<const double> shares) {
    const std::vector<GranulometryPoint> curve = granulometry(spectrum);
    const bool integral = attributeInfo(spectrum.attribute).integral;
    std::vector<double> thresholds;
    for (const double wanted : shares) {
        const auto point = std::ranges::find_if(curve, [wanted](const auto& each) { return each.share >= wanted; });
        if (spectrum.total == 0 || point == curve.end()) {
            break;
        }
        const double threshold = integral ? std::ceil(point->threshold) : rounded(point->threshold);
        if (thresholds.empty() || threshold > thresholds.back()) {
            thresholds.push_back(threshold);
        }
    }
    return thresholds;
}

std::shared_ptr<const Image> makeThumbnail(const Image& image, std::uint32_t longestSide) {
    const SampleGrid grid(image.width(), image.height(), longestSide);
    auto small = std::make_shared<Image>(image.type(), grid.width, grid.height);
    grid.fill(*small, [&image](std::size_t pixel) { return image.level(pixel); });
    return small;
}

std::vector<ProfileThumbnail> makeProfileThumbnails(const ProfileSource& source, std::span<const double> thresholds,
                                                    Rule rule, bool differential, std::uint32_t longestSide,
                                                    const JobControl& control) {
    const ComponentTree& tree = *source.tree;
    const Image& image = *source.image;
    const SampleGrid grid(image.width(), image.height(), longestSide);
    std::vector<ProfileThumbnail> thumbnails;
    std::shared_ptr<const Image> previous = differential ? makeThumbnail(image, longestSide) : nullptr;
    for (const double threshold : thresholds) {
        control.throwIfStopped();
        FilterSpec spec;
        spec.criteria.push_back({source.column->id, threshold, std::numeric_limits<double>::infinity()});
        spec.rule = rule;
        FilterColumns columns;
        columns.criteria.push_back(source.column);
        const NodeDecision decision = decideNodes(tree, spec, columns, control);
        const Buffer<std::uint16_t> levels = filteredLevels(tree, rule, decision.keep);
        auto small = std::make_shared<Image>(image.type(), grid.width, grid.height);
        grid.fill(*small, [&](std::size_t pixel) {
            const bool outside =
                source.inside != nullptr && !source.inside->test(static_cast<std::uint32_t>(pixel % image.width()),
                                                                 static_cast<std::uint32_t>(pixel / image.width()));
            return outside ? image.level(pixel) : levels[tree.pixelNode[source.firstPixel + pixel]];
        });
        ProfileThumbnail thumbnail;
        thumbnail.threshold = threshold;
        thumbnail.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0},
                                              [](std::uint64_t sum, std::uint8_t keep) { return sum + keep; });
        thumbnail.image = differential ? difference(*previous, *small) : small;
        previous = std::move(small);
        thumbnails.push_back(std::move(thumbnail));
    }
    return thumbnails;
}

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
