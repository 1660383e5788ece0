#include "cpu/attributes/moments.hpp"

#include "cpu/parallel.hpp"
#include "cpu/tree_sweeps.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

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

constexpr std::size_t kSecondSums = 5; ///< x, y, xx, xy, yy
constexpr std::size_t kAllSums = 9;    ///< and xxx, xxy, xyy, yyy

/// Sums over components, an array for each.
template <class T, std::size_t Count> struct SumArrays {
    std::array<Buffer<T>, Count> of;

    [[nodiscard]] MomentSums<T> first(std::size_t i) const noexcept {
        return {of[0][i], of[1][i], of[2][i], of[3][i], of[4][i]};
    }
};

/// What one pixel adds.
template <class T, std::size_t Count>
void addPixel(std::array<T, Count>& sums, std::uint32_t column, std::uint32_t row) {
    const T x = column;
    const T y = row;
    const T xx = x * x;
    const T yy = y * y;
    sums[0] += x;
    sums[1] += y;
    sums[2] += xx;
    sums[3] += x * y;
    sums[4] += yy;
    if constexpr (Count == kAllSums) {
        sums[5] += xx * x;
        sums[6] += xx * y;
        sums[7] += x * yy;
        sums[8] += yy * y;
    }
}

template <class T, std::size_t Count>
SumArrays<T, Count> sumOverComponents(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    SumArrays<T, Count> sums;
    for (Buffer<T>& array : sums.of) {
        array = Buffer<T>(tree.nodeCount());
    }
    const PixelPlace place(tree.width);
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        std::array<T, Count> own{};
        for (const std::uint32_t p : list.of(i)) {
            const std::uint32_t y = place.row(p);
            addPixel(own, place.column(p, y), y);
        }
        for (std::size_t k = 0; k < Count; ++k) {
            sums.of[k][i] = own[k];
        }
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        for (Buffer<T>& array : sums.of) {
            array[parent] += array[i];
        }
    });
    return sums;
}

/// Where results go: into the memory of the sums if they are as wide.
template <class T> DoublesInPlace placeIn(Buffer<T>& sums) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        return DoublesInPlace(std::move(sums));
    } else {
        return DoublesInPlace(Buffer<std::uint64_t>(sums.size()));
    }
}

template <class T> NodeMoments moments(const ComponentTree& tree, const PixelList& list,
                                       const Buffer<std::uint32_t>& area, const JobControl& control) {
    SumArrays<T, kSecondSums> sums = sumOverComponents<T, kSecondSums>(tree, list, control);
    const std::array<const T*, kSecondSums> at{sums.of[0].data(), sums.of[1].data(), sums.of[2].data(),
                                               sums.of[3].data(), sums.of[4].data()};
    NodeMoments out{placeIn(sums.of[0]), placeIn(sums.of[1]), placeIn(sums.of[2]),
                    placeIn(sums.of[3]), placeIn(sums.of[4]), DoublesInPlace(Buffer<std::uint64_t>(tree.nodeCount()))};
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        const MomentSums<T> s{at[0][i], at[1][i], at[2][i], at[3][i], at[4][i]};
        const auto a = static_cast<double>(area[i]);
        const SecondMoments m = secondMomentsOf(area[i], shifted(area[i], s, nearestOrigin(area[i], s)));
        out.x.set(i, static_cast<double>(s.x) / a);
        out.y.set(i, static_cast<double>(s.y) / a);
        out.sum.set(i, m.sum);
        out.difference.set(i, m.difference);
        out.mixed.set(i, m.mixed);
        out.smaller.set(i, m.smaller);
    });
    return out;
}

template <class T> NodeThirdMoments thirdMoments(const ComponentTree& tree, const PixelList& list,
                                                 const Buffer<std::uint32_t>& area, const JobControl& control) {
    SumArrays<T, kAllSums> sums = sumOverComponents<T, kAllSums>(tree, list, control);
    const std::array<const T*, 4> at{sums.of[5].data(), sums.of[6].data(), sums.of[7].data(), sums.of[8].data()};
    NodeThirdMoments out{placeIn(sums.of[5]), placeIn(sums.of[6]), placeIn(sums.of[7]), placeIn(sums.of[8])};
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        const MomentSums<T> s = sums.first(i);
        const ThirdMomentSums<T> t{at[0][i], at[1][i], at[2][i], at[3][i]};
        const Origin<T> origin = nearestOrigin(area[i], s);
        const ThirdMoments m =
            pollard::thirdMomentsOf(area[i], shifted(area[i], s, origin), shifted(area[i], s, t, origin));
        out.a.set(i, m.a);
        out.b.set(i, m.b);
        out.c.set(i, m.c);
        out.d.set(i, m.d);
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

std::uint64_t momentBytes(const ComponentTree& tree, int order) noexcept {
    const std::uint64_t sums = order == 2 ? kSecondSums : kAllSums;
    const std::uint64_t results = order == 2 ? 6 : 4;
    const std::uint64_t inPlace = order == 2 ? 5 : 4;
    const std::uint64_t bytes = fits64Bits(tree, order) ? 8 * (sums + results - inPlace) : 16 * sums + 8 * results;
    return bytes * tree.nodeCount();
}

} // namespace pollard::cpu
