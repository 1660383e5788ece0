#pragma once

#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_rule.hpp"
#include "filter/filter_spec.hpp"
#include "geo/geojson_positions.hpp"
#include "image/region_shape.hpp"
#include "image/stored_mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/page_selection.hpp"
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
    std::optional<PixelRegion> region;     ///< in px of the level; the whole page if empty
    int shrink = 1;                        ///< shrink x shrink px become one
    std::optional<RawLayout> raw;          ///< of a file without a header
    std::optional<PixelSize> pixelSize;    ///< instead of the one that the file states, see ReadOptions
    bool volume = false;                   ///< the slices that contain the page, see readVolume()
    std::optional<SliceRange> slices = {}; ///< of the volume; all of them if empty
    bool ignoreAlpha = false;              ///< transparent pixels have data
    /// Instead of page, channel, volume and slices, which only apply to the file that the recipe was made from.
    std::optional<PageSelection> at = {};
    std::string axes = {}; ///< of the pages of files that state none, see ReadOptions

    bool operator==(const ReadStep&) const = default;
};

/// The pixels that the filters below it use: those of shapes, or those of none; all pixels without it or without
/// shapes, and where no pixel would be left. The others are ignored, as Session::open() says.
struct RegionStep {
    std::vector<RegionShape> shapes; ///< in px of the image that was read
    bool inverted = false;

    bool operator==(const RegionStep&) const = default;
};

/// The kind of tree that the filters below it work on; a max-tree with 4 neighbours without it, in a volume with 6.
struct TreeStep {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;

    bool operator==(const TreeStep&) const = default;
};

/// Builds the tree of the image that the steps above it left, and replaces the image by the filter's output.
struct FilterStep {
    FilterSpec filter;

    bool operator==(const FilterStep&) const = default;
};

/// Finds objects and writes their features; the image does not change. Pixels outside of the region above it are
/// ignored. Grey values are those of the original image.
struct ObjectsStep {
    StepImage of = StepImage::result;
    ObjectRule rule{{}, ThresholdMethod::otsu, false, {}, Connectivity::eight};
    std::string condition;               ///< ObjectCondition that the objects have to meet; empty: all do
    double side = 1;                     ///< of a pixel, in the unit of numbers of the condition that have none
    LengthUnit unit = LengthUnit::pixel; ///< else that unit itself, and every image brings the size of its pixels
    ObjectFeature order = ObjectFeature::label; ///< of the list, see listObjects()
    bool descending = false;
    std::uint32_t count = 0;                          ///< of the objects to which `removed` refers; 0 if none is
    std::vector<std::uint32_t> removed;               ///< labels from 1, ascending: objects that were taken out by hand
    std::vector<ObjectFile> files{ObjectFile::table}; ///< that are written, each once
    GeoJsonIn geojsonIn = GeoJsonIn::pixels;          ///< positions of outlines
    std::optional<MeasureChoice> measure = {};        ///< further channels in which the objects are measured
    bool conditionInLevels = false; ///< numbers of grey features in the condition are levels, not values
    /// Ids of the columns that the joined table of a batch has, in this order; empty: all.
    std::vector<std::string> columns = {};

    bool operator==(const ObjectsStep&) const = default;
};

/// Lets contours evolve to their end and writes their last states; the image does not change. All pixels with data
/// count, whatever the region is.
struct ContoursStep {
    StepImage of = StepImage::result;
    bool fromObjects = false;        ///< starts are the outlines of the objects that the step above it lists
    std::vector<RegionShape> starts; ///< else these: shapes in px of the image, see contoursOf()
    SnakeSpec spec;
    std::optional<std::uint32_t> apart;        ///< px: every contour by itself, within partAround() its start
    std::vector<RegionShape> forbidden;        ///< pixels in these no contour may hold
    std::optional<StoredMask> forbiddenPixels; ///< nor any of these; of the image's size
    std::vector<ContourFile> files{ContourFile::outline}; ///< that are written, each once
    GeoJsonIn geojsonIn = GeoJsonIn::pixels;              ///< positions of outlines

    bool operator==(const ContoursStep&) const = default;
};

using RecipeStep = std::variant<ReadStep, RegionStep, TreeStep, FilterStep, ObjectsStep, ContoursStep>;

/// "read", "region", "tree", "filter", "objects", "contour".
[[nodiscard]] std::string_view idOf(const RecipeStep& step) noexcept;

/// The filter of another channel of the image than the one that is read.
struct RecipeChannel {
    std::string channel; ///< its name or number from 0, see findChannel(), or text of a ChannelChoice that is computed
    FilterSpec filter;   ///< in place of that of the last filter; everything above it is the same for all channels

    bool operator==(const RecipeChannel&) const = default;
};

/// The steps from a file to a result, so that they can be applied to other files.
struct Recipe {
    std::string name;        ///< one line for menus; not empty
    std::string description; ///< one line; may be empty
    std::string sample;      ///< name of a file to try it on, without folders; of presets, else empty
    std::vector<RecipeStep> steps;
    std::vector<RecipeChannel> channels = {}; ///< with other filters; those without one stay as they are

    bool operator==(const Recipe&) const = default;
};

/// Reads the JSON form of a recipe:
/// `{"pollard_recipe": 1, "name": .., "description": .., "sample": ..,
///   "steps": [{"id": .., "version": 1, "parameters": {..}}]}`, in full in docs/recipe.schema.json. Version 2 of it has
/// `"channels": [{"channel": .., "filter": {..}}]`. With `"grey": "values"` numbers of grey are values, in
/// `"grey_unit"` if that is stated; without it they are levels, so that their criteria get Criterion::grey = kLevels.
/// A parameter that is left out has its default. Unknown and repeated keys are refused, as are versions other than
/// those written here, labels that are filtered again, contours from objects that no step finds, and a recipe
/// without a filter, objects or a contour.
/// @throws Error(invalidArgument) naming the step, the key and the value
[[nodiscard]] Recipe parseRecipe(std::string_view text);

/// The JSON form with every parameter, indented; parseRecipe() reads the same recipe back. Its checks are
/// not made here.
[[nodiscard]] std::string toJson(const Recipe& recipe);

/// The JSON form of one step, as in a recipe, for editing by hand.
[[nodiscard]] std::string stepText(const RecipeStep& step);
/// Reads it back. @throws Error(invalidArgument) naming the key and the value
[[nodiscard]] RecipeStep parseStep(std::string_view text);

/// The version of a step's parameters that toJson() writes: the smallest that has all of them.
[[nodiscard]] int versionOf(const RecipeStep& step);

/// Reads a recipe file of at most 16 MiB.
/// @throws Error(fileNotFound, fileUnreadable, limitExceeded, invalidArgument) naming the file
[[nodiscard]] Recipe loadRecipe(const std::filesystem::path& path);

/// Writes toJson() whole or not at all. @throws Error(writeFailed); as parseRecipe() for a recipe that it refuses
void saveRecipe(const Recipe& recipe, const std::filesystem::path& path);

/// How the first step reads a file, except for its selection by axes; everything else has its default.
[[nodiscard]] ReadOptions readOptionsOf(const Recipe& recipe);

/// The selection by axes of the first step; null if it reads by page.
[[nodiscard]] const PageSelection* selectionOf(const Recipe& recipe) noexcept;
/// Replaces page, channel, volume and slices of the first step by a selection. A recipe without a step that reads gets
/// one.
void setSelection(Recipe& recipe, const PageSelection& selection);

/// States the axes of the pages, see ReadStep::axes. A recipe without a step that reads gets one.
void setAxes(Recipe& recipe, const std::string& axes);

/// The parts of a file that the first step reads: the parts that it selects, for which the facts about the file are
/// read, or the part that the options state.
/// @param options of readOptionsOf(), with changes; `series` is set
/// @throws Error as partsOf(selection), naming the file, and as readImageInfo()
[[nodiscard]] SelectedParts partsOf(const Recipe& recipe, const std::filesystem::path& file, ReadOptions options);

/// Whether the first step reads a volume.
[[nodiscard]] bool readsVolume(const Recipe& recipe) noexcept;
/// Whether a file of a series stands for the volume of the series: for volumes and positions on z.
[[nodiscard]] bool readsSeries(const Recipe& recipe) noexcept;
/// @param work that is for images only: "tracking"
/// @throws Error(invalidArgument) for a recipe that reads a volume
void requireImages(const Recipe& recipe, const char* work);

} // namespace pollard
