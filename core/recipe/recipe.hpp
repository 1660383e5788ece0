#pragma once

#include "filter/filter_spec.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pollard {

/// How a file becomes a grey image. Only as the first step; without it page 0, luminance, automatic range.
struct ReadStep {
    int page = 0; ///< 0-based
    ChannelChoice channel;
    MappingChoice range;

    bool operator==(const ReadStep&) const = default;
};

/// The kind of tree that the filters below it work on; a max-tree with 4 neighbours without it.
struct TreeStep {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;

    bool operator==(const TreeStep&) const = default;
};

/// Builds the tree of the picture that the steps above it left, and replaces the picture by the filter's output.
struct FilterStep {
    FilterSpec filter;

    bool operator==(const FilterStep&) const = default;
};

using RecipeStep = std::variant<ReadStep, TreeStep, FilterStep>;

/// "read", "tree", "filter".
[[nodiscard]] std::string_view idOf(const RecipeStep& step) noexcept;

/// What was done to a picture, so that it can be done to others: steps from the file to the result.
struct Recipe {
    std::string name;        ///< one line for menus; not empty
    std::string description; ///< one line; may be empty
    std::string sample;      ///< name of a file to try it on, without folders; of presets, else empty
    std::vector<RecipeStep> steps;

    bool operator==(const Recipe&) const = default;
};

/// Reads the JSON form of a recipe:
/// `{"pollard_recipe": 1, "name": .., "description": .., "sample": ..,
///   "steps": [{"id": .., "version": 1, "parameters": {..}}]}`.
/// A parameter that is left out has its default. What is unknown or stands twice is refused, as are versions other
/// than those written here, labels that are filtered again, and a recipe without a filter.
/// @throws Error(invalidArgument) naming the step, the key and the value
[[nodiscard]] Recipe parseRecipe(std::string_view text);

/// The JSON form with every parameter, indented; parseRecipe() reads the same recipe back. What is an error there is
/// not looked for here.
[[nodiscard]] std::string toJson(const Recipe& recipe);

/// Reads a recipe file of at most 1 MiB.
/// @throws Error(fileNotFound, fileUnreadable, limitExceeded, invalidArgument) naming the file
[[nodiscard]] Recipe loadRecipe(const std::filesystem::path& path);

/// How the first step reads a file; everything else has its default.
[[nodiscard]] ReadOptions readOptionsOf(const Recipe& recipe);

} // namespace pollard
