#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "batch/input_files.hpp"
#include "command.hpp"
#include "components/label_scores.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "io/label_file.hpp"
#include "io/volumes/read_volume.hpp"
#include "jobs/score_report.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/results/result_file.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

namespace {

struct ScoreOptions {
    std::string result;
    std::string truth;
    std::string thresholds = "0.5:0.95:0.05";
    bool volume = false;
    std::string table;    ///< a line per object
    std::string outcomes; ///< image
};

/// "0.5,0.75" or "0.5:0.95:0.05", ascending.
std::vector<double> parseThresholds(const std::string& text) {
    constexpr std::size_t kMost = 1000;
    constexpr double kDigits = 1e9; // so that .5 + .05 + .05 is .6
    const auto refuse = [&](const std::string& why) { throw UsageError("--thresholds: '" + text + "': " + why); };
    std::vector<double> parts;
    const bool isRange = text.find(':') != std::string::npos;
    std::string listed = text;
    std::ranges::replace(listed, ':', ',');
    for (const std::string& part : splitList(listed)) {
        const std::optional<double> number = leadingNumber(part);
        if (!number || !(*number > 0 && *number <= 1)) {
            refuse("must be numbers above 0 and at most 1");
        }
        parts.push_back(*number);
    }
    if (!isRange) {
        if (parts.empty() || parts.size() > kMost) {
            refuse("must be 1 to " + std::to_string(kMost) + " numbers");
        }
        return parts;
    }
    if (parts.size() != 3 || parts[1] < parts[0] || (parts[1] - parts[0]) / parts[2] >= kMost) {
        refuse("must be FIRST:LAST:STEP with at most " + std::to_string(kMost) + " numbers");
    }
    std::vector<double> thresholds;
    for (std::size_t i = 0;; ++i) {
        const double next = std::round((parts[0] + static_cast<double>(i) * parts[2]) * kDigits) / kDigits;
        if (next > parts[1]) {
            return thresholds;
        }
        thresholds.push_back(next);
    }
}

/// A result with its truth.
struct ScoredPair {
    std::string result;
    std::string truth;
    std::string name; ///< of the image
};

/// Whether a result was made from an image of this name: "cells" for "cells.tif" and "cells.labels.tif".
bool belongsTo(const std::string& result, const std::string& image) {
    constexpr std::string_view kSeparators = "._- ";
    return result.starts_with(image) &&
           (result.size() == image.size() || kSeparators.find(result[image.size()]) != std::string_view::npos);
}

/// The results of a folder with the truth of the same name in another folder.
/// @throws UsageError if a truth has no result, or several
std::vector<ScoredPair> pairsIn(const ScoreOptions& options, const Context& context) {
    namespace fs = std::filesystem;
    const std::vector<std::string> truths = imagesIn(options.truth);
    if (truths.empty()) {
        throw UsageError("score: " + options.truth + ": has no images");
    }
    std::map<std::string, std::vector<std::string>> resultsOf;
    std::size_t unused = 0;
    for (const std::string& result : imagesIn(options.result)) {
        const std::string name = resultName(result);
        const std::string* owner = nullptr;
        std::size_t longest = 0;
        for (const std::string& truth : truths) {
            const std::string image = resultName(truth);
            if (belongsTo(name, image) && image.size() >= longest) {
                owner = &truth;
                longest = image.size();
            }
        }
        if (owner == nullptr) {
            ++unused;
        } else {
            resultsOf[*owner].push_back(result);
        }
    }
    std::vector<ScoredPair> pairs;
    for (const std::string& truth : truths) {
        const std::vector<std::string>& results = resultsOf[truth];
        if (results.size() != 1) {
            throw UsageError("score: " + truth + ": has " + counted(results.size(), "result") + " in " +
                             options.result + ", not one");
        }
        pairs.push_back({results.front(), truth, resultName(truth)});
    }
    if (unused != 0) {
        printNote(context, counted(unused, "file") + " in " + options.result + " without truth left out");
    }
    return pairs;
}

/// Labels of a file. @param other of the same image, whose size outlines take
StoredLabels labelsIn(const std::string& file, const std::string& other, const ScoreOptions& options,
                      const JobControl& control) {
    const ImageArgument argument = parseImageArgument(file);
    if (namesOutlines(argument.path)) {
        const ImageArgument image = parseImageArgument(other);
        refuseConflicts({{namesOutlines(image.path), "score: " + file + ", " + other + ": one must be a label image"}});
        const StoredLabels sized = labelsIn(other, file, options, control);
        StoredLabels labels = readOutlines(argument.path, sized.extent, image.path.filename().string(), control);
        labels.info = sized.info;
        return labels;
    }
    ReadOptions read;
    read.page = argument.page;
    return readLabels(argument.path, read, options.volume, control);
}

/// The unit of distances between the pixels of a label image, and its sides.
struct DistanceUnit {
    VoxelSides sides;
    std::string name = "px";
};
DistanceUnit unitOf(const StoredLabels& labels) {
    const std::optional<PixelSize>& size = labels.info.pixelSize;
    if (!size || size->print || !size->whyNoUnit.empty()) {
        return {voxelSides(size, labels.info.spacing), "px"};
    }
    return {{size->x, size->y, size->z > 0 ? size->z : size->x}, size->unit};
}

void addObjects(std::vector<std::vector<std::string>>& rows, const std::string& image, const char* of,
                const std::vector<ScoredObject>& objects) {
    for (const ScoredObject& object : objects) {
        rows.push_back({image, of, std::to_string(object.label), std::to_string(object.pixels),
                        std::string(nameOf(object.outcome)), std::to_string(object.partner),
                        exactNumber(object.overlap)});
    }
}

void runScore(Context& context, const ScoreOptions& options) {
    const std::vector<double> thresholds = parseThresholds(options.thresholds);
    const bool areFolders = std::filesystem::is_directory(options.truth) && !isZarrFolder(options.truth);
    refuseConflicts({{areFolders && !options.outcomes.empty(), "--outcomes: is for one image, not for folders"}});
    const std::vector<ScoredPair> pairs =
        areFolders ? pairsIn(options, context)
                   : std::vector<ScoredPair>{{options.result, options.truth, resultName(options.truth)}};
    if (!options.outcomes.empty()) {
        requireResultName(options.outcomes, true, !options.volume);
    }
    requireOutputs({{options.result, "the result"}, {options.truth, "the truth"}},
                   {{options.table, "the table"}, {options.outcomes, "the image of outcomes"}});

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    ScoreTotals all;
    std::optional<BoundaryDistances> distances;
    std::string unit;
    Json images = Json::array();
    std::vector<std::vector<std::string>> rows{{"image", "of", "label", "pixels", "outcome", "partner", "overlap"}};
    TextTable table({"image", "objects", "truth", "F1", "mean accuracy", "Dice"}, "lrrrrr");
    for (const ScoredPair& pair : pairs) {
        const JobControl reading = progress.control("reading " + pair.name, context.stop);
        arena.execute([&] {
            const StoredLabels result = labelsIn(pair.result, pair.truth, options, reading);
            const StoredLabels truth = labelsIn(pair.truth, pair.result, options, reading);
            if (result.extent != truth.extent) {
                throw Error(ErrorCode::invalidArgument, "score: " + pair.result + " has " + text(result.extent) +
                                                            ", the truth " + pair.truth + ' ' + text(truth.extent));
            }
            const JobControl control = progress.control("scoring " + pair.name, context.stop);
            const LabelScores scores(result.labels.span(), truth.labels.span(), thresholds, control);
            ScoreTotals one;
            one.add(scores, truth.labels.size());
            all.add(scores, truth.labels.size());
            if (areFolders) {
                Json json{{"image", pair.name}, {"result", pair.result}, {"truth", pair.truth}};
                json.update(scoreJson(one));
                images.push_back(std::move(json));
                table.add({pair.name, grouped(one.matches.front().found), grouped(one.matches.front().truth),
                           fixed(one.matches.front().f1(), 3), fixed(meanAccuracy(one.matches), 3),
                           fixed(one.foreground.dice(), 3)});
            } else {
                const DistanceUnit distance = unitOf(truth);
                unit = distance.name;
                distances =
                    boundaryDistances(result.labels.span(), truth.labels.span(), truth.extent, distance.sides, control);
            }
            if (!options.table.empty()) {
                addObjects(rows, pair.name, "result", scores.found());
                addObjects(rows, pair.name, "truth", scores.truth());
            }
            if (!options.outcomes.empty()) {
                LoadedImage source{std::make_shared<const Image>(outcomeImage(
                                       scores, result.labels.span(), truth.labels.span(), truth.extent, control)),
                                   nullptr, truth.info};
                source.info.mapping.reset();
                writeResult(options.outcomes, resultPlane(*source.image, source, ResultValues::levels), control);
            }
        });
    }
    if (!options.table.empty()) {
        writeCsv(options.table, rows, "write table of objects");
    }
    progress.clear();

    Report report;
    report.fields.update({{"result", options.result}, {"truth", options.truth}});
    report.fields.update(scoreJson(all));
    if (areFolders) {
        report.fields["images"] = images;
        table.print(report.text);
    } else if (distances) {
        report.fields["boundary"] = {{"hausdorff", distances->hausdorff},
                                     {"hausdorff_95", distances->hausdorff95},
                                     {"mean", distances->mean},
                                     {"unit", unit}};
    } else {
        report.fields["boundary"] = Json();
    }
    addScore(report, all);
    if (distances) {
        constexpr int kDecimals = 3;
        report.text << "boundaries: Hausdorff " << valueText(distances->hausdorff, kDecimals, unit) << ", 95 % "
                    << valueText(distances->hausdorff95, kDecimals, unit) << ", mean "
                    << valueText(distances->mean, kDecimals, unit) << '\n';
    }
    report.addWritten("table", options.table);
    report.addWritten("outcomes", options.outcomes);
    report.print(context);
}

} // namespace

CommandAction declareScore(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("score", "Compare label images with their truth");
    const auto options = std::make_shared<ScoreOptions>();
    command
        .add_option("RESULT", options->result,
                    "Label image: a whole number for each pixel, 0 is background.\nOr a folder of these")
        ->required();
    command
        .add_option("TRUTH", options->truth,
                    "The true labels. Or a folder of these: cells.png is the\ntruth of cells.tif and cells.labels.tif")
        ->required();
    addValue(command, "--thresholds", options->thresholds,
             "Smallest overlaps (intersection over union) of partners:\nnumbers with commas between, or "
             "FIRST:LAST:STEP. The first\ndecides which objects are missed, split ..",
             "LIST")
        ->capture_default_str();
    command.add_flag("--volume", options->volume, "The pages along z are one volume");
    addValue(command, "--csv", options->table,
             "Write a line per object of result and truth: pixels, outcome,\npartner and overlap with it", "OUT.csv");
    addValue(command, "--outcomes", options->outcomes,
             "Write an image with the outcome of each object: 0 background,\n1 matched, 2 missed, 3 invented, 4 split, "
             "5 merged",
             "OUT.tif");
    return [options](Context& context) { runScore(context, *options); };
}

} // namespace pollard::cli
