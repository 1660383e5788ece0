#include "bench/bench_report.hpp"

#include "csv_table.hpp"
#include "jobs/tree_job.hpp"
#include "text.hpp"

#include <algorithm>
#include <set>

namespace pollard::cli {

Json benchJson(const std::vector<BenchRow>& rows) {
    Json results = Json::array();
    for (const BenchRow& row : rows) {
        results.push_back({{"image", row.image},
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
                           {"frames_per_second", row.framesPerSecond ? Json(*row.framesPerSecond) : Json()},
                           {"dice", row.dice ? Json(*row.dice) : Json()}});
    }
    return results;
}

void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows) {
    std::vector<std::vector<std::string>> table{{"image", "bits", "conversion", "pixels", "nodes", "algorithm",
                                                 "connectivity", "grid", "engine", "stage", "ms", "mpix_per_s",
                                                 "frames_per_second", "dice"}};
    for (const BenchRow& row : rows) {
        table.push_back({row.image, std::to_string(row.bits), row.conversion, std::to_string(row.pixels),
                         std::to_string(row.nodes), row.algorithm, std::to_string(static_cast<int>(row.connectivity)),
                         std::string(nameOf(row.grid)), row.engine, row.stage.name, shortest(row.stage.milliseconds),
                         shortest(row.megapixelsPerSecond()), row.framesPerSecond ? shortest(*row.framesPerSecond) : "",
                         row.dice ? shortest(*row.dice) : ""});
    }
    writeCsv(file, table, "write table of times");
}

void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows) {
    using enum TextTable::Align;
    const bool bothConnectivities =
        std::ranges::any_of(rows, [&](const BenchRow& row) { return row.connectivity != rows.front().connectivity; });
    const bool streams = std::ranges::any_of(rows, [](const BenchRow& row) { return row.framesPerSecond.has_value(); });
    const bool volumes = std::ranges::any_of(rows, [](const BenchRow& row) {
        return row.connectivity != Connectivity::four && row.connectivity != Connectivity::eight;
    });
    std::vector<std::string> header{
        "image", "bits", "engine", "algorithm", "stage", "ms", volumes ? "MVox/s" : "MPix/s"};
    std::vector<TextTable::Align> align{left, right, left, left, left, right, right};
    if (streams) {
        header.emplace_back("frames/s");
        align.push_back(right);
    }
    const bool contours = std::ranges::any_of(rows, [](const BenchRow& row) { return row.dice.has_value(); });
    if (contours) {
        header.emplace_back("nodes");
        header.emplace_back("Dice");
        align.insert(align.end(), 2, right);
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
