#pragma once

#include "command.hpp"
#include "engine/engine.hpp"
#include "image/image.hpp"
#include "jobs/tree_job.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

/// Options of `bench` as typed.
struct BenchOptions {
    std::vector<std::string> images;
    std::string channel = "luminance";
    std::string bits = "8,16";
    std::string algorithms;
    bool volume = false; ///< files are volumes
    std::optional<std::string> connectivities;
    std::string grids = "auto";
    std::string sizes = "2048x2048";
    int repeat = 5;
    int stream = 0;          ///< images per stream; 0 = no streams
    bool attributes = false; ///< time every attribute
    bool components = false; ///< time labelling instead of trees
    bool snake = false;      ///< time region snakes instead of trees
    std::uint32_t apart = 0; ///< discs per row and column, each with its own contour; 0: one disc
    std::uint32_t maxStep = 0;
    std::uint32_t minLength = 8;
    std::string granularities = "1,4,16";
    std::string densities = "10,30,50,70,90";
    TreeOptions tree; ///< connectivity, algorithm and grid are unused
    std::string csvFile;

    void declare(CLI::App& command);
    /// Whether --algorithms names an algorithm, or none.
    [[nodiscard]] bool names(const AlgorithmInfo& algorithm) const;
    /// Whether an algorithm is for a job, and for volumes if these are timed.
    [[nodiscard]] bool fits(const AlgorithmInfo& algorithm, std::string_view job) const {
        return algorithm.job == job && (!volume || algorithm.takesVolumes);
    }
    /// The connectivities asked for; 4, or 6 of volumes, without any.
    [[nodiscard]] std::string neighbours() const { return connectivities.value_or(volume ? "6" : "4"); }
};

/// Size of a generated image, px.
struct ImageSize {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// Parse comma-separated lists; repeated values count once, except sizes.
/// @throws UsageError for an unknown value or an empty list
[[nodiscard]] std::vector<PixelType> parseBits(const std::string& text);
/// @param isVolume of which images
[[nodiscard]] std::vector<Connectivity> parseConnectivities(const std::string& text, bool isVolume = false);
[[nodiscard]] std::vector<GridSimplification> parseGrids(const std::string& text);
[[nodiscard]] std::vector<ImageSize> parseSizes(const std::string& text);

} // namespace pollard::cli
