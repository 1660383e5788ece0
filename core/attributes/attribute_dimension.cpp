#include "attributes/attribute_dimension.hpp"

namespace pollard {

Dimension dimensionOf(AttributeId id) noexcept {
    switch (id) {
    case AttributeId::area:
    case AttributeId::bboxArea:
    case AttributeId::extinctionArea:
        return Dimension::area;
    case AttributeId::width:
    case AttributeId::heightPx:
    case AttributeId::bboxDiagonal:
    case AttributeId::centroidX:
    case AttributeId::centroidY:
    case AttributeId::major:
    case AttributeId::minor:
    case AttributeId::perimeter:
        return Dimension::length;
    default:
        return Dimension::none;
    }
}

} // namespace pollard
