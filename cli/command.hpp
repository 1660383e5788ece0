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

/// Keeps the order in which fields are written.
using Json = nlohmann::ordered_json;

/// A command line that asks for something that does not exist or contradicts itself: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Options that every command has.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    std::string engine = "auto";
    int threads = 0; ///< 0 = all cores
};

/// What a command works with.
struct Context {
    std::ostream& out;
    std::ostream& err;
    EngineRegistry& registry;
    CommonOptions common;
    std::stop_token stop;
    bool showProgress = false;
    ProgressPace pace = {};
};

/// A command after its options were declared: what to do once they have been read.
using CommandAction = std::function<void(Context&)>;

/// Each declares one command with its own options and returns its action. One file each.
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
[[nodiscard]] CommandAction declareRun(CLI::App& app);
[[nodiscard]] CommandAction declareBench(CLI::App& app);

/// Writes @p object followed by a line break; text that is not UTF-8 (file names) is made so.
void printJson(std::ostream& out, const Json& object);

/// Writes `pollard-cli: note: <text>` unless --quiet was given.
void printNote(const Context& context, const std::string& text);

} // namespace pollard::cli
