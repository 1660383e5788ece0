#pragma once

#include "base/stage_timer.hpp"
#include "command.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

/// AlgorithmInfo::job of the algorithms that build trees.
inline constexpr std::string_view kMaxTreeJob = "max-tree";

/// Why a build without the GPU room has no engine "cuda".
inline constexpr std::string_view kNoCudaReason =
    "this build has no CUDA engine (no nvcc was found when it was compiled)";

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// Decimal number with a fixed count of decimals, independent of the locale.
[[nodiscard]] std::string fixed(double value, int decimals);
/// Shortest text that reads back to the same number.
[[nodiscard]] std::string shortest(double value);
/// 1536 -> "1.5 KiB".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view separator);
/// Parts between commas, blanks around them removed, empty ones left out.
[[nodiscard]] std::vector<std::string> splitList(std::string_view text);
/// {"stage": milliseconds, ...}
[[nodiscard]] Json stagesJson(const std::vector<StageTime>& stages);

/// Rows of cells printed in aligned columns.
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
