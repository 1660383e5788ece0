#include "cuda/tree/device_tree.hpp"

#include "base/error.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/kernels/device_machine.hpp"
#include "cuda/tree/numbering_steps.hpp"
#include "cuda/tree/pixel_counts.cuh"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

constexpr const char* kOperation = "number the tree's nodes";

/// The numbering as a sequence of steps. Results used by later steps are members; others are local to their step.
class Numbering : DeviceMachine {
public:
    Numbering(DeviceMachine machine, const DeviceImage& image, const TreeSpec& spec,
              DeviceBuffer<std::uint32_t> parentImage)
        : DeviceMachine(std::move(machine)), image_(image), kind_(spec.kind), parentImage_(std::move(parentImage)),
          pixels_(std::size_t{image.width} * image.height), mask_(make<std::uint32_t>(wordsOf(pixels_), kOperation)),
          before_(make<std::uint32_t>(wordsOf(pixels_) + 1, kOperation)),
          facts_(make<unsigned long long>(kFacts, kOperation)) {}

    DeviceTree run() {
        fill(facts_.data(), kFacts, 0);
        findNodes();
        linkTour();
        rankTour();
        writeTables();
        finish("numbering");
        unsigned long long facts[kFacts];
        readBack(facts, facts_.data(), kFacts);
        std::uint16_t rootLevel = 0;
        readBack(&rootLevel, tree_.level.data());
        tree_.leafCount = static_cast<std::uint32_t>(facts[kLeaves]);
        tree_.depth = static_cast<std::uint32_t>(facts[kDepth]);
        tree_.rootLevel = rootLevel;
        return std::move(tree_);
    }

private:
    enum Fact : std::size_t { kLeaves, kDepth, kFacts };

    [[nodiscard]] RankIndex index() const noexcept { return {mask_.data(), before_.data()}; }

    void findNodes() {
        dispatch(image_.type, [&]<class T>(T) {
            const LevelView<T> levels{static_cast<const T*>(image_.pixels), flipOf<T>(kind_)};
            require(launchMarkCanonical(IsCanonical<T>{levels, parentImage_.data()}, pixels_, mask_.data(),
                                        before_.data(), stream()));
        });
        std::uint32_t* total = before_.data() + wordsOf(pixels_);
        fill(total, 1, 0);
        exclusiveSum(before_.data(), before_.size());
        readBack(&tree_.nodeCount, total);
        if (tree_.nodeCount > kMaxDeviceNodes) {
            throw Error(ErrorCode::limitExceeded, "number the tree's nodes: " + std::to_string(tree_.nodeCount) +
                                                      " nodes; the GPU engine takes up to " +
                                                      std::to_string(kMaxDeviceNodes));
        }
    }

    void linkTour() {
        const std::uint32_t n = tree_.nodeCount;
        canonicalOf_ = make<std::uint32_t>(n, kOperation);
        auto parent = make<std::uint32_t>(n, kOperation);
        auto node = make<std::uint32_t>(n, kOperation);
        each(ListNodes{index(), parentImage_.data(), n, canonicalOf_.data(), parent.data(), node.data()}, pixels_);
        sortByKey(parent, node, std::bit_width(n), memory());
        tour_ = make<std::uint32_t>(2 * std::size_t{n}, kOperation);
        fill(tour_.data(), tour_.size(), 0xff); // kNoElement
        each(LinkTour{parent.data(), node.data(), n, tour_.data()}, n);
        root_ = make<std::uint32_t>(1, kOperation);
        require(cudaMemcpyAsync(root_.data(), node.data() + (n - 1), sizeof n, cudaMemcpyDeviceToDevice, stream()));
    }

    void rankTour() {
        const TourCut cut(2 * tree_.nodeCount);
        auto segments = make<TourSegment>(cut.slotCount(), kOperation);
        auto joined = make<TourSegment>(cut.slotCount(), kOperation);
        each(MeasureSegment{cut, root_.data(), tour_.data(), segments.data()}, cut.slotCount());
        for (int round = JoinSegments::rounds(cut.slotCount()); round > 0; --round) {
            each(JoinSegments{segments.data(), joined.data()}, cut.slotCount());
            std::swap(segments, joined);
        }
        maximum(NumberSegment{cut, root_.data(), tour_.data(), segments.data()}, cut.slotCount(),
                facts_.data() + kDepth);
    }

    void writeTables() {
        const std::uint32_t n = tree_.nodeCount;
        tree_.parent = make<std::uint32_t>(n, kOperation);
        tree_.subtreeEnd = make<std::uint32_t>(n, kOperation);
        tree_.canonical = make<std::uint32_t>(n, kOperation);
        tree_.level = make<std::uint16_t>(n, kOperation);
        dispatch(image_.type, [&]<class T>(T) {
            const WriteNodes<T> step{index(),
                                     parentImage_.data(),
                                     canonicalOf_.data(),
                                     tour_.data(),
                                     static_cast<const T*>(image_.pixels),
                                     tree_.parent.data(),
                                     tree_.subtreeEnd.data(),
                                     tree_.canonical.data(),
                                     tree_.level.data()};
            sum(step, n, facts_.data() + kLeaves);
        });
        each(WritePixelNodes{index(), tour_.data(), parentImage_.data()}, pixels_);
        tree_.pixelNode = std::make_shared<DeviceBuffer<std::uint32_t>>(std::move(parentImage_));
    }

    DeviceImage image_;
    TreeKind kind_;
    DeviceBuffer<std::uint32_t> parentImage_;
    std::size_t pixels_;
    DeviceBuffer<std::uint32_t> mask_;   ///< of canonical pixels
    DeviceBuffer<std::uint32_t> before_; ///< canonical pixels before each word of the mask
    DeviceBuffer<unsigned long long> facts_;
    DeviceBuffer<std::uint32_t> canonicalOf_; ///< per node in raster order
    DeviceBuffer<std::uint32_t> tour_;        ///< per element
    DeviceBuffer<std::uint32_t> root_;        ///< the root's index in raster order
    DeviceTree tree_;
};

} // namespace

DeviceTree numberNodes(const DeviceImage& image, const TreeSpec& spec, DeviceBuffer<std::uint32_t> parentImage,
                       const std::shared_ptr<DeviceMemory>& memory, StageClock& clock, const JobControl& control) {
    return Numbering({memory, clock, control, kOperation}, image, spec, std::move(parentImage)).run();
}

std::uint64_t estimateNumberingBytes(std::uint32_t width, std::uint32_t height) {
    const std::uint64_t pixels = std::uint64_t{width} * height;
    const std::uint64_t nodes = std::min<std::uint64_t>(pixels, kMaxDeviceNodes);
    const std::uint64_t throughout = pixels * 4 + wordsOf(pixels) * 8 + nodes * 4; // with canonicalOf
    const std::uint64_t sorting = nodes * 16 + scratchBytes(nodes);
    const std::uint64_t ranking =
        nodes * 8 + 2 * sizeof(TourSegment) * TourCut(static_cast<std::uint32_t>(2 * nodes)).slotCount();
    const std::uint64_t tables = nodes * (8 + 14);
    constexpr std::uint64_t kSmall = 1U << 16; // counters, and the rounding of each block
    return throughout + std::max({sorting, nodes * 16, ranking, tables, scratchBytes(wordsOf(pixels))}) + kSmall;
}

} // namespace pollard::cuda
