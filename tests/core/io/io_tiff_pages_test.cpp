#include "core/io/io_support.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace pollard::test {

namespace {

std::shared_ptr<const Image> numbered(PixelType type, std::uint32_t width, std::uint32_t height, int number) {
    auto image = std::make_shared<Image>(type, width, height);
    dispatch(type, [&]<class T>(T) {
        std::size_t p = 0;
        for (T& pixel : image->pixels<T>()) {
            pixel = static_cast<T>(p++ * 7 + static_cast<std::size_t>(number) * 31);
        }
    });
    return image;
}

CopiedTag unit(std::uint16_t value) {
    CopiedTag tag{296, 3, 1, std::vector<std::byte>(sizeof value)};
    std::memcpy(tag.data.data(), &value, sizeof value);
    return tag;
}

std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TiffPages, RoundTripPagesOfDifferentSizesAndTypesWithTheirTags) {
    const TempDir dir;
    const auto make = [](int page) {
        return numbered(page % 2 == 0 ? PixelType::u8 : PixelType::u16, 40 + static_cast<std::uint32_t>(page), 30,
                        page);
    };
    double last = 0;
    writeTiff(dir / "stack.tif",
              {5,
               [&](int page, const JobControl&) {
                   return Plane{ownedRows(make(page)), {.carried = {unit(static_cast<std::uint16_t>(1 + page % 3))}}};
               }},
              {.arePages = true},
              JobControl({}, [&last](double fraction, std::string_view) { last = std::max(last, fraction); }));
    EXPECT_EQ(last, 1.0);
    EXPECT_EQ(readImageInfo(dir / "stack.tif").pages, 5);
    for (int page = 0; page < 5; ++page) {
        ReadOptions options;
        options.page = page;
        const LoadedImage loaded = readImage(dir / "stack.tif", options);
        const auto expected = make(page);
        ASSERT_EQ(loaded.image->type(), expected->type()) << page;
        ASSERT_EQ(loaded.image->width(), expected->width()) << page;
        EXPECT_EQ(std::memcmp(loaded.image->data(), expected->data(), expected->bytes()), 0) << page;
        const auto& carried = loaded.info.carried;
        EXPECT_NE(std::find(carried.begin(), carried.end(), unit(static_cast<std::uint16_t>(1 + page % 3))),
                  carried.end())
            << page;
    }
}

TEST(TiffPages, AFailureOnThePagesLeavesTheTargetAsItWas) {
    const TempDir dir;
    const auto target = dir / "stack.tif";
    std::ofstream(target) << "precious";
    for (const int failing : {0, 2, 3}) {
        EXPECT_THROW(writeTiff(target,
                               {4,
                                [&](int page, const JobControl&) {
                                    if (page == failing) {
                                        throw Error(ErrorCode::fileDamaged, "page");
                                    }
                                    return Plane{ownedRows(numbered(PixelType::u8, 300, 300, page))};
                                }},
                               {.arePages = true}),
                     Error);
        EXPECT_EQ(contentOf(target), "precious");
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(target.parent_path()), {}), 1);
    }
    std::stop_source stop;
    EXPECT_THROW(writeTiff(target,
                           {4,
                            [&](int page, const JobControl&) {
                                if (page == 1) {
                                    stop.request_stop();
                                }
                                return Plane{ownedRows(numbered(PixelType::u8, 10, 10, page))};
                            }},
                           {.arePages = true}, JobControl(stop.get_token())),
                 Cancelled);
    EXPECT_EQ(contentOf(target), "precious");
    EXPECT_THROW(writeTiff(target, {0, {}}, {.arePages = true}), Error);
}

} // namespace

} // namespace pollard::test
