// Node counts of real images, as counted with scikit-image (docs/algorithms.md says how). The images lie beside the
// repository, in ../shared/images/bench, and not in it.

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
    EngineRegistry registry;
    auto session = registry.select("cpu").openSession();
    session->openImage(readImage(path).image);
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

} // namespace
} // namespace pollard::testing
