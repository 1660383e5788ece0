#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace pollard {

/// Means of an image over the components of a tree, such as those of another channel.
class ComponentMeans {
public:
    /// @param valid pixels of the image that count; null for all. The mean of a component without such pixels is 0.
    /// @throws Error(invalidArgument) if the image or @p valid has another size than the tree; std::bad_alloc,
    /// Cancelled
    ComponentMeans(std::shared_ptr<const ComponentTree> tree, const Image& image, const Mask* valid = nullptr,
                   const JobControl& control = {});

    /// At each pixel the mean over the smallest kept component that contains it, rounded half up to a level. The root
    /// counts as kept.
    /// @param keep decision per node
    /// @param out image of the type and size of the measured one
    /// @throws Error(invalidArgument) for another number of nodes, or another image; Cancelled
    void paint(std::span<const std::uint8_t> keep, Image& out, const JobControl& control = {}) const;

private:
    std::shared_ptr<const ComponentTree> tree_;
    PixelType type_;
    Buffer<std::uint16_t> mean_; ///< per node
};

} // namespace pollard
