#pragma once

#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_rule.hpp"
#include "filter/filter_spec.hpp"
#include "geo/earth_polygons.hpp"
#include "image/mask.hpp"
#include "image/region_shape.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/page_selection.hpp"
#include "operators/operator_spec.hpp"
#include "snake/contour/contour_output.hpp"
#include "snake/snake_spec.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
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
    int level = 0;                         ///< of ImageInfo::levels, 0 = full resolution
    std::optional<PixelRegion> region;     ///< in px of the level; unset: the whole page
    int shrink = 1;                        ///< shrink x shrink px become one
    std::optional<RawLayout> raw;          ///< of a file without a header
    std::optional<PixelSize> pixelSize;    ///< replaces the pixel size that the file states, see ReadOptions
    bool volume = false;                   ///< the slices that contain the page, see readVolume()
    std::optional<SliceRange> slices = {}; ///< of the volume; unset: all
    bool ignoreAlpha = false;              ///< transparent pixels have data
    /// Replaces page, channel, volume and slices, which only apply to the file for which the recipe was made.
    std::optional<PageSelection> at = {};
    std::string axes = {}; ///< of the pages of files that state none, see ReadOptions

    bool operator==(const ReadStep&) const = default;
};

/// The pixels that following filters use: pixels inside the shapes, or outside all shapes. Without this step or without
/// shapes, and if no pixel would remain, all pixels are used. Other pixels are ignored, see Session::open().
struct RegionStep {
    std::vector<RegionShape> shapes; ///< in px of the image that was read
    bool inverted = false;

    bool operator==(const RegionStep&) const = default;
};

/// The kind of tree for the following filters. Without this step, a max-tree with 4 neighbours, or 6 in a volume.
struct TreeStep {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;

    bool operator==(const TreeStep&) const = default;
};

/// Builds the tree of the image that the previous steps produced, and replaces the image by the filter's output.
struct FilterStep {
    FilterSpec filter;

    bool operator==(const FilterStep&) const = default;
};

/// Replaces the image by the result of an operator; pixels outside of the preceding region stay as they are.
struct OperatorStep {
    OperatorSpec spec;

    bool operator==(const OperatorStep&) const = default;
};

/// Finds objects and writes their features; the image does not change. Pixels outside the preceding region are ignored.
/// Grey values are measured in the original image.
struct ObjectsStep {
    StepImage of = StepImage::result;
    ObjectRule rule{{}, ThresholdMethod::otsu, false, {}, Connectivity::eight};
    std::string condition; ///< ObjectCondition that selects objects; empty: all
    double side = 1;       ///< of a pixel, in the unit of the condition's numbers without a unit
    /// Unit of these numbers. If it is not px, the size of a pixel comes from each image.
    LengthUnit unit = LengthUnit::pixel;
    ObjectFeature order = ObjectFeature::label; ///< of the list, see listObjects()
    bool descending = false;
    std::uint32_t count = 0;            ///< number of objects to which `removed` refers; 0 if no object is removed
    std::vector<std::uint32_t> removed; ///< labels from 1, ascending, of objects removed by hand
    std::vector<ObjectFile> files{ObjectFile::table}; ///< files to write, each once
    GeoJsonIn geojsonIn = GeoJsonIn::pixels;          ///< positions of outlines
    std::optional<MeasureChoice> measure = {};        ///< further channels in which the objects are measured
    bool conditionInLevels = false; ///< numbers of grey features in the condition are levels, not values
    /// Ids of the columns of a batch's joined table, in this order; empty: all.
    std::vector<std::string> columns = {};

    bool operator==(const ObjectsStep&) const = default;
};

/// Evolves contours to their end and writes their last states; the image does not change. All pixels with data count,
/// independently of the region.
struct ContoursStep {
    StepImage of = StepImage::result;
    bool fromObjects = false;        ///< starts are the outlines of the objects that the previous step of objects lists
    std::vector<RegionShape> starts; ///< otherwise: shapes in px of the image, see contoursOf()
    SnakeSpec spec;
    std::optional<std::uint32_t> apart;        ///< px: every contour by itself, within partAround() its start
    std::vector<RegionShape> forbidden;        ///< contours may not contain pixels in these shapes
    std::optional<StoredMask> forbiddenPixels; ///< nor pixels of this mask, which has the size of the image
    std::vector<ContourFile> files{ContourFile::outline}; ///< files to write, each once
    GeoJsonIn geojsonIn = GeoJsonIn::pixels;              ///< positions of outlines

    bool operator==(const ContoursStep&) const = default;
};

using RecipeStep = std::variant<ReadStep, RegionStep, TreeStep, FilterStep, ObjectsStep, ContoursStep, OperatorStep>;

/// "read", "region", "tree", "filter", "objects", "contour", "operator".
[[nodiscard]] std::string_view idOf(const RecipeStep& step) noexcept;

/// The filter of a channel of the image that is not the channel being read.
struct RecipeChannel {
    std::string channel; ///< its name or number from 0, see findChannel(), or text of a ChannelChoice that is computed
    FilterSpec filter; ///< replaces the filter of the last filter step; all steps before are the same for all channels

    bool operator==(const RecipeChannel&) const = default;
};

/// The steps from a file to a result, so that they can be applied to other files.
struct Recipe {
    std::string name;        ///< one line for menus; not empty
    std::string description; ///< one line; may be empty
    std::string sample;      ///< name of a file to try it on, without folders; of presets, else empty
    std::vector<RecipeStep> steps;
    /// Channels with other filters; channels without a filter are not changed.
    std::vector<RecipeChannel> channels = {};

    bool operator==(const Recipe&) const = default;
};

/// Reads the JSON form of a recipe, see docs/recipe.schema.json:
/// `{"pollard_recipe": 1, "name": .., "description": .., "sample": ..,
///   "steps": [{"id": .., "version": 1, "parameters": {..}}]}`.
/// Version 2 has `"channels": [{"channel": .., "filter": {..}}]`.
///
/// With `"grey": "values"`, numbers of grey are values, in `"grey_unit"` if that is stated. Without it they are levels,
/// and their criteria get Criterion::grey = kLevels. Missing parameters have their defaults. Refuses unknown and
/// repeated keys, versions that toJson() does not write, filters of labels, contours from objects that no step finds,
/// and a recipe without a filter, an operator, objects or a contour.
/// @throws Error(invalidArgument) naming the step, the key and the value
[[nodiscard]] Recipe parseRecipe(std::string_view text);

/// The JSON form with every parameter, indented; parseRecipe() returns the same recipe. Does not check the recipe.
[[nodiscard]] std::string toJson(const Recipe& recipe);

/// The JSON form of one step, as in a recipe, for editing by hand.
[[nodiscard]] std::string stepText(const RecipeStep& step);
/// Parses the result of stepText(). @throws Error(invalidArgument) naming the key and the value
[[nodiscard]] RecipeStep parseStep(std::string_view text);

/// The version that toJson() writes for a step: the smallest that has all its parameters.
[[nodiscard]] int versionOf(const RecipeStep& step);

/// Reads a recipe file of at most 16 MiB. Relative paths of markers become paths from the folder of the file.
/// @throws Error(fileNotFound, fileUnreadable, limitExceeded, invalidArgument) naming the file
[[nodiscard]] Recipe loadRecipe(const std::filesystem::path& path);

/// Writes toJson() whole or not at all. @throws Error(writeFailed); as parseRecipe() for a recipe that it refuses
void saveRecipe(const Recipe& recipe, const std::filesystem::path& path);

/// How the first step reads a file, except for its selection by axes; everything else has its default.
[[nodiscard]] ReadOptions readOptionsOf(const Recipe& recipe);

/// The selection by axes of the first step; null if it reads by page.
[[nodiscard]] const PageSelection* selectionOf(const Recipe& recipe) noexcept;
/// Replaces page, channel, volume and slices of the first step by a selection. Adds a step that reads if there is none.
void setSelection(Recipe& recipe, const PageSelection& selection);

/// Sets the axes of the pages, see ReadStep::axes. Adds a step that reads if there is none.
void setAxes(Recipe& recipe, const std::string& axes);

/// The parts of a file that the first step reads: the parts that it selects, for which the facts about the file are
/// read, or the part that the options state.
/// @param options of readOptionsOf(), with changes; `series` is set
/// @throws Error as partsOf(selection), naming the file, and as readImageInfo()
[[nodiscard]] SelectedParts partsOf(const Recipe& recipe, const std::filesystem::path& file, ReadOptions options);

/// Whether the first step reads a volume.
[[nodiscard]] bool readsVolume(const Recipe& recipe) noexcept;
/// Whether a file of a series is read as the volume of the series: if the first step reads a volume or selects on z.
[[nodiscard]] bool readsSeries(const Recipe& recipe) noexcept;
/// @param work that is for images only: "tracking"
/// @throws Error(invalidArgument) for a recipe that reads a volume
void requireImages(const Recipe& recipe, const char* work);

} // namespace pollard
