#include "cuda/kernels/device_loop.cuh"
#include "cuda/nodes/bin_steps.hpp"
#include "cuda/nodes/node_formulas.hpp"
#include "cuda/nodes/pixel_steps.hpp"
#include "cuda/nodes/survivor_law.hpp"

namespace pollard::cuda {

#define POLLARD_STEP(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t);
#define POLLARD_FORMULA(...) POLLARD_STEP(FillColumn<__VA_ARGS__>)

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
