#include "cuda/hierarchy/device_hierarchies.hpp"

#include "base/error.hpp"
#include "cuda/boruvka/branch_kernels.cuh"
#include "cuda/boruvka/branch_machine.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/hierarchy/hierarchy_build.hpp"
#include "cuda/hierarchy/region_cut.hpp"
#include "cuda/kernels/device_loop.cuh"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cuda {

namespace {

constexpr std::uint32_t kJoinThreads = 1024;

/// DeviceHierarchies keeps at most this part of the memory of a GPU.
constexpr std::uint64_t kKeptPart = 8;

template <class T> struct JoinOf {
    __host__ __device__ T operator()(const T& a, const T& b) const { return T::join(a, b); }
};

/// Runs the passes of a HierarchyBuild on the GPU.
class HierarchyMachine : public BranchMachine {
public:
    using BranchMachine::BranchMachine;

    void requireMemory(std::uint64_t bytes) {
        constexpr std::uint64_t kSlack = std::uint64_t{1} << 22U; // scratch of small scans, rounding of blocks
        if (!memory()->has(bytes) || !memory()->has(bytes + kSlack)) {
            throw Error(ErrorCode::outOfMemory, operation() + ": " + mebibytes(bytes) + " of GPU memory needed, " +
                                                    mebibytes(memory()->available()) + " free");
        }
    }
    template <class T> void inclusiveScan(T* data, std::uint32_t count) {
        withScratch([&](void* scratch, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveScan(scratch, bytes, data, data, JoinOf<T>{}, count, stream());
        });
    }
};

using Built = BuiltHierarchy<HierarchyMachine>;

template <class T> DeviceBuffer<T> copyOf(const DeviceBuffer<T>& from, const std::shared_ptr<DeviceMemory>& memory) {
    DeviceBuffer<T> copy(memory, from.size(), "regions");
    check(cudaMemcpyAsync(copy.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, memory->stream()),
          "keep a hierarchy");
    return copy;
}

/// A hierarchy in device memory of its own.
class KeptHierarchy final : public Hierarchy::Regions {
public:
    /// @param built with all work done
    KeptHierarchy(const Built& built, const Extent& extent, const Mask* valid)
        : memory_(DeviceMemory::create()), staging_(memory_), extent_(extent) {
        kept_.basins = copyOf(built.basins, memory_);
        kept_.into = copyOf(built.into, memory_);
        kept_.joinedAt = copyOf(built.joinedAt, memory_);
        kept_.hasData = copyOf(built.hasData, memory_);
        kept_.pixelCount = built.pixelCount;
        kept_.basinCount = built.basinCount;
        if (valid != nullptr) {
            valid_ = *valid;
        }
        waitFor(*memory_, {}, "keep a hierarchy");
    }

    std::optional<LabelImage> at(std::uint64_t strength, const Mask* valid, const JobControl& control) const override {
        const bool isKnown = valid == nullptr ? !valid_.has_value() : valid_.has_value() && *valid == *valid_;
        if (!isKnown) {
            return std::nullopt;
        }
        const std::lock_guard lock(mutex_);
        const std::string operation = "regions of " + text(extent_);
        LabelImage found{Buffer<std::uint32_t>(kept_.pixelCount), extent_.width, extent_.height, 0, extent_.slices};
        try {
            StageClock clock(memory_->stream());
            HierarchyMachine machine(memory_, clock, control, operation);
            DeviceBuffer<std::uint32_t> labels(memory_, kept_.pixelCount, "regions");
            found.count = labelRegions(machine, kept_, strength, labels.data());
            staging_.download(found.labels.data(), labels.data(), labels.bytes(), control, operation);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::deviceFailed || error.code() == ErrorCode::outOfMemory) {
                return std::nullopt;
            }
            throw;
        }
        return found;
    }

private:
    std::shared_ptr<DeviceMemory> memory_;
    mutable std::mutex mutex_;
    mutable Staging staging_;
    Built kept_;
    Extent extent_;
    std::optional<Mask> valid_;
};

/// Null without memory: regions are found on the host then.
std::shared_ptr<const Hierarchy::Regions> keep(const Built& built, const Extent& extent, const Mask* valid) try {
    return std::make_shared<const KeptHierarchy>(built, extent, valid);
} catch (const Error& error) {
    if (error.code() != ErrorCode::outOfMemory) {
        throw;
    }
    return nullptr;
}

/// The merges of basins with links.
std::vector<Hierarchy::Merge> mergesOf(std::span<const std::uint32_t> into, std::span<const std::uint64_t> joinedAt) {
    std::vector<Hierarchy::Merge> merges;
    merges.reserve(into.size());
    for (std::uint32_t basin = 0; basin != into.size(); ++basin) {
        if (into[basin] != basin) {
            merges.push_back({joinedAt[basin], basin, into[basin]});
        }
    }
    return merges;
}

/// Builds the hierarchy, with all work done at the end.
Built build(HierarchyMachine& machine, const void* pixels, const std::uint32_t* mask, const Image& image,
            const HierarchySpec& spec) {
    const Extent& extent = image.extent();
    const auto rows = static_cast<std::uint32_t>(extent.rows());
    const Connectivity connectivity = connectivityIn(extent, spec.connectivity);
    return dispatch(image.type(), [&]<class Level>(Level) {
        const EdgeGrid<Level> grid{static_cast<const Level*>(pixels),
                                   {mask, extent.width, rows},
                                   extent.width,
                                   extent.height,
                                   extent.slices,
                                   spec.weight,
                                   GridWays::of(connectivity)};
        Built built = HierarchyBuild<HierarchyMachine, Level, kJoinThreads>(machine, grid, spec.strength).make();
        machine.wait();
        return built;
    });
}

} // namespace

Hierarchy DeviceHierarchies::make(const Image& image, const Mask* valid, const HierarchySpec& spec,
                                  const JobControl& control, std::vector<StageTime>* stages) try {
    const std::string size = text(image.extent());
    const std::string operation = "hierarchy of " + size;
    static_cast<void>(connectivityIn(image.extent(), spec.connectivity));
    control.throwIfStopped();
    const std::lock_guard lock(mutex_);
    try {
        if (!device_) {
            device_.emplace();
        }
        const std::shared_ptr<DeviceMemory>& memory = device_->memory;
        memory->resetPeak();
        control.report(0, "joining pixels");
        DeviceBuffer<std::byte> pixels(memory, image.bytes(), "the image");
        device_->staging.queueUpload(pixels.data(), image.data(), image.bytes(), control, "upload " + size);
        DeviceBuffer<std::byte> mask;
        if (valid != nullptr) {
            mask = DeviceBuffer<std::byte>(memory, valid->bytes(), "the mask");
            device_->staging.queueUpload(mask.data(), valid->row(0).data(), valid->bytes(), control, "upload " + size);
        }
        StageClock clock(memory->stream());
        HierarchyMachine machine(memory, clock, control, operation);
        Built built = build(machine, pixels.data(), reinterpret_cast<const std::uint32_t*>(mask.data()), image, spec);
        if (stages != nullptr) {
            *stages = clock.take();
        }
        const auto fetch = [&]<class T>(T* to, const DeviceBuffer<T>& from, std::size_t count) {
            if (count > 0) {
                device_->staging.download(to, from.data(), count * sizeof(T), control, "fetch the " + operation);
            }
        };
        Buffer<std::uint32_t> basins(built.pixelCount);
        Buffer<std::uint32_t> into(built.basinCount);
        Buffer<std::uint64_t> joinedAt(built.basinCount);
        const Hierarchy::Counts counts{built.basinCount, built.withData};
        fetch(basins.data(), built.basins, built.pixelCount);
        fetch(into.data(), built.into, built.basinCount);
        fetch(joinedAt.data(), built.joinedAt, built.basinCount);
        auto kept = keep(built, image.extent(), valid);
        built = {};
        std::size_t unused = 0;
        std::size_t all = 0;
        check(cudaMemGetInfo(&unused, &all), operation);
        if (memory->peakBytes() > all / kKeptPart) {
            pixels.reset();
            mask.reset();
            device_.reset();
        }
        return {image.extent(), std::move(basins), counts, mergesOf(into.span(), joinedAt.span()),
                control,        std::move(kept)};
    } catch (const Error& error) {
        if (error.code() == ErrorCode::deviceFailed || error.code() == ErrorCode::outOfMemory) {
            device_.reset();
        }
        throw;
    }
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::outOfMemory, "hierarchy: not enough memory for an image of " + text(image.extent()));
}

} // namespace pollard::cuda
