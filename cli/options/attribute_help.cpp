#include "options/attribute_help.hpp"

#include "attributes/attribute.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace pollard::cli {

std::string attributeHelp() {
    std::size_t width = 0;
    std::vector<std::string_view> groups;
    for (const AttributeInfo& info : allAttributes()) {
        width = std::max(width, info.name.size());
        if (std::ranges::find(groups, info.group) == groups.end()) {
            groups.push_back(info.group);
        }
    }
    const auto line = [width](const AttributeInfo& info) {
        return "  " + std::string(info.name) + std::string(width + 2 - info.name.size(), ' ') +
               std::string(info.formula) + (info.unit.empty() ? "" : ", " + std::string(info.unit)) + '\n';
    };
    std::string text;
    for (const std::string_view group : groups) {
        text += "Attributes: " + std::string(group) + '\n';
        for (const AttributeInfo& info : allAttributes()) {
            text += info.group == group ? line(info) : "";
        }
    }
    text += "Attributes: in volumes\n";
    for (const AttributeInfo& info : attributesOfVolumesAlone()) {
        text += line(info);
    }
    std::string others;
    for (const AttributeInfo& info : allAttributes()) {
        if (std::ranges::find(volumeAttributes(), info.id, &AttributeInfo::id) == volumeAttributes().end()) {
            others.append(others.empty() ? "" : ", ").append(info.name);
        }
    }
    return text + "  Not in volumes: " + others + '\n';
}

} // namespace pollard::cli
