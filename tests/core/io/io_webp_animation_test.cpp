// Frames of an animated WebP, written and read back.
#include "formats/images/webp_animation.hpp"

#include "base/error.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>
#include <webp/demux.h>

namespace pollard {
namespace {

using Frame = std::vector<std::uint8_t>;

class WebpAnimationFile : public ::testing::Test {
protected:
    test::TempDir folder;
    std::filesystem::path path = folder / "animation.webp";

    struct Read {
        std::vector<Frame> frames; ///< RGB
        std::vector<int> ends;     ///< ms
    };
    [[nodiscard]] Read read() const {
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
        WebPAnimDecoderOptions options;
        WebPAnimDecoderOptionsInit(&options);
        const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(WebPAnimDecoderNew(&data, &options),
                                                                                   &WebPAnimDecoderDelete);
        Read all;
        if (decoder == nullptr) {
            ADD_FAILURE() << "no animation";
            return all;
        }
        WebPAnimInfo info;
        WebPAnimDecoderGetInfo(decoder.get(), &info);
        while (WebPAnimDecoderHasMoreFrames(decoder.get()) != 0) {
            std::uint8_t* rgba = nullptr;
            int end = 0;
            WebPAnimDecoderGetNext(decoder.get(), &rgba, &end);
            Frame frame;
            for (std::size_t p = 0; p < std::size_t{info.canvas_width} * info.canvas_height; ++p) {
                frame.insert(frame.end(), rgba + 4 * p, rgba + 4 * p + 3);
            }
            all.frames.push_back(frame);
            all.ends.push_back(end);
        }
        return all;
    }
};

TEST_F(WebpAnimationFile, HoldsEveryFrameWithoutLoss) {
    testing::Random random(3);
    std::vector<Frame> frames;
    for (int i = 0; i < 6; ++i) {
        Frame frame(21 * 13 * 3);
        for (std::uint8_t& value : frame) {
            value = static_cast<std::uint8_t>(random());
        }
        frames.push_back(frame);
    }
    WebpAnimation animation(path, 21, 13);
    for (const Frame& frame : frames) {
        animation.add(frame, 40);
    }
    EXPECT_FALSE(std::filesystem::exists(path)) << "before it is complete";
    animation.finish();
    const Read all = read();
    EXPECT_EQ(all.frames, frames);
    EXPECT_EQ(all.ends, (std::vector<int>{40, 80, 120, 160, 200, 240}));
}

TEST_F(WebpAnimationFile, RefusesWhatIsNoFrame) {
    EXPECT_THROW(WebpAnimation(path, 0, 4), Error);
    EXPECT_THROW(WebpAnimation(path, WebpAnimation::kMaxSide + 1, 4), Error);
    WebpAnimation animation(path, 4, 4);
    EXPECT_THROW(animation.add(Frame(47), 10), Error);
    EXPECT_THROW(animation.add(Frame(48), 0), Error);
    EXPECT_THROW(animation.finish(), Error) << "without a frame";
    EXPECT_THROW(WebpAnimation(path / "no such folder" / "x.webp", 4, 4), Error);
}

} // namespace
} // namespace pollard
