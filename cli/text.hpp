#pragma once

#include "base/stage_timer.hpp"
#include "command.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

/// AlgorithmInfo::job of algorithms that build trees.
inline constexpr std::string_view kMaxTreeJob = "max-tree";

/// Reason why a build without the GPU room has no engine "cuda".
inline constexpr std::string_view kNoCudaReason =
    "this build has no CUDA engine (no nvcc was found when it was compiled)";

/// Formats 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// Decimal number with a fixed number of decimals, independent of the locale.
[[nodiscard]] std::string fixed(double value, int decimals);
/// Shortest text that reads back to the same number.
[[nodiscard]] std::string shortest(double value);
/// Formats 1536 as "1.5 KiB".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view separator);
/// Comma-separated parts without surrounding blanks, and without empty ones.
[[nodiscard]] std::vector<std::string> splitList(std::string_view text);
/// {"stage": milliseconds, ...}
[[nodiscard]] Json stagesJson(const std::vector<StageTime>& stages);

/// Prints rows of cells in aligned columns.
class TextTable {
public:
    enum class Align { left, right };

    TextTable(std::vector<std::string> header, std::vector<Align> align)
        : align_(std::move(align)), rows_{std::move(header)} {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const;

private:
    std::vector<Align> align_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace pollard::cli
