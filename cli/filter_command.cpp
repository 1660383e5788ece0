#include "command.hpp"
#include "image/analysis_image.hpp"
#include "image_argument.hpp"
#include "io/result_tags.hpp"
#include "io/tiff_writer.hpp"
#include "output_target.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "tree_job.hpp"

#include "base/error.hpp"
#include "filter/filter_spec.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <memory>

namespace pollard::cli {

namespace {

constexpr std::array kRules{Rule::direct, Rule::min, Rule::max};
constexpr std::array kMatches{Match::all, Match::any};
constexpr std::array kOutputs{Output::filtered, Output::residue, Output::mask};

struct Options {
    ImageOptions image;
    TreeOptions tree;
    std::string target;
    std::vector<std::string> keep;
    std::string match{nameOf(Match::all)};
    std::string rule{nameOf(Rule::direct)};
    std::string output{nameOf(Output::filtered)};
};

template <class Values> std::vector<std::string> namesOf(const Values& values) {
    std::vector<std::string> names;
    for (const auto value : values) {
        names.emplace_back(nameOf(value));
    }
    return names;
}

template <class Values> auto valueNamed(const Values& values, const std::string& name, const std::string& what) {
    for (const auto value : values) {
        if (nameOf(value) == name) {
            return value;
        }
    }
    throw UsageError(what + ": '" + name + "': unknown (there are " + joined(namesOf(values), ", ") + ")");
}

FilterSpec parseFilter(const Options& options) {
    FilterSpec spec;
    for (const std::string& text : options.keep) {
        try {
            spec.criteria.push_back(parseCriterion(text));
        } catch (const Error& error) {
            throw UsageError(error.what());
        }
    }
    spec.match = valueNamed(kMatches, options.match, "match");
    spec.rule = valueNamed(kRules, options.rule, "rule");
    spec.output = valueNamed(kOutputs, options.output, "output");
    return spec;
}

std::vector<std::string> criteriaTexts(const FilterSpec& spec) {
    std::vector<std::string> texts;
    for (const Criterion& criterion : spec.criteria) {
        texts.push_back(toString(criterion));
    }
    return texts;
}

void printResult(const Options& options, const BuiltTree& built, const TreeSpec& tree, const FilterSpec& filter,
                 const Image& image, const FilterReport& report, Context& context) {
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"output_file", options.target},
                    {"width", image.width()},
                    {"height", image.height()},
                    {"bits", bitsOf(image.type())},
                    {"kept", report.keptNodes},
                    {"removed", report.removedNodes},
                    {"changed_pixels", report.changedPixels},
                    {"criteria", criteriaTexts(filter)},
                    {"match", nameOf(filter.match)},
                    {"rule", nameOf(filter.rule)},
                    {"output", nameOf(filter.output)}};
        addTreeFields(object, built, tree);
        object["filter_ms"] = report.milliseconds;
        object["filter_stages"] = stagesJson(report.stages);
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return " (" + fixed(100 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %)";
    };
    const std::uint64_t nodes = built.report.nodes;
    const std::string joint = filter.match == Match::all ? " and " : " or ";
    using enum TextTable::Align;
    TextTable table({"tree", describe(built, tree)}, {left, left});
    table.add({"filter", joined(criteriaTexts(filter), joint) + ", rule " + options.rule + ", output " +
                             options.output + " (" + fixed(report.milliseconds, 1) + " ms)"});
    table.add(
        {"kept", grouped(report.keptNodes) + " of " + grouped(nodes) + " nodes" + share(report.keptNodes, nodes)});
    table.add({"removed", grouped(report.removedNodes) + " nodes"});
    table.add({"changed", grouped(report.changedPixels) + " of " + grouped(image.pixelCount()) + " pixels" +
                              share(report.changedPixels, image.pixelCount())});
    table.add({"written", options.target});
    table.print(context.out);
}

void run(Context& context, const Options& options) {
    const FilterSpec filter = parseFilter(options);
    const TreeSpec tree = options.tree.spec();
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    requireTiffName(options.target);
    requireDifferent(parseImageArgument(options.image.image).path, options.target, "the input");
    requireWritable(options.target);

    ProgressLine progress(context.err, context.showProgress);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const Image& image = *loaded.image;
    const auto analysed = analysisImage(loaded.image, loaded.valid.get(), tree.kind);
    Image out(image.type(), image.width(), image.height());
    BuiltTree built;
    FilterReport report;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        built = buildTree(engine, tree, analysed, context, progress);
        report = built.session->filter(filter, out, progress.control("filtering", context.stop));
    });
    if (loaded.valid) {
        restoreOutside(image, *loaded.valid, filter.output, out);
    }
    writeTiff(options.target, out, {.deflate = true, .carried = resultTags(loaded.info, resultValuesOf(filter.output))},
              progress.control("writing", context.stop));
    progress.clear();
    printResult(options, built, tree, filter, image, report, context);
}

} // namespace

CommandAction declareFilter(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("filter", "Keep the components of an image that meet criteria");
    const auto options = std::make_shared<Options>();
    options->image.declare(command);
    command.add_option("-o,--out", options->target, "TIFF to write; has the depth, resolution and geo\ntags of IMAGE")
        ->required()
        ->type_name("OUT.tif");
    command
        .add_option("--keep", options->keep,
                    "What a component must meet, e.g. 'area>=100',\n'10<=width<=50', 'height>7'; may be repeated")
        ->required()
        ->type_name("CRITERION")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    command.add_option("--match", options->match, "Criteria that must be met: " + joined(namesOf(kMatches), ", "))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--rule", options->rule, "What removing a component means: " + joined(namesOf(kRules), ", "))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--output", options->output, "What to write: " + joined(namesOf(kOutputs), ", "))
        ->type_name("NAME")
        ->capture_default_str();
    options->tree.declare(command);
    std::string text = "Attributes:\n";
    std::size_t width = 0;
    for (const AttributeInfo& info : allAttributes()) {
        width = std::max(width, info.name.size());
    }
    for (const AttributeInfo& info : allAttributes()) {
        text += "  " + std::string(info.name) + std::string(width + 2 - info.name.size(), ' ') +
                std::string(info.formula) + (info.unit.empty() ? "" : ", " + std::string(info.unit)) + '\n';
    }
    text += "Outputs:\n"
            "  filtered  the image rebuilt from the kept components\n"
            "  residue   what was removed: |image - filtered|\n"
            "  mask      white where a kept component that meets the criteria holds the pixel\n"
            "Rules:\n"
            "  direct  a removed component's pixels take the level of the nearest kept one around it\n"
            "  min     keep a component only if all components around it are kept too\n"
            "  max     keep a component if any component inside it is kept";
    command.footer(text);
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
