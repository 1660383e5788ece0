#include "program.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "command.hpp"
#include "io/write/atomic_file.hpp"
#include "options/option_values.hpp"
#include "text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <functional>
#include <new>
#include <pthread.h>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kMaxThreads = 1024;

/// Puts a library's message on one line, without trailing full stops.
std::string oneLine(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    while (!text.empty() && (text.back() == ' ' || text.back() == '.')) {
        text.pop_back();
    }
    return text;
}

int fail(std::ostream& err, const std::string& program, int code, const std::string& message) {
    err << program << ": error: " << oneLine(message) << std::endl;
    return code;
}

/// The options of every command.
struct EveryOption {
    CommonOptions common;
    std::string memoryLimit; ///< empty: none
};

void addCommonOptions(CLI::App& app, const std::string& program, EveryOption& options) {
    CommonOptions& common = options.common;
    const std::string group = "Common options";
    app.set_help_flag("-h,--help", "Show this help and exit")->group(group);
    app.set_version_flag("--version", program + " " POLLARD_VERSION, "Show the version and exit")->group(group);
    app.add_flag("--json", common.json, "Print one JSON object on standard output")->group(group);
    app.add_flag("-q,--quiet", common.quiet, "No progress, no notes, no summary of written files")->group(group);
    addValue(app, "--engine", common.engine, "auto (cuda if usable, else cpu), cpu or cuda", "NAME")->group(group);
    addValue(app, "--threads", common.threads, "CPU threads; 0 = all cores", "N")
        ->group(group)
        ->check(within(0, kMaxThreads));
    addValue(app, "--memory-limit", options.memoryLimit,
             "Memory that the program may take, e.g. 8G: what needs\nmore works in chunks or is refused; without it "
             "the free\nmemory",
             "BYTES")
        ->group(group);
}

struct DeclaredCommand {
    CLI::App* app;
    CommandAction action;
};

/// The arguments with --height for --h of h-maxima: CLI11 declares no option of one letter after two dashes from 2.4
/// on.
std::vector<std::string> withLongNames(std::span<const std::string> args) {
    constexpr std::string_view kLetter = "--h";
    std::vector<std::string> all(args.begin(), args.end());
    const auto end = std::ranges::find(all, "--");
    for (auto arg = std::find(all.begin(), end, "h-maxima"); arg != end; ++arg) {
        if (*arg == kLetter || arg->starts_with("--h=")) {
            arg->replace(0, kLetter.size(), "--height");
        }
    }
    return all;
}

/// Endings that the type of an option for an output names: "OUT.csv|npy". Empty for other types, and for images and
/// vector files, whose names are checked by the commands.
std::vector<std::string> endingsIn(const std::string& type) {
    std::vector<std::string> endings;
    std::istringstream list(type.starts_with("OUT.") ? type.substr(3) : std::string());
    for (std::string one; std::getline(list, one, '|');) {
        endings.push_back((one.starts_with('.') ? "" : ".") + one);
    }
    if (std::ranges::any_of(endings, [](const std::string& ending) { return ending == ".tif" || ending == ".gpkg"; })) {
        endings.clear();
    }
    return endings;
}

/// Why a file of the command line cannot be written: its name ends as a name of another format. Empty if all can. Names
/// that stand twice are left to the command.
std::string nameProblem(const CLI::App& command) {
    std::vector<std::string> all;
    for (const CLI::Option* option : command.get_options()) {
        all.insert(all.end(), option->results().begin(), option->results().end());
    }
    for (const CLI::Option* option : command.get_options()) {
        const std::vector<std::string> endings = endingsIn(option->get_type_name());
        for (const std::string& file : endings.empty() ? std::vector<std::string>() : option->results()) {
            const std::string problem =
                endingProblem(file, std::vector<std::string_view>(endings.begin(), endings.end()));
            if (!problem.empty() && std::ranges::count(all, file) == 1) {
                return option->get_name() + ": " + problem;
            }
        }
    }
    return {};
}

/// Declares a command and returns its parser.
DeclaredCommand declare(CLI::App& app, const std::function<CommandAction(CLI::App&)>& declareCommand,
                        EveryOption& every) {
    CommandAction action = declareCommand(app);
    CLI::App* command = app.get_subcommands([](CLI::App*) { return true; }).back();
    addCommonOptions(*command, app.get_name(), every);
    return {command, std::move(action)};
}

std::string commandNames(const CLI::App& app) {
    const auto all = app.get_subcommands([](const CLI::App*) { return true; });
    return joined(textsOf(all, [](const CLI::App* command) { return command->get_name(); }), ", ");
}

/// The parser's message, or a clearer one for unexpected arguments.
std::string explain(const CLI::ParseError& error, const CLI::App& app) {
    const std::vector<std::string> unexpected = app.remaining(true);
    if (unexpected.empty()) {
        return "usage: " + std::string(error.what());
    }
    const std::string& first = unexpected.front();
    if (!app.get_subcommands().empty() && (first == "--volume" || first.starts_with("--volume="))) {
        const CLI::App& command = *app.get_subcommands().front();
        if (command.get_option_no_throw("--channel") != nullptr) {
            return "option: '--volume': " + command.get_name() + " works on images, not on volumes";
        }
        if (command.get_name() == "run") {
            return "option: '--volume': the recipe says whether it reads volumes";
        }
    }
    if (first.starts_with('-')) {
        return "option: '" + first + "': unknown";
    }
    if (app.get_subcommands().empty()) {
        return "command: '" + first + "': unknown (there are " + commandNames(app) + ")";
    }
    return "argument: '" + first + "': one too many";
}

int failUsage(std::ostream& err, const CLI::App& app, const std::string& message) {
    fail(err, app.get_name(), kUsage, message);
    const auto used = app.get_subcommands();
    err << "Try '" << app.get_name() << (used.empty() ? "" : " " + used.front()->get_name()) << " --help'."
        << std::endl;
    return kUsage;
}

int runAction(const CommandAction& action, Context& context) {
    try {
        ThreadArena(context.common.threads).execute([&] { action(context); });
        context.out.flush();
        if (!context.out) {
            return fail(context.err, context.program, kFailed, "write results: standard output: it cannot be written");
        }
        return kDone;
    } catch (const Cancelled&) {
        context.err << context.program << ": cancelled" << std::endl;
    } catch (const UsageError& error) {
        return fail(context.err, context.program, kUsage, error.what());
    } catch (const std::bad_alloc&) {
        return fail(context.err, context.program, kFailed, "memory: not enough for this image");
    } catch (const std::exception& error) {
        return fail(context.err, context.program, kFailed, error.what());
    }
    return kFailed;
}

} // namespace

int runProgram(const Program& program, std::span<const std::string> args, std::ostream& out, std::ostream& err,
               EngineRegistry& registry, const RunOptions& options) {
    CLI::App app(program.description, program.name);
    app.require_subcommand(0, 1); // reported below with a clearer message
    app.footer(program.footer);
    app.get_formatter()->column_width(34);
    EveryOption every;
    std::vector<DeclaredCommand> commands;
    try {
        addCommonOptions(app, program.name, every);
        for (const auto& declareCommand : program.commands) {
            commands.push_back(declare(app, declareCommand, every));
        }
    } catch (const CLI::Error& error) {
        return fail(err, program.name, kFailed, std::string("options: declared wrongly: ") + error.what());
    }

    try {
        std::vector<std::string> reversed = withLongNames(args);
        std::ranges::reverse(reversed);
        app.parse(std::move(reversed));
    } catch (const CLI::Success& help) {
        return app.exit(help, out, err);
    } catch (const CLI::ParseError& error) {
        return failUsage(err, app, explain(error, app));
    }
    if (app.get_subcommands().empty()) {
        return failUsage(err, app, "command: none given (there are " + commandNames(app) + ")");
    }

    const CLI::App* const chosen = app.get_subcommands().front();
    if (const std::string problem = nameProblem(*chosen); !problem.empty()) {
        return failUsage(err, app, "output: " + problem);
    }
    Context context{out,          err,          registry,
                    every.common, options.stop, options.showProgress && !every.common.quiet,
                    options.pace, program.name};
    const auto command = std::ranges::find(commands, chosen, &DeclaredCommand::app);
    return runAction(
        [&](Context& running) {
            const std::string& limit = every.memoryLimit;
            limitMemory(limit.empty() ? 0 : parseAmount("--memory-limit", limit));
            command->action(running);
        },
        context);
}

namespace {

constexpr const char* kExamples = R"(Examples:
  pollard-cli info cells.tif
  pollard-cli filter cells.tif -o large.tif --keep 'area>=100'
  pollard-cli filter 'stack.tif[3]' -o spots.tif --keep '5<=area<=80' --output residue
  pollard-cli tree cells.tif --attributes area,mean --nodes nodes.csv --parent parent.tif
  pollard-cli run preset:vessels retina/*.tif -o vessels
  pollard-cli bench --size 4000x4000 --bits 16

IMAGE[N] picks page N of a file, counted from 0. 'pollard-cli COMMAND --help' explains a command.
Exit codes: 0 done, 1 the work failed or was cancelled, 2 wrong usage.)";

} // namespace

int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options) {
    const Program program{"pollard-cli",
                          "Pollard: filters images by pruning their component trees.",
                          kExamples,
                          {declareEngines,   declareInfo,      declareTree,     declareAlgorithms, declareFilter,
                           declareLearn,     declareProfile,   declareSpectrum, declareHMaxima,    declareOperator,
                           declareHierarchy, declareWatershed, declareMser,     declareComponents, declareTrack,
                           declareScore,     declareTune,      declareSnake,    declarePart,       declareRun,
                           declareBench}};
    return runProgram(program, args, out, err, registry, options);
}

namespace {

constexpr int kExitInterrupted = 130; // shells' exit code after SIGINT

sigset_t interruptSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

} // namespace

InterruptWatcher::InterruptWatcher() {
    const sigset_t signals = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    watcher_ = std::jthread([this, signals](const std::stop_token& finished) {
        // A thread waits for signals instead of a handler, because request_stop() may run callbacks.
        int signal = 0;
        while (sigwait(&signals, &signal) == 0 && !finished.stop_requested()) {
            if (!source_.request_stop()) {
                _exit(kExitInterrupted);
            }
        }
    });
}

InterruptWatcher::~InterruptWatcher() {
    watcher_.request_stop();
    pthread_kill(watcher_.native_handle(), SIGTERM); // ends sigwait
}

} // namespace pollard::cli
