#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/job_control.hpp"
#include "command.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "jobs/tree_job.hpp"
#include "learn/criteria_learner.hpp"
#include "learn/forest_learner.hpp"
#include "learn/mask_nodes.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/recipe.hpp"
#include "report.hpp"
#include "text.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

namespace {

struct LearnOptions {
    ImageOptions image;
    TreeOptions tree;
    std::vector<std::string> keep;
    std::vector<std::string> drop;
    std::string mask; ///< file
    std::uint64_t minArea = 1;
    std::string attributes;
    bool anySize = false;
    bool forest = false;
    std::size_t ask = 3;
    std::string recipe;
};

/// A component named by one of its pixels.
struct Click {
    std::string option;
    std::string text;
    Voxel place;
    std::optional<double> value; ///< the component is the largest one at this value
};

/// Parses "X,Y", in a volume "X,Y,Z", with ":VALUE" after it or without.
Click parseClick(const std::string& option, const std::string& text, bool isVolume) {
    const std::size_t colon = text.find(':');
    const std::string_view pixel = std::string_view(text).substr(0, colon);
    const auto planar = numbersIn<std::uint32_t, 2>(pixel);
    const auto voxel = numbersIn<std::uint32_t, 3>(pixel);
    std::optional<double> value;
    if (colon != std::string::npos) {
        value = numberIn<double>(std::string_view(text).substr(colon + 1));
    }
    const bool isRead = (isVolume ? voxel.has_value() : planar.has_value()) && (colon == std::string::npos || value);
    if (!isRead) {
        throw UsageError(option + ": '" + text + "': expected " +
                         (isVolume ? "a voxel X,Y,Z or X,Y,Z:VALUE" : "a pixel X,Y or X,Y:VALUE") +
                         ", for instance 120,45" + (isVolume ? ",3" : ""));
    }
    return {option, text,
            isVolume ? Voxel{(*voxel)[0], (*voxel)[1], (*voxel)[2]} : Voxel{(*planar)[0], (*planar)[1], 0}, value};
}

std::vector<Click> clicksOf(const LearnOptions& options) {
    std::vector<Click> clicks;
    for (const std::string& text : options.keep) {
        clicks.push_back(parseClick("--keep", text, options.image.volume));
    }
    for (const std::string& text : options.drop) {
        clicks.push_back(parseClick("--drop", text, options.image.volume));
    }
    return clicks;
}

/// The example of a click. @throws Error(invalidArgument) for a place outside of the image, in no component of the
/// value, or for the whole image as a component to keep
Example exampleOf(const Click& click, const ComponentTree& tree, const AttributeColumn& area, std::uint64_t minArea,
                  const std::optional<ValueMapping>& values) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorCode::invalidArgument, click.option + ": '" + click.text + "': " + why);
    };
    const auto [x, y, z] = click.place;
    const Extent extent = tree.extent();
    if (x >= extent.width || y >= extent.height || z >= extent.slices) {
        refuse("outside the image of " + std::to_string(extent.width) + " x " + std::to_string(extent.height) +
               (extent.isVolume() ? " x " + std::to_string(extent.slices) : "") + " px");
    }
    const auto isWithin = [&](std::uint32_t node) {
        const double value = valueOf(values, tree.level[node]);
        return !click.value || (tree.kind == TreeKind::max ? value >= *click.value : value <= *click.value);
    };
    std::uint32_t node = tree.pixelNode[(std::size_t{z} * extent.height + y) * extent.width + x];
    if (!isWithin(node)) {
        refuse("the pixel has the value " + valueText(valueOf(values, tree.level[node]), unitOf(values)));
    }
    for (const std::uint32_t around : chainOf(tree, node)) {
        const bool isGrown = click.value ? isWithin(around) : area.at(node) < static_cast<double>(minArea);
        node = isGrown ? around : node;
    }
    if (node == 0 && click.option == "--keep") {
        refuse("the pixel is in no component but the whole image");
    }
    return {node, click.option == "--keep"};
}

/// The reading of the image as a step of a recipe.
ReadStep readStepOf(const ReadOptions& options, bool isVolume) {
    ReadStep step;
    step.page = options.page;
    step.channel = options.channel;
    step.range = options.mapping;
    step.level = options.level;
    step.region = options.region;
    step.shrink = options.shrink;
    step.raw = options.raw;
    step.pixelSize = options.pixelSize;
    step.volume = isVolume;
    step.slices = options.slices;
    step.ignoreAlpha = options.ignoreAlpha;
    step.axes = options.axes;
    return step;
}

Recipe recipeOf(const LearnOptions& options, const TreeSpec& tree, const FilterSpec& learned) {
    Recipe recipe;
    recipe.name = !options.mask.empty() ? "Components of a mask"
                  : options.forest      ? "Learned forest"
                                        : "Learned criteria";
    recipe.steps = {readStepOf(options.image.readOptions(), options.image.volume),
                    TreeStep{tree.kind, tree.connectivity}};
    FilterStep filter;
    filter.filter = learned;
    recipe.steps.emplace_back(filter);
    return recipe;
}

struct Learning {
    SessionTree built;
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const AttributeColumn> area;
    LearnedCriteria learned;
    std::size_t examples = 0; ///< of which the last of each component counts
    double milliseconds = 0;
    std::vector<UnsureNode> unsure;
};

Learning learn(Engine& engine, const LearnOptions& options, const std::vector<Click>& clicks, const LoadedImage& loaded,
               const Context& context, ProgressLine& progress) {
    Learning done;
    done.built = buildTree(engine, options.tree.spec(options.image.volume), loaded, context, progress);
    Session& session = *done.built.session;
    done.tree = session.tree();
    const bool isVolume = loaded.image->extent().isVolume();
    const std::vector<AttributeId> ids =
        options.attributes.empty() ? attributesToLearn(isVolume) : attributesNamed(options.attributes, isVolume);
    requireMemoryToLearn(done.tree->nodeCount(), ids.size() + 1);
    const JobControl measuring = progress.control("measuring", context.stop);
    done.area = session.attribute(AttributeId::area, measuring);
    LearnedColumns columns;
    for (const AttributeId id : ids) {
        columns.push_back(session.attribute(id, measuring));
    }
    std::vector<Example> examples;
    for (const Click& click : clicks) {
        const Example example = exampleOf(click, *done.tree, *done.area, options.minArea, done.built.values);
        if (std::ranges::find(examples, Example{example.node, !example.keep}) != examples.end()) {
            throw Error(ErrorCode::invalidArgument,
                        click.option + ": '" + click.text + "': is a component of --keep, too");
        }
        examples.push_back(example);
    }
    const JobControl control = progress.control("learning", context.stop);
    StageTimer timer;
    const LearnedSize sizes = options.anySize ? LearnedSize::any : LearnedSize::ofKept;
    const auto add = [&](auto& learner) {
        learner.add(examples, control);
        timer.finish("learn");
        done.milliseconds = timer.totalMilliseconds();
        done.learned = learner.learned();
        done.examples = learner.examples().size();
    };
    if (options.forest) {
        ForestLearner learner(done.tree, std::move(columns), done.area, done.built.values, sizes);
        add(learner);
    } else {
        CriteriaLearner learner(std::move(columns), done.area, done.built.values, sizes, control);
        add(learner);
        done.unsure = learner.leastSure(*done.tree, options.ask, control);
    }
    return done;
}

std::string pixelText(const Voxel& place, bool isVolume) {
    return std::to_string(place.x) + "," + std::to_string(place.y) + (isVolume ? "," + std::to_string(place.z) : "");
}

/// "--keep 'area>=80' --keep 'elongation<=1.5'", with the options of the tree.
std::string filterOptions(const std::vector<std::string>& criteria, const LearnOptions& options) {
    std::vector<std::string> parts;
    if (options.forest && !options.recipe.empty()) {
        parts.push_back("--forest " + options.recipe);
    }
    for (const std::string& text : criteria) {
        parts.push_back("--keep '" + text + "'");
    }
    if (options.tree.kind != TreeOptions{}.kind) {
        parts.push_back("--tree " + options.tree.kind);
    }
    if (options.tree.connectivity != 0) {
        parts.push_back("--connectivity " + std::to_string(options.tree.connectivity));
    }
    return joined(parts, " ");
}

void printLearned(const LearnOptions& options, const Learning& done, const LoadedImage& loaded,
                  const Context& context) {
    const LearnedCriteria& learned = done.learned;
    const Extent extent = loaded.image->extent();
    const auto placeOf = [&](std::uint32_t node) { return voxelAt(done.tree->canonical[node], extent); };
    const auto pixelOf = [&](std::uint32_t node) { return pixelText(placeOf(node), extent.isVolume()); };
    const std::vector<std::string> criteria =
        textsOf(learned.criteria, [](const Criterion& criterion) { return toString(criterion); });
    Report report;
    report.addImage(options.image.image, extent, bitsOf(loaded.image->type()));
    addSlices(report.fields, extent);
    addTreeFields(report.fields, done.built);
    report.fields["criteria"] = criteria;
    if (options.forest) {
        report.fields["trees"] = learned.forest.trees.size();
    } else {
        report.fields["margin"] = learned.margin;
    }
    report.fields["wrong"] = arrayOf(learned.wrong, [&](const Example& example) { return pixelOf(example.node); });
    report.text << options.image.image << ": " << describe(done.built) << '\n'
                << "criteria: " << (criteria.empty() ? "none" : joined(criteria, " and ")) << '\n'
                << (options.forest ? "forest: " + counted(learned.forest.trees.size(), "decision tree") + '\n'
                                   : "margin: " + fixed(learned.margin * 100, 1) + " % of the ranks\n")
                << "decided as given: " << partText(done.examples - learned.wrong.size(), done.examples, " components")
                << '\n';
    TextTable table({"least sure", "area", "kept", "distance"}, "lrlr");
    for (const UnsureNode& each : done.unsure) {
        table.add({pixelOf(each.node), grouped(static_cast<std::uint64_t>(done.area->at(each.node))),
                   each.isKept ? "yes" : "no", fixed(each.distance * 100, 1) + " %"});
    }
    if (!done.unsure.empty()) {
        table.print(report.text);
    }
    report.fields["least_sure"] = arrayOf(done.unsure, [&](const UnsureNode& each) {
        return Json{{"pixel", pixelOf(each.node)},
                    {"area", numberJson(done.area->at(each.node))},
                    {"value", valueOf(done.built.values, done.tree->level[each.node])},
                    {"kept", each.isKept},
                    {"distance", each.distance}};
    });
    if (!options.forest || !options.recipe.empty()) {
        report.text << "filter: " << filterOptions(criteria, options) << '\n';
    }
    report.fields["learn_ms"] = done.milliseconds;
    report.addWritten("recipe_file", options.recipe);
    report.print(context, true);
}

void learnCriteria(Context& context, const LearnOptions& options, const TreeSpec& spec,
                   const std::vector<Engine*>& engines, const std::vector<Click>& clicks) {
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    Learning done;
    onFirstThatWorks(engines, context,
                     [&](Engine& engine) { done = learn(engine, options, clicks, loaded, context, progress); });
    progress.clear();
    const LearnedCriteria& learned = done.learned;
    if (!learned.wrong.empty()) {
        const bool isEmpty = options.forest ? learned.forest.trees.empty() : learned.criteria.empty();
        printNote(context, isEmpty ? "no attribute tells the components apart"
                           : options.forest
                               ? "the forest decides some of the components otherwise"
                               : "no three criteria drop all of the components to drop and keep all others");
    }
    if (!options.recipe.empty()) {
        FilterSpec filter;
        filter.criteria = learned.criteria;
        filter.forest = learned.forest;
        saveRecipe(recipeOf(options, spec, filter), options.recipe);
    }
    printLearned(options, done, loaded, context);
}

/// The pixels of the objects of a label file.
Mask maskIn(const LearnOptions& options, const Extent& extent, const JobControl& control) {
    const ImageArgument argument = parseImageArgument(options.image.image);
    const auto labels = labelsOfImage(argument.path, options.image.readOptions())(
        std::filesystem::absolute(options.mask).string(), extent, options.image.volume, control);
    Mask mask(extent.width, extent.height * extent.slices, false);
    for (std::uint32_t row = 0; row < mask.height(); ++row) {
        for (std::uint32_t x = 0; x < mask.width(); ++x) {
            mask.set(x, row, labels->labels.span()[std::size_t{row} * mask.width() + x] != 0);
        }
    }
    return mask;
}

void learnMask(Context& context, const LearnOptions& options, const TreeSpec& spec,
               const std::vector<Engine*>& engines) {
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const Extent extent = loaded.image->extent();
    const Mask mask = maskIn(options, extent, progress.control("reading the mask", context.stop));
    SessionTree built;
    MaskNodes found;
    StageTimer timer;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        built = buildTree(engine, spec, loaded, context, progress);
        const std::shared_ptr<const ComponentTree> tree = built.session->tree();
        timer = StageTimer();
        found = nodesOfMask(*tree, mask, progress.control("learning", context.stop));
        timer.finish("learn");
        if (!options.recipe.empty()) {
            FilterSpec filter;
            filter.output = Output::mask;
            for (const std::uint32_t node : found.nodes) {
                filter.only.push_back(tree->canonical[node]);
            }
            std::ranges::sort(filter.only);
            saveRecipe(recipeOf(options, spec, filter), options.recipe);
        }
    });
    progress.clear();
    const double dice = 2 * static_cast<double>(found.pixels - found.outside) /
                        std::max(1., static_cast<double>(found.pixels + mask.count()));
    Report report;
    report.addImage(options.image.image, extent, bitsOf(loaded.image->type()));
    addSlices(report.fields, extent);
    addTreeFields(report.fields, built);
    report.fields.update({{"components", found.nodes.size()},
                          {"component_pixels", found.pixels},
                          {"outside", found.outside},
                          {"missed", found.missed},
                          {"dice", dice},
                          {"learn_ms", timer.totalMilliseconds()}});
    report.text << options.image.image << ": " << describe(built) << '\n'
                << counted(found.nodes.size(), "component") << " of " << counted(found.pixels, "pixel") << ", of which "
                << grouped(found.outside) << " are outside of the mask; " << grouped(found.missed) << " of "
                << grouped(mask.count()) << " of the mask are missed; Dice " << fixed(dice, 3) << '\n';
    report.addWritten("recipe_file", options.recipe);
    report.print(context, true);
}

void runLearn(Context& context, const LearnOptions& options) {
    const bool hasMask = !options.mask.empty();
    refuseConflicts(
        {{hasMask && (!options.keep.empty() || !options.drop.empty()),
          "--mask: leave out --keep and --drop, whose place it takes"},
         {hasMask && options.forest, "--forest: is learned from --keep and --drop; leave out --mask"},
         {!hasMask && (options.keep.empty() || options.drop.empty()), "learn: give --keep and --drop, or --mask"}});
    const TreeSpec spec = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, spec.algorithm);
    const std::vector<Click> clicks = clicksOf(options);
    requireOutputs(options.image.image, {{options.recipe, "the recipe"}});
    if (hasMask) {
        learnMask(context, options, spec, engines);
    } else {
        learnCriteria(context, options, spec, engines, clicks);
    }
}

} // namespace

CommandAction declareLearn(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("learn", "Find the simplest criteria that keep some components and drop others");
    const auto options = std::make_shared<LearnOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addRepeated(command, "--keep", options->keep,
                "Keep the smallest component at this pixel (in a volume\nX,Y,Z), with VALUE the component of all "
                "connected pixels\nthat are at least as bright (with --tree min: dark) as\nVALUE; may be repeated",
                "X,Y[:VALUE]");
    addRepeated(command, "--drop", options->drop,
                "Drop this component, given as for --keep. A pixel of the\nbackground stands for the whole image",
                "X,Y[:VALUE]");
    addValue(
        command, "--mask", options->mask,
        "Instead of --keep and --drop: find the disjoint components\nthat fit the pixels above 0 of this image, or the "
        "polygons\nof this file, with the fewest pixels outside or missed",
        "FILE");
    addValue(command, "--min-area", options->minArea,
             "Without VALUE: take the smallest component of at least\nthis many pixels", "N")
        ->capture_default_str();
    addValue(command, "--attributes", options->attributes,
             "Attributes that criteria may use: names with commas, or\nall; without it all but places in the image and "
             "the tree,\nthe orientation and the moments of Hu",
             "a,b,..");
    command.add_flag(
        "--any-size", options->anySize,
        "Criteria need not bound the area. Otherwise they do, by\nabout half of the smallest and twice the "
        "largest component\nto keep");
    command.add_flag("--forest", options->forest,
                     "Learn a forest of decision trees instead of criteria;\n--out-recipe writes it");
    addValue(command, "--ask", options->ask,
             "Print the components next to a bound, at most this many;\nnone with --forest", "N")
        ->check(within(std::size_t{0}, std::size_t{1000}))
        ->capture_default_str();
    addValue(command, "--out-recipe", options->recipe,
             "Write a recipe with the criteria as its filter, with --mask\na recipe of a mask", "OUT.json");
    options->tree.declare(command);
    command.footer("Of all sets of at most three criteria that keep all of the components to keep and drop all others, "
                   "the\ncommand finds the smallest one, and among equally small ones the one with the largest margin: "
                   "the\ndistance of the nearest component to drop from the interval of those to keep, in ranks among "
                   "the\ncomponents of the image. If no set does, it finds the one that drops the most.\n" +
                   attributeHelp());
    return [options](Context& context) { runLearn(context, *options); };
}

} // namespace pollard::cli
