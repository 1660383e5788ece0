#include "bench/bench_report.hpp"

#include "base/number_text.hpp"
#include "jobs/tree_job.hpp"
#include "report.hpp"
#include "text.hpp"

#include <algorithm>
#include <set>

namespace pollard::cli {

namespace {

Json fieldsOf(const BenchRow& row) {
    return {{"image", row.image},
            {"bits", row.bits},
            {"conversion", row.conversion},
            {"pixels", row.pixels},
            {"nodes", row.nodes},
            {"algorithm", row.algorithm},
            {"connectivity", static_cast<int>(row.connectivity)},
            {"grid", nameOf(row.grid)},
            {"engine", row.engine},
            {"stage", row.stage.name},
            {"ms", row.stage.milliseconds},
            {"mpix_per_s", row.megapixelsPerSecond()},
            {"frames_per_second", orNull(row.framesPerSecond)},
            {"dice", orNull(row.dice)}};
}

std::string cellOf(const Json& value) {
    return value.is_null()           ? std::string()
           : value.is_string()       ? value.get<std::string>()
           : value.is_number_float() ? exactNumber(value.get<double>())
                                     : value.dump();
}

} // namespace

Json benchJson(const std::vector<BenchRow>& rows) { return arrayOf(rows, fieldsOf); }

void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows) {
    std::vector<std::vector<std::string>> table(1);
    const Json columns = fieldsOf({});
    for (const auto& [name, value] : columns.items()) {
        table.front().push_back(name);
    }
    for (const BenchRow& row : rows) {
        table.push_back(textsOf(fieldsOf(row), cellOf));
    }
    writeCsv(file, table, "write table of times");
}

void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows) {
    const bool bothConnectivities =
        std::ranges::any_of(rows, [&](const BenchRow& row) { return row.connectivity != rows.front().connectivity; });
    const bool streams = std::ranges::any_of(rows, [](const BenchRow& row) { return row.framesPerSecond.has_value(); });
    const bool volumes = std::ranges::any_of(rows, [](const BenchRow& row) {
        return row.connectivity != Connectivity::four && row.connectivity != Connectivity::eight;
    });
    std::vector<std::string> header{
        "image", "bits", "engine", "algorithm", "stage", "ms", volumes ? "MVox/s" : "MPix/s"};
    std::string align = "lrlllrr";
    if (streams) {
        header.emplace_back("frames/s");
        align += 'r';
    }
    const bool contours = std::ranges::any_of(rows, [](const BenchRow& row) { return row.dice.has_value(); });
    if (contours) {
        header.emplace_back("nodes");
        header.emplace_back("Dice");
        align += "rr";
    }
    TextTable table(std::move(header), std::move(align));
    std::set<std::string> conversions;
    std::string previous;
    for (const BenchRow& row : rows) {
        const std::string algorithm = describeAlgorithm(
            row.algorithm +
                (bothConnectivities ? ", " + std::to_string(static_cast<int>(row.connectivity)) + "-conn." : ""),
            row.grid);
        const std::string block = row.image + "\n" + std::to_string(row.bits) + "\n" + row.engine + "\n" + algorithm;
        const bool first = block != previous;
        previous = block;
        std::vector<std::string> cells{first ? std::filesystem::path(row.image).filename().string() : "",
                                       first ? std::to_string(row.bits) : "",
                                       first ? row.engine : "",
                                       first ? algorithm : "",
                                       row.stage.name,
                                       fixed(row.stage.milliseconds, 3),
                                       fixed(row.megapixelsPerSecond(), 1)};
        if (streams) {
            cells.push_back(row.framesPerSecond ? fixed(*row.framesPerSecond, 1) : "");
        }
        if (contours) {
            cells.push_back(grouped(row.nodes));
            cells.push_back(row.dice ? fixed(*row.dice, 4) : "");
        }
        table.add(std::move(cells));
        conversions.insert(row.conversion);
    }
    table.print(out);
    if (conversions.contains("high byte")) {
        out << "16-bit images at 8 bits: high byte of every value\n";
    }
    if (conversions.contains("value * 257")) {
        out << "8-bit images at 16 bits: value * 257\n";
    }
    if (conversions.contains("luminance") || conversions.contains("high byte of luminance")) {
        out << "colour images: 0.2126 R + 0.7152 G + 0.0722 B on 16 bits; at 8 bits its high byte\n";
    }
}

} // namespace pollard::cli
