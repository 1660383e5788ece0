#pragma once

#include "trace/lab_picture.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard::vm {

/// The tree of a small picture as the engine builds it, with a place for each node in a drawing. A drawing that shows
/// how an algorithm comes by it has its places from here, so that nothing moves while links appear.
struct LabTree {
    struct Node {
        std::uint32_t canonical = 0; ///< pixel
        std::uint32_t parent = 0;
        std::uint32_t end = 0; ///< one past the last node of the component
        std::uint16_t level = 0;
        std::uint32_t area = 0; ///< px of the component
        double across = 0;      ///< 0 to 1: leaves side by side, others in the middle above theirs
        double down = 0;        ///< 0 at the root to 1: by level while there are few, else by edges from the root
    };

    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    std::vector<Node> nodes;           ///< in the order of ComponentTree
    std::vector<std::uint32_t> nodeOf; ///< per pixel
    std::uint32_t leaves = 0;
    std::uint32_t rows = 0; ///< different values of down

    [[nodiscard]] bool holds(std::uint32_t node, std::uint32_t pixel) const {
        return nodeOf.at(pixel) >= node && nodeOf[pixel] < nodes.at(node).end;
    }
};

/// @throws Error as the engine does
[[nodiscard]] LabTree makeLabTree(const teach::LabPicture& picture, TreeKind kind, Connectivity connectivity);

} // namespace pollard::vm
