#pragma once

// Formulas of components of volumes from raw sums, as functions for host and device. Integers are exact; doubles result
// from them by +, -, *, / and sqrt in a fixed order, so that every machine computes the same bits.

#include "base/compiler.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace pollard {

/// The cube root of a positive number, to about 1e-15. std::cbrt() depends on the library.
[[nodiscard]] POLLARD_HOST_DEVICE inline double cubeRootOf(double value) noexcept {
    // A third of the exponent and, in the same division, of the mantissa: within 6 %.
    constexpr std::uint64_t kOffset = 0x2a9f'7893'0000'0000;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits); // std::bit_cast() is not for devices
    bits = bits / 3 + kOffset;
    double root = 0;
    std::memcpy(&root, &bits, sizeof root);
    for (int step = 0; step < 5; ++step) { // Newton: the error is squared each time
        root -= (root * root * root - value) / (3 * root * root);
    }
    return root;
}

/// Weights of the faces across each axis: 1 if all are equally large, else their area in 1024ths of the largest,
/// rounded to a whole number of at least 1.
[[nodiscard]] inline std::array<std::uint32_t, 3> faceWeights(const VoxelSides& sides) noexcept {
    constexpr double kMost = 1024;
    const std::array areas{sides.y * sides.z, sides.x * sides.z, sides.x * sides.y};
    const double largest = std::max({areas[0], areas[1], areas[2]});
    std::array<std::uint32_t, 3> weights{1, 1, 1};
    if (largest > std::min({areas[0], areas[1], areas[2]})) {
        for (std::size_t axis = 0; axis < weights.size(); ++axis) {
            weights[axis] = static_cast<std::uint32_t>(std::max(std::lround(kMost * areas[axis] / largest), 1L));
        }
    }
    return weights;
}

/// Sums over the voxel centres (x, y, z) of a component in voxel coordinates, as unsigned integers that wrap around. T
/// = std::uint64_t suffices if n L^2 < 2^63, with n voxels and the volume's longest side L; otherwise T is UInt128.
template <class T> struct VolumeSums { T x, y, z, xx, yy, zz, xy, xz, yz; };

/// The central moments of order 2 of a component of n voxels as boxes of sides 1, times 12 n^2: 12 (n Sxy - Sx Sy), and
/// n^2 more in xx, yy and zz. Exact: below 2^101 for 2^32 voxels and sides of 2^32.
struct VolumeMoments {
    Int128 xx, yy, zz, xy, xz, yz;
};

template <class T> [[nodiscard]] POLLARD_HOST_DEVICE inline VolumeMoments
volumeMomentsOf(std::uint64_t voxels, const VolumeSums<T>& s) noexcept {
    const UInt128 n = voxels;
    const auto twelveTimes = [n](T product, T first, T second) {
        return static_cast<Int128>(12 * (n * product - static_cast<UInt128>(first) * second));
    };
    const auto square = static_cast<Int128>(n * n);
    return {twelveTimes(s.xx, s.x, s.x) + square, twelveTimes(s.yy, s.y, s.y) + square,
            twelveTimes(s.zz, s.z, s.z) + square, twelveTimes(s.xy, s.x, s.y),
            twelveTimes(s.xz, s.x, s.z),          twelveTimes(s.yz, s.y, s.z)};
}

/// Eigenvalues of the covariance of the voxels as boxes, largest first, in squared units of the sides. Each is at least
/// a twelfth of the square of the smallest side.
struct PrincipalMoments {
    double first, second, third;

    [[nodiscard]] POLLARD_HOST_DEVICE double trace() const noexcept { return first + second + third; }
};

namespace volume_detail {

/// A symmetric matrix of 3 x 3.
struct Symmetric {
    double xx, yy, zz, xy, xz, yz;
};

/// One Jacobi rotation, which turns the entry pq to 0. @param rp, rq the entries of the third axis with p and q
POLLARD_HOST_DEVICE inline void rotate(double& pp, double& qq, double& pq, double& rp, double& rq) noexcept {
    if (pq == 0) {
        return;
    }
    const double theta = (qq - pp) / (2 * pq);
    const double root = std::sqrt(theta * theta + 1);
    const double t = theta < 0 ? -1 / (root - theta) : 1 / (root + theta);
    const double c = 1 / std::sqrt(t * t + 1);
    const double s = t * c;
    pp -= t * pq;
    qq += t * pq;
    pq = 0;
    const double turned = c * rp - s * rq;
    rq = s * rp + c * rq;
    rp = turned;
}

POLLARD_HOST_DEVICE inline void putInOrder(double& larger, double& smaller) noexcept {
    if (larger < smaller) {
        const double kept = larger;
        larger = smaller;
        smaller = kept;
    }
}

} // namespace volume_detail

/// By cyclic Jacobi rotations: six sweeps, more than doubles need. Errors are a few roundings of the first eigenvalue.
[[nodiscard]] POLLARD_HOST_DEVICE inline PrincipalMoments
principalMomentsOf(std::uint64_t voxels, const VolumeMoments& m, const VoxelSides& sides = {}) noexcept {
    const auto n = static_cast<double>(voxels);
    const double divisor = 12 * n * n;
    volume_detail::Symmetric a{
        toDouble(m.xx) / divisor * (sides.x * sides.x), toDouble(m.yy) / divisor * (sides.y * sides.y),
        toDouble(m.zz) / divisor * (sides.z * sides.z), toDouble(m.xy) / divisor * (sides.x * sides.y),
        toDouble(m.xz) / divisor * (sides.x * sides.z), toDouble(m.yz) / divisor * (sides.y * sides.z)};
    for (int sweep = 0; sweep < 6; ++sweep) {
        volume_detail::rotate(a.xx, a.yy, a.xy, a.xz, a.yz);
        volume_detail::rotate(a.xx, a.zz, a.xz, a.xy, a.yz);
        volume_detail::rotate(a.yy, a.zz, a.yz, a.xy, a.xz);
    }
    volume_detail::putInOrder(a.xx, a.yy);
    volume_detail::putInOrder(a.yy, a.zz);
    volume_detail::putInOrder(a.xx, a.yy);
    const double side = sides.x < sides.y ? sides.x : sides.y;
    const double smallest = side < sides.z ? side : sides.z;
    const double floor = smallest * smallest / 12; // rounding may give less for thin components
    return {a.xx, a.yy < floor ? floor : a.yy, a.zz < floor ? floor : a.zz};
}

/// Length of an axis of the ellipsoid with the same moments. @param moment one of PrincipalMoments
[[nodiscard]] POLLARD_HOST_DEVICE inline double ellipsoidAxisOf(double moment) noexcept {
    return 2 * std::sqrt(5 * moment);
}
/// Major axis / medium axis, at least 1.
[[nodiscard]] POLLARD_HOST_DEVICE inline double elongationOf(const PrincipalMoments& m) noexcept {
    return std::sqrt(m.first / m.second);
}
/// Medium axis / minor axis, at least 1.
[[nodiscard]] POLLARD_HOST_DEVICE inline double flatnessOf(const PrincipalMoments& m) noexcept {
    return std::sqrt(m.second / m.third);
}
/// Trace of the central moments / V^(5/3); 0.231 for a ball (Westenberg, Roerdink, Wilkinson 2007).
/// @param volume in cubed units of the sides
[[nodiscard]] POLLARD_HOST_DEVICE inline double inertiaOf(const PrincipalMoments& m, double volume) noexcept {
    const double side = cubeRootOf(volume);
    return m.trace() / (side * side);
}

/// VoxelSides::volume() on every machine.
[[nodiscard]] POLLARD_HOST_DEVICE inline double volumeOf(const VoxelSides& sides) noexcept {
    return sides.x * sides.y * sides.z;
}

/// Numbers of runs of a component along the axes: runs along x have two faces towards x each.
struct VoxelRuns {
    std::uint32_t x, y, z;
};
/// Area of the faces towards other voxels or the outside of the volume, in squared units of the sides; an integer for
/// sides of 1.
[[nodiscard]] POLLARD_HOST_DEVICE inline double surfaceOf(const VoxelRuns& runs,
                                                          const VoxelSides& sides = {}) noexcept {
    return 2 * (runs.x * (sides.y * sides.z) + runs.y * (sides.x * sides.z) + runs.z * (sides.x * sides.y));
}
/// pi^(1/3) (6 V)^(2/3) / S' (Wadell 1935), about 1 for a ball. S' is 2/3 of the surface: this corrects the surface of
/// a ball (Cauchy and Crofton's formula with three directions).
[[nodiscard]] POLLARD_HOST_DEVICE inline double sphericityOf(double volume, double surface) noexcept {
    const double side = cubeRootOf(6 * volume);
    constexpr double kCubeRootOfPi = 1.4645918875615233;
    return kCubeRootOfPi * (side * side) / (surface * 2 / 3);
}

namespace volume_detail {

/// Neighbours of a voxel are bits (z + 1) * 9 + (y + 1) * 3 + (x + 1) of a word, with offsets -1, 0 or 1; bit 13 is the
/// voxel's own. Corner: the seven others of its eight cubes at a corner. Edge: the three others at an edge. Face: one.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t cubesAt(int x, int y, int z) noexcept {
    std::uint32_t mask = 0;
    for (int dz = z < 0 ? -1 : 0; dz <= (z > 0 ? 1 : 0); ++dz) {
        for (int dy = y < 0 ? -1 : 0; dy <= (y > 0 ? 1 : 0); ++dy) {
            for (int dx = x < 0 ? -1 : 0; dx <= (x > 0 ? 1 : 0); ++dx) {
                mask |= 1U << ((dz + 1) * 9 + (dy + 1) * 3 + dx + 1);
            }
        }
    }
    return mask & ~(1U << 13);
}

} // namespace volume_detail

/// Bit of the neighbour at an offset of -1, 0 or 1 along each axis.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int neighbourBit(int x, int y, int z) noexcept {
    return (z + 1) * 9 + (y + 1) * 3 + x + 1;
}

namespace volume_detail {

/// The sign of the dimension of a face, edge, corner or the voxel, numbered as neighbourBit(), if its other cubes are
/// all present, else 0.
template <int kCell> [[nodiscard]] POLLARD_HOST_DEVICE constexpr int fullCell(std::uint32_t present) noexcept {
    constexpr int kX = kCell % 3 - 1;
    constexpr int kY = kCell / 3 % 3 - 1;
    constexpr int kZ = kCell / 9 - 1;
    constexpr std::uint32_t kCubes = cubesAt(kX, kY, kZ);
    constexpr int kSign = ((kX != 0) + (kY != 0) + (kZ != 0)) % 2 == 0 ? 1 : -1;
    return (present & kCubes) == kCubes ? kSign : 0;
}

template <int... kCells> [[nodiscard]] POLLARD_HOST_DEVICE constexpr int
sumOfFullCells(std::uint32_t present, std::integer_sequence<int, kCells...>) noexcept {
    return (fullCell<kCells>(present) + ...);
}

} // namespace volume_detail

/// Faces - edges + corners of a voxel whose other cubes are all present, of a word of neighbourBit(), each with the
/// sign of its dimension: 1 - faces + edges - corners.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int fullCells(std::uint32_t present) noexcept {
    return volume_detail::sumOfFullCells(present, std::make_integer_sequence<int, 27>{});
}

/// Change of the Euler number (components - tunnels + cavities) of a set of voxels by a voxel that joins it. With 6
/// neighbours it counts the centres of voxels, the edges between neighbours, and full squares and cubes of centres;
/// with 26 the corners, edges, faces and voxels of the set.
/// @param present the neighbours in the set
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int eulerChangeInVolume(std::uint32_t present,
                                                                    bool sixNeighbours) noexcept {
    return sixNeighbours ? fullCells(present) : -fullCells(~present);
}

} // namespace pollard
