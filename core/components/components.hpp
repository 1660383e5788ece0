#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

/// Allocator for a std::vector of trivially copyable values: elements without an initial value stay uninitialised, so
/// that threads can write them first; large blocks use huge pages, see allocateBytes().
template <class T> struct UninitialisedAllocator {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

    using value_type = T;

    UninitialisedAllocator() = default;
    template <class U> explicit UninitialisedAllocator(const UninitialisedAllocator<U>& /*other*/) noexcept {}

    /// @throws std::bad_alloc
    [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(allocateBytes(count * sizeof(T))); }
    void deallocate(T* block, std::size_t count) noexcept { freeBytes(block, count * sizeof(T)); }

    template <class U> void construct(U* /*place*/) noexcept {}
    template <class U, class... Values> void construct(U* place, Values&&... values) {
        ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
    }

    bool operator==(const UninitialisedAllocator&) const = default;
};

/// How to label and measure the objects of a mask.
struct ComponentsSpec {
    Connectivity connectivity = Connectivity::four; ///< 4 or 8 of an image, 6, 18 or 26 of a volume
    std::string algorithm;    ///< name that an engine lists for kLabellingJob; empty: the engine's default
    bool labels = true;       ///< make the label image
    bool features = true;     ///< measure the objects
    std::uint32_t slices = 1; ///< the mask has the rows of all slices: row z * height + y, see thresholdMask()

    bool operator==(const ComponentsSpec&) const = default;
};

/// Raw, exact measurements of one object; all features of images are functions of this record. Sums fit 64 bits because
/// an image has fewer than 2^32 pixels, sides below 2^32 and levels below 2^16. Only sums of squares can overflow, in
/// strips of millions of pixels in length, which labelComponents() refuses to measure. In a volume, box and sums are
/// projections along z, `perimeter` and `holes` are 0, and a DepthRecord has the other measurements.
struct ComponentRecord {
    std::uint64_t area = 0; ///< px
    std::uint32_t left = 0; ///< bounding box: first and last column and row
    std::uint32_t top = 0;
    std::uint32_t right = 0;
    std::uint32_t bottom = 0;
    std::uint64_t sumX = 0; ///< over the pixels; the centre of the first pixel is (0, 0)
    std::uint64_t sumY = 0;
    std::uint64_t sumXX = 0;
    std::uint64_t sumXY = 0;
    std::uint64_t sumYY = 0;
    std::uint64_t greySum = 0; ///< over the grey image
    std::uint16_t greyMin = 0;
    std::uint16_t greyMax = 0;
    std::uint64_t perimeter = 0; ///< exposed pixel sides, including sides on the image border
    std::uint64_t holes = 0;     ///< components of the enclosed background, in the other connectivity

    [[nodiscard]] std::uint32_t width() const noexcept { return right - left + 1; }
    [[nodiscard]] std::uint32_t height() const noexcept { return bottom - top + 1; }
    [[nodiscard]] double centroidX() const noexcept { return static_cast<double>(sumX) / static_cast<double>(area); }
    [[nodiscard]] double centroidY() const noexcept { return static_cast<double>(sumY) / static_cast<double>(area); }
    [[nodiscard]] double greyMean() const noexcept { return static_cast<double>(greySum) / static_cast<double>(area); }

    bool operator==(const ComponentRecord&) const = default;
};

/// resize() leaves new records uninitialised.
using ComponentRecords = std::vector<ComponentRecord, UninitialisedAllocator<ComponentRecord>>;

/// Measurements of an object along the slices of a volume.
struct DepthRecord {
    std::uint32_t front = 0; ///< bounding box: first and last slice
    std::uint32_t back = 0;
    std::uint64_t sumZ = 0; ///< over the voxels; the centre of the first voxel is (0, 0, 0)
    std::uint64_t sumZZ = 0;
    std::uint64_t sumXZ = 0;
    std::uint64_t sumYZ = 0;
    std::uint32_t runsX = 0; ///< runs of voxels along x, which have two exposed faces each
    std::uint32_t runsY = 0;
    std::uint32_t runsZ = 0;
    std::uint32_t border = 0; ///< voxels in the first or last column, row or slice of the volume
    std::int64_t euler = 0;   ///< objects - tunnels + cavities; 0 with 18 neighbours, for which it is not computed

    [[nodiscard]] std::uint32_t slices() const noexcept { return back - front + 1; }

    bool operator==(const DepthRecord&) const = default;
};

/// All measurements of an object of a volume.
struct VolumeRecord : ComponentRecord, DepthRecord {
    bool operator==(const VolumeRecord&) const = default;
};

using DepthRecords = std::vector<DepthRecord, UninitialisedAllocator<DepthRecord>>;
using VolumeRecords = std::vector<VolumeRecord, UninitialisedAllocator<VolumeRecord>>;

/// Objects of a mask, numbered 1..count in raster order of their first pixel; or the objects of a label file, in
/// ascending order of their numbers. An image has one slice.
struct Components {
    Connectivity connectivity = Connectivity::four;
    std::uint32_t width = 0;
    std::uint32_t height = 0; ///< of a slice
    std::uint32_t slices = 1;
    std::uint32_t count = 0;
    std::uint32_t unmetMarks = 0;  ///< marks for objects of the best components that no object contains
    std::uint64_t foreground = 0;  ///< pixels in objects
    std::string algorithm;         ///< algorithm used
    Buffer<std::uint32_t> labels;  ///< (slices, height, width), 0 = background; empty if not requested
    ComponentRecords objects;      ///< object i has label i + 1; empty if not requested
    DepthRecords depths;           ///< for a volume, in the order of `objects`; empty for an image
    std::vector<double> valueSums; ///< of the grey values, in the order of `objects`; empty without sumValues()
    /// Times of the stages; a GPU measures them on the device, with "upload" and "download" for copies. Empty if there
    /// is only one stage.
    std::vector<StageTime> stages;
    double milliseconds = 0;                 ///< total wall time, including copies
    std::optional<double> expectedArea = {}; ///< of an object, px; of the best components
    /// Numbers of the objects in files and tables, in the order of `objects`; empty: their labels. They are ascending
    /// but for numbers given by hand.
    std::vector<std::uint32_t> numbers = {};
    bool hasParts = false; ///< an object of an image has several parts that do not touch

    /// The number of an object in files and tables. @param label 0: 0
    [[nodiscard]] std::uint32_t numberOf(std::uint32_t label) const noexcept {
        return numbers.empty() || label == 0 ? label : numbers[label - 1];
    }
    /// The object with a number of numberOf().
    /// @returns 0: there is none
    [[nodiscard]] std::uint32_t labelOf(std::uint32_t number) const noexcept;
    /// The largest number of an object; 0 without objects. O(objects) if they have numbers.
    [[nodiscard]] std::uint32_t largestNumber() const noexcept;

    /// Whether the objects have neighbours along the slices, and depths. A volume may have one slice.
    [[nodiscard]] bool isVolume() const noexcept { return !isPlanar(connectivity); }
    [[nodiscard]] Extent extent() const noexcept { return {width, height, slices}; }
    /// Sets `objects` and `depths`.
    void setRecords(std::span<const VolumeRecord> records);
};

/// AlgorithmInfo::job of labelling algorithms, which also measure.
inline constexpr const char* kLabellingJob = "labelling";

/// Names of the CPU's algorithms, the default first.
[[nodiscard]] std::vector<std::string> labellingAlgorithms();

/// Checks requirements common to all engines; see labelComponents().
/// @throws Error(invalidArgument) for an image of another size or other neighbours, Error(limitExceeded) if sums do not
/// fit
void requireMeasurable(const Extent& extent, const Image* grey, const ComponentsSpec& spec);

/// Size of the image of a mask. @throws Error(invalidArgument) for a mask that does not have the rows of all slices
[[nodiscard]] Extent extentOf(const Mask& mask, const ComponentsSpec& spec);

/// Labels and measures the connected components of the set pixels, on the CPU. Union-find joins runs of pixels within
/// bands of rows, then across the bands (the run-based labelling of He, Chao & Suzuki, "A run-based two-scan labeling
/// algorithm", 2008, in parallel bands). In a volume the bands are slices. Independent of the number of threads.
/// @param grey image to measure, of the mask's size; null: the grey fields are 0
/// @throws Error(invalidArgument) for an unknown algorithm, 4 or 8 neighbours in a volume, or a mask or image of
/// another size; Error(limitExceeded) for features of an image in which the number of pixels times the square of the
/// longest side exceeds 2^64; Error(outOfMemory); Cancelled
[[nodiscard]] Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                         const JobControl& control = {});

} // namespace pollard
