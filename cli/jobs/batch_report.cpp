#include "jobs/batch_report.hpp"

#include "csv_table.hpp"
#include "text.hpp"

#include <algorithm>
#include <utility>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

Json jsonOf(const BatchObjects& objects) {
    return {{"step", objects.step},     {"found", objects.found},          {"listed", objects.listed},
            {"pixels", objects.pixels}, {"threshold", objects.levels.low}, {"threshold_high", objects.levels.high}};
}

Json jsonOf(const BatchFilter& filter) {
    Json object{{"nodes", filter.nodes},
                {"kept", filter.kept},
                {"removed", filter.removed},
                {"changed_pixels", filter.changedPixels}};
    if (filter.labels) {
        object["labels"] = *filter.labels;
    }
    return object;
}

Json jsonOf(const BatchChannel& channel) {
    Json object{{"name", channel.name}};
    object.update(jsonOf(channel.filter));
    return object;
}

Json jsonOf(const BatchContours& contours) {
    return {{"step", contours.step},   {"contours", contours.contours},
            {"nodes", contours.nodes}, {"iterations", contours.iterations},
            {"area", contours.area},   {"energy", contours.energy}};
}

template <class Facts> Json listOf(const std::vector<Facts>& all) {
    Json list = Json::array();
    for (const Facts& each : all) {
        list.push_back(jsonOf(each));
    }
    return list;
}

/// Values of all steps: "12", or "12, 7".
template <class Facts, class Text>
std::string cellOf(const std::vector<Facts>& all, const Text& text, std::string_view separator = ", ") {
    std::vector<std::string> texts;
    for (const Facts& each : all) {
        texts.push_back(text(each));
    }
    return joined(texts, separator);
}

/// Listed objects per step; without such steps the labels of the last filter.
std::vector<std::uint64_t> objectsOf(const BatchResult& result) {
    std::vector<std::uint64_t> counts;
    for (const BatchObjects& objects : result.objects) {
        counts.push_back(objects.listed);
    }
    if (counts.empty() && result.filter && result.filter->labels) {
        counts.push_back(*result.filter->labels);
    }
    return counts;
}

std::string resultCell(const BatchItem& item, const BatchResult& result) {
    if (!result.error.empty()) {
        return "failed: " + result.error;
    }
    if (item.targets.empty()) {
        return "no file";
    }
    const std::size_t others = item.targets.size() - 1;
    return item.targets.back().string() + (others > 0 ? " and " + std::to_string(others) + " more" : "") +
           (result.skipped ? " (skipped)" : "");
}

template <class Step> bool hasStep(const Recipe& recipe) {
    return std::ranges::any_of(recipe.steps, [](const RecipeStep& step) { return std::holds_alternative<Step>(step); });
}

} // namespace

Json jsonOf(const Recipe& recipe, const BatchItem& item, const BatchResult& result) {
    Json object{{"file", item.input.name}};
    if (!result.error.empty()) {
        object["error"] = result.error;
        return object;
    }
    const fs::path* const picture = item.picture(recipe);
    object["output_file"] = picture != nullptr ? Json(picture->string()) : Json();
    object["output_files"] = Json::array();
    for (const fs::path& target : item.targets) {
        object["output_files"].push_back(target.string());
    }
    if (result.skipped) {
        object["skipped"] = true;
        return object;
    }
    object["width"] = result.width;
    if (result.slices > 1) {
        object["slices"] = result.slices;
    }
    object["height"] = result.height;
    if (result.filter) {
        object.update(jsonOf(*result.filter));
    }
    if (!result.channels.empty()) {
        object["channels"] = listOf(result.channels);
    }
    if (!result.objects.empty()) {
        object["objects"] = listOf(result.objects);
    }
    if (!result.contours.empty()) {
        object["contours"] = listOf(result.contours);
    }
    object["engine"] = result.engine;
    object["ms"] = result.milliseconds;
    return object;
}

void printTable(const Recipe& recipe, const std::vector<BatchItem>& items, const std::vector<BatchResult>& results,
                Context& context) {
    using enum TextTable::Align;
    const bool filters = hasStep<FilterStep>(recipe);
    const bool evolves = hasStep<ContoursStep>(recipe);
    std::vector<std::string> titles{"file"};
    if (filters) {
        titles.insert(titles.end(), {"nodes", "kept", "changed px"});
    }
    titles.emplace_back("objects");
    if (evolves) {
        titles.insert(titles.end(), {"contour nodes", "energy"});
    }
    titles.insert(titles.end(), {"ms", "result"});
    std::vector<TextTable::Align> aligned(titles.size(), right);
    aligned.front() = aligned.back() = left;
    const std::size_t columns = titles.size();
    TextTable table(std::move(titles), std::move(aligned));
    for (std::size_t i = 0; i < items.size(); ++i) {
        const BatchResult& result = results[i];
        std::vector<std::string> row{items[i].input.name};
        if (result.error.empty() && !result.skipped) {
            if (filters) {
                row.insert(row.end(), {grouped(result.filter->nodes), grouped(result.filter->kept),
                                       grouped(result.filter->changedPixels)});
            }
            row.push_back(cellOf(objectsOf(result), grouped));
            if (evolves) {
                row.push_back(cellOf(result.contours, [](const BatchContours& each) { return grouped(each.nodes); }));
                row.push_back(cellOf(result.contours, [](const BatchContours& each) { return fixed(each.energy, 1); }));
            }
            row.push_back(fixed(result.milliseconds, 0));
        }
        row.resize(columns - 1);
        row.push_back(resultCell(items[i], result));
        table.add(std::move(row));
    }
    table.print(context.out);
}

void writeSummary(const fs::path& file, const std::vector<BatchItem>& items, const std::vector<BatchResult>& results) {
    constexpr std::string_view kBetweenSteps = ";";
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    std::vector<std::vector<std::string>> table{{"file", "state", "nodes", "kept", "changed_pixels", "objects",
                                                 "contour_nodes", "energy", "milliseconds", "result", "error"}};
    for (std::size_t i = 0; i < items.size(); ++i) {
        const BatchItem& item = items[i];
        const BatchResult& result = results[i];
        const bool failed = !result.error.empty();
        const std::optional<BatchFilter>& filter = result.filter;
        table.push_back(
            {item.input.name, failed ? "failed" : (result.skipped ? "skipped" : "done"),
             filter ? number(filter->nodes) : "", filter ? number(filter->kept) : "",
             filter ? number(filter->changedPixels) : "", cellOf(objectsOf(result), number, kBetweenSteps),
             cellOf(
                 result.contours, [&](const BatchContours& each) { return number(each.nodes); }, kBetweenSteps),
             cellOf(
                 result.contours, [](const BatchContours& each) { return shortest(each.energy); }, kBetweenSteps),
             failed || result.skipped ? "" : shortest(result.milliseconds),
             failed || item.targets.empty() ? "" : item.targets.back().string(), result.error});
    }
    writeCsv(file, table, "write summary");
}

} // namespace pollard::cli
