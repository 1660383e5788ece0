#include "vm/tree/rules_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "filter/node_decision.hpp"
#include "filter/output_values.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace pollard::vm {
namespace {

/// Pixels of the image at the middles of @p count equal pieces of [first, first + length).
std::vector<std::uint32_t> middlesOf(double first, double length, int count, std::uint32_t end) {
    std::vector<std::uint32_t> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double middle = std::floor(first + (i + 0.5) * length / count);
        places[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(std::clamp(middle, 0.0, end - 1.0));
    }
    return places;
}

/// Whether the filter may remove a component.
bool decides(const FilterSpec& filter) {
    return !filter.criteria.empty() || !filter.forest.trees.empty() || filter.prominent || !filter.removed.empty() ||
           !filter.only.empty();
}

/// Whether the rule removes everything because the root does not meet the criteria.
bool failsAtRoot(const RuleResult& result) {
    return result.rule == Rule::min && !result.rootCounts && result.keptNodes == 1;
}

} // namespace

std::vector<RuleResult> filterByAllRules(const RuleSource& source, const JobControl& control) {
    const ComponentTree& tree = *source.tree;
    FilterSpec spec = source.filter;
    std::vector<RuleResult> results;
    for (const Rule rule : kAllRules) {
        spec.rule = rule;
        const NodeDecision decision = decideNodes(tree, spec, source.columns, control);
        RuleResult result;
        result.rule = rule;
        result.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0});
        result.rootCounts = decision.rootCounts;
        auto values = std::make_shared<const Buffer<std::uint16_t>>(outputValues(tree, spec, decision, control));
        result.changedPixels = spec.output == Output::filtered
                                   ? countChangedPixels(tree, *values, *source.area)
                                   : countChangedPixels(tree, filteredLevels(tree, rule, decision.keep), *source.area);
        // Every node has own pixels, so equal values mean equal images.
        const auto same = std::ranges::find_if(
            results, [&](const RuleResult& each) { return std::ranges::equal(*each.values, *values); });
        const bool other = same != results.end();
        result.sameAs = other ? std::optional(same->rule) : std::nullopt;
        result.values = other ? same->values : std::move(values);
        results.push_back(std::move(result));
        control.throwIfStopped();
    }
    return results;
}

QImage paintPart(const RuleSource& source, const RuleResult& result, const PartLook& look) {
    const Image& image = *source.image;
    const double scale = std::min(look.box.width() / look.part.width(), look.box.height() / look.part.height());
    const auto side = [scale](double length) { return std::max(1, static_cast<int>(std::lround(length * scale))); };
    QImage drawn(side(look.part.width()), side(look.part.height()), QImage::Format_ARGB32);
    const auto columns = middlesOf(look.part.x(), look.part.width(), drawn.width(), image.width());
    const auto rows = middlesOf(look.part.y(), look.part.height(), drawn.height(), image.height());
    const Buffer<std::uint16_t>& values = *result.values;
    for (int line = 0; line < drawn.height(); ++line) {
        auto* pixel = reinterpret_cast<QRgb*>(drawn.scanLine(line));
        const std::uint32_t y = rows[static_cast<std::size_t>(line)];
        for (const std::uint32_t x : columns) {
            const std::size_t place = std::size_t{y} * image.width() + x;
            const bool hasData = source.valid == nullptr || source.valid->test(x, y);
            const bool analysed = source.domain == nullptr || source.domain->test(x, y);
            const std::uint16_t outside =
                source.filter.output == Output::filtered ? image.level(place) : std::uint16_t{0};
            *pixel++ = hasData
                           ? look.colour(analysed ? values[source.tree->pixelNode[source.firstPixel + place]] : outside)
                           : 0;
        }
    }
    return drawn;
}

RulesViewModel::RulesViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : Analysis(parent), document_(document), filter_(filter) {
    rest_.setSingleShot(true);
    connect(&rest_, &QTimer::timeout, this, &RulesViewModel::post);
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        clear(); // the displayed images are of another tree
        update();
    });
    connect(&document_, &DocumentViewModel::sliceChanged, this, [this] {
        if (isActive() && document_.tree()) { // the displayed images are of another slice
            results_.begin(results_.value());
            rest_.start(kDelay);
        }
    });
    connect(&document_, &DocumentViewModel::attributeReady, this, [this] {
        if (results_.awaitsInput() && !rest_.isActive()) {
            post();
        }
    });
    connect(&document_.pixelSizes(), &DocumentPixelSizes::changed, this, &RulesViewModel::update);
    connect(&filter_, &FilterViewModel::specChanged, this, &RulesViewModel::update);
    connect(&filter_, &FilterViewModel::ruleChanged, this, &RulesViewModel::currentChanged);
    connect(&filter_, &FilterViewModel::enabledChanged, this, &RulesViewModel::changed); // the message
}

RulesViewModel::State RulesViewModel::state() const {
    const bool painted = shown() && shown()->made == results_.value();
    return results_.state() != State::ready || painted ? results_.state()
           : images_.state() == State::failed          ? State::failed
                                                       : State::computing;
}

const std::vector<RuleResult>& RulesViewModel::results() const noexcept {
    static const std::vector<RuleResult> none;
    return shown() ? shown()->made->results : none;
}

QString RulesViewModel::message() const {
    if (state() == State::failed) {
        return results_.state() == State::failed ? results_.problem() : images_.problem();
    }
    if (state() == State::computing) {
        return tr("Filtering …");
    }
    if (results().empty()) {
        return {};
    }
    if (!filter_.isEnabled()) {
        return tr("The filter is off: all components are kept under every rule");
    }
    if (!decides(shown()->made->source.filter)) {
        return tr("There is no criterion: all components are kept under every rule");
    }
    const auto failed = std::ranges::find_if(results(), failsAtRoot);
    return failed == results().end() ? tr("Nodes kept and pixels changed under each rule")
                                     : tr("%1: the root does not meet the criteria").arg(ruleTitle(failed->rule));
}

QString RulesViewModel::numbersOf(int number) const {
    const RuleResult& result = results()[index(number)];
    return QStringLiteral("%1\n%2").arg(result.sameAs ? tr("Same as %1").arg(ruleTitle(*result.sameAs))
                                                      : tr("Nodes: %1").arg(countText(result.keptNodes)),
                                        tr("Pixels: %1").arg(countText(result.changedPixels)));
}

QString RulesViewModel::detailsOf(int number) const {
    const RuleResult& result = results()[index(number)];
    const ComponentTree& tree = *shown()->made->source.tree;
    QStringList lines{ruleToolTip(result.rule),
                      tr("Nodes kept: %1 of %2; pixels changed: %3 of %4")
                          .arg(countText(result.keptNodes), countText(tree.nodeCount()),
                               countText(result.changedPixels), countText(tree.pixelCount()))};
    if (result.sameAs) {
        lines << tr("The image is the same as under %1, in every pixel").arg(ruleTitle(*result.sameAs));
    }
    return lines.join(u'\n');
}

int RulesViewModel::current() const {
    return static_cast<int>(std::distance(kAllRules.begin(), std::ranges::find(kAllRules, filter_.rule())));
}

void RulesViewModel::select(int number) {
    if (filter_.isEnabled()) {
        filter_.setRule(kAllRules.at(index(number)));
    }
}

void RulesViewModel::setLook(PartLook look) {
    look_ = std::move(look);
    look_.box = look_.box.boundedTo({kMostSide, kMostSide});
    ++lookNumber_;
    if (results_.value()) {
        paint();
    }
}

void RulesViewModel::clear() {
    rest_.stop();
    results_.clear();
    images_.clear();
}

void RulesViewModel::update() {
    if (!isActive() || !document_.tree()) {
        clear();
        return;
    }
    FilterSpec wanted = inPixelsOf(document_, filter_.spec());
    wanted.rule = {};
    const bool there = results_.state() == State::computing || results_.state() == State::ready;
    if (there && wanted == wanted_) {
        return;
    }
    wanted_ = std::move(wanted);
    results_.stop();
    results_.begin(results_.value());
    rest_.start(results_.value() ? kDelay : 0);
}

void RulesViewModel::post() {
    auto columns = measuredColumns(document_, wanted_);
    if (!columns) {
        return;
    }
    results_.compute(
        [source = RuleSource{document_.tree(), document_.input(), document_.shown().valid, document_.shown().domain,
                             wanted_, *std::move(columns), document_.attribute(AttributeId::area),
                             document_.shown().firstPixel()}](const std::stop_token& stop) {
            return Results{source, filterByAllRules(source, JobControl(stop))};
        });
}

void RulesViewModel::onResults() {
    if (results_.state() == State::ready) {
        images_.begin(images_.value());
        paint();
    }
    emit changed();
}

void RulesViewModel::paint() {
    if (look_.box.isEmpty() || look_.part.isEmpty()) {
        return;
    }
    images_.compute([made = results_.value(), look = look_, number = lookNumber_](const std::stop_token& stop) {
        Painted painted{made, {}, number};
        for (const RuleResult& result : made->results) {
            JobControl(stop).throwIfStopped();
            const auto same = std::ranges::find_if(
                made->results, [&result](const RuleResult& each) { return each.values == result.values; });
            const auto first = static_cast<std::size_t>(std::distance(made->results.begin(), same));
            painted.images.push_back(first < painted.images.size() ? painted.images[first]
                                                                   : paintPart(made->source, result, look));
        }
        return painted;
    });
}

} // namespace pollard::vm
