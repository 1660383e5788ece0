#pragma once

#include "attributes/node_box.hpp"
#include "cuda/device/host_device.hpp"
#include "cuda/tree/node_plan.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

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

/// Node of the i-th pixel of the image border: first and last row and column.
struct ListBorder {
    NodePlan plan;
    std::uint32_t* nodes;

    /// Number of border pixels; each corner counts once.
    [[nodiscard]] static constexpr std::size_t count(std::size_t width, std::size_t height) noexcept {
        return width == 1 || height == 1 ? width * height : 2 * (width + height) - 4;
    }

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const std::size_t width = plan.width;
        std::size_t pixel = i; // in the first row, or in an image of border pixels only
        if (plan.width > 1 && plan.height > 1 && i >= width) {
            const std::size_t side = i - 2 * width; // among those between first and last row
            pixel = i < 2 * width ? (plan.height - 2) * width + i : (1 + side / 2) * width + side % 2 * (width - 1);
        }
        nodes[i] = plan.pixelNode[pixel];
    }
};

} // namespace pollard::cuda
