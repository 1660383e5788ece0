#include "cuda/components/labelling.hpp"

#include "base/error.hpp"
#include "cuda/components/ha4/ha4.hpp"
#include "cuda/components/strips/strips.hpp"
#include "cuda/components/tmk/tmk.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace pollard::cuda {

namespace {

constexpr std::array kAlgorithms{
    LabellingAlgorithm{"strips", "Pollard", true, true, &estimateStripBytes, &labelByStrips},
    LabellingAlgorithm{"ha4-32", "Hennequin, Lacassagne & Masliah 2019", false, false, &estimateHa4Bytes,
                       &labelByHa4With32},
    LabellingAlgorithm{"ha4-64", "Hennequin, Lacassagne & Masliah 2019", false, false, &estimateHa4Bytes,
                       &labelByHa4With64},
    LabellingAlgorithm{"tmk", "Algorithms 16(2), 80, 2023; labels: ha4-64", false, false, &estimateTmkBytes,
                       &labelByTmk},
};

} // namespace

std::span<const LabellingAlgorithm> labellingAlgorithms() noexcept { return kAlgorithms; }

const LabellingAlgorithm& labellingAlgorithmNamed(const std::string& name) {
    const auto all = labellingAlgorithms();
    const auto found = name.empty() ? all.begin() : std::ranges::find(all, name, &LabellingAlgorithm::name);
    if (found == all.end()) {
        std::string known;
        for (const LabellingAlgorithm& each : all) {
            known += (known.empty() ? "" : ", ") + std::string(each.name);
        }
        throw Error(ErrorCode::invalidArgument,
                    "components: algorithm '" + name + "': unknown (there are " + known + ")");
    }
    return *found;
}

} // namespace pollard::cuda
