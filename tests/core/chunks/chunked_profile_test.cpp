#include "chunks/sweeps/chunked_profile.hpp"

#include "chunks/part_files.hpp"
#include "core/chunks/part_jobs.hpp"
#include "core/io/io_support.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

struct Profile {
    std::vector<ProfilePage> facts;
    std::vector<std::vector<std::uint16_t>> pixels; ///< per page

    bool operator==(const Profile&) const = default;
};

class ChunkedProfileTest : public ::testing::Test {
protected:
    Profile inOnePiece(const std::shared_ptr<const Image>& image, const PartJob& job, const ProfileSpec& spec) {
        const auto session = engine_->openSession();
        session->open(image);
        (void)session->buildTree({job.kind, job.connectivity, "", {}});
        AttributeProfile profile(*session, image, spec);
        Profile made;
        for (int page = 0; page < profile.pageCount(); ++page) {
            Image out(image->type(), image->extent());
            made.facts.push_back(profile.page(page, out));
            made.pixels.push_back(levelsOf(out));
        }
        return made;
    }

    Profile inChunks(const Image& image, const PartJob& job, const ProfileSpec& spec, std::uint64_t keptBytes,
                     std::uint64_t memory = std::uint64_t{1} << 30) {
        const ChunkReader reader{[&](const ChunkBox& box, const JobControl&) {
                                     return LoadedImage{cut(image, box, 0), nullptr, {}};
                                 },
                                 0, 1};
        ChunkTreeOptions options;
        options.engines = {engine_.get()};
        options.keptBytes = keptBytes;
        const WorkFolder folder(folder_ / "work", textOf(job, 1), false);
        ChunkedProfile profile(job, spec, reader, options, folder, memory);
        Profile made;
        made.pixels.assign(spec.thresholds.size(), std::vector<std::uint16_t>(image.pixelCount()));
        made.facts = profile.run([&](std::size_t page, const FilteredChunk& chunk) {
            const auto& pixels = std::get<Image>(chunk.pixels);
            const ChunkBox& box = chunk.box;
            for (std::uint32_t p = 0; p < pixels.pixelCount(); ++p) {
                const Voxel at = voxelAt(p, box.extent);
                made.pixels[page][job.grid.pixel(box.x + at.x, box.y + at.y, box.z + at.z)] = pixels.level(p);
            }
        });
        return made;
    }

    static ProfileSpec randomSpec(RandomJobs& random, bool isVolume) {
        ProfileSpec spec;
        std::vector<AttributeId> measured;
        for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
            if (isKnownAtClosing(info.id, isVolume)) {
                measured.push_back(info.id);
            }
        }
        do {
            spec.attribute = measured[random.below(static_cast<std::uint32_t>(measured.size()))];
            spec.rule = kAllRules[random.below(5)];
        } while (!profileProblem(spec, isVolume).empty());
        spec.differential = random.below(2) == 0;
        double threshold = std::ldexp(1.0, static_cast<int>(random.below(8)) - 4);
        for (std::uint32_t count = 1 + random.below(5); count > 0; --count) {
            spec.thresholds.push_back(threshold);
            threshold *= 1.5 + random.below(3);
        }
        return spec;
    }

    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    test::TempDir folder_;
};

TEST_F(ChunkedProfileTest, EqualsThatOfTheWholeTree) {
    RandomJobs random(31);
    for (int round = 0; round < repeats(30); ++round) {
        const bool isVolume = round % 4 == 0;
        const auto image =
            random.image({1 + random.below(24), 1 + random.below(24), isVolume ? 2 + random.below(4) : 1});
        const ProfileSpec spec = randomSpec(random, isVolume);
        PartJob any = random.job(*image, isVolume);
        const Extent& whole = any.grid.whole();
        const Extent& chunk = any.grid.chunkExtent();
        const ChunkGrid grid(whole, {chunk.width, std::max(chunk.height, whole.height / 3 + 1),
                                     std::max(chunk.slices, whole.slices / 2 + 1)}); // rows take files
        const PartJob job = profileJob(grid, any.type, any.kind, any.connectivity, spec);
        const std::uint64_t kept = random.below(2) == 0 ? 0 : std::uint64_t{1} << 20;
        EXPECT_TRUE(inChunks(*image, job, spec, kept) == inOnePiece(image, job, spec))
            << describe(job) << ' ' << attributeInfo(spec.attribute).name << ' ' << nameOf(spec.rule);
    }
}

TEST_F(ChunkedProfileTest, RefusesRulesThatLookAtDescendants) {
    ProfileSpec spec{AttributeId::circularity, {0.5}, Rule::max, false};
    EXPECT_NE(profileProblem(spec, false).find("'circularity' with the rule 'max'"), std::string::npos);
    spec.rule = Rule::viterbi;
    EXPECT_NE(profileProblem(spec, false), "");
    spec.rule = Rule::subtractive;
    EXPECT_EQ(profileProblem(spec, false), "");
    spec = {AttributeId::area, {5}, Rule::max, false};
    EXPECT_EQ(profileProblem(spec, false), "") << "area never decreases to the parent";
    spec.attribute = AttributeId::dynamics;
    EXPECT_NE(profileProblem(spec, false).find("'dynamics' is not made in parts"), std::string::npos);
}

TEST_F(ChunkedProfileTest, StopsWhereResultsOfAllThresholdsDoNotFit) {
    RandomJobs random(3);
    const auto image = random.image({40, 40, 1});
    ProfileSpec spec;
    for (int i = 1; i <= 4000; ++i) {
        spec.thresholds.push_back(i);
    }
    const PartJob job =
        profileJob(ChunkGrid({40, 40, 1}, {8, 8, 1}), image->type(), TreeKind::max, Connectivity::four, spec);
    try {
        (void)inChunks(*image, job, spec, 0, std::uint64_t{1} << 18);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
        EXPECT_NE(std::string(error.what()).find("results of 4000 thresholds"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace pollard
