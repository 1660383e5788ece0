#include "cpu/node_attributes.hpp"

#include "attributes/formulas.hpp"
#include "attributes/value_range.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "cpu/attributes/entropy.hpp"
#include "cpu/attributes/levels.hpp"
#include "cpu/attributes/prominence.hpp"
#include "cpu/attributes/structure.hpp"
#include "io/read_support.hpp"
#include "tree/stability.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard::cpu {

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
    return column;
}

template <class T> Buffer<T> NodeAttributes::freshBuffer() {
    if constexpr (std::is_same_v<T, double>) {
        if (!spare_.empty()) {
            Buffer<double> buffer = std::move(spare_.back());
            spare_.pop_back();
            return buffer;
        }
    }
    return Buffer<T>(tree_->nodeCount());
}

template <class T, class Function>
void NodeAttributes::each(AttributeColumn& column, const JobControl& control, Function&& value) {
    Buffer<T> out = freshBuffer<T>();
    // Ranges over pieces that fit the L1 cache.
    constexpr std::size_t kPiece = 2048;
    const ValueRange<T> range = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, out.size(), kGrain), ValueRange<T>{},
        [&](const auto& part, ValueRange<T> found) {
            for (std::size_t begin = part.begin(); begin != part.end();) {
                control.throwIfStopped();
                const std::size_t end = std::min(begin + kPiece, part.end());
                for (std::size_t i = begin; i != end; ++i) {
                    out[i] = value(i);
                }
                found = joined(found, rangeOf<T>(out.span().subspan(begin, end - begin)));
                begin = end;
            }
            return found;
        },
        joined<T>);
    storeRange(column, range);
    column.values = std::move(out);
}

template <class T> void NodeAttributes::store(AttributeColumn& column, Buffer<T> values) {
    storeRange(column, parallelRangeOf<T>(values.span()));
    column.values = std::move(values);
}

template <class T>
void NodeAttributes::copy(AttributeColumn& column, const Buffer<T>& values, const JobControl& control) {
    each<T>(column, control, [&](std::size_t i) { return values[i]; });
}

template <class T> Buffer<T> NodeAttributes::duplicate(const Buffer<T>& values, const JobControl& control) const {
    Buffer<T> out(values.size());
    forEachIndex(out.size(), control, [&](std::size_t i) { out[i] = values[i]; });
    return out;
}

template <std::size_t Axis> void NodeAttributes::centroids(AttributeColumn& column, const JobControl& control) {
    const Buffer<std::uint32_t>& a = area(control);
    std::visit(
        [&](const auto& arrays) {
            each<double>(column, control,
                         [&](std::size_t i) { return static_cast<double>(arrays.of[Axis][i]) / a[i]; });
        },
        sums(control));
}

template <class Formula>
void NodeAttributes::ofMoments(AttributeColumn& column, const JobControl& control, Formula&& formula) {
    const Buffer<std::uint32_t>& a = area(control);
    const NodeMoments& m = moments(control);
    each<double>(column, control, [&](std::size_t i) { return formula(a[i], m.at(i)); });
}

template <class Formula>
void NodeAttributes::ofThirdMoments(AttributeColumn& column, const JobControl& control, Formula&& formula) {
    const NodeThirdMoments& t = thirdMoments(control);
    each<double>(column, control, [&](std::size_t i) { return formula(t.at(i)); });
}

template <class T, class Function>
void NodeAttributes::ofOutlines(AttributeColumn& column, const JobControl& control, Function&& value) {
    const NodeOutlines& o = outlines(control);
    each<T>(column, control, [&](std::size_t i) { return value(o, i); });
}

void NodeAttributes::fill(AttributeColumn& column, const JobControl& control) {
    const ComponentTree& tree = *tree_;
    switch (column.id) {
    case AttributeId::area:
        copy(column, area(control), control);
        return;
    case AttributeId::width: {
        const Buffer<NodeBox>& b = boxes(control);
        each<std::uint32_t>(column, control, [&](std::size_t i) { return b[i].width(); });
        return;
    }
    case AttributeId::heightPx: {
        const Buffer<NodeBox>& b = boxes(control);
        each<std::uint32_t>(column, control, [&](std::size_t i) { return b[i].height(); });
        return;
    }
    case AttributeId::bboxArea: {
        const Buffer<NodeBox>& b = boxes(control);
        each<std::uint64_t>(column, control, [&](std::size_t i) { return b[i].area(); });
        return;
    }
    case AttributeId::bboxDiagonal: {
        const Buffer<NodeBox>& b = boxes(control);
        each<double>(column, control, [&](std::size_t i) { return b[i].diagonal(); });
        return;
    }
    case AttributeId::border:
        store(column, borderPixelsOf(tree, control));
        return;
    case AttributeId::level:
        copy(column, tree.level, control);
        return;
    case AttributeId::contrast:
        store(column, contrastsOf(tree, control));
        return;
    case AttributeId::height:
        store(column, heightsOf(tree, control));
        return;
    case AttributeId::dynamics:
        store(column, extinctionsOf(tree, heightsOf(tree, control), control));
        return;
    case AttributeId::volume:
        store(column, volumesOf(tree, area(control), levelSum(control), control));
        return;
    case AttributeId::sum:
        copy(column, levelSum(control), control);
        return;
    case AttributeId::mean: {
        const Buffer<std::uint64_t>& sum = levelSum(control);
        const Buffer<std::uint32_t>& a = area(control);
        each<double>(column, control, [&](std::size_t i) { return static_cast<double>(sum[i]) / a[i]; });
        return;
    }
    case AttributeId::variance:
        store(column, variancesOf(tree, own(control), area(control), levelSum(control), control));
        return;
    case AttributeId::entropy:
        store(column, entropiesOf(tree, own(control), area(control), control));
        return;
    case AttributeId::centroidX:
        centroids<0>(column, control);
        return;
    case AttributeId::centroidY:
        centroids<1>(column, control);
        return;
    case AttributeId::inertia:
    case AttributeId::hu1:
        copy(column, moments(control).sum, control);
        return;
    case AttributeId::major:
        ofMoments(column, control, [](auto a, const auto& m) { return majorAxisOf(a, m); });
        return;
    case AttributeId::minor:
        ofMoments(column, control, [](auto a, const auto& m) { return minorAxisOf(a, m); });
        return;
    case AttributeId::elongation:
        ofMoments(column, control, [](auto, const auto& m) { return elongationOf(m); });
        return;
    case AttributeId::orientation:
        ofMoments(column, control, [](auto, const auto& m) { return orientationOf(m); });
        return;
    case AttributeId::eccentricity:
        ofMoments(column, control, [](auto, const auto& m) { return eccentricityOf(m); });
        return;
    case AttributeId::hu2:
        ofMoments(column, control, [](auto, const auto& m) { return hu2Of(m); });
        return;
    case AttributeId::hu3:
        ofThirdMoments(column, control, [](const auto& t) { return hu3Of(t); });
        return;
    case AttributeId::hu4:
        ofThirdMoments(column, control, [](const auto& t) { return hu4Of(t); });
        return;
    case AttributeId::hu5:
        ofThirdMoments(column, control, [](const auto& t) { return hu5Of(t); });
        return;
    case AttributeId::hu6: {
        const NodeThirdMoments& t = thirdMoments(control);
        const NodeMoments& m = moments(control);
        each<double>(column, control, [&](std::size_t i) { return hu6Of(m.at(i), t.at(i)); });
        return;
    }
    case AttributeId::hu7:
        ofThirdMoments(column, control, [](const auto& t) { return hu7Of(t); });
        return;
    case AttributeId::perimeter:
        ofOutlines<std::uint64_t>(column, control, [](const auto& o, std::size_t i) { return o.perimeter(i); });
        return;
    case AttributeId::circularity: {
        const Buffer<std::uint32_t>& a = area(control);
        ofOutlines<double>(column, control,
                           [&](const auto& o, std::size_t i) { return circularityOf(a[i], o.perimeter(i)); });
        return;
    }
    case AttributeId::rectangularity: {
        const Buffer<NodeBox>& b = boxes(control);
        const Buffer<std::uint32_t>& a = area(control);
        each<double>(column, control, [&](std::size_t i) { return a[i] / static_cast<double>(b[i].area()); });
        return;
    }
    case AttributeId::euler:
        ofOutlines<std::int32_t>(column, control, [](const auto& o, std::size_t i) { return o.euler(i); });
        return;
    case AttributeId::holes:
        ofOutlines<std::uint32_t>(
            column, control, [](const auto& o, std::size_t i) { return static_cast<std::uint32_t>(1 - o.euler(i)); });
        return;
    case AttributeId::depth:
        store(column, depthsOf(tree, control));
        return;
    case AttributeId::children:
        store(column, childCountsOf(tree, control));
        return;
    case AttributeId::descendants:
        store(column, descendantCountsOf(tree, control));
        return;
    case AttributeId::leaves:
        store(column, leafCountsOf(tree, control));
        return;
    case AttributeId::stability:
        store(column, stabilitiesOf(tree, area(control).span(), defaultStabilityDelta(tree.pixelType), control));
        return;
    case AttributeId::extinctionArea:
        store(column, extinctionsOf(tree, duplicate(area(control), control), control));
        return;
    case AttributeId::extinctionVolume:
        store(column, extinctionsOf(tree, volumesOf(tree, area(control), levelSum(control), control), control));
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

const NodeSums& NodeAttributes::sums(const JobControl& control) {
    if (isEmpty(shared_.sums)) {
        shared_.sums = momentSumsOf(*tree_, pixels(control), control);
    }
    return shared_.sums;
}

const NodeMoments& NodeAttributes::moments(const JobControl& control) {
    if (shared_.moments.sum.empty()) {
        shared_.moments = momentsOf(sums(control), area(control), control);
        retireSums();
    }
    return shared_.moments;
}

const NodeThirdMoments& NodeAttributes::thirdMoments(const JobControl& control) {
    if (shared_.thirdMoments.a.empty()) {
        shared_.thirdMoments = thirdMomentsOf(*tree_, pixels(control), sums(control), area(control), control);
        retireSums();
    }
    return shared_.thirdMoments;
}

void NodeAttributes::retireSums() {
    if (shared_.moments.sum.empty() || shared_.thirdMoments.a.empty()) {
        return;
    }
    if (auto* arrays = std::get_if<SumArrays<std::uint64_t>>(&shared_.sums)) {
        for (SumArray<std::uint64_t>& array : arrays->of) {
            spare_.push_back(array.release());
        }
    }
    shared_.sums = {};
}

const NodeOutlines& NodeAttributes::outlines(const JobControl& control) {
    if (shared_.outlines.empty()) {
        shared_.outlines = outlinesOf(*tree_, control);
    }
    return shared_.outlines;
}

std::uint64_t NodeAttributes::estimateBytes(AttributeId id) const noexcept {
    const std::uint64_t n = tree_->nodeCount();
    std::uint64_t bytes = 8 * n + 16 * n; // column, and overhead of a sweep
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
    const auto needMomentSums = [&] {
        needPixels();
        keep(!isEmpty(shared_.sums), momentSumBytes(*tree_));
    };
    const auto needMoments = [&] {
        if (shared_.moments.sum.empty()) {
            needMomentSums();
            bytes += momentBytes(*tree_);
        }
    };
    const auto needThird = [&] {
        if (shared_.thirdMoments.a.empty()) {
            needMomentSums();
            bytes += thirdMomentBytes(*tree_);
        }
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
    case AttributeId::stability:
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
        bytes += (4 + 4) * n;
        break;
    case AttributeId::extinctionArea:
        needArea();
        bytes += (4 + 4) * n;
        break;
    case AttributeId::extinctionVolume:
        needSums();
        bytes += (4 + 4) * n;
        break;
    case AttributeId::volume:
    case AttributeId::sum:
    case AttributeId::mean:
    case AttributeId::variance:
        needSums();
        break;
    case AttributeId::entropy:
        needArea();
        bytes += entropyScratchBytes(*tree_);
        break;
    case AttributeId::perimeter:
    case AttributeId::circularity:
    case AttributeId::euler:
    case AttributeId::holes:
        needArea();
        keep(!shared_.outlines.empty(), 8 * n);
        break;
    case AttributeId::centroidX:
    case AttributeId::centroidY:
        needMomentSums();
        break;
    case AttributeId::hu6:
        if (shared_.moments.sum.empty() || shared_.thirdMoments.a.empty()) {
            needMomentSums();
            keep(!shared_.moments.sum.empty(), momentBytes(*tree_));
            keep(!shared_.thirdMoments.a.empty(), thirdMomentBytes(*tree_));
        }
        break;
    case AttributeId::hu3:
    case AttributeId::hu4:
    case AttributeId::hu5:
    case AttributeId::hu7:
        needThird();
        break;
    default: // derived from the second moments
        needMoments();
        break;
    }
    return bytes;
}

} // namespace pollard::cpu
