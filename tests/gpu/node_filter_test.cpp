// Filters on the device equal the CPU engine's.

#include "cuda/nodes/cuda_measures.hpp"
#include "device_trees.hpp"
#include "filter/filter_columns.hpp"
#include "filter/forest.hpp"
#include "kernels/filter_on_host.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <tuple>

namespace pollard::testing {
namespace {

class NodeFilterOnDevice : public TreesOnDevice {
protected:
    template <class Work> auto withInput(const TreeOnDevice& tree, const std::vector<cuda::DeviceColumn>& columns,
                                         const std::optional<cuda::DeviceColumn>& prominence, Rule rule,
                                         const Work& work, const pollard::Buffer<std::uint8_t>& forest = {}) {
        std::vector<const cuda::DeviceColumn*> pointers;
        for (const cuda::DeviceColumn& column : columns) {
            pointers.push_back(&column);
        }
        const cuda::NodePlan plan = cuda::planOf(tree.tree, this->spec(), tree.image);
        cuda::CudaMeasures measures(plan, memory_);
        return work(cuda::FilterInput{tree.tree,
                                      plan,
                                      measures.ownPixels(*clock_),
                                      pointers,
                                      prominence ? &*prominence : nullptr,
                                      rule == Rule::viterbi ? &measures.rankedNodes(*clock_) : nullptr,
                                      {forest.data(), forest.size()}});
    }

    /// Every rule and output.
    void expectAsCpu(const Image& image, Session& session, const TreeOnDevice& tree, FilterSpec spec) {
        std::vector<cuda::DeviceColumn> columns;
        for (const Criterion& criterion : spec.criteria) {
            columns.push_back(uploadColumn(*session.attribute(criterion.attribute)));
        }
        std::optional<cuda::DeviceColumn> prominence;
        if (spec.prominent) {
            prominence = uploadColumn(*session.attribute(attributeOf(spec.prominent->measure)));
        }
        const FilterColumns own = columnsOf(spec, [&](AttributeId id) { return session.attribute(id); });
        const pollard::Buffer<std::uint8_t> forest = meetForest(*session.tree(), spec, own, {});
        Image expected(image.type(), image.width(), image.height());
        for (const Rule rule : kAllRules) {
            spec.rule = rule;
            for (const Output output : kAllOutputs) {
                spec.output = output;
                SCOPED_TRACE(::testing::Message() << nameOf(rule) << ", " << nameOf(output));
                const FilterReport wanted = session.filter(spec, expected);
                const cuda::FilteredNodes filtered = filter(tree, spec, columns, prominence, {}, forest);
                ASSERT_EQ(filtered.keptNodes, wanted.keptNodes);
                ASSERT_EQ(filtered.removedNodes, wanted.removedNodes);
                ASSERT_EQ(filtered.changedPixels, wanted.changedPixels);
                ASSERT_EQ(filtered.unknownPicks, wanted.unknownPicks);
                const Image actual = imageOf(*filtered.frame);
                const auto difference = std::mismatch(actual.data(), actual.data() + actual.bytes(), expected.data());
                ASSERT_EQ(difference.first - actual.data(), static_cast<std::ptrdiff_t>(actual.bytes()));
            }
            const LabelImage wanted = session.labels(spec);
            const cuda::DeviceLabels labels = withInput(
                tree, columns, prominence, spec.rule,
                [&](const cuda::FilterInput& input) { return cuda::labelKept(input, spec, memory_, *clock_, {}); },
                forest);
            ASSERT_EQ(labels.count, wanted.count);
            ASSERT_TRUE(equal("labels", download(labels.labels), wanted.labels));
        }
    }
    cuda::FilteredNodes filter(const TreeOnDevice& tree, const FilterSpec& spec,
                               const std::vector<cuda::DeviceColumn>& columns,
                               const std::optional<cuda::DeviceColumn>& prominence = {}, const JobControl& control = {},
                               const pollard::Buffer<std::uint8_t>& forest = {}) {
        const auto run = [&](const cuda::FilterInput& input) {
            return cuda::filterNodes(input, {tree.pixels, tree.image.type, tree.image.width, tree.image.height}, spec,
                                     memory_, *clock_, control);
        };
        return withInput(tree, columns, prominence, spec.rule, run, forest);
    }
};

TEST_P(NodeFilterOnDevice, EqualsTheCpuEngine) {
    Random random(51);
    for (int repeat = 0; repeat < 100; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 90, 1 + random() % 70);
        const auto session = build(image);
        const TreeOnDevice tree = number(*image, *session->tree());
        for (int again = 0; again < 3; ++again) {
            SCOPED_TRACE(::testing::Message() << "repeat " << repeat << ", " << again);
            const FilterSpec spec =
                randomFilter(random, *session->tree(), [&](AttributeId id) { return session->attribute(id); });
            ASSERT_NO_FATAL_FAILURE(expectAsCpu(*image, *session, tree, spec));
        }
    }
}

TEST_P(NodeFilterOnDevice, EqualsTheCpuEngineOnALargeRampOfAllLevels) {
    const auto image = makeImage(PixelType::u16, 4096, 4096, [](auto x, auto y) { return (y * 4096 + x) / 256; });
    const auto session = build(image);
    const TreeOnDevice tree = number(*image, *session->tree());
    // Long chains of removed nodes below, between and above kept ones.
    FilterSpec spec;
    spec.match = Match::any;
    spec.criteria = {{AttributeId::level, 30'000, 30'010}, {AttributeId::area, 0, 256}};
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(*image, *session, tree, spec));
    spec.criteria = {{AttributeId::area, 1'000'000}};
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(*image, *session, tree, spec));
    spec.criteria = {{AttributeId::area, 0, 0}}; // none is kept
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(*image, *session, tree, spec));
}

TEST_P(NodeFilterOnDevice, EqualsTheCpuEngineOnLargeNoise) {
    Random random(52);
    const auto image = makeImage(PixelType::u16, 2048, 2048, [&](auto, auto) { return random() % 65536; });
    const auto session = build(image);
    const TreeOnDevice tree = number(*image, *session->tree());
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 20}, {AttributeId::mean, 0, 40'000.5}};
    for (const Match match : {Match::all, Match::any}) {
        spec.match = match;
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(*image, *session, tree, spec));
    }
}

TEST_P(NodeFilterOnDevice, NanMeetsNothing) {
    const auto image = makeImage(PixelType::u8, 37, 21, [](auto x, auto y) { return (x * y) % 13; });
    const auto session = build(image);
    const TreeOnDevice tree = number(*image, *session->tree());
    std::vector<double> values(tree.tree.nodeCount, std::nan(""));
    values.back() = 1;
    std::vector<cuda::DeviceColumn> columns;
    columns.push_back({AttributeId::mean, upload(std::span<const double>(values), memory_)});
    FilterSpec spec;
    spec.criteria = {{AttributeId::mean}};
    EXPECT_EQ(filter(tree, spec, columns).keptNodes, values.size() > 1 ? 2U : 1U);
}

TEST_P(NodeFilterOnDevice, FramesOutliveTheTreeAndTheSession) {
    const auto image = makeImage(PixelType::u8, 300, 200, [](auto x, auto y) { return (x * 7 + y * 3) % 251; });
    const auto session = build(image);
    std::shared_ptr<const cuda::CudaFrame> frame;
    {
        const TreeOnDevice tree = number(*image, *session->tree());
        frame = filter(tree, {}, {}).frame;
    }
    const Image actual = imageOf(*frame);
    EXPECT_TRUE(std::equal(actual.data(), actual.data() + actual.bytes(), image->data()));
    const std::shared_ptr<cuda::DeviceMemory> memory = std::exchange(memory_, nullptr);
    const cuda::Stream reader;
    frame->order().makeWait(reader.get());
    frame->order().markRead(reader.get());
    frame.reset();
    EXPECT_EQ(memory->usedBytes(), 0U);
}

TEST_P(NodeFilterOnDevice, StaysWithinItsEstimateAndFilesItsTime) {
    Random random(53);
    const auto image = makeImage(PixelType::u16, 500, 400, [&](auto, auto) { return random() % 65536; });
    const auto session = build(image);
    const TreeOnDevice tree = number(*image, *session->tree());
    (void)clock_->take();
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 5}};
    std::vector<cuda::DeviceColumn> columns;
    columns.push_back(uploadColumn(*session->attribute(AttributeId::area)));
    const std::uint64_t before = memory_->usedBytes();
    const std::uint64_t pixelCounts = cuda::blockBytes<std::uint32_t>(tree.tree.nodeCount + 1);
    for (const auto& [rule, stages, ofInput] :
         {std::tuple{Rule::max, "area decide levels ", pixelCounts},
          {Rule::viterbi, "area ranks decide levels ",
           pixelCounts + 4 * cuda::blockBytes<std::uint32_t>(tree.tree.nodeCount)}}) {
        spec.rule = rule;
        memory_->resetPeak();
        (void)filter(tree, spec, columns);
        EXPECT_LE(memory_->peakBytes() - before, cuda::estimateFilterBytes(tree.tree.nodeCount, rule) + ofInput);
        EXPECT_EQ(memory_->usedBytes(), before);
        std::string names;
        for (const StageTime& stage : clock_->take()) {
            names += stage.name + " ";
        }
        EXPECT_EQ(names, stages);
    }
}

TEST_P(NodeFilterOnDevice, RefusesColumnsThatDoNotFit) {
    const auto image = makeImage(PixelType::u8, 9, 9, [](auto x, auto y) { return x * y; });
    const auto session = build(image);
    const TreeOnDevice tree = number(*image, *session->tree());
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 5}};
    EXPECT_THROW((void)filter(tree, spec, {}), Error);
    std::vector<cuda::DeviceColumn> columns;
    columns.push_back({AttributeId::area, cuda::DeviceBuffer<std::uint32_t>(memory_, 1, "column")});
    EXPECT_THROW((void)filter(tree, spec, columns), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)filter(tree, {}, {}, {}, JobControl(stop.get_token())), Cancelled);
}

POLLARD_FOR_BOTH_KINDS(NodeFilterOnDevice);

} // namespace
} // namespace pollard::testing
