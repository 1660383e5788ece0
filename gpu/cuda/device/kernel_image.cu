#include "cuda/device/device_probe.hpp"

namespace pollard::cuda {

namespace {

__global__ void nothingKernel() {}

} // namespace

cudaError_t tryKernel() {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (status != cudaSuccess) {
        return status;
    }
    nothingKernel<<<1, 1, 0, stream>>>();
    status = cudaGetLastError();
    const cudaError_t ran = cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return status != cudaSuccess ? status : ran;
}

} // namespace pollard::cuda
