#include "base/crash_log.hpp"

#include "base/system.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#if defined(__unix__) && __has_include(<execinfo.h>)
#define POLLARD_CRASH_LOG
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cxxabi.h>
#include <exception>
#include <execinfo.h>
#include <fcntl.h>
#include <fstream>
#include <pthread.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <typeinfo>
#include <unistd.h>
#endif

namespace pollard {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kTimeLength = 15; ///< "20261123-043000"
constexpr const char* kSuffix = ".txt";

/// Parses "20261123-043000-pollard-cli-1234.txt": such names sort by time.
bool readName(const std::string& name, CrashLog& log) {
    const std::size_t number = name.rfind('-');
    if (!name.ends_with(kSuffix) || number == std::string::npos || number <= kTimeLength + 1) {
        return false;
    }
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const std::string time = name.substr(0, kTimeLength);
    if (!std::all_of(time.begin(), time.begin() + 8, isDigit) || time[8] != '-' ||
        !std::all_of(time.begin() + 9, time.end(), isDigit) || name[kTimeLength] != '-') {
        return false;
    }
    log.program = name.substr(kTimeLength + 1, number - kTimeLength - 1);
    const char* end = name.data() + name.size() - std::char_traits<char>::length(kSuffix);
    const auto [stop, error] = std::from_chars(name.data() + number + 1, end, log.process);
    return error == std::errc() && stop == end;
}

} // namespace

fs::path crashFolder() { return stateFolder() / "crashes"; }

std::vector<CrashLog> crashLogs(const fs::path& folder) {
    std::vector<CrashLog> logs;
    std::error_code ignored;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored)) {
        CrashLog log{it->path(), {}, 0};
        if (readName(it->path().filename().string(), log)) {
            logs.push_back(std::move(log));
        }
    }
    std::sort(logs.begin(), logs.end(),
              [](const CrashLog& a, const CrashLog& b) { return a.path.filename() > b.path.filename(); });
    return logs;
}

#ifdef POLLARD_CRASH_LOG

namespace {

struct HandledSignal {
    int signal;
    const char* name;
};
constexpr std::array kHandledSignals{HandledSignal{SIGSEGV, "SIGSEGV"}, HandledSignal{SIGBUS, "SIGBUS"},
                                     HandledSignal{SIGFPE, "SIGFPE"}, HandledSignal{SIGILL, "SIGILL"},
                                     HandledSignal{SIGABRT, "SIGABRT"}};
constexpr int kMostFrames = 128;

/// All data of the signal handlers, allocated in advance.
struct HandlerData {
    std::array<char, 3072> folder;
    std::array<char, 128> program;
    std::array<char, 2048> facts;
    std::array<char, 256> exception; ///< type of the uncaught exception; empty: none
    std::array<struct sigaction, kHandledSignals.size()> before;
    std::atomic<std::uintptr_t> writer; ///< thread that writes the log; 0: none
    alignas(16) std::array<char, 65536> stack;
};
HandlerData
    handlerData; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a signal handler has no arguments

template <std::size_t N> void keep(std::array<char, N>& place, std::string_view text) {
    const std::size_t length = std::min(text.size(), N - 1);
    text.copy(place.data(), length);
    place.at(length) = '\0';
}

/// Text in a fixed buffer; appending stops when it is full.
template <std::size_t N> class SafeText {
public:
    SafeText& operator<<(const char* text) noexcept {
        for (; *text != '\0' && length_ + 1 < N; ++text) {
            text_[length_++] = *text; // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index): at() throws
        }
        return *this;
    }
    /// Appends a number >= 0 with at least @p digits digits.
    SafeText& number(long value, int digits = 1) noexcept {
        std::array<char, 24> reversed{};
        int count = 0;
        while ((value > 0 || count < digits) && count < 20) {
            reversed[static_cast<std::size_t>(count++)] = static_cast<char>('0' + value % 10);
            value /= 10;
        }
        while (count > 0) {
            const char digit[2] = {reversed[static_cast<std::size_t>(--count)], '\0'};
            *this << digit;
        }
        return *this;
    }
    [[nodiscard]] char* data() noexcept { return text_.data(); }
    void writeTo(int file) const noexcept {
        for (std::size_t done = 0; done < length_;) {
            const ssize_t written = write(file, text_.data() + done, length_ - done);
            if (written <= 0) {
                return;
            }
            done += static_cast<std::size_t>(written);
        }
    }

private:
    std::array<char, N> text_{};
    std::size_t length_ = 0;
};

/// Appends the current date and time in UTC with the given separators.
template <std::size_t N> void addTime(SafeText<N>& text, const char* inDate, const char* between, const char* inTime) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const std::chrono::sys_seconds time{std::chrono::seconds(now.tv_sec)};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    text.number(static_cast<int>(date.year()), 4) << inDate;
    text.number(static_cast<unsigned>(date.month()), 2) << inDate;
    text.number(static_cast<unsigned>(date.day()), 2) << between;
    text.number(clock.hours().count(), 2) << inTime;
    text.number(clock.minutes().count(), 2) << inTime;
    text.number(clock.seconds().count(), 2);
}

/// Creates the file of a new log, with its parent folders.
int openLog() noexcept {
    SafeText<4096> path;
    path << handlerData.folder.data() << "/";
    addTime(path, "", "-", "");
    path << "-" << handlerData.program.data() << "-";
    path.number(getpid()) << kSuffix;
    for (char* slash = std::strchr(path.data() + 1, '/'); slash != nullptr; slash = std::strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path.data(), 0700);
        *slash = '/';
    }
    return open(path.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

void writeLog(int signal, int file) noexcept {
    SafeText<4096> text;
    text << "The program crashed. This file stays on this computer unless you pass it on.\n\ntime: ";
    addTime(text, "-", " ", ":");
    text << " UTC\nsignal: ";
    text.number(signal);
    for (const HandledSignal& handled : kHandledSignals) {
        if (handled.signal == signal) {
            text << " (" << handled.name << ")";
        }
    }
    if (handlerData.exception.front() != '\0') {
        text << "\nuncaught exception: " << handlerData.exception.data();
    }
    text << "\n" << handlerData.facts.data() << "\nbacktrace:\n";
    text.writeTo(file);
    std::array<void*, kMostFrames> frames{};
    backtrace_symbols_fd(frames.data(), backtrace(frames.data(), kMostFrames), file);
}

void restoreHandlers() noexcept {
    for (std::size_t i = 0; i < kHandledSignals.size(); ++i) {
        sigaction(kHandledSignals[i].signal, &handlerData.before[i], nullptr); // NOLINT(*-constant-array-index)
    }
}

/// Blocks until the thread that crashed first ends the process.
[[noreturn]] void waitForTheEnd() noexcept {
    while (true) {
        pause();
    }
}

extern "C" void onCrash(int signal, siginfo_t* info, void* /*context*/) {
    const auto self = static_cast<std::uintptr_t>(pthread_self());
    std::uintptr_t writer = 0;
    if (!handlerData.writer.compare_exchange_strong(writer, self)) {
        if (writer != self) {
            waitForTheEnd();
        }
    } else if (const int file = openLog(); file >= 0) {
        writeLog(signal, file);
        close(file);
    }
    restoreHandlers();
    const bool comesBack = info->si_code > 0; // a processor fault recurs on return
    if (!comesBack) {
        raise(signal);
    }
}

[[noreturn]] void onTerminate() {
    if (const std::type_info* type = abi::__cxa_current_exception_type(); type != nullptr) {
        int failed = 0;
        char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed);
        keep(handlerData.exception, failed == 0 && name != nullptr ? name : type->name());
        std::free(name);
    }
    std::abort();
}

std::string driverLine() {
    std::ifstream driver("/proc/driver/nvidia/version");
    std::string line;
    return std::getline(driver, line) ? "NVIDIA driver: " + line + '\n' : std::string();
}

std::string textOf(const ProgramFacts& facts) {
    std::string text = "program: " + facts.name + ' ' + facts.version + '\n';
    if (utsname system{}; uname(&system) == 0) {
        text += std::string("system: ") + system.sysname + ' ' + system.release + ' ' + system.machine + '\n';
    }
    text += driverLine();
    for (const std::string& line : facts.lines) {
        text += line + '\n';
    }
    return text;
}

void removeOldLogs(const fs::path& folder) {
    const std::vector<CrashLog> logs = crashLogs(folder);
    std::error_code ignored;
    for (std::size_t i = kMostCrashLogs; i < logs.size(); ++i) {
        fs::remove(logs[i].path, ignored);
    }
}

} // namespace

void keepCrashLogs(const fs::path& folder, const ProgramFacts& facts) {
    if (!folder.is_absolute() || folder.string().size() >= handlerData.folder.size()) {
        return;
    }
    removeOldLogs(folder);
    keep(handlerData.folder, folder.string());
    keep(handlerData.program, facts.name);
    keep(handlerData.facts, textOf(facts));
    void* frame = nullptr;
    backtrace(&frame, 1); // loads libgcc, which needs the heap and so cannot happen in the handler

    stack_t stack{};
    if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) { // otherwise a stack is already set
        stack.ss_sp = handlerData.stack.data();
        stack.ss_size = handlerData.stack.size();
        stack.ss_flags = 0;
        sigaltstack(&stack, nullptr);
    }
    struct sigaction action {};
    action.sa_sigaction = onCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kHandledSignals.size(); ++i) {
        sigaction(kHandledSignals.at(i).signal, &action, &handlerData.before.at(i));
    }
    std::set_terminate(onTerminate);
}

#else

void keepCrashLogs(const fs::path& /*folder*/, const ProgramFacts& /*facts*/) {}

#endif

} // namespace pollard
