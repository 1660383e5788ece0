#pragma once

#include "batch/truth_folder.hpp"
#include "components/objects/object_features.hpp"
#include "engine/engine.hpp"
#include "io/image_file.hpp"
#include "io/page_selection.hpp"
#include "recipe/results/recipe_outputs.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A page of a file to read.
struct BatchInput {
    std::string name; ///< for messages
    std::filesystem::path path;
    int page = 0; ///< 0-based; 0: the page of the recipe
    /// Index among the parts of the file that the recipe selects, see partsOf(); there are several only for positions
    /// `each`.
    std::size_t part = 0;
    std::string ending = {}; ///< of the names of its results: "_z3_t1"; empty unless there are several parts
};

/// An image of a batch.
struct BatchItem {
    BatchInput input;
    std::vector<std::filesystem::path> targets; ///< in the order of filesOf()
    std::size_t source = 0;                     ///< index of the input of planBatch()

    /// Path of the filtered image; null without a filter of any channel.
    [[nodiscard]] const std::filesystem::path* image(const Recipe& recipe) const;
};

/// Objects found by a step.
struct BatchObjects {
    std::size_t step = 0; ///< 1-based
    std::uint32_t found = 0;
    std::size_t listed = 0;                  ///< meet the condition and are not removed
    std::uint64_t pixels = 0;                ///< in listed objects
    LevelRange levels;                       ///< of the objects; kNoLevels if no level has the values
    std::optional<ValueMapping> values = {}; ///< of the levels
};

/// Contours of a step, in total.
struct BatchContours {
    std::size_t step = 0; ///< 1-based
    std::size_t contours = 0;
    std::size_t nodes = 0;
    std::uint64_t iterations = 0;
    std::int64_t area = 0; ///< px inside
    double energy = 0;
};

/// Result of the last filter.
struct BatchFilter {
    std::uint64_t nodes = 0; ///< of its tree; also for the following members
    std::uint64_t kept = 0;
    std::uint64_t removed = 0;
    std::uint64_t changedPixels = 0;
    std::optional<std::uint32_t> labels; ///< number of objects, if the output is labels
};

/// The filter of one of several channels.
struct BatchChannel {
    std::string name;
    BatchFilter filter;
};

/// Result of a recipe for one image.
struct BatchResult {
    std::string error;    ///< one line; empty on success
    bool done = false;    ///< false without an error: cancelled
    bool skipped = false; ///< all files existed already
    std::string engine;
    std::uint32_t width = 0; ///< px
    std::uint32_t slices = 1;
    std::uint32_t height = 0;
    std::optional<BatchFilter> filter;  ///< of several channels in total
    std::vector<BatchChannel> channels; ///< with a filter, in their order; empty for an image of one
    std::vector<BatchObjects> objects;
    std::vector<BatchContours> contours;
    std::optional<TruthScore> score = {}; ///< of the last objects, with BatchOptions::truth
    /// Positions on the axes that the file names and that have several positions, channels first; empty for a recipe
    /// that reads by page.
    std::vector<AxisPosition> positions;
    double milliseconds = 0;        ///< including reading and writing, without the wait for the disk
    std::vector<std::string> notes; ///< of reader, engines and files, a line each
};

/// Last columns of a table of objects of one of several parts of a file: scene, z, t and page, each only if the file
/// has several positions on the axis and the part has a single position; z_um and t_s if the file states the distance.
[[nodiscard]] std::vector<ObjectColumn> axisColumns(const BatchInput& input,
                                                    const std::vector<AxisPosition>& positions);

/// Positions of the inputs to run: all inputs; for a recipe of volumes the first input of each series of files, see
/// seriesOf().
[[nodiscard]] std::vector<std::size_t> withoutFurtherSlices(const Recipe& recipe,
                                                            const std::vector<BatchInput>& inputs);

/// Plans the result files: FOLDER/<name of the input without its extension><RecipeFile::ending>, with "_page<N>" before
/// the ending for pages other than 0. A recipe that selects `each` position of an axis makes an item of each, with
/// "_z<N>" or "_t<N>"; it looks into the files, and a file that lacks a selected entry stays one item, which fails.
/// @throws Error(invalidArgument) if two results would have the same path, or a result the path of an input
[[nodiscard]] std::vector<BatchItem> planBatch(const Recipe& recipe, const std::vector<BatchInput>& inputs,
                                               const std::filesystem::path& folder);

/// @throws Error(invalidArgument) if an additional file would replace an input, a result or the recipe
/// @param recipeFile empty for a recipe without a file
void requireFurther(const std::filesystem::path& file, const std::vector<BatchItem>& items,
                    const std::filesystem::path& recipeFile);

/// Creates the folder of the results and its parents if they do not exist. @throws Error(writeFailed)
void makeBatchFolder(const std::filesystem::path& folder);

/// Options of a batch.
struct BatchOptions {
    std::vector<Engine*> engines; ///< to try in this order, one at least
    int jobs = 0;                 ///< concurrent images; 0: one a thread if all files are small, else 1
    int threads = 0;              ///< that they share; 0: all cores
    /// Skip images whose files all exist, are not older than the image and the recipe, and were made with the same
    /// pixelSize, unit and `stated`, see kOptionsFile. A note names images that are processed again because of other
    /// options. Files appear only when complete.
    bool resumes = false;
    std::filesystem::path recipeFile; ///< empty for a recipe without a file
    /// Replaces the pixel sizes of files and recipe; unset: uses those.
    std::optional<PixelSize> pixelSize;
    LengthUnit unit = LengthUnit::pixel;           ///< of lengths and areas of objects; images without it fail
    std::shared_ptr<const TruthFolder> truth = {}; ///< to score the last objects of each image; null: no scores
    std::string stated = {}; ///< options that replace parameters of the recipe, in one line: "at z=1"
};

/// File in the folder of results with the options of all results that are not older than the file. Without the file,
/// results have the default options; a new folder gets no file for default options.
inline constexpr const char* kOptionsFile = ".pollard-options";

/// Reports of a batch; both may be empty, are called on any of its threads and must not throw.
struct BatchReports {
    /// Progress of an image, as JobControl's; possibly called by several threads at once.
    std::function<void(std::size_t item, double fraction, std::string_view stage)> progress;
    /// Called after each image, successful or not, when its files are durable; one call at a time.
    std::function<void(std::size_t item, const BatchResult& result)> ended;
};

/// Runs a recipe on every image, several at a time with shared threads. A failure is stored in its result and does not
/// stop the others. The files of an image get their names when they are durable, together with files of other images,
/// see CommitQueue. If the recipe filters other channels, too, and reads a stored channel, the image has all channels
/// of its source as ChannelFile writes them, unchanged if they have no filter. Objects and contours come from the
/// channel that is read.
/// @returns one result per item, in order
/// @throws Cancelled, which keeps finished files
[[nodiscard]] std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items,
                                                const BatchOptions& options, const std::stop_token& stop = {},
                                                const BatchReports& reports = {});

} // namespace pollard
