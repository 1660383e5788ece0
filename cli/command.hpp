#pragma once

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "engine/engine_registry.hpp"

#include <chrono>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace pollard::cli {

/// Delay before the progress line appears, and interval between its updates.
struct ProgressPace {
    std::chrono::milliseconds delay{1000};
    std::chrono::milliseconds interval{100};
};

/// Progress line on a terminal. Appears after a delay, disappears before results are printed, and never appears unless
/// enabled. Shows the time left of jobs that take long.
class ProgressLine {
public:
    ProgressLine(std::ostream& terminal, bool enabled, ProgressPace pace = {})
        : terminal_(terminal), enabled_(enabled), pace_(pace) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Control for a job called @p job ("reading", "building the tree"). The line must outlive the job.
    [[nodiscard]] JobControl control(std::string job, std::stop_token stop);

    /// Puts the name of the part that the jobs work on, such as a channel, in front of all following lines.
    void setSubject(const std::string& name);

    /// Removes the line from the terminal.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    void show(const std::string& job, Clock::time_point begin, double fraction, std::string_view stage);

    std::ostream& terminal_;
    bool enabled_;
    ProgressPace pace_;
    Clock::time_point start_ = Clock::now();
    std::mutex mutex_;
    std::string subject_; ///< with a colon and a space after it; empty if there is none
    Clock::time_point shown_{};
    bool visible_ = false;
};

/// JSON that keeps the order of fields.
using Json = nlohmann::ordered_json;

/// A command line with unknown or contradicting options: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns the result of parse(), which reads an argument of the command line.
/// @throws UsageError in place of an Error of parse(), with @p before and the text of the Error
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

/// Each function declares one command with its options and returns its action.
[[nodiscard]] CommandAction declareEngines(CLI::App& app);
[[nodiscard]] CommandAction declareInfo(CLI::App& app);
[[nodiscard]] CommandAction declareTree(CLI::App& app);
[[nodiscard]] CommandAction declareAlgorithms(CLI::App& app);
[[nodiscard]] CommandAction declareFilter(CLI::App& app);
[[nodiscard]] CommandAction declareProfile(CLI::App& app);
[[nodiscard]] CommandAction declareSpectrum(CLI::App& app);
[[nodiscard]] CommandAction declareHMaxima(CLI::App& app);
[[nodiscard]] CommandAction declareHierarchy(CLI::App& app);
[[nodiscard]] CommandAction declareWatershed(CLI::App& app);
[[nodiscard]] CommandAction declareOperator(CLI::App& app);
[[nodiscard]] CommandAction declareMser(CLI::App& app);
[[nodiscard]] CommandAction declareComponents(CLI::App& app);
[[nodiscard]] CommandAction declareTrack(CLI::App& app);
[[nodiscard]] CommandAction declareScore(CLI::App& app);
[[nodiscard]] CommandAction declareLearn(CLI::App& app);
[[nodiscard]] CommandAction declareTune(CLI::App& app);
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
/// Prints several notes. @param before text in front of each
inline void printNotes(const Context& context, const std::vector<std::string>& notes, const std::string& before = {}) {
    for (const std::string& note : notes) {
        printNote(context, before + note);
    }
}

} // namespace pollard::cli
