#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Common interface of all algorithms that find objects on the GPU. A row in the table of labelling.cpp adds one to the
// engine and to `bench`.

namespace pollard::cuda {

/// Input of an algorithm, all in device memory and of one size.
struct LabellingInput {
    DeviceMask mask;                                ///< of the rows of all slices
    std::optional<DeviceImage> grey;                ///< 8 or 16 bits; none: the grey fields of records are 0
    Connectivity connectivity = Connectivity::four; ///< of volumes only if LabellingAlgorithm::takesVolumes
    bool labels = true;                             ///< make the label image
    bool features = true;                           ///< measure the objects; their sums fit, see requireMeasurable()

    /// Predicted number of objects, with a margin; 0: no prediction. An algorithm that uses it need not wait for the
    /// number of objects while the device works, and allocates this many records.
    std::uint32_t expectedObjects = 0;
    std::uint32_t expectedParts = 0; ///< prediction of DeviceComponents::parts

    /// Pinned host memory that kernels can write, for counts read before all work is done.
    void* pinned = nullptr;
    static constexpr std::size_t kPinnedBytes = 256;

    /// Levels to make the mask from first; only if LabellingAlgorithm::takesLevels.
    std::optional<MaskedLevels> levels{};

    /// Buffer of records that the algorithm may take over, such as the buffer of the last image: a new allocation may
    /// take longer than measuring. May be null.
    DeviceBuffer<ComponentRecord>* kept = nullptr;

    std::uint32_t slices = 1;

    [[nodiscard]] Extent extent() const noexcept { return {mask.width, mask.height / slices, slices}; }
};

/// Output of an algorithm, equal bit for bit to labelComponents() of core/components.
struct DeviceComponents {
    std::uint32_t count = 0;                    ///< number of objects, known on the host
    std::uint64_t foreground = 0;               ///< pixels of all objects, known on the host
    DeviceBuffer<std::uint32_t> labels;         ///< (slices, height, width) without padding: 0, or 1 .. count in raster
                                                ///< order of the objects' first pixels; empty if not requested
    DeviceBuffer<ComponentRecord> records;      ///< record i belongs to label i + 1; at least `count` records, the rest
                                                ///< undefined; empty in volumes, if not requested or without objects
    std::uint32_t parts = 0;                    ///< LabellingInput::expectedParts of the next call
    DeviceBuffer<VolumeRecord> volumeRecords{}; ///< the same as `records` in volumes
};

/// An algorithm that finds objects.
struct LabellingAlgorithm {
    std::string_view name;   ///< "strips"
    std::string_view source; ///< paper or "Pollard"
    bool takesLevels;        ///< can make the mask from levels itself
    bool takesVolumes;       ///< works on volumes too

    /// Peak device memory of run(), bytes, with the label image, without the input and without memory that depends on
    /// the number of objects (records).
    /// @param grey whether there is a grey image
    /// @throws as run()
    std::uint64_t (*estimateBytes)(const Extent& extent, const ComponentsSpec& spec, bool grey);

    /// Queues the work on the memory's stream and records its stages in the clock. It may wait (readBack()) for the
    /// number of objects; on return, later work may still be queued.
    /// @throws Error(outOfMemory), Error(deviceFailed), Error(limitExceeded) or, in volumes, Error(engineUnavailable)
    /// for an unsupported size; Cancelled
    DeviceComponents (*run)(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                            const JobControl& control);
};

/// All algorithms, the default first.
[[nodiscard]] std::span<const LabellingAlgorithm> labellingAlgorithms() noexcept;
/// @param name empty: the default
/// @throws Error(invalidArgument) for an unknown name
[[nodiscard]] const LabellingAlgorithm& labellingAlgorithmNamed(const std::string& name);

/// Queues a ThresholdPass, which makes a mask from levels. Allocates nothing and does not wait.
cudaError_t launchThreshold(const MaskedLevels& levels, cudaStream_t stream);

} // namespace pollard::cuda
