#include "cuda/components/strips/strip_kernels.cuh"

#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/part_adding.hpp"
#include "cuda/components/strips/part_sums.hpp"
#include "cuda/components/strips/row_features.hpp"
#include "cuda/components/strips/strip_features.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_numbers.hpp"
#include "cuda/components/strips/strip_paint.hpp"
#include "cuda/components/strips/strip_runs.hpp"
#include "cuda/components/strips/strips_together.hpp"
#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

namespace strip_launch {

template <bool kEight, class Words> struct Threads<JoinWithinStrips<kEight, Words>> {
    static constexpr int kMost = kMostStripThreads;
    static constexpr int kBlocks = kThreadsOfMultiprocessor / kMost;
};

template <bool kEight, class Level> struct Threads<MeasureStrips<kEight, Level>> {
    static constexpr int kMost = 512;
    static constexpr int kBlocks = 2;
};

template <class Part> struct Threads<AddParts<Part>> {
    static constexpr int kMost = AddParts<Part>::kThreads;
    static constexpr int kBlocks = 4;
};

} // namespace strip_launch

namespace {

using strip_launch::allow;
using strip_launch::stripsKernel;

/// Allows clusters of more than 8 blocks.
template <class Pass> cudaError_t allowLargeClusters() {
    static const cudaError_t status =
        cudaFuncSetAttribute(stripsKernel<Pass>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return status;
}

struct ClusterLaunch {
    cudaLaunchAttribute attribute{};
    cudaLaunchConfig_t config{};

    ClusterLaunch(std::uint32_t count, std::uint32_t threads, std::size_t sharedBytes, cudaStream_t stream) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {count, 1, 1};
        config.gridDim = dim3(count);
        config.blockDim = dim3(threads);
        config.dynamicSmemBytes = sharedBytes;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
    }
    ClusterLaunch(const ClusterLaunch&) = delete;
    ClusterLaunch& operator=(const ClusterLaunch&) = delete;
};

} // namespace

template <class Pass>
cudaError_t launchTogether(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream) {
    if (const cudaError_t status = allow<Pass>(sharedBytes); status != cudaSuccess) {
        return status;
    }
    if constexpr (Pass::kTogether == Together::cluster) {
        if (const cudaError_t status = allowLargeClusters<Pass>(); status != cudaSuccess) {
            return status;
        }
        const ClusterLaunch launch(count, pass.state.threads, sharedBytes, stream);
        return cudaLaunchKernelEx(&launch.config, &stripsKernel<Pass>, pass);
    } else {
        Pass argument = pass;
        void* arguments[] = {&argument};
        return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&stripsKernel<Pass>), dim3(count),
                                           dim3(pass.state.threads), arguments, sharedBytes, stream);
    }
}

std::uint32_t mostInCluster(std::uint32_t threads, std::size_t sharedBytes) {
    using Pass = LabelTogether<true, LevelWords<std::uint16_t>, Together::cluster>;
    constexpr std::uint32_t kMost = 16;
    constexpr int kFirstWithClusters = 90;
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, stripsKernel<Pass>) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    if (attributes.ptxVersion < kFirstWithClusters) {
        return 0; // compiled for older GPUs and translated for this one: meetCluster() would trap
    }
    for (std::uint32_t count = kMost; count > 1; count /= 2) {
        const ClusterLaunch launch(count, threads, sharedBytes, nullptr);
        int clusters = 0;
        if (allow<Pass>(sharedBytes) == cudaSuccess && allowLargeClusters<Pass>() == cudaSuccess &&
            cudaOccupancyMaxActiveClusters(&clusters, &stripsKernel<Pass>, &launch.config) == cudaSuccess &&
            clusters > 0) {
            return count;
        }
        cudaGetLastError(); // an unsupported size is no failure
    }
    return 0;
}

#define POLLARD_INSTANTIATE_BLOCKS(...)                                                                                \
    template cudaError_t launchBlocks(const __VA_ARGS__&, std::uint32_t, std::size_t, cudaStream_t)
#define POLLARD_INSTANTIATE_EACH(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t)

#define POLLARD_INSTANTIATE(kEight, Words)                                                                             \
    POLLARD_INSTANTIATE_BLOCKS(JoinWithinStrips<kEight, Words>);                                                       \
    template cudaError_t launchTogether(const LabelTogether<kEight, Words, Together::cluster>&, std::uint32_t,         \
                                        std::size_t, cudaStream_t);                                                    \
    template cudaError_t launchTogether(const LabelTogether<kEight, Words, Together::grid>&, std::uint32_t,            \
                                        std::size_t, cudaStream_t)
POLLARD_INSTANTIATE(false, MaskWords);
POLLARD_INSTANTIATE(true, MaskWords);
POLLARD_INSTANTIATE(false, LevelWords<std::uint8_t>);
POLLARD_INSTANTIATE(true, LevelWords<std::uint8_t>);
POLLARD_INSTANTIATE(false, LevelWords<std::uint16_t>);
POLLARD_INSTANTIATE(true, LevelWords<std::uint16_t>);
#undef POLLARD_INSTANTIATE

#define POLLARD_INSTANTIATE(kEight)                                                                                    \
    POLLARD_INSTANTIATE_EACH(JoinStrips<std::uint16_t, kEight>);                                                       \
    POLLARD_INSTANTIATE_EACH(JoinStrips<std::uint32_t, kEight>);                                                       \
    POLLARD_INSTANTIATE_BLOCKS(MeasureStrips<kEight, void>);                                                           \
    POLLARD_INSTANTIATE_BLOCKS(MeasureStrips<kEight, std::uint8_t>);                                                   \
    POLLARD_INSTANTIATE_BLOCKS(MeasureStrips<kEight, std::uint16_t>);                                                  \
    POLLARD_INSTANTIATE_BLOCKS(MeasureRows<kEight, void>);                                                             \
    POLLARD_INSTANTIATE_BLOCKS(MeasureRows<kEight, std::uint8_t>);                                                     \
    POLLARD_INSTANTIATE_BLOCKS(MeasureRows<kEight, std::uint16_t>)
POLLARD_INSTANTIATE(false);
POLLARD_INSTANTIATE(true);
#undef POLLARD_INSTANTIATE

#define POLLARD_INSTANTIATE(Number)                                                                                    \
    POLLARD_INSTANTIATE_EACH(ShortenAboveBorders<Number>);                                                             \
    POLLARD_INSTANTIATE_BLOCKS(CountObjects<Number>);                                                                  \
    POLLARD_INSTANTIATE_BLOCKS(LabelFirstParts<Number, false>);                                                        \
    POLLARD_INSTANTIATE_BLOCKS(LabelFirstParts<Number, true>);                                                         \
    POLLARD_INSTANTIATE_BLOCKS(LabelOtherParts<Number>);                                                               \
    POLLARD_INSTANTIATE_EACH(PaintLabels<Number>)
POLLARD_INSTANTIATE(std::uint16_t);
POLLARD_INSTANTIATE(std::uint32_t);
#undef POLLARD_INSTANTIATE

POLLARD_INSTANTIATE_EACH(ClearCounts);
POLLARD_INSTANTIATE_BLOCKS(ListRunsOfRows);
POLLARD_INSTANTIATE_BLOCKS(AddParts<StripPart>);
POLLARD_INSTANTIATE_BLOCKS(AddParts<ObjectPart>);

} // namespace pollard::cuda
