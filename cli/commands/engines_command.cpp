#include "command.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

namespace pollard::cli {

namespace {

struct EngineRow {
    std::string name;
    std::string device;
    std::string reason; ///< empty if usable
    std::uint64_t memoryBytes = 0;
};

std::vector<EngineRow> listEngines(const EngineRegistry& registry) {
    std::vector<EngineRow> rows;
    if (registry.find("cuda") == nullptr) {
        rows.push_back({"cuda", "", std::string(kNoCudaReason), 0});
    }
    for (const Engine* engine : registry.engines()) {
        rows.push_back({engine->name(), engine->device(), engine->unusableReason(), engine->memoryBytes()});
    }
    return rows;
}

void runEngines(Context& context) {
    const std::vector<EngineRow> rows = listEngines(context.registry);
    if (context.common.json) {
        Json engines = Json::array();
        for (const EngineRow& row : rows) {
            engines.push_back({{"name", row.name},
                               {"usable", row.reason.empty()},
                               {"device", row.device},
                               {"reason", row.reason},
                               {"memory_bytes", row.memoryBytes}});
        }
        printJson(context.out, {{"engines", engines}});
        return;
    }
    using enum TextTable::Align;
    TextTable table({"engine", "usable", "device", "memory", "why not"}, {left, left, left, right, left});
    for (const EngineRow& row : rows) {
        table.add({row.name, row.reason.empty() ? "yes" : "no", row.device.empty() ? "-" : row.device,
                   row.memoryBytes == 0 ? "-" : bytesText(row.memoryBytes), row.reason});
    }
    table.print(context.out);
}

} // namespace

CommandAction declareEngines(CLI::App& app) {
    app.add_subcommand("engines", "List the compute engines, their devices, and why one cannot be used");
    return runEngines;
}

} // namespace pollard::cli
