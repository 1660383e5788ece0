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

/// The image that the filters of a recipe leave.
struct PictureFile {
    bool operator==(const PictureFile&) const = default;
};

/// A file that a recipe makes of an image.
struct RecipeFile {
    std::variant<PictureFile, ObjectFile, ContourFile> kind;
    std::size_t number = 0; ///< of the objects or contours in RecipeResult
    /// Suffix to the name of the image: ".tif", "-objects.csv", "-objects.tif", "-contour.geojson",
    /// "-contour.tif" ...; of the second objects or contours "-objects2.csv".
    std::string ending;
    GeoJsonIn geojsonIn = GeoJsonIn::pixels; ///< of the step
    /// Columns of a table of objects that the usual table lacks.
    std::vector<ObjectFeature> further = {};
};

/// The files that a recipe makes, in the order of its steps; the image comes last, if there is a filter of any
/// channel.
[[nodiscard]] std::vector<RecipeFile> filesOf(const Recipe& recipe);

class AtomicFile;
class MapCoordinates;

/// The files that a recipe makes of one image. Each is written beside its target as soon as its data exist; all get
/// their names one after the other at the end, and none of them if anything fails, see
/// AtomicFile::commitTogether().
class RecipeOutputs {
public:
    /// @param files of filesOf()
    /// @param targets in the same order
    /// @param loaded the image, whose tags stay where they remain true; must outlive this
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
    /// Writes the others, then gives all files their names.
    /// @param image writes the image; empty: that of @p result is written
    /// @throws as writeObjects(); errors of @p image
    void finish(const RecipeResult& result, const JobControl& control, const ImageWriter& picture = {});
    /// Notes on the files: "GeoJSON is in pixels: ...".
    [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

private:
    void write(std::size_t file, const ImageWriter& writer);

    /// Of outlines in degrees; null for other files, and for an image without map coordinates.
    [[nodiscard]] std::shared_ptr<const MapCoordinates> mapOf(const RecipeFile& file);

    std::vector<RecipeFile> files_;
    std::vector<std::filesystem::path> targets_;
    const LoadedImage& loaded_;
    std::string title_;
    LengthUnit unit_;
    std::vector<ObjectColumn> axes_;
    std::vector<std::unique_ptr<AtomicFile>> written_;
    std::optional<std::shared_ptr<const MapCoordinates>> map_; ///< made when a file needs it
    std::optional<ImagePlaces> places_;                        ///< likewise
    std::vector<std::string> notes_;
};

} // namespace pollard
