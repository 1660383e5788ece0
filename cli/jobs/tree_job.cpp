#include "jobs/tree_job.hpp"

#include "base/error.hpp"
#include "engine/engine_fallback.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pollard::cli {

namespace {

constexpr std::array<std::pair<const char*, GridSimplification>, 3> kGrids{{
    {"auto", GridSimplification::automatic},
    {"on", GridSimplification::on},
    {"off", GridSimplification::off},
}};

} // namespace

std::string_view nameOf(GridSimplification grid) noexcept {
    return std::ranges::find(kGrids, grid, &std::pair<const char*, GridSimplification>::second)->first;
}

GridSimplification gridNamed(const std::string& name) {
    for (const auto& [known, grid] : kGrids) {
        if (name == known) {
            return grid;
        }
    }
    throw UsageError("grid: '" + name + "': unknown (there are auto, on, off)");
}

void TreeOptions::declare(CLI::App& command) {
    declareKind(command);
    declareOthers(command);
}

void TreeOptions::declareOthers(CLI::App& command) {
    command.add_option("--connectivity", connectivity, "Neighbours of a pixel; in a volume 6 (default), 18 or 26")
        ->check(CLI::IsMember({4, 8, 6, 18, 26}).description(""))
        ->type_name("4|8|6|18|26")
        ->default_str("4");
    command.add_option("--algorithm", algorithm, "Max-tree algorithm, see 'pollard-cli algorithms'")->type_name("NAME");
    command
        .add_option("--grid", grid,
                    "Leave out edges between regions that cannot\nmatter (grid simplification); the tree is the same")
        ->check(CLI::IsMember({"auto", "on", "off"}).description(""))
        ->type_name("auto|on|off")
        ->capture_default_str();
}

void TreeOptions::declareKind(CLI::App& command) {
    command.add_option("--tree", kind, "max: bright objects on dark; min: dark ones on bright")
        ->check(CLI::IsMember({"max", "min"}).description(""))
        ->type_name("max|min")
        ->default_str(kind);
}

TreeSpec TreeOptions::spec(bool isVolume) const {
    const int neighbours = connectivity != 0 ? connectivity : isVolume ? 6 : 4;
    if (!isVolume && neighbours != 4 && neighbours != 8) {
        throw UsageError("--connectivity: " + std::to_string(neighbours) +
                         " neighbours are for volumes; a picture has 4 or 8");
    }
    return {kind == "max" ? TreeKind::max : TreeKind::min, static_cast<Connectivity>(neighbours), algorithm,
            gridNamed(grid)};
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

std::vector<Engine*> enginesWith(const Context& context, const std::string& algorithm, std::string_view job) {
    std::vector<Engine*> asked;
    if (context.common.engine == "auto") {
        asked = usableEngines(context.registry);
    } else {
        asked.push_back(&selectEngine(context));
    }
    std::vector<Engine*> able;
    std::vector<std::string> known;
    for (Engine* engine : asked) {
        bool has = false;
        for (const AlgorithmInfo& each : engine->algorithms()) {
            if (each.job == job) {
                known.push_back(each.name);
                has |= algorithm.empty() || each.name == algorithm;
            }
        }
        if (has) {
            able.push_back(engine);
        }
    }
    const std::string subject = asked.size() == 1 ? "engine " + asked.front()->name() : "the engines usable here";
    if (known.empty()) {
        throw Error(ErrorCode::engineUnavailable,
                    "engine: " + asked.front()->name() + ": has no algorithm for " + std::string(job));
    }
    if (able.empty()) {
        throw UsageError("algorithm: '" + algorithm + "': unknown to " + subject + " (there are " +
                         joined(known, ", ") + ")");
    }
    return able;
}

void onFirstThatWorks(const std::vector<Engine*>& engines, const Context& context,
                      const std::function<void(Engine&)>& job) {
    pollard::onFirstThatWorks(engines, job, noting([&context](const std::string& note) { printNote(context, note); }));
}

void requireMemory(const Engine& engine, std::uint64_t bytes, const Image& image) {
    const std::uint64_t present = engine.memoryBytes();
    if (present != 0 && bytes > present) {
        throw Error(ErrorCode::outOfMemory, "memory: image of " + text(image.extent()) + ": its tree needs " +
                                                bytesText(bytes) + ", engine " + engine.name() + " has " +
                                                bytesText(present));
    }
}

std::uint64_t treeBytes(const Engine& engine, const Session& session, const Image& image,
                        const std::string& algorithm) {
    const std::vector<AlgorithmInfo> all = engine.algorithms();
    const auto row = std::ranges::find_if(all, [&](const AlgorithmInfo& each) {
        return each.job == kMaxTreeJob && each.name == algorithm && each.treeBytes > 0;
    });
    constexpr std::uint64_t kBeside = 2U << 20U; // for any image
    return row == all.end() ? session.estimateTreeBytes(image) : row->treeBytes * image.pixelCount() + kBeside;
}

std::uint64_t leastTreeBytes(const Engine& engine, const Session& session, const Image& image,
                             const std::string& algorithm) {
    const std::uint64_t least = session.leastTreeBytes(image);
    return least < session.estimateTreeBytes(image) ? least : treeBytes(engine, session, image, algorithm);
}

BuiltTree buildTree(Engine& engine, const TreeSpec& spec, const LoadedImage& loaded, const Context& context,
                    ProgressLine& progress) {
    const Image& image = *loaded.image;
    BuiltTree built;
    built.engine = &engine;
    built.session = engine.openSession({.threads = context.common.threads});
    built.estimateBytes = treeBytes(engine, *built.session, image, spec.algorithm);
    requireMemory(engine, leastTreeBytes(engine, *built.session, image, spec.algorithm) + image.bytes(), image);
    built.session->open(loaded.image, loaded.valid);
    built.report = built.session->buildTree(spec, progress.control("building the tree", context.stop));
    return built;
}

void addSlices(Json& object, const Image& image) {
    if (image.extent().isVolume()) {
        object["slices"] = image.extent().slices;
    }
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
    object["grid"] = nameOf(spec.grid);
    object["estimate_bytes"] = built.estimateBytes;
    object["build_ms"] = report.milliseconds;
    object["build_stages"] = stagesJson(report.stages);
}

std::string describe(const BuiltTree& built, const TreeSpec& spec) {
    const TreeReport& report = built.report;
    return grouped(report.nodes) + " nodes, " + grouped(report.leaves) + " leaves, depth " + grouped(report.depth) +
           ", root level " + grouped(report.rootLevel) + " (" + built.engine->name() + ", " +
           describeAlgorithm(report.algorithm, spec.grid) + ", " + fixed(report.milliseconds, 1) + " ms)";
}

std::string describeAlgorithm(const std::string& name, GridSimplification grid) {
    return grid == GridSimplification::automatic ? name : name + ", grid " + std::string(nameOf(grid));
}

} // namespace pollard::cli
