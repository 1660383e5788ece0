#include "report.hpp"

#include "text.hpp"

#include "io/write/atomic_file.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pollard::cli {

namespace {

/// Columns on a terminal: UTF-8 continuation bytes take none.
std::size_t columnsOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

} // namespace

void TextTable::print(std::ostream& out) const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columnsOf(row[i]));
        }
    }
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - columnsOf(row[i]), ' ');
            line += i == 0 ? "" : "  ";
            line += columns_[i] == 'r' ? padding + row[i] : row[i] + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

void Report::addImage(const std::string& file, const Extent& extent, int bits, const std::string& target) {
    fields["file"] = file;
    if (!target.empty()) {
        fields["output_file"] = target;
    }
    fields["width"] = extent.width;
    fields["height"] = extent.height;
    fields["bits"] = bits;
}

void Report::addWritten(const std::string& file) {
    if (!file.empty()) {
        text << "written: " << file << '\n';
    }
}

void Report::addWritten(const char* field, const std::string& file) {
    fields[field] = orNull(file);
    addWritten(file);
}

void Report::print(const Context& context, bool evenQuietly) const {
    if (context.common.json) {
        // Invalid UTF-8 (from file names) is replaced.
        context.out << fields.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    } else if (evenQuietly || !context.common.quiet) {
        context.out << text.str();
    }
}

void addSlices(Json& object, const Extent& extent) {
    if (extent.isVolume()) {
        object["slices"] = extent.slices;
    }
}

Json numberJson(double value) {
    if (!std::isfinite(value)) {
        return nullptr;
    }
    constexpr double kLargest = 0x1p53; // larger doubles are not exact integers
    if (std::floor(value) == value && std::abs(value) < kLargest) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

Json massJson(std::uint64_t mass, const std::optional<ValueMapping>& values) {
    return !values ? Json(mass) : numberJson(values->step * static_cast<double>(mass));
}

std::string massText(std::uint64_t mass, const std::optional<ValueMapping>& values) {
    return !values ? grouped(mass) : valueText(values->step * static_cast<double>(mass), {});
}

void addValueUnit(Json& object, const std::string& unit) {
    if (!unit.empty()) {
        object["value_unit"] = unit;
    }
}

Json stagesJson(const std::vector<StageTime>& stages) {
    Json object = Json::object();
    for (const StageTime& stage : stages) {
        object[stage.name] = stage.milliseconds;
    }
    return object;
}

void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows,
              const std::string& what) {
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += (i > 0 ? "," : "") + csvField(row[i]);
        }
        text += '\n';
    }
    AtomicFile target(file, what);
    target.writeAll(text.data(), text.size());
    target.commit();
}

} // namespace pollard::cli
