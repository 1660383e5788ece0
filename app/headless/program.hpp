#pragma once

#include "headless/command_line.hpp"
#include "shell/models.hpp"

#include <QObject>

#include <functional>

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

class MainWindow;

/// Sets OpenGL 3.3 for all windows, and the names of the program. Call before making the application.
void prepareApplication();

/// Whether the arguments have --help or --version, whose answers need no display.
[[nodiscard]] bool wantsNoWindow(int argc, char** argv);

/// Handles --help, --version and invalid arguments. @return exit code; -1 if the program should start
[[nodiscard]] int answerWithoutWindow(const CommandLine& line);

/// Prints why the engine of --engine cannot be used. @return exit code; 0 if the engine can be used
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

/// Turns SIGTERM, SIGINT and SIGHUP into Qt signals. The first one is emitted as raised(); a second one of the same
/// number ends the program immediately. A signal that is ignored at the start (nohup) stays ignored. At most one object
/// at a time; no effect on Windows.
class QuitSignals : public QObject {
    Q_OBJECT

public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

signals:
    void raised(int number);

private:
    void read();

    int reader_ = -1; ///< read end of a pipe
};

} // namespace pollard::app
