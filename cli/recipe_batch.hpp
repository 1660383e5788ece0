#pragma once

#include "command.hpp"
#include "image_argument.hpp"
#include "recipe/recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pollard::cli {

/// One picture of a batch.
struct BatchItem {
    std::string input; ///< as it was named
    ImageArgument image;
    std::filesystem::path target;
};

/// What a recipe made of one picture.
struct BatchResult {
    std::string error; ///< why it failed, one line; empty if it did not
    bool done = false; ///< false without an error: the batch was cancelled before
    std::string engine;
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    std::uint64_t nodes = 0; ///< of the last filter's tree, as what follows
    std::uint64_t kept = 0;
    std::uint64_t removed = 0;
    std::uint64_t changedPixels = 0;
    std::uint32_t labels = 0; ///< objects, if the recipe ends in labels
    bool labelled = false;
    double milliseconds = 0; ///< reading and writing included
};

/// Where the results go: FOLDER/<name of the input without its extension>.tif, with "_page<N>" before the dot for
/// IMAGE[N].
/// @throws UsageError if two results would have one name, or a result the name of an input
[[nodiscard]] std::vector<BatchItem> planBatch(const std::vector<std::string>& inputs,
                                               const std::filesystem::path& folder);

/// Runs a recipe on every picture, @p jobs of them at a time, which share the threads. What fails is told in its result
/// and stops no other.
/// @returns one result for each item, in their order
/// @throws UsageError for an engine that does not exist; Error(engineUnavailable); Cancelled: what was finished stays
[[nodiscard]] std::vector<BatchResult> runBatch(const Recipe& recipe, const std::vector<BatchItem>& items, int jobs,
                                                Context& context);

} // namespace pollard::cli
