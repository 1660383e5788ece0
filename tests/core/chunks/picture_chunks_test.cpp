// How pictures are read for filters in chunks, which measure in levels.

#include "base/error.hpp"
#include "chunks/picture_chunks.hpp"
#include "core/io/io_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace pollard {
namespace {

using test::TempDir;
using ::testing::HasSubstr;

FilterSpec filterBy(const char* criterion) {
    FilterSpec filter;
    filter.criteria = {parseCriterion(criterion)};
    return filter;
}

TEST(PictureChunks, AreReadEvenlyMappedWhereDistancesOfLevelsCount) {
    for (const char* criterion :
         {"height>=3", "mean<=2", "volume>=9", "sum>=1", "dynamics>=2", "extinction_volume>=2"}) {
        EXPECT_TRUE(needsProportionalInChunks(filterBy(criterion))) << criterion;
    }
    for (const char* criterion : {"area>=3", "level>=3", "extinction_area>=2", "leaves<=9"}) {
        FilterSpec filter = filterBy(criterion);
        EXPECT_FALSE(needsProportionalInChunks(filter)) << criterion;
        filter.prominent = Prominent{Prominence::extinctionArea, 3};
        EXPECT_FALSE(needsProportionalInChunks(filter)) << criterion;
        filter.prominent->measure = Prominence::dynamics;
        EXPECT_TRUE(needsProportionalInChunks(filter)) << criterion;
        filter = filterBy(criterion);
        filter.rule = Rule::subtractive;
        EXPECT_TRUE(needsProportionalInChunks(filter)) << criterion;
        filter.output = Output::labels;
        EXPECT_FALSE(needsProportionalInChunks(filter)) << criterion;
    }
}

TEST(PictureChunks, HaveBoundsInLevelsAndRefuseSumsWithAnOffset) {
    const TempDir dir;
    const std::vector<std::int16_t> samples{-1000, 40, 300, 1200, -7, 0};
    std::string bytes(samples.size() * sizeof samples[0], '\0');
    std::memcpy(bytes.data(), samples.data(), bytes.size());
    test::writeBytes(dir / "ct.raw", bytes);
    ChunkRequest request;
    request.source = dir / "ct.raw";
    request.read.raw = RawLayout{3, 2, RawLayout::SampleType::i16};
    request.memory = std::uint64_t{1} << 28;
    request.filter = filterBy("level>=300");
    const PictureChunks chunks(request, {});
    const auto& mapping = chunks.regions->info().mapping;
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->valueOf(chunks.job.filter.criteria.at(0).minimum), 300);
    const PictureChunks again(request, chunks.plan(), {});
    EXPECT_EQ(again.job.filter.criteria.at(0).minimum, chunks.job.filter.criteria.at(0).minimum);
    request.filter = filterBy("sum>=300");
    try {
        const PictureChunks refused(request, {});
        FAIL() << "sums count from another value than 0";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        EXPECT_THAT(error.what(), HasSubstr("'sum': not measured in parts of a picture"));
    }
}

} // namespace
} // namespace pollard
