#include "bench/bench_run.hpp"
#include "options/option_values.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// The rows of one algorithm on one image.
struct Timing {
    const BenchRow* first = nullptr;
    std::vector<StageTime> stages;

    [[nodiscard]] std::optional<double> of(std::string_view stage) const {
        const auto found = std::ranges::find(stages, stage, &StageTime::name);
        return found == stages.end() ? std::nullopt : std::optional(found->milliseconds);
    }
    [[nodiscard]] std::string subject() const {
        return std::filesystem::path(first->image).filename().string() + ", " + std::to_string(first->bits) +
               " bits, " + std::to_string(static_cast<int>(first->connectivity)) + " neighbours";
    }
    [[nodiscard]] std::string algorithm() const {
        return first->engine + ": " + describeAlgorithm(first->algorithm, first->grid);
    }
};

struct Segment {
    double value = 0;
    std::size_t series = 0; ///< its colour
};

/// Segments side by side; a heading has none.
struct Bar {
    std::string label;
    std::vector<Segment> segments;

    [[nodiscard]] double sum() const {
        double all = 0;
        for (const Segment& segment : segments) {
            all += segment.value;
        }
        return all;
    }
};

struct Chart {
    std::string name; ///< of its element
    std::string title;
    std::string unit;
    bool isLogarithmic = false; ///< of bars with one segment
    std::vector<std::string> series;
    std::vector<Bar> bars;
};

std::vector<Timing> timingsOf(const std::vector<BenchRow>& rows) {
    std::vector<Timing> timings;
    for (const BenchRow& row : rows) {
        const auto isSame = [&](const Timing& timing) {
            const BenchRow& other = *timing.first;
            return other.image == row.image && other.bits == row.bits && other.connectivity == row.connectivity &&
                   other.grid == row.grid && other.engine == row.engine && other.algorithm == row.algorithm;
        };
        auto found = std::ranges::find_if(timings, isSame);
        if (found == timings.end()) {
            found = timings.insert(timings.end(), {&row, {}});
        }
        found->stages.push_back(row.stage);
    }
    return timings;
}

/// The fastest algorithm of each engine on each image.
std::vector<const Timing*> fastest(const std::vector<Timing>& timings) {
    std::vector<const Timing*> best;
    for (const Timing& timing : timings) {
        const auto total = timing.of("total/wall");
        if (!total) {
            continue;
        }
        const auto found = std::ranges::find_if(best, [&](const Timing* other) {
            return other->subject() == timing.subject() && other->first->engine == timing.first->engine;
        });
        if (found == best.end()) {
            best.push_back(&timing);
        } else if (*total < *(*found)->of("total/wall")) {
            *found = &timing;
        }
    }
    return best;
}

/// Index of a name in the series of a chart, which gets it if it is new.
std::size_t seriesOf(Chart& chart, const std::string& name) {
    const auto found = std::ranges::find(chart.series, name);
    if (found == chart.series.end()) {
        chart.series.push_back(name);
        return chart.series.size() - 1;
    }
    return static_cast<std::size_t>(found - chart.series.begin());
}

/// Adds a bar below the heading of its image.
void add(Chart& chart, std::string& heading, const Timing& timing, Bar bar) {
    if (bar.segments.empty()) {
        return;
    }
    if (heading != timing.subject()) {
        heading = timing.subject();
        chart.bars.push_back({heading, {}});
    }
    chart.bars.push_back(std::move(bar));
}

Chart speeds(const std::vector<Timing>& timings) {
    Chart chart{"speed", "Building the tree", "MPix/s", true, {}, {}};
    std::string heading;
    for (const Timing& timing : timings) {
        if (const auto build = timing.of("build")) {
            const double speed = static_cast<double>(timing.first->pixels) / 1000 / *build;
            add(chart, heading, timing, {timing.algorithm(), {{speed, seriesOf(chart, timing.first->engine)}}});
        }
    }
    return chart;
}

Chart wholeWay(const std::vector<Timing>& timings) {
    Chart chart{"steps", "From the pixels to the filtered image, fastest algorithm of each engine", "ms", false, {},
                {}};
    std::string heading;
    for (const Timing* timing : fastest(timings)) {
        Bar bar{timing->algorithm(), {}};
        for (const char* step : {"upload", "build", "attribute", "filter"}) {
            if (const auto time = timing->of(step + std::string("/wall"))) {
                bar.segments.push_back({*time, seriesOf(chart, step)});
            }
        }
        add(chart, heading, *timing, std::move(bar));
    }
    return chart;
}

Chart buildStages(const std::vector<Timing>& timings) {
    constexpr std::string_view kBuild = "build/";
    Chart chart{"stages", "Stages of the build, fastest algorithm of each engine", "% of the build", false, {}, {}};
    std::string heading;
    for (const Timing* timing : fastest(timings)) {
        Bar bar{timing->algorithm(), {}};
        for (const StageTime& stage : timing->stages) {
            if (stage.name.starts_with(kBuild) && stage.name != "build/wall") {
                bar.segments.push_back({stage.milliseconds, seriesOf(chart, stage.name.substr(kBuild.size()))});
            }
        }
        const double whole = bar.sum();
        for (Segment& segment : bar.segments) {
            segment.value *= 100 / whole;
        }
        add(chart, heading, *timing, std::move(bar));
    }
    return chart;
}

Chart attributes(const std::vector<Timing>& timings) {
    constexpr std::string_view kAttribute = "attribute/";
    Chart chart{"attributes", "Measuring an attribute", "ms", true, {}, {}};
    const std::vector<const Timing*> best = fastest(timings);
    if (best.empty() || !best.front()->of("attributes")) {
        return chart;
    }
    const std::string subject = best.front()->subject();
    chart.title += ": " + subject;
    for (const StageTime& stage : best.front()->stages) {
        if (!stage.name.starts_with(kAttribute) || stage.name == "attribute/wall") {
            continue;
        }
        for (const Timing* timing : best) {
            const auto time = timing->of(stage.name);
            if (timing->subject() == subject && time) {
                const std::size_t series = seriesOf(chart, timing->first->engine);
                chart.bars.push_back({series == 0 ? stage.name.substr(kAttribute.size()) : "", {{*time, series}}});
            }
        }
    }
    return chart;
}

constexpr double kWidth = 760;  ///< of a chart
constexpr double kLabels = 250; ///< of the column of labels
constexpr double kNumbers = 70; ///< right of the longest bar
constexpr double kRow = 20;     ///< height of a bar with its gap
constexpr double kTop = 52;     ///< title and key
constexpr std::size_t kColours = 8;

std::string rounded(double value) { return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0); }

/// Widths of bars.
class Scale {
public:
    explicit Scale(const Chart& chart) : isLogarithmic_(chart.isLogarithmic) {
        for (const Bar& bar : chart.bars) {
            if (const double value = bar.sum(); value > 0) {
                most_ = std::max(most_, value);
                least_ = std::min(least_, value);
            }
        }
        if (isLogarithmic_) {
            least_ = std::pow(10, std::floor(std::log10(least_) - 0.1));
        }
    }

    [[nodiscard]] double operator()(double value) const {
        if (!(value > 0)) {
            return 0;
        }
        const double share = isLogarithmic_ ? std::log(value / least_) / std::log(most_ / least_) : value / most_;
        return (kWidth - kLabels - kNumbers) * std::max(share, 0.0);
    }
    /// Values with a line: powers of ten, or quarters of the largest.
    [[nodiscard]] std::vector<double> lines() const {
        std::vector<double> values;
        if (isLogarithmic_) {
            for (double value = least_ * 10; value <= most_; value *= 10) {
                values.push_back(value);
            }
        } else {
            for (int quarter = 1; quarter <= 4; ++quarter) {
                values.push_back(most_ * quarter / 4);
            }
        }
        return values;
    }

private:
    bool isLogarithmic_;
    double least_ = 1e300;
    double most_ = 1e-300;
};

class Drawing {
public:
    explicit Drawing(TextFile& file) : file_(file) {}

    void draw(const Chart& chart) {
        const double height = kTop + kRow * static_cast<double>(chart.bars.size()) + 24;
        file_ << R"(<svg xmlns="http://www.w3.org/2000/svg" id=")" << chart.name << R"(" width=")" << kWidth
              << R"(" height=")" << height << R"(" viewBox="0 0 )" << kWidth << ' ' << height << R"(" role="img">)"
              << '\n'
              << kStyle << "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n";
        text(8, 18, "title", chart.title + (chart.unit.empty() ? "" : ", " + chart.unit));
        drawKey(chart);
        const Scale scale(chart);
        const double bottom = height - 20;
        for (const double value : scale.lines()) {
            const double x = kLabels + scale(value);
            file_ << "<path class=\"line\" d=\"M" << fixed(x, 1) << ' ' << kTop << 'V' << fixed(bottom, 1) << "\"/>\n";
            text(x, bottom + 14, "axis", rounded(value));
        }
        double y = kTop;
        for (const Bar& bar : chart.bars) {
            if (bar.segments.empty()) {
                text(8, y + 15, "heading", bar.label);
            } else {
                const double end = drawBar(bar, scale, y);
                text(end + 5, y + 14, "number", chart.unit.starts_with('%') ? "" : rounded(bar.sum()));
            }
            y += kRow;
        }
        file_ << "</svg>\n";
    }

private:
    /// Colours that people with deficient colour vision tell apart; a reader's dark theme has its own.
    static constexpr std::string_view kStyle = R"(<style>
text{font:12px system-ui,sans-serif;fill:#1a1a1a}.title{font-weight:600;font-size:14px}.axis{text-anchor:middle;fill:#666}
.heading{font-weight:600}.label{text-anchor:end}.ground{fill:#fff}.line{stroke:#ddd}
.s0{fill:#0072b2}.s1{fill:#d55e00}.s2{fill:#009e73}.s3{fill:#cc79a7}.s4{fill:#e69f00}.s5{fill:#56b4e9}.s6{fill:#8c6d31}.s7{fill:#777}
@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.ground{fill:#1e1e1e}.line{stroke:#444}.axis{fill:#aaa}}
</style>
)";

    void text(double x, double y, std::string_view kind, const std::string& words) {
        file_ << "<text class=\"" << kind << "\" x=\"" << fixed(x, 1) << "\" y=\"" << fixed(y, 1) << "\">"
              << xmlText(words) << "</text>\n";
    }
    void rectangle(double x, double y, double width, double height, std::size_t series) {
        file_ << "<rect class=\"s" << std::to_string(series % kColours) << "\" x=\"" << fixed(x, 1) << "\" y=\""
              << fixed(y, 1) << "\" width=\"" << fixed(std::max(width, 0.5), 1) << "\" height=\"" << height << "\"/>\n";
    }
    void drawKey(const Chart& chart) {
        constexpr double kLetter = 7; // width, about
        double x = 8;
        for (std::size_t i = 0; i < chart.series.size(); ++i) {
            rectangle(x, 30, 10, 10, i);
            text(x + 14, 39, "key", chart.series[i]);
            x += 30 + kLetter * static_cast<double>(chart.series[i].size());
        }
    }
    /// @return where the bar ends
    double drawBar(const Bar& bar, const Scale& scale, double y) {
        text(kLabels - 6, y + 14, "label", bar.label);
        double x = kLabels;
        for (const Segment& segment : bar.segments) {
            const double length = scale(segment.value);
            rectangle(x, y + 2, length, kRow - 4, segment.series);
            x += length;
        }
        return x;
    }

    TextFile& file_;
};

BenchRow rowOf(const std::map<std::string, std::string>& fields) {
    const auto number = [&](const char* name) {
        const auto value = numberIn<double>(fields.at(name));
        if (!value || !(*value >= 0)) {
            throw Error(ErrorCode::invalidArgument,
                        std::string(name) + ": '" + fields.at(name) + "': expected a number");
        }
        return *value;
    };
    const auto optionalNumber = [&](const char* name) {
        return fields.at(name).empty() ? std::nullopt : std::optional(number(name));
    };
    const std::string& neighbours = fields.at("connectivity");
    return {.image = fields.at("image"),
            .bits = static_cast<int>(std::min(number("bits"), 64.0)),
            .conversion = fields.at("conversion"),
            .pixels = static_cast<std::size_t>(std::min(number("pixels"), 1e15)),
            .algorithm = fields.at("algorithm"),
            .connectivity = parseConnectivities(neighbours, neighbours != "4" && neighbours != "8").front(),
            .grid = parseGrids(fields.at("grid")).front(),
            .engine = fields.at("engine"),
            .nodes = static_cast<std::uint32_t>(std::min(number("nodes"), 4e9)),
            .stage = {fields.at("stage"), number("ms")},
            .framesPerSecond = optionalNumber("frames_per_second"),
            .dice = optionalNumber("dice")};
}

} // namespace

std::vector<BenchRow> readBenchCsv(const std::filesystem::path& file) {
    std::ifstream table(file, std::ios::binary);
    std::string line;
    if (!table || !std::getline(table, line)) {
        throw Error(ErrorCode::fileUnreadable, "read table of times: " + file.string() + ": cannot be read");
    }
    const std::vector<std::string> names = csvFields(line);
    std::vector<BenchRow> rows;
    while (std::getline(table, line)) {
        const std::vector<std::string> cells = csvFields(line);
        std::map<std::string, std::string> fields;
        for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) {
            fields.emplace(names[i], cells[i]);
        }
        try {
            rows.push_back(rowOf(fields));
        } catch (const std::out_of_range&) {
            throw Error(ErrorCode::fileDamaged, "read table of times: " + file.string() + ": line " +
                                                    std::to_string(rows.size() + 2) + " lacks columns of bench --csv");
        } catch (const std::runtime_error& problem) {
            throw Error(ErrorCode::fileDamaged, "read table of times: " + file.string() + ": line " +
                                                    std::to_string(rows.size() + 2) + ": " + problem.what());
        }
    }
    return rows;
}

void writeBenchReport(const std::filesystem::path& file, const std::vector<BenchRow>& rows,
                      const std::vector<std::string>& notes) {
    TextFile page(file, "write report of times");
    page << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Pollard: times</title><style>\n"
            ":root{color-scheme:light dark}body{font:14px system-ui,sans-serif;max-width:60em;margin:2em "
            "auto;padding:0 1em}\n"
            "table{border-collapse:collapse;margin-top:2em}th,td{padding:.15em .7em;text-align:left}\n"
            "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}svg{display:block;margin:1.5em "
            "0;max-width:100%;"
            "height:auto}\n</style></head><body>\n<h1>Pollard: times</h1>\n";
    for (const std::string& note : notes) {
        page << "<p>" << xmlText(note) << "</p>\n";
    }
    const std::vector<Timing> timings = timingsOf(rows);
    for (const Chart& chart : {speeds(timings), wholeWay(timings), buildStages(timings), attributes(timings)}) {
        if (!chart.bars.empty()) {
            Drawing(page).draw(chart);
        }
    }
    page << "<table><tr><th>image</th><th class=\"n\">bits</th><th>engine</th><th>algorithm</th><th>stage</th>"
            "<th class=\"n\">ms</th><th class=\"n\">MPix/s</th></tr>\n";
    for (const BenchRow& row : rows) {
        page << "<tr><td>" << xmlText(std::filesystem::path(row.image).filename().string()) << "</td><td class=\"n\">"
             << row.bits << "</td><td>" << xmlText(row.engine) << "</td><td>"
             << xmlText(describeAlgorithm(row.algorithm, row.grid)) << "</td><td>" << xmlText(row.stage.name)
             << "</td><td class=\"n\">" << fixed(row.stage.milliseconds, 3) << "</td><td class=\"n\">"
             << fixed(row.megapixelsPerSecond(), 1) << "</td></tr>\n";
    }
    page << "</table>\n</body></html>\n";
    page.commit();
}

} // namespace pollard::cli
