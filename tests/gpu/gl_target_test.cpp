// The GPU's way into OpenGL textures: on a GPU with its own OpenGL, in software OpenGL, and without any.
#include "cuda/cuda_engine.hpp"

#include "base/error.hpp"
#include "cuda/device/cuda_error.hpp"
#include "engine/device_pixels.hpp"
#include "engine/engine.hpp"
#include "image/volume_plane.hpp"
#include "offscreen_gl.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace pollard {
namespace {

using pollard::testing::OffscreenGl;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Image> noise(PixelType type, const Extent& extent) {
    auto image = std::make_shared<Image>(type, extent);
    std::mt19937 random(extent.width * 31 + extent.height);
    dispatch(type, [&]<class T>(T) {
        // Few levels next to each other, so that components have some size.
        for (T& pixel : image->pixels<T>()) {
            pixel = static_cast<T>(random() % 5 * (std::numeric_limits<T>::max() / 4));
        }
    });
    return image;
}

std::shared_ptr<const Image> noise(PixelType type, std::uint32_t width, std::uint32_t height) {
    return noise(type, Extent{width, height});
}

FilterSpec areaAtLeast(double minimum, Output output = Output::filtered) {
    FilterSpec spec;
    spec.output = output;
    spec.criteria.push_back({AttributeId::area, minimum, kInfinity});
    return spec;
}

/// One filtered image, in main memory and on the device.
struct FilteredFrame {
    Image host;
    std::shared_ptr<const DeviceFrame> device;
};

class Document {
public:
    Document(Engine& engine, std::shared_ptr<const Image> image, TreeKind kind = TreeKind::max)
        : image_(std::move(image)), session_(engine.openSession()) {
        session_->open(image_);
        session_->buildTree({kind, image_->extent().isVolume() ? Connectivity::six : Connectivity::four, {}});
    }
    [[nodiscard]] FilteredFrame filter(const FilterSpec& spec) {
        Image out(image_->type(), image_->extent());
        session_->filter(spec, out);
        return {std::move(out), session_->deviceFrame()};
    }
    /// A slice of the filtered volume; all slices come from the same image on the device.
    [[nodiscard]] FilteredFrame filterSlice(const FilterSpec& spec, std::uint32_t slice) {
        Image out(image_->type(), image_->width(), image_->height());
        session_->filterPlane(spec, {VolumeAxis::z, slice}, out);
        return {std::move(out), session_->deviceFrame()};
    }
    [[nodiscard]] std::shared_ptr<const DevicePixels> nodes() const { return session_->deviceNodes(); }
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const { return session_->tree(); }

private:
    std::shared_ptr<const Image> image_;
    std::unique_ptr<Session> session_;
};

/// Textures that show one image, cut into tiles.
class Textures {
public:
    Textures(OffscreenGl& gl, PixelType type, std::uint32_t width, std::uint32_t height, std::uint32_t side)
        : gl_(gl), type_(type), width_(width), height_(height) {
        const bool wide = type == PixelType::u16;
        for (std::uint32_t y = 0; y < height; y += side) {
            for (std::uint32_t x = 0; x < width; x += side) {
                GlTile tile{0, x, y, std::min(side, width - x), std::min(side, height - y)};
                gl_.genTextures(1, &tile.texture);
                gl_.bindTexture(GL_TEXTURE_2D, tile.texture);
                gl_.texParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
                gl_.texParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
                gl_.texParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
                gl_.texImage2D(GL_TEXTURE_2D, 0, wide ? GL_R16UI : GL_R8UI, static_cast<GLsizei>(tile.width),
                               static_cast<GLsizei>(tile.height), 0, GL_RED_INTEGER,
                               wide ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, nullptr);
                tiles_.push_back(tile);
            }
        }
        gl_.bindTexture(GL_TEXTURE_2D, 0);
    }
    ~Textures() {
        for (const GlTile& tile : tiles_) {
            gl_.deleteTextures(1, &tile.texture);
        }
    }
    Textures(const Textures&) = delete;
    Textures& operator=(const Textures&) = delete;

    [[nodiscard]] std::span<const GlTile> tiles() const { return tiles_; }

    /// Whether OpenGL sees this image in the textures.
    [[nodiscard]] ::testing::AssertionResult show(const Image& expected) const {
        gl_.pixelStorei(GL_PACK_ALIGNMENT, 1);
        const std::size_t bytes = bytesOf(type_);
        for (const GlTile& tile : tiles_) {
            std::vector<std::byte> texels(std::size_t{tile.width} * tile.height * bytes);
            gl_.bindTexture(GL_TEXTURE_2D, tile.texture);
            gl_.getTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER,
                            type_ == PixelType::u16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, texels.data());
            for (std::uint32_t y = 0; y < tile.height; ++y) {
                const std::byte* row = expected.data() + (std::size_t{tile.y + y} * width_ + tile.x) * bytes;
                if (std::memcmp(row, texels.data() + std::size_t{y} * tile.width * bytes, tile.width * bytes) != 0) {
                    return ::testing::AssertionFailure() << width_ << " x " << height_ << ": tile at " << tile.x << ", "
                                                         << tile.y << " differs in its row " << y;
                }
            }
        }
        gl_.bindTexture(GL_TEXTURE_2D, 0);
        if (const GLenum error = gl_.getError(); error != GL_NO_ERROR) {
            return ::testing::AssertionFailure() << "OpenGL error " << error;
        }
        return ::testing::AssertionSuccess();
    }

private:
    OffscreenGl& gl_;
    PixelType type_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<GlTile> tiles_;
};

/// A texture of square layers that cover an image of numbers row by row.
class LayeredTexture {
public:
    LayeredTexture(OffscreenGl& gl, std::uint32_t width, std::uint32_t height, std::uint32_t side)
        : gl_(gl), width_(width), side_(side) {
        gl_.genTextures(1, &texture_);
        for (std::uint32_t y = 0; y < height; y += side) {
            for (std::uint32_t x = 0; x < width; x += side) {
                tiles_.push_back({texture_, x, y, std::min(side, width - x), std::min(side, height - y),
                                  static_cast<std::uint32_t>(tiles_.size())});
            }
        }
        gl_.bindTexture(GL_TEXTURE_2D_ARRAY, texture_);
        gl_.texParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl_.texParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        gl_.texParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
        gl_.texImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32UI, static_cast<GLsizei>(side), static_cast<GLsizei>(side),
                       static_cast<GLsizei>(tiles_.size()), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
        gl_.bindTexture(GL_TEXTURE_2D_ARRAY, 0);
    }
    ~LayeredTexture() { gl_.deleteTextures(1, &texture_); }
    LayeredTexture(const LayeredTexture&) = delete;
    LayeredTexture& operator=(const LayeredTexture&) = delete;

    [[nodiscard]] std::span<const GlTile> tiles() const { return tiles_; }

    /// Whether OpenGL sees these numbers in the layers.
    [[nodiscard]] ::testing::AssertionResult show(std::span<const std::uint32_t> expected) const {
        std::vector<std::uint32_t> texels(std::size_t{side_} * side_ * tiles_.size());
        gl_.bindTexture(GL_TEXTURE_2D_ARRAY, texture_);
        gl_.getTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.data());
        gl_.bindTexture(GL_TEXTURE_2D_ARRAY, 0);
        for (const GlTile& tile : tiles_) {
            for (std::uint32_t y = 0; y < tile.height; ++y) {
                const std::uint32_t* seen = texels.data() + (std::size_t{tile.layer} * side_ + y) * side_;
                const std::uint32_t* row = expected.data() + std::size_t{tile.y + y} * width_ + tile.x;
                if (!std::equal(row, row + tile.width, seen)) {
                    return ::testing::AssertionFailure() << "layer " << tile.layer << " differs in its row " << y;
                }
            }
        }
        if (const GLenum error = gl_.getError(); error != GL_NO_ERROR) {
            return ::testing::AssertionFailure() << "OpenGL error " << error;
        }
        return ::testing::AssertionSuccess();
    }

private:
    OffscreenGl& gl_;
    std::uint32_t width_;
    std::uint32_t side_;
    GLuint texture_ = 0;
    std::vector<GlTile> tiles_;
};

class GlTargetWithoutContext : public ::testing::Test {
protected:
    std::unique_ptr<Engine> engine = makeCudaEngine();

    void SetUp() override {
        if (const std::string reason = engine->unusableReason(); !reason.empty()) {
            GTEST_SKIP() << "no GPU: " << reason;
        }
    }
    /// The message of a refused attach().
    [[nodiscard]] std::string refusal(std::span<const GlTile> tiles) {
        const auto target = engine->makeGlTarget();
        try {
            target->attach(TexelType::u8, tiles);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::engineUnavailable) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "the textures were taken";
        return {};
    }
    /// Whether the engine still computes, so that no error was left behind.
    void expectHealthy() {
        Document document(*engine, noise(PixelType::u8, 64, 48));
        EXPECT_NE(document.filter(areaAtLeast(3)).device, nullptr);
    }
};

TEST_F(GlTargetWithoutContext, RefusesAndLeavesNoErrorBehind) {
    const GlTile tile{1, 0, 0, 16, 16};
    const std::string message = refusal({&tile, 1});
    EXPECT_THAT(message, HasSubstr("share the window's textures"));
    EXPECT_EQ(message.find('\n'), std::string::npos);
    expectHealthy();
}

TEST_F(GlTargetWithoutContext, DetachesWhatWasNeverAttached) {
    const auto target = engine->makeGlTarget();
    target->detach();
    target->detach();
    Document document(*engine, noise(PixelType::u8, 64, 48));
    const FilteredFrame filtered = document.filter(areaAtLeast(3));
    ASSERT_NE(filtered.device, nullptr);
    try {
        target->write(*filtered.device);
        FAIL() << "written to nowhere";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
    }
}

TEST_F(GlTargetWithoutContext, RefusesSoftwareRendering) {
    OffscreenGl gl([](const std::string& vendor) { return vendor.find("Mesa") != std::string::npos; });
    if (!gl.problem().empty()) {
        GTEST_SKIP() << gl.problem();
    }
    const Textures textures(gl, PixelType::u8, 16, 16, 16);
    EXPECT_THAT(refusal(textures.tiles()), HasSubstr("another graphics card or in software"));
    expectHealthy();
}

TEST(GlTarget, RefusesAnImageOfAnotherEngine) {
    class Stranger : public DeviceFrame {
        [[nodiscard]] PixelType type() const noexcept override { return PixelType::u8; }
        [[nodiscard]] std::uint32_t width() const noexcept override { return 4; }
        [[nodiscard]] std::uint32_t height() const noexcept override { return 4; }
    };
    const auto target = makeCudaEngine()->makeGlTarget();
    ASSERT_NE(target, nullptr);
    try {
        target->write(Stranger{});
        FAIL() << "written";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
    }
}

class GlTargetOnGpu : public GlTargetWithoutContext {
protected:
    std::unique_ptr<OffscreenGl> gl;

    void SetUp() override {
        GlTargetWithoutContext::SetUp();
        if (IsSkipped()) {
            return;
        }
        gl = std::make_unique<OffscreenGl>(
            [](const std::string& vendor) { return vendor.find("NVIDIA") != std::string::npos; });
        if (!gl->problem().empty()) {
            GTEST_SKIP() << gl->problem();
        }
    }
};

TEST_F(GlTargetOnGpu, ShowsWhatTheHostGets) {
    struct Case {
        std::uint32_t width, height, side;
    };
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const auto [width, height, side] : {Case{1, 1, 16}, Case{1, 37, 16}, Case{37, 1, 16}, Case{64, 64, 64},
                                                 Case{641, 479, 1024}, Case{641, 479, 200}, Case{33, 70, 7}}) {
            for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
                Document document(*engine, noise(type, width, height), kind);
                const Textures textures(*gl, type, width, height, side);
                const auto target = engine->makeGlTarget();
                target->attach(texelsOf(type), textures.tiles());
                for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
                    const FilteredFrame filtered = document.filter(areaAtLeast(4, output));
                    ASSERT_NE(filtered.device, nullptr);
                    target->write(*filtered.device);
                    EXPECT_TRUE(textures.show(filtered.host)) << "output " << static_cast<int>(output);
                }
                target->detach();
            }
        }
    }
}

TEST_F(GlTargetOnGpu, ShowsEverySliceOfAVolume) {
    struct Case {
        Extent extent;
        std::uint32_t side;
    };
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const auto& [extent, side] : {Case{{1, 1, 3}, 16}, Case{{37, 1, 5}, 16}, Case{{1, 29, 4}, 8},
                                           Case{{64, 64, 7}, 64}, Case{{131, 77, 9}, 50}}) {
            const auto volume = noise(type, extent);
            Document document(*engine, volume);
            const Textures textures(*gl, type, extent.width, extent.height, side);
            const LayeredTexture layers(*gl, extent.width, extent.height, side);
            const auto target = engine->makeGlTarget();
            const auto numbers = engine->makeGlTarget();
            target->attach(texelsOf(type), textures.tiles());
            numbers->attach(TexelType::u32, layers.tiles());
            for (const Output output : {Output::filtered, Output::residue, Output::mask, Output::labels}) {
                const FilterSpec spec = areaAtLeast(4, output);
                const FilteredFrame all = document.filter(spec);
                ASSERT_NE(all.device, nullptr);
                ASSERT_EQ(all.device->slices(), extent.slices);
                for (std::uint32_t slice : {extent.slices - 1, 0U, extent.slices / 2}) {
                    const Image wanted = sliceOf(all.host, slice);
                    target->write(*all.device, slice);
                    EXPECT_TRUE(textures.show(wanted)) << text(extent) << ", slice " << slice;
                    const FilteredFrame seen = document.filterSlice(spec, slice);
                    EXPECT_EQ(seen.device, all.device) << "decided again";
                    EXPECT_TRUE(std::equal(wanted.data(), wanted.data() + wanted.bytes(), seen.host.data()));
                }
            }
            const auto tree = document.tree();
            for (std::uint32_t slice = 0; slice < extent.slices; ++slice) {
                numbers->write(*document.nodes(), slice);
                const std::size_t pixels = extent.slicePixels();
                EXPECT_TRUE(layers.show(tree->pixelNode.span().subspan(slice * pixels, pixels))) << slice;
            }
            EXPECT_THROW(numbers->write(*document.nodes(), extent.slices), Error);
            EXPECT_THROW(target->write(*document.filter({}).device, extent.slices), Error);
            target->detach();
            numbers->detach();
        }
    }
}

TEST_F(GlTargetOnGpu, ShowsTheNumbersOfNodesInEveryLayer) {
    struct Case {
        std::uint32_t width, height, side;
    };
    for (const auto [width, height, side] : {Case{1, 1, 1}, Case{1, 37, 16}, Case{37, 1, 16}, Case{64, 64, 64},
                                             Case{641, 479, 512}, Case{641, 479, 64}, Case{33, 70, 8}}) {
        Document document(*engine, noise(PixelType::u16, width, height));
        const LayeredTexture texture(*gl, width, height, side);
        const auto target = engine->makeGlTarget();
        target->attach(TexelType::u32, texture.tiles());
        target->write(*document.nodes());
        EXPECT_TRUE(texture.show(document.tree()->pixelNode.span())) << width << " x " << height << ", " << side;
        // The nodes of another tree into the same texture, destroyed before the write has run.
        auto other = std::make_unique<Document>(*engine, noise(PixelType::u16, width, height), TreeKind::min);
        const auto tree = other->tree();
        target->write(*other->nodes());
        other.reset();
        EXPECT_TRUE(texture.show(tree->pixelNode.span())) << width << " x " << height << ", " << side;
        target->detach();
    }
}

TEST_F(GlTargetOnGpu, KeepsNumbersAndImagesApart) {
    Document document(*engine, noise(PixelType::u16, 60, 50));
    const FilteredFrame filtered = document.filter(areaAtLeast(3));
    const LayeredTexture layers(*gl, 60, 50, 32);
    const Textures plain(*gl, PixelType::u16, 60, 50, 32);
    const auto numbers = engine->makeGlTarget();
    const auto levels = engine->makeGlTarget();
    numbers->attach(TexelType::u32, layers.tiles());
    levels->attach(TexelType::u16, plain.tiles());
    EXPECT_THROW(numbers->write(*filtered.device), Error);
    EXPECT_THROW(levels->write(*document.nodes()), Error);
    numbers->write(*document.nodes());
    levels->write(*filtered.device);
    EXPECT_TRUE(layers.show(document.tree()->pixelNode.span()));
    EXPECT_TRUE(plain.show(filtered.host));
    numbers->detach();
    levels->detach();
}

TEST_F(GlTargetOnGpu, ShowsTheNewestOfManyThatAreLetGoAtOnce) {
    Document document(*engine, noise(PixelType::u16, 700, 500));
    const Textures front(*gl, PixelType::u16, 700, 500, 256);
    const Textures back(*gl, PixelType::u16, 700, 500, 256);
    const auto first = engine->makeGlTarget();
    const auto second = engine->makeGlTarget();
    first->attach(TexelType::u16, front.tiles());
    second->attach(TexelType::u16, back.tiles());
    for (int i = 0; i < 60; ++i) {
        FilteredFrame filtered =
            document.filter(areaAtLeast(1 + i % 17, i % 3 == 0 ? Output::residue : Output::filtered));
        ASSERT_NE(filtered.device, nullptr);
        (i % 2 == 0 ? *first : *second).write(*filtered.device);
        filtered.device.reset(); // its memory may be used again, but only after the write
        const FilteredFrame other = document.filter(areaAtLeast(40));
        ASSERT_TRUE((i % 2 == 0 ? front : back).show(filtered.host)) << "image " << i;
    }
    first->detach();
    second->detach();
}

TEST_F(GlTargetOnGpu, ShowsAnImageWhoseDocumentIsGone) {
    const Textures textures(*gl, PixelType::u8, 300, 200, 512);
    const auto target = engine->makeGlTarget();
    target->attach(TexelType::u8, textures.tiles());
    const FilteredFrame filtered = Document(*engine, noise(PixelType::u8, 300, 200)).filter(areaAtLeast(5));
    ASSERT_NE(filtered.device, nullptr);
    target->write(*filtered.device);
    EXPECT_TRUE(textures.show(filtered.host));
    target->detach();
}

TEST_F(GlTargetOnGpu, TakesOtherTexturesAfterTheFirst) {
    const auto target = engine->makeGlTarget();
    for (const auto& [width, height] : {std::pair(40U, 30U), std::pair(90U, 20U), std::pair(40U, 30U)}) {
        const Textures textures(*gl, PixelType::u8, width, height, 32);
        target->attach(TexelType::u8, textures.tiles());
        const FilteredFrame filtered = Document(*engine, noise(PixelType::u8, width, height)).filter(areaAtLeast(3));
        target->write(*filtered.device);
        EXPECT_TRUE(textures.show(filtered.host));
        target->detach();
    }
}

TEST_F(GlTargetOnGpu, RefusesAnImageOfAnotherSizeOrType) {
    const Textures textures(*gl, PixelType::u8, 40, 30, 64);
    const auto target = engine->makeGlTarget();
    target->attach(TexelType::u8, textures.tiles());
    for (const auto& image : {noise(PixelType::u8, 30, 40), noise(PixelType::u16, 40, 30)}) {
        const FilteredFrame filtered = Document(*engine, image).filter(areaAtLeast(3));
        try {
            target->write(*filtered.device);
            ADD_FAILURE() << "written";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        }
    }
    target->detach();
}

TEST_F(GlTargetOnGpu, RefusesATextureThatIsNone) {
    const GlTile tile{4711, 0, 0, 16, 16};
    EXPECT_THAT(refusal({&tile, 1}), HasSubstr("share the window's textures"));
    expectHealthy();
}

TEST_F(GlTargetOnGpu, SaysThatRegistrationWasRefusedAndWorksAfterwards) {
    const Textures textures(*gl, PixelType::u8, 40, 30, 16);
    {
        const cuda::FaultInjection fault({.refuseInterop = true});
        EXPECT_THAT(refusal(textures.tiles()), HasSubstr("refuses"));
    }
    const auto target = engine->makeGlTarget();
    target->attach(TexelType::u8, textures.tiles());
    const FilteredFrame filtered = Document(*engine, noise(PixelType::u8, 40, 30)).filter(areaAtLeast(3));
    target->write(*filtered.device);
    EXPECT_TRUE(textures.show(filtered.host));
    target->detach();
}

TEST_F(GlTargetOnGpu, SurvivesTheFailureOfEveryOperation) {
    const Textures textures(*gl, PixelType::u8, 60, 50, 32);
    const LayeredTexture layers(*gl, 60, 50, 32);
    Document document(*engine, noise(PixelType::u8, 60, 50));
    const FilteredFrame filtered = document.filter(areaAtLeast(3));
    const auto nodes = document.nodes();
    for (const bool numbers : {false, true}) {
        const auto show = [&](GlTarget& target) {
            target.attach(numbers ? TexelType::u32 : TexelType::u8, numbers ? layers.tiles() : textures.tiles());
            if (numbers) {
                target.write(*nodes);
            } else {
                target.write(*filtered.device);
            }
        };
        bool reached = true;
        int failures = 0;
        for (std::int64_t k = 1; reached; ++k) {
            ASSERT_LT(k, 200) << "the fault is always reached";
            const auto target = engine->makeGlTarget();
            {
                const cuda::FaultInjection fault({.failOperation = k});
                try {
                    show(*target);
                } catch (const Error& error) {
                    ++failures;
                    EXPECT_TRUE(error.code() == ErrorCode::engineUnavailable || error.code() == ErrorCode::deviceFailed)
                        << error.what();
                }
                reached = fault.failureOccurred();
            }
            show(*target);
            EXPECT_TRUE(numbers ? layers.show(document.tree()->pixelNode.span()) : textures.show(filtered.host))
                << "after failure " << k;
            target->detach();
        }
        EXPECT_GT(failures, 5);
    }
}

} // namespace
} // namespace pollard
