#pragma once

#include "base/buffer.hpp"
#include "base/compiler.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pollard {

/// Max-tree: components of upper level sets (bright on dark). Min-tree: components of lower level sets; the dual, i.e.
/// the max-tree of the image with reversed grey levels, reported in original levels.
enum class TreeKind : std::uint8_t { max, min };

/// Neighbours of a pixel: 4 or 8 in an image; 6 (common face), 18 (face or edge) or 26 (or corner) in a volume.
enum class Connectivity : std::uint8_t { four = 4, eight = 8, six = 6, eighteen = 18, twentySix = 26 };
/// Whether it has the neighbours of images: 4 or 8.
[[nodiscard]] constexpr bool isPlanar(Connectivity connectivity) noexcept {
    return connectivity == Connectivity::four || connectivity == Connectivity::eight;
}

/// The connectivity in an image of this size: in an image 6 neighbours are 4, and 18 and 26 are 8.
/// @throws Error(invalidArgument) for 4 or 8 in a volume
[[nodiscard]] Connectivity connectivityIn(const Extent& extent, Connectivity connectivity);

/// The corresponding connectivity for an image of this size: 4 and 6 are common sides, 8 and 26 also corners.
[[nodiscard]] Connectivity correspondingConnectivity(const Extent& extent, Connectivity connectivity) noexcept;

/// Whether edge-based algorithms skip redundant grid edges (propositions 1 to 3 of Blin et al. 2022). The tree is the
/// same; other algorithms ignore it.
enum class GridSimplification : std::uint8_t {
    automatic, ///< the engine's choice
    on,
    off,
};

/// Which tree to build.
struct TreeSpec {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    std::string algorithm; ///< name from Engine::algorithms(); empty = the engine's default
    GridSimplification grid = GridSimplification::automatic;

    bool operator==(const TreeSpec&) const = default;
};

/// Max-tree or min-tree of an image.
///
/// A node is a connected component of a level set with at least one pixel at its level. Nodes are numbered 0 ..
/// nodeCount()-1 in depth-first preorder, the children of a node in ascending order of their canonical pixel; so the
/// numbering depends only on image, kind and connectivity. Hence
/// - the root is node 0, and parent[n] < n for every other node (parent[0] == 0);
/// - the nodes of the component n are the interval [n, subtreeEnd[n]).
///
/// The canonical pixel of a node is, among its pixels at the node's level, the last in raster order (the total order of
/// Blin et al. 2022: p < q iff f(p) < f(q), or f(p) = f(q) and index(p) > index(q)).
struct ComponentTree {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    PixelType pixelType = PixelType::u8;
    std::uint32_t width = 0;
    std::uint32_t height = 0; ///< of a slice
    std::uint32_t slices = 1;
    VoxelSides sides; ///< of a voxel of a volume in units of its width, for shapes

    Buffer<std::uint32_t> pixelNode;  ///< (slices, height, width): smallest component that contains the pixel
    Buffer<std::uint32_t> parent;     ///< per node
    Buffer<std::uint16_t> level;      ///< per node, original grey levels
    Buffer<std::uint32_t> subtreeEnd; ///< per node, one past the last node of the component
    Buffer<std::uint32_t> canonical;  ///< per node, pixel index, see Extent

    std::uint32_t leafCount = 0;
    std::uint32_t depth = 0; ///< edges on the longest path from the root

    [[nodiscard]] Extent extent() const noexcept { return {width, height, slices}; }
    [[nodiscard]] std::size_t nodeCount() const noexcept { return parent.size(); }
    [[nodiscard]] std::size_t pixelCount() const noexcept { return pixelNode.size(); }
    /// Whether the component @p node contains the component @p other (a node contains itself).
    [[nodiscard]] bool contains(std::uint32_t node, std::uint32_t other) const noexcept {
        return other >= node && other < subtreeEnd[node];
    }
};

/// Canonical parent image of shape (slices, height, width): a canonical pixel points to the canonical pixel of the
/// parent node (the root's to itself), every other pixel to the canonical pixel of its own node.
[[nodiscard]] Buffer<std::uint32_t> canonicalParentImage(const ComponentTree& tree);

/// The pixels sorted by node: the node's own pixels are [start[n], start[n + 1]). The nodes of a component are an
/// interval, so the pixels of the component are [start[n], start[subtreeEnd[n]]). The order within a node depends on
/// the threads.
struct PixelList {
    Buffer<std::uint32_t> start;  ///< nodes + 1 entries
    Buffer<std::uint32_t> pixels; ///< pixel indices y * width + x

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const noexcept {
        return pixels.span().subspan(start[node], start[node + 1] - start[node]);
    }
};

/// Number of pixels at the node's level, per node. O(pixels), parallel.
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<std::uint32_t> countOwnPixels(const ComponentTree& tree, const JobControl& control);

/// Counting sort. O(pixels), parallel.
/// @param own result of countOwnPixels()
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] PixelList listPixels(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                   const JobControl& control);

/// Column and row of pixel indices without division.
class PixelPlace {
public:
    explicit PixelPlace(std::uint32_t width) noexcept
        : width_(width), reciprocal_(width == 1 ? 0 : ~std::uint64_t{0} / width + 1) {}

    [[nodiscard]] std::uint32_t row(std::uint32_t pixel) const noexcept {
        return reciprocal_ == 0 ? pixel : static_cast<std::uint32_t>(UInt128{reciprocal_} * pixel >> 64);
    }
    [[nodiscard]] std::uint32_t column(std::uint32_t pixel, std::uint32_t row) const noexcept {
        return pixel - row * width_;
    }

private:
    std::uint32_t width_;
    std::uint64_t reciprocal_; ///< 2^64 / width, rounded up: exact for 32-bit numbers (Lemire, Kaser, Kurz 2019)
};

} // namespace pollard
