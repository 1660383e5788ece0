#include "engine/best_objects.hpp"

#include "base/system.hpp"
#include "components/labelled_components.hpp"
#include "engine/engine.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Checks that there is memory for the candidates, beside the tree. @throws Error(outOfMemory)
void requireMemory(const Extent& image) {
    constexpr std::uint64_t kPixelBytes = 40; // sums of candidates and nodes, lists of pixels
    const std::uint64_t needed = kPixelBytes * image.pixelCount();
    requireAvailable("best components: image of " + text(image), needed);
}

} // namespace

std::shared_ptr<const BestCandidates> findBestCandidates(Engine& engine, const Image& image, const Mask* inside,
                                                         const std::optional<ValueMapping>& mapping, Polarity polarity,
                                                         const JobControl& control) {
    requireMemory(image.extent());
    const Brightness brightness = brightnessOf(image, inside, mapping, polarity, control.part(0, .2));
    const auto session = engine.openSession();
    // The session shares the image, which the candidates read until they are complete.
    session->open(std::shared_ptr<const Image>(std::shared_ptr<void>(), &brightness.levels));
    session->buildTree({TreeKind::max, Connectivity::eight, {}}, control.part(.2, .3));
    return std::make_shared<const BestCandidates>(*session->tree(), brightness, control.part(.5, .5));
}

Components bestObjects(const BestCandidates& candidates, const BestChoice& choice, const CutConstraints& constraints,
                       const Image* grey, const JobControl& control) {
    StageTimer timer;
    const std::vector<std::uint32_t> chosen = candidates.choose(choice, constraints, control);
    Components found = measureLabels(candidates.labels(chosen, control), grey, Connectivity::eight, control);
    timer.finish("best components");
    found.algorithm = "best components";
    found.milliseconds = timer.totalMilliseconds();
    found.expectedArea = choice.size.value_or(candidates.estimatedSize());
    return found;
}

} // namespace pollard
