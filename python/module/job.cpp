#include "job.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <thread>

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

namespace pollard::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

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

} // namespace pollard::python
