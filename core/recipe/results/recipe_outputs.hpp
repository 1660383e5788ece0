#pragma once

#include "base/job_control.hpp"
#include "components/object_places.hpp"
#include "components/objects/object_files.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pollard {

/// The image that the filters of a recipe produce.
struct ResultImageFile {
    bool operator==(const ResultImageFile&) const = default;
};

/// A file that a recipe writes for an image.
struct RecipeFile {
    std::variant<ResultImageFile, ObjectFile, ContourFile> kind;
    std::size_t number = 0; ///< of the objects or contours in RecipeResult
    /// Suffix to the name of the image: ".tif", "-objects.csv", "-objects.tif", "-contour.geojson",
    /// "-contour.tif" ...; of the second objects or contours "-objects2.csv".
    std::string ending;
    GeoJsonIn geojsonIn = GeoJsonIn::pixels; ///< of the step
    /// Features of a table of objects that the usual table lacks.
    std::vector<std::string> further = {}; ///< features that the usual table may lack
};

/// The files that a recipe writes, in the order of its steps. The image comes last, if any channel has a filter.
[[nodiscard]] std::vector<RecipeFile> filesOf(const Recipe& recipe);

class AtomicFile;
class MapCoordinates;

/// Writes the files of a recipe for one image. Each file is written beside its target as soon as its data exist, and
/// gets its name with all others when the caller commits them.
class RecipeOutputs {
public:
    /// @param files of filesOf()
    /// @param targets in the same order
    /// @param loaded the image; files keep its tags that remain true; must outlive this
    /// @param title of drawings
    /// @param unit of lengths and areas of objects
    /// @param axes last columns of tables of objects
    /// @throws Error(invalidArgument) for a unit without the size of a pixel in it
    RecipeOutputs(std::vector<RecipeFile> files, std::vector<std::filesystem::path> targets, const LoadedImage& loaded,
                  std::string title, LengthUnit unit = LengthUnit::pixel, std::vector<ObjectColumn> axes = {});
    ~RecipeOutputs();
    RecipeOutputs(const RecipeOutputs&) = delete;
    RecipeOutputs& operator=(const RecipeOutputs&) = delete;

    /// Writes the files of a step of objects, see ObjectsListener.
    /// @throws Error(writeFailed), errors of data that the formats cannot hold; Cancelled
    void writeObjects(const ObjectsStepReport& report, std::size_t number, const JobControl& control);
    using ImageWriter = std::function<void(const std::filesystem::path& path)>;
    /// Writes all other files.
    /// @param imageWriter writes the image; empty: the image of @p result is written
    /// @return all files, for AtomicFile::commitTogether() or commitSets()
    /// @throws as writeObjects(); errors of @p image
    [[nodiscard]] std::vector<std::unique_ptr<AtomicFile>> finish(const RecipeResult& result, const JobControl& control,
                                                                  const ImageWriter& imageWriter = {});
    /// Notes on the files: "GeoJSON is in pixels: ...".
    [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

private:
    void write(std::size_t file, const ImageWriter& writer);

    /// The map for outlines in degrees; null for other files, and for an image without map coordinates.
    [[nodiscard]] std::shared_ptr<const MapCoordinates> mapOf(const RecipeFile& file);

    std::vector<RecipeFile> files_;
    std::vector<std::filesystem::path> targets_;
    const LoadedImage& loaded_;
    std::string title_;
    LengthUnit unit_;
    std::vector<ObjectColumn> axes_;
    std::vector<std::unique_ptr<AtomicFile>> written_;
    std::optional<std::shared_ptr<const MapCoordinates>> map_; ///< computed when a file needs it
    std::optional<ImagePlaces> places_;                        ///< computed when a file needs them
    std::vector<std::string> notes_;
};

} // namespace pollard
