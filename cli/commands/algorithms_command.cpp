#include "command.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

namespace pollard::cli {

namespace {

void runAlgorithms(Context& context) {
    std::vector<AlgorithmInfo> algorithms;
    for (const Engine* engine : context.registry.engines()) {
        for (AlgorithmInfo& algorithm : engine->algorithms()) {
            algorithms.push_back(std::move(algorithm));
        }
    }
    if (context.common.json) {
        Json list = Json::array();
        for (const AlgorithmInfo& algorithm : algorithms) {
            list.push_back({{"name", algorithm.name},
                            {"job", algorithm.job},
                            {"engine", algorithm.engine},
                            {"source", algorithm.source}});
        }
        printJson(context.out, {{"algorithms", list}});
        return;
    }
    using enum TextTable::Align;
    TextTable table({"algorithm", "job", "engine", "source"}, {left, left, left, left});
    for (const AlgorithmInfo& algorithm : algorithms) {
        table.add({algorithm.name, algorithm.job, algorithm.engine, algorithm.source});
    }
    table.print(context.out);
}

} // namespace

CommandAction declareAlgorithms(CLI::App& app) {
    app.add_subcommand("algorithms", "List the algorithms of all engines with their sources");
    return runAlgorithms;
}

} // namespace pollard::cli
