#pragma once

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Simulated GPU: the engine "cuda" filters on the CPU; it writes frames inverted and node indices mirrored left to
/// right into textures, so that tests distinguish interop from upload. Counts calls and fails on demand. Must outlive
/// the engine; everything except the frame count is used only on the window's thread, or while no job runs.
struct FakeDevice {
    std::string refusal;       ///< error of attach(); empty: none
    int refuseFrom = 1;        ///< number of the first attach() that fails
    std::string writeFailure;  ///< error of write()
    std::string filterFailure; ///< error of filter()
    bool hasTarget = true;
    bool keepsFrames = true;
    bool keepsNodes = true;
    std::string countFailure; ///< error of plane()

    int targets = 0;
    int attaches = 0; ///< including refused ones
    int writes = 0;   ///< of frames
    int writesOfNumbers = 0;
    int planes = 0;              ///< counted planes
    std::vector<GLuint> written; ///< first texture of every write
    std::multiset<GLuint> attached;
    int deletedWhileAttached = 0;
    int usedWithoutContext = 0;

    [[nodiscard]] int attachedTextures() const { return static_cast<int>(attached.size()); }
    [[nodiscard]] int frames() const { return frameCount->load(); }
    [[nodiscard]] std::unique_ptr<Engine> makeEngine();

    std::shared_ptr<std::atomic<int>> frameCount = std::make_shared<std::atomic<int>>(0);
};

class FakeFrame : public DeviceFrame {
public:
    FakeFrame(const Image& image, std::shared_ptr<std::atomic<int>> count)
        : inverted_(image.type(), image.width(), image.height()), count_(std::move(count)) {
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
    [[nodiscard]] const Image& inverted() const noexcept { return inverted_; }

private:
    Image inverted_;
    std::shared_ptr<std::atomic<int>> count_;
};

class FakeNodes : public DevicePixels {
public:
    explicit FakeNodes(const ComponentTree& tree)
        : width_(tree.width), height_(tree.height), mirrored_(tree.pixelNode.begin(), tree.pixelNode.end()) {
        for (std::size_t y = 0; y < height_; ++y) {
            const auto row = mirrored_.begin() + static_cast<std::ptrdiff_t>(y * width_);
            std::reverse(row, row + width_);
        }
    }
    [[nodiscard]] TexelType texels() const noexcept override { return TexelType::u32; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return height_; }
    [[nodiscard]] const std::vector<std::uint32_t>& mirrored() const noexcept { return mirrored_; }

private:
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<std::uint32_t> mirrored_;
};

class FakeTarget : public GlTarget {
public:
    explicit FakeTarget(FakeDevice& device) : device_(device) { ++device_.targets; }
    ~FakeTarget() override { FakeTarget::detach(); }

    void attach(TexelType type, std::span<const GlTile> tiles) override {
        lookForContext();
        detach();
        ++device_.attaches;
        if (!device_.refusal.empty() && device_.attaches >= device_.refuseFrom) {
            throw Error(ErrorCode::engineUnavailable, device_.refusal);
        }
        type_ = type;
        tiles_.assign(tiles.begin(), tiles.end());
        for (const GlTile& tile : tiles_) {
            device_.attached.insert(tile.texture);
        }
    }

    void write(const DevicePixels& pixels) override {
        lookForContext();
        if (!device_.writeFailure.empty()) {
            throw Error(ErrorCode::deviceFailed, device_.writeFailure);
        }
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        for (const GlTile& tile : tiles_) {
            width = std::max(width, tile.x + tile.width);
            height = std::max(height, tile.y + tile.height);
        }
        if (pixels.texels() != type_ || pixels.width() != width || pixels.height() != height) {
            throw Error(ErrorCode::invalidArgument, "the pixels have another type or size");
        }
        if (const auto* nodes = dynamic_cast<const FakeNodes*>(&pixels)) {
            writeNumbers(*nodes);
            return;
        }
        const Image& image = dynamic_cast<const FakeFrame&>(pixels).inverted();
        ++device_.writes;
        device_.written.push_back(tiles_.at(0).texture);
        auto* gl = QOpenGLContext::currentContext()->extraFunctions();
        gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        gl->glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(image.width()));
        for (const GlTile& tile : tiles_) {
            gl->glBindTexture(GL_TEXTURE_2D, tile.texture);
            gl->glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(tile.width),
                                static_cast<GLsizei>(tile.height), GL_RED_INTEGER,
                                type_ == TexelType::u16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE,
                                image.data() + (std::size_t{tile.y} * image.width() + tile.x) * bytesOf(image.type()));
        }
        gl->glBindTexture(GL_TEXTURE_2D, 0);
        gl->glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    }

    void detach() noexcept override {
        if (!tiles_.empty()) {
            lookForContext();
        }
        for (const GlTile& tile : tiles_) {
            auto* context = QOpenGLContext::currentContext();
            if (context != nullptr && context->functions()->glIsTexture(tile.texture) == GL_FALSE) {
                ++device_.deletedWhileAttached;
            }
            device_.attached.erase(device_.attached.find(tile.texture));
        }
        tiles_.clear();
    }

private:
    void writeNumbers(const FakeNodes& nodes) {
        ++device_.writesOfNumbers;
        auto* gl = QOpenGLContext::currentContext()->extraFunctions();
        gl->glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(nodes.width()));
        for (const GlTile& tile : tiles_) {
            gl->glBindTexture(GL_TEXTURE_2D_ARRAY, tile.texture);
            gl->glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, static_cast<GLint>(tile.layer),
                                static_cast<GLsizei>(tile.width), static_cast<GLsizei>(tile.height), 1, GL_RED_INTEGER,
                                GL_UNSIGNED_INT,
                                nodes.mirrored().data() + std::size_t{tile.y} * nodes.width() + tile.x);
        }
        gl->glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
        gl->glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    }
    void lookForContext() noexcept {
        if (QOpenGLContext::currentContext() == nullptr) {
            ++device_.usedWithoutContext;
        }
    }

    FakeDevice& device_;
    TexelType type_ = TexelType::u8;
    std::vector<GlTile> tiles_;
};

class FakeDeviceSession : public Session {
public:
    FakeDeviceSession(FakeDevice& device, std::unique_ptr<Session> session)
        : device_(device), session_(std::move(session)) {}
    void openImage(std::shared_ptr<const Image> image) override { session_->openImage(std::move(image)); }
    TreeReport buildTree(const TreeSpec& spec, const JobControl& control) override {
        TreeReport report = session_->buildTree(spec, control);
        nodes_ = device_.keepsNodes ? std::make_shared<FakeNodes>(*session_->tree()) : nullptr;
        return report;
    }
    [[nodiscard]] std::shared_ptr<const DevicePixels> deviceNodes() const override { return nodes_; }
    [[nodiscard]] AttributePlane plane(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                       const JobControl& control) override {
        if (!device_.countFailure.empty()) {
            throw Error(ErrorCode::deviceFailed, device_.countFailure);
        }
        ++device_.planes;
        return Session::plane(idX, specX, idY, specY, control);
    }
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return session_->tree(); }
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override {
        return session_->attribute(id, control);
    }
    FilterReport filter(const FilterSpec& spec, Image& out, const JobControl& control) override {
        if (!device_.filterFailure.empty()) {
            throw Error(ErrorCode::deviceFailed, device_.filterFailure);
        }
        FilterReport report = session_->filter(spec, out, control);
        frame_ = device_.keepsFrames ? std::make_shared<FakeFrame>(out, device_.frameCount) : nullptr;
        return report;
    }
    [[nodiscard]] std::optional<FilterReport> filterOnDevice(const FilterSpec& spec,
                                                             const JobControl& control) override {
        if (!device_.keepsFrames) {
            return std::nullopt;
        }
        const auto tree = session_->tree();
        Image unseen(tree->pixelType, tree->width, tree->height);
        return filter(spec, unseen, control);
    }
    void fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& /*control*/) override {
        const Image& inverted = dynamic_cast<const FakeFrame&>(frame).inverted();
        dispatch(out.type(), [&]<class T>(T) {
            std::transform(inverted.pixels<T>().begin(), inverted.pixels<T>().end(), out.pixels<T>().begin(),
                           [](T level) { return static_cast<T>(~level); });
        });
    }
    [[nodiscard]] std::shared_ptr<const DeviceFrame> deviceFrame() const override { return frame_; }
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override {
        return session_->estimateTreeBytes(image);
    }

private:
    FakeDevice& device_;
    std::unique_ptr<Session> session_;
    std::shared_ptr<const FakeFrame> frame_;
    std::shared_ptr<const FakeNodes> nodes_;
};

class FakeDeviceEngine : public Engine {
public:
    explicit FakeDeviceEngine(FakeDevice& device) : device_(device), cpu_(makeCpuEngine()) {}
    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] std::string device() const override { return "Fake GPU"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return cpu_->algorithms(); }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        return std::make_unique<FakeDeviceSession>(device_, cpu_->openSession(options));
    }
    [[nodiscard]] std::unique_ptr<GlTarget> makeGlTarget() override {
        return device_.hasTarget ? std::make_unique<FakeTarget>(device_) : nullptr;
    }

private:
    FakeDevice& device_;
    std::unique_ptr<Engine> cpu_;
};

inline std::unique_ptr<Engine> FakeDevice::makeEngine() { return std::make_unique<FakeDeviceEngine>(*this); }

} // namespace pollard::testing
