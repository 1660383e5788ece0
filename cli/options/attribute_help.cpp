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
    std::string text;
    for (const std::string_view group : groups) {
        text += "Attributes: " + std::string(group) + '\n';
        for (const AttributeInfo& info : allAttributes()) {
            if (info.group == group) {
                text += "  " + std::string(info.name) + std::string(width + 2 - info.name.size(), ' ') +
                        std::string(info.formula) + (info.unit.empty() ? "" : ", " + std::string(info.unit)) + '\n';
            }
        }
    }
    return text;
}

} // namespace pollard::cli
