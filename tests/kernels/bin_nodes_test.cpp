// Binning of nodes with the device's steps, run on the host: equal to core's result.

#include "analysis/attribute_plane.hpp"
#include "kernels/loop_machine.hpp"

#include "cpu/cpu_engine.hpp"
#include "cuda/nodes/bin_nodes.hpp"
#include "cuda/nodes/node_measures.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using Column = cuda::NodeMeasures<LoopMachine>::Column;

Column copyOf(const AttributeColumn& column) {
    return std::visit(
        []<class T>(const Buffer<T>& values) {
            LoopMachine::Buffer<T> copy(values.size());
            std::copy(values.begin(), values.end(), copy.data());
            return Column(std::move(copy));
        },
        column.values);
}

/// A tree with the bins made by the steps.
class BinsOnHost {
public:
    explicit BinsOnHost(const std::shared_ptr<const Image>& image) : session_(makeCpuEngine()->openSession()) {
        session_->open(image);
        session_->buildTree({});
    }
    [[nodiscard]] Session& session() { return *session_; }

    [[nodiscard]] ColumnRange range(AttributeId id, std::size_t first, bool positive) {
        return cuda::finiteRangeOf(machine_, copyOf(*session_->attribute(id)), first, positive);
    }
    [[nodiscard]] std::vector<SpectrumShare> shares(AttributeId idX, const Bins& x, const AttributeId* idY,
                                                    const Bins* y, std::uint32_t first) {
        const ComponentTree& tree = *session_->tree();
        cuda::NodeMeasures<LoopMachine> measures(planOf(tree));
        const cuda::ComponentSum<std::uint32_t> area{tree.subtreeEnd.data(), measures.ownPixels(machine_).data()};
        const Column columnX = copyOf(*session_->attribute(idX));
        const cuda::BinAxis axisX{columnX, x};
        if (idY == nullptr) {
            return cuda::sharesInBins(machine_, planOf(tree), area, first, axisX);
        }
        const Column columnY = copyOf(*session_->attribute(*idY));
        const cuda::BinAxis axisY{columnY, *y};
        return cuda::sharesInBins(machine_, planOf(tree), area, first, axisX, &axisY);
    }

    [[nodiscard]] std::vector<std::uint32_t> planeSums(AttributeId idX, const Bins& x, AttributeId idY, const Bins& y) {
        const Column columnX = copyOf(*session_->attribute(idX));
        const Column columnY = copyOf(*session_->attribute(idY));
        return cuda::sumsInPlane(machine_, cuda::BinAxis{columnX, x}, cuda::BinAxis{columnY, y});
    }

private:
    std::unique_ptr<Session> session_;
    LoopMachine machine_;
};

BinSpec randomSpec(Random& random) {
    BinSpec spec{1 + random() % 40, random() % 2 == 0 ? BinScale::linear : BinScale::log, {}, {}};
    if (random() % 2 == 0) {
        spec.low = 1 + random() % 20;
    }
    if (random() % 2 == 0) {
        spec.high = 30 + random() % 300;
    }
    return spec;
}

/// An attribute and its bins.
struct Axis {
    AttributeId id;
    BinSpec spec;
};

/// Calls check(bins, x, y) for the trees of random images until a failure. Skips bins that are invalid for the
/// values.
template <class Check> void forEachRandomBins(std::uint32_t seed, const Check& check) {
    Random random(seed);
    const auto attributes = allAttributes();
    int made = 0;
    for (int repeat = 0; repeat < 300 && !::testing::Test::HasFatalFailure(); ++repeat) {
        BinsOnHost bins(randomImage(random, 1 + random() % 40, 1 + random() % 40));
        const AttributeInfo& infoX = attributes[random() % attributes.size()];
        const AttributeInfo& infoY = attributes[random() % attributes.size()];
        const Axis x{infoX.id, randomSpec(random)};
        const Axis y{infoY.id, randomSpec(random)};
        SCOPED_TRACE(::testing::Message() << infoX.name << ", " << infoY.name);
        try {
            check(bins, x, y);
            ++made;
        } catch (const Error&) { // invalid for the values
        }
    }
    EXPECT_GT(made, 150);
}

TEST(BinSteps, FindTheRangeThatCoreFinds) {
    Random random(71);
    for (int repeat = 0; repeat < 20; ++repeat) {
        BinsOnHost bins(randomImage(random, 1 + random() % 30, 1 + random() % 30));
        for (const AttributeInfo& info : allAttributes()) {
            for (const bool positive : {false, true}) {
                for (const std::size_t first : {0U, 1U}) {
                    const ColumnRange wanted =
                        columnRange(*bins.session().attribute(info.id), first, positive, JobControl());
                    const ColumnRange range = bins.range(info.id, first, positive);
                    EXPECT_EQ(range.minimum, wanted.minimum) << info.name;
                    EXPECT_EQ(range.maximum, wanted.maximum) << info.name;
                }
            }
        }
    }
}

TEST(BinSteps, KeepTheOrderOfDoubles) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<double> ascending{-1e300, -2, -1, -1e-300, 0, 1e-300, 1, 2, 1e300};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        EXPECT_EQ(cuda::valueOfOrderedKey(cuda::orderedKey(ascending[i])), ascending[i]);
        if (i > 0) {
            EXPECT_LT(cuda::orderedKey(ascending[i - 1]), cuda::orderedKey(ascending[i]));
        }
    }
    const double values[] = {kInfinity, -kInfinity, std::nan("")};
    for (std::size_t i = 0; i < std::size(values); ++i) {
        EXPECT_EQ((cuda::RangeKey<double>{values, false, true}(i)), 0U);
        EXPECT_EQ((cuda::RangeKey<double>{values, false, false}(i)), 0U);
    }
}

TEST(BinSteps, SortIntoTheSpectraThatCoreMakes) {
    forEachRandomBins(72, [](BinsOnHost& bins, const Axis& x, const Axis& y) {
        Session& session = bins.session();
        const std::uint16_t rootLevel = session.tree()->level[0];
        const PatternSpectrum wanted = session.spectrum(x.id, x.spec);
        EXPECT_EQ(spectrumOf(x.id, rootLevel, wanted.bins, bins.shares(x.id, wanted.bins, nullptr, nullptr, 1)),
                  wanted);
        const PatternSpectrum2d both = session.spectrum2d(x.id, x.spec, y.id, y.spec);
        EXPECT_EQ(spectrumOf(x.id, y.id, rootLevel, both.x, both.y, bins.shares(x.id, both.x, &y.id, &both.y, 1)),
                  both);
    });
}

TEST(BinSteps, CountThePlaneThatCoreCounts) {
    forEachRandomBins(73, [](BinsOnHost& bins, const Axis& x, const Axis& y) {
        const AttributePlane wanted = bins.session().plane(x.id, x.spec, y.id, y.spec);
        ASSERT_EQ(planeBins(x.id, x.spec, bins.range(x.id, 0, x.spec.scale == BinScale::log)), wanted.x);
        ASSERT_EQ(planeBins(y.id, y.spec, bins.range(y.id, 0, y.spec.scale == BinScale::log)), wanted.y);
        ASSERT_EQ(planeOf(x.id, y.id, wanted.x, wanted.y, bins.planeSums(x.id, wanted.x, y.id, wanted.y)), wanted);
    });
}

TEST(BinSteps, CountWhatHasNoPlaceInThePlaneAsCoreDoes) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double special[] = {std::nan(""), kInfinity, -kInfinity, 0, -0.0, -1e-300, 1e-300, -3, 1, 2.5, 7, 1e300};
    Random random(74);
    for (const BinScale scale : {BinScale::linear, BinScale::log}) {
        for (int repeat = 0; repeat < 100; ++repeat) {
            const std::size_t nodes = 1 + random() % 3000; // enough for several lists of sums
            AttributeColumn x{AttributeId::mean, Buffer<double>(nodes), 0, 0};
            AttributeColumn y{AttributeId::area, Buffer<std::uint32_t>(nodes), 0, 0};
            for (std::size_t i = 0; i < nodes; ++i) {
                std::get<Buffer<double>>(x.values)[i] = special[random() % std::size(special)];
                std::get<Buffer<std::uint32_t>>(y.values)[i] = random() % 90;
            }
            const BinSpec specX{1 + random() % 9, scale, 0.5, 2.5 + random() % 5};
            const BinSpec specY{1 + random() % 40, BinScale::linear, 10, 10 + 1.0 + random() % 60};
            const AttributePlane wanted = attributePlane(x, specX, y, specY);
            ASSERT_GT(wanted.outside, 0U) << "of " << nodes << " nodes";
            const Column columnX = copyOf(x);
            const Column columnY = copyOf(y);
            LoopMachine machine;
            auto sums = cuda::sumsInPlane(machine, cuda::BinAxis{columnX, wanted.x}, cuda::BinAxis{columnY, wanted.y});
            ASSERT_EQ(planeOf(x.id, y.id, wanted.x, wanted.y, std::move(sums)), wanted);
        }
    }
}

} // namespace
} // namespace pollard::testing
