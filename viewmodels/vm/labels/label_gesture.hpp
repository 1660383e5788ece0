#pragma once

#include "vm/labels/label_work.hpp"

#include "image/image.hpp"
#include "image/region_shape.hpp"
#include "labels/pixel_spans.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

/// Tools that edit objects by hand.
enum class LabelTool : std::uint8_t {
    none,
    brush,   ///< paints pixels of the object below the first point, else a new object
    eraser,  ///< clears pixels of all objects
    fill,    ///< gives a hole to the object around it
    polygon, ///< makes an object of the pixels of a polygon
    merge,   ///< joins the objects along a line to the first one
    cut,     ///< divides the object with the most pixels on a line
    take,    ///< makes an object of a component of the tree
};

/// What a person has drawn with a tool.
struct LabelGesture {
    LabelTool tool = LabelTool::none;
    std::vector<RegionPoint> points; ///< px of the image
    BrushTip tip;
    bool over = false; ///< painted over other objects, too
};

/// The edit of a gesture. The edit throws Error(invalidArgument) if it has no effect, and says why.
[[nodiscard]] LabelWork::Edit editOf(const LabelGesture& gesture);

/// The edit that deletes objects. @param labels ascending or not
[[nodiscard]] LabelWork::Edit removalEdit(std::vector<std::uint32_t> labels);

/// The edit that gives an object another number. @param label of the object
/// @param number from 1 on @param join whether it becomes a part of the object that has the number; else the number
/// must be free
[[nodiscard]] LabelWork::Edit renumberEdit(std::uint32_t label, std::uint32_t number, bool join);

/// The edit that makes an object of a component of a tree; pixels of other objects become its own.
[[nodiscard]] LabelWork::Edit takeEdit(std::shared_ptr<const ComponentTree> tree, std::uint32_t node);

[[nodiscard]] LabelEdits::Kind kindOf(LabelTool tool) noexcept;

} // namespace pollard::vm
