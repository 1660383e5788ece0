#pragma once

#include "progress_line.hpp"

#include "engine/engine_registry.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <ostream>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace CLI {
class App;
}

namespace pollard::cli {

/// JSON that keeps the order of fields.
using Json = nlohmann::ordered_json;

/// A command line with unknown or contradicting options: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Options of all commands.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    std::string engine = "auto";
    int threads = 0; ///< 0 = all cores
};

/// Environment of a command.
struct Context {
    std::ostream& out;
    std::ostream& err;
    EngineRegistry& registry;
    CommonOptions common;
    std::stop_token stop;
    bool showProgress = false;
    ProgressPace pace = {};
    std::string program = "pollard-cli"; ///< its name, for messages
};

/// Runs a command after its options have been parsed.
using CommandAction = std::function<void(Context&)>;

/// Each function declares one command with its options and returns its action. One file per command.
[[nodiscard]] CommandAction declareEngines(CLI::App& app);
[[nodiscard]] CommandAction declareInfo(CLI::App& app);
[[nodiscard]] CommandAction declareTree(CLI::App& app);
[[nodiscard]] CommandAction declareAlgorithms(CLI::App& app);
[[nodiscard]] CommandAction declareFilter(CLI::App& app);
[[nodiscard]] CommandAction declareProfile(CLI::App& app);
[[nodiscard]] CommandAction declareSpectrum(CLI::App& app);
[[nodiscard]] CommandAction declareHMaxima(CLI::App& app);
[[nodiscard]] CommandAction declareMser(CLI::App& app);
[[nodiscard]] CommandAction declareComponents(CLI::App& app);
[[nodiscard]] CommandAction declareTrack(CLI::App& app);
[[nodiscard]] CommandAction declareSnake(CLI::App& app);
[[nodiscard]] CommandAction declarePart(CLI::App& app);
[[nodiscard]] CommandAction declareRun(CLI::App& app);
[[nodiscard]] CommandAction declareBench(CLI::App& app);

/// Writes @p object and a line break; invalid UTF-8 (from file names) is replaced.
void printJson(std::ostream& out, const Json& object);

/// Writes `<program>: note: <text>` unless --quiet is set.
void printNote(const Context& context, const std::string& text);

} // namespace pollard::cli
