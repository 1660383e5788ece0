#include "bench_report.hpp"

#include "io/atomic_file.hpp"
#include "text.hpp"

#include <set>

namespace pollard::cli {

namespace {

/// A field of a CSV file; quoted if it has to be.
std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string text = "\"";
    for (const char c : field) {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + "\"";
}

} // namespace

Json benchJson(const std::vector<BenchRow>& rows) {
    Json results = Json::array();
    for (const BenchRow& row : rows) {
        results.push_back({{"image", row.image},
                           {"bits", row.bits},
                           {"conversion", row.conversion},
                           {"pixels", row.pixels},
                           {"nodes", row.nodes},
                           {"algorithm", row.algorithm},
                           {"engine", row.engine},
                           {"stage", row.stage.name},
                           {"ms", row.stage.milliseconds},
                           {"mpix_per_s", row.megapixelsPerSecond()}});
    }
    return results;
}

void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows) {
    std::string text = "image,bits,conversion,pixels,nodes,algorithm,engine,stage,ms,mpix_per_s\n";
    for (const BenchRow& row : rows) {
        text += quoted(row.image) + "," + std::to_string(row.bits) + "," + row.conversion + "," +
                std::to_string(row.pixels) + "," + std::to_string(row.nodes) + "," + row.algorithm + "," + row.engine +
                "," + row.stage.name + "," + shortest(row.stage.milliseconds) + "," +
                shortest(row.megapixelsPerSecond()) + "\n";
    }
    AtomicFile target(file, "write table of times");
    target.writeAll(text.data(), text.size());
    target.commit();
}

void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows) {
    using enum TextTable::Align;
    TextTable table({"image", "bits", "engine", "algorithm", "stage", "ms", "MPix/s"},
                    {left, right, left, left, left, right, right});
    std::set<std::string> conversions;
    std::string previous;
    for (const BenchRow& row : rows) {
        const std::string block =
            row.image + "\n" + std::to_string(row.bits) + "\n" + row.engine + "\n" + row.algorithm;
        const bool first = block != previous;
        previous = block;
        table.add({first ? std::filesystem::path(row.image).filename().string() : "",
                   first ? std::to_string(row.bits) : "", first ? row.engine : "", first ? row.algorithm : "",
                   row.stage.name, fixed(row.stage.milliseconds, 3), fixed(row.megapixelsPerSecond(), 1)});
        conversions.insert(row.conversion);
    }
    table.print(out);
    if (conversions.contains("high byte")) {
        out << "16-bit images at 8 bits: high byte of every value\n";
    }
    if (conversions.contains("value * 257")) {
        out << "8-bit images at 16 bits: value * 257\n";
    }
}

} // namespace pollard::cli
