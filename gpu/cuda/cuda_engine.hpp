#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace pollard {

/// The engine on an NVIDIA GPU, on any machine: the engine itself reports whether and why it cannot be used, also if
/// there is no GPU of this number. The device is probed on the first query, not here. Streams of images and of
/// objects take the first GPU.
/// @param device number in the order of CUDA
[[nodiscard]] std::unique_ptr<Engine> makeCudaEngine(int device = 0);

/// Number of GPUs that the driver shows to this process; 0 without a driver.
[[nodiscard]] int countCudaDevices() noexcept;

} // namespace pollard
