// Pointing at real images: places all over the sample images of the program.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "support/affordable.hpp"
#include "support/random_images.hpp"
#include "tree/component_paint.hpp"
#include "viewmodels/support/wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::Random;

constexpr int kHovers = static_cast<int>(testing::affordable(2000));
constexpr int kLitEvery = 20; ///< at each of these places the component's pixels are counted

class ChainOfSample : public ::testing::TestWithParam<std::tuple<const char*, TreeKind, Connectivity>> {};

TEST_P(ChainOfSample, HoldsThePixelAndGrowsToTheRoot) {
    const auto [file, kind, connectivity] = GetParam();
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ChainViewModel chain{document, filter};
    document.choices().setTreeSpec({kind, connectivity, {}});
    document.open(QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/%1").arg(QLatin1String(file)));
    ASSERT_TRUE(eventually(
        [&] { return !document.activity().isBusy() && !document.activity().isFiltering() && document.tree(); }));
    chain.setActive(true);
    ASSERT_TRUE(eventually([&] { return document.attribute(AttributeId::area) != nullptr; }));
    const ComponentTree& tree = *document.tree();
    const auto area = document.attribute(AttributeId::area);
    std::vector<std::size_t> columns(tree.width);
    std::vector<std::size_t> rows(tree.height);
    std::iota(columns.begin(), columns.end(), 0);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<std::uint32_t> lit(tree.pixelCount());
    Random random(90);
    for (int i = 0; i < kHovers; ++i) {
        const std::uint32_t x = random() % tree.width;
        const std::uint32_t y = random() % tree.height;
        const std::uint32_t pixel = y * tree.width + x;
        chain.hover({x + 0.5, y + 0.5});
        const auto& nodes = chain.chain();
        ASSERT_FALSE(nodes.empty());
        ASSERT_EQ(nodes.front(), tree.pixelNode[pixel]);
        ASSERT_EQ(tree.level[nodes.front()], document.image()->level(pixel));
        ASSERT_EQ(nodes.back(), 0U);
        ASSERT_TRUE(tree.contains(nodes.back(), nodes.front()));
        std::size_t wrong = 0;
        for (std::size_t row = 1; row < nodes.size(); ++row) {
            const std::uint32_t inner = nodes[row - 1];
            const std::uint32_t outer = nodes[row];
            const bool away =
                kind == TreeKind::max ? tree.level[outer] < tree.level[inner] : tree.level[outer] > tree.level[inner];
            const bool right = away && tree.contains(outer, nodes.front()) && area->at(outer) > area->at(inner);
            wrong += right ? 0 : 1;
        }
        ASSERT_EQ(wrong, 0U);
        if (i % kLitEvery == 0) {
            chain.setCurrent(static_cast<int>(random() % nodes.size()));
            paintComponent({&tree, columns, rows, 1, 2}, *chain.node(), lit);
            const auto outside = std::count(lit.data(), lit.data() + lit.size(), 0U);
            ASSERT_EQ(static_cast<double>(tree.pixelCount()) - static_cast<double>(outside), area->at(*chain.node()));
            ASSERT_NE(lit[pixel], 0U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, ChainOfSample,
                         ::testing::Combine(::testing::Values("tissue_ihc_512_u16.tif", "city_lights_400x300_u16.tif",
                                                              "page_480x320_u8.tif"),
                                            ::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)));

} // namespace
} // namespace pollard::vm
