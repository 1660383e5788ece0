#pragma once

#include "command.hpp"
#include "options/image_argument.hpp"
#include "recipe/recipe_outputs.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// A picture of a batch.
struct BatchItem {
    std::string input; ///< as typed
    ImageArgument image;
    std::vector<std::filesystem::path> targets; ///< in the order of filesOf()

    /// Path of the filtered picture; null without a filter.
    [[nodiscard]] const std::filesystem::path* picture(const Recipe& recipe) const;
};

/// Objects found by a step.
struct BatchObjects {
    std::size_t step = 0; ///< 1-based
    std::uint32_t found = 0;
    std::size_t listed = 0;   ///< meet the condition and are not removed
    std::uint64_t pixels = 0; ///< in listed objects
    LevelRange levels;        ///< of the objects
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

/// Result of a recipe for one picture.
struct BatchResult {
    std::string error;    ///< one line; empty on success
    bool done = false;    ///< false without an error: cancelled
    bool skipped = false; ///< all files existed already
    std::string engine;
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    std::optional<BatchFilter> filter;
    std::vector<BatchObjects> objects;
    std::vector<BatchContours> contours;
    double milliseconds = 0; ///< including reading and writing
};

/// Plans the result files: FOLDER/<name of the input without its extension><RecipeFile::ending>, with "_page<N>" before
/// the ending for IMAGE[N].
/// @throws UsageError if two results would have the same path, or a result that of an input
[[nodiscard]] std::vector<BatchItem> planBatch(const Recipe& recipe, const std::vector<std::string>& inputs,
                                               const std::filesystem::path& folder);

/// @throws UsageError if an additional file would replace an input, a result or the recipe
/// @param recipeFile empty for a preset
void requireFurther(const std::filesystem::path& file, const std::vector<BatchItem>& items,
                    const std::filesystem::path& recipeFile);

/// Options of a batch.
struct BatchOptions {
    int jobs = 1; ///< concurrent pictures
    /// Skip pictures whose files all exist and are not older than the picture and the recipe. Files appear only when
    /// complete.
    bool resumes = false;
    std::filesystem::path recipeFile; ///< empty for a preset
    /// Replaces the pixel sizes of files and recipe; unset: uses those.
    std::optional<PixelSize> pixelSize;
};

/// Runs a recipe on every picture, several at a time with shared threads. A failure is stored in its result and does
/// not stop the others.
/// @returns one result per item, in order
/// @throws UsageError for an unknown engine; Error(engineUnavailable); Cancelled, which keeps finished files
[[nodiscard]] std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items,
                                                const BatchOptions& options, Context& context);

} // namespace pollard::cli
