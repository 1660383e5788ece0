#pragma once

#include "attributes/attribute.hpp"
#include "base/error.hpp"

#include <string>

namespace pollard {

/// @throws Error(invalidArgument) if the columns have different numbers of nodes
inline void requireSameTree(const AttributeColumn& x, const AttributeColumn& y) {
    if (x.size() != y.size()) {
        throw Error(ErrorCode::invalidArgument, "attribute plane: " + std::to_string(x.size()) + " values of '" +
                                                    std::string(attributeInfo(x.id).name) + "' for " +
                                                    std::to_string(y.size()) + " of '" +
                                                    std::string(attributeInfo(y.id).name) + "'");
    }
}

} // namespace pollard
