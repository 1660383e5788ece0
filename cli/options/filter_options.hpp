#pragma once

#include "command.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <string>
#include <vector>

namespace pollard::cli {

/// Options of every command that filters a tree.
struct FilterOptions {
    std::vector<std::string> keep;
    std::string prominent; ///< MEASURE:COUNT; empty = no matter
    std::vector<std::string> removeAt;
    std::vector<std::string> keepAt;
    std::vector<std::string> onlyAt;
    std::string match;
    std::string rule;
    std::string output;

    FilterOptions();
    void declare(CLI::App& command);
    /// What rules and outputs mean, for the help.
    [[nodiscard]] static std::string help();
    /// All but the components at pixels, whose nodes only a tree knows.
    /// @throws UsageError for what no filter could be, and if nothing is given to decide by
    [[nodiscard]] FilterSpec spec() const;
    [[nodiscard]] bool hasPicks() const noexcept { return !removeAt.empty() || !keepAt.empty() || !onlyAt.empty(); }
    /// Adds the smallest components that hold the pixels of removeAt, keepAt and onlyAt.
    /// @throws Error(invalidArgument) for a pixel outside the image or of the root, which always stays
    void addPicks(const ComponentTree& tree, FilterSpec& spec) const;
    /// "area>=100 and width<=5, 20 most prominent by dynamics, without 1 component picked, rule direct, output mask"
    [[nodiscard]] static std::string describe(const FilterSpec& spec);
    /// Fields of --json that repeat what was asked for.
    void addFields(Json& object, const FilterSpec& spec) const;
};

} // namespace pollard::cli
