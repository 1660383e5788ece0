#include "vm/tree/spectrum_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
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

QString textOf(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

double shareOf(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

SpectrumViewModel::SpectrumViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : QObject(parent), document_(document), filter_(filter), attribute_(filter.attribute()) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &SpectrumViewModel::onTree);
    connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
        if (waiting_ && (id == attribute_ || id == AttributeId::area)) {
            post();
        }
    });
    connect(&filter_, &FilterViewModel::attributeChanged, this, [this] { setAttribute(filter_.attribute()); });
}

double SpectrumViewModel::share(int bin) const {
    if (!shown_ || bin < 0 || bin >= bins()) {
        return 0;
    }
    return shareOf(shown_->shares[static_cast<std::size_t>(bin)].mass, shown_->total);
}

double SpectrumViewModel::largestShare() const {
    double largest = 0;
    for (int bin = 0; bin < bins(); ++bin) {
        largest = std::max(largest, share(bin));
    }
    return largest;
}

QString SpectrumViewModel::readout(int bin) const {
    if (!shown_ || bin < 0 || bin >= bins()) {
        return {};
    }
    const AttributeInfo& info = attributeInfo(shown_->attribute);
    const bool closed = bin + 1 == bins() && shown_->bins.lastClosed;
    const QString unit = info.unit.empty() ? QString() : u' ' + textOf(info.unit);
    const auto below = curve_[static_cast<std::size_t>(bin) + 1];
    const quint64 nodes = shown_->shares[static_cast<std::size_t>(bin)].nodes;
    return tr("%1 ≤ %2 %3 %4%5: %6 of the grey mass, %n node(s); %7 up to here", nullptr,
              static_cast<int>(std::min<quint64>(nodes, 2'000'000'000)))
        .arg(shortValue(edge(bin)), textOf(info.name), closed ? QStringLiteral("≤") : QStringLiteral("<"),
             shortValue(edge(bin + 1)), unit, percentText(share(bin)), percentText(below.share));
}

QString SpectrumViewModel::leftOutText() const {
    if (!shown_) {
        return {};
    }
    const std::uint64_t nodes = shown_->below.nodes + shown_->above.nodes + shown_->nan.nodes;
    if (nodes == 0) {
        return {};
    }
    const std::uint64_t mass = shown_->below.mass + shown_->above.mass + shown_->nan.mass;
    return tr("%n node(s) with %1 of the grey mass have no bin", nullptr,
              static_cast<int>(std::min<quint64>(nodes, 2'000'000'000)))
        .arg(percentText(shareOf(mass, shown_->total)));
}

void SpectrumViewModel::setAttribute(AttributeId id) {
    if (id == attribute_) {
        return;
    }
    attribute_ = id;
    emit attributeChanged();
    update();
}

void SpectrumViewModel::setLogarithmic(bool logarithmic) {
    if (logarithmic == logarithmic_) {
        return;
    }
    logarithmic_ = logarithmic;
    emit binsChanged();
    update();
}

void SpectrumViewModel::setBinCount(int count) {
    const int clamped = std::clamp(count, kFewestBins, kMostBins);
    if (clamped == binCount_) {
        return;
    }
    binCount_ = clamped;
    emit binsChanged();
    update();
}

void SpectrumViewModel::setActive(bool active) {
    if (active == active_) {
        return;
    }
    active_ = active;
    emit activeChanged();
    if (active_) {
        update();
    }
}

void SpectrumViewModel::select(int first, int last) {
    const auto [low, high] = std::minmax(first, last);
    if (!shown_ || low < 0 || high >= bins()) {
        return;
    }
    const AttributeInfo& info = attributeInfo(shown_->attribute);
    double minimum = edge(low);
    double maximum = edge(high + 1);
    if (info.integral) {
        minimum = std::ceil(minimum);
        const bool closed = high + 1 == bins() && shown_->bins.lastClosed;
        maximum = closed ? std::floor(maximum) : std::ceil(maximum) - 1;
        if (maximum < minimum) {
            return; // the bin contains no integer
        }
    }
    filter_.setCriterion({shown_->attribute, minimum, maximum});
}

void SpectrumViewModel::onTree() {
    show(State::empty, nullptr); // the displayed spectrum is of another tree
    update();
}

void SpectrumViewModel::update() {
    worker_.cancel(Lane::measure);
    worker_.forget(Lane::measure);
    waiting_ = false;
    if (!active_) {
        return;
    }
    if (!document_.tree()) {
        show(State::empty, nullptr);
        return;
    }
    const bool same = shown_ && shown_->attribute == attribute_;
    show(State::computing, same ? shown_ : nullptr);
    waiting_ = true;
    post();
}

void SpectrumViewModel::post() {
    const auto area = document_.attribute(AttributeId::area);
    const auto column = document_.attribute(attribute_);
    if (!area || !column) {
        document_.requestAttribute(column ? AttributeId::area : attribute_);
        return;
    }
    waiting_ = false;
    BinSpec spec;
    spec.count = static_cast<std::uint32_t>(binCount_);
    spec.scale = logarithmic_ && column->minimum >= 0 && column->maximum > 0 ? BinScale::log : BinScale::linear;
    auto made = std::make_shared<PatternSpectrum>();
    worker_.post(
        Lane::measure,
        [tree = document_.tree(), area, column, spec, made](const std::stop_token& stop) {
            *made = patternSpectrum(*tree, *area, *column, spec, JobControl(stop));
        },
        [this, made](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            if (outcome.ok()) {
                show(made->total == 0 ? State::flat : State::ready, made);
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                problem_ = QString::fromStdString(outcome.message);
                show(State::failed, nullptr);
            }
        });
}

void SpectrumViewModel::show(State state, std::shared_ptr<const PatternSpectrum> spectrum) {
    if (state == state_ && spectrum == shown_) {
        return;
    }
    state_ = state;
    if (spectrum != shown_) {
        curve_ = spectrum ? granulometry(*spectrum) : std::vector<GranulometryPoint>{};
        shown_ = std::move(spectrum);
    }
    emit changed();
}

} // namespace pollard::vm
