// Attributes against their formulas on the full support of each component.

#include "support/engines.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <map>

namespace pollard::testing {
namespace {

class AttributeValues : public EveryTree {};

TEST_P(AttributeValues, EqualTheFormulas) {
    Random random(11);
    for (int repeat = 0; repeat < 150; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 20, 1 + random() % 20);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto nodes = naiveTree(*image, spec().kind, spec().connectivity);
        std::map<std::uint32_t, std::size_t> byCanonical;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            byCanonical[nodes[n].canonical] = n;
        }
        for (const AttributeInfo& info : allAttributes()) {
            if (!isKnownToOracle(info.id)) {
                continue;
            }
            SCOPED_TRACE(info.name);
            const auto column = session->attribute(info.id);
            ASSERT_EQ(column->size(), tree.nodeCount());
            double minimum = column->at(0);
            double maximum = column->at(0);
            for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
                const double expected =
                    naiveAttribute(nodes, byCanonical.at(tree.canonical[n]), info.id, *image, spec().kind);
                if (info.integral) {
                    ASSERT_EQ(column->at(n), expected) << "node " << n;
                } else {
                    ASSERT_NEAR(column->at(n), expected, 1e-9 * std::abs(expected)) << "node " << n;
                }
                minimum = std::min(minimum, column->at(n));
                maximum = std::max(maximum, column->at(n));
                if (info.increasing) {
                    ASSERT_GE(column->at(tree.parent[n]), n == 0 ? 0 : column->at(n)) << "node " << n;
                }
            }
            ASSERT_EQ(column->minimum, minimum);
            ASSERT_EQ(column->maximum, maximum);
        }
    }
}

TEST_P(AttributeValues, BoxesAreRightAcrossTiles) {
    Random random(12);
    const auto image = makeImage(PixelType::u8, 150, 140, [&](auto x, auto y) {
        return static_cast<std::uint32_t>((x / 9 + y / 7) % 3 + random() % 2);
    });
    const auto session = build(image);
    const auto nodes = naiveTree(*image, spec().kind, spec().connectivity);
    std::map<std::uint32_t, std::size_t> byCanonical;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        byCanonical[nodes[n].canonical] = n;
    }
    for (const AttributeId id : {AttributeId::width, AttributeId::heightPx, AttributeId::area, AttributeId::volume}) {
        const auto column = session->attribute(id);
        for (std::size_t n = 0; n < column->size(); ++n) {
            ASSERT_EQ(column->at(n),
                      naiveAttribute(nodes, byCanonical.at(session->tree()->canonical[n]), id, *image, spec().kind));
        }
    }
}

TEST_P(AttributeValues, AreComputedOnce) {
    const auto session = build(makeImage(PixelType::u8, 9, 9, [](auto x, auto y) { return x * y; }));
    EXPECT_EQ(session->attribute(AttributeId::area), session->attribute(AttributeId::area));
}

POLLARD_FOR_EVERY_TREE(AttributeValues);

TEST(SessionWithoutTree, SaysSo) {
    EngineRegistry registry;
    auto session = registry.select("cpu").openSession();
    EXPECT_THROW(session->buildTree({}), Error);
    EXPECT_THROW((void)session->attribute(AttributeId::area), Error);
    EXPECT_THROW(session->openImage(nullptr), Error);
    session->openImage(makeImage(PixelType::u8, 2, 2, [](auto x, auto) { return x; }));
    Image out(PixelType::u8, 2, 2);
    EXPECT_THROW(session->filter({}, out), Error);
    TreeSpec spec;
    spec.algorithm = "no-such";
    EXPECT_THROW(session->buildTree(spec), Error);
    spec.algorithm = "branches";
    EXPECT_NO_THROW(session->buildTree(spec));
    Image wrong(PixelType::u16, 2, 2);
    EXPECT_THROW(session->filter({}, wrong), Error);
}

TEST(EngineChoice, AutoIsTheCpuWithoutAnythingElse) {
    const EngineRegistry registry;
    EXPECT_EQ(registry.select("auto").name(), "cpu");
    EXPECT_THROW((void)registry.select("abacus"), Error);
}

} // namespace
} // namespace pollard::testing
