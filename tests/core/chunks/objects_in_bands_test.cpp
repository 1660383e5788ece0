#include "chunks/sweeps/objects_in_bands.hpp"

#include "components/threshold.hpp"
#include "core/chunks/part_jobs.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

ChunkReader readerOf(const Image& image) {
    return {[&](const ChunkBox& box, const JobControl&) { return LoadedImage{cut(image, box, 0), nullptr, {}}; }, 0, 1};
}

TEST(StreamedObjects, EqualThoseOfTheWholeImage) {
    RandomJobs random(41);
    for (int round = 0; round < repeats(200); ++round) {
        const auto image = random.image({1 + random.below(40), 1 + random.below(40), 1});
        const auto low = static_cast<std::uint16_t>(random.below(3) * (image->type() == PixelType::u16 ? 257 : 1));
        const ObjectJob job{image->extent(),
                            1 + random.below(12),
                            low,
                            static_cast<std::uint16_t>(low + random.below(3) * 2000),
                            random.below(2) == 0 ? Connectivity::four : Connectivity::eight,
                            std::uint64_t{1} << 20};
        ComponentsSpec spec;
        spec.connectivity = job.connectivity;
        const Components whole = labelComponents(thresholdMask(*image, job.low, job.high, nullptr), image.get(), spec);
        ObjectsInBands objects(job, readerOf(*image));
        const Components found = objects.find();
        const std::string where = "round " + std::to_string(round);
        ASSERT_EQ(found.count, whole.count) << where;
        EXPECT_EQ(found.foreground, whole.foreground) << where;
        EXPECT_EQ(found.width, whole.width);
        EXPECT_EQ(found.height, whole.height);
        EXPECT_TRUE(found.objects == whole.objects) << where;
        std::vector<std::uint32_t> labels;
        objects.label([&](std::uint32_t top, std::span<const std::uint32_t> band) {
            EXPECT_EQ(labels.size(), std::size_t{top} * whole.width);
            labels.insert(labels.end(), band.begin(), band.end());
        });
        EXPECT_TRUE(std::ranges::equal(labels, whole.labels)) << where;
    }
}

TEST(StreamedObjects, StopsWhereRecordsDoNotFit) {
    RandomJobs random(2);
    const auto image = random.image({40, 40, 1});
    ObjectsInBands objects({image->extent(), 5, 0, 0, Connectivity::four, 100}, readerOf(*image));
    EXPECT_THROW((void)objects.find(), Error);
}

} // namespace
} // namespace pollard
