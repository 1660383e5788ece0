#pragma once

#include "tree_equality.hpp"

#include "attributes/attribute.hpp"
#include "cpu/cpu_engine.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/device_probe.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/nodes/node_filter.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "cuda/tree/device_tree.hpp"
#include "cuda/tree/frame_gather.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::testing {

template <class T> [[nodiscard]] cuda::DeviceBuffer<T> upload(std::span<const T> values,
                                                              const std::shared_ptr<cuda::DeviceMemory>& memory) {
    cuda::DeviceBuffer<T> buffer(memory, values.size(), "test data");
    cuda::check(cudaMemcpyAsync(buffer.data(), values.data(), buffer.bytes(), cudaMemcpyHostToDevice, memory->stream()),
                "upload test data");
    cuda::check(cudaStreamSynchronize(memory->stream()), "upload test data");
    return buffer;
}

/// Both trees, both connectivities, trees by the CPU engine.
class TreesOfBothKinds : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {
protected:
    [[nodiscard]] static TreeSpec spec() {
        TreeSpec spec;
        std::tie(spec.kind, spec.connectivity) = GetParam();
        return spec;
    }
    [[nodiscard]] static std::unique_ptr<Session> build(const std::shared_ptr<const Image>& image) {
        auto session = makeCpuEngine()->openSession();
        session->open(image);
        session->buildTree(spec());
        return session;
    }
};

inline std::string nameOfKind(const ::testing::TestParamInfo<std::tuple<TreeKind, Connectivity>>& info) {
    return std::string(std::get<0>(info.param) == TreeKind::max ? "max" : "min") +
           (std::get<1>(info.param) == Connectivity::four ? "_4" : "_8");
}

#define POLLARD_FOR_BOTH_KINDS(Suite)                                                                                  \
    INSTANTIATE_TEST_SUITE_P(                                                                                          \
        All, Suite,                                                                                                    \
        ::testing::Combine(::testing::Values(pollard::TreeKind::max, pollard::TreeKind::min),                          \
                           ::testing::Values(pollard::Connectivity::four, pollard::Connectivity::eight)),              \
        pollard::testing::nameOfKind)

/// An image and its tree on the device, numbered there.
struct TreeOnDevice {
    std::shared_ptr<const cuda::DeviceBuffer<std::byte>> pixels;
    cuda::DeviceImage image;
    cuda::DeviceTree tree;
};

/// Skips where there is no device.
class TreesOnDevice : public TreesOfBothKinds {
protected:
    void SetUp() override {
        const cuda::DeviceProbe probe = cuda::probeDevice();
        if (!probe.problem.empty()) {
            GTEST_SKIP() << "no GPU: " << probe.problem;
        }
        memory_ = cuda::DeviceMemory::create();
        clock_ = std::make_unique<cuda::StageClock>(memory_->stream());
    }

    /// Numbers the nodes of the CPU engine's parent image. The slices of a volume lie below each other.
    [[nodiscard]] TreeOnDevice number(const Image& image, const ComponentTree& tree) {
        auto pixels = std::make_shared<const cuda::DeviceBuffer<std::byte>>(
            upload(std::span<const std::byte>(image.data(), image.bytes()), memory_));
        const cuda::DeviceImage deviceImage{pixels->data(), image.type(), image.width(),
                                            static_cast<std::uint32_t>(image.extent().rows())};
        const Buffer<std::uint32_t> parentImage = canonicalParentImage(tree);
        cuda::DeviceTree numbered =
            cuda::numberNodes(deviceImage, spec(), upload(parentImage.span(), memory_), memory_, *clock_, JobControl{});
        return {std::move(pixels), deviceImage, std::move(numbered)};
    }

    [[nodiscard]] ComponentTree download(const TreeOnDevice& tree) {
        ComponentTree result;
        result.leafCount = tree.tree.leafCount;
        result.depth = tree.tree.depth;
        result.pixelNode = download(*tree.tree.pixelNode);
        result.parent = download(tree.tree.parent);
        result.level = download(tree.tree.level);
        result.subtreeEnd = download(tree.tree.subtreeEnd);
        result.canonical = download(tree.tree.canonical);
        return result;
    }

    template <class T> [[nodiscard]] Buffer<T> download(const cuda::DeviceBuffer<T>& buffer) {
        Buffer<T> values(buffer.size());
        cuda::check(
            cudaMemcpyAsync(values.data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToHost, memory_->stream()),
            "download test data");
        cuda::check(cudaStreamSynchronize(memory_->stream()), "download test data");
        return values;
    }

    [[nodiscard]] cuda::DeviceColumn uploadColumn(const AttributeColumn& column) {
        return std::visit(
            [&](const auto& values) {
                return cuda::DeviceColumn{column.id, upload(values.span(), memory_)};
            },
            column.values);
    }

    [[nodiscard]] Image imageOf(const cuda::CudaFrame& frame) {
        Image out(frame.type(), frame.width(), frame.height());
        dispatch(frame.type(), [&]<class T>(T) {
            cuda::DeviceBuffer<T> pixels(memory_, out.pixelCount(), "image");
            cuda::check(cuda::launchGather(frame.view<T>(), pixels.data(), memory_->stream()), "gather");
            cuda::check(
                cudaMemcpyAsync(out.data(), pixels.data(), out.bytes(), cudaMemcpyDeviceToHost, memory_->stream()),
                "download image");
            cuda::check(cudaStreamSynchronize(memory_->stream()), "download image");
        });
        return out;
    }

    std::shared_ptr<cuda::DeviceMemory> memory_;
    std::unique_ptr<cuda::StageClock> clock_;
};

} // namespace pollard::testing
