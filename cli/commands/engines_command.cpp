#include "base/text.hpp"
#include "command.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

namespace pollard::cli {

namespace {

void runEngines(Context& context) {
    Report report;
    Json& engines = report.fields["engines"] = Json::array();
    TextTable table({"engine", "usable", "device", "memory", "why not"}, "lllrl");
    const auto add = [&](const std::string& name, const std::string& device, const std::string& reason,
                         std::uint64_t memory) {
        engines.push_back({{"name", name},
                           {"usable", reason.empty()},
                           {"device", device},
                           {"reason", reason},
                           {"memory_bytes", memory}});
        table.add({name, reason.empty() ? "yes" : "no", device.empty() ? "-" : device,
                   memory == 0 ? "-" : bytesText(memory), reason});
    };
    if (context.registry.find("cuda") == nullptr) {
        add("cuda", "", std::string(kNoCudaReason), 0);
    }
    for (const Engine* engine : context.registry.engines()) {
        add(engine->name(), engine->device(), engine->unusableReason(), engine->memoryBytes());
    }
    table.print(report.text);
    report.print(context, true);
}

void runAlgorithms(Context& context) {
    Report report;
    Json& algorithms = report.fields["algorithms"] = Json::array();
    TextTable table({"algorithm", "job", "engine", "source"}, "llll");
    for (const Engine* engine : context.registry.engines()) {
        for (const AlgorithmInfo& each : engine->algorithms()) {
            algorithms.push_back(
                {{"name", each.name}, {"job", each.job}, {"engine", each.engine}, {"source", each.source}});
            table.add({each.name, each.job, each.engine, each.source});
        }
    }
    table.print(report.text);
    report.print(context, true);
}

} // namespace

CommandAction declareEngines(CLI::App& app) {
    app.add_subcommand("engines", "List the compute engines, their devices, and why one cannot be used");
    return runEngines;
}

CommandAction declareAlgorithms(CLI::App& app) {
    app.add_subcommand("algorithms", "List the algorithms of all engines with their sources");
    return runAlgorithms;
}

} // namespace pollard::cli
