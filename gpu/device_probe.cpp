#include "device_probe.hpp"

#include "invert.cuh"

#include <cuda_runtime_api.h>

namespace pollard::cuda {

namespace {

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string whyNoDevice(cudaError_t status) {
    int driver = 0;
    int runtime = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        return "no NVIDIA driver is installed";
    }
    if (status == cudaErrorNoDevice || status == cudaSuccess) {
        return "the NVIDIA driver finds no GPU";
    }
    if (status == cudaErrorInsufficientDriver && cudaRuntimeGetVersion(&runtime) == cudaSuccess) {
        return "the NVIDIA driver knows CUDA " + versionText(driver) + ", this build needs CUDA " +
               versionText(runtime);
    }
    return std::string("the NVIDIA driver reports: ") + cudaGetErrorString(status);
}

DeviceProbe look() {
    DeviceProbe probe;
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess || count == 0) {
        probe.problem = whyNoDevice(status);
        return probe;
    }
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
        probe.problem = whyNoDevice(status);
        return probe;
    }
    probe.name = properties.name;
    probe.memoryBytes = properties.totalGlobalMem;
    const cudaError_t status = invertAvailability();
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        probe.problem = "this build has no code for compute capability " + std::to_string(properties.major) + "." +
                        std::to_string(properties.minor) + " (" + probe.name + ")";
    } else if (status != cudaSuccess) {
        probe.problem = std::string("the GPU cannot be used: ") + cudaGetErrorString(status);
    }
    return probe;
}

} // namespace

DeviceProbe probeDevice() {
    DeviceProbe probe = look();
    cudaGetLastError(); // a failed probe must not look like a failure of later work
    return probe;
}

} // namespace pollard::cuda
