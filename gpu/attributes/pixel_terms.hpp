#pragma once

#include "attributes/formulas.hpp"
#include "attributes/node_box.hpp"
#include "attributes/node_plan.hpp"
#include "device/host_device.hpp"

#include <cstddef>
#include <cstdint>

// What a pixel adds to sums of its node. Sums wrap around modulo 2^64.

namespace pollard::cuda {

/// Terms of one pixel.
template <int Count> struct TermValues { std::uint64_t of[Count]; };

/// MomentSums, in the order of its members.
struct MomentTerms {
    static constexpr int kCount = 5;

    [[nodiscard]] POLLARD_HOST_DEVICE TermValues<kCount> at(std::uint64_t x, std::uint64_t y) const noexcept {
        return {{x, y, x * x, x * y, y * y}};
    }
};

/// ThirdMomentSums, in the order of its members.
struct ThirdMomentTerms {
    static constexpr int kCount = 4;

    [[nodiscard]] POLLARD_HOST_DEVICE TermValues<kCount> at(std::uint64_t x, std::uint64_t y) const noexcept {
        return {{x * x * x, x * x * y, x * y * y, y * y * y}};
    }
};

/// The same for pictures so large that the sums leave 64 bits: of every term the upper and then the lower 32 bits.
/// Coordinates are below 2^21.
struct WideThirdMomentTerms {
    static constexpr int kCount = 8;

    [[nodiscard]] POLLARD_HOST_DEVICE TermValues<kCount> at(std::uint64_t x, std::uint64_t y) const noexcept {
        const TermValues<4> terms = ThirdMomentTerms{}.at(x, y);
        TermValues<kCount> halves{};
        for (int k = 0; k < 4; ++k) {
            halves.of[2 * k] = terms.of[k] >> 32U;
            halves.of[2 * k + 1] = terms.of[k] & 0xffff'ffffU;
        }
        return halves;
    }
};

/// packOutline() of what the pixel changes.
struct OutlineTerms {
    static constexpr int kCount = 1;

    const std::uint32_t* pixelNode;
    std::uint32_t width;
    std::uint32_t height;
    bool eight; ///< connectivity

    [[nodiscard]] POLLARD_HOST_DEVICE TermValues<kCount> at(std::uint64_t x, std::uint64_t y) const noexcept {
        const unsigned before = neighboursBefore(pixelNode, width, height, x, y);
        return {{packOutline(perimeterChange(before), eulerChange(before, eight))}};
    }
};

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

/// Starts the box of every node with its canonical pixel.
struct StartBoxes {
    NodePlan plan;
    NodeBox* boxes;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint32_t x = plan.canonical[node] % plan.width;
        const std::uint32_t y = plan.canonical[node] / plan.width;
        boxes[node] = {x, y, x, y};
    }
};

/// Node of the i-th pixel of the first and last row and column.
struct ListBorder {
    NodePlan plan;
    std::uint32_t* nodes;

    /// Number of these pixels; a corner counts once.
    [[nodiscard]] static constexpr std::size_t count(std::size_t width, std::size_t height) noexcept {
        return width == 1 || height == 1 ? width * height : 2 * (width + height) - 4;
    }

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const std::size_t width = plan.width;
        std::size_t pixel = i; // of the first row, or of an image that has nothing but border
        if (plan.width > 1 && plan.height > 1 && i >= width) {
            const std::size_t side = i - 2 * width; // of those between first and last row
            pixel = i < 2 * width ? (plan.height - 2) * width + i : (1 + side / 2) * width + side % 2 * (width - 1);
        }
        nodes[i] = plan.pixelNode[pixel];
    }
};

} // namespace pollard::cuda
