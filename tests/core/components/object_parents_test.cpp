// Objects inside the objects of another label image.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_parents.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

Components objectsOf(std::uint32_t width, std::uint32_t height, std::uint32_t count,
                     const std::vector<std::uint32_t>& labels) {
    Components components;
    components.width = width;
    components.height = height;
    components.count = count;
    components.labels = Buffer<std::uint32_t>(labels.size());
    std::ranges::copy(labels, components.labels.begin());
    return components;
}

TEST(ObjectParents, AreTheObjectsWithMostPixels) {
    const std::vector<std::uint32_t> parents{7, 7, 7, 0, 9, 9, //
                                             7, 7, 7, 0, 9, 9, //
                                             0, 0, 0, 0, 0, 4};
    const Components children = objectsOf(6, 3, 5,
                                          {1, 0, 2, 2, 2, 2, //
                                           1, 0, 3, 0, 3, 0, //
                                           4, 4, 0, 0, 0, 0});
    const std::vector<ObjectParent> found = parentsOf(children, parents);
    EXPECT_THAT(found, ElementsAre(ObjectParent{7, 1}, ObjectParent{9, 0.5}, ObjectParent{7, 0.5}, ObjectParent{0, 0},
                                   ObjectParent{0, 0}))
        << "the smaller label of equal ones; 0 outside all, and for an object without pixels";
    const std::vector<std::uint32_t> all{1, 2, 3, 4, 5};
    EXPECT_THAT(countChildren(parents, found, all), ElementsAre(ChildCount{4, 0}, ChildCount{7, 2}, ChildCount{9, 1}));
    const std::vector<std::uint32_t> listed{3, 2};
    EXPECT_THAT(countChildren(parents, found, listed),
                ElementsAre(ChildCount{4, 0}, ChildCount{7, 1}, ChildCount{9, 1}));
    EXPECT_THROW((void)parentsOf(children, std::vector<std::uint32_t>(17, 1)), Error);
}

TEST(ObjectParents, AgreeWithCounts) {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        const std::uint32_t width = 1 + random() % 50;
        const std::uint32_t height = 1 + random() % 50;
        std::vector<std::uint32_t> parents(std::size_t{width} * height);
        std::vector<std::uint32_t> labels(parents.size());
        std::ranges::generate(parents, [&] { return random() % 2 == 0 ? 0 : 100'000 * (random() % 7); });
        std::ranges::generate(labels, [&] { return random() % 9; });
        const std::vector<ObjectParent> found = parentsOf(objectsOf(width, height, 8, labels), parents);
        for (std::uint32_t label = 1; label <= 8; ++label) {
            std::map<std::uint32_t, int> pixels;
            int area = 0;
            for (std::size_t i = 0; i < labels.size(); ++i) {
                pixels[parents[i]] += labels[i] == label ? 1 : 0;
                area += labels[i] == label ? 1 : 0;
            }
            ObjectParent best;
            int most = 0;
            for (const auto& [parent, count] : pixels) {
                if (parent != 0 && count > most) {
                    most = count;
                    best = {parent, static_cast<double>(count) / area};
                }
            }
            EXPECT_EQ(found[label - 1], best) << "round " << round << ", object " << label;
        }
    }
}

} // namespace
} // namespace pollard::testing
