#pragma once

#include "components/objects/object_stream.hpp"

#include <memory>
#include <vector>

namespace pollard::cuda {

/// Workers for CudaEngine::streamObjects(), each with a stream, pinned chunks and device memory of its own, which it
/// keeps from frame to frame: while the GPU works on one frame, the copies of others run. A frame is copied to pinned
/// memory and to the device; threshold, labels and records are made there; then the label image, if it is asked for,
/// and exactly as many records as there are objects are copied back. Their number is known before the work ends, so
/// that nothing is guessed.
/// @param inFlight frames at a time; three keep both copy engines and the kernels busy, so there are no more
/// @param threads of the host that copy to and from pinned memory, of all workers; 0 = all cores
/// @throws Error(invalidArgument) for an unknown algorithm
[[nodiscard]] std::vector<std::unique_ptr<FrameWorker>> makeDeviceFrameWorkers(const ComponentsSpec& spec, int inFlight,
                                                                               int threads);

} // namespace pollard::cuda
