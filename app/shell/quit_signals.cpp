#include "shell/quit_signals.hpp"

#include <QSocketNotifier>

#ifndef _WIN32
#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>
#endif

namespace pollard::app {

#ifdef _WIN32

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {}
QuitSignals::~QuitSignals() = default;
void QuitSignals::read() {}

#else

namespace {

constexpr std::array kNumbers{SIGTERM, SIGINT, SIGHUP};

volatile std::sig_atomic_t writerEnd = -1;

extern "C" void passOn(int number) {
    const int error = errno;
    const auto byte = static_cast<unsigned char>(number);
    static_cast<void>(!write(writerEnd, &byte, 1)); // a full pipe contains a signal already
    errno = error;
}

} // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return; // signals end the program immediately
    }
    reader_ = ends[0];
    writerEnd = ends[1];
    auto* notifier = new QSocketNotifier(reader_, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &QuitSignals::read);
    for (const int number : kNumbers) {
        struct sigaction before {};
        struct sigaction action {};
        action.sa_handler = passOn;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(number, &action, nullptr);
        }
    }
}

QuitSignals::~QuitSignals() {
    if (reader_ < 0) {
        return;
    }
    for (const int number : kNumbers) {
        struct sigaction present {};
        if (sigaction(number, nullptr, &present) == 0 && present.sa_handler == passOn) {
            present.sa_handler = SIG_DFL;
            sigaction(number, &present, nullptr);
        }
    }
    close(writerEnd);
    close(reader_);
    writerEnd = -1;
}

void QuitSignals::read() {
    unsigned char byte = 0;
    if (::read(reader_, &byte, 1) == 1) {
        emit raised(byte);
    }
}

#endif

} // namespace pollard::app
