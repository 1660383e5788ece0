#include "filter/filter_columns.hpp"

namespace pollard {

AttributeId attributeOf(Prominence measure) noexcept {
    switch (measure) {
    case Prominence::dynamics:
        break;
    case Prominence::extinctionArea:
        return AttributeId::extinctionArea;
    case Prominence::extinctionVolume:
        return AttributeId::extinctionVolume;
    }
    return AttributeId::dynamics;
}

} // namespace pollard
