#include "cpu/node_attributes.hpp"

#include "attributes/formulas.hpp"
#include "attributes/stability.hpp"
#include "base/error.hpp"
#include "cpu/attributes/entropy.hpp"
#include "cpu/attributes/levels.hpp"
#include "cpu/attributes/prominence.hpp"
#include "cpu/attributes/structure.hpp"
#include "cpu/parallel.hpp"
#include "io/read_support.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace pollard::cpu {

namespace {

/// Smallest and largest value; NaN compares false and so changes nothing.
template <class T> struct Range {
    T minimum =
        std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    T maximum =
        std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
};

template <class T> Range<T> rangeOf(const Buffer<T>& values) {
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, values.size(), kGrain), Range<T>{},
        [&](const auto& part, Range<T> range) {
            for (std::size_t i = part.begin(); i != part.end(); ++i) {
                range.minimum = values[i] < range.minimum ? values[i] : range.minimum;
                range.maximum = values[i] > range.maximum ? values[i] : range.maximum;
            }
            return range;
        },
        [](const Range<T>& a, const Range<T>& b) {
            return Range<T>{std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
        });
}

} // namespace

AttributeColumn NodeAttributes::compute(AttributeId id, const JobControl& control) {
    constexpr std::uint64_t kWorthAsking = std::uint64_t{64} << 20;
    if (const std::uint64_t needed = estimateBytes(id); needed > kWorthAsking) {
        if (const std::uint64_t available = availableMemory(); needed > available) {
            throw Error(ErrorCode::outOfMemory, "attribute '" + std::string(attributeInfo(id).name) + "' of " +
                                                    std::to_string(tree_->nodeCount()) + " nodes: about " +
                                                    std::to_string(needed >> 20) + " MiB of memory needed, " +
                                                    std::to_string(available >> 20) + " MiB free");
        }
    }
    AttributeColumn column{id, {}, 0, 0};
    fill(column, control);
    control.throwIfStopped();
    std::visit(
        [&](const auto& values) {
            if (const auto range = rangeOf(values); range.minimum <= range.maximum) {
                column.minimum = static_cast<double>(range.minimum);
                column.maximum = static_cast<double>(range.maximum);
            }
        },
        column.values);
    return column;
}

template <class T, class Function> Buffer<T> NodeAttributes::each(const JobControl& control, Function&& value) const {
    Buffer<T> out(tree_->nodeCount());
    forEachIndex(out.size(), control, [&](std::size_t i) { out[i] = value(i); });
    return out;
}

template <class T> Buffer<T> NodeAttributes::copy(const Buffer<T>& values, const JobControl& control) const {
    return each<T>(control, [&](std::size_t i) { return values[i]; });
}

Buffer<double> NodeAttributes::copy(const DoublesInPlace& values, const JobControl& control) const {
    return each<double>(control, [&](std::size_t i) { return values[i]; });
}

template <class Formula> Buffer<double> NodeAttributes::ofMoments(const JobControl& control, Formula&& formula) {
    const Buffer<std::uint32_t>& a = area(control);
    const NodeMoments& m = moments(control);
    return each<double>(control, [&](std::size_t i) { return formula(a[i], m.at(i)); });
}

template <class Formula> Buffer<double> NodeAttributes::ofThirdMoments(const JobControl& control, Formula&& formula) {
    const NodeThirdMoments& t = thirdMoments(control);
    return each<double>(control, [&](std::size_t i) { return formula(t.at(i)); });
}

template <class T, class Function> Buffer<T> NodeAttributes::ofOutlines(const JobControl& control, Function&& value) {
    const NodeOutlines& o = outlines(control);
    return each<T>(control, [&](std::size_t i) { return value(o, i); });
}

void NodeAttributes::fill(AttributeColumn& column, const JobControl& control) {
    const ComponentTree& tree = *tree_;
    auto& values = column.values;
    switch (column.id) {
    case AttributeId::area:
        values = copy(area(control), control);
        return;
    case AttributeId::width: {
        const Buffer<NodeBox>& b = boxes(control);
        values = each<std::uint32_t>(control, [&](std::size_t i) { return b[i].right - b[i].left + 1; });
        return;
    }
    case AttributeId::heightPx: {
        const Buffer<NodeBox>& b = boxes(control);
        values = each<std::uint32_t>(control, [&](std::size_t i) { return b[i].bottom - b[i].top + 1; });
        return;
    }
    case AttributeId::bboxArea: {
        const Buffer<NodeBox>& b = boxes(control);
        values = each<std::uint64_t>(control, [&](std::size_t i) { return b[i].area(); });
        return;
    }
    case AttributeId::bboxDiagonal: {
        const Buffer<NodeBox>& b = boxes(control);
        values = each<double>(control, [&](std::size_t i) {
            const double w = b[i].right - b[i].left + 1.0;
            const double h = b[i].bottom - b[i].top + 1.0;
            return std::sqrt(w * w + h * h);
        });
        return;
    }
    case AttributeId::border:
        values = borderPixelsOf(tree, control);
        return;
    case AttributeId::level:
        values = copy(tree.level, control);
        return;
    case AttributeId::contrast:
        values = contrastsOf(tree, control);
        return;
    case AttributeId::height:
        values = heightsOf(tree, control);
        return;
    case AttributeId::dynamics:
        values = extinctionsOf(tree, heightsOf(tree, control), control);
        return;
    case AttributeId::volume:
        values = volumesOf(tree, area(control), levelSum(control), control);
        return;
    case AttributeId::sum:
        values = copy(levelSum(control), control);
        return;
    case AttributeId::mean: {
        const Buffer<std::uint64_t>& sum = levelSum(control);
        const Buffer<std::uint32_t>& a = area(control);
        values = each<double>(control, [&](std::size_t i) { return static_cast<double>(sum[i]) / a[i]; });
        return;
    }
    case AttributeId::variance:
        values = variancesOf(tree, own(control), area(control), levelSum(control), control);
        return;
    case AttributeId::entropy:
        values = entropiesOf(tree, own(control), area(control), control);
        return;
    case AttributeId::centroidX:
        values = copy(moments(control).x, control);
        return;
    case AttributeId::centroidY:
        values = copy(moments(control).y, control);
        return;
    case AttributeId::inertia:
    case AttributeId::hu1:
        values = copy(moments(control).sum, control);
        return;
    case AttributeId::major:
        values = ofMoments(control, [](auto a, const auto& m) { return majorAxisOf(a, m); });
        return;
    case AttributeId::minor:
        values = ofMoments(control, [](auto a, const auto& m) { return minorAxisOf(a, m); });
        return;
    case AttributeId::elongation:
        values = ofMoments(control, [](auto, const auto& m) { return elongationOf(m); });
        return;
    case AttributeId::orientation:
        values = ofMoments(control, [](auto, const auto& m) { return orientationOf(m); });
        return;
    case AttributeId::eccentricity:
        values = ofMoments(control, [](auto, const auto& m) { return eccentricityOf(m); });
        return;
    case AttributeId::hu2:
        values = ofMoments(control, [](auto, const auto& m) { return hu2Of(m); });
        return;
    case AttributeId::hu3:
        values = ofThirdMoments(control, [](const auto& t) { return hu3Of(t); });
        return;
    case AttributeId::hu4:
        values = ofThirdMoments(control, [](const auto& t) { return hu4Of(t); });
        return;
    case AttributeId::hu5:
        values = ofThirdMoments(control, [](const auto& t) { return hu5Of(t); });
        return;
    case AttributeId::hu6: {
        const NodeThirdMoments& t = thirdMoments(control);
        const NodeMoments& m = moments(control);
        values = each<double>(control, [&](std::size_t i) { return hu6Of(m.at(i), t.at(i)); });
        return;
    }
    case AttributeId::hu7:
        values = ofThirdMoments(control, [](const auto& t) { return hu7Of(t); });
        return;
    case AttributeId::perimeter:
        values = ofOutlines<std::uint64_t>(control, [](const auto& o, std::size_t i) { return o.perimeter(i); });
        return;
    case AttributeId::circularity: {
        const Buffer<std::uint32_t>& a = area(control);
        values = ofOutlines<double>(control,
                                    [&](const auto& o, std::size_t i) { return circularityOf(a[i], o.perimeter(i)); });
        return;
    }
    case AttributeId::rectangularity: {
        const Buffer<NodeBox>& b = boxes(control);
        const Buffer<std::uint32_t>& a = area(control);
        values = each<double>(control, [&](std::size_t i) { return a[i] / static_cast<double>(b[i].area()); });
        return;
    }
    case AttributeId::euler:
        values = ofOutlines<std::int32_t>(control, [](const auto& o, std::size_t i) { return o.euler(i); });
        return;
    case AttributeId::holes:
        values = ofOutlines<std::uint32_t>(
            control, [](const auto& o, std::size_t i) { return static_cast<std::uint32_t>(1 - o.euler(i)); });
        return;
    case AttributeId::depth:
        values = depthsOf(tree, control);
        return;
    case AttributeId::children:
        values = childCountsOf(tree, control);
        return;
    case AttributeId::descendants:
        values = descendantCountsOf(tree, control);
        return;
    case AttributeId::leaves:
        values = leafCountsOf(tree, control);
        return;
    case AttributeId::stability:
        values = stabilitiesOf(tree, area(control).span(), defaultStabilityDelta(tree.pixelType), control);
        return;
    case AttributeId::extinctionArea:
        values = extinctionsOf(tree, area(control), control);
        return;
    case AttributeId::extinctionVolume:
        values = extinctionsOf(tree, volumesOf(tree, area(control), levelSum(control), control), control);
        return;
    }
    throw Error(ErrorCode::invalidArgument,
                "attribute " + std::to_string(static_cast<int>(column.id)) + ": there is none of this number");
}

const Buffer<std::uint32_t>& NodeAttributes::own(const JobControl& control) {
    if (shared_.own.empty()) {
        shared_.own = countOwnPixels(*tree_, control);
    }
    return shared_.own;
}

const Buffer<std::uint32_t>& NodeAttributes::area(const JobControl& control) {
    if (shared_.area.empty()) {
        shared_.area = areasOf(*tree_, own(control), control);
    }
    return shared_.area;
}

const PixelList& NodeAttributes::pixels(const JobControl& control) {
    if (shared_.pixels.pixels.empty()) {
        shared_.pixels = listPixels(*tree_, own(control), control);
    }
    return shared_.pixels;
}

const Buffer<NodeBox>& NodeAttributes::boxes(const JobControl& control) {
    if (shared_.boxes.empty()) {
        shared_.boxes = boxesOf(*tree_, pixels(control), control);
    }
    return shared_.boxes;
}

const Buffer<std::uint64_t>& NodeAttributes::levelSum(const JobControl& control) {
    if (shared_.levelSum.empty()) {
        shared_.levelSum = levelSumsOf(*tree_, own(control), control);
    }
    return shared_.levelSum;
}

const NodeMoments& NodeAttributes::moments(const JobControl& control) {
    if (shared_.moments.x.empty()) {
        shared_.moments = momentsOf(*tree_, pixels(control), area(control), control);
    }
    return shared_.moments;
}

const NodeThirdMoments& NodeAttributes::thirdMoments(const JobControl& control) {
    if (shared_.thirdMoments.a.empty()) {
        shared_.thirdMoments = thirdMomentsOf(*tree_, pixels(control), area(control), control);
    }
    return shared_.thirdMoments;
}

const NodeOutlines& NodeAttributes::outlines(const JobControl& control) {
    if (shared_.outlines.empty()) {
        shared_.outlines = outlinesOf(*tree_, control);
    }
    return shared_.outlines;
}

std::uint64_t NodeAttributes::estimateBytes(AttributeId id) const noexcept {
    const std::uint64_t n = tree_->nodeCount();
    std::uint64_t bytes = 8 * n + 16 * n; // the column; what a sweep leaves over
    const auto keep = [&bytes](bool held, std::uint64_t needed) { bytes += held ? 0 : needed; };
    const auto needOwn = [&] { keep(!shared_.own.empty(), 4 * n); };
    const auto needArea = [&] {
        needOwn();
        keep(!shared_.area.empty(), 4 * n);
    };
    const auto needPixels = [&] {
        needArea();
        keep(!shared_.pixels.pixels.empty(), 4 * (n + 1) + 4 * std::uint64_t{tree_->pixelCount()});
    };
    const auto needSums = [&] {
        needArea();
        keep(!shared_.levelSum.empty(), 8 * n);
    };
    const auto needMoments = [&] {
        needPixels();
        keep(!shared_.moments.x.empty(), momentBytes(*tree_, 2));
    };
    const auto needThird = [&] {
        needPixels();
        keep(!shared_.thirdMoments.a.empty(), momentBytes(*tree_, 3));
    };
    switch (id) {
    case AttributeId::border:
    case AttributeId::level:
    case AttributeId::contrast:
    case AttributeId::height:
    case AttributeId::depth:
    case AttributeId::children:
    case AttributeId::descendants:
    case AttributeId::leaves:
        break;
    case AttributeId::area:
        needArea();
        break;
    case AttributeId::width:
    case AttributeId::heightPx:
    case AttributeId::bboxArea:
    case AttributeId::bboxDiagonal:
    case AttributeId::rectangularity:
        needPixels();
        keep(!shared_.boxes.empty(), sizeof(NodeBox) * n);
        break;
    case AttributeId::dynamics:
        bytes += (2 + 4 + 4) * n;
        break;
    case AttributeId::extinctionArea:
        needArea();
        bytes += (4 + 4) * n;
        break;
    case AttributeId::extinctionVolume:
        needSums();
        bytes += (8 + 4 + 4) * n;
        break;
    case AttributeId::volume:
    case AttributeId::sum:
    case AttributeId::mean:
        needSums();
        break;
    case AttributeId::variance:
        needSums();
        bytes += 8 * n;
        break;
    case AttributeId::entropy:
        needArea();
        bytes += entropyScratchBytes(*tree_);
        break;
    case AttributeId::stability:
        needArea();
        bytes += 4 * n;
        break;
    case AttributeId::perimeter:
    case AttributeId::circularity:
    case AttributeId::euler:
    case AttributeId::holes:
        needArea();
        keep(!shared_.outlines.empty(), 8 * n);
        break;
    case AttributeId::hu6:
        needMoments();
        keep(!shared_.thirdMoments.a.empty(), momentBytes(*tree_, 3));
        break;
    case AttributeId::hu3:
    case AttributeId::hu4:
    case AttributeId::hu5:
    case AttributeId::hu7:
        needThird();
        break;
    default: // from the second moments
        needMoments();
        break;
    }
    return bytes;
}

} // namespace pollard::cpu
