#pragma once

#include "attributes/cuda_measures.hpp"
#include "cpu/node_attributes.hpp"
#include "device/device_buffer.hpp"
#include "device/staging.hpp"
#include "engine/engine.hpp"
#include "tree/cuda_frame.hpp"
#include "tree/device_tree.hpp"
#include "tree/node_filter.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cuda {

/// Session of the CUDA engine. Image, tree, the attributes that filters use, and pictures live in device memory; the
/// host has the tree and attributes only when they are asked for. What canMeasure() says no to is measured on the host.
class CudaSession final : public Session {
public:
    /// @throws Error(deviceFailed)
    explicit CudaSession(const SessionOptions& options);

    void openImage(std::shared_ptr<const Image> image) override;
    TreeReport buildTree(const TreeSpec& spec, const JobControl& control) override;
    /// @throws Error(outOfMemory), Error(deviceFailed) when the tree is fetched, at the first call after buildTree()
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override;
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override;
    FilterReport filter(const FilterSpec& spec, Image& out, const JobControl& control) override;
    [[nodiscard]] LabelImage labels(const FilterSpec& spec, const JobControl& control) override;
    [[nodiscard]] std::shared_ptr<const DeviceFrame> deviceFrame() const override { return frame_; }
    [[nodiscard]] std::vector<StageTime> takeTransferStages() override;
    /// Bytes of device memory, whatever algorithm is asked for.
    [[nodiscard]] std::vector<StageTime> timeParentImage(const TreeSpec& spec, const JobControl& control) override;
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override;

    /// The memory all this lives in.
    [[nodiscard]] const DeviceMemory& memory() const noexcept { return *memory_; }

private:
    /// The tree and all that is known of it.
    struct Built {
        TreeSpec spec;
        DeviceTree device;
        std::unique_ptr<CudaMeasures> measures;              ///< of device; made when it is asked for
        std::shared_ptr<const ComponentTree> host;           ///< null until it is asked for
        std::unique_ptr<cpu::NodeAttributes> hostAttributes; ///< of host
        std::map<AttributeId, DeviceColumn> deviceColumns;
        std::map<AttributeId, std::shared_ptr<const AttributeColumn>> hostColumns;
    };

    /// What a filter on the device decides by.
    struct DecisionColumns {
        std::vector<const DeviceColumn*> columns;
        std::optional<FilterInput> input; ///< refers to columns, whose elements moving leaves where they are
    };

    [[nodiscard]] Built& requireTree(const char* operation) const;
    [[nodiscard]] DeviceImage deviceImage() const noexcept;
    [[nodiscard]] std::string sizeText() const; ///< "6000 x 4000 px"
    const std::shared_ptr<const ComponentTree>& hostTree(Built& built, const JobControl& control) const;
    /// The same core code as the CPU engine's, for what filterNodes() does not do. Leaves no frame on the device.
    FilterReport filterOnHost(Built& built, const FilterSpec& spec, Image& out, const JobControl& control);
    [[nodiscard]] DecisionColumns decisionColumns(Built& built, const FilterSpec& spec, const JobControl& control);
    /// The column in device memory, for a filter.
    const DeviceColumn& deviceColumn(Built& built, AttributeId id, const JobControl& control);
    /// Whether an attribute is measured on the device: it can be, and there is memory for it.
    [[nodiscard]] bool measuresOnDevice(const Built& built, AttributeId id) const;
    [[nodiscard]] CudaMeasures& measuresOf(Built& built) const;
    [[nodiscard]] DeviceColumn measure(Built& built, AttributeId id, const JobControl& control);
    [[nodiscard]] AttributeColumn downloadColumn(const DeviceColumn& column, const JobControl& control);
    [[nodiscard]] DeviceColumn uploadColumn(const AttributeColumn& column, const JobControl& control);
    void download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                  const std::string& operation) const;
    void upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                const std::string& operation) const;
    void addTime(const char* stage, double milliseconds) const;

    std::optional<tbb::global_control> moreThreads_; ///< lets oneTBB go beyond one thread a core
    mutable tbb::task_arena arena_;
    std::shared_ptr<DeviceMemory> memory_;
    mutable Staging staging_;
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const DeviceBuffer<std::byte>> pixels_; ///< of image_
    mutable std::unique_ptr<Built> built_;
    std::shared_ptr<const CudaFrame> frame_;
    mutable std::vector<StageTime> transfers_;
};

} // namespace pollard::cuda
