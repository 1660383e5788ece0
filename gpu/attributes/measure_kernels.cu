#include "attributes/measure_kernels.cuh"

#include "attributes/bin_steps.hpp"
#include "attributes/node_formulas.hpp"
#include "attributes/survivor_law.hpp"
#include "tree/device_loop.cuh"

namespace pollard::cuda {

namespace {

constexpr unsigned kAllLanes = 0xffffffffU;
constexpr std::uint32_t kNoNode = 0xffffffffU;

// Pixels of a column that one thread goes through: enough for a node that fills a region to be added once, few enough
// for a small image to occupy every multiprocessor.
constexpr unsigned kRowsPerThread = 16;

struct OutlinesOfPixels {
    using Value = unsigned long long;
    static constexpr bool kCanonicalIsDone = false;
    OutlineTerms terms;
    unsigned long long* sums;

    __device__ Value at(std::size_t x, std::size_t y) const { return terms.at(x, y).of[0]; }
    __device__ static Value nothing() { return 0; }
    __device__ static void join(Value& a, Value b) { a += b; }
    __device__ static Value across(Value value, int distance) { return __shfl_xor_sync(kAllLanes, value, distance); }
    __device__ void commit(std::uint32_t node, Value value) const {
        if (value != 0) {
            atomicAdd(sums + node, value);
        }
    }
};

struct BoxesOfPixels {
    using Value = NodeBox;
    static constexpr bool kCanonicalIsDone = true;
    NodeBox* boxes;

    __device__ static Value at(std::size_t x, std::size_t y) {
        const auto column = static_cast<std::uint32_t>(x);
        const auto row = static_cast<std::uint32_t>(y);
        return {column, row, column, row};
    }
    __device__ static Value nothing() { return {kNoNode, kNoNode, 0, 0}; }
    __device__ static void join(Value& a, const Value& b) { a = joined(a, b); }
    __device__ static Value across(const Value& box, int distance) {
        return {__shfl_xor_sync(kAllLanes, box.left, distance), __shfl_xor_sync(kAllLanes, box.top, distance),
                __shfl_xor_sync(kAllLanes, box.right, distance), __shfl_xor_sync(kAllLanes, box.bottom, distance)};
    }
    __device__ void commit(std::uint32_t node, const Value& value) const {
        // Sides only move outwards: what is read is never too far out. The canonical pixel, the last, is at the bottom.
        NodeBox* box = boxes + node;
        const volatile NodeBox* shared = box;
        if (value.left < shared->left) {
            atomicMin(&box->left, value.left);
        }
        if (value.top < shared->top) {
            atomicMin(&box->top, value.top);
        }
        if (value.right > shared->right) {
            atomicMax(&box->right, value.right);
        }
    }
};

/// Nodes near the root have pixels all over the image, so a thread holds back what it knows of one node, the one of the
/// smallest number that it met, and a warp joins what its lanes hold of the smallest of all.
template <class Work> __global__ void pixelsKernel(NodePlan plan, Work work) {
    using Value = typename Work::Value;
    const std::size_t thread = loop::index();
    const std::size_t x = thread % plan.width;
    const std::size_t first = thread / plan.width * kRowsPerThread;
    const std::size_t end = first + kRowsPerThread < plan.height ? first + kRowsPerThread : plan.height;
    std::uint32_t held = kNoNode;
    std::size_t heldCanonical = 0;
    Value value = Work::nothing();
    for (std::size_t y = first; y < end; ++y) {
        const std::size_t pixel = y * plan.width + x;
        const std::uint32_t node = plan.pixelNode[pixel];
        if constexpr (Work::kCanonicalIsDone) {
            const std::size_t canonical = node == held ? heldCanonical : plan.canonical[node];
            if (canonical == pixel) {
                continue;
            }
            if (node < held) {
                heldCanonical = canonical;
            }
        }
        if (node == held) {
            Work::join(value, work.at(x, y));
        } else if (node < held) {
            if (held != kNoNode) {
                work.commit(held, value);
            }
            held = node;
            value = work.at(x, y);
        } else {
            work.commit(node, work.at(x, y));
        }
    }
    std::uint32_t smallest = held;
    for (int distance = 16; distance > 0; distance /= 2) {
        const std::uint32_t other = __shfl_xor_sync(kAllLanes, smallest, distance);
        smallest = other < smallest ? other : smallest;
    }
    Value all = held == smallest ? value : Work::nothing();
    for (int distance = 16; distance > 0; distance /= 2) {
        Work::join(all, Work::across(all, distance));
    }
    if (held != smallest && held != kNoNode) {
        work.commit(held, value);
    }
    if (threadIdx.x % 32 == 0 && smallest != kNoNode) {
        work.commit(smallest, all);
    }
}

/// A lane has one place of the list. Each lane adds up what the lanes behind it have for the same node, and the first
/// one of a node writes: plainly where all pixels of the node lie in the warp, as those of most nodes do.
template <class Terms> __global__ void listedTermsKernel(NodePlan plan, Terms terms, const std::uint32_t* nodes,
                                                         const std::uint32_t* pixels, unsigned long long* sums) {
    const std::size_t count = plan.pixelCount();
    const std::size_t place = loop::index();
    const unsigned lane = threadIdx.x % 32;
    const bool inside = place < count;
    const std::uint32_t node = inside ? nodes[place] : kNoNode;
    unsigned long long sum[Terms::kCount] = {};
    if (inside) {
        const std::uint32_t pixel = pixels[place];
        const auto values = terms.at(pixel % plan.width, pixel / plan.width);
        for (int k = 0; k < Terms::kCount; ++k) {
            sum[k] = values.of[k];
        }
    }
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const bool same = __shfl_down_sync(kAllLanes, node, distance) == node && lane + distance < 32;
        for (int k = 0; k < Terms::kCount; ++k) {
            const unsigned long long other = __shfl_down_sync(kAllLanes, sum[k], distance);
            sum[k] += same ? other : 0;
        }
    }
    const std::uint32_t before = __shfl_up_sync(kAllLanes, node, 1);
    const std::uint32_t last = __shfl_sync(kAllLanes, node, 31);
    if (!inside || (lane > 0 && before == node)) {
        return;
    }
    const std::size_t behind = place - lane + 32;
    const bool starts = lane > 0 || place == 0 || nodes[place - 1] != node;
    const bool ends = node != last || behind >= count || nodes[behind] != node;
    const std::size_t stride = std::size_t{plan.nodeCount} + 1;
    for (int k = 0; k < Terms::kCount; ++k) {
        unsigned long long* to = sums + static_cast<std::size_t>(k) * stride + node;
        if (starts && ends) {
            *to = sum[k];
        } else if (sum[k] != 0) {
            atomicAdd(to, sum[k]);
        }
    }
}

template <class Work> cudaError_t launchPixels(const NodePlan& plan, const Work& work, cudaStream_t stream) {
    const std::size_t strips = (std::size_t{plan.height} + kRowsPerThread - 1) / kRowsPerThread;
    pixelsKernel<<<loopBlocks(strips * plan.width), kLoopBlock, 0, stream>>>(plan, work);
    return cudaGetLastError();
}

} // namespace

template <class Terms> cudaError_t launchAddListedTerms(const NodePlan& plan, const Terms& terms,
                                                        const std::uint32_t* nodes, const std::uint32_t* pixels,
                                                        std::uint64_t* sums, cudaStream_t stream) {
    listedTermsKernel<<<loopBlocks(plan.pixelCount()), kLoopBlock, 0, stream>>>(
        plan, terms, nodes, pixels, reinterpret_cast<unsigned long long*>(sums));
    return cudaGetLastError();
}

template cudaError_t launchAddListedTerms(const NodePlan&, const MomentTerms&, const std::uint32_t*,
                                          const std::uint32_t*, std::uint64_t*, cudaStream_t);
template cudaError_t launchAddListedTerms(const NodePlan&, const ThirdMomentTerms&, const std::uint32_t*,
                                          const std::uint32_t*, std::uint64_t*, cudaStream_t);
template cudaError_t launchAddListedTerms(const NodePlan&, const WideThirdMomentTerms&, const std::uint32_t*,
                                          const std::uint32_t*, std::uint64_t*, cudaStream_t);

cudaError_t launchAddOutlines(const NodePlan& plan, const OutlineTerms& terms, std::uint64_t* sums,
                              cudaStream_t stream) {
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    return launchPixels(plan, OutlinesOfPixels{terms, reinterpret_cast<unsigned long long*>(sums)}, stream);
}

cudaError_t launchGrowBoxes(const NodePlan& plan, NodeBox* boxes, cudaStream_t stream) {
    return launchPixels(plan, BoxesOfPixels{boxes}, stream);
}

#define POLLARD_STEP(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t);
#define POLLARD_FORMULA(...) POLLARD_STEP(FillColumn<__VA_ARGS__>)

POLLARD_STEP(ListPixels)
POLLARD_STEP(StartBoxes)
POLLARD_STEP(ListBorder)
POLLARD_STEP(JoinGroup<AroundBoth>)
POLLARD_STEP(JoinGroup<Largest<std::uint64_t>>)
POLLARD_STEP(JoinGroup<Smallest<std::uint16_t>>)
POLLARD_STEP(LeaveDynamics)
POLLARD_STEP(WriteMoments)
POLLARD_STEP(WriteThirdMoments<NarrowThirds>)
POLLARD_STEP(WriteThirdMoments<WideThirds>)
POLLARD_FORMULA(OverComponent<AroundBoth>)
POLLARD_FORMULA(OverComponent<Largest<std::uint64_t>>)
POLLARD_FORMULA(AreaOf)
POLLARD_FORMULA(WidthOf)
POLLARD_FORMULA(HeightPxOf)
POLLARD_FORMULA(BoxAreaOf)
POLLARD_FORMULA(DiagonalOf)
POLLARD_FORMULA(RectangularityOf)
POLLARD_FORMULA(LevelOf)
POLLARD_FORMULA(ContrastOf)
POLLARD_FORMULA(PeakOf)
POLLARD_FORMULA(HeightOf)
POLLARD_FORMULA(DynamicsOf)
POLLARD_FORMULA(ExtinctionOf<std::uint32_t>)
POLLARD_FORMULA(ExtinctionOf<std::uint64_t>)
POLLARD_FORMULA(OwnLevelsOf)
POLLARD_FORMULA(OwnSquaresOf)
POLLARD_FORMULA(SumOf)
POLLARD_FORMULA(MeanOf)
POLLARD_FORMULA(VolumeOf)
POLLARD_FORMULA(VarianceOf)
POLLARD_FORMULA(CentroidOf)
POLLARD_FORMULA(OfMoments<MomentFormula::inertia>)
POLLARD_FORMULA(OfMoments<MomentFormula::major>)
POLLARD_FORMULA(OfMoments<MomentFormula::minor>)
POLLARD_FORMULA(OfMoments<MomentFormula::elongation>)
POLLARD_FORMULA(OfMoments<MomentFormula::orientation>)
POLLARD_FORMULA(OfMoments<MomentFormula::eccentricity>)
POLLARD_FORMULA(OfMoments<MomentFormula::hu2>)
POLLARD_FORMULA(OfMoments<MomentFormula::hu3>)
POLLARD_FORMULA(OfMoments<MomentFormula::hu4>)
POLLARD_FORMULA(OfMoments<MomentFormula::hu5>)
POLLARD_FORMULA(OfMoments<MomentFormula::hu6>)
POLLARD_FORMULA(OfMoments<MomentFormula::hu7>)
POLLARD_FORMULA(PerimeterOf)
POLLARD_FORMULA(CircularityOf)
POLLARD_FORMULA(EulerOf)
POLLARD_FORMULA(HolesOf)
POLLARD_FORMULA(DepthOf)
POLLARD_FORMULA(DescendantsOf)
POLLARD_FORMULA(IsLeafOf)
POLLARD_FORMULA(RisingParentOf)
POLLARD_FORMULA(StabilityOf)

#define POLLARD_BINS(...)                                                                                              \
    template cudaError_t launchMaximum(const RangeKey<__VA_ARGS__>&, std::size_t, unsigned long long*, cudaStream_t);  \
    POLLARD_STEP(BinOfNode<__VA_ARGS__>)

POLLARD_BINS(std::uint16_t)
POLLARD_BINS(std::uint32_t)
POLLARD_BINS(std::int32_t)
POLLARD_BINS(std::uint64_t)
POLLARD_BINS(double)
POLLARD_STEP(AddShares)
POLLARD_STEP(JoinLists<std::uint64_t>)
POLLARD_STEP(CountInPlane)
POLLARD_STEP(JoinLists<std::uint32_t>)

#undef POLLARD_BINS
#undef POLLARD_FORMULA
#undef POLLARD_STEP

} // namespace pollard::cuda
