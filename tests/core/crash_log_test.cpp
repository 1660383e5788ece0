#include "base/crash_log.hpp"
#include "base/system.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pollard {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CrashLogs : public ::testing::Test {
protected:
    test::TempDir root;

    [[nodiscard]] fs::path folder() const { return root / "state/pollard/crashes"; }

    /// Runs @p act in a child process with crash logs. @return its status from waitpid()
    [[nodiscard]] int statusAfter(const std::function<void()>& act) const {
        const pid_t child = fork();
        if (child == 0) {
            std::freopen((root / "err").c_str(), "w", stderr); // the system's messages about the crash
            keepCrashLogs(folder(), {"tester", "1.2.3", {"engines: cpu"}});
            act();
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        child_ = child;
        return status;
    }
    [[nodiscard]] std::string onlyLog() const {
        const std::vector<CrashLog> logs = crashLogs(folder());
        EXPECT_EQ(logs.size(), 1U);
        if (logs.empty()) {
            return {};
        }
        EXPECT_EQ(logs.front().program, "tester");
        EXPECT_EQ(logs.front().process, child_);
        EXPECT_EQ(fs::status(logs.front().path).permissions() & fs::perms(0777),
                  fs::perms::owner_read | fs::perms::owner_write);
        std::ifstream file(logs.front().path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    mutable pid_t child_ = 0;
};

/// Sanitizers end the process with their own exit code.
bool ended(int status, int signal) {
    return (WIFSIGNALED(status) && WTERMSIG(status) == signal) || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
}

TEST_F(CrashLogs, SayWhichSignalItWas) {
    const std::pair<int, const char*> signals[] = {
        {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};
    for (const auto& [number, name] : signals) {
        fs::remove_all(folder());
        const int signal = number;
        EXPECT_TRUE(ended(statusAfter([signal] { raise(signal); }), signal)) << name;
        EXPECT_THAT(onlyLog(),
                    AllOf(HasSubstr("signal: " + std::to_string(signal) + " (" + name + ")"),
                          HasSubstr("program: tester 1.2.3\n"), HasSubstr("\nsystem: "), HasSubstr("\nengines: cpu\n"),
                          HasSubstr(" UTC\n"), HasSubstr("\nbacktrace:\n"), Not(HasSubstr("exception"))));
    }
}

TEST_F(CrashLogs, HaveTheWayToAFault) {
    const int status = statusAfter([] {
        const volatile std::uintptr_t nowhere = 64;
        *reinterpret_cast<volatile int*>(nowhere) = 1;
    });
    EXPECT_TRUE(ended(status, SIGSEGV));
    const std::string log = onlyLog();
    const std::string frames = log.substr(log.find("backtrace:"));
    EXPECT_GE(std::count(frames.begin(), frames.end(), '\n'), 4) << log;
    EXPECT_THAT(frames, HasSubstr(fs::read_symlink("/proc/self/exe").filename().string()));
}

TEST_F(CrashLogs, NameTheTypeOfAnExceptionButNotItsWords) {
    const int status =
        statusAfter([] { std::thread([] { throw std::runtime_error("secret.tif: cannot be read"); }).join(); });
    EXPECT_TRUE(ended(status, SIGABRT));
    EXPECT_THAT(onlyLog(), AllOf(HasSubstr("uncaught exception: std::runtime_error\n"), HasSubstr("SIGABRT"),
                                 Not(HasSubstr("secret"))));
}

TEST_F(CrashLogs, AreWrittenOnceByManyThreads) {
    const int status = statusAfter([] {
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([] { raise(SIGSEGV); });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    });
    EXPECT_TRUE(ended(status, SIGSEGV));
    EXPECT_THAT(onlyLog(), HasSubstr("SIGSEGV"));
}

TEST_F(CrashLogs, OfAProgramThatEndsWellAreNone) {
    EXPECT_EQ(statusAfter([] {}), 0);
    EXPECT_FALSE(fs::exists(root / "state"));
    EXPECT_TRUE(crashLogs(folder()).empty());
}

TEST_F(CrashLogs, NeedNoPlaceToBeWritten) {
    std::ofstream(root / "state") << "a file where the folder would be";
    EXPECT_TRUE(ended(statusAfter([] { raise(SIGSEGV); }), SIGSEGV));
    EXPECT_TRUE(crashLogs(folder()).empty());
}

TEST_F(CrashLogs, StayFiveTheLatestFirst) {
    fs::create_directories(folder());
    const std::string foreign[] = {"notes.txt", "20261123-1-pollard-1.txt", "20261123-043000-pollard-x.txt"};
    for (const std::string& name : foreign) {
        std::ofstream(folder() / name) << "kept";
    }
    for (int i = 0; i < 8; ++i) {
        std::ofstream(folder() / ("2026112" + std::to_string(i) + "-043000-pollard-cli-" + std::to_string(i) + ".txt"));
    }
    EXPECT_EQ(statusAfter([] {}), 0);
    const std::vector<CrashLog> logs = crashLogs(folder());
    ASSERT_EQ(logs.size(), std::size_t{kMostCrashLogs});
    for (int i = 0; i < kMostCrashLogs; ++i) {
        EXPECT_EQ(logs.at(static_cast<std::size_t>(i)).process, 7 - i);
        EXPECT_EQ(logs.at(static_cast<std::size_t>(i)).program, "pollard-cli");
    }
    for (const std::string& name : foreign) {
        EXPECT_TRUE(fs::exists(folder() / name)) << name;
    }
}

/// Sets an environment variable during its lifetime.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name); before != nullptr) {
            before_ = before;
        }
        set(value);
    }
    ~Variable() { set(before_ ? before_->c_str() : nullptr); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    void set(const char* value) const { value == nullptr ? unsetenv(name_) : setenv(name_, value, 1); }

    const char* name_;
    std::optional<std::string> before_;
};

TEST(StateFolder, IsThatOfTheSpecification) {
    const Variable home("HOME", "/there");
    const std::pair<const char*, const char*> cases[] = {{"/state", "/state/pollard"},
                                                         {nullptr, "/there/.local/state/pollard"},
                                                         {"", "/there/.local/state/pollard"},
                                                         {"relative", "/there/.local/state/pollard"}};
    for (const auto& [value, expected] : cases) {
        const Variable state("XDG_STATE_HOME", value);
        EXPECT_EQ(stateFolder(), expected);
        EXPECT_EQ(crashFolder(), fs::path(expected) / "crashes");
    }
}

} // namespace
} // namespace pollard
