#include "vm/tree/rule_results.hpp"

#include "filter/node_decision.hpp"
#include "filter/output_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pollard::vm {

namespace {

/// Pixels of the picture at the middles of @p count equal pieces of [first, first + length).
std::vector<std::uint32_t> middlesOf(double first, double length, int count, std::uint32_t end) {
    std::vector<std::uint32_t> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double middle = std::floor(first + (i + 0.5) * length / count);
        places[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(std::clamp(middle, 0.0, end - 1.0));
    }
    return places;
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
        // Every node has pixels of its own: equal values mean equal pictures.
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
    QImage picture(side(look.part.width()), side(look.part.height()), QImage::Format_ARGB32);
    const auto columns = middlesOf(look.part.x(), look.part.width(), picture.width(), image.width());
    const auto rows = middlesOf(look.part.y(), look.part.height(), picture.height(), image.height());
    const Buffer<std::uint16_t>& values = *result.values;
    for (int line = 0; line < picture.height(); ++line) {
        auto* pixel = reinterpret_cast<QRgb*>(picture.scanLine(line));
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
    return picture;
}

} // namespace pollard::vm
