#pragma once

#include "command.hpp"
#include "options/image_argument.hpp"
#include "recipe/recipe_files.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// One picture of a batch.
struct BatchItem {
    std::string input; ///< as it was named
    ImageArgument image;
    std::vector<std::filesystem::path> targets; ///< in the order of filesOf()

    /// The picture that the filters leave; null if there is no filter.
    [[nodiscard]] const std::filesystem::path* picture(const Recipe& recipe) const;
};

/// What a step found of objects.
struct BatchObjects {
    std::size_t step = 0; ///< from 1
    std::uint32_t found = 0;
    std::size_t listed = 0;   ///< that meet the condition and were not taken out
    std::uint64_t pixels = 0; ///< of those listed
    LevelRange levels;        ///< that made them
};

/// What became of the contours of a step, all taken together.
struct BatchContours {
    std::size_t step = 0; ///< from 1
    std::size_t contours = 0;
    std::size_t nodes = 0;
    std::uint64_t iterations = 0;
    std::int64_t area = 0; ///< px inside
    double energy = 0;
};

/// What the last filter did.
struct BatchFilter {
    std::uint64_t nodes = 0; ///< of its tree, as what follows
    std::uint64_t kept = 0;
    std::uint64_t removed = 0;
    std::uint64_t changedPixels = 0;
    std::optional<std::uint32_t> labels; ///< objects, if it gives labels
};

/// What a recipe made of one picture.
struct BatchResult {
    std::string error;    ///< why it failed, one line; empty if it did not
    bool done = false;    ///< false without an error: the batch was cancelled before
    bool skipped = false; ///< all files were there already
    std::string engine;
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    std::optional<BatchFilter> filter;
    std::vector<BatchObjects> objects;
    std::vector<BatchContours> contours;
    double milliseconds = 0; ///< reading and writing included
};

/// Where the results go: FOLDER/<name of the input without its extension><RecipeFile::ending>, with "_page<N>" before
/// the ending for IMAGE[N].
/// @throws UsageError if two results would have one name, or a result the name of an input
[[nodiscard]] std::vector<BatchItem> planBatch(const Recipe& recipe, const std::vector<std::string>& inputs,
                                               const std::filesystem::path& folder);

/// @throws UsageError if this further file would replace an input, a result or the recipe
/// @param recipeFile empty for a preset
void requireFurther(const std::filesystem::path& file, const std::vector<BatchItem>& items,
                    const std::filesystem::path& recipeFile);

/// How a batch is done.
struct BatchOptions {
    int jobs = 1; ///< pictures at a time
    /// Pictures all of whose files are there, and older neither than the picture nor than this file, are left as they
    /// are. Files appear only when they are whole.
    bool resumes = false;
    std::filesystem::path recipeFile; ///< empty for a preset
    /// Of every picture, instead of the sizes that its file and the recipe state; nothing: those.
    std::optional<PixelSize> pixelSize;
};

/// Runs a recipe on every picture, some of them at a time, which share the threads. What fails is told in its result
/// and stops no other.
/// @returns one result for each item, in their order
/// @throws UsageError for an engine that does not exist; Error(engineUnavailable); Cancelled: what was finished stays
[[nodiscard]] std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items,
                                                const BatchOptions& options, Context& context);

} // namespace pollard::cli
