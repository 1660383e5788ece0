#include "chunks/sweeps/chunked_spectrum.hpp"

#include "analysis/spectrum.hpp"

#include "core/chunks/part_jobs.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

class ChunkedSpectrumTest : public ::testing::Test {
protected:
    /// The spectrum of an image in memory, in chunks.
    AnySpectrum inChunks(const Image& image, const PartJob& job, const std::vector<SpectrumAxis>& axes,
                         std::uint64_t memory, std::uint64_t keptBytes = 0) {
        const ChunkReader reader{[&](const ChunkBox& box, const JobControl&) {
                                     return LoadedImage{cut(image, box, 0), nullptr, {}};
                                 },
                                 0, 1};
        ChunkTreeOptions options;
        options.engines = {engine_.get()};
        options.keptBytes = keptBytes;
        ClosedSweep sweep(job, reader, std::move(options), std::uint64_t{1} << 30);
        const AnySpectrum spectrum = chunkedSpectrum(axes, sweep, memory);
        sweeps_ = sweep.sweeps();
        nodes_ = sweep.report().nodes;
        return spectrum;
    }

    AnySpectrum inOnePiece(const std::shared_ptr<const Image>& image, const PartJob& job,
                           const std::vector<SpectrumAxis>& axes) {
        const auto session = engine_->openSession();
        session->open(image);
        (void)session->buildTree({job.kind, job.connectivity, "", {}});
        wholeNodes_ = session->tree()->nodeCount();
        std::vector<BinSpec> bins;
        for (const SpectrumAxis& axis : axes) {
            bins.push_back(axis.bins);
            if (axis.automaticScale) {
                const auto column = session->attribute(axis.attribute);
                bins.back().scale = automaticScale(axis.bins, {column->minimum, column->maximum});
            }
        }
        if (axes.size() == 1) {
            return session->spectrum(axes[0].attribute, bins[0]);
        }
        return session->spectrum2d(axes[0].attribute, bins[0], axes[1].attribute, bins[1]);
    }

    /// @return the error's text
    template <class Job> static std::string errorOf(Job&& job) {
        try {
            job();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    int sweeps_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t wholeNodes_ = 0;
};

SpectrumAxis randomAxis(RandomJobs& random, bool isVolume) {
    std::vector<AttributeId> measured;
    for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
        if (isKnownAtClosing(info.id, isVolume)) {
            measured.push_back(info.id);
        }
    }
    SpectrumAxis axis{measured[random.below(static_cast<std::uint32_t>(measured.size()))], {}, false};
    axis.bins.count = 1 + random.below(20);
    axis.bins.scale = random.below(2) == 0 ? BinScale::linear : BinScale::log;
    axis.automaticScale = random.below(2) == 0;
    if (random.below(2) == 0) {
        axis.bins.low = 0.5 + random.below(4);
    }
    if (random.below(2) == 0) {
        axis.bins.high = 5 + random.below(40);
    }
    return axis;
}

TEST_F(ChunkedSpectrumTest, EqualsThatOfTheWholeTree) {
    RandomJobs random(23);
    for (int round = 0; round < repeats(150); ++round) {
        const bool isVolume = round % 4 == 0;
        const auto image =
            random.image({1 + random.below(24), 1 + random.below(24), isVolume ? 2 + random.below(4) : 1});
        std::vector<SpectrumAxis> axes{randomAxis(random, isVolume)};
        if (random.below(3) == 0) {
            axes.push_back(randomAxis(random, isVolume));
        }
        const PartJob any = random.job(*image, isVolume);
        const PartJob job = spectrumJob(any.grid, any.type, any.kind, any.connectivity, axes);
        const std::uint64_t memory = random.below(2) == 0 ? 0 : std::uint64_t{1} << 20;
        const std::uint64_t kept = random.below(2) == 0 ? 0 : std::uint64_t{1} << 20;
        SCOPED_TRACE(describe(job) + " round " + std::to_string(round));
        AnySpectrum whole;
        const std::string problem = errorOf([&] { whole = inOnePiece(image, job, axes); });
        AnySpectrum chunks;
        EXPECT_EQ(errorOf([&] { chunks = inChunks(*image, job, axes, memory, kept); }), problem);
        EXPECT_TRUE(chunks == whole) << attributeInfo(axes[0].attribute).name;
        if (problem.empty()) {
            EXPECT_EQ(nodes_, wholeNodes_) << "each node is closed once";
        }
    }
}

TEST_F(ChunkedSpectrumTest, SweepsTwiceOnlyIfBoundsFollowFromManyValues) {
    RandomJobs random(5);
    const auto image = random.image({64, 64, 1});
    const auto sweepsOf = [&](const BinSpec& bins, std::uint64_t memory) {
        const std::vector<SpectrumAxis> axes{{AttributeId::area, bins, true}};
        const PartJob job =
            spectrumJob(ChunkGrid({64, 64, 1}, {20, 20, 1}), image->type(), TreeKind::max, Connectivity::four, axes);
        EXPECT_TRUE(inChunks(*image, job, axes, memory) == inOnePiece(image, job, axes));
        return sweeps_;
    };
    EXPECT_EQ(sweepsOf({.low = 1, .high = 100}, 0), 1);
    EXPECT_EQ(sweepsOf({.low = {}, .high = 100}, std::uint64_t{1} << 24), 1);
    EXPECT_EQ(sweepsOf({.low = {}, .high = 100}, 0), 2);
}

TEST_F(ChunkedSpectrumTest, RefusesAttributesThatDependOnAncestors) {
    const ChunkGrid grid({8, 8, 1}, {4, 4, 1});
    for (const AttributeId id : {AttributeId::dynamics, AttributeId::depth, AttributeId::extinctionArea,
                                 AttributeId::extinctionVolume, AttributeId::stability, AttributeId::entropy}) {
        const std::vector<SpectrumAxis> axes{{id, {}, true}};
        EXPECT_NE(errorOf([&] {
                      (void)spectrumJob(grid, PixelType::u8, TreeKind::max, Connectivity::four, axes);
                  }).find("not measured in parts"),
                  std::string::npos)
            << attributeInfo(id).name;
    }
}

} // namespace
} // namespace pollard
