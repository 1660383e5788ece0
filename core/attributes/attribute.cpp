#include "attributes/attribute.hpp"

#include "attributes/attribute_table.hpp"

#include <algorithm>

namespace pollard {

std::span<const AttributeInfo> allAttributes() noexcept { return kAttributes; }

const AttributeInfo& attributeInfo(AttributeId id) noexcept { return kAttributes[static_cast<std::size_t>(id)]; }

std::optional<AttributeId> findAttribute(std::string_view name) noexcept {
    const auto found = std::ranges::find(kAttributes, name, &AttributeInfo::name);
    return found == kAttributes.end() ? std::nullopt : std::optional(found->id);
}

} // namespace pollard
