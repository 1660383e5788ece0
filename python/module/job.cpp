#include "job.hpp"

#include "bindings.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

namespace pollard::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

/// The job that the thread has entered last, and not left.
thread_local Job* jobOfThread = nullptr;

/// Never destroyed: libraries of a device may be unloaded before objects of the module.
EngineRegistry& registry() {
    static auto* const engines = [] {
        auto* made = new EngineRegistry(makeCpuEngine());
#ifdef POLLARD_WITH_CUDA
        made->add(makeCudaEngine());
#endif
        return made;
    }();
    return *engines;
}

} // namespace

void Job::enter() {
    if (jobOfThread == this || outer_ != nullptr) {
        throw Error(ErrorCode::invalidArgument, "job: is entered already");
    }
    outer_ = std::exchange(jobOfThread, this);
}

void Job::leave() {
    if (jobOfThread != this) {
        throw Error(ErrorCode::invalidArgument, "job: is left by the thread that entered it last");
    }
    jobOfThread = std::exchange(outer_, nullptr);
}

JobControl::ProgressFunction progressOfJob() {
    Job* const job = jobOfThread;
    if (job == nullptr) {
        return {};
    }
    job->report(0);
    return [job](double fraction, std::string_view /*stage*/) { job->report(fraction); };
}

void runStoppable(std::size_t pixels, const std::function<void(const std::stop_token&)>& work) {
    std::optional<py::error_already_set> interrupt;
    std::exception_ptr failure;
    const std::stop_token cancelled = jobOfThread == nullptr ? std::stop_token() : jobOfThread->stop();
    JobControl(cancelled).throwIfStopped();
    {
        const py::gil_scoped_release released;
        if (pixels < kQuickJob) {
            work({});
            return;
        }
        std::stop_source stop;
        const std::stop_callback pass(cancelled, [&] { stop.request_stop(); });
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

std::vector<Engine*> allEngines() { return registry().engines(); }

std::vector<Engine*> enginesNamed(const std::string& device) {
    if (device == "auto") {
        return usableEngines(registry());
    }
    if (device != "cpu" && device != "cuda") {
        throw Error(ErrorCode::invalidArgument, "device: '" + device + "': unknown (there are auto, cpu, cuda)");
    }
    if (registry().find(device) == nullptr) {
        throw Error(ErrorCode::engineUnavailable, "device: " + device + ": this module is built without CUDA");
    }
    return {&registry().select(device)};
}

void onDevice(const std::string& device, const std::function<void(Engine&)>& job) {
    onFirstThatWorks(enginesNamed(device), job);
}

void bindJobs(py::module_& module) {
    static PyObject* const cancelled = PyErr_NewException("pollard_morphology.Cancelled", nullptr, nullptr);
    module.add_object("Cancelled", py::handle(cancelled));
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) {
                std::rethrow_exception(thrown);
            }
        } catch (const Cancelled&) {
            PyErr_SetString(cancelled, "job: is cancelled");
        }
    });
    py::class_<Job>(module, "Job")
        .def(py::init())
        .def("enter", &Job::enter)
        .def("leave", &Job::leave)
        .def("cancel", &Job::cancel)
        .def_property_readonly("cancelled", [](const Job& job) { return job.stop().stop_requested(); })
        .def_property_readonly("progress", &Job::progress);
}

} // namespace pollard::python
