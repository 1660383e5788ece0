#pragma once

#include "analysis/attribute_plane.hpp"
#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "engine/engine_registry.hpp"
#include "image/volume_plane.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Simulated GPU: the engine "cuda" filters on the CPU and keeps frames and node indices in a form of its own. Counts
/// calls and fails on demand. Must outlive the engine; everything except the frame count is used only while no job
/// runs, or by the jobs.
struct FakeDeviceState {
    std::uint64_t memory = 0;  ///< bytes; 0: unknown
    std::string buildFailure;  ///< error of buildTree(): too little memory; empty: none
    std::string filterFailure; ///< error of every filter
    std::string planeFailure;  ///< error of filterPlane()
    bool keepsFrames = true;
    bool keepsNodes = true;
    std::string countFailure; ///< error of plane()

    int planes = 0;       ///< counted planes of attributes
    int decisions = 0;    ///< of filters
    int slicesCopied = 0; ///< planes of a volume in main memory

    [[nodiscard]] int frames() const { return frameCount->load(); }

    std::shared_ptr<std::atomic<int>> frameCount = std::make_shared<std::atomic<int>>(0);
};

/// An image or volume with inverted levels.
class FakeFrame : public DeviceFrame {
public:
    FakeFrame(const Image& image, std::shared_ptr<std::atomic<int>> count)
        : inverted_(image.type(), image.extent()), count_(std::move(count)) {
        dispatch(image.type(), [&]<class T>(T) {
            std::transform(image.pixels<T>().begin(), image.pixels<T>().end(), inverted_.pixels<T>().begin(),
                           [](T level) { return static_cast<T>(~level); });
        });
        ++*count_;
    }
    ~FakeFrame() override { --*count_; }
    [[nodiscard]] PixelType type() const noexcept override { return inverted_.type(); }
    [[nodiscard]] std::uint32_t width() const noexcept override { return inverted_.width(); }
    [[nodiscard]] std::uint32_t height() const noexcept override { return inverted_.height(); }
    [[nodiscard]] std::uint32_t slices() const noexcept override { return inverted_.extent().slices; }
    [[nodiscard]] const Image& inverted() const noexcept { return inverted_; }

private:
    Image inverted_;
    std::shared_ptr<std::atomic<int>> count_;
};

/// Node indices, mirrored left to right.
class FakeNodes : public DevicePixels {
public:
    explicit FakeNodes(const ComponentTree& tree)
        : extent_(tree.extent()), mirrored_(tree.pixelNode.begin(), tree.pixelNode.end()) {
        for (std::size_t y = 0; y < extent_.rows(); ++y) {
            const auto row = mirrored_.begin() + static_cast<std::ptrdiff_t>(y * extent_.width);
            std::reverse(row, row + extent_.width);
        }
    }
    [[nodiscard]] TexelType texels() const noexcept override { return TexelType::u32; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return extent_.width; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return extent_.height; }
    [[nodiscard]] std::uint32_t slices() const noexcept override { return extent_.slices; }
    [[nodiscard]] const std::vector<std::uint32_t>& mirrored() const noexcept { return mirrored_; }

private:
    Extent extent_;
    std::vector<std::uint32_t> mirrored_;
};

class FakeDeviceSession : public Session {
public:
    FakeDeviceSession(FakeDeviceState& device, std::unique_ptr<Session> session)
        : device_(device), session_(std::move(session)) {}
    void setImage(std::shared_ptr<const Image> image) override {
        if (image != nullptr) {
            session_->open(std::move(image));
        }
    }
    TreeReport build(const TreeSpec& spec, const JobControl& control) override {
        failIf(device_.buildFailure, ErrorCode::outOfMemory);
        TreeReport report = session_->buildTree(spec, control);
        nodes_ = device_.keepsNodes ? std::make_shared<FakeNodes>(*session_->tree()) : nullptr;
        return report;
    }
    [[nodiscard]] std::shared_ptr<const DevicePixels> deviceNodes() const override { return nodes_; }
    [[nodiscard]] AttributePlane plane(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                       const JobControl& control) override {
        failIf(device_.countFailure, ErrorCode::deviceFailed);
        ++device_.planes;
        return Session::plane(idX, specX, idY, specY, control);
    }
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return session_->tree(); }
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override {
        return session_->attribute(id, control);
    }
    FilterReport runFilter(const FilterSpec& spec, Image& out, const JobControl& control) override {
        decide(spec, control);
        std::copy_n(filtered_->data(), out.bytes(), out.data());
        return report_;
    }
    FilterReport runPlaneFilter(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                                const JobControl& control) override {
        failIf(device_.planeFailure, ErrorCode::deviceFailed);
        decideOnce(spec, control);
        const Image image = imageOf(plane, *filtered_);
        std::copy_n(image.data(), out.bytes(), out.data());
        ++device_.slicesCopied;
        return report_;
    }
    [[nodiscard]] std::optional<FilterReport> runFilterOnDevice(const FilterSpec& spec,
                                                                const JobControl& control) override {
        if (!device_.keepsFrames) {
            return std::nullopt;
        }
        if (tree()->extent().isVolume()) {
            decideOnce(spec, control);
        } else {
            decide(spec, control);
        }
        return report_;
    }
    void fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& /*control*/) override {
        const Image& inverted = dynamic_cast<const FakeFrame&>(frame).inverted();
        dispatch(out.type(), [&]<class T>(T) {
            std::transform(inverted.pixels<T>().begin(), inverted.pixels<T>().end(), out.pixels<T>().begin(),
                           [](T level) { return static_cast<T>(~level); });
        });
    }
    [[nodiscard]] std::shared_ptr<const DeviceFrame> lastFrame() const override { return frame_; }
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override {
        return session_->estimateTreeBytes(image);
    }

private:
    static void failIf(const std::string& failure, ErrorCode code) {
        if (!failure.empty()) {
            throw Error(code, failure);
        }
    }
    void decide(const FilterSpec& spec, const JobControl& control) {
        failIf(device_.filterFailure, ErrorCode::deviceFailed);
        const auto tree = session_->tree();
        auto filtered = std::make_shared<Image>(tree->pixelType, tree->extent());
        report_ = session_->filter(spec, *filtered, control);
        ++device_.decisions;
        filtered_ = std::move(filtered);
        spec_ = spec;
        frame_ = device_.keepsFrames ? std::make_shared<FakeFrame>(*filtered_, device_.frameCount) : nullptr;
    }
    void decideOnce(const FilterSpec& spec, const JobControl& control) {
        failIf(device_.filterFailure, ErrorCode::deviceFailed);
        if (!filtered_ || filtered_->extent() != tree()->extent() || !(spec_ == spec)) {
            decide(spec, control);
        }
    }

    FakeDeviceState& device_;
    std::unique_ptr<Session> session_;
    std::shared_ptr<const Image> filtered_; ///< null before the first filter
    FilterSpec spec_;                       ///< of filtered_
    FilterReport report_;
    std::shared_ptr<const FakeFrame> frame_;
    std::shared_ptr<const FakeNodes> nodes_;
};

class FakeDeviceEngine : public Engine {
public:
    explicit FakeDeviceEngine(FakeDeviceState& device) : device_(device), cpu_(makeCpuEngine()) {}
    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] std::string device() const override { return "Fake GPU"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return device_.memory; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return cpu_->algorithms(); }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        return std::make_unique<FakeDeviceSession>(device_, cpu_->openSession(options));
    }

private:
    FakeDeviceState& device_;
    std::unique_ptr<Engine> cpu_;
};

/// Engines that a test of volumes runs with.
enum class TestEngines {
    cpu,
    device,       ///< a simulated GPU before the CPU engine
    deviceKeeping ///< the same, whose images stay on it until a pause
};
inline constexpr TestEngines kTestEngines[] = {TestEngines::cpu, TestEngines::device, TestEngines::deviceKeeping};

[[nodiscard]] inline std::string nameOf(TestEngines engines) {
    return engines == TestEngines::cpu ? "cpu" : engines == TestEngines::device ? "device" : "deviceKeeping";
}

[[nodiscard]] inline EngineRegistry registryOf(TestEngines engines, FakeDeviceState& device) {
    EngineRegistry registry{makeCpuEngine()};
    if (engines != TestEngines::cpu) {
        registry.add(std::make_unique<FakeDeviceEngine>(device));
    }
    return registry;
}

} // namespace pollard::testing
