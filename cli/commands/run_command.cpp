#include "base/error.hpp"
#include "command.hpp"
#include "jobs/batch_inputs.hpp"
#include "jobs/batch_report.hpp"
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

struct Options {
    std::string recipe;
    std::vector<std::string> inputs;
    std::string folder;
    std::string table;
    std::string pixelSize;
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

void requireArguments(const Options& options) {
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

void makeFolder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (!fs::is_directory(folder)) {
        throw Error(ErrorCode::writeFailed, "cannot make folder: " + folder.string() + ": " +
                                                (problem ? problem.message() : "there is a file of this name"));
    }
}

void run(Context& context, const Options& options) {
    if (options.listPresets) {
        listPresets(context);
        return;
    }
    requireArguments(options);
    BatchOptions batch{options.jobs, options.resumes, {}, {}};
    if (!options.pixelSize.empty()) {
        batch.pixelSize = parsePixelSize(options.pixelSize);
    }
    const auto [recipe, recipeFile] = recipeNamed(options.recipe);
    const std::vector<BatchItem> items = planBatch(recipe, expandInputs(options.inputs), options.folder);
    if (!options.table.empty()) {
        requireFurther(options.table, items, recipeFile);
    }
    makeFolder(options.folder);
    if (!options.table.empty()) {
        requireWritable(options.table); // may be in the new folder
    }
    batch.recipeFile = recipeFile;
    const std::vector<BatchResult> results = runBatch(recipe, items, batch, context);

    const auto failed =
        static_cast<std::size_t>(std::ranges::count_if(results, [](const auto& each) { return !each.error.empty(); }));
    const auto skipped = static_cast<std::size_t>(std::ranges::count_if(results, &BatchResult::skipped));
    const std::size_t done = results.size() - failed - skipped;
    if (!options.table.empty()) {
        writeSummary(options.table, items, results);
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
                                {"csv_file", options.table.empty() ? Json() : Json(options.table)},
                                {"files", std::move(files)}});
    } else if (!context.common.quiet) {
        printTable(recipe, items, results, context);
        context.out << done << " done, " << (skipped > 0 ? std::to_string(skipped) + " skipped, " : "") << failed
                    << " failed\n";
        if (!options.table.empty()) {
            context.out << "written: " << options.table << '\n';
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
    const auto options = std::make_shared<Options>();
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
    addText(command, "--csv", options->table,
            "Write the table at the end: a line per picture, with its\nstate (done, skipped, failed), counts, time and "
            "error",
            "OUT.csv");
    command.add_flag("--list-presets", options->listPresets, "List the presets (with --json their recipes) and exit");
    command.footer("A file that fails stops no other; the exit code is 1 then. Results are 8- or 16-bit like their\n"
                   "image, labels are 32-bit; pixel size and geo tags are carried over.");
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
