#pragma once

#include "components/components.hpp"
#include "components/object_list.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// Objects that were found in a picture; never changed.
struct FoundObjects {
    Components components;  ///< with labels and records; grey levels are those of the original picture
    std::uint16_t low = 0;  ///< levels that make an object
    std::uint16_t high = 0; ///< the last of them
    int page = 0;           ///< of the file, 0-based
};

/// The rows of the table of objects; never changed.
struct ObjectListing : ObjectList {
    std::shared_ptr<const FoundObjects> found;

    [[nodiscard]] const ComponentRecord& object(std::uint32_t label) const noexcept {
        return found->components.objects[label - 1];
    }
};

} // namespace pollard::vm
