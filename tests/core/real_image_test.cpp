// Node counts and areas of real images, as counted with scikit-image (see docs/algorithms.md). The images are in
// ../shared/images/bench, outside the repository.

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/image_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace pollard::testing {
namespace {

struct Expected {
    const char* file;
    std::uint32_t maxTreeNodes;
    std::uint32_t minTreeNodes;
};

class RealImage : public ::testing::TestWithParam<Expected> {};

TEST_P(RealImage, HasTheNodeCountsOfScikitImage) {
    const auto path =
        std::filesystem::path(POLLARD_SOURCE_DIR).parent_path() / "shared" / "images" / "bench" / GetParam().file;
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << path.filename() << " is not there: the benchmark images are no part of the repository";
    }
    EngineRegistry registry{makeCpuEngine()};
    auto session = registry.select("cpu").openSession();
    session->open(readImage(path).image);
    EXPECT_EQ(session->buildTree({TreeKind::max, Connectivity::four, {}}).nodes, GetParam().maxTreeNodes);
    EXPECT_EQ(session->buildTree({TreeKind::min, Connectivity::four, {}}).nodes, GetParam().minTreeNodes);
}

INSTANTIATE_TEST_SUITE_P(
    Bench, RealImage,
    ::testing::Values(Expected{"01_cell_512_u8.tif", 2370, 2174}, Expected{"02_ihc_512_u16.tif", 125448, 140638},
                      Expected{"03_m51_512_u16.tif", 51651, 43511}, Expected{"04_aia_hd_u8.tif", 155592, 147289},
                      Expected{"05_thar_hd_u16.tif", 1021304, 984548}, Expected{"06_retina_u16.tif", 251014, 189224},
                      Expected{"07_relief_24mp_u8.tif", 760413, 635706},
                      Expected{"09_doc_24mp_u8.tif", 2600676, 2818538},
                      Expected{"10_sat_24mp_u16.tif", 3727780, 3189697}),
    [](const auto& parameter) {
        const std::string file = parameter.param.file;
        return file.substr(0, file.find('.'));
    });

struct Areas {
    const char* file;
    TreeKind kind;
    Connectivity connectivity;
    std::uint32_t nodes;
    std::uint64_t sum;     ///< of the areas of all nodes
    std::uint64_t squares; ///< sum of squared areas
};

class RealImageAreas : public ::testing::TestWithParam<Areas> {};

TEST_P(RealImageAreas, AreThoseOfScikitImage) {
    const auto path =
        std::filesystem::path(POLLARD_SOURCE_DIR).parent_path() / "shared" / "images" / "bench" / GetParam().file;
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << path.filename() << " is not there: the benchmark images are no part of the repository";
    }
    EngineRegistry registry{makeCpuEngine()};
    auto session = registry.select("cpu").openSession();
    session->open(readImage(path).image);
    EXPECT_EQ(session->buildTree({GetParam().kind, GetParam().connectivity, {}}).nodes, GetParam().nodes);
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
    const auto column = session->attribute(AttributeId::area);
    for (const std::uint64_t area : std::get<Buffer<std::uint32_t>>(column->values)) {
        sum += area;
        squares += area * area;
    }
    EXPECT_EQ(sum, GetParam().sum);
    EXPECT_EQ(squares, GetParam().squares);
}

INSTANTIATE_TEST_SUITE_P(
    Bench, RealImageAreas,
    ::testing::Values(
        Areas{"01_cell_512_u8.tif", TreeKind::max, Connectivity::four, 2370, 18127990U, 3694860149222U},
        Areas{"01_cell_512_u8.tif", TreeKind::max, Connectivity::eight, 2356, 18127990U, 3694999637280U},
        Areas{"01_cell_512_u8.tif", TreeKind::min, Connectivity::four, 2174, 49243018U, 12158920622654U},
        Areas{"01_cell_512_u8.tif", TreeKind::min, Connectivity::eight, 2163, 49243018U, 12159058266508U},
        Areas{"03_m51_512_u16.tif", TreeKind::max, Connectivity::four, 51651, 25968046U, 4439271461214U},
        Areas{"03_m51_512_u16.tif", TreeKind::max, Connectivity::eight, 36827, 25997675U, 4462234297647U},
        Areas{"03_m51_512_u16.tif", TreeKind::min, Connectivity::four, 43511, 326024854U, 82928037649356U},
        Areas{"03_m51_512_u16.tif", TreeKind::min, Connectivity::eight, 27966, 326304702U, 83021598051886U},
        Areas{"02_ihc_512_u16.tif", TreeKind::max, Connectivity::four, 125448, 3644305238U, 692464586559896U},
        Areas{"02_ihc_512_u16.tif", TreeKind::max, Connectivity::eight, 116139, 3712274614U, 706694355933666U},
        Areas{"02_ihc_512_u16.tif", TreeKind::min, Connectivity::four, 140638, 2205354588U, 314240247166110U},
        Areas{"02_ihc_512_u16.tif", TreeKind::min, Connectivity::eight, 131652, 2257670427U, 321931920536727U},
        Areas{"04_aia_hd_u8.tif", TreeKind::max, Connectivity::four, 155592, 196155364U, 281905309518782U},
        Areas{"04_aia_hd_u8.tif", TreeKind::max, Connectivity::eight, 116190, 196205173U, 283255300724857U},
        Areas{"04_aia_hd_u8.tif", TreeKind::min, Connectivity::four, 147289, 336488963U, 577315199480773U},
        Areas{"04_aia_hd_u8.tif", TreeKind::min, Connectivity::eight, 106634, 336535397U, 577829604138679U},
        Areas{"06_retina_u16.tif", TreeKind::max, Connectivity::four, 251014, 19884918644U, 24777984297732618U},
        Areas{"06_retina_u16.tif", TreeKind::max, Connectivity::eight, 230517, 20011227538U, 24976973615762136U},
        Areas{"06_retina_u16.tif", TreeKind::min, Connectivity::four, 189224, 36220527786U, 57623061786970760U},
        Areas{"06_retina_u16.tif", TreeKind::min, Connectivity::eight, 167345, 36354234087U, 57847843103689409U}),
    [](const auto& parameter) {
        const std::string file = parameter.param.file;
        return file.substr(0, file.find('.')) + (parameter.param.kind == TreeKind::max ? "_max" : "_min") +
               (parameter.param.connectivity == Connectivity::four ? "_4" : "_8");
    });

} // namespace
} // namespace pollard::testing
