#include "recipe/recipe_files.hpp"

namespace pollard {

namespace {

/// "-objects.csv", "-objects2.csv"
std::string endingOf(std::string_view what, std::size_t number, std::string_view extension) {
    std::string ending = "-" + std::string(what);
    if (number > 0) {
        ending += std::to_string(number + 1);
    }
    return ending + "." + std::string(extension);
}

} // namespace

std::vector<RecipeFile> filesOf(const Recipe& recipe) {
    std::vector<RecipeFile> files;
    std::size_t objects = 0;
    std::size_t contours = 0;
    bool filters = false;
    for (const RecipeStep& step : recipe.steps) {
        filters = filters || std::holds_alternative<FilterStep>(step);
        if (const auto* found = std::get_if<ObjectsStep>(&step)) {
            for (const ObjectFile file : found->files) {
                files.push_back({file, objects, endingOf("objects", objects, extensionOf(file)), found->geojsonIn});
            }
            ++objects;
        } else if (const auto* contour = std::get_if<ContoursStep>(&step)) {
            for (const ContourFile file : contour->files) {
                files.push_back({file, contours, endingOf("contour", contours, extensionOf(file)), contour->geojsonIn});
            }
            ++contours;
        }
    }
    if (filters) {
        files.push_back({PictureFile{}, 0, ".tif", GeoJsonIn::pixels});
    }
    return files;
}

} // namespace pollard
