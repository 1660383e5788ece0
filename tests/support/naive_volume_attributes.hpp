#pragma once

#include "attributes/attribute.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <set>
#include <span>
#include <vector>

namespace pollard::testing {

/// Shapes in a volume by definition, from the support of one component.
class NaiveSolid {
public:
    NaiveSolid(std::span<const std::uint32_t> support, const Extent& extent, const VoxelSides& sides = {})
        : sides_(sides) {
        for (const std::uint32_t p : support) {
            const Voxel at = voxelAt(p, extent);
            cells_.insert({static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z)});
        }
    }

    /// NaN for attributes of other kinds.
    [[nodiscard]] double value(AttributeId id, bool sixNeighbours) const {
        const double n = static_cast<double>(cells_.size());
        const double volume = n * sides_.x * sides_.y * sides_.z;
        const std::array<double, 3> l = eigenvalues();
        switch (id) {
        case AttributeId::width:
            return boxSide(0);
        case AttributeId::heightPx:
            return boxSide(1);
        case AttributeId::slicesPx:
            return boxSide(2);
        case AttributeId::bboxArea:
            return boxSide(0) * boxSide(1) * boxSide(2);
        case AttributeId::bboxDiagonal:
            return std::hypot(boxSide(0) * sides_.x, boxSide(1) * sides_.y, boxSide(2) * sides_.z);
        case AttributeId::rectangularity:
            return n / (boxSide(0) * boxSide(1) * boxSide(2));
        case AttributeId::centroidX:
            return static_cast<double>(mean(0));
        case AttributeId::centroidY:
            return static_cast<double>(mean(1));
        case AttributeId::centroidZ:
            return static_cast<double>(mean(2));
        case AttributeId::major:
            return 2 * std::sqrt(5 * l[0]);
        case AttributeId::medium:
            return 2 * std::sqrt(5 * l[1]);
        case AttributeId::minor:
            return 2 * std::sqrt(5 * l[2]);
        case AttributeId::elongation:
            return std::sqrt(l[0] / l[1]);
        case AttributeId::flatness:
            return std::sqrt(l[1] / l[2]);
        case AttributeId::inertia:
            return (l[0] + l[1] + l[2]) / std::pow(volume, 2.0 / 3);
        case AttributeId::surface:
            return surface();
        case AttributeId::sphericity:
            return std::cbrt(std::numbers::pi) * std::pow(6 * volume, 2.0 / 3) / (surface() * 2 / 3);
        case AttributeId::euler:
            return sixNeighbours ? eulerOfCentres() : eulerOfCubes();
        default:
            return std::numeric_limits<double>::quiet_NaN();
        }
    }

private:
    using Cell = std::array<int, 3>;

    [[nodiscard]] bool has(int x, int y, int z) const { return cells_.contains({x, y, z}); }

    [[nodiscard]] double boxSide(std::size_t axis) const {
        const auto along = [axis](const Cell& cell) { return cell[axis]; };
        return along(*std::ranges::max_element(cells_, {}, along)) -
               along(*std::ranges::min_element(cells_, {}, along)) + 1;
    }

    [[nodiscard]] long double mean(std::size_t axis) const {
        long double sum = 0;
        for (const Cell& cell : cells_) {
            sum += cell[axis];
        }
        return sum / static_cast<long double>(cells_.size());
    }

    /// Of the covariance, by the trigonometric formula for symmetric matrices (Smith 1961).
    [[nodiscard]] std::array<double, 3> eigenvalues() const {
        const std::array<long double, 3> side{sides_.x, sides_.y, sides_.z};
        const std::array<long double, 3> centre{mean(0), mean(1), mean(2)};
        std::array<std::array<long double, 3>, 3> a{};
        for (const Cell& cell : cells_) {
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    a[i][j] += side[i] * (cell[i] - centre[i]) * side[j] * (cell[j] - centre[j]);
                }
            }
        }
        for (std::size_t i = 0; i < 3; ++i) {
            for (long double& entry : a[i]) {
                entry /= static_cast<long double>(cells_.size());
            }
            a[i][i] += side[i] * side[i] / 12;
        }
        const long double q = (a[0][0] + a[1][1] + a[2][2]) / 3;
        long double squares = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const long double entry = a[i][j] - (i == j ? q : 0);
                squares += entry * entry;
                a[i][j] = entry;
            }
        }
        const long double p = std::sqrt(squares / 6);
        if (p < 1e-15L * q) {
            return {static_cast<double>(q), static_cast<double>(q), static_cast<double>(q)};
        }
        const long double determinant = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                                        a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                                        a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
        const long double angle = std::acos(std::clamp(determinant / (2 * p * p * p), -1.0L, 1.0L)) / 3;
        const long double first = q + 2 * p * std::cos(angle);
        const long double third = q + 2 * p * std::cos(angle + 2 * std::numbers::pi_v<long double> / 3);
        return {static_cast<double>(first), static_cast<double>(3 * q - first - third), static_cast<double>(third)};
    }

    [[nodiscard]] double surface() const {
        double sum = 0;
        for (const auto& [x, y, z] : cells_) {
            sum += (!has(x - 1, y, z) + !has(x + 1, y, z)) * sides_.y * sides_.z;
            sum += (!has(x, y - 1, z) + !has(x, y + 1, z)) * sides_.x * sides_.z;
            sum += (!has(x, y, z - 1) + !has(x, y, z + 1)) * sides_.x * sides_.y;
        }
        return sum;
    }

    /// Corners - edges + faces - voxels of the union of closed cubes.
    [[nodiscard]] double eulerOfCubes() const {
        // A cell of the complex lies at twice the coordinates of its centre; its dimension is the number of odd
        // coordinates.
        std::set<Cell> complex;
        for (const auto& [x, y, z] : cells_) {
            for (int dz = 0; dz <= 2; ++dz) {
                for (int dy = 0; dy <= 2; ++dy) {
                    for (int dx = 0; dx <= 2; ++dx) {
                        complex.insert({2 * x + dx, 2 * y + dy, 2 * z + dz});
                    }
                }
            }
        }
        int sum = 0;
        for (const auto& [x, y, z] : complex) {
            sum += (x % 2 + y % 2 + z % 2) % 2 == 0 ? 1 : -1;
        }
        return sum;
    }

    /// Voxels - pairs + squares - cubes of face neighbours.
    [[nodiscard]] double eulerOfCentres() const {
        int sum = 0;
        for (const auto& [x, y, z] : cells_) {
            for (int steps = 0; steps < 8; ++steps) {
                const int dx = steps & 1;
                const int dy = steps >> 1 & 1;
                const int dz = steps >> 2;
                bool full = true;
                for (int part = 0; part < 8; ++part) {
                    full = full && ((part & ~steps) != 0 || has(x + (part & 1), y + (part >> 1 & 1), z + (part >> 2)));
                }
                sum += full ? ((dx + dy + dz) % 2 == 0 ? 1 : -1) : 0;
            }
        }
        return sum;
    }

    std::set<Cell> cells_;
    VoxelSides sides_;
};

} // namespace pollard::testing
