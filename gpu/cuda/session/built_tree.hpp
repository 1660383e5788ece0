#pragma once

#include "analysis/attribute_plane.hpp"
#include "analysis/spectrum.hpp"
#include "cpu/node_attributes.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/nodes/cuda_measures.hpp"
#include "cuda/nodes/node_filter.hpp"
#include "cuda/session/host_transfers.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "cuda/tree/device_tree.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::cuda {

/// A tree of a session and its measurements. The tree and the attributes used by filters are in device memory; the host
/// fetches the tree and attributes on demand. Attributes that canMeasure() rejects, or whose columns are in values, are
/// measured on the host.
///
/// All members throw Error(outOfMemory), Error(deviceFailed) and Cancelled.
class BuiltTree {
public:
    /// @param image image of the tree
    /// @param sides of its voxels
    /// @param mapping of its levels, see isColumnInValues(); unset if they are values
    /// @param transfers must outlive this
    BuiltTree(const TreeSpec& spec, DeviceTree device, const DeviceImage& image, const VoxelSides& sides,
              std::optional<ValueMapping> mapping, std::shared_ptr<DeviceMemory> memory, HostTransfers& transfers);

    [[nodiscard]] const DeviceTree& device() const noexcept { return device_; }
    /// Node index of each pixel or voxel.
    [[nodiscard]] const std::shared_ptr<const CudaNodes>& nodes() const noexcept { return nodes_; }
    [[nodiscard]] const std::shared_ptr<const ComponentTree>& host(const JobControl& control);
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control);

    /// Input of a filter's decision on the device.
    struct Decision {
        std::vector<const DeviceColumn*> columns;
        std::optional<FilterInput> input; ///< refers to columns; stays valid when this is moved
    };
    [[nodiscard]] Decision decisionOf(const FilterSpec& spec, const JobControl& control);

    /// These count on the device; nullopt if there is too little memory for it.
    [[nodiscard]] std::optional<AttributePlane> plane(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                      const BinSpec& specY, const JobControl& control);
    [[nodiscard]] std::optional<PatternSpectrum> spectrum(AttributeId id, const BinSpec& spec,
                                                          const JobControl& control);
    [[nodiscard]] std::optional<PatternSpectrum2d> spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                              const BinSpec& specY, const JobControl& control);

    /// Frees the device memory of everything that can be measured again.
    void forgetMeasured() noexcept;

private:
    /// The attribute in device memory; cached.
    [[nodiscard]] const DeviceColumn& deviceColumn(AttributeId id, const JobControl& control);
    /// Whether an attribute is measured on the device: it is supported, and memory suffices.
    [[nodiscard]] bool measuresOnDevice(AttributeId id) const;
    [[nodiscard]] CudaMeasures& measures();
    [[nodiscard]] DeviceColumn measure(AttributeId id, const JobControl& control);
    [[nodiscard]] AttributeColumn fetch(const DeviceColumn& column, const JobControl& control);
    [[nodiscard]] DeviceColumn upload(const AttributeColumn& column, const JobControl& control);
    [[nodiscard]] const DeviceBuffer<std::uint32_t>& ownPixels(const JobControl& control);
    /// Runs work that queues on the device, waits for it and records its time.
    template <class Work> decltype(auto) timed(const JobControl& control, const Work& work);
    [[nodiscard]] std::uint16_t rootLevel() const noexcept { return device_.rootLevel; }

    TreeSpec spec_;
    DeviceTree device_;
    DeviceImage image_;
    VoxelSides sides_;
    std::optional<ValueMapping> mapping_;
    std::shared_ptr<DeviceMemory> memory_;
    HostTransfers& transfers_;
    std::shared_ptr<const CudaNodes> nodes_;
    std::unique_ptr<CudaMeasures> measures_;              ///< created on demand
    std::shared_ptr<const ComponentTree> host_;           ///< null until fetched
    std::unique_ptr<cpu::NodeAttributes> hostAttributes_; ///< of host_
    std::map<AttributeId, DeviceColumn> deviceColumns_;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> hostColumns_;
};

} // namespace pollard::cuda
