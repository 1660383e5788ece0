#pragma once

#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace pollard::testing {

/// A component by definition: its full support as sorted pixel indices.
struct NaiveNode {
    std::uint16_t level = 0;
    std::uint32_t canonical = 0;
    std::vector<std::uint32_t> support;
    std::size_t parent = 0;                         ///< index in the list of nodes; the root's own index for the root
    Connectivity connectivity = Connectivity::four; ///< of the tree
};

/// The tree by definition: every level set is flooded separately. Quadratic and simple.
/// Nodes are ordered by level, root first.
inline std::vector<NaiveNode> naiveTree(const Image& image, TreeKind kind, Connectivity connectivity) {
    const int width = static_cast<int>(image.width());
    const int height = static_cast<int>(image.height());
    const int slices = static_cast<int>(image.extent().slices);
    const bool faces = connectivity == Connectivity::four || connectivity == Connectivity::six;
    const int reach = faces ? 1 : connectivity == Connectivity::twentySix ? 3 : 2;
    const std::size_t count = image.pixelCount();
    const auto rank = [&](std::size_t p) { return kind == TreeKind::max ? image.level(p) : 65535 - image.level(p); };
    std::set<int> ranks;
    for (std::size_t p = 0; p < count; ++p) {
        ranks.insert(rank(p));
    }
    std::vector<NaiveNode> nodes;
    std::vector<std::size_t> smallest(count, std::numeric_limits<std::size_t>::max());
    for (const int threshold : ranks) {
        std::vector<char> seen(count, 0);
        for (std::size_t start = 0; start < count; ++start) {
            if (seen[start] != 0 || rank(start) < threshold) {
                continue;
            }
            std::vector<std::uint32_t> support{static_cast<std::uint32_t>(start)};
            seen[start] = 1;
            for (std::size_t k = 0; k < support.size(); ++k) {
                const int x = static_cast<int>(support[k]) % width;
                const int y = static_cast<int>(support[k]) / width % height;
                const int z = static_cast<int>(support[k]) / width / height;
                for (int step = 0; step < 27; ++step) {
                    const int dx = step % 3 - 1;
                    const int dy = step / 3 % 3 - 1;
                    const int dz = step / 9 - 1;
                    if (std::abs(dx) + std::abs(dy) + std::abs(dz) > reach || x + dx < 0 || x + dx >= width ||
                        y + dy < 0 || y + dy >= height || z + dz < 0 || z + dz >= slices) {
                        continue;
                    }
                    const auto q = static_cast<std::uint32_t>(((z + dz) * height + y + dy) * width + x + dx);
                    if (seen[q] == 0 && rank(q) >= threshold) {
                        seen[q] = 1;
                        support.push_back(q);
                    }
                }
            }
            std::sort(support.begin(), support.end());
            NaiveNode node;
            node.connectivity = connectivity;
            bool hasOwnPixel = false;
            for (const std::uint32_t p : support) {
                if (rank(p) == threshold) {
                    hasOwnPixel = true;
                    node.level = image.level(p);
                    node.canonical = p;
                }
            }
            if (!hasOwnPixel) {
                continue;
            }
            const std::size_t above = smallest[support[0]];
            node.parent = above == std::numeric_limits<std::size_t>::max() ? nodes.size() : above;
            for (const std::uint32_t p : support) {
                smallest[p] = nodes.size();
            }
            node.support = std::move(support);
            nodes.push_back(std::move(node));
        }
    }
    return nodes;
}

/// The mean of |f(p) - f(q)|, or of f(q), over the faces between a pixel p of a component and a pixel q outside it, by
/// their areas in whole 1024ths of the largest face; NaN without any.
/// @param valueOf f: pixel index -> number
template <class Value> double naiveBorderMean(const std::vector<std::uint32_t>& support, const Extent& extent,
                                              const VoxelSides& sides, bool ofSteps, const Value& valueOf) {
    const std::array areas{sides.y * sides.z, sides.x * sides.z, sides.x * sides.y};
    const double largest = *std::max_element(areas.begin(), areas.end());
    long double sum = 0;
    long double weights = 0;
    for (const std::uint32_t p : support) {
        const Voxel at = voxelAt(p, extent);
        for (int way = 0; way < 6; ++way) {
            const std::uint32_t step = way % 2 == 0 ? 1U : ~0U; // wraps around below 0
            const std::uint32_t x = at.x + (way / 2 == 0 ? step : 0);
            const std::uint32_t y = at.y + (way / 2 == 1 ? step : 0);
            const std::uint32_t z = at.z + (way / 2 == 2 ? step : 0);
            const std::uint32_t q = (z * extent.height + y) * extent.width + x;
            if (x < extent.width && y < extent.height && z < extent.slices &&
                !std::binary_search(support.begin(), support.end(), q)) {
                const double share = areas[static_cast<std::size_t>(way) / 2] / largest;
                const long double weight = std::max(std::round(1024 * share), 1.0);
                const long double outer = valueOf(q);
                weights += weight;
                sum += weight * (ofSteps ? std::abs(valueOf(p) - outer) : outer);
            }
        }
    }
    return weights == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(sum / weights);
}

} // namespace pollard::testing
