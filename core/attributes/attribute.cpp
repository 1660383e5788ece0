#include "attributes/attribute.hpp"

#include <algorithm>
#include <array>

namespace pollard {

namespace {

// In the order of AttributeId: attributeInfo() indexes it.
constexpr std::array kAttributes{
    AttributeInfo{AttributeId::area, "area", "Area", "A = number of pixels of the component", "px", true, true},
    AttributeInfo{AttributeId::width, "width", "Width", "w = columns of the bounding box", "px", true, true},
    AttributeInfo{AttributeId::heightPx, "height_px", "Height (box)", "h = rows of the bounding box", "px", true, true},
    AttributeInfo{AttributeId::bboxArea, "bbox_area", "Bounding box area", "w * h of the bounding box", "px", true,
                  true},
    AttributeInfo{AttributeId::bboxDiagonal, "bbox_diagonal", "Bounding box diagonal",
                  "sqrt(w^2 + h^2) of the bounding box", "px", true, false},
    AttributeInfo{AttributeId::level, "level", "Level", "grey level of the node", "grey", false, true},
    AttributeInfo{AttributeId::height, "height", "Height (grey)",
                  "farthest grey level in the component - level of the parent (root: - its own level), as a distance",
                  "grey", true, true},
    AttributeInfo{AttributeId::volume, "volume", "Volume",
                  "sum over the component of |f - level of the parent| (root: its own level)", "grey*px", true, true},
    AttributeInfo{AttributeId::mean, "mean", "Mean grey level", "mean of f over the component", "grey", false, false},
    AttributeInfo{AttributeId::depth, "depth", "Depth", "number of edges from the root to the node (root: 0)", "",
                  false, true},
};

constexpr bool inOrderOfId() {
    for (std::size_t i = 0; i < kAttributes.size(); ++i) {
        if (static_cast<std::size_t>(kAttributes[i].id) != i) {
            return false;
        }
    }
    return true;
}
static_assert(inOrderOfId());

} // namespace

std::span<const AttributeInfo> allAttributes() noexcept { return kAttributes; }

const AttributeInfo& attributeInfo(AttributeId id) noexcept { return kAttributes[static_cast<std::size_t>(id)]; }

std::optional<AttributeId> findAttribute(std::string_view name) noexcept {
    const auto found = std::ranges::find(kAttributes, name, &AttributeInfo::name);
    return found == kAttributes.end() ? std::nullopt : std::optional(found->id);
}

} // namespace pollard
