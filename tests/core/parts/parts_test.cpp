#include "parts/chunk_part.hpp"
#include "parts/merge_parts.hpp"
#include "parts/prominent_leaves.hpp"
#include "parts/step_values.hpp"

#include "core/parts/part_jobs.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

/// Filters an image in parts that are merged in a random order.
class PartsFilter {
public:
    PartsFilter(const Image& image, const PartJob& job, std::mt19937& random)
        : image_(image), job_(job), random_(random), session_(engine_->openSession()),
          leaves_(job.filter.prominent ? job.filter.prominent->count : 0) {}

    Outcome run() {
        for (std::uint64_t chunk = 0; chunk < job_.grid.count(); ++chunk) {
            const ChunkBox box = job_.grid.boxOf(chunk);
            chunks_.push_back(std::make_unique<ChunkTree>(
                job_, ChunkImage{chunk, cut(image_, box, 0), cut(image_, box, 1)}, *session_, "", JobControl{}));
            nodes_.emplace_back().part = chunks_.back()->part({});
            if (job_.filter.prominent) {
                chunks_.back()->addLeaves(nodes_.back().part, leaves_);
            }
        }
        std::vector<std::size_t> live(chunks_.size());
        std::iota(live.begin(), live.end(), std::size_t{0});
        while (live.size() > 1) {
            std::ranges::shuffle(live, random_);
            const std::size_t count = 2 + random_() % std::min<std::size_t>(live.size() - 1, 4);
            merge(live, count);
        }
        EXPECT_TRUE(nodes_[live.front()].part.isWhole());
        EXPECT_EQ(nodes_[live.front()].part.nodeCount(), 0U);
        if (job_.values.any()) {
            decide();
        }
        outcome_.pixels.resize(image_.pixelCount());
        components_.resize(image_.pixelCount());
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            spread(i);
        }
        label();
        return std::move(outcome_);
    }

private:
    struct Node {
        Part part;
        MergeStep step;
        std::vector<std::size_t> inputs;
        PartValues values; ///< of the open nodes of the part
        PartValues stepValues;
        Summaries decisions;
        PartResults results;
    };

    void merge(std::vector<std::size_t>& live, std::size_t count) {
        Node merged;
        std::vector<const Part*> parts;
        for (std::size_t i = 0; i < count; ++i) {
            merged.inputs.push_back(live.back());
            parts.push_back(&nodes_[live.back()].part);
            live.pop_back();
        }
        merged.part = mergeParts(job_, parts, merged.step);
        if (job_.filter.prominent) {
            leaves_.add(parts, merged.step, job_.filter.prominent->measure);
        }
        live.push_back(nodes_.size());
        nodes_.push_back(std::move(merged));
    }

    /// Values down, then decisions upwards.
    void decide() {
        nodes_.back().values = PartValues(job_.values, 0, leaves_.last());
        for (std::size_t i = nodes_.size(); i-- > chunks_.size();) {
            Node& node = nodes_[i];
            node.stepValues = valuesOf(job_, node.step, node.values);
            std::vector<PartValues> values = valuesOfInputs(job_, node.step, node.stepValues);
            for (std::size_t k = 0; k < values.size(); ++k) {
                nodes_[node.inputs[k]].values = std::move(values[k]);
            }
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            Node& node = nodes_[i];
            if (i < chunks_.size()) {
                node.decisions = chunks_[i]->decisions(node.values, {});
                continue;
            }
            std::vector<Summaries> inputs;
            for (const std::size_t input : node.inputs) {
                inputs.push_back(std::move(nodes_[input].decisions));
            }
            node.decisions = decideStep(job_, node.stepValues, inputs, node.step);
        }
    }

    void spread(std::size_t i) {
        Node& node = nodes_[i];
        if (i < chunks_.size()) {
            write(*chunks_[i], chunks_[i]->resultsOf(node.results, node.values, outcome_.kept, {}));
            return;
        }
        std::vector<PartResults> results = resultsOf(job_, node.step, node.results, outcome_.kept);
        for (std::size_t k = 0; k < results.size(); ++k) {
            nodes_[node.inputs[k]].results = std::move(results[k]);
        }
    }

    void write(const ChunkTree& chunk, const PartResults& results) {
        const ChunkBox box = job_.grid.boxOf(chunk.chunk());
        for (std::uint32_t p = 0; p < chunk.tree().pixelCount(); ++p) {
            const Voxel at = voxelAt(p, box.extent);
            const std::uint64_t whole = job_.grid.pixel(box.x + at.x, box.y + at.y, box.z + at.z);
            const NodeResult result = results.at(chunk.tree().pixelNode[p]);
            const std::uint16_t filtered = job_.levelAt(result.height);
            switch (job_.filter.output) {
            case Output::filtered:
                outcome_.pixels[whole] = filtered;
                break;
            case Output::residue:
                outcome_.pixels[whole] = static_cast<std::uint16_t>(std::abs(image_.level(whole) - filtered));
                break;
            case Output::mask:
                outcome_.pixels[whole] = (result.flags & NodeResult::kMarked) != 0 ? maxLevelOf(image_.type()) : 0;
                break;
            case Output::labels:
                components_[whole] = result.component;
                break;
            }
        }
    }

    void label() {
        if (job_.filter.output != Output::labels) {
            return;
        }
        std::vector<std::uint64_t> firsts = components_;
        std::ranges::sort(firsts);
        firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
        for (const std::uint64_t component : components_) {
            const auto at = std::ranges::lower_bound(firsts, component) - firsts.begin();
            outcome_.labels.push_back(component == NodeResult::kNone ? 0 : static_cast<std::uint64_t>(at) + 1);
        }
    }

    const Image& image_;
    const PartJob& job_;
    std::mt19937& random_;
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_;
    std::vector<std::unique_ptr<ChunkTree>> chunks_;
    std::vector<Node> nodes_;
    ProminentLeaves leaves_;
    std::vector<std::uint64_t> components_;
    Outcome outcome_;
};

TEST(Parts, EqualTheWholeForRandomPicturesChunksAndOrders) {
    const int count = repeats(3000);
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(24), 1 + jobs.below(24)});
        const PartJob job = jobs.job(*image, false);
        ASSERT_EQ(PartsFilter(*image, job, jobs.random()).run(), inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

TEST(Parts, EqualTheWholeForRandomVolumes) {
    const int count = repeats(1500);
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(9), 1 + jobs.below(9), 2 + jobs.below(6)});
        const PartJob job = jobs.job(*image, true);
        ASSERT_EQ(PartsFilter(*image, job, jobs.random()).run(), inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

/// Components as long as the picture allows: their nodes are open in every chunk.
std::shared_ptr<Image> serpentine(std::uint32_t side, bool asComb) {
    auto image = std::make_shared<Image>(PixelType::u16, side, side);
    std::uint16_t level = 1;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t i = 0; i < side; ++i) {
            const std::uint32_t x = y % 4 == 0 ? i : side - 1 - i;
            const bool isTurn = y % 4 == 1 ? x + 1 == side : y % 4 == 3 && x == 0;
            const bool isPath = asComb ? y == 0 || x % 2 == 0 : y % 2 == 0 || isTurn;
            // Rising along the path, so that each pixel is a node.
            setLevel(*image, std::size_t{y} * side + x,
                     isPath ? static_cast<std::uint16_t>(asComb ? 1 + y * side + x : ++level) : std::uint16_t{0});
        }
    }
    return image;
}

TEST(Parts, EqualTheWholeForSerpentinesAndCombs) {
    for (const bool asComb : {false, true}) {
        const auto image = serpentine(41, asComb);
        for (const Rule rule : kAllRules) {
            FilterSpec filter;
            filter.criteria = {parseCriterion("area>=300"), parseCriterion("elongation<=30")};
            filter.match = Match::any;
            filter.rule = rule;
            for (const std::uint32_t chunk : {1U, 3U, 16U}) {
                const PartJob job = partJob(ChunkGrid(image->extent(), {chunk, chunk}), image->type(), TreeKind::max,
                                            Connectivity::four, filter);
                std::mt19937 random(chunk);
                ASSERT_EQ(PartsFilter(*image, job, random).run(), inOnePiece(image, job)) << describe(job);
            }
        }
    }
}

TEST(Parts, HaveCoordinatesOfPicturesBeyond32Bits) {
    FilterSpec filter;
    filter.criteria = {parseCriterion("392007.5<=centroid_x<=392007.5"),
                       parseCriterion("248003.5<=centroid_y<=248003.5")};
    filter.output = Output::labels;
    const PartJob job =
        partJob(ChunkGrid({400'000, 250'000}, {8, 8}), PixelType::u8, TreeKind::max, Connectivity::four, filter);
    const std::uint64_t left = std::uint64_t{31'000} * job.grid.across() + 49'000;
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    const auto part = [&](std::uint64_t chunk, std::uint32_t x) { // half of an object of 4 x 2 px
        auto image = std::make_shared<Image>(PixelType::u8, 8U, 8U);
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            setLevel(*image, p, (p / 8 == 3 || p / 8 == 4) && p % 8 >= x && p % 8 < x + 2 ? 200 : 10);
        }
        return ChunkTree(job, {chunk, image, nullptr}, *session, "", {}).part({});
    };
    const Part one = part(left, 6);
    const Part other = part(left + 1, 0);
    const std::array parts{&one, &other};
    MergeStep step;
    const Part merged = mergeParts(job, parts, step);
    EXPECT_EQ(merged.nodeCount(), 1U);
    ASSERT_EQ(step.nodeCount(), 2U);
    EXPECT_EQ(step.bits[1], NodeBits::kKept | NodeBits::kMeets);
    EXPECT_EQ(step.first[1], std::uint64_t{248'003} * 400'000 + 392'006);
}

} // namespace
} // namespace pollard
