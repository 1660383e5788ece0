#include "cpu/attributes/moments.hpp"

#include "attributes/formulas.hpp"
#include "cpu/parallel.hpp"
#include "cpu/tree_sweeps.hpp"

#include <algorithm>

namespace pollard::cpu {

namespace {

/// Whether sums of an order fit 64 bits (see MomentSums).
bool fits64Bits(const ComponentTree& tree, int order) noexcept {
    UInt128 bound = tree.pixelCount();
    for (int i = 0; i < order; ++i) {
        bound *= std::max(tree.width, tree.height); // below 2^128: three times 32 bits on top of 32
    }
    return bound >> 63 == 0;
}

/// Sums over the pixels of every component: `add(sums, x, y)` for every pixel, `join(sums, ofChild)` for every child.
template <class Sums, class Add, class Join> Buffer<Sums>
sumOverComponents(const ComponentTree& tree, const PixelList& list, const JobControl& control, Add&& add, Join&& join) {
    Buffer<Sums> sums(tree.nodeCount());
    const PixelPlace place(tree.width);
    forEachIndex(sums.size(), control, [&](std::size_t i) {
        Sums own{};
        for (const std::uint32_t p : list.of(i)) {
            const std::uint32_t y = place.row(p);
            add(own, place.column(p, y), y);
        }
        sums[i] = own;
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { join(sums[parent], sums[i]); });
    return sums;
}

template <class T> void addPixel(MomentSums<T>& s, std::uint32_t column, std::uint32_t row) noexcept {
    const T x = column;
    const T y = row;
    s.x += x;
    s.y += y;
    s.xx += x * x;
    s.xy += x * y;
    s.yy += y * y;
}

template <class T> void join(MomentSums<T>& s, const MomentSums<T>& child) noexcept {
    s.x += child.x;
    s.y += child.y;
    s.xx += child.xx;
    s.xy += child.xy;
    s.yy += child.yy;
}

template <class T> struct AllMomentSums {
    MomentSums<T> first;
    ThirdMomentSums<T> third;
};

template <class T> void addPixel(AllMomentSums<T>& s, std::uint32_t column, std::uint32_t row) noexcept {
    addPixel(s.first, column, row);
    const T x = column;
    const T y = row;
    s.third.xxx += x * x * x;
    s.third.xxy += x * x * y;
    s.third.xyy += x * y * y;
    s.third.yyy += y * y * y;
}

template <class T> void join(AllMomentSums<T>& s, const AllMomentSums<T>& child) noexcept {
    join(s.first, child.first);
    s.third.xxx += child.third.xxx;
    s.third.xxy += child.third.xxy;
    s.third.xyy += child.third.xyy;
    s.third.yyy += child.third.yyy;
}

template <class Sums>
Buffer<Sums> sumMoments(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    return sumOverComponents<Sums>(
        tree, list, control, [](Sums& s, std::uint32_t x, std::uint32_t y) { addPixel(s, x, y); },
        [](Sums& s, const Sums& child) { join(s, child); });
}

template <class T> NodeMoments moments(const ComponentTree& tree, const PixelList& list,
                                       const Buffer<std::uint32_t>& area, const JobControl& control) {
    const Buffer<MomentSums<T>> sums = sumMoments<MomentSums<T>>(tree, list, control);
    const std::size_t n = tree.nodeCount();
    NodeMoments out{Buffer<double>(n), Buffer<double>(n), Buffer<double>(n),
                    Buffer<double>(n), Buffer<double>(n), Buffer<double>(n)};
    forEachIndex(n, control, [&](std::size_t i) {
        const MomentSums<T>& s = sums[i];
        const auto a = static_cast<double>(area[i]);
        out.x[i] = static_cast<double>(s.x) / a;
        out.y[i] = static_cast<double>(s.y) / a;
        const SecondMoments m = secondMomentsOf(area[i], shifted(area[i], s, nearestOrigin(area[i], s)));
        out.sum[i] = m.sum;
        out.difference[i] = m.difference;
        out.mixed[i] = m.mixed;
        out.smaller[i] = m.smaller;
    });
    return out;
}

template <class T> NodeThirdMoments thirdMoments(const ComponentTree& tree, const PixelList& list,
                                                 const Buffer<std::uint32_t>& area, const JobControl& control) {
    const Buffer<AllMomentSums<T>> sums = sumMoments<AllMomentSums<T>>(tree, list, control);
    const std::size_t n = tree.nodeCount();
    NodeThirdMoments out{Buffer<double>(n), Buffer<double>(n), Buffer<double>(n), Buffer<double>(n)};
    forEachIndex(n, control, [&](std::size_t i) {
        const auto& [s, t] = sums[i];
        const Origin<T> origin = nearestOrigin(area[i], s);
        const ThirdMoments m =
            pollard::thirdMomentsOf(area[i], shifted(area[i], s, origin), shifted(area[i], s, t, origin));
        out.a[i] = m.a;
        out.b[i] = m.b;
        out.c[i] = m.c;
        out.d[i] = m.d;
    });
    return out;
}

} // namespace

NodeMoments momentsOf(const ComponentTree& tree, const PixelList& list, const Buffer<std::uint32_t>& area,
                      const JobControl& control) {
    return fits64Bits(tree, 2) ? moments<std::uint64_t>(tree, list, area, control)
                               : moments<UInt128>(tree, list, area, control);
}

NodeThirdMoments thirdMomentsOf(const ComponentTree& tree, const PixelList& list, const Buffer<std::uint32_t>& area,
                                const JobControl& control) {
    return fits64Bits(tree, 3) ? thirdMoments<std::uint64_t>(tree, list, area, control)
                               : thirdMoments<UInt128>(tree, list, area, control);
}

std::uint64_t sumBytes(const ComponentTree& tree, int order) noexcept {
    const std::uint64_t sums = order == 2 ? 5 : 9;
    return sums * (fits64Bits(tree, order) ? 8 : 16) * tree.nodeCount();
}

} // namespace pollard::cpu
