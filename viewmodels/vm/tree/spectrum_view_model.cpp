#include "vm/tree/spectrum_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "attributes/grey_values.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

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

} // namespace pollard::vm
