#include "jobs/tree_job.hpp"

#include "base/error.hpp"
#include "command.hpp"
#include "engine/engine_registry.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace pollard::cli {

namespace {

constexpr std::array<std::pair<const char*, GridSimplification>, 3> kGrids{{
    {"auto", GridSimplification::automatic},
    {"on", GridSimplification::on},
    {"off", GridSimplification::off},
}};

/// "root level 1,234", or the value of the level.
std::string rootText(const SessionTree& built) {
    return built.values ? "root value " + valueText(valueOf(built.values, built.report.rootLevel), unitOf(built.values))
                        : "root level " + grouped(built.report.rootLevel);
}

} // namespace

std::string_view nameOf(GridSimplification grid) noexcept {
    return std::ranges::find(kGrids, grid, &std::pair<const char*, GridSimplification>::second)->first;
}

GridSimplification gridNamed(const std::string& name) {
    const auto* const known = std::ranges::find(kGrids, name, &std::pair<const char*, GridSimplification>::first);
    if (known == kGrids.end()) {
        throw unknownName("grid", name, {"auto", "on", "off"});
    }
    return known->second;
}

void declareConnectivity(CLI::App& command, int& connectivity) {
    addValue(command, "--connectivity", connectivity, "Neighbours of a pixel; in a volume 6 (default), 18 or 26",
             "4|8|6|18|26")
        ->check(CLI::IsMember({4, 8, 6, 18, 26}).description(""))
        ->default_str("4");
}

void TreeOptions::declare(CLI::App& command) {
    declareKind(command);
    declareOthers(command);
}

void TreeOptions::declareOthers(CLI::App& command) {
    declareConnectivity(command, connectivity);
    addValue(command, "--algorithm", algorithm, "Max-tree algorithm, see 'pollard-cli algorithms'", "NAME");
    addChoice(command, "--grid", grid,
              "Leave out edges between regions that cannot\nmatter (grid simplification); the tree is the same",
              {"auto", "on", "off"})
        ->capture_default_str();
}

void TreeOptions::declareKind(CLI::App& command) {
    addChoice(command, "--tree", kind, "max: bright objects on dark; min: dark ones on bright", {"max", "min"})
        ->default_str(kind);
}

TreeSpec TreeOptions::spec(bool isVolume) const {
    const int neighbours = connectivity != 0 ? connectivity : isVolume ? 6 : 4;
    refuseConflicts(
        {{!isVolume && neighbours != 4 && neighbours != 8,
          "--connectivity: " + std::to_string(neighbours) + " neighbours are for volumes; an image has 4 or 8"}});
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
    std::vector<std::string> known = textsOf(context.registry.engines(), &Engine::name);
    known.insert(known.begin(), "auto");
    throw unknownName("engine", name, known);
}

std::vector<Engine*> askedEngines(const Context& context) {
    return context.common.engine == "auto" ? usableEngines(context.registry) : std::vector{&selectEngine(context)};
}

std::vector<Engine*> enginesWith(const Context& context, const std::string& algorithm, std::string_view job) {
    const std::vector<Engine*> asked = askedEngines(context);
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
    if (known.empty()) {
        throw Error(ErrorCode::engineUnavailable,
                    "engine: " + asked.front()->name() + ": has no algorithm for " + std::string(job));
    }
    const std::string subject = asked.size() == 1 ? "engine " + asked.front()->name() : "the engines usable here";
    refuseConflicts({{able.empty(), "algorithm: '" + algorithm + "': unknown to " + subject + " (there are " +
                                        joined(known, ", ") + ")"}});
    return able;
}

void onFirstThatWorks(const std::vector<Engine*>& engines, const Context& context,
                      const std::function<void(Engine&)>& job) {
    pollard::onFirstThatWorks(engines, job, noting([&context](const std::string& note) { printNote(context, note); }));
}

namespace {

/// Bytes of an algorithm that states its bytes a pixel; empty for others.
std::optional<std::uint64_t> statedTreeBytes(const Engine& engine, const Image& image, const std::string& algorithm) {
    const std::vector<AlgorithmInfo> all = engine.algorithms();
    const auto row = std::ranges::find_if(all, [&](const AlgorithmInfo& each) {
        return each.job == kMaxTreeJob && each.name == algorithm && each.treeBytes > 0;
    });
    constexpr std::uint64_t kFixed = 2U << 20U; // for any image
    return row == all.end() ? std::nullopt : std::optional(row->treeBytes * image.pixelCount() + kFixed);
}

} // namespace

std::uint64_t treeBytes(const Engine& engine, const Session& session, const Image& image,
                        const std::string& algorithm) {
    const auto stated = statedTreeBytes(engine, image, algorithm);
    return stated ? *stated : session.estimateTreeBytes(image);
}

std::uint64_t leastTreeBytes(const Engine& engine, const Session& session, const Image& image,
                             const std::string& algorithm) {
    const auto stated = statedTreeBytes(engine, image, algorithm);
    return stated ? *stated : session.leastTreeBytes(image);
}

SessionTree buildTree(Engine& engine, const TreeSpec& spec, const LoadedImage& loaded, const Context& context,
                      ProgressLine& progress) {
    const Image& image = *loaded.image;
    SessionTree built;
    built.engine = &engine;
    built.spec = spec;
    built.session = engine.openSession({.threads = context.common.threads});
    built.estimateBytes = treeBytes(engine, *built.session, image, spec.algorithm);
    requireMemory(engine, leastTreeBytes(engine, *built.session, image, spec.algorithm) + image.bytes(),
                  image.extent());
    built.session->open(loaded.image, loaded.valid, loaded.info.mapping);
    built.values = loaded.info.mapping;
    built.report = built.session->buildTree(spec, progress.control("building the tree", context.stop));
    return built;
}

void addTreeFields(Json& object, const SessionTree& built) {
    const TreeReport& report = built.report;
    object["nodes"] = report.nodes;
    object["leaves"] = report.leaves;
    object["depth"] = report.depth;
    object["root_level"] = numberJson(valueOf(built.values, report.rootLevel));
    addValueUnit(object, unitOf(built.values));
    object["tree"] = built.spec.kind == TreeKind::max ? "max" : "min";
    object["connectivity"] = static_cast<int>(built.spec.connectivity);
    object["engine"] = built.engine->name();
    object["device"] = built.engine->device();
    object["algorithm"] = report.algorithm;
    object["grid"] = nameOf(built.spec.grid);
    object["estimate_bytes"] = built.estimateBytes;
    object["build_ms"] = report.milliseconds;
    object["build_stages"] = stagesJson(report.stages);
}

std::string describe(const SessionTree& built) {
    const TreeReport& report = built.report;
    return counted(report.nodes, "node") + ", " + counted(report.leaves, "leaf", "leaves") + ", depth " +
           grouped(report.depth) + ", " + rootText(built) + " (" + built.engine->name() + ", " +
           describeAlgorithm(report.algorithm, built.spec.grid) + ", " + fixed(report.milliseconds, 1) + " ms)";
}

std::string describeAlgorithm(const std::string& name, GridSimplification grid) {
    return grid == GridSimplification::automatic ? name : name + ", grid " + std::string(nameOf(grid));
}

} // namespace pollard::cli
