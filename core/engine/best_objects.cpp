#include "engine/best_objects.hpp"

#include "base/system.hpp"
#include "components/labelled_components.hpp"
#include "engine/engine.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
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

/// Number of marks for objects that no object contains; marks outside the image do not count.
std::uint32_t unmetMarks(const Components& found, std::span<const BestMark> marks) {
    return static_cast<std::uint32_t>(std::ranges::count_if(marks, [&](const BestMark& mark) {
        const auto pixel = pixelOf(mark, found.extent());
        return mark.isObject && pixel && found.labels[*pixel] == 0;
    }));
}

} // namespace

std::shared_ptr<const BestCandidates> findBestCandidates(Engine& engine, const Image& image, const Mask* inside,
                                                         const std::optional<ValueMapping>& mapping, Polarity polarity,
                                                         const JobControl& control) {
    const Connectivity neighbours = correspondingConnectivity(image.extent(), Connectivity::eight);
    requireMeasurable(image.extent(), nullptr, {.connectivity = neighbours, .algorithm = {}});
    requireMemory(image.extent());
    const Brightness brightness = brightnessOf(image, inside, mapping, polarity, control.part(0, .2));
    const auto session = engine.openSession();
    // The session shares the image, which the candidates read until they are complete.
    session->open(std::shared_ptr<const Image>(std::shared_ptr<void>(), &brightness.levels));
    session->buildTree({TreeKind::max, neighbours, {}}, control.part(.2, .3));
    return std::make_shared<const BestCandidates>(*session->tree(), brightness, control.part(.5, .5));
}

Components bestObjects(const BestCandidates& candidates, const BestChoice& choice, const CutConstraints& constraints,
                       const Image* grey, const JobControl& control, bool isVolume) {
    StageTimer timer;
    const std::vector<std::uint32_t> chosen = candidates.choose(choice, constraints, control);
    LabelImage labels = candidates.labels(chosen, control);
    const Connectivity neighbours = isVolume || labels.slices > 1 ? Connectivity::twentySix : Connectivity::eight;
    Components found = measureLabels(std::move(labels), grey, neighbours, control);
    timer.finish("best components");
    found.algorithm = "best components";
    found.milliseconds = timer.totalMilliseconds();
    found.unmetMarks = unmetMarks(found, choice.marks);
    found.expectedArea = choice.size.value_or(candidates.estimatedSize());
    return found;
}

} // namespace pollard
