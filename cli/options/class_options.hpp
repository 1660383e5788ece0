#pragma once

#include "command.hpp"
#include "components/objects/object_classes.hpp"
#include "options/column_options.hpp"

#include <cstdint>
#include <memory>
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

/// Sorts the objects into classes; null without classes.
/// @param conditions of the classes, in px
/// @param columns measured in channels
/// @throws Error, Cancelled
[[nodiscard]] std::shared_ptr<const ClassifiedObjects> classify(const std::vector<ObjectClass>& classes,
                                                                std::span<const OptionCondition> conditions,
                                                                const Components& components,
                                                                std::span<const ObjectColumn> columns,
                                                                const std::string& image, const JobControl& control);

/// Adds classes with their counts to the result of --json. @param listed objects that are counted
void addClasses(Json& object, const ClassifiedObjects& classified, std::span<const std::uint32_t> listed);
/// "classes: bright 12, dim 30, none 4"
[[nodiscard]] std::string classesText(const ClassifiedObjects& classified, std::span<const std::uint32_t> listed);

} // namespace pollard::cli
