// Objects of label images: any numbers, gaps between the numbers, several parts. The oracle measures the components of
// the pixels of each number and adds them up.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_rule.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "components/shape/object_edges.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "engine/find_objects.hpp"
#include "io/label_file.hpp"
#include "recipe/results/result_file.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Numbers = std::vector<std::uint32_t>;

constexpr std::array kPlanar{Connectivity::four, Connectivity::eight};
constexpr std::array kSpatial{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
constexpr std::array<std::uint32_t, 6> kNumbers{0, 1, 2, 7, 70'000, 4'000'000'000};

Numbers randomNumbers(Random& random, const Extent& extent) {
    Numbers numbers(extent.pixelCount());
    const std::size_t used = 1 + random() % kNumbers.size();
    std::ranges::generate(numbers, [&] { return kNumbers[random() % used]; });
    return numbers;
}

/// The mask of the pixels with a number that are inside.
Mask maskOf(const Numbers& numbers, std::uint32_t number, const Extent& extent, const Mask* inside) {
    Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto x = static_cast<std::uint32_t>(i % extent.width);
        const auto y = static_cast<std::uint32_t>(i / extent.width);
        mask.set(x, y, numbers[i] == number && (inside == nullptr || inside->test(x, y)));
    }
    return mask;
}

/// The sum of the records of the parts of an object.
VolumeRecord sumOf(const Components& parts) {
    VolumeRecord sum;
    static_cast<ComponentRecord&>(sum) = parts.objects[0];
    if (parts.isVolume()) {
        static_cast<DepthRecord&>(sum) = parts.depths[0];
    }
    for (std::size_t i = 1; i < parts.objects.size(); ++i) {
        const ComponentRecord& part = parts.objects[i];
        sum.left = std::min(sum.left, part.left);
        sum.top = std::min(sum.top, part.top);
        sum.right = std::max(sum.right, part.right);
        sum.bottom = std::max(sum.bottom, part.bottom);
        sum.greyMin = std::min(sum.greyMin, part.greyMin);
        sum.greyMax = std::max(sum.greyMax, part.greyMax);
        for (const auto field : {&ComponentRecord::area, &ComponentRecord::sumX, &ComponentRecord::sumY,
                                 &ComponentRecord::sumXX, &ComponentRecord::sumXY, &ComponentRecord::sumYY,
                                 &ComponentRecord::greySum, &ComponentRecord::perimeter, &ComponentRecord::holes}) {
            sum.*field += part.*field;
        }
        if (parts.isVolume()) {
            const DepthRecord& depth = parts.depths[i];
            sum.front = std::min(sum.front, depth.front);
            sum.back = std::max(sum.back, depth.back);
            for (const auto field :
                 {&DepthRecord::sumZ, &DepthRecord::sumZZ, &DepthRecord::sumXZ, &DepthRecord::sumYZ}) {
                sum.*field += depth.*field;
            }
            for (const auto field :
                 {&DepthRecord::runsX, &DepthRecord::runsY, &DepthRecord::runsZ, &DepthRecord::border}) {
                sum.*field += depth.*field;
            }
            sum.euler += depth.euler;
        }
    }
    return sum;
}

void expectMeasured(const Numbers& numbers, const Image& image, const Mask* inside, Connectivity connectivity) {
    const Extent extent = image.extent();
    const Components found = measureNumbers(numbers, extent, inside, &image, connectivity);
    std::set<std::uint32_t> expected;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const bool isInside = inside == nullptr || inside->test(static_cast<std::uint32_t>(i % extent.width),
                                                                static_cast<std::uint32_t>(i / extent.width));
        ASSERT_EQ(found.numberOf(found.labels[i]), isInside ? numbers[i] : 0);
        if (isInside && numbers[i] != 0) {
            expected.insert(numbers[i]);
        }
    }
    ASSERT_EQ(found.count, expected.size());
    std::uint32_t label = 0;
    bool hasParts = false;
    std::uint64_t foreground = 0;
    for (const std::uint32_t number : expected) {
        ++label;
        ASSERT_EQ(found.numberOf(label), number) << "ascending";
        ASSERT_EQ(found.labelOf(number), label);
        ComponentsSpec spec;
        spec.connectivity = connectivity;
        spec.slices = extent.slices;
        const Components parts = labelComponents(maskOf(numbers, number, extent, inside), &image, spec);
        const VolumeRecord sum = sumOf(parts);
        ASSERT_EQ(found.objects[label - 1], static_cast<const ComponentRecord&>(sum)) << number;
        ASSERT_TRUE(!found.isVolume() || found.depths[label - 1] == static_cast<const DepthRecord&>(sum)) << number;
        hasParts = hasParts || parts.count > 1;
        foreground += parts.foreground;
    }
    EXPECT_EQ(found.foreground, foreground);
    EXPECT_EQ(found.hasParts, hasParts && !found.isVolume());
    EXPECT_EQ(found.largestNumber(), expected.empty() ? 0 : *expected.rbegin());
}

TEST(LabelObjects, AreTheSumsOfTheirParts) {
    Random random(52);
    for (int round = 0; round != 400; ++round) {
        const auto image = round % 2 == 0
                               ? std::shared_ptr<const Image>(randomImage(random, 1 + random() % 9, 1 + random() % 9))
                               : std::shared_ptr<const Image>(
                                     randomVolume(random, {1 + random() % 5, 1 + random() % 5, 1 + random() % 4}));
        const Extent extent = image->extent();
        const Connectivity connectivity = round % 2 == 0 ? kPlanar[random() % 2] : kSpatial[random() % 3];
        Mask inside(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
        inside.set(random() % extent.width, random() % static_cast<std::uint32_t>(extent.rows()), false);
        expectMeasured(randomNumbers(random, extent), *image, round % 3 == 0 ? &inside : nullptr, connectivity);
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST(LabelObjects, OfNumbersFromOneOnHaveNoFurtherNumbers) {
    const Numbers numbers{2, 2, 0, 1, 3};
    const Components found = measureNumbers(numbers, {5, 1}, nullptr, nullptr, Connectivity::four);
    EXPECT_TRUE(found.numbers.empty());
    EXPECT_THAT(found.labels.span(), ElementsAre(2, 2, 0, 1, 3));
    EXPECT_EQ(measureNumbers(Numbers{0, 0}, {2, 1}, nullptr, nullptr, Connectivity::four).count, 0U);
}

class LabelRule : public ::testing::Test {
protected:
    /// Objects of the label file of a rule for an image in the folder.
    [[nodiscard]] Components found(const std::string& name, const Image& image, const std::string& file = "cells.tif",
                                   const ReadOptions& read = {}) const {
        const std::unique_ptr<Engine> engine = makeCpuEngine();
        ObjectRule rule;
        rule.connectivity = image.extent().isVolume() ? Connectivity::six : Connectivity::four;
        rule.labels = name;
        const ObjectSource source{image, nullptr, {}, {}, &image, labelsBeside(folder_ / file, read)};
        return findObjects(*engine, rule, source, rule.levelsOf(image, nullptr, {}), {});
    }
    void write(const std::string& name, const Numbers& numbers, const Extent& extent) const {
        writeResult(folder_ / name, resultPlane(numbers, extent, {}), {});
    }
    [[nodiscard]] std::string refusal(const std::string& name, const Image& image) const {
        try {
            (void)found(name, image);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    test::TempDir folder_;
};

TEST_F(LabelRule, TakesTheFileOfTheImage) {
    const auto image = makeImage(PixelType::u8, 3, 2, [](auto x, auto y) { return 10 * y + x; });
    write("cells_labels.tif", {5, 5, 0, 0, 9, 5}, {3, 2});
    const Components cells = found("{stem}_labels.tif", *image);
    EXPECT_EQ(cells.algorithm, "labels");
    EXPECT_THAT(cells.numbers, ElementsAre(5, 9));
    EXPECT_EQ(cells.objects[0].area, 3U);
    EXPECT_EQ(cells.objects[0].greySum, 0U + 1 + 12);
    EXPECT_EQ(cells.objects[1].greySum, 11U);
    EXPECT_TRUE(cells.hasParts);
    EXPECT_THAT(refusal("{stem}_truth.tif", *image), HasSubstr("cells_truth.tif"));
    EXPECT_EQ(labelFileOf("../masks/{stem}_{stem}.png", "a/b.ome.tif"), "a/../masks/b.ome_b.ome.png");
    EXPECT_EQ(labelFileOf("/masks/{stem}.png", "a/b.nii.gz"), "/masks/b.png");
    EXPECT_EQ(labelNameOf("/a/b.ome_truth.png", "/a/b.ome.tif"), "{stem}_truth.png");
    EXPECT_EQ(labelNameOf("/masks/b.png", "/a/b.nii.gz"), "../masks/{stem}.png");
    EXPECT_EQ(labelNameOf("/a/b/other.png", "/a/b.tif"), "b/other.png") << "not in a folder";
}

TEST_F(LabelRule, RefusesLabelsOfAnotherSize) {
    const auto image = makeImage(PixelType::u8, 3, 2, [](auto, auto) { return 1; });
    write("l.tif", {5, 5, 0, 9}, {2, 2});
    EXPECT_THAT(refusal("l.tif", *image), HasSubstr("l.tif: has 2 x 2 px, the image has 3 x 2 px"));
    ObjectRule rule;
    rule.labels = "l.tif";
    const std::unique_ptr<Engine> engine = makeCpuEngine();
    EXPECT_THROW((void)findObjects(*engine, rule, {*image}, {}, {}), Error) << "an image without a file";
    rule.hierarchy.emplace();
    EXPECT_STREQ(rule.conflict()->setting, "labels");
    rule.hierarchy.reset();
    rule.fillHoles = true;
    EXPECT_STREQ(rule.conflict()->setting, "fill_holes");
}

TEST_F(LabelRule, ReadsTheRegionAndThePageOfTheImage) {
    write("l.tif", {5, 5, 0, 0, 9, 5}, {3, 2});
    const auto part = makeImage(PixelType::u8, 2, 1, [](auto, auto) { return 1; });
    ReadOptions read;
    read.region = PixelRegion{1, 1, 2, 1};
    read.page = 3; // of a stack whose pages share a label image
    EXPECT_THAT(found("l.tif", *part, "a.tif", read).numbers, ElementsAre(5, 9));
}

TEST_F(LabelRule, TakesVolumes) {
    const Numbers numbers{0, 4, 4, 70'000, 0, 0, 4, 70'000};
    const auto image = std::make_shared<Image>(PixelType::u8, Extent{2, 2, 2});
    for (const std::string name : {"v.nii.gz", "v.nrrd", "v.tif"}) {
        write(name, numbers, {2, 2, 2});
        const Components cells = found(name, *image);
        EXPECT_THAT(cells.numbers, ElementsAre(4, 70'000)) << name;
        EXPECT_EQ(cells.depths.size(), 2U);
    }
}

TEST_F(LabelRule, WritesTheNumbersThatItRead) {
    Random random(7);
    const Extent extent{11, 9};
    const auto image = randomImage(random, extent.width, extent.height);
    Numbers numbers = randomNumbers(random, extent);
    std::ranges::copy(kNumbers, numbers.begin());
    write("cells_labels.tif", numbers, extent);
    const Components cells = found("{stem}_labels.tif", *image);
    const std::vector<std::uint32_t> all = allLabels(cells);
    writeObjectLabels(folder_ / "again.tif", cells, all, {});
    EXPECT_THAT(readLabels(folder_ / "again.tif").labels.span(), ::testing::ElementsAreArray(numbers));
    const MeasuredObjects objects(cells);
    const LabelProperties properties =
        labelProperties(objects, all, std::vector{objectFeatureInfo(ObjectFeature::area)}, {});
    for (std::size_t i = 0; i != all.size(); ++i) {
        EXPECT_EQ(objects.value(all[i], ObjectFeature::label), cells.numbers[i]);
        EXPECT_EQ(properties.labels[i], cells.numbers[i]);
        EXPECT_EQ(std::get<std::int64_t>(properties.value(0, cells.numbers[i])),
                  static_cast<std::int64_t>(cells.objects[i].area));
    }
    ObjectListSpec spec;
    spec.condition = ObjectCondition::parse("label > 5 && label < 100000");
    EXPECT_THAT(listObjects(cells, spec).labels, ElementsAre(cells.labelOf(7), cells.labelOf(70'000)));
}

TEST_F(LabelRule, KeepsNumbersOfSomeObjects) {
    const auto image = makeImage(PixelType::u8, 5, 1, [](auto x, auto) { return x; });
    write("l.tif", {9, 0, 5, 0, 30}, {5, 1});
    Components cells = found("l.tif", *image);
    EXPECT_THAT(keepObjects(cells, [](std::uint32_t label) { return label != 2; }), ElementsAre(1, 3));
    EXPECT_THAT(cells.numbers, ElementsAre(5, 30));
    EXPECT_THAT(cells.labels.span(), ElementsAre(0, 0, 1, 0, 2));
}

} // namespace
} // namespace pollard::testing
