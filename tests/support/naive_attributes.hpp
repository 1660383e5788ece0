#pragma once

#include "attributes/attribute.hpp"
#include "support/naive_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

namespace pollard::testing {

/// Attributes by definition, computed from the support of one component at a time.
class NaiveAttributes {
public:
    NaiveAttributes(const std::vector<NaiveNode>& nodes, const Image& image, TreeKind kind)
        : nodes_(nodes), image_(image), sign_(kind == TreeKind::max ? 1 : -1), children_(nodes.size()) {
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (nodes[n].parent != n) {
                children_[nodes[n].parent].push_back(n);
            }
        }
    }

    /// NaN if the attribute is undefined.
    [[nodiscard]] double value(std::size_t index, AttributeId id) const {
        const NaiveNode& node = nodes_[index];
        const double area = areaOf(node);
        switch (id) {
        case AttributeId::area:
            return area;
        case AttributeId::width:
            return boxOf(node)[0];
        case AttributeId::heightPx:
            return boxOf(node)[1];
        case AttributeId::bboxArea:
            return boxOf(node)[0] * boxOf(node)[1];
        case AttributeId::bboxDiagonal:
            return std::hypot(boxOf(node)[0], boxOf(node)[1]);
        case AttributeId::border:
            return borderOf(node);
        case AttributeId::level:
            return node.level;
        case AttributeId::contrast:
            return std::abs(node.level - nodes_[node.parent].level);
        case AttributeId::height:
            return height(node);
        case AttributeId::dynamics:
            return dynamics(index);
        case AttributeId::volume:
            return volume(node);
        case AttributeId::sum:
            return sum(node);
        case AttributeId::mean:
            return sum(node) / area;
        case AttributeId::variance:
            return variance(node);
        case AttributeId::entropy:
            return entropy(node);
        case AttributeId::centroidX:
        case AttributeId::centroidY:
        case AttributeId::inertia:
        case AttributeId::major:
        case AttributeId::minor:
        case AttributeId::elongation:
        case AttributeId::orientation:
        case AttributeId::eccentricity:
            return ofEllipse(node, id);
        case AttributeId::hu1:
        case AttributeId::hu2:
        case AttributeId::hu3:
        case AttributeId::hu4:
        case AttributeId::hu5:
        case AttributeId::hu6:
        case AttributeId::hu7:
            return hu(node)[static_cast<std::size_t>(id) - static_cast<std::size_t>(AttributeId::hu1)];
        case AttributeId::perimeter:
            return perimeter(node);
        case AttributeId::circularity: {
            const double corrected = perimeter(node) * std::numbers::pi / 4;
            return 4 * std::numbers::pi * area / (corrected * corrected);
        }
        case AttributeId::rectangularity:
            return area / (boxOf(node)[0] * boxOf(node)[1]);
        case AttributeId::euler:
            return 1 - holes(node);
        case AttributeId::holes:
            return holes(node);
        case AttributeId::depth: {
            double depth = 0;
            for (std::size_t n = index; nodes_[n].parent != n; n = nodes_[n].parent) {
                ++depth;
            }
            return depth;
        }
        case AttributeId::children:
            return static_cast<double>(children_[index].size());
        case AttributeId::descendants:
            return static_cast<double>(within(index).size()) - 1;
        case AttributeId::leaves:
            return static_cast<double>(leavesOf(index).size());
        case AttributeId::stability: {
            const int delta = image_.type() == PixelType::u8 ? 5 : 1285;
            std::size_t ancestor = index;
            while (nodes_[ancestor].parent != ancestor &&
                   std::abs(nodes_[nodes_[ancestor].parent].level - node.level) <= delta) {
                ancestor = nodes_[ancestor].parent;
            }
            return ancestor == index ? std::numeric_limits<double>::quiet_NaN()
                                     : (areaOf(nodes_[ancestor]) - area) / area;
        }
        case AttributeId::extinctionArea:
            return extinction(index, AttributeId::area);
        case AttributeId::extinctionVolume:
            return extinction(index, AttributeId::volume);
        case AttributeId::borderContrast:
        case AttributeId::outerMean:
            return naiveBorderMean(node.support, image_.extent(), {}, id == AttributeId::borderContrast,
                                   [&](std::uint32_t p) { return Long(image_.level(p)); });
        default: // of volumes only: NaiveVolumeAttributes
            break;
        }
        return std::numeric_limits<double>::quiet_NaN();
    }

    /// Tolerance: 1e-9 of the value, plus rounding of the terms if large ones may cancel.
    [[nodiscard]] double tolerance(std::size_t index, AttributeId id, double expected) const {
        const double relative = 1e-9 * std::abs(expected);
        if (id < AttributeId::hu2 || id > AttributeId::hu7) {
            return id == AttributeId::entropy ? relative + 1e-13 : relative;
        }
        const NaiveNode& node = nodes_[index];
        const auto [mx, my] = centroid(node);
        long double second = 0;
        long double third = 0;
        for (const std::uint32_t p : node.support) {
            const long double r = std::abs(x(p) - mx) + std::abs(y(p) - my) + 0.5;
            second += r * r;
            third += r * r * r;
        }
        const double n2 = static_cast<double>(second / std::pow(areaOf(node), 2));
        const double n3 = static_cast<double>(third / std::pow(areaOf(node), 2.5));
        const std::array scale{n2 * n2, n3 * n3, n3 * n3, std::pow(n3, 4), n2 * n3 * n3, std::pow(n3, 4)};
        return relative + 1e-15 * scale[static_cast<std::size_t>(id) - static_cast<std::size_t>(AttributeId::hu2)];
    }

private:
    using Long = long double;

    static double areaOf(const NaiveNode& node) { return static_cast<double>(node.support.size()); }
    [[nodiscard]] int x(std::uint32_t p) const { return static_cast<int>(p % image_.width()); }
    [[nodiscard]] int y(std::uint32_t p) const { return static_cast<int>(p / image_.width()); }

    [[nodiscard]] std::array<double, 2> boxOf(const NaiveNode& node) const {
        int left = x(node.support[0]);
        int right = left;
        for (const std::uint32_t p : node.support) {
            left = std::min(left, x(p));
            right = std::max(right, x(p));
        }
        return {right - left + 1.0, y(node.support.back()) - y(node.support.front()) + 1.0};
    }

    [[nodiscard]] double borderOf(const NaiveNode& node) const {
        return static_cast<double>(std::ranges::count_if(node.support, [&](std::uint32_t p) {
            return x(p) == 0 || y(p) == 0 || x(p) + 1 == static_cast<int>(image_.width()) ||
                   y(p) + 1 == static_cast<int>(image_.height());
        }));
    }

    [[nodiscard]] double height(const NaiveNode& node) const {
        int height = 0;
        for (const std::uint32_t p : node.support) {
            height = std::max(height, sign_ * (image_.level(p) - nodes_[node.parent].level));
        }
        return height;
    }

    [[nodiscard]] double volume(const NaiveNode& node) const {
        double volume = 0;
        for (const std::uint32_t p : node.support) {
            volume += sign_ * (image_.level(p) - nodes_[node.parent].level);
        }
        return volume;
    }

    [[nodiscard]] double sum(const NaiveNode& node) const {
        double sum = 0;
        for (const std::uint32_t p : node.support) {
            sum += image_.level(p);
        }
        return sum;
    }

    [[nodiscard]] double variance(const NaiveNode& node) const {
        const Long mean = Long(sum(node)) / node.support.size();
        Long squares = 0;
        for (const std::uint32_t p : node.support) {
            squares += (image_.level(p) - mean) * (image_.level(p) - mean);
        }
        return static_cast<double>(squares / node.support.size());
    }

    [[nodiscard]] double entropy(const NaiveNode& node) const {
        std::uint16_t low = image_.level(0);
        std::uint16_t high = low;
        for (std::size_t p = 0; p < image_.pixelCount(); ++p) {
            low = std::min(low, image_.level(p));
            high = std::max(high, image_.level(p));
        }
        const int levels = high - low + 1;
        std::map<int, int> counts;
        for (const std::uint32_t p : node.support) {
            const int distance = std::abs(image_.level(p) - nodes_[0].level);
            ++counts[levels <= 256 ? distance : distance * 256 / levels];
        }
        Long entropy = 0;
        for (const auto& [bin, count] : counts) {
            const Long part = Long(count) / node.support.size();
            entropy -= part * std::log2(part);
        }
        return static_cast<double>(entropy);
    }

    [[nodiscard]] std::array<Long, 2> centroid(const NaiveNode& node) const {
        Long sumX = 0;
        Long sumY = 0;
        for (const std::uint32_t p : node.support) {
            sumX += x(p);
            sumY += y(p);
        }
        return {sumX / node.support.size(), sumY / node.support.size()};
    }

    /// A^2 times the covariance of the pixel centres, without rounding: xx, xy, yy.
    [[nodiscard]] std::array<std::int64_t, 3> covariance(const NaiveNode& node) const {
        std::int64_t sx = 0;
        std::int64_t sy = 0;
        std::int64_t sxx = 0;
        std::int64_t sxy = 0;
        std::int64_t syy = 0;
        for (const std::uint32_t p : node.support) {
            sx += x(p);
            sy += y(p);
            sxx += x(p) * x(p);
            sxy += x(p) * y(p);
            syy += y(p) * y(p);
        }
        const auto a = static_cast<std::int64_t>(node.support.size());
        return {a * sxx - sx * sx, a * sxy - sx * sy, a * syy - sy * sy};
    }

    [[nodiscard]] double ofEllipse(const NaiveNode& node, AttributeId id) const {
        const auto [u, v, w] = covariance(node);
        const Long a = node.support.size();
        const Long trace = (u + w) / (a * a) + 1.0L / 6;
        const Long spread = std::hypot(Long(u - w), Long(2 * v)) / (a * a);
        const Long l1 = (trace + spread) / 2;
        const Long l2 = (trace - spread) / 2;
        switch (id) {
        case AttributeId::centroidX:
            return static_cast<double>(centroid(node)[0]);
        case AttributeId::centroidY:
            return static_cast<double>(centroid(node)[1]);
        case AttributeId::inertia:
            return static_cast<double>(trace / a);
        case AttributeId::major:
            return static_cast<double>(4 * std::sqrt(l1));
        case AttributeId::minor:
            return static_cast<double>(4 * std::sqrt(l2));
        case AttributeId::elongation:
            return static_cast<double>(std::sqrt(l1 / l2));
        case AttributeId::orientation:
            return static_cast<double>(std::atan2(Long(2 * v), Long(u - w)) / 2);
        default:
            return static_cast<double>(std::sqrt(spread / l1));
        }
    }

    /// Textbook formula with central moments of unit squares.
    [[nodiscard]] std::array<double, 7> hu(const NaiveNode& node) const {
        const auto [mx, my] = centroid(node);
        std::array<std::array<Long, 4>, 4> n{};
        for (const std::uint32_t p : node.support) {
            const Long dx = x(p) - mx;
            const Long dy = y(p) - my;
            n[2][0] += dx * dx + 1.0L / 12;
            n[1][1] += dx * dy;
            n[0][2] += dy * dy + 1.0L / 12;
            n[3][0] += dx * dx * dx + dx / 4;
            n[2][1] += (dx * dx + 1.0L / 12) * dy;
            n[1][2] += dx * (dy * dy + 1.0L / 12);
            n[0][3] += dy * dy * dy + dy / 4;
        }
        const Long a = node.support.size();
        for (std::size_t p = 0; p < 4; ++p) {
            for (std::size_t q = 0; q < 4; ++q) {
                n[p][q] /= std::pow(a, 1 + Long(p + q) / 2);
            }
        }
        const auto square = [](Long value) { return value * value; };
        const Long s = n[3][0] + n[1][2];
        const Long t = n[2][1] + n[0][3];
        return {static_cast<double>(n[2][0] + n[0][2]),
                static_cast<double>(square(n[2][0] - n[0][2]) + 4 * square(n[1][1])),
                static_cast<double>(square(n[3][0] - 3 * n[1][2]) + square(3 * n[2][1] - n[0][3])),
                static_cast<double>(square(s) + square(t)),
                static_cast<double>((n[3][0] - 3 * n[1][2]) * s * (square(s) - 3 * square(t)) +
                                    (3 * n[2][1] - n[0][3]) * t * (3 * square(s) - square(t))),
                static_cast<double>((n[2][0] - n[0][2]) * (square(s) - square(t)) + 4 * n[1][1] * s * t),
                static_cast<double>((3 * n[2][1] - n[0][3]) * s * (square(s) - 3 * square(t)) -
                                    (n[3][0] - 3 * n[1][2]) * t * (3 * square(s) - square(t)))};
    }

    /// The component as a mask with a margin of one pixel.
    [[nodiscard]] std::vector<std::vector<int>> maskOf(const NaiveNode& node) const {
        std::vector<std::vector<int>> mask(image_.height() + 2, std::vector<int>(image_.width() + 2));
        for (const std::uint32_t p : node.support) {
            mask[static_cast<std::size_t>(y(p)) + 1][static_cast<std::size_t>(x(p)) + 1] = 1;
        }
        return mask;
    }

    [[nodiscard]] double perimeter(const NaiveNode& node) const {
        const auto mask = maskOf(node);
        int sides = 0;
        for (std::size_t r = 1; r + 1 < mask.size(); ++r) {
            for (std::size_t c = 1; c + 1 < mask[r].size(); ++c) {
                sides += mask[r][c] * (4 - mask[r - 1][c] - mask[r + 1][c] - mask[r][c - 1] - mask[r][c + 1]);
            }
        }
        return sides;
    }

    /// Number of components of the complement with the dual connectivity, without the outer one.
    [[nodiscard]] double holes(const NaiveNode& node) const {
        auto mask = maskOf(node);
        const bool diagonal = node.connectivity == Connectivity::four;
        int parts = 0;
        std::vector<std::array<int, 2>> stack;
        const auto rows = static_cast<int>(mask.size());
        const auto columns = static_cast<int>(mask[0].size());
        const auto enter = [&](int r, int c) {
            int& pixel = mask[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
            if (pixel == 0) {
                pixel = 1;
                stack.push_back({r, c});
                return true;
            }
            return false;
        };
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                parts += enter(r, c) ? 1 : 0;
                while (!stack.empty()) {
                    const auto [atR, atC] = stack.back();
                    stack.pop_back();
                    for (int dr = -1; dr <= 1; ++dr) {
                        for (int dc = -1; dc <= 1; ++dc) {
                            if ((diagonal || dr == 0 || dc == 0) && atR + dr >= 0 && atR + dr < rows && atC + dc >= 0 &&
                                atC + dc < columns) {
                                enter(atR + dr, atC + dc);
                            }
                        }
                    }
                }
            }
        }
        return parts - 1;
    }

    [[nodiscard]] bool isWithin(std::size_t node, std::size_t ancestor) const {
        return std::ranges::binary_search(nodes_[ancestor].support, nodes_[node].canonical) &&
               nodes_[node].support.size() <= nodes_[ancestor].support.size();
    }
    [[nodiscard]] std::vector<std::size_t> within(std::size_t index) const {
        std::vector<std::size_t> found;
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            if (isWithin(n, index)) {
                found.push_back(n);
            }
        }
        return found;
    }
    [[nodiscard]] std::vector<std::size_t> leavesOf(std::size_t index) const {
        std::vector<std::size_t> found = within(index);
        std::erase_if(found, [&](std::size_t n) { return !children_[n].empty(); });
        return found;
    }

    /// Whether the maximum @p a survives a merge with the maximum @p b (min-tree: minima).
    [[nodiscard]] bool survives(std::size_t a, std::size_t b) const {
        const int higher = sign_ * (nodes_[a].level - nodes_[b].level);
        return higher > 0 || (higher == 0 && nodes_[a].canonical < nodes_[b].canonical);
    }

    /// Grimaud's definition: the descent from the component's highest maximum until a higher one is reachable.
    [[nodiscard]] double dynamics(std::size_t index) const {
        const auto leaves = leavesOf(index);
        const std::size_t top =
            *std::ranges::min_element(leaves, [&](std::size_t a, std::size_t b) { return survives(a, b); });
        std::size_t at = top;
        while (nodes_[at].parent != at) {
            at = nodes_[at].parent;
            const auto others = leavesOf(at);
            if (std::ranges::any_of(others, [&](std::size_t other) { return other != top && survives(other, top); })) {
                break;
            }
        }
        return std::abs(nodes_[top].level - nodes_[at].level);
    }

    /// For each node the leaf that survives the merges of its component.
    [[nodiscard]] const std::vector<std::size_t>& survivors(AttributeId measure) const {
        std::vector<std::size_t>& leaves = survivors_[measure];
        if (leaves.empty()) {
            leaves.resize(nodes_.size());
            for (std::size_t n = nodes_.size(); n-- > 0;) { // children come after their parents
                leaves[n] = n;
                double largest = -1;
                for (const std::size_t child : children_[n]) {
                    const double value = this->value(child, measure);
                    if (value > largest ||
                        (value == largest && nodes_[leaves[child]].canonical < nodes_[leaves[n]].canonical)) {
                        leaves[n] = leaves[child];
                        largest = value;
                    }
                }
            }
        }
        return leaves;
    }

    [[nodiscard]] double extinction(std::size_t index, AttributeId measure) const {
        const std::vector<std::size_t>& leaves = survivors(measure);
        std::size_t last = index;
        while (nodes_[last].parent != last && leaves[nodes_[last].parent] == leaves[index]) {
            last = nodes_[last].parent;
        }
        return value(last, measure);
    }

    const std::vector<NaiveNode>& nodes_;
    const Image& image_;
    int sign_;
    std::vector<std::vector<std::size_t>> children_;
    mutable std::map<AttributeId, std::vector<std::size_t>> survivors_; ///< per measure
};

/// Attribute of one node by its definition.
inline double naiveAttribute(const std::vector<NaiveNode>& nodes, std::size_t index, AttributeId id, const Image& image,
                             TreeKind kind) {
    return NaiveAttributes(nodes, image, kind).value(index, id);
}

} // namespace pollard::testing
