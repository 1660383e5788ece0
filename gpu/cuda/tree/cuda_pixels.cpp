#include "cuda/tree/cuda_pixels.hpp"

namespace pollard::cuda {

ReadOrder::ReadOrder(cudaStream_t owner) : owner_(owner) { ready_.record(owner); }

ReadOrder::~ReadOrder() {
    if (read_.load(std::memory_order_acquire)) {
        try {
            consumed_.makeWait(owner_);
        } catch (...) { // the device is lost, and its memory with it
        }
    }
}

void ReadOrder::makeWait(cudaStream_t reader) const { ready_.makeWait(reader); }

void ReadOrder::markRead(cudaStream_t reader) const {
    consumed_.record(reader);
    read_.store(true, std::memory_order_release);
}

} // namespace pollard::cuda
