#pragma once

#include "io/image_file.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace pollard {

/// The picture that the filters of a recipe leave.
struct PictureFile {
    bool operator==(const PictureFile&) const = default;
};

/// A file that a recipe makes of a picture.
struct RecipeFile {
    std::variant<PictureFile, ObjectFile, ContourFile> kind;
    std::size_t number = 0; ///< of the objects or contours in RecipeResult
    /// What follows the name of the picture: ".tif", "-objects.csv", "-objects.tif", "-contour.geojson",
    /// "-contour.tif" ...; of the second objects or contours "-objects2.csv".
    std::string ending;
    GeoJsonIn geojsonIn = GeoJsonIn::pixels; ///< of the step
};

/// The files that a recipe makes, in the order of its steps; the picture comes last, if there is a filter.
[[nodiscard]] std::vector<RecipeFile> filesOf(const Recipe& recipe);

} // namespace pollard
