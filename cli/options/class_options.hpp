#pragma once

#include "command.hpp"
#include "components/objects/object_classes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pollard::cli {

/// The option --class.
struct ClassOptions {
    std::vector<std::string> texts;

    void declare(CLI::App& command);
    /// @param features that the conditions may name
    /// @throws UsageError
    [[nodiscard]] std::vector<ObjectClass> parse(std::span<const ObjectFeatureInfo> features = objectFeatures()) const;
};

/// Adds classes with their counts to the result of --json. @param listed objects that are counted
void addClasses(Json& object, const ClassifiedObjects& classified, std::span<const std::uint32_t> listed);
/// "classes: bright 12, dim 30, none 4"
[[nodiscard]] std::string classesText(const ClassifiedObjects& classified, std::span<const std::uint32_t> listed);

} // namespace pollard::cli
