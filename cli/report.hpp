#pragma once

#include "command.hpp"

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Prints rows of cells in aligned columns.
class TextTable {
public:
    /// @param columns a character for each: 'l' aligned to the left, 'r' to the right
    TextTable(std::vector<std::string> header, std::string columns)
        : columns_(std::move(columns)), rows_{std::move(header)} {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const;

private:
    std::string columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Result of a command: an object of --json, or text about the same facts.
struct Report {
    Json fields = Json::object(); ///< of --json, in their order
    std::ostringstream text;      ///< without --json

    /// Adds the first fields of a report on an image. @param target result file; empty: none is named
    void addImage(const std::string& file, const Extent& extent, int bits, const std::string& target = {});
    /// Adds the line of a written file, unless the name is empty.
    void addWritten(const std::string& file);
    /// Adds the line of a written file, and its name as a field, null if it is empty.
    void addWritten(const char* field, const std::string& file);
    /// @param evenQuietly prints the text with --quiet, too
    void print(const Context& context, bool evenQuietly = false) const;
};

/// Adds the number of slices of a volume.
void addSlices(Json& object, const Extent& extent);

/// null for a missing value.
template <class Value> [[nodiscard]] Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}
/// null for an empty name.
[[nodiscard]] inline Json orNull(const std::string& name) { return name.empty() ? Json() : Json(name); }
/// A number, without a decimal point if it is whole; null if it is not finite.
[[nodiscard]] Json numberJson(double value);
/// Grey * px as values; null if the levels are ranks, whose sums say nothing.
[[nodiscard]] Json massJson(std::uint64_t mass, const std::optional<ValueMapping>& values);
/// massJson() as text.
[[nodiscard]] std::string massText(std::uint64_t mass, const std::optional<ValueMapping>& values);
/// Adds the unit of values of grey, if they have one.
void addValueUnit(Json& object, const std::string& unit);
/// An array of make(value).
template <class Values, class Make> [[nodiscard]] Json arrayOf(const Values& values, const Make& make) {
    Json array = Json::array();
    for (const auto& value : values) {
        array.push_back(make(value));
    }
    return array;
}
/// {"stage": milliseconds, ...}
[[nodiscard]] Json stagesJson(const std::vector<StageTime>& stages);

/// Writes rows of fields as CSV (RFC 4180, with \n line ends), atomically; fields are quoted if necessary.
/// @param rows the first has the column names
/// @param what operation for messages, e.g. "write table of times"
/// @throws Error(writeFailed)
void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows,
              const std::string& what);

} // namespace pollard::cli
