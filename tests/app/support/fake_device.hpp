#pragma once

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "viewmodels/support/fake_device.hpp"

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace pollard::testing {

/// Simulated GPU that writes frames inverted and node indices mirrored left to right into textures, so that tests
/// distinguish interop from upload.
struct FakeDevice : FakeDeviceState {
    std::string refusal;      ///< error of attach(); empty: none
    int refuseFrom = 1;       ///< number of the first attach() that fails
    std::string writeFailure; ///< error of write()
    bool hasTarget = true;

    int targets = 0;
    int attaches = 0; ///< including refused ones
    int writes = 0;   ///< of frames
    int writesOfNumbers = 0;
    std::vector<std::uint32_t> slices; ///< of every write of a frame
    std::vector<GLuint> written;       ///< first texture of every write
    std::multiset<GLuint> attached;
    int deletedWhileAttached = 0;
    int usedWithoutContext = 0;

    [[nodiscard]] int attachedTextures() const { return static_cast<int>(attached.size()); }
    [[nodiscard]] std::unique_ptr<Engine> makeEngine();
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

    void write(const DevicePixels& pixels, std::uint32_t slice) override {
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
        if (pixels.texels() != type_ || pixels.width() != width || pixels.height() != height ||
            slice >= pixels.slices()) {
            throw Error(ErrorCode::invalidArgument, "the pixels have another type or size");
        }
        if (const auto* nodes = dynamic_cast<const FakeNodes*>(&pixels)) {
            writeNumbers(*nodes, slice);
            return;
        }
        const Image& image = dynamic_cast<const FakeFrame&>(pixels).inverted();
        const std::size_t first = std::size_t{slice} * width * height;
        ++device_.writes;
        device_.slices.push_back(slice);
        device_.written.push_back(tiles_.at(0).texture);
        auto* gl = QOpenGLContext::currentContext()->extraFunctions();
        gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        gl->glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(image.width()));
        for (const GlTile& tile : tiles_) {
            gl->glBindTexture(GL_TEXTURE_2D, tile.texture);
            gl->glTexSubImage2D(
                GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(tile.width), static_cast<GLsizei>(tile.height),
                GL_RED_INTEGER, type_ == TexelType::u16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE,
                image.data() + (first + std::size_t{tile.y} * image.width() + tile.x) * bytesOf(image.type()));
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
    void writeNumbers(const FakeNodes& nodes, std::uint32_t slice) {
        ++device_.writesOfNumbers;
        const std::size_t first = std::size_t{slice} * nodes.width() * nodes.height();
        auto* gl = QOpenGLContext::currentContext()->extraFunctions();
        gl->glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(nodes.width()));
        for (const GlTile& tile : tiles_) {
            gl->glBindTexture(GL_TEXTURE_2D_ARRAY, tile.texture);
            gl->glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, static_cast<GLint>(tile.layer),
                                static_cast<GLsizei>(tile.width), static_cast<GLsizei>(tile.height), 1, GL_RED_INTEGER,
                                GL_UNSIGNED_INT,
                                nodes.mirrored().data() + first + std::size_t{tile.y} * nodes.width() + tile.x);
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

class FakeGlEngine : public FakeDeviceEngine {
public:
    explicit FakeGlEngine(FakeDevice& device) : FakeDeviceEngine(device), device_(device) {}
    [[nodiscard]] std::unique_ptr<GlTarget> makeGlTarget() override {
        return device_.hasTarget ? std::make_unique<FakeTarget>(device_) : nullptr;
    }

private:
    FakeDevice& device_;
};

inline std::unique_ptr<Engine> FakeDevice::makeEngine() { return std::make_unique<FakeGlEngine>(*this); }

} // namespace pollard::testing
