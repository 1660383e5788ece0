#include "components/labelling.hpp"

#include "components/ha4/ha4.hpp"
#include "components/strips/strips.hpp"
#include "components/tmk/tmk.hpp"

#include <array>

namespace pollard::cuda {

namespace {

constexpr std::array kAlgorithms{
    LabellingAlgorithm{"strips", "Pollard", &estimateStripBytes, &labelByStrips},
    LabellingAlgorithm{"ha4-32", "Hennequin, Lacassagne & Masliah 2019", &estimateHa4Bytes, &labelByHa4With32},
    LabellingAlgorithm{"ha4-64", "Hennequin, Lacassagne & Masliah 2019", &estimateHa4Bytes, &labelByHa4With64},
    LabellingAlgorithm{"tmk", "Algorithms 16(2), 80, 2023; labels: ha4-64", &estimateTmkBytes, &labelByTmk},
};

} // namespace

std::span<const LabellingAlgorithm> labellingAlgorithms() noexcept { return kAlgorithms; }

} // namespace pollard::cuda
