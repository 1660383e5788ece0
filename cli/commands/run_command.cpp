#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "batch/joined_table.hpp"
#include "command.hpp"
#include "jobs/batch_report.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/input_files.hpp"
#include "options/named.hpp"
#include "options/output_target.hpp"
#include "options/read_choice.hpp"
#include "options/recipe_argument.hpp"
#include "recipe/presets.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <memory>

namespace pollard::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxJobs = 256;

struct RunCommandOptions {
    std::string recipe;
    std::vector<std::string> inputs;
    std::string folder;
    std::string summary;
    std::string table;
    std::string pixelSize;
    std::string unit = "px";
    int jobs = 1;
    bool resumes = false;
    bool listPresets = false;
};

void listPresets(Context& context) {
    if (context.common.json) {
        Json list = Json::array();
        for (const Preset& preset : allPresets()) {
            list.push_back({{"name", preset.name}, {"recipe", Json::parse(toJson(preset.recipe))}});
        }
        printJson(context.out, {{"presets", std::move(list)}});
        return;
    }
    using enum TextTable::Align;
    TextTable table({"preset", "description"}, {left, left});
    for (const Preset& preset : allPresets()) {
        table.add({preset.name, preset.recipe.name + ": " + preset.recipe.description});
    }
    table.print(context.out);
}

void requireArguments(const RunCommandOptions& options) {
    if (options.recipe.empty()) {
        throw UsageError("recipe: none given; name a file or preset:NAME (--list-presets lists them)");
    }
    if (options.inputs.empty()) {
        throw UsageError("input: none given; name at least one image");
    }
    if (options.folder.empty()) {
        throw UsageError("output: none given; name a folder with -o");
    }
}

/// The items of a batch. @throws UsageError for names that clash
std::vector<BatchItem> itemsOf(const RunCommandOptions& options, const RecipeArgument& recipe) {
    std::vector<BatchInput> inputs;
    for (const std::string& input : expandInputs(options.inputs)) {
        const ImageArgument image = parseImageArgument(input);
        for (const std::filesystem::path& picture : picturesUnder(image.path)) {
            inputs.push_back({picture == image.path ? input : picture.string(), picture, image.page});
        }
    }
    try {
        std::vector<BatchInput> pictures;
        for (const std::size_t input : withoutFurtherSlices(recipe.recipe, inputs)) {
            pictures.push_back(std::move(inputs[input]));
        }
        std::vector<BatchItem> items = planBatch(recipe.recipe, pictures, options.folder);
        for (const std::string& further : {options.summary, options.table}) {
            if (!further.empty()) {
                requireFurther(further, items, recipe.file);
            }
        }
        return items;
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

/// Runs the batch with a progress line; prints the notes of each picture when it ends.
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
                         for (const std::string& note : result.notes) {
                             printNote(context, note);
                         }
                         context.err << std::flush;
                     }});
}

void runRecipe(Context& context, const RunCommandOptions& options) {
    if (options.listPresets) {
        listPresets(context);
        return;
    }
    requireArguments(options);
    BatchOptions batch{{}, options.jobs, context.common.threads, options.resumes, {}, {}};
    if (!options.pixelSize.empty()) {
        batch.pixelSize = parsePixelSize(options.pixelSize);
    }
    batch.unit = parseUnit(options.unit);
    const RecipeArgument argument = recipeNamed(options.recipe);
    const Recipe& recipe = argument.recipe;
    if (!options.table.empty() && !writesTables(recipe)) {
        throw UsageError("table: recipe '" + recipe.name + "' writes no table of objects");
    }
    const std::vector<BatchItem> items = itemsOf(options, argument);
    if (!options.table.empty() && !options.summary.empty()) {
        requireDifferent(options.summary, options.table, "the summary");
    }
    makeBatchFolder(options.folder);
    for (const std::string& further : {options.summary, options.table}) {
        if (!further.empty()) {
            requireWritable(further); // may be in the new folder
        }
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
    if (context.common.json) {
        Json files = Json::array();
        for (std::size_t i = 0; i < items.size(); ++i) {
            files.push_back(jsonOf(recipe, items[i], results[i]));
        }
        printJson(context.out, {{"recipe", recipe.name},
                                {"done", done},
                                {"skipped", skipped},
                                {"failed", failed},
                                {"csv_file", options.summary.empty() ? Json() : Json(options.summary)},
                                {"table_file", options.table.empty() ? Json() : Json(options.table)},
                                {"files", std::move(files)}});
    } else if (!context.common.quiet) {
        printTable(recipe, items, results, context);
        context.out << done << " done, " << (skipped > 0 ? std::to_string(skipped) + " skipped, " : "") << failed
                    << " failed\n";
        for (const std::string& written : {options.summary, options.table}) {
            if (!written.empty()) {
                context.out << "written: " << written << '\n';
            }
        }
    }
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
    command
        .add_option("RECIPE", options->recipe, "Recipe file (JSON), or preset:NAME for one that comes with the program")
        ->type_name("");
    command
        .add_option("INPUT", options->inputs,
                    "Image files; IMAGE[N] picks page N, counted from 0. A\n"
                    "folder stands for the images in it, a name with * or ?\n"
                    "for the files that match")
        ->type_name("");
    command
        .add_option("-o,--out", options->folder,
                    "Folder for the results, made if need be. The result of\n"
                    "NAME.EXT is NAME.tif, that of NAME.EXT[N] NAME_pageN.tif;\n"
                    "objects and contours are beside it: NAME-objects.csv,\n"
                    "NAME-contour.geojson ...")
        ->type_name("DIR");
    command.add_option("--jobs", options->jobs, "Images processed at the same time; they share the\nthreads")
        ->type_name("N")
        ->check(CLI::Range(1, kMaxJobs).description(""))
        ->capture_default_str();
    command.add_flag("--resume", options->resumes,
                     "Skip pictures whose results all exist and are not older\nthan the picture or the recipe");
    declarePixelSize(command, options->pixelSize,
                     "Size of a pixel of every image at full resolution, over\nthe sizes that files and recipe state");
    addText(command, "--unit", options->unit,
            "Unit of lengths and areas in tables of objects and in the\nproperties of their outlines, as for "
            "components: px, "
            "nm, um,\nmm, cm, m, km. Every image has the size of a pixel",
            "UNIT")
        ->capture_default_str();
    addText(command, "--table", options->table,
            "Write the tables of objects of all pictures as one, with\na first column for the file", "OUT.csv");
    addText(command, "--csv", options->summary,
            "Write the table at the end: a line per picture, with its\nstate (done, skipped, failed), counts, time and "
            "error",
            "OUT.csv");
    command.add_flag("--list-presets", options->listPresets, "List the presets (with --json their recipes) and exit");
    command.footer("A file that fails stops no other; the exit code is 1 then. Results are 8- or 16-bit like their\n"
                   "image, labels are 32-bit; pixel size and geo tags are carried over. Of a recipe with filters of\n"
                   "several channels, the result has all channels of its image, as of filter --channel all, those\n"
                   "without a filter unchanged; objects and contours are those of the channel that the recipe reads.");
    return [options](Context& context) { runRecipe(context, *options); };
}

} // namespace pollard::cli
