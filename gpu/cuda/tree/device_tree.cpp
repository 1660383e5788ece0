#include "cuda/tree/device_tree.hpp"

#include "base/error.hpp"
#include "cuda/device/levels.hpp"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/kernels/node_scans.hpp"
#include "cuda/kernels/read_back.hpp"
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
class Numbering {
public:
    Numbering(const DeviceImage& image, const TreeSpec& spec, DeviceBuffer<std::uint32_t> parentImage,
              std::shared_ptr<DeviceMemory> memory, const JobControl& control)
        : image_(image), kind_(spec.kind), parentImage_(std::move(parentImage)), memory_(std::move(memory)),
          stream_(memory_->stream()), control_(control), pixels_(std::size_t{image.width} * image.height),
          mask_(memory_, wordsOf(pixels_), kOperation), before_(memory_, wordsOf(pixels_) + 1, kOperation),
          facts_(memory_, kFacts, kOperation) {}

    DeviceTree run(StageClock& clock) {
        check(cudaMemsetAsync(facts_.data(), 0, facts_.bytes(), stream_), kOperation);
        findNodes();
        linkTour();
        rankTour();
        writeTables();
        clock.finish("numbering");
        unsigned long long facts[kFacts];
        readBack(facts, facts_.data(), kFacts, *memory_, control_, kOperation);
        std::uint16_t rootLevel = 0;
        readBack(&rootLevel, tree_.level.data(), 1, *memory_, control_, kOperation);
        tree_.leafCount = static_cast<std::uint32_t>(facts[kLeaves]);
        tree_.depth = static_cast<std::uint32_t>(facts[kDepth]);
        tree_.rootLevel = rootLevel;
        return std::move(tree_);
    }

private:
    enum Fact : std::size_t { kLeaves, kDepth, kFacts };

    [[nodiscard]] RankIndex index() const noexcept { return {mask_.data(), before_.data()}; }

    template <class Step> void each(const Step& step, std::size_t count) {
        check(launchEach(step, count, stream_), kOperation);
    }

    void findNodes() {
        dispatch(image_.type, [&]<class T>(T) {
            const LevelView<T> levels{static_cast<const T*>(image_.pixels), flipOf<T>(kind_)};
            check(launchMarkCanonical(IsCanonical<T>{levels, parentImage_.data()}, pixels_, mask_.data(),
                                      before_.data(), stream_),
                  kOperation);
        });
        std::uint32_t* total = before_.data() + wordsOf(pixels_);
        check(cudaMemsetAsync(total, 0, sizeof *total, stream_), kOperation);
        exclusiveSum(before_, memory_);
        readBack(&tree_.nodeCount, total, 1, *memory_, control_, kOperation);
        if (tree_.nodeCount > kMaxDeviceNodes) {
            throw Error(ErrorCode::limitExceeded, "number the tree's nodes: " + std::to_string(tree_.nodeCount) +
                                                      " nodes; the GPU engine takes up to " +
                                                      std::to_string(kMaxDeviceNodes));
        }
    }

    void linkTour() {
        const std::uint32_t n = tree_.nodeCount;
        canonicalOf_ = DeviceBuffer<std::uint32_t>(memory_, n, kOperation);
        DeviceBuffer<std::uint32_t> parent(memory_, n, kOperation);
        DeviceBuffer<std::uint32_t> node(memory_, n, kOperation);
        each(ListNodes{index(), parentImage_.data(), n, canonicalOf_.data(), parent.data(), node.data()}, pixels_);
        sortByKey(parent, node, std::bit_width(n), memory_);
        tour_ = DeviceBuffer<std::uint32_t>(memory_, 2 * std::size_t{n}, kOperation);
        check(cudaMemsetAsync(tour_.data(), 0xff, tour_.bytes(), stream_), kOperation); // kNoElement
        each(LinkTour{parent.data(), node.data(), n, tour_.data()}, n);
        root_ = DeviceBuffer<std::uint32_t>(memory_, 1, kOperation);
        check(cudaMemcpyAsync(root_.data(), node.data() + (n - 1), sizeof n, cudaMemcpyDeviceToDevice, stream_),
              kOperation);
    }

    void rankTour() {
        const TourCut cut(2 * tree_.nodeCount);
        DeviceBuffer<TourSegment> segments(memory_, cut.slotCount(), kOperation);
        DeviceBuffer<TourSegment> joined(memory_, cut.slotCount(), kOperation);
        each(MeasureSegment{cut, root_.data(), tour_.data(), segments.data()}, cut.slotCount());
        for (int round = JoinSegments::rounds(cut.slotCount()); round > 0; --round) {
            each(JoinSegments{segments.data(), joined.data()}, cut.slotCount());
            std::swap(segments, joined);
        }
        check(launchMaximum(NumberSegment{cut, root_.data(), tour_.data(), segments.data()}, cut.slotCount(),
                            facts_.data() + kDepth, stream_),
              kOperation);
    }

    void writeTables() {
        const std::uint32_t n = tree_.nodeCount;
        tree_.parent = DeviceBuffer<std::uint32_t>(memory_, n, kOperation);
        tree_.subtreeEnd = DeviceBuffer<std::uint32_t>(memory_, n, kOperation);
        tree_.canonical = DeviceBuffer<std::uint32_t>(memory_, n, kOperation);
        tree_.level = DeviceBuffer<std::uint16_t>(memory_, n, kOperation);
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
            check(launchSum(step, n, facts_.data() + kLeaves, stream_), kOperation);
        });
        each(WritePixelNodes{index(), tour_.data(), parentImage_.data()}, pixels_);
        tree_.pixelNode = std::make_shared<DeviceBuffer<std::uint32_t>>(std::move(parentImage_));
    }

    DeviceImage image_;
    TreeKind kind_;
    DeviceBuffer<std::uint32_t> parentImage_;
    std::shared_ptr<DeviceMemory> memory_;
    cudaStream_t stream_;
    const JobControl& control_;
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
    return Numbering(image, spec, std::move(parentImage), memory, control).run(clock);
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
