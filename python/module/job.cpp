#include "job.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <thread>

namespace pollard::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

} // namespace

void runStoppable(std::size_t pixels, const std::function<void(const std::stop_token&)>& work) {
    std::optional<py::error_already_set> interrupt;
    std::exception_ptr failure;
    {
        const py::gil_scoped_release released;
        if (pixels < kQuickJob) {
            work({});
            return;
        }
        std::stop_source stop;
        std::binary_semaphore done(0);
        const std::jthread worker([&] {
            try {
                work(stop.get_token());
            } catch (...) {
                failure = std::current_exception();
            }
            done.release();
        });
        while (!done.try_acquire_for(kLookEvery)) {
            const py::gil_scoped_acquire held;
            if (!interrupt && PyErr_CheckSignals() != 0) {
                interrupt.emplace();
                stop.request_stop();
            }
        }
    }
    if (interrupt) {
        throw py::error_already_set(*interrupt);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

} // namespace pollard::python
