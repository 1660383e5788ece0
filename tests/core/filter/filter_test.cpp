// Filters against their definition and laws.

#include "filter/analysis_image.hpp"
#include "image/volume_plane.hpp"
#include "support/engines.hpp"
#include "support/naive_filter.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

namespace pollard::testing {
namespace {

class FilterOf : public EveryTree {
protected:
    struct Result {
        std::shared_ptr<Image> image;
        FilterReport report;
    };
    Result filter(Session& session, const Image& like, const FilterSpec& filterSpec) {
        auto out = std::make_shared<Image>(like.type(), like.width(), like.height());
        FilterReport report = session.filter(filterSpec, *out);
        return {out, std::move(report)};
    }
    Result filter(const std::shared_ptr<const Image>& image, const FilterSpec& filterSpec) {
        return filter(*build(image), *image, filterSpec);
    }
    static bool equal(const Image& a, const Image& b) {
        return std::equal(a.data(), a.data() + a.bytes(), b.data(), b.data() + b.bytes());
    }
    /// A mask of the rows of all slices with about two thirds of the pixels.
    static std::shared_ptr<const Mask> randomInside(Random& random, const Extent& extent) {
        auto inside = std::make_shared<Mask>(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
        for (std::uint32_t y = 0; y < inside->height(); ++y) {
            for (std::uint32_t x = 0; x < inside->width(); ++x) {
                inside->set(x, y, random() % 3 != 0);
            }
        }
        return inside;
    }
    static FilterSpec areaAtLeast(double minimum, Rule rule = Rule::direct) {
        FilterSpec spec;
        spec.criteria = {{AttributeId::area, minimum}};
        spec.rule = rule;
        return spec;
    }
};

TEST_P(FilterOf, EqualsTheDefinition) {
    Random random(21);
    const auto attributes = allAttributes();
    for (int repeat = 0; repeat < 300; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 12, 1 + random() % 12);
        const auto session = build(image);
        const auto nodes = naiveTree(*image, spec().kind, spec().connectivity);
        FilterSpec filterSpec;
        for (std::uint32_t c = random() % 4; c > 0; --c) {
            const AttributeId id = attributes[random() % attributes.size()].id;
            // Bounds equal to values of nodes, so that ties are frequent.
            const auto value = [&] { return naiveAttribute(nodes, random() % nodes.size(), id, *image, spec().kind); };
            Criterion criterion{id};
            if (random() % 3 != 0) {
                criterion.minimum = value();
            }
            if (random() % 3 == 0) {
                criterion.maximum = value();
            }
            if (!attributeInfo(id).integral) { // the oracle may differ in the last bits
                criterion.minimum -= 1e-9 * std::max(1.0, std::abs(criterion.minimum));
                criterion.maximum += 1e-9 * std::max(1.0, std::abs(criterion.maximum));
            }
            filterSpec.criteria.push_back(criterion);
        }
        filterSpec.match = random() % 2 == 0 ? Match::all : Match::any;
        for (const Rule rule : kAllRules) {
            for (const Output output : kAllOutputs) {
                filterSpec.rule = rule;
                filterSpec.output = output;
                const auto expected = naiveFilter(nodes, *image, spec().kind, filterSpec);
                const auto actual = filter(*session, *image, filterSpec);
                ASSERT_EQ(actual.report.keptNodes, expected.kept);
                ASSERT_EQ(actual.report.keptNodes + actual.report.removedNodes, nodes.size());
                ASSERT_EQ(actual.report.changedPixels, expected.changed);
                for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                    ASSERT_EQ(actual.image->level(p), expected.pixels[p])
                        << "rule " << nameOf(rule) << ", output " << nameOf(output) << ", pixel " << p;
                }
            }
            const auto expected = naiveFilter(nodes, *image, spec().kind, filterSpec);
            const LabelImage labels = session->labels(filterSpec);
            ASSERT_EQ(labels.count, expected.labelCount);
            ASSERT_TRUE(std::ranges::equal(labels.labels, expected.labels)) << "rule " << nameOf(rule);
        }
    }
}

TEST_P(FilterOf, NoCriterionChangesNothing) {
    Random random(22);
    const auto image = randomImage(random, 100, 70);
    for (const Match match : {Match::all, Match::any}) {
        FilterSpec filterSpec;
        filterSpec.match = match;
        const auto result = filter(image, filterSpec);
        EXPECT_TRUE(equal(*image, *result.image));
        EXPECT_EQ(result.report.changedPixels, 0U);
        EXPECT_EQ(result.report.removedNodes, 0U);
    }
}

TEST_P(FilterOf, AreaOpeningIsIdempotentAndOnOneSideOfTheImage) {
    Random random(23);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 90, 1 + random() % 90);
        const FilterSpec filterSpec = areaAtLeast(1 + random() % 200);
        const auto once = filter(image, filterSpec);
        const auto twice = filter(once.image, filterSpec);
        ASSERT_TRUE(equal(*once.image, *twice.image));
        for (std::size_t p = 0; p < image->pixelCount(); ++p) {
            if (spec().kind == TreeKind::max) {
                ASSERT_LE(once.image->level(p), image->level(p));
            } else {
                ASSERT_GE(once.image->level(p), image->level(p));
            }
        }
    }
}

TEST_P(FilterOf, HigherThresholdsAreNested) {
    Random random(24);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 90, 1 + random() % 90);
        const auto session = build(image);
        std::shared_ptr<Image> before;
        for (const double threshold : {1.0, 2.0, 5.0, 17.0, 80.0, 400.0, 1e9}) {
            const auto result = filter(*session, *image, areaAtLeast(threshold));
            for (std::size_t p = 0; before != nullptr && p < image->pixelCount(); ++p) {
                if (spec().kind == TreeKind::max) {
                    ASSERT_LE(result.image->level(p), before->level(p));
                } else {
                    ASSERT_GE(result.image->level(p), before->level(p));
                }
            }
            before = result.image;
        }
    }
}

TEST_P(FilterOf, RulesAgreeForIncreasingAttributes) {
    Random random(25);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 80, 1 + random() % 80);
        const auto session = build(image);
        for (const AttributeInfo& info : allAttributes()) {
            if (!info.increasing) {
                continue;
            }
            const auto column = session->attribute(info.id);
            FilterSpec filterSpec;
            filterSpec.criteria = {{info.id, column->at(random() % column->size())}};
            const auto direct = filter(*session, *image, filterSpec);
            for (const Rule rule : {Rule::min, Rule::max, Rule::viterbi}) {
                filterSpec.rule = rule;
                const auto other = filter(*session, *image, filterSpec);
                ASSERT_TRUE(equal(*direct.image, *other.image)) << info.name << ", rule " << nameOf(rule);
                ASSERT_EQ(direct.report.keptNodes, other.report.keptNodes);
            }
        }
    }
}

TEST_P(FilterOf, ResidueAndFilteredAddUpToTheImage) {
    Random random(26);
    const auto image = randomImage(random, 130, 75);
    const auto session = build(image);
    FilterSpec filterSpec = areaAtLeast(30);
    const auto filtered = filter(*session, *image, filterSpec);
    filterSpec.output = Output::residue;
    const auto residue = filter(*session, *image, filterSpec);
    const int sign = spec().kind == TreeKind::max ? 1 : -1;
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        ASSERT_EQ(filtered.image->level(p) + sign * residue.image->level(p), image->level(p));
    }
}

TEST_P(FilterOf, AMaskRestrictsTheTreeAndKeepsThePixelsOutside) {
    Random random(24);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 20, 1 + random() % 20);
        const auto inside = randomInside(random, image->extent());
        const auto masked = build(image); // of all pixels at first
        masked->open(image, inside);
        EXPECT_EQ(masked->tree(), nullptr);
        masked->buildTree(spec());
        const auto plain = build(analysisImage(image, inside.get(), spec().kind));
        FilterSpec filterSpec = areaAtLeast(2 + random() % 5);
        for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
            filterSpec.output = output;
            const auto expected = filter(*plain, *image, filterSpec);
            restoreOutside(*image, *inside, output, *expected.image);
            const auto actual = filter(*masked, *image, filterSpec);
            ASSERT_TRUE(equal(*actual.image, *expected.image)) << nameOf(output);
            ASSERT_EQ(actual.report.changedPixels, expected.report.changedPixels);
        }
        const LabelImage all = plain->labels(filterSpec);
        const LabelImage labels = masked->labels(filterSpec);
        for (std::uint32_t y = 0; y < image->height(); ++y) {
            for (std::uint32_t x = 0; x < image->width(); ++x) {
                const std::size_t p = std::size_t{y} * image->width() + x;
                ASSERT_EQ(labels.labels[p], inside->test(x, y) ? all.labels[p] : 0U);
            }
        }
        EXPECT_FALSE(masked->filterOnDevice(filterSpec)) << "the pixels outside are in main memory";
        EXPECT_EQ(masked->deviceFrame(), nullptr);
        masked->open(image);
        masked->buildTree(spec());
        filterSpec.output = Output::filtered;
        EXPECT_TRUE(equal(*filter(*masked, *image, filterSpec).image, *filter(image, filterSpec).image));
    }
}

TEST_P(FilterOf, APlaneOfAMaskedVolumeIsThatOfTheWholeResult) {
    Random random(25);
    for (int repeat = 0; repeat < 10; ++repeat) {
        const Extent extent{1 + random() % 8, 1 + random() % 8, 2 + random() % 5};
        const auto volume = std::make_shared<Image>(PixelType::u8, extent);
        const auto inside = randomInside(random, extent);
        for (std::uint8_t& pixel : volume->pixels<std::uint8_t>()) {
            pixel = static_cast<std::uint8_t>(random() % 6);
        }
        const auto session = registry_.select(std::get<std::string>(GetParam())).openSession({});
        session->open(volume, inside);
        session->buildTree({spec().kind, Connectivity::six, {}});
        for (const Output output : {Output::filtered, Output::residue}) {
            FilterSpec filterSpec = areaAtLeast(3);
            filterSpec.output = output;
            Image whole(PixelType::u8, extent);
            session->filter(filterSpec, whole);
            for (const VolumeAxis axis : {VolumeAxis::x, VolumeAxis::y, VolumeAxis::z}) {
                const Image expected = imageOf({axis, 0}, whole);
                Image plane(PixelType::u8, expected.extent());
                session->filterPlane(filterSpec, {axis, 0}, plane);
                ASSERT_TRUE(equal(plane, expected)) << static_cast<int>(axis);
            }
        }
    }
}

TEST_P(FilterOf, MaxAndMinTreesAreDual) {
    Random random(27);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 80, 1 + random() % 80);
        const std::uint16_t top = maxLevelOf(image->type());
        const auto inverted = makeImage(image->type(), image->width(), image->height(), [&](auto x, auto y) {
            return static_cast<std::uint32_t>(top - image->level(std::size_t{y} * image->width() + x));
        });
        auto dual = registry_.select(std::get<std::string>(GetParam())).openSession();
        dual->open(inverted);
        TreeSpec dualSpec = spec();
        dualSpec.kind = spec().kind == TreeKind::max ? TreeKind::min : TreeKind::max;
        dual->buildTree(dualSpec);
        const FilterSpec filterSpec = areaAtLeast(1 + random() % 50);
        const auto one = filter(image, filterSpec);
        const auto other = filter(*dual, *image, filterSpec);
        for (std::size_t p = 0; p < image->pixelCount(); ++p) {
            ASSERT_EQ(one.image->level(p), top - other.image->level(p));
        }
    }
}

POLLARD_FOR_EVERY_TREE(FilterOf);

} // namespace
} // namespace pollard::testing
