#include "options/class_options.hpp"

#include "options/named.hpp"
#include "text.hpp"

#include "base/error.hpp"

#include <CLI/App.hpp>

#include <algorithm>

namespace pollard::cli {

void ClassOptions::declare(CLI::App& command) {
    addRepeated(command, "--class", texts,
                "Class of the objects that meet the condition (as in\n--where) and that of no --class before it; may "
                "be\nrepeated. The table gets the column class, outlines\nthe property classification {name, color}; "
                "NAME=#rrggbb\nstates the colour")
        ->type_name("NAME:CONDITION");
}

std::vector<ObjectClass> ClassOptions::parse(std::span<const ObjectFeatureInfo> features) const {
    std::vector<ObjectClass> classes;
    for (const std::string& text : texts) {
        try {
            classes.push_back(parseObjectClass(text, classes.size(), features));
        } catch (const Error& error) {
            throw UsageError(std::string("class: ") + error.what());
        }
        const std::string& name = classes.back().name;
        if (std::ranges::count(classes, name, &ObjectClass::name) > 1) {
            throw UsageError("class: '" + name + "' stands twice");
        }
    }
    if (classes.size() > ObjectClass::kMost) {
        throw UsageError("class: there are more than " + std::to_string(ObjectClass::kMost));
    }
    return classes;
}

void addClasses(Json& object, const ClassifiedObjects& classified, std::span<const std::uint32_t> listed) {
    const std::vector<std::size_t> counts = classified.countsOf(listed);
    Json classes = Json::array();
    for (std::size_t i = 0; i < classified.classes.size(); ++i) {
        const ObjectClass& one = classified.classes[i];
        classes.push_back({{"name", one.name},
                           {"color", colourText(one.colour)},
                           {"condition", one.condition},
                           {"count", counts[i]}});
    }
    object["classes"] = classes;
    object["unclassified"] = counts.back();
}

std::string classesText(const ClassifiedObjects& classified, std::span<const std::uint32_t> listed) {
    const std::vector<std::size_t> counts = classified.countsOf(listed);
    std::string text = "classes: ";
    for (std::size_t i = 0; i < classified.classes.size(); ++i) {
        text += classified.classes[i].name + " " + grouped(counts[i]) + ", ";
    }
    return text + "none " + grouped(counts.back());
}

} // namespace pollard::cli
