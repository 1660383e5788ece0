#include "attributes/grey_values.hpp"
#include "command.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/npy_writer.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/results/result_file.hpp"
#include "report.hpp"
#include "text.hpp"
#include "tree/tree_files.hpp"

#include <CLI/App.hpp>
#include <cmath>

#include <algorithm>
#include <cstdint>
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

    [[nodiscard]] bool writesFiles() const { return !nodesFile.empty() || !parentFile.empty() || !dotFile.empty(); }
};

/// A table that stays a temporary until the other files are written.
struct PendingTable {
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
    PendingTable table;
    if (!options.nodesFile.empty()) {
        const JobControl control = progress.control("writing the node table", context.stop);
        if (namesArray(options.nodesFile)) {
            table.array = writeNodeArray(options.nodesFile, tree, columns, control, nullptr, info.mapping);
        } else {
            table.csv.emplace(options.nodesFile, "write node table");
            writeNodeTable(*table.csv, tree, columns, control, nullptr, info.mapping);
        }
    }
    std::optional<AtomicFile> graph;
    if (!options.dotFile.empty()) {
        const std::string dot = subtreeDot(tree, options.dotNode, options.dotNodes, columns, info.mapping);
        graph.emplace(options.dotFile, "write graph of the tree");
        graph->writeAll(dot.data(), dot.size());
    }
    if (!options.parentFile.empty()) {
        const Buffer<std::uint32_t> parents = canonicalParentImage(tree);
        const JobControl control = progress.control("writing the parent image", context.stop);
        writeResult(options.parentFile, resultPlane(parents.span(), tree.extent(), info), control);
    }
    table.commit();
    if (graph) {
        graph->commit();
    }
}

void printTree(const TreeCommandOptions& options, const SessionTree& built, const Image& image, const Columns& columns,
               double attributeMs, Context& context) {
    Report report;
    report.addImage(options.image.image, image.extent(), bitsOf(image.type()));
    addSlices(report.fields, image.extent());
    addTreeFields(report.fields, built);
    report.text << options.image.image << ": " << describe(built) << '\n';
    Json& list = report.fields["attributes"] = Json::array();
    TextTable table({"attribute", "min", "max", "unit"}, "lrrl");
    for (const auto& column : columns) {
        const AttributeInfo& info = attributeInfo(column->id);
        const double smallest = columnValue(column->id, column->minimum, built.values);
        const double largest = columnValue(column->id, column->maximum, built.values);
        const bool isWhole = info.integral && std::trunc(smallest) == smallest && std::trunc(largest) == largest;
        const int decimals = isWhole ? 0 : 3;
        const std::string unit = columnUnit(column->id, built.values);
        list.push_back({{"name", info.name}, {"unit", unit}, {"min", smallest}, {"max", largest}});
        table.add({std::string(info.name), fixed(smallest, decimals), fixed(largest, decimals), unit});
    }
    if (!columns.empty()) {
        table.print(report.text);
    }
    report.fields["attributes_ms"] = attributeMs;
    report.addWritten("nodes_file", options.nodesFile);
    report.addWritten("parent_file", options.parentFile);
    report.addWritten("dot_file", options.dotFile);
    report.print(context, !options.writesFiles());
}

void runTree(Context& context, const TreeCommandOptions& options) {
    const std::vector<AttributeId> ids = attributesNamed(options.attributes, options.image.volume);
    const TreeSpec spec = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, spec.algorithm);
    if (!options.parentFile.empty()) {
        requireResultName(options.parentFile, true);
    }
    requireOutputs(options.image.image, {{options.nodesFile, "the node table"},
                                         {options.parentFile, "the parent image"},
                                         {options.dotFile, "the graph"}});

    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    SessionTree built;
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
    printTree(options, built, *loaded.image, columns, attributeMs, context);
}

} // namespace

CommandAction declareTree(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("tree", "Build the max-tree or min-tree of an image; write its nodes and parents");
    const auto options = std::make_shared<TreeCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    options->tree.declare(command);
    addValue(command, "--attributes", options->attributes, "Attributes to measure: names with commas, or all",
             "a,b,..");
    addValue(command, "--nodes", options->nodesFile,
             "Write the node table: id, parent, level,\ncanonical_x, canonical_y and the attributes; as a\nstructured "
             "NumPy array if the name ends in .npy",
             "OUT.csv|npy");
    addValue(command, "--parent", options->parentFile,
             "Write the parent image, 32 bits: canonical pixel\nindices (z * height + y) * width + x; the root points "
             "to itself; as\na NumPy array if the name ends in .npy, as NIfTI, NRRD\nor OME-Zarr if in .nii, .nii.gz, "
             ".nrrd or .zarr",
             "OUT.tif|OUT.npy");
    addValue(command, "--dot", options->dotFile, "Write a part of the tree as a GraphViz graph", "OUT.dot");
    addValue(command, "--dot-node", options->dotNode, "Component at its top, as --nodes numbers them; 0: all", "N")
        ->capture_default_str();
    addValue(command, "--dot-nodes", options->dotNodes, "Largest number of components in it, the upper ones first", "N")
        ->check(within(std::size_t{1}, kMostDotNodes))
        ->capture_default_str();
    command.footer(attributeHelp());
    return [options](Context& context) { runTree(context, *options); };
}

} // namespace pollard::cli
