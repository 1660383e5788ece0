#pragma once

#include "headless/command_line.hpp"
#include "shell/models.hpp"

#include <functional>

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

class MainWindow;

/// OpenGL 3.3 for all windows, and the names of the program; before the application is made.
void prepareApplication();

/// Whether the arguments have --help or --version, whose answers need no display.
[[nodiscard]] bool wantsNoWindow(int argc, char** argv);

/// Handles --help, --version and invalid arguments: exit code; -1 if the program should start.
[[nodiscard]] int answerWithoutWindow(const CommandLine& line);

/// Prints why the engine of --engine cannot be used: exit code; 0 if it can.
[[nodiscard]] int refuseEngine(const CommandLine& line, const EngineRegistry& registry);

void applyOptions(Models& models, const CommandLine& line);

/// Shows the panels and opens the image of the command line.
void openImage(Models& models, MainWindow& window, const CommandLine& line);

using Finished = std::function<void(const QString& error)>; ///< @p error is one line; empty on success

/// Runs the window without a user, with settings of its own, until @p job and the screenshot are done.
/// @param job is called before the window is shown; none: the screenshot alone
/// @return exit code
[[nodiscard]] int runHeadless(const CommandLine& line, const EngineRegistry& registry,
                              const std::function<void(Models&, MainWindow&, const Finished&)>& job = {});

} // namespace pollard::app
