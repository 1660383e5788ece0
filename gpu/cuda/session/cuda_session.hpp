#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/session/built_tree.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "engine/device_pixels.hpp"
#include "engine/engine.hpp"
#include "image/volume_plane.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cuda {

/// Session of the CUDA engine. The image, the tree, the attributes used by filters, and frames are in device memory;
/// the host fetches the tree and attributes on demand (see BuiltTree).
class CudaSession final : public Session, public DeviceArrays, public TimedParts {
public:
    /// @param device number of the GPU. Every call makes it current for the calling thread.
    /// @throws Error(deviceFailed)
    explicit CudaSession(const SessionOptions& options, int device = 0);

    void openArray(const DeviceArray& pixels, const VoxelSides& sides) override;
    /// @throws Error(outOfMemory), Error(deviceFailed) when it fetches the tree, on the first call after buildTree()
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override;
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override;
    [[nodiscard]] DeviceArray filteredArray(const FilterSpec& spec, const JobControl& control) override;
    [[nodiscard]] DeviceLabelArray labelledArray(const FilterSpec& spec, const JobControl& control) override;
    void fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& control) override;
    [[nodiscard]] std::shared_ptr<const DevicePixels> deviceNodes() const override;
    [[nodiscard]] AttributePlane plane(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                       const JobControl& control) override;
    [[nodiscard]] PatternSpectrum spectrum(AttributeId id, const BinSpec& spec, const JobControl& control) override;
    [[nodiscard]] PatternSpectrum2d spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                               const BinSpec& specY, const JobControl& control) override;
    [[nodiscard]] std::vector<StageTime> takeTransferStages() override { return transfers_.takeTimes(); }
    [[nodiscard]] std::vector<StageTime> timeParentImage(const TreeSpec& spec, const JobControl& control) override;
    /// Largest need of device memory over all algorithms, bytes.
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override;
    /// Smaller than the largest need in volumes, since that is far above the usual need.
    [[nodiscard]] std::uint64_t leastTreeBytes(const Image& image) const override;

    /// Memory of the session's device data.
    [[nodiscard]] const DeviceMemory& memory() const noexcept { return *memory_; }

protected:
    void setImage(std::shared_ptr<const Image> image) override;
    TreeReport build(const TreeSpec& spec, const JobControl& control) override;
    FilterReport runFilter(const FilterSpec& spec, Image& out, const JobControl& control) override;
    FilterReport runPlaneFilter(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                                const JobControl& control) override;
    [[nodiscard]] LabelImage label(const FilterSpec& spec, const JobControl& control) override;
    [[nodiscard]] std::optional<FilterReport> runFilterOnDevice(const FilterSpec& spec,
                                                                const JobControl& control) override;
    [[nodiscard]] std::shared_ptr<const DeviceFrame> lastFrame() const override { return last_.frame; }

private:
    [[nodiscard]] BuiltTree& requireTree(const char* operation) const;
    /// A filtered image or volume; `frame` is null before the first one.
    struct Filtered {
        std::shared_ptr<const CudaFrame> frame;
        FilterSpec spec;
        FilterReport report;
    };
    /// Filters on the device.
    [[nodiscard]] Filtered decide(const FilterSpec& spec, const JobControl& control) const;
    /// Filters on the device unless the last filtered image has this spec; then returns that.
    [[nodiscard]] Filtered decideOnce(const FilterSpec& spec, const JobControl& control) const;
    /// Opens an image whose pixels are in @p pixels.
    void take(std::shared_ptr<const DeviceBuffer<std::byte>> pixels, PixelType type, const Extent& extent,
              const VoxelSides& sides);
    /// Queues work that writes a frame of this session.
    [[nodiscard]] DeviceBuffer<std::byte> gathered(const CudaFrame& frame) const;
    [[nodiscard]] DeviceLabels labelled(const FilterSpec& spec, const JobControl& control);
    /// Waits for the values and shares them.
    template <class T> [[nodiscard]] DeviceArray shared(DeviceBuffer<T> values, TexelType type) const;
    /// Writes a frame of this session to @p out. @return device time
    [[nodiscard]] std::vector<StageTime> fetch(const CudaFrame& frame, Image& out, const JobControl& control);
    [[nodiscard]] bool isVolume() const noexcept;
    [[nodiscard]] std::string sizeText() const; ///< "6000 x 4000 px"

    int device_;
    std::shared_ptr<DeviceMemory> memory_;
    mutable HostTransfers transfers_;
    std::shared_ptr<const DeviceBuffer<std::byte>> pixels_; ///< null: no image is open
    DeviceImage image_{};                                   ///< over pixels_
    VoxelSides sides_;
    mutable std::unique_ptr<BuiltTree> built_;
    Filtered last_;
};

} // namespace pollard::cuda
