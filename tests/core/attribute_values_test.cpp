// Attributes against their definitions on the full support of each component, and the laws they must obey.

#include "cpu/cpu_engine.hpp"
#include "support/affordable.hpp"
#include "support/engines.hpp"
#include "support/naive_attributes.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace pollard::testing {
namespace {

class AttributeValues : public EveryTree {
protected:
    /// Compares all attributes of all nodes, and the ranges of the columns.
    void compareWithDefinitions(Session& session, const Image& image) {
        const ComponentTree& tree = *session.tree();
        const auto nodes = naiveTree(image, spec().kind, spec().connectivity);
        ASSERT_EQ(tree.nodeCount(), nodes.size());
        std::map<std::uint32_t, std::size_t> byCanonical;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            byCanonical[nodes[n].canonical] = n;
        }
        const NaiveAttributes naive(nodes, image, spec().kind);
        for (const AttributeInfo& info : allAttributes()) {
            const auto column = session.attribute(info.id);
            ASSERT_EQ(column->id, info.id);
            ASSERT_EQ(column->size(), tree.nodeCount());
            double minimum = std::numeric_limits<double>::infinity();
            double maximum = -minimum;
            for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
                const std::size_t index = byCanonical.at(tree.canonical[n]);
                const double expected = naive.value(index, info.id);
                const double actual = column->at(n);
                if (std::isnan(expected)) {
                    ASSERT_TRUE(std::isnan(actual)) << info.name << ", node " << n;
                    continue;
                }
                if (info.integral) {
                    ASSERT_EQ(actual, expected) << info.name << ", node " << n;
                } else {
                    ASSERT_NEAR(actual, expected, naive.tolerance(index, info.id, expected))
                        << info.name << ", node " << n;
                }
                minimum = std::min(minimum, actual);
                maximum = std::max(maximum, actual);
                if (info.increasing) {
                    ASSERT_GE(column->at(tree.parent[n]), actual) << info.name << ", node " << n;
                }
            }
            ASSERT_EQ(column->minimum, minimum <= maximum ? minimum : 0) << info.name;
            ASSERT_EQ(column->maximum, minimum <= maximum ? maximum : 0) << info.name;
        }
    }
};

TEST_P(AttributeValues, EqualTheDefinitions) {
    Random random(11);
    for (int repeat = 0; repeat < repeats(static_cast<int>(affordable(1400))); ++repeat) {
        const auto image = randomImage(random, 1 + random() % 14, 1 + random() % 14);
        const auto session = build(image);
        ASSERT_NO_FATAL_FAILURE(compareWithDefinitions(*session, *image)) << "image " << repeat;
    }
}

TEST_P(AttributeValues, EqualTheDefinitionsOnImagesOfOnePixelOrRowOrColumnOrLevel) {
    Random random(12);
    for (const auto& [width, height] : {std::pair{1U, 1U}, std::pair{60U, 1U}, std::pair{1U, 60U}}) {
        for (const PixelType type : {PixelType::u8, PixelType::u16}) {
            for (const std::uint32_t levels : {1U, 3U, 256U}) {
                const auto image = makeImage(type, width, height, [&](auto, auto) { return random() % levels * 255; });
                const auto session = build(image);
                ASSERT_NO_FATAL_FAILURE(compareWithDefinitions(*session, *image)) << width << " x " << height;
            }
        }
    }
    const auto flat = makeImage(PixelType::u16, 21, 17, [](auto, auto) { return 40'000; });
    ASSERT_NO_FATAL_FAILURE(compareWithDefinitions(*build(flat), *flat));
}

TEST_P(AttributeValues, EqualTheDefinitionsAcrossTiles) {
    Random random(13);
    constexpr std::uint32_t kHeight = isSanitized() ? 40 : 140;
    const auto image = makeImage(PixelType::u8, 150, kHeight, [&](auto x, auto y) {
        return static_cast<std::uint32_t>((x / 19 + y / 17) % 4 * 3 + (random() % 16 == 0 ? 1 : 0));
    });
    ASSERT_NO_FATAL_FAILURE(compareWithDefinitions(*build(image), *image));
}

TEST_P(AttributeValues, ShapesOfRingsAndSpirals) {
    // Holes in holes, diagonal chains, and an image with every pattern of 2 x 2 pixels at its border.
    Random random(14);
    for (std::uint32_t repeat = 0; repeat < affordable(240); ++repeat) {
        const std::uint32_t levels = 2 + random() % 3;
        const std::uint32_t density = 2 + random() % 4;
        const auto image = makeImage(PixelType::u8, 12, 11, [&](auto x, auto y) {
            const std::uint32_t ring = std::min(std::min(x, 11 - x), std::min(y, 10 - y));
            return random() % density == 0 ? random() % levels : ring % 2 * (levels - 1);
        });
        ASSERT_NO_FATAL_FAILURE(compareWithDefinitions(*build(image), *image)) << "image " << repeat;
    }
}

TEST_P(AttributeValues, OfAMinTreeAreThoseOfTheMaxTreeOfTheInvertedImage) {
    Random random(15);
    for (int repeat = 0; repeat < repeats(60); ++repeat) {
        const auto image = randomImage(random, 1 + random() % 60, 1 + random() % 60);
        const std::uint16_t top = maxLevelOf(image->type());
        const auto inverted = makeImage(image->type(), image->width(), image->height(), [&](auto x, auto y) {
            return static_cast<std::uint32_t>(top - image->level(std::size_t{y} * image->width() + x));
        });
        TreeSpec dualSpec = spec();
        dualSpec.kind = spec().kind == TreeKind::max ? TreeKind::min : TreeKind::max;
        auto dual = registry_.select(std::get<std::string>(GetParam())).openSession();
        dual->open(inverted);
        dual->buildTree(dualSpec);
        const auto session = build(image);
        const auto area = session->attribute(AttributeId::area);
        for (const AttributeInfo& info : allAttributes()) {
            const auto one = session->attribute(info.id);
            const auto other = dual->attribute(info.id);
            ASSERT_EQ(one->size(), other->size());
            for (std::size_t n = 0; n < one->size(); ++n) {
                double expected = other->at(n);
                // Values in original grey levels.
                if (info.id == AttributeId::level || info.id == AttributeId::mean ||
                    info.id == AttributeId::outerMean) {
                    expected = top - expected;
                } else if (info.id == AttributeId::sum) {
                    expected = top * area->at(n) - expected;
                }
                if (info.integral || std::isnan(expected)) {
                    ASSERT_TRUE(one->at(n) == expected || (std::isnan(one->at(n)) && std::isnan(expected)))
                        << info.name << ": " << one->at(n) << ", " << expected;
                } else {
                    ASSERT_NEAR(one->at(n), expected, 1e-12 * std::max({1.0, std::abs(expected), other->at(n)}))
                        << info.name;
                }
            }
        }
    }
}

TEST_P(AttributeValues, OfBordersFollowTheLevels) {
    Random random(19);
    for (int repeat = 0; repeat < repeats(40); ++repeat) {
        const auto image = makeImage(PixelType::u16, 2 + random() % 40, 1 + random() % 40,
                                     [&](auto, auto) { return random() % 3'000 * (random() % 9); });
        const auto changed = [&](std::uint32_t factor, std::uint32_t addend) {
            return makeImage(PixelType::u16, image->width(), image->height(), [&](auto x, auto y) {
                return factor * image->level(std::size_t{y} * image->width() + x) + addend;
            });
        };
        image->setSides({1, 2, 3}); // of voxels: they do not matter in images
        const auto session = build(image);
        const auto contrast = session->attribute(AttributeId::borderContrast);
        const auto outer = session->attribute(AttributeId::outerMean);
        ASSERT_TRUE(std::isnan(contrast->at(0)) && std::isnan(outer->at(0)));
        for (const auto& [factor, addend] : {std::pair{1U, 7'000U}, {2U, 0U}}) {
            const auto other = build(changed(factor, addend));
            const auto otherContrast = other->attribute(AttributeId::borderContrast);
            const auto otherOuter = other->attribute(AttributeId::outerMean);
            for (std::size_t n = 1; n < contrast->size(); ++n) {
                ASSERT_EQ(otherContrast->at(n), factor * contrast->at(n));
                ASSERT_DOUBLE_EQ(otherOuter->at(n), factor * outer->at(n) + addend);
                const double level = session->tree()->level[n]; // all pixels outside are beyond it
                ASSERT_GE(contrast->at(n), std::abs(level - outer->at(n)) - 1e-9);
            }
        }
    }
}

TEST_P(AttributeValues, AgreeWithEachOther) {
    Random random(16);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 200, 1 + random() % 200);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto at = [&](AttributeId id, std::size_t n) { return session->attribute(id)->at(n); };
        EXPECT_EQ(at(AttributeId::area, 0), static_cast<double>(image->pixelCount()));
        EXPECT_EQ(at(AttributeId::leaves, 0), tree.leafCount);
        EXPECT_EQ(session->attribute(AttributeId::depth)->maximum, tree.depth);
        EXPECT_EQ(at(AttributeId::perimeter, 0), 2.0 * (image->width() + image->height()));
        EXPECT_EQ(at(AttributeId::euler, 0), 1);
        for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
            ASSERT_EQ(at(AttributeId::hu1, n), at(AttributeId::inertia, n));
            ASSERT_EQ(at(AttributeId::holes, n), 1 - at(AttributeId::euler, n));
            ASSERT_GE(at(AttributeId::holes, n), 0);
            ASSERT_GE(at(AttributeId::dynamics, n), at(AttributeId::contrast, n));
            ASSERT_GE(at(AttributeId::extinctionArea, n), at(AttributeId::area, n));
            ASSERT_GE(at(AttributeId::extinctionVolume, n), at(AttributeId::volume, n));
            ASSERT_GE(at(AttributeId::elongation, n), 1);
            ASSERT_LE(at(AttributeId::perimeter, n), 4 * at(AttributeId::area, n));
            ASSERT_LE(at(AttributeId::entropy, n), std::min(8.0, std::log2(at(AttributeId::area, n))) + 1e-12);
        }
    }
}

TEST_P(AttributeValues, DoNotDependOnTheOrderOfQuestionsOrOnThreads) {
    Random random(17);
    const auto image = makeImage(PixelType::u16, 300, 280, [&](auto x, auto y) {
        return static_cast<std::uint32_t>(x * y / 7 % 900 + random() % 500);
    });
    const auto one = build(image, 1);
    const auto two = build(image, 3);
    const auto attributes = allAttributes();
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        const auto forwards = one->attribute(attributes[i].id);
        (void)two->attribute(attributes[attributes.size() - 1 - i].id);
        EXPECT_EQ(forwards->size(), one->tree()->nodeCount());
    }
    for (const AttributeInfo& info : attributes) {
        const auto a = one->attribute(info.id);
        const auto b = two->attribute(info.id);
        for (std::size_t n = 0; n < a->size(); ++n) {
            ASSERT_TRUE(a->at(n) == b->at(n) || (std::isnan(a->at(n)) && std::isnan(b->at(n)))) << info.name;
        }
    }
}

TEST_P(AttributeValues, AreComputedOnce) {
    const auto session = build(makeImage(PixelType::u8, 9, 9, [](auto x, auto y) { return x * y; }));
    EXPECT_EQ(session->attribute(AttributeId::area), session->attribute(AttributeId::area));
}

TEST_P(AttributeValues, StopWhenAsked) {
    Random random(18);
    std::stop_source stopped;
    stopped.request_stop();
    const JobControl control(stopped.get_token());
    const auto image = makeImage(PixelType::u8, 90, 80, [&](auto, auto) { return random() % 256; });
    const auto session = build(image);
    for (const AttributeInfo& info : allAttributes()) {
        EXPECT_THROW((void)session->attribute(info.id, control), Cancelled) << info.name;
    }
    ASSERT_EQ(session->attribute(AttributeId::area)->at(0), 7200); // the session stays usable
}

POLLARD_FOR_EVERY_TREE(AttributeValues);

TEST(SessionWithoutTree, SaysSo) {
    EngineRegistry registry{makeCpuEngine()};
    auto session = registry.select("cpu").openSession();
    EXPECT_THROW(session->buildTree({}), Error);
    EXPECT_THROW((void)session->attribute(AttributeId::area), Error);
    EXPECT_THROW(session->open(nullptr), Error);
    session->open(makeImage(PixelType::u8, 2, 2, [](auto x, auto) { return x; }));
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
    const EngineRegistry registry{makeCpuEngine()};
    EXPECT_EQ(registry.select("auto").name(), "cpu");
    EXPECT_THROW((void)registry.select("abacus"), Error);
}

} // namespace
} // namespace pollard::testing
