#include "base/crash_log.hpp"

#include "cli_fixture.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace pollard::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CrashLogOfTheProgram : public CliTest {
protected:
    /// Starts the program on endless work, with its state in the test's folder.
    void start() {
        std::filesystem::remove_all(path("state"));
        makeImage("secret.tif", PixelType::u16, 100, 100, 60000);
        const std::string state = path("state");
        const std::string image = path("secret.tif");
        process_ = fork();
        if (process_ == 0) {
            setenv("XDG_STATE_HOME", state.c_str(), 1);
            std::freopen("/dev/null", "w", stderr);
            execl(POLLARD_CLI_BINARY, POLLARD_CLI_BINARY, "bench", image.c_str(), "--repeat", "10000", nullptr);
            _exit(127);
        }
    }
    void TearDown() override {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            waitpid(process_, nullptr, 0);
        }
    }
    [[nodiscard]] int statusAfter(int signal) {
        kill(process_, signal);
        int status = 0;
        waitpid(std::exchange(process_, 0), &status, 0);
        return status;
    }
    [[nodiscard]] pid_t process() const { return process_; }

    /// Waits until the program handles the signal: slow machines take time to start.
    [[nodiscard]] bool catches(int signal) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < end) {
            std::ifstream file("/proc/" + std::to_string(process_) + "/status");
            for (std::string line; std::getline(file, line);) {
                if (line.starts_with("SigCgt:") &&
                    (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0) {
                    return true;
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return false;
    }

private:
    pid_t process_ = 0;
};

TEST_F(CrashLogOfTheProgram, IsWrittenAtAnyOfTheSignals) {
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) {
        start();
        ASSERT_TRUE(catches(SIGABRT)); // the last handler that the program installs
        const pid_t number = process();
        const int status = statusAfter(signal);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
        const std::vector<CrashLog> logs = crashLogs(path("state/pollard/crashes"));
        ASSERT_EQ(logs.size(), 1U) << signal;
        EXPECT_EQ(logs.front().process, number);
        EXPECT_EQ(logs.front().program, "pollard-cli");
        std::ifstream file(logs.front().path);
        const std::string log{std::istreambuf_iterator<char>(file), {}};
        EXPECT_THAT(log, AllOf(HasSubstr("signal: " + std::to_string(signal)), HasSubstr("program: pollard-cli "),
                               HasSubstr("engines: "), HasSubstr("libraries: "), HasSubstr("backtrace:\n"),
                               Not(HasSubstr("secret"))));
    }
}

TEST_F(CrashLogOfTheProgram, IsNotWrittenWhenItWasStopped) {
    start();
    ASSERT_TRUE(catches(SIGABRT));
    EXPECT_TRUE(WIFSIGNALED(statusAfter(SIGKILL)));
    EXPECT_FALSE(std::filesystem::exists(path("state")));
}

} // namespace
} // namespace pollard::cli
