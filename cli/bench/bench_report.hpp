#pragma once

#include "base/stage_timer.hpp"
#include "command.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace pollard::cli {

/// Median time of one stage of one algorithm on one image.
struct BenchRow {
    std::string image = {}; ///< as named on the command line
    int bits = 0;
    std::string conversion = "none"; ///< conversion from the file's levels, see BenchImage
    std::size_t pixels = 0;
    std::string algorithm = {};
    Connectivity connectivity = Connectivity::four;
    GridSimplification grid = GridSimplification::automatic;
    std::string engine = {};
    std::uint32_t nodes = 0;
    StageTime stage = {};
    std::optional<double> framesPerSecond = std::nullopt; ///< for a stream of images
    std::optional<double> dice = std::nullopt;            ///< of contour and object: 2 |A and B| / (|A| + |B|)

    [[nodiscard]] double megapixelsPerSecond() const { return static_cast<double>(pixels) / 1000 / stage.milliseconds; }
};

/// Adds the row with each of the stages.
inline void addRows(std::vector<BenchRow>& rows, BenchRow row, const std::vector<StageTime>& stages) {
    for (const StageTime& stage : stages) {
        row.stage = stage;
        rows.push_back(row);
    }
}

/// [{image, bits, conversion, pixels, nodes, algorithm, connectivity, grid, engine, stage, ms, mpix_per_s,
/// frames_per_second, dice}, ...]; frames_per_second is null except for streams, dice except for contours.
[[nodiscard]] Json benchJson(const std::vector<BenchRow>& rows);

/// Writes the fields of benchJson() as CSV, atomically.
/// @throws Error(writeFailed)
void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows);

/// Prints an aligned table, with a block of lines per image, depth and algorithm, and how depths were converted.
void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows);

} // namespace pollard::cli
