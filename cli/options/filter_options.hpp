#pragma once

#include "command.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Options of commands that filter a tree.
struct FilterOptions {
    std::vector<std::string> keep;
    std::string prominent; ///< MEASURE:COUNT; empty = no condition
    std::vector<std::string> removeAt;
    std::vector<std::string> keepAt;
    std::vector<std::string> onlyAt;
    std::string match;
    std::string rule;
    std::string output;
    bool hasNamed = false; ///< takeNamed() found criteria, so no other condition is required

    FilterOptions();
    void declare(CLI::App& command);
    /// Help text on rules and outputs.
    [[nodiscard]] static std::string help();
    /// The filter without components picked by pixel, which need a tree.
    /// @throws UsageError for invalid options or a filter without any condition
    [[nodiscard]] FilterSpec spec() const;
    /// Removes the criteria "NAME:CRITERION" for single channels and returns them. No other criterion has a colon.
    /// @throws UsageError for an invalid criterion
    [[nodiscard]] std::vector<std::pair<std::string, Criterion>> takeNamed();
    [[nodiscard]] bool hasPicks() const noexcept { return !removeAt.empty() || !keepAt.empty() || !onlyAt.empty(); }
    /// Adds the smallest components that contain the pixels of removeAt, keepAt and onlyAt.
    /// @throws Error(invalidArgument) for a pixel outside the image or in the root node, which is always kept
    void addPicks(const ComponentTree& tree, FilterSpec& spec) const;
    /// Texts of the criteria, as for --keep.
    [[nodiscard]] static std::vector<std::string> criteriaTexts(const FilterSpec& spec);
    /// "area>=100 and width<=5, 20 most prominent by dynamics, without 1 component picked, rule direct, output mask"
    [[nodiscard]] static std::string describe(const FilterSpec& spec);
    /// Adds the options as fields of --json.
    void addFields(Json& object, const FilterSpec& spec) const;

private:
    /// An option that picks components by pixels.
    struct Picks {
        const char* option;
        const char* field; ///< of --json
        const std::vector<std::string>& pixels;
        std::vector<std::uint32_t> FilterSpec::*components;
    };
    [[nodiscard]] std::array<Picks, 3> allPicks() const;
};

} // namespace pollard::cli
