#pragma once

#include "base/stage_timer.hpp"
#include "command.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace pollard::cli {

/// Median time of one stage of one algorithm on one image.
struct BenchRow {
    std::string image; ///< as named on the command line
    int bits;
    std::string conversion; ///< from the file's depth: "none", "high byte" or "value * 257"
    std::size_t pixels;
    std::string algorithm;
    std::string engine;
    std::uint32_t nodes;
    StageTime stage;

    [[nodiscard]] double megapixelsPerSecond() const { return static_cast<double>(pixels) / 1000 / stage.milliseconds; }
};

/// [{image, bits, conversion, pixels, nodes, algorithm, engine, stage, ms, mpix_per_s}, ...]
[[nodiscard]] Json benchJson(const std::vector<BenchRow>& rows);

/// The same fields as CSV, written atomically.
/// @throws Error(writeFailed)
void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows);

/// An aligned table, one block of lines per image, depth and algorithm, and how depths were converted.
void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows);

} // namespace pollard::cli
