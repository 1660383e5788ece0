#include "command.hpp"
#include "report.hpp"

#include <CLI/App.hpp>

namespace pollard::cli {

namespace {

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

CommandAction declareAlgorithms(CLI::App& app) {
    app.add_subcommand("algorithms", "List the algorithms of all engines with their sources");
    return runAlgorithms;
}

} // namespace pollard::cli
