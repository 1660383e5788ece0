#include "recipe/recipe_files.hpp"

#include "io/tiff_writer.hpp"

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

void writePicture(const std::filesystem::path& path, const RecipeResult& result, const LoadedImage& loaded,
                  const JobControl& control) {
    const TiffWriteOptions options{.deflate = true, .carried = resultTags(loaded.info, result.values)};
    if (result.image) {
        writeTiff(path, *result.image, options, control);
    } else {
        writeTiff32(path, result.labelled->labels.span(), result.labelled->width, result.labelled->height, options,
                    control);
    }
}

ContourOutput outputOf(const ContourStepReport& report, const LoadedImage& loaded, std::string_view title) {
    ContourOutput output;
    for (const SnakeState& state : report.contours.states) {
        output.contours.push_back(state.nodes);
    }
    output.width = loaded.image->width();
    output.height = loaded.image->height();
    output.title = title;
    output.tags = resultTags(loaded.info, ResultValues::others);
    output.states = report.states;
    return output;
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
                files.push_back({file, objects, endingOf("objects", objects, extensionOf(file))});
            }
            ++objects;
        } else if (const auto* contour = std::get_if<ContoursStep>(&step)) {
            for (const ContourFile file : contour->files) {
                files.push_back({file, contours, endingOf("contour", contours, extensionOf(file))});
            }
            ++contours;
        }
    }
    if (filters) {
        files.push_back({PictureFile{}, 0, ".tif"});
    }
    return files;
}

void writeRecipeFile(const RecipeFile& file, const std::filesystem::path& path, const RecipeResult& result,
                     const LoadedImage& loaded, std::string_view title, const JobControl& control) {
    if (const auto* object = std::get_if<ObjectFile>(&file.kind)) {
        const ObjectsStepReport& report = result.objects[file.number];
        writeObjectFile(*object, path, report.components, report.list.labels, control);
    } else if (const auto* contour = std::get_if<ContourFile>(&file.kind)) {
        writeContourFile(*contour, path, outputOf(result.contours[file.number], loaded, title), control);
    } else {
        writePicture(path, result, loaded, control);
    }
}

} // namespace pollard
