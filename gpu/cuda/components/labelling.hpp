#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/stage_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// What all algorithms that find objects on the GPU have in common. One more takes part when a row of the table in
// labelling.cpp names it: then the engine lists and runs it, and `bench` takes it in.

namespace pollard::cuda {

/// What an algorithm works on, all of it in device memory and of one size.
struct LabellingInput {
    DeviceMask mask;
    std::optional<DeviceImage> grey; ///< 8 or 16 bits; none: the grey fields of records are 0
    Connectivity connectivity = Connectivity::four;
    bool labels = true;   ///< make the label image
    bool features = true; ///< measure; the sums are known to fit, see requireMeasurable()

    /// What was found in a picture like this, and a margin; 0: nothing is expected. An algorithm that makes use of it
    /// need not wait for the number of objects while the device works, and holds so much room for records.
    std::uint32_t expectedObjects = 0;
    std::uint32_t expectedParts = 0; ///< DeviceComponents::parts

    /// Pinned memory of the host that kernels can write, for counts that are needed before all work is done.
    void* pinned = nullptr;
    static constexpr std::size_t kPinnedBytes = 256;

    /// The mask is to be made of these first; only where LabellingAlgorithm::takesLevels says so.
    std::optional<MaskedLevels> levels{};

    /// Memory for records that may be taken, such as the last picture's: taken anew it may have to be put together from
    /// pieces, which takes longer than measuring. Null: there is none.
    DeviceBuffer<ComponentRecord>* kept = nullptr;
};

/// What it makes: the same, bit for bit, as labelComponents() of core/components.
struct DeviceComponents {
    std::uint32_t count = 0;               ///< of objects, known on the host
    std::uint64_t foreground = 0;          ///< pixels of all objects, known on the host
    DeviceBuffer<std::uint32_t> labels;    ///< (height, width) without padding: 0, or 1 .. count in raster order of the
                                           ///< objects' first pixels; empty if not asked for
    DeviceBuffer<ComponentRecord> records; ///< record i is of label i + 1; `count` of them or more, the rest is not
                                           ///< looked at; empty if not asked for or there are no objects
    std::uint32_t parts = 0;               ///< what LabellingInput::expectedParts is told the next time
};

/// An algorithm that finds objects.
struct LabellingAlgorithm {
    std::string_view name;   ///< "strips"
    std::string_view source; ///< paper or "Pollard"
    bool takesLevels;        ///< makes masks of levels by itself

    /// Most bytes of device memory that run() holds at once, the label image included; its input not, nor what depends
    /// on the number of objects (records): that is taken when it is known.
    /// @param grey whether there is a grey image
    std::uint64_t (*estimateBytes)(std::uint32_t width, std::uint32_t height, const ComponentsSpec& spec, bool grey);

    /// Queues the work on the memory's stream and files its stages with the clock. It may wait (readBack() of
    /// tree/read_back.hpp) to learn how many objects there are; when it returns, the rest of the work may be queued
    /// still.
    /// @throws Error(outOfMemory), Error(deviceFailed), Error(limitExceeded) for a size it cannot take; Cancelled
    DeviceComponents (*run)(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                            const JobControl& control);
};

/// All of them, the default first.
[[nodiscard]] std::span<const LabellingAlgorithm> labellingAlgorithms() noexcept;
/// @param name empty: the default
/// @throws Error(invalidArgument) for an unknown one
[[nodiscard]] const LabellingAlgorithm& labellingAlgorithmNamed(const std::string& name);

} // namespace pollard::cuda
