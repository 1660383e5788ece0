#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "base/uninitialised_allocator.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

/// How the pixels of a mask are to be made objects.
struct ComponentsSpec {
    Connectivity connectivity = Connectivity::four;
    std::string algorithm; ///< one of those an engine lists for the job kLabellingJob; empty = the engine's default
    bool labels = true;    ///< make the label image
    bool features = true;  ///< measure the objects

    bool operator==(const ComponentsSpec&) const = default;
};

/// Measurements of one object, raw and exact: whatever can be derived from them is a function of this record. The sums
/// cannot overflow: an image has less than 2^32 pixels, sides below 2^32 and levels below 2^16. Only the sums of
/// squares can, in strips of millions of pixels in length, and labelComponents() refuses to measure in these.
struct ComponentRecord {
    std::uint64_t area = 0; ///< px
    std::uint32_t left = 0; ///< bounding box, first and last column and row
    std::uint32_t top = 0;
    std::uint32_t right = 0;
    std::uint32_t bottom = 0;
    std::uint64_t sumX = 0; ///< over the pixels; the centre of the first pixel is (0, 0)
    std::uint64_t sumY = 0;
    std::uint64_t sumXX = 0;
    std::uint64_t sumXY = 0;
    std::uint64_t sumYY = 0;
    std::uint64_t greySum = 0; ///< of the grey image
    std::uint16_t greyMin = 0;
    std::uint16_t greyMax = 0;
    std::uint64_t perimeter = 0; ///< exposed pixel sides, those on the image's border too
    std::uint64_t holes = 0;     ///< components of what the object encloses, by the other connectivity

    [[nodiscard]] std::uint32_t width() const noexcept { return right - left + 1; }
    [[nodiscard]] std::uint32_t height() const noexcept { return bottom - top + 1; }
    [[nodiscard]] double centroidX() const noexcept { return static_cast<double>(sumX) / static_cast<double>(area); }
    [[nodiscard]] double centroidY() const noexcept { return static_cast<double>(sumY) / static_cast<double>(area); }
    [[nodiscard]] double greyMean() const noexcept { return static_cast<double>(greySum) / static_cast<double>(area); }

    bool operator==(const ComponentRecord&) const = default;
};

/// resize() leaves new records unwritten.
using ComponentRecords = std::vector<ComponentRecord, UninitialisedAllocator<ComponentRecord>>;

/// Objects of a mask, numbered 1..count in raster order of their first pixel.
struct Components {
    Connectivity connectivity = Connectivity::four;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t count = 0;
    std::uint64_t foreground = 0; ///< pixels of all objects
    std::string algorithm;        ///< that made them
    Buffer<std::uint32_t> labels; ///< (height, width), 0 = background; empty if not asked for
    ComponentRecords objects;     ///< object i has the label i + 1; empty if not asked for
    /// Parts of the work; on a GPU as the device measures them, copies to and from it as "upload" and "download". Empty
    /// if it is not split.
    std::vector<StageTime> stages;
    double milliseconds = 0; ///< wall time of everything, copies included
};

/// The job of labelling algorithms in AlgorithmInfo::job; they measure what they label.
inline constexpr const char* kLabellingJob = "labelling";

/// Names of the algorithms of the CPU, the default first.
[[nodiscard]] std::vector<std::string> labellingAlgorithms();

/// What no engine can do with a mask of this size: an image of another size, or sums that do not fit; see
/// labelComponents().
/// @throws Error(invalidArgument), Error(limitExceeded)
void requireMeasurable(std::uint32_t width, std::uint32_t height, const Image* grey, const ComponentsSpec& spec);

/// Finds the connected components of the set pixels and measures them, on the CPU. Runs of pixels are joined by
/// union-find in bands of rows, then across the bands (the run-based labelling of He, Chao & Suzuki, "A run-based
/// two-scan labeling algorithm", 2008, cut into bands). Parallel; the same result for any number of threads.
/// @param grey image whose levels are measured, of the mask's size; null: the grey fields stay 0
/// @throws Error(invalidArgument) for an unknown algorithm or an image of another size, Error(limitExceeded) for
///         features of an image in which the number of pixels times the square of the longer side reaches 2^64,
///         Error(outOfMemory); Cancelled
[[nodiscard]] Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                         const JobControl& control = {});

} // namespace pollard
