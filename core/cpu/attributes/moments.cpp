#include "cpu/attributes/moments.hpp"

#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>

namespace pollard::cpu {

namespace {

/// Whether sums of this order fit 64 bits (see MomentSums).
bool fits64Bits(const ComponentTree& tree, int order) noexcept {
    UInt128 bound = tree.pixelCount();
    for (int i = 0; i < order; ++i) {
        bound *= std::max(tree.width, tree.height); // below 2^128: 32 bits times three times 32 bits
    }
    return bound >> 63 == 0;
}

/// Adds one pixel to sums of order 1 and 2.
template <class T> void addPixel(std::array<T, 5>& sums, T x, T y) {
    sums[0] += x;
    sums[1] += y;
    sums[2] += x * x;
    sums[3] += x * y;
    sums[4] += y * y;
}

/// Adds one pixel to sums of order 3.
template <class T> void addPixel(std::array<T, 4>& sums, T x, T y) {
    const T xx = x * x;
    const T yy = y * y;
    sums[0] += xx * x;
    sums[1] += xx * y;
    sums[2] += x * yy;
    sums[3] += yy * y;
}

template <class T, std::size_t Count> std::array<SumArray<T>, Count>
sumOverComponents(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    std::array<SumArray<T>, Count> sums;
    for (SumArray<T>& array : sums) {
        array = SumArray<T>(tree.nodeCount());
    }
    const PixelPlace place(tree.width);
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        std::array<T, Count> own{};
        for (const std::uint32_t p : list.of(i)) {
            const std::uint32_t y = place.row(p);
            addPixel<T>(own, place.column(p, y), y);
        }
        for (std::size_t k = 0; k < Count; ++k) {
            sums[k].set(i, own[k]);
        }
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        for (SumArray<T>& array : sums) {
            array.add(parent, array[i]);
        }
    });
    return sums;
}

/// @param sums of order 1 and 2, not wider than T
template <class T, class Sums> NodeThirdMoments thirdMoments(const ComponentTree& tree, const PixelList& list,
                                                             const Sums& sums, const Buffer<std::uint32_t>& area,
                                                             const JobControl& control) {
    std::array<SumArray<T>, 4> thirdSums = sumOverComponents<T, 4>(tree, list, control);
    for (SumArray<T>& array : thirdSums) {
        array.prepareResults();
    }
    SumArray<T>& xxx = thirdSums[0];
    SumArray<T>& xxy = thirdSums[1];
    SumArray<T>& xyy = thirdSums[2];
    SumArray<T>& yyy = thirdSums[3];
    forEachIndex(area.size(), control, [&](std::size_t i) {
        if (area[i] <= 2) { // frequent; symmetric, so all are 0
            for (SumArray<T>& array : thirdSums) {
                array.setResult(i, 0);
            }
            return;
        }
        const auto narrow = sums.at(i);
        const MomentSums<T> s{static_cast<T>(narrow.x), static_cast<T>(narrow.y), static_cast<T>(narrow.xx),
                              static_cast<T>(narrow.xy), static_cast<T>(narrow.yy)};
        const ThirdMomentSums<T> t{xxx[i], xxy[i], xyy[i], yyy[i]};
        const Origin<T> origin = nearestOrigin(area[i], s);
        const ThirdMoments m =
            pollard::thirdMomentsOf(area[i], shifted(area[i], s, origin), shifted(area[i], s, t, origin));
        xxx.setResult(i, m.a);
        xxy.setResult(i, m.b);
        xyy.setResult(i, m.c);
        yyy.setResult(i, m.d);
    });
    return {xxx.release(), xxy.release(), xyy.release(), yyy.release()};
}

} // namespace

NodeSums momentSumsOf(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    if (fits64Bits(tree, 2)) {
        return SumArrays<std::uint64_t>{sumOverComponents<std::uint64_t, 5>(tree, list, control)};
    }
    return SumArrays<UInt128>{sumOverComponents<UInt128, 5>(tree, list, control)};
}

NodeMoments momentsOf(const NodeSums& sums, const Buffer<std::uint32_t>& area, const JobControl& control) {
    const std::size_t n = area.size();
    NodeMoments out{Buffer<double>(n), Buffer<double>(n), Buffer<double>(n), Buffer<double>(n)};
    std::visit(
        [&](const auto& arrays) {
            forEachIndex(n, control, [&](std::size_t i) {
                const auto s = arrays.at(i);
                const SecondMoments m = secondMomentsOf(area[i], shifted(area[i], s, nearestOrigin(area[i], s)));
                out.sum[i] = m.sum;
                out.difference[i] = m.difference;
                out.mixed[i] = m.mixed;
                out.smaller[i] = m.smaller;
            });
        },
        sums);
    return out;
}

NodeThirdMoments thirdMomentsOf(const ComponentTree& tree, const PixelList& list, const NodeSums& sums,
                                const Buffer<std::uint32_t>& area, const JobControl& control) {
    const auto* narrow = std::get_if<SumArrays<std::uint64_t>>(&sums);
    if (narrow == nullptr) { // then order 3 does not fit either
        return thirdMoments<UInt128>(tree, list, std::get<SumArrays<UInt128>>(sums), area, control);
    }
    return fits64Bits(tree, 3) ? thirdMoments<std::uint64_t>(tree, list, *narrow, area, control)
                               : thirdMoments<UInt128>(tree, list, *narrow, area, control);
}

std::uint64_t momentSumBytes(const ComponentTree& tree) noexcept {
    return (fits64Bits(tree, 2) ? 5 * sizeof(double) : 5 * sizeof(UInt128)) * tree.nodeCount();
}

std::uint64_t momentBytes(const ComponentTree& tree) noexcept { return 4 * sizeof(double) * tree.nodeCount(); }

std::uint64_t thirdMomentBytes(const ComponentTree& tree) noexcept {
    return (fits64Bits(tree, 3) ? 4 * sizeof(double) : 4 * (sizeof(UInt128) + sizeof(double))) * tree.nodeCount();
}

} // namespace pollard::cpu
