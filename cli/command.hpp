#pragma once

#include "progress_line.hpp"

#include "base/error.hpp"
#include "engine/engine_registry.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

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

/// The result of parse(), which reads an argument: an Error of it is one of the command line.
/// @throws UsageError with @p before and the text of the Error
template <class Parse> auto parsedArgument(const Parse& parse, const std::string& before = {}) {
    try {
        return parse();
    } catch (const Error& error) {
        throw UsageError(before + error.what());
    }
}

/// A combination of options that a command does not take.
struct Conflict {
    bool isGiven = false;
    std::string message;
};
/// @throws UsageError with the message of the first combination that is given
inline void refuseConflicts(std::initializer_list<Conflict> conflicts) {
    for (const Conflict& conflict : conflicts) {
        if (conflict.isGiven) {
            throw UsageError(conflict.message);
        }
    }
}

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

/// Writes `<program>: note: <text>` unless --quiet is set or the text is empty.
inline void printNote(const Context& context, const std::string& text) {
    if (!context.common.quiet && !text.empty()) {
        context.err << context.program << ": note: " << text << '\n';
    }
}
/// The same for each of several. @param before of each text
inline void printNotes(const Context& context, const std::vector<std::string>& notes, const std::string& before = {}) {
    for (const std::string& note : notes) {
        printNote(context, before + note);
    }
}

} // namespace pollard::cli
