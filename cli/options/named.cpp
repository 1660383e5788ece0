#include "options/named.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace pollard::cli {

UsageError unknownName(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
    return UsageError(what + ": '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

AttributeId attributeNamed(const std::string& name) {
    if (const std::optional<AttributeId> id = findAttribute(name)) {
        return *id;
    }
    throw unknownName("attribute", name, textsOf(allAttributes(), &AttributeInfo::name));
}

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

CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                         const std::string& help, const std::string& type) {
    return command.add_option(name, values, help)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->type_name(type);
}

} // namespace pollard::cli
