#include "devices.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_fallback.hpp"
#include "engine/engine_registry.hpp"

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

namespace pollard::python {

namespace {

/// Stays until the process ends: libraries of a device may be unloaded before objects of the module.
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

std::vector<Engine*> allEngines() { return registry().engines(); }

void onDevice(const std::string& device, const std::function<void(Engine&)>& job) {
    if (device == "auto") {
        onFirstThatWorks(usableEngines(registry()), job);
        return;
    }
    if (device != "cpu" && device != "cuda") {
        throw Error(ErrorCode::invalidArgument, "device: '" + device + "': unknown (there are auto, cpu, cuda)");
    }
    if (registry().find(device) == nullptr) {
        throw Error(ErrorCode::engineUnavailable, "device: " + device + ": this module is built without CUDA");
    }
    job(registry().select(device));
}

} // namespace pollard::python
