#include "command.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/npy_writer.hpp"
#include "jobs/tree_job.hpp"
#include "options/attribute_help.hpp"
#include "options/image_argument.hpp"
#include "options/output_target.hpp"
#include "progress_line.hpp"
#include "recipe/result_file.hpp"
#include "text.hpp"
#include "tree/tree_files.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace pollard::cli {

namespace {

using Columns = std::vector<std::shared_ptr<const AttributeColumn>>;

struct TreeCommandOptions {
    ImageOptions image;
    TreeOptions tree;
    std::string attributes;
    std::string nodesFile;
    std::string parentFile;
    std::string dotFile;
    std::uint32_t dotNode = 0;
    std::size_t dotNodes = 500;

    /// Files to write.
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> named{nodesFile, parentFile, dotFile};
        std::erase(named, std::string());
        return named;
    }
};

std::vector<AttributeId> parseAttributes(const std::string& text, bool inVolumes) {
    std::vector<AttributeId> ids;
    std::vector<std::string> known;
    for (const AttributeInfo& info : inVolumes ? volumeAttributes() : allAttributes()) {
        known.emplace_back(info.name);
    }
    for (const std::string& name : text == "all" ? known : splitList(text)) {
        const std::optional<AttributeId> id = findAttribute(name);
        if (!id) {
            throw UsageError("attribute: '" + name + "': unknown (there are " + joined(known, ", ") + ", or all)");
        }
        if (std::ranges::find(ids, *id) == ids.end()) {
            ids.push_back(*id);
        }
    }
    return ids;
}

/// A table that stays a temporary until the other files are written.
struct WaitingTable {
    std::optional<AtomicFile> csv;
    std::unique_ptr<NpyFile> array;

    void commit() {
        if (csv) {
            csv->commit();
        }
        if (array) {
            array->commit();
        }
    }
};

/// Writes all files or none.
void writeTreeFiles(const TreeCommandOptions& options, const ComponentTree& tree, Columns columns,
                    const ImageInfo& info, const Context& context, ProgressLine& progress) {
    // Table and graph already contain the level.
    std::erase_if(columns, [](const auto& column) { return column->id == AttributeId::level; });
    WaitingTable table;
    if (!options.nodesFile.empty()) {
        const JobControl control = progress.control("writing the node table", context.stop);
        if (namesArray(options.nodesFile)) {
            table.array = writeNodeArray(options.nodesFile, tree, columns, control);
        } else {
            table.csv.emplace(options.nodesFile, "write node table");
            writeNodeTable(*table.csv, tree, columns, control);
        }
    }
    std::optional<AtomicFile> graph;
    if (!options.dotFile.empty()) {
        const std::string dot = subtreeDot(tree, options.dotNode, options.dotNodes, columns);
        graph.emplace(options.dotFile, "write graph of the tree");
        graph->writeAll(dot.data(), dot.size());
    }
    if (!options.parentFile.empty()) {
        const Buffer<std::uint32_t> parents = canonicalParentImage(tree);
        const JobControl control = progress.control("writing the parent image", context.stop);
        if (namesArray(options.parentFile)) {
            writeNpy32(options.parentFile, parents.span(), tree.extent(), control);
        } else {
            writeResult32(options.parentFile, parents.span(), tree.extent(), info, control);
        }
    }
    table.commit();
    if (graph) {
        graph->commit();
    }
}

void printTree(const TreeCommandOptions& options, const BuiltTree& built, const TreeSpec& spec, const Image& image,
               const Columns& columns, double attributeMs, Context& context) {
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"width", image.width()},
                    {"height", image.height()},
                    {"bits", bitsOf(image.type())}};
        addSlices(object, image);
        addTreeFields(object, built, spec);
        Json list = Json::array();
        for (const auto& column : columns) {
            const AttributeInfo& info = attributeInfo(column->id);
            list.push_back(
                {{"name", info.name}, {"unit", info.unit}, {"min", column->minimum}, {"max", column->maximum}});
        }
        object["attributes"] = list;
        object["attributes_ms"] = attributeMs;
        object["nodes_file"] = options.nodesFile.empty() ? Json() : Json(options.nodesFile);
        object["parent_file"] = options.parentFile.empty() ? Json() : Json(options.parentFile);
        object["dot_file"] = options.dotFile.empty() ? Json() : Json(options.dotFile);
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet && !options.files().empty()) {
        return;
    }
    context.out << options.image.image << ": " << describe(built, spec) << '\n';
    if (!columns.empty()) {
        using enum TextTable::Align;
        TextTable table({"attribute", "min", "max", "unit"}, {left, right, right, left});
        for (const auto& column : columns) {
            const AttributeInfo& info = attributeInfo(column->id);
            const int decimals = info.integral ? 0 : 3;
            table.add({std::string(info.name), fixed(column->minimum, decimals), fixed(column->maximum, decimals),
                       std::string(info.unit)});
        }
        table.print(context.out);
    }
    for (const std::string& file : options.files()) {
        context.out << "written: " << file << '\n';
    }
}

void runTree(Context& context, const TreeCommandOptions& options) {
    const std::vector<AttributeId> ids = parseAttributes(options.attributes, options.image.volume);
    const TreeSpec spec = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, spec.algorithm);
    const ImageArgument source = parseImageArgument(options.image.image);
    if (!options.parentFile.empty()) {
        requireResultName(options.parentFile, true);
    }
    const std::vector<std::string> files = options.files();
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            requireDifferent(files[other], files[i],
                             files[other] == options.nodesFile ? "the node table" : "the parent image");
        }
        requireDifferent(source.path, files[i], "the input");
        requireWritable(files[i]);
    }

    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    BuiltTree built;
    Columns columns;
    double attributeMs = 0;
    std::shared_ptr<const ComponentTree> tree;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        built = buildTree(engine, spec, loaded, context, progress);
        columns.clear();
        StageTimer timer;
        for (const AttributeId id : ids) {
            columns.push_back(built.session->attribute(id, progress.control("measuring", context.stop)));
        }
        timer.finish("attributes");
        attributeMs = timer.totalMilliseconds();
        tree = built.session->tree();
    });
    writeTreeFiles(options, *tree, columns, loaded.info, context, progress);
    progress.clear();
    printTree(options, built, spec, *loaded.image, columns, attributeMs, context);
}

} // namespace

CommandAction declareTree(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("tree", "Build the max-tree or min-tree of an image; write its nodes and parents");
    const auto options = std::make_shared<TreeCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    options->tree.declare(command);
    command.add_option("--attributes", options->attributes, "Attributes to measure: names with commas, or all")
        ->type_name("a,b,..");
    command
        .add_option("--nodes", options->nodesFile,
                    "Write the node table: id, parent, level,\ncanonical_x, canonical_y and the attributes; as a\n"
                    "structured NumPy array if the name ends in .npy")
        ->type_name("OUT.csv|npy");
    command
        .add_option("--parent", options->parentFile,
                    "Write the parent image, 32 bits: canonical pixel\nindices (z * height + y) * width + x; the root "
                    "points to itself; "
                    "as\na NumPy array if the name ends in .npy, as NIfTI, NRRD\nor OME-Zarr if in .nii, .nii.gz, "
                    ".nrrd or .zarr")
        ->type_name("OUT.tif|OUT.npy");
    command.add_option("--dot", options->dotFile, "Write a part of the tree as a GraphViz graph")->type_name("OUT.dot");
    command.add_option("--dot-node", options->dotNode, "Component at its top, as --nodes numbers them; 0: all")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--dot-nodes", options->dotNodes, "Largest number of components in it, the upper ones first")
        ->check(CLI::Range(std::size_t{1}, kMostDotNodes).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.footer(attributeHelp());
    return [options](Context& context) { runTree(context, *options); };
}

} // namespace pollard::cli
