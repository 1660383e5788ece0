#include "base/error.hpp"
#include "base/text.hpp"
#include "batch/input_files.hpp"
#include "batch/joined_table.hpp"
#include "batch/recipe_batch.hpp"
#include "batch/truth_folder.hpp"
#include "command.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/page_selection.hpp"
#include "jobs/score_report.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/presets.hpp"
#include "recipe/recipe_script.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace pollard::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxJobs = 256;
constexpr const char* kPython = "python"; ///< of --as

struct RunCommandOptions {
    std::string recipe;
    std::vector<std::string> inputs;
    std::string folder;
    std::string summary;
    std::string table;
    std::string pixelSize;
    std::string unit = "px";
    std::string at;
    std::string axes;
    std::string truth;  ///< folder of --score; empty: no scores
    std::string script; ///< language of --as; empty: run the recipe
    int jobs = 0;       ///< 0: not chosen
    bool resumes = false;
    bool listPresets = false;
};

void listPresets(Context& context) {
    Report report;
    Json& presets = report.fields["presets"] = Json::array();
    TextTable table({"preset", "description"}, "ll");
    for (const Preset& preset : allPresets()) {
        presets.push_back({{"name", preset.name}, {"recipe", Json::parse(toJson(preset.recipe))}});
        table.add({preset.name, preset.recipe.name + ": " + preset.recipe.description});
    }
    table.print(report.text);
    report.print(context, true);
}

Json jsonOf(const BatchObjects& objects) {
    const bool isFound = objects.levels != kNoLevels;
    const auto value = [&](std::uint16_t level) {
        return isFound ? numberJson(valueOf(objects.values, level)) : Json();
    };
    Json object{{"step", objects.step},
                {"found", objects.found},
                {"listed", objects.listed},
                {"pixels", objects.pixels},
                {"threshold", value(objects.levels.low)},
                {"threshold_high", value(objects.levels.high)}};
    addValueUnit(object, unitOf(objects.values));
    return object;
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

bool givesLabels(const Recipe& recipe) {
    return std::ranges::any_of(recipe.steps, [](const RecipeStep& step) {
        const auto* const filter = std::get_if<FilterStep>(&step);
        return filter != nullptr && filter->filter.output == Output::labels;
    });
}

template <class Step> bool hasStep(const Recipe& recipe) {
    return std::ranges::any_of(recipe.steps, [](const RecipeStep& step) { return std::holds_alternative<Step>(step); });
}

/// Result of one image for --json.
Json jsonOf(const Recipe& recipe, const BatchItem& item, const BatchResult& result) {
    Json object{{"file", item.input.name}};
    if (!result.error.empty()) {
        object["error"] = result.error;
        return object;
    }
    const fs::path* const image = item.image(recipe);
    object["output_file"] = image != nullptr ? Json(image->string()) : Json();
    object["output_files"] = arrayOf(item.targets, [](const fs::path& target) { return target.string(); });
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
        object["channels"] = arrayOf(result.channels, [](const BatchChannel& each) { return jsonOf(each); });
    }
    if (!result.objects.empty()) {
        object["objects"] = arrayOf(result.objects, [](const BatchObjects& each) { return jsonOf(each); });
    }
    if (!result.contours.empty()) {
        object["contours"] = arrayOf(result.contours, [](const BatchContours& each) { return jsonOf(each); });
    }
    if (result.score) {
        object["truth"] = orNull(result.score->truth.string());
        object["score"] = result.score->truth.empty() ? Json() : scoreJson(result.score->score);
    }
    object["engine"] = result.engine;
    object["ms"] = result.milliseconds;
    return object;
}

/// Adds the results of all images as a table.
void addTable(Report& report, const Recipe& recipe, const std::vector<BatchItem>& items,
              const std::vector<BatchResult>& results) {
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
    const bool scores = std::ranges::any_of(results, [](const BatchResult& each) { return each.score.has_value(); });
    if (scores) {
        titles.insert(titles.end(), {"truth", "F1", "mean accuracy"});
    }
    titles.insert(titles.end(), {"ms", "result"});
    std::string aligned(titles.size(), 'r');
    aligned.front() = aligned.back() = 'l';
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
            row.push_back(joined(textsOf(objectsOf(result), grouped), ", "));
            if (evolves) {
                const auto nodes = [](const BatchContours& each) { return grouped(each.nodes); };
                const auto energy = [](const BatchContours& each) { return fixed(each.energy, 1); };
                row.push_back(joined(textsOf(result.contours, nodes), ", "));
                row.push_back(joined(textsOf(result.contours, energy), ", "));
            }
            if (result.score && !result.score->truth.empty()) {
                const std::vector<MatchScore>& matches = result.score->score.matches;
                row.insert(row.end(), {grouped(matches.front().truth), fixed(matches.front().f1(), 3),
                                       fixed(meanAccuracy(matches), 3)});
            } else if (scores) {
                row.insert(row.end(), {"none", "", ""});
            }
            row.push_back(fixed(result.milliseconds, 0));
        }
        row.resize(columns - 1);
        row.push_back(resultCell(items[i], result));
        table.add(std::move(row));
    }
    table.print(report.text);
}

/// Adds the cells of a score to a line of a summary.
void addScoreCells(std::vector<std::string>& row, const ScoreTotals& score) {
    const MatchScore& match = score.matches.front();
    row.insert(row.end(), {std::to_string(match.truth), std::to_string(match.matched), exactNumber(match.precision()),
                           exactNumber(match.recall()), exactNumber(match.f1()),
                           exactNumber(meanAccuracy(score.matches)), exactNumber(match.panopticQuality())});
    for (const ObjectOutcome outcome :
         {ObjectOutcome::missed, ObjectOutcome::invented, ObjectOutcome::split, ObjectOutcome::merged}) {
        row.push_back(std::to_string(score.number(outcome)));
    }
}

/// Adds the score of all images that have a truth, and says how many have none.
void addTotals(Report& report, const std::vector<BatchResult>& results) {
    ScoreTotals all;
    std::uint64_t scored = 0;
    std::uint64_t without = 0;
    for (const BatchResult& result : results) {
        if (result.score && !result.score->truth.empty()) {
            all += result.score->score;
            ++scored;
        } else if (result.score) {
            ++without;
        }
    }
    report.fields["scored"] = scored;
    report.fields["without_truth"] = without;
    report.fields["score"] = scored == 0 ? Json() : scoreJson(all);
    report.text << "score of " << counted(scored, "image")
                << (without == 0 ? "" : ", " + grouped(without) + " without truth") << '\n';
    if (scored != 0) {
        addScore(report, all);
    }
}

/// Writes the results as CSV, a line per image in order: file, state (done, skipped, failed), nodes, kept,
/// changed_pixels, objects, contour_nodes, energy, milliseconds, result, error. Missing values are empty; values of
/// several steps share a field, separated by ;. With scores, further columns, and a last line `all` of all images.
/// @throws Error(writeFailed)
void writeSummary(const fs::path& file, const std::vector<BatchItem>& items, const std::vector<BatchResult>& results) {
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    const auto nodes = [](const BatchContours& each) { return std::to_string(each.nodes); };
    const auto energy = [](const BatchContours& each) { return exactNumber(each.energy); };
    std::vector<std::vector<std::string>> table{{"file", "state", "nodes", "kept", "changed_pixels", "objects",
                                                 "contour_nodes", "energy", "milliseconds", "result", "error"}};
    const bool scores = std::ranges::any_of(results, [](const BatchResult& each) { return each.score.has_value(); });
    if (scores) {
        table.front().insert(table.front().end(),
                             {"truth", "truth_objects", "matched", "precision", "recall", "f1", "mean_accuracy",
                              "panoptic_quality", "missed", "invented", "split", "merged"});
    }
    ScoreTotals all;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const BatchItem& item = items[i];
        const BatchResult& result = results[i];
        const bool failed = !result.error.empty();
        const std::optional<BatchFilter>& filter = result.filter;
        table.push_back({item.input.name, failed ? "failed" : (result.skipped ? "skipped" : "done"),
                         filter ? number(filter->nodes) : "", filter ? number(filter->kept) : "",
                         filter ? number(filter->changedPixels) : "", joined(textsOf(objectsOf(result), number), ";"),
                         joined(textsOf(result.contours, nodes), ";"), joined(textsOf(result.contours, energy), ";"),
                         failed || result.skipped ? "" : exactNumber(result.milliseconds),
                         failed || item.targets.empty() ? "" : item.targets.back().string(), result.error});
        if (result.score && !result.score->truth.empty()) {
            table.back().push_back(result.score->truth.string());
            addScoreCells(table.back(), result.score->score);
            all += result.score->score;
        }
        table.back().resize(table.front().size());
    }
    if (!all.matches.empty()) {
        std::vector<std::string>& row = table.emplace_back(std::vector<std::string>{"all"});
        row.resize(static_cast<std::size_t>(std::ranges::find(table.front(), "truth_objects") - table.front().begin()));
        row[5] = std::to_string(all.matches.front().found);
        addScoreCells(row, all);
    }
    writeCsv(file, table, "write summary");
}

/// The items of a batch. @param missing takes images that a plate lists, but that do not exist
/// @throws UsageError for names that clash
std::vector<BatchItem> itemsOf(const RunCommandOptions& options, const RecipeArgument& recipe,
                               std::vector<fs::path>& missing) {
    std::vector<BatchInput> inputs;
    for (const std::string& input : expandInputs(options.inputs)) {
        const ImageArgument argument = parseImageArgument(input);
        for (const std::filesystem::path& image : imagesUnder(argument.path, &missing)) {
            inputs.push_back({image == argument.path ? input : image.string(), image, argument.page});
        }
    }
    return parsedArgument([&] {
        std::vector<BatchInput> images;
        for (const std::size_t input : withoutFurtherSlices(recipe.recipe, inputs)) {
            images.push_back(std::move(inputs[input]));
        }
        std::vector<BatchItem> items = planBatch(recipe.recipe, images, options.folder);
        for (const std::string& further : {options.summary, options.table}) {
            if (!further.empty()) {
                requireFurther(further, items, recipe.file);
            }
        }
        return items;
    });
}

/// Runs the batch with a progress line; prints the notes of each image when it ends.
std::vector<BatchResult> runWithProgress(const Recipe& recipe, const std::vector<BatchItem>& items,
                                         const BatchOptions& batch, Context& context) {
    ProgressLine line(context.err, context.showProgress, context.pace);
    std::vector<JobControl> controls;
    for (const BatchItem& item : items) {
        controls.push_back(line.control(nameInTables(item.input.path).string() + " (" +
                                            std::to_string(controls.size() + 1) + " of " +
                                            std::to_string(items.size()) + ")",
                                        {}));
    }
    return runBatch(recipe, items, batch, context.stop,
                    {[&controls](std::size_t item, double fraction, std::string_view stage) {
                         controls[item].report(fraction, stage);
                     },
                     [&](std::size_t /*item*/, const BatchResult& result) {
                         line.clear();
                         printNotes(context, result.notes);
                         context.err << std::flush;
                     }});
}

/// Prints the script that does the work of the options.
/// @throws UsageError for options that a script does not have
void printScript(Context& context, const RunCommandOptions& options, Recipe recipe) {
    const std::string without = "--as: leave out ";
    refuseConflicts({{options.jobs != RunCommandOptions{}.jobs, without + "--jobs"},
                     {options.resumes, without + "--resume"},
                     {options.unit != RunCommandOptions{}.unit, without + "--unit"},
                     {!options.truth.empty(), without + "--score"},
                     {!options.table.empty(), without + "--table"},
                     {!options.summary.empty(), without + "--csv"}});
    ScriptWork work{std::move(recipe), {}};
    for (const std::string& input : options.inputs) {
        const ImageArgument argument = parseImageArgument(input);
        work.images.push_back({argument.path, argument.page});
    }
    if (!options.pixelSize.empty()) {
        work.pixelSize = parsePixelSize(options.pixelSize);
    }
    if (!options.folder.empty()) {
        work.folder = options.folder;
    }
    Report report;
    const std::string script = options.script == kPython ? pythonScript(work) : shellScript(work);
    report.fields["script"] = script;
    report.text << script;
    report.print(context, true);
}

void runRecipe(Context& context, const RunCommandOptions& options) {
    if (options.listPresets) {
        listPresets(context);
        return;
    }
    refuseConflicts(
        {{options.recipe.empty(), "recipe: none given; name a file or preset:NAME (--list-presets lists them)"},
         {options.inputs.empty(), "input: none given; name at least one image"},
         {options.folder.empty() && options.script.empty(), "output: none given; name a folder with -o"}});
    BatchOptions batch{{}, options.jobs, context.common.threads, options.resumes, {}, {}};
    if (!options.pixelSize.empty()) {
        batch.pixelSize = parsePixelSize(options.pixelSize);
    }
    batch.unit = parseUnit(options.unit);
    RecipeArgument argument = recipeNamed(options.recipe);
    if (!options.at.empty()) {
        const PageSelection at = parsedArgument([&] { return parseSelection(options.at); }, "--at: ");
        setSelection(argument.recipe, at);
        batch.stated = "at " + toString(at);
    }
    if (!options.axes.empty()) {
        const std::string axes = parsedArgument([&] { return parseAxisOrder(options.axes); }, "--");
        setAxes(argument.recipe, axes);
        batch.stated += (batch.stated.empty() ? "axes " : ", axes ") + axes;
    }
    if (!options.script.empty()) {
        printScript(context, options, std::move(argument.recipe));
        return;
    }
    const Recipe& recipe = argument.recipe;
    refuseConflicts({{readsVolume(recipe) && !recipe.channels.empty(),
                      "--at: z=volume: the recipe has filters of several channels, and a volume is filtered in one"},
                     {!options.table.empty() && !writesTables(recipe),
                      "table: recipe '" + recipe.name + "' writes no table of objects"}});
    std::vector<fs::path> missing;
    const std::vector<BatchItem> items = itemsOf(options, argument, missing);
    if (!options.table.empty() && !options.summary.empty()) {
        requireDifferent(options.summary, options.table, "the summary");
    }
    makeBatchFolder(options.folder);
    for (const std::string& further : {options.summary, options.table}) {
        if (!further.empty()) {
            requireWritable(further); // may be in the new folder
        }
    }
    for (const fs::path& image : missing) {
        printNote(context, image.string() + ": listed, but missing");
    }
    if (!options.truth.empty()) {
        refuseConflicts({{options.resumes, "--score: leave out --resume, which skips the objects"},
                         {!findsObjects(recipe) && !givesLabels(recipe),
                          "--score: recipe '" + recipe.name + "' finds no objects"}});
        batch.truth = std::make_shared<const TruthFolder>(options.truth);
    }
    batch.engines = enginesWith(context, {});
    batch.recipeFile = argument.file;
    const std::vector<BatchResult> results = runWithProgress(recipe, items, batch, context);
    if (!options.table.empty()) {
        writeJoinedTable(options.table, recipe, items, results, JobControl(context.stop));
    }
    const auto failed =
        static_cast<std::size_t>(std::ranges::count_if(results, [](const auto& each) { return !each.error.empty(); }));
    const auto skipped = static_cast<std::size_t>(std::ranges::count_if(results, &BatchResult::skipped));
    const std::size_t done = results.size() - failed - skipped;
    if (!options.summary.empty()) {
        writeSummary(options.summary, items, results);
    }
    Report report;
    report.fields = {
        {"recipe", recipe.name}, {"done", done}, {"skipped", skipped}, {"failed", failed}, {"missing", missing.size()}};
    addTable(report, recipe, items, results);
    report.text << done << " done, " << (skipped > 0 ? std::to_string(skipped) + " skipped, " : "")
                << (missing.empty() || failed > 0 ? std::to_string(failed) + " failed" : "")
                << (!missing.empty() && failed > 0 ? ", " : "")
                << (missing.empty() ? "" : std::to_string(missing.size()) + " missing") << '\n';
    if (batch.truth) {
        addTotals(report, results);
    }
    report.addWritten("csv_file", options.summary);
    report.addWritten("table_file", options.table);
    Json& files = report.fields["files"] = Json::array();
    for (std::size_t i = 0; i < items.size(); ++i) {
        files.push_back(jsonOf(recipe, items[i], results[i]));
    }
    report.print(context);
    if (failed > 0) {
        const auto first = std::ranges::find_if(results, [](const auto& each) { return !each.error.empty(); });
        throw Error(ErrorCode::invalidArgument, "run: " + std::to_string(failed) + " of " +
                                                    std::to_string(results.size()) + " files failed: " + first->error);
    }
}

} // namespace

CommandAction declareRun(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("run", "Run a recipe on many images");
    const auto options = std::make_shared<RunCommandOptions>();
    addValue(command, "RECIPE", options->recipe,
             "Recipe file (JSON), or preset:NAME for one that comes with the program", "");
    addValue(command, "INPUT", options->inputs,
             "Image files; IMAGE[N] picks page N, counted from 0. A\nfolder stands for the images in it, a name with * "
             "or ?\nfor the files that match",
             "");
    addValue(command, "-o,--out", options->folder,
             "Folder for the results, made if need be. The result of\nNAME.EXT is NAME.tif, that of NAME.EXT[N] "
             "NAME_pageN.tif;\nobjects and contours are beside it: NAME-objects.csv,\nNAME-contour.geojson ...",
             "DIR");
    addChoice(command, "--as", options->script,
              "Run nothing; print a script that gives the same files,\nfor a POSIX shell or for Python. Without -o its "
              "folder is\nresults",
              {"shell", kPython});
    addValue(command, "--at", options->at,
             "The part of every file by its axes, in place of that of\nthe recipe: channel=DAPI,z=max,t=each; each "
             "makes one\nresult for each position",
             "AXES");
    addValue(command, "--axes", options->axes,
             "The axes of the pages of files that state none, in place\nof those of the recipe: t3z5c2, tz5, z",
             "ORDER");
    addValue(
        command, "--jobs", options->jobs,
        "Images processed at the same time; they share the\nthreads. Without it, one a thread if no file is larger "
        "than\n1 MiB, else one",
        "N")
        ->check(within(1, kMaxJobs));
    command.add_flag(
        "--resume", options->resumes,
        "Skip images whose results all exist, are not older\nthan the image or the recipe, and were made with the "
        "same\n--at, --axes, --pixel-size and --unit");
    declarePixelSize(command, options->pixelSize,
                     "Size of a pixel of every image at full resolution, over\nthe sizes that files and recipe state");
    addValue(command, "--unit", options->unit,
             "Unit of lengths and areas in tables of objects and in the\nproperties of their outlines, as for "
             "components: px, nm, um,\nmm, cm, m, km. Every image has the size of a pixel",
             "UNIT")
        ->capture_default_str();
    addValue(command, "--table", options->table,
             "Write the tables of objects of all images as one, with\na first column for the file", "OUT.csv");
    addValue(command, "--csv", options->summary,
             "Write the table at the end: a line per image, with its\nstate (done, skipped, failed), counts, time "
             "and error",
             "OUT.csv");
    addValue(command, "--score", options->truth,
             "Compare the objects of each image with its truth in this\nfolder: NAME.png, NAME_labels.tif or "
             "NAME.geojson of\nNAME.tif, or one COCO file of all images. The table and\n--csv have the scores and "
             "those of all images together",
             "FOLDER");
    command.add_flag("--list-presets", options->listPresets, "List the presets (with --json their recipes) and exit");
    command.footer("A file that fails stops no other; the exit code is 1 then. Results are 8- or 16-bit like their\n"
                   "image, labels are 32-bit; pixel size and geo tags are carried over. Of a recipe with filters of\n"
                   "several channels, the result has all channels of its image, as of filter --channel all, those\n"
                   "without a filter unchanged; objects and contours are those of the channel that the recipe reads.");
    return [options](Context& context) { runRecipe(context, *options); };
}

} // namespace pollard::cli
