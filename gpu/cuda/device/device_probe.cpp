#include "cuda/device/device_probe.hpp"

#include "cuda/device/cuda_error.hpp"

#include <cuda_runtime_api.h>

namespace pollard::cuda {

namespace {

/// Results of the CUDA queries of the probe, real or injected by a test.
struct Findings {
    int driverVersion = 0;
    int runtimeVersion = 0;
    cudaError_t counted = cudaSuccess;
    int deviceCount = 0;
    cudaError_t described = cudaSuccess;
    cudaDeviceProp properties{};
    cudaError_t ran = cudaSuccess;
};

Findings ask(int device) {
    Findings found;
    if (cudaDriverGetVersion(&found.driverVersion) != cudaSuccess) {
        found.driverVersion = 0;
    }
    if (cudaRuntimeGetVersion(&found.runtimeVersion) != cudaSuccess) {
        found.runtimeVersion = 0;
    }
    found.counted = cudaGetDeviceCount(&found.deviceCount);
    if (found.counted == cudaSuccess && device < found.deviceCount) {
        found.described = cudaGetDeviceProperties(&found.properties, device);
        if (found.described == cudaSuccess) {
            found.ran = cudaSetDevice(device);
        }
        if (found.described == cudaSuccess && found.ran == cudaSuccess) {
            found.ran = tryKernel();
        }
    }
    return found;
}

void applyFault(ProbeFault fault, Findings& found) {
    constexpr int kOldDriver = 11040;
    if (fault == ProbeFault::none) {
        return;
    }
    found.driverVersion = found.runtimeVersion;
    found.counted = cudaSuccess;
    found.deviceCount = 1;
    found.described = cudaSuccess;
    found.ran = cudaSuccess;
    switch (fault) {
    case ProbeFault::noDriver:
        found.driverVersion = 0;
        found.counted = cudaErrorInsufficientDriver;
        break;
    case ProbeFault::noDevice:
        found.counted = cudaErrorNoDevice;
        break;
    case ProbeFault::driverTooOld:
        found.driverVersion = kOldDriver;
        found.counted = cudaErrorInsufficientDriver;
        break;
    case ProbeFault::busy:
        found.ran = cudaErrorDevicesUnavailable;
        break;
    case ProbeFault::noCode:
        found.ran = cudaErrorNoKernelImageForDevice;
        break;
    case ProbeFault::none:
        break;
    }
}

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string whyNoDevice(const Findings& found, cudaError_t status) {
    if (found.driverVersion == 0) {
        return "no NVIDIA driver is installed";
    }
    if (status == cudaErrorNoDevice || status == cudaSuccess) {
        return "the NVIDIA driver finds no GPU";
    }
    if (status == cudaErrorInsufficientDriver) {
        return "the NVIDIA driver supports CUDA " + versionText(found.driverVersion) + ", this build needs CUDA " +
               versionText(found.runtimeVersion);
    }
    return std::string("the NVIDIA driver reports: ") + cudaGetErrorString(status);
}

std::string whyNoKernel(const Findings& found) {
    const std::string name = found.properties.name;
    switch (found.ran) {
    case cudaSuccess:
        return {};
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
        return "this build has no code for compute capability " + std::to_string(found.properties.major) + "." +
               std::to_string(found.properties.minor) + (name.empty() ? std::string() : " (" + name + ")");
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
        return "the GPU is busy: another process has it for itself, or it is closed to programs";
    case cudaErrorMemoryAllocation:
        return "the GPU has no free memory even to start: other programs use it all";
    default:
        return std::string("the GPU cannot be used: ") + cudaGetErrorString(found.ran);
    }
}

} // namespace

DeviceProbe probeDevice(int device) {
    Findings found = ask(device);
    applyFault(faults::probe, found);
    cudaGetLastError(); // a failed probe must not look like a failure of later work

    DeviceProbe probe;
    if (found.counted != cudaSuccess || found.deviceCount == 0) {
        probe.problem = whyNoDevice(found, found.counted);
        return probe;
    }
    if (device >= found.deviceCount) {
        probe.problem = "there is no GPU " + std::to_string(device) + "; the NVIDIA driver finds " +
                        std::to_string(found.deviceCount) + ", numbered from 0";
        return probe;
    }
    if (found.described != cudaSuccess) {
        probe.problem = whyNoDevice(found, found.described);
        return probe;
    }
    probe.name = found.properties.name;
    probe.memoryBytes = found.properties.totalGlobalMem;
    probe.problem = whyNoKernel(found);
    return probe;
}

int countDevices() noexcept {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return count;
}

void chooseDevice(int device) { check(cudaSetDevice(device), "choose GPU " + std::to_string(device)); }

} // namespace pollard::cuda
