#include "jobs/filter_job.hpp"

#include "base/error.hpp"
#include "command.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "options/option_values.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/recipe.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace pollard::cli {

namespace {

constexpr std::size_t kRuleWidth = 13; ///< of its name in the help

/// Parses "X,Y".
std::array<std::uint32_t, 2> parsePixel(const std::string& text, const std::string& option) {
    const auto pixel = numbersIn<std::uint32_t, 2>(text);
    if (!pixel) {
        throw UsageError(option + ": '" + text + "': expected a pixel X,Y, for instance 120,45");
    }
    return *pixel;
}

std::uint32_t canonicalAt(const ComponentTree& tree, const std::string& text, const std::string& option) {
    const auto [x, y] = parsePixel(text, option);
    if (x >= tree.width || y >= tree.height) {
        throw Error(ErrorCode::invalidArgument, option + ": '" + text + "': outside the image of " +
                                                    std::to_string(tree.width) + " x " + std::to_string(tree.height) +
                                                    " px");
    }
    const std::uint32_t node = tree.pixelNode[std::size_t{y} * tree.width + x];
    if (node == 0) {
        throw Error(ErrorCode::invalidArgument,
                    option + ": '" + text + "': the pixel is in no component but the whole image, which always stays");
    }
    return tree.canonical[node];
}

/// The forest of the last filter of a recipe that has one.
Forest forestOf(const std::string& path) {
    Forest forest;
    for (const FilterStage& stage : stagesOf(loadRecipe(path))) {
        forest = stage.filter.forest.trees.empty() ? forest : stage.filter.forest;
    }
    if (forest.trees.empty()) {
        throw Error(ErrorCode::invalidArgument, "--forest: " + path + ": no filter of the recipe has a forest");
    }
    return forest;
}

std::string pickedComponents(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " component" : " components") + " picked";
}

constexpr const char* kChannelsHelp =
    "--channel all filters every channel with a tree of its own and writes one file with the layout of IMAGE:\n"
    "interleaved samples, planes or pages, with its names and colours. Transparency is copied unchanged. A criterion\n"
    "NAME:CRITERION, e.g. 'DAPI:area>=100', is for this channel only, in addition to those for all.\n";

/// The filter with criteria in pixels of this image.
FilterSpec resolved(const FilterSpec& asked, const ImageInfo& info, const Extent& extent, const std::string& image) {
    try {
        return inPixels(asked, {info, extent.isVolume()});
    } catch (const Error& error) {
        throw Error(error.code(), image + ": " + error.what());
    }
}

} // namespace

FilterOptions::FilterOptions()
    : match(nameOf(Match::all)), rule(nameOf(Rule::direct)), output(nameOf(Output::filtered)) {}

void FilterOptions::declare(CLI::App& command) {
    addRepeated(command, "--keep", keep,
                "Condition for components, e.g. 'area>=100',\n'10<=width<=50', 'border==0', 'area>15um2' (the "
                "image\nhas the size of a pixel); may be repeated",
                "CRITERION");
    addValue(command, "--match", match, "Criteria that must be met: " + joined(namesOf(kAllMatches), ", "), "NAME")
        ->capture_default_str();
    addValue(command, "--prominent", prominent,
             "Keep only components with one of the COUNT most\nprominent extrema, by " +
                 joined(namesOf(kAllProminences), ",\n") + ", e.g. dynamics:20",
             "MEASURE:COUNT");
    addValue(command, "--forest", forest,
             "Keep only components that the forest of this recipe\nkeeps, see pollard-cli learn --forest", "RECIPE")
        ->check(CLI::ExistingFile);
    addRepeated(command, "--remove", removeAt,
                "Remove the smallest component at this pixel and all in\nit; may be repeated", "X,Y");
    addRepeated(command, "--keep-at", keepAt,
                "Keep the smallest component at this pixel even if it\nmeets no criterion; may be repeated", "X,Y");
    addRepeated(command, "--only-at", onlyAt,
                "Remove all but the smallest component at this pixel and\nits content; may be repeated to keep several",
                "X,Y");
    addValue(command, "--rule", rule, "Effect of removing a component:\n" + joined(namesOf(kAllRules), ", "), "NAME")
        ->capture_default_str();
    addValue(command, "--output", output, "Result to write: " + joined(namesOf(kAllOutputs), ", "), "NAME")
        ->capture_default_str();
}

std::string FilterOptions::help() {
    std::string text =
        "Outputs:\n"
        "  filtered  the image rebuilt from the kept components\n"
        "  residue   the removed part: |image - filtered|\n"
        "  mask      white where a kept component that meets the criteria holds the pixel\n"
        "  labels    32 bits: the number of the outermost kept component that holds the pixel, 0 if none does\n"
        "Rules:\n";
    for (const Rule each : kAllRules) {
        std::string name(nameOf(each));
        name.resize(kRuleWidth, ' ');
        text += "  " + name + ruleInfo(each).help + "\n";
    }
    return text + "The whole image (the root) always stays.\n";
}

FilterSpec FilterOptions::spec() const {
    if (const auto named = FilterOptions(*this).takeNamed(); !named.empty()) {
        const std::string& channel = named.front().first;
        throw UsageError("--keep: a criterion for channel " + channel + " needs --channel all; to filter " + channel +
                         " alone, choose it by --channel and leave out its name");
    }
    FilterSpec spec;
    parsedArgument([&] {
        for (const std::string& text : keep) {
            spec.criteria.push_back(parseCriterion(text));
        }
        if (!prominent.empty()) {
            spec.prominent = parseProminent(prominent);
        }
        if (!forest.empty()) {
            spec.forest = forestOf(forest);
        }
    });
    for (const Picks& picks : allPicks()) {
        for (const std::string& text : picks.pixels) {
            (void)parsePixel(text, picks.option);
        }
    }
    const bool isEmpty =
        !hasNamed && keep.empty() && prominent.empty() && forest.empty() && removeAt.empty() && onlyAt.empty();
    refuseConflicts({{isEmpty && keepAt.empty(),
                      "filter: no condition given; --keep, --prominent, --forest, --remove or --only-at is required"},
                     {isEmpty, "--keep-at: without --keep, --prominent or --forest everything is kept anyway"}});
    spec.match = valueNamed("match", match, kAllMatches);
    spec.rule = valueNamed("rule", rule, kAllRules);
    spec.output = valueNamed("output", output, kAllOutputs);
    return spec;
}

std::vector<std::pair<std::string, Criterion>> FilterOptions::takeNamed() {
    std::vector<std::pair<std::string, Criterion>> named;
    std::erase_if(keep, [&](const std::string& text) {
        const std::size_t colon = text.rfind(':');
        if (colon == std::string::npos) {
            return false;
        }
        named.emplace_back(text.substr(0, colon),
                           parsedArgument([&] { return parseCriterion(std::string_view(text).substr(colon + 1)); }));
        return true;
    });
    hasNamed = hasNamed || !named.empty();
    return named;
}

std::array<FilterOptions::Picks, 3> FilterOptions::allPicks() const {
    return {{{"--remove", "remove_at", removeAt, &FilterSpec::removed},
             {"--keep-at", "keep_at", keepAt, &FilterSpec::kept},
             {"--only-at", "only_at", onlyAt, &FilterSpec::only}}};
}

void FilterOptions::addPicks(const ComponentTree& tree, FilterSpec& spec) const {
    for (const Picks& picks : allPicks()) {
        for (const std::string& text : picks.pixels) {
            (spec.*picks.components).push_back(canonicalAt(tree, text, picks.option));
        }
    }
}

std::vector<std::string> FilterOptions::criteriaTexts(const FilterSpec& spec) {
    return textsOf(spec.criteria, [](const Criterion& criterion) { return toString(criterion); });
}

std::string FilterOptions::describe(const FilterSpec& spec) {
    std::vector<std::string> parts;
    if (!spec.criteria.empty()) {
        parts.push_back(joined(criteriaTexts(spec), spec.match == Match::all ? " and " : " or "));
    }
    if (spec.prominent) {
        parts.push_back(grouped(spec.prominent->count) + " most prominent by " +
                        std::string(nameOf(spec.prominent->measure)));
    }
    if (!spec.forest.trees.empty()) {
        parts.push_back("a forest of " + counted(spec.forest.trees.size(), "decision tree"));
    }
    if (!spec.kept.empty()) {
        parts.push_back("with " + pickedComponents(spec.kept.size()));
    }
    if (!spec.removed.empty()) {
        parts.push_back("without " + pickedComponents(spec.removed.size()));
    }
    if (!spec.only.empty()) {
        parts.push_back("only inside " + pickedComponents(spec.only.size()));
    }
    parts.push_back("rule " + std::string(nameOf(spec.rule)));
    parts.push_back("output " + std::string(nameOf(spec.output)));
    return joined(parts, ", ");
}

void FilterOptions::addFields(Json& object, const FilterSpec& spec) const {
    object["criteria"] = criteriaTexts(spec);
    object["match"] = nameOf(spec.match);
    if (spec.prominent) {
        object["prominent"] = toString(*spec.prominent);
    }
    if (!forest.empty()) {
        object["forest"] = forest;
    }
    for (const Picks& picks : allPicks()) {
        if (!picks.pixels.empty()) {
            object[picks.field] = picks.pixels;
        }
    }
    object["rule"] = nameOf(spec.rule);
    object["output"] = nameOf(spec.output);
}

void FilterRequest::declare(CLI::App& command) {
    image.declare(command);
    image.declareVolume(command);
    addValue(command, "-o,--out", target,
             "TIFF to write; has the type (labels: 32 bits), values,\npixel size and geo tags of IMAGE. NIfTI, NRRD, "
             "MetaImage\nor FITS if the name ends in .nii, .nii.gz, .nrrd, .mha or\n.fits, OME-Zarr if in .zarr: the "
             "values and the voxel\nsize",
             "OUT.tif")
        ->required();
    addValue(command, "--guide", guide,
             "Write all channels, each with its own values at the\npixels that --output mask of this channel "
             "marks;\nall others become the no-data value or 0",
             "CHANNEL");
    filter.declare(command);
    tree.declare(command);
    stream.declare(command);
    command.footer(attributeHelp() + FilterOptions::help() + kChannelsHelp);
}

FilteredImage filterImage(const FilterRequest& request, const FilterSpec& asked, const std::vector<Engine*>& engines,
                          const LoadedImage& loaded, const Context& context, ProgressLine& progress) {
    const Image& image = *loaded.image;
    const TreeSpec tree = request.treeSpec();
    const FilterSpec pixels = resolved(asked, loaded.info, image.extent(), request.image.image);
    FilteredImage result{{}, {}, {}, std::make_shared<Image>(image.type(), image.extent()), {}, {}};
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        result.built = buildTree(engine, tree, loaded, context, progress);
        result.filter = pixels;
        if (request.filter.hasPicks()) {
            requireImage(image.extent(), "picks by pixel");
            request.filter.addPicks(*result.built.session->tree(), result.filter);
        }
        Session& session = *result.built.session;
        const JobControl control = progress.control("filtering", context.stop);
        if (needsProportional(pixels) && loaded.info.mapping && !loaded.info.mapping->isProportional()) {
            ValueResult made = session.filterRanks(result.filter, control);
            result.report = std::move(made.report);
            result.image = std::move(made.image);
            result.own = std::move(made.mapping);
        } else {
            result.report = session.filter(result.filter, *result.image, control);
        }
        if (asked.output == Output::labels) {
            result.labels = session.labels(result.filter, progress.control("numbering", context.stop));
        }
    });
    result.filter.criteria = asked.criteria; // report criteria as given
    return result;
}

} // namespace pollard::cli
