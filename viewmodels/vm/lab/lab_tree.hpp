#pragma once

#include "trace/lab_picture.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard::vm {

/// The engine's tree of a small picture with a place for each node in a drawing. Drawings of algorithms use these
/// places, so that nodes stay in place while links appear.
struct LabTree {
    struct Node {
        std::uint32_t canonical = 0; ///< pixel
        std::uint32_t parent = 0;
        std::uint32_t end = 0; ///< one past the last node of the component
        std::uint16_t level = 0;
        std::uint32_t area = 0; ///< px of the component
        double across = 0;      ///< 0 to 1: leaves side by side, others centred above theirs
        double down = 0;        ///< 0 at the root to 1: by level if there are few, else by edges from the root
    };

    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    std::vector<Node> nodes;           ///< in ComponentTree order
    std::vector<std::uint32_t> nodeOf; ///< per pixel
    std::uint32_t leaves = 0;
    std::uint32_t rows = 0; ///< number of different values of down

    [[nodiscard]] bool holds(std::uint32_t node, std::uint32_t pixel) const {
        return nodeOf.at(pixel) >= node && nodeOf[pixel] < nodes.at(node).end;
    }
};

/// @throws Error like the engine
[[nodiscard]] LabTree makeLabTree(const teach::LabPicture& picture, TreeKind kind, Connectivity connectivity);

} // namespace pollard::vm
