#include "tree/node_filter.hpp"

#include "base/error.hpp"
#include "tree/device_loop.cuh"
#include "tree/filter_steps.hpp"
#include "tree/node_scans.hpp"
#include "tree/read_back.hpp"

#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

constexpr const char* kOperation = "filter the tree";

class Filter {
public:
    Filter(const DeviceTree& tree, const FilterSpec& spec, const std::shared_ptr<DeviceMemory>& memory)
        : tree_(tree), spec_(spec), memory_(memory), stream_(memory->stream()),
          keep_(memory, tree.nodeCount, kOperation), scratch_(memory, tree.nodeCount, kOperation),
          counts_(memory, kCounts, kOperation), value_(memory, tree.nodeCount, kOperation) {}

    FilteredNodes run(FrameImage image, std::span<const DeviceColumn* const> columns, StageClock& clock,
                      const JobControl& control) {
        check(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream_), kOperation);
        decide(columns);
        applyRule();
        clock.finish("decide");
        findNearestKept();
        if (spec_.output == Output::mask) {
            each(WriteMask{scratch_.data(), keep_.data(), maxLevelOf(image.type), value_.data()});
        } else {
            each(WriteLevels{scratch_.data(), tree_.level.data(), value_.data()});
        }
        clock.finish("levels");
        check(launchSum(IsChanged{tree_.pixelNode->data(), keep_.data()}, tree_.pixelNode->size(),
                        counts_.data() + kChanged, stream_),
              kOperation);
        clock.finish("pixels");

        FilteredNodes result;
        result.frame = std::make_shared<const CudaFrame>(std::move(image), tree_.pixelNode, std::move(value_),
                                                         spec_.output == Output::residue, stream_);
        unsigned long long counts[kCounts];
        readBack(counts, counts_.data(), kCounts, *memory_, control, kOperation);
        result.keptNodes = counts[kKept];
        result.removedNodes = tree_.nodeCount - counts[kKept];
        result.changedPixels = counts[kChanged];
        return result;
    }

private:
    enum Count : std::size_t { kKept, kChanged, kCounts };

    template <class Step> void each(const Step& step) { check(launchEach(step, tree_.nodeCount, stream_), kOperation); }

    void decide(std::span<const DeviceColumn* const> columns) {
        if (spec_.criteria.empty()) {
            check(cudaMemsetAsync(keep_.data(), 1, keep_.bytes(), stream_), kOperation);
        }
        for (std::size_t c = 0; c < spec_.criteria.size(); ++c) {
            std::visit(
                [&]<class T>(const DeviceBuffer<T>& values) {
                    if (values.size() != tree_.nodeCount) {
                        throw Error(ErrorCode::invalidArgument,
                                    "filter the tree: a column has " + std::to_string(values.size()) +
                                        " values, the tree " + std::to_string(tree_.nodeCount) + " nodes");
                    }
                    each(DecideNodes<T>{values.data(), boundsOf<T>(spec_.criteria[c]), c == 0,
                                        spec_.match == Match::all, keep_.data()});
                },
                columns[c]->values);
        }
    }

    void applyRule() {
        switch (spec_.rule) {
        case Rule::direct:
            return;
        case Rule::min:
            each(ReachOfFailures{keep_.data(), tree_.subtreeEnd.data(), scratch_.data()});
            inclusiveMaximum(scratch_, memory_);
            each(KeepBeyondFailures{scratch_.data(), keep_.data()});
            return;
        case Rule::max:
            each(PlacesOfSuccess{keep_.data(), scratch_.data()});
            inclusiveMaximum(scratch_, memory_);
            each(KeepAroundSuccess{scratch_.data(), tree_.subtreeEnd.data(), keep_.data()});
            return;
        case Rule::viterbi:
        case Rule::subtractive:
            break;
        }
        throw Error(ErrorCode::invalidArgument,
                    "filter the tree: rule '" + std::string(nameOf(spec_.rule)) + "': not on the device");
    }

    /// Leaves in scratch_ for every node the nearest kept of itself and its ancestors.
    void findNearestKept() {
        check(launchSum(StartAtParents{keep_.data(), tree_.parent.data(), scratch_.data()}, tree_.nodeCount,
                        counts_.data() + kKept, stream_),
              kOperation);
        const int rounds = JumpToKept::rounds(tree_.depth);
        if (rounds == 0) {
            return;
        }
        // A round in which no node moved is the last that does anything.
        DeviceBuffer<std::uint32_t> moved(memory_, static_cast<std::size_t>(rounds), kOperation);
        check(cudaMemsetAsync(moved.data(), 0, moved.bytes(), stream_), kOperation);
        for (int round = 0; round < rounds; ++round) {
            check(launchAny(JumpToKept{scratch_.data()}, tree_.nodeCount,
                            round > 0 ? moved.data() + (round - 1) : nullptr, moved.data() + round, stream_),
                  kOperation);
        }
    }

    const DeviceTree& tree_;
    const FilterSpec& spec_;
    const std::shared_ptr<DeviceMemory>& memory_;
    cudaStream_t stream_;
    DeviceBuffer<std::uint8_t> keep_;     ///< 1 where the criteria, then the rule, keep the node
    DeviceBuffer<std::uint32_t> scratch_; ///< per node
    DeviceBuffer<unsigned long long> counts_;
    DeviceBuffer<std::uint16_t> value_; ///< per node: the picture
};

} // namespace

FilteredNodes filterNodes(const DeviceTree& tree, FrameImage image, const FilterSpec& spec,
                          std::span<const DeviceColumn* const> columns, const std::shared_ptr<DeviceMemory>& memory,
                          StageClock& clock, const JobControl& control) {
    if (columns.size() != spec.criteria.size()) {
        throw Error(ErrorCode::invalidArgument, "filter the tree: " + std::to_string(columns.size()) + " columns for " +
                                                    std::to_string(spec.criteria.size()) + " criteria");
    }
    control.throwIfStopped();
    return Filter(tree, spec, memory).run(std::move(image), columns, clock, control);
}

std::uint64_t estimateFilterBytes(std::uint32_t nodeCount) {
    constexpr std::uint64_t kSmall = 1U << 14; // counters and the rounding of every block
    return std::uint64_t{nodeCount} * (1 + 4 + 2) + scratchBytes(nodeCount) + kSmall;
}

} // namespace pollard::cuda
