#include "tree_job.hpp"

#include "base/error.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

namespace pollard::cli {

namespace {

std::uint64_t physicalMemoryBytes() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageSize = sysconf(_SC_PAGESIZE);
    return pages > 0 && pageSize > 0 ? std::uint64_t(pages) * std::uint64_t(pageSize) : 0;
}

} // namespace

void TreeOptions::declare(CLI::App& command) {
    declareKind(command);
    command.add_option("--algorithm", algorithm, "Max-tree algorithm, see 'pollard-cli algorithms'")->type_name("NAME");
}

void TreeOptions::declareKind(CLI::App& command) {
    command.add_option("--tree", kind, "max: bright objects on dark; min: dark ones on bright")
        ->check(CLI::IsMember({"max", "min"}).description(""))
        ->type_name("max|min")
        ->default_str(kind);
    command.add_option("--connectivity", connectivity, "Neighbours of a pixel")
        ->check(CLI::IsMember({4, 8}).description(""))
        ->type_name("4|8")
        ->capture_default_str();
}

TreeSpec TreeOptions::spec() const {
    return {kind == "max" ? TreeKind::max : TreeKind::min, connectivity == 4 ? Connectivity::four : Connectivity::eight,
            algorithm};
}

Engine& selectEngine(const Context& context) {
    const std::string& name = context.common.engine;
    if (name == "auto" || context.registry.find(name) != nullptr) {
        return context.registry.select(name);
    }
    if (name == "cuda") {
        throw Error(ErrorCode::engineUnavailable, "engine: cuda: " + std::string(kNoCudaReason));
    }
    std::vector<std::string> known{"auto"};
    for (const Engine* engine : context.registry.engines()) {
        known.push_back(engine->name());
    }
    throw UsageError("engine: '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

void requireTreeAlgorithm(const Engine& engine, const std::string& name) {
    std::vector<std::string> known;
    for (const AlgorithmInfo& algorithm : engine.algorithms()) {
        if (algorithm.job == kMaxTreeJob) {
            known.push_back(algorithm.name);
        }
    }
    if (!name.empty() && std::ranges::find(known, name) == known.end()) {
        throw UsageError("algorithm: '" + name + "': unknown to engine " + engine.name() + " (there are " +
                         joined(known, ", ") + ")");
    }
}

void requireMemory(std::uint64_t bytes, const Image& image) {
    const std::uint64_t present = physicalMemoryBytes();
    if (present != 0 && bytes > present) {
        throw Error(ErrorCode::outOfMemory, "memory: image of " + std::to_string(image.width()) + " x " +
                                                std::to_string(image.height()) + " px: its tree needs up to " +
                                                bytesText(bytes) + ", this machine has " + bytesText(present));
    }
}

BuiltTree buildTree(Engine& engine, const TreeSpec& spec, std::shared_ptr<const Image> image, const Context& context,
                    ProgressLine& progress) {
    BuiltTree built;
    built.engine = &engine;
    built.session = engine.openSession({.threads = context.common.threads});
    built.estimateBytes = built.session->estimateTreeBytes(*image);
    requireMemory(built.estimateBytes + image->bytes(), *image);
    built.session->openImage(std::move(image));
    built.report = built.session->buildTree(spec, progress.control("building the tree", context.stop));
    return built;
}

void addTreeFields(Json& object, const BuiltTree& built, const TreeSpec& spec) {
    const TreeReport& report = built.report;
    object["nodes"] = report.nodes;
    object["leaves"] = report.leaves;
    object["depth"] = report.depth;
    object["root_level"] = report.rootLevel;
    object["tree"] = spec.kind == TreeKind::max ? "max" : "min";
    object["connectivity"] = static_cast<int>(spec.connectivity);
    object["engine"] = built.engine->name();
    object["device"] = built.engine->device();
    object["algorithm"] = report.algorithm;
    object["estimate_bytes"] = built.estimateBytes;
    object["build_ms"] = report.milliseconds;
    object["build_stages"] = stagesJson(report.stages);
}

std::string describe(const BuiltTree& built) {
    const TreeReport& report = built.report;
    return grouped(report.nodes) + " nodes, " + grouped(report.leaves) + " leaves, depth " + grouped(report.depth) +
           ", root level " + grouped(report.rootLevel) + " (" + built.engine->name() + ", " + report.algorithm + ", " +
           fixed(report.milliseconds, 1) + " ms)";
}

} // namespace pollard::cli
