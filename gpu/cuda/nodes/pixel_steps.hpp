#pragma once

#include "attributes/formulas.hpp"
#include "attributes/volume_table.hpp"
#include "base/compiler.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// A tile of TileSums is as wide as a warp; sums over it fit the fields of the words.
inline constexpr std::uint32_t kTileSide = 32;

/// Number of tiles of an image. A tile lies in one slice.
[[nodiscard]] constexpr std::uint64_t tilesOf(const Extent& extent) noexcept {
    const auto along = [](std::uint64_t side) { return (side + kTileSide - 1) / kTileSide; };
    return along(extent.width) * along(extent.height) * extent.slices;
}

/// Key and value for a stable sort that lists the pixels by node.
struct ListPixels {
    const std::uint32_t* pixelNode;
    std::uint32_t* node;
    std::uint32_t* pixel;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        node[i] = pixelNode[i];
        pixel[i] = static_cast<std::uint32_t>(i);
    }
};

/// Starts the box of each node with its canonical pixel.
struct StartBoxes {
    NodePlan plan;
    NodeBox* boxes;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint32_t x = plan.canonical[node] % plan.width;
        const std::uint32_t y = plan.canonical[node] / plan.width;
        boxes[node] = {x, y, x, y};
    }
};

/// Starts the box of each node of a volume with its canonical voxel.
struct StartVolumeBoxes {
    NodePlan plan;
    std::uint32_t height; ///< of a slice
    VolumeBox* boxes;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint32_t row = plan.canonical[node] / plan.width;
        const std::uint32_t x = plan.canonical[node] - row * plan.width;
        const std::uint32_t z = row / height;
        const std::uint32_t y = row - z * height;
        boxes[node] = {{x, y, x, y}, z, z};
    }
};

/// Node of the i-th pixel of the image border: first and last row and column.
struct ListBorder {
    NodePlan plan;
    std::uint32_t* nodes;

    /// Number of border pixels; each corner counts once.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t count(std::size_t width,
                                                                         std::size_t height) noexcept {
        return width == 1 || height == 1 ? width * height : 2 * (width + height) - 4;
    }

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        nodes[i] = plan.pixelNode[pixel(i, plan.width, plan.height)];
    }
    /// Index of the i-th pixel of the border.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t pixel(std::size_t i, std::size_t width,
                                                               std::size_t height) noexcept {
        if (width == 1 || height == 1 || i < width) { // in the first row, or in an image of border pixels only
            return i;
        }
        const std::size_t side = i - 2 * width; // index among the side pixels between first and last row
        return i < 2 * width ? (height - 2) * width + i : (1 + side / 2) * width + side % 2 * (width - 1);
    }
};

/// Node of the i-th voxel of a volume's border: the first and last slice, and the borders of the slices in between.
struct ListVolumeBorder {
    const std::uint32_t* pixelNode;
    Extent extent;
    std::uint32_t* nodes;

    /// Number of border voxels, each once.
    [[nodiscard]] static constexpr std::size_t count(const Extent& extent) noexcept {
        return 2 * extent.slicePixels() + (extent.slices - 2) * ListBorder::count(extent.width, extent.height);
    }

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const std::size_t slice = std::size_t{extent.width} * extent.height;
        std::size_t voxel = i < slice ? i : (extent.slices - 2) * slice + i;
        if (i >= 2 * slice) {
            const std::size_t ofSlice = ListBorder::count(extent.width, extent.height);
            const std::size_t side = i - 2 * slice;
            voxel = (1 + side / ofSlice) * slice + ListBorder::pixel(side % ofSlice, extent.width, extent.height);
        }
        nodes[i] = pixelNode[voxel];
    }
};

} // namespace pollard::cuda
