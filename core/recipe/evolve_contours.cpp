#include "recipe/evolve_contours.hpp"

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "image/mask.hpp"
#include "image/region_shape.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

SnakeResult evolveContours(const SnakeJob& job, Engine* engine, const SnakeListener& listener,
                           const JobControl& control) {
    std::vector<std::vector<SnakeState>> states(job.starts.size());
    const SnakeListener recorder = [&states](std::size_t contour, const SnakeState& state) {
        states[contour].push_back(state);
        return true;
    };
    const bool isDeferred = listener && !job.parts.empty();
    const SnakeListener& used = isDeferred ? recorder : listener;
    SnakeResult result = engine != nullptr ? engine->runSnake(job, used, control) : runSnake(job, used, control);
    for (std::size_t contour = 0; isDeferred && contour < states.size(); ++contour) {
        for (const SnakeState& state : states[contour]) {
            static_cast<void>(listener(contour, state));
        }
    }
    return result;
}

void requireForbiddenOf(const ContoursStep& step, std::uint32_t width, std::uint32_t height) {
    const auto& pixels = step.forbiddenPixels;
    if (pixels && (pixels->width != width || pixels->height != height)) {
        throw Error(ErrorCode::invalidArgument, "forbidden_pixels: they are those of an image of " +
                                                    std::to_string(pixels->width) + " x " +
                                                    std::to_string(pixels->height) + " px, this one has " +
                                                    std::to_string(width) + " x " + std::to_string(height));
    }
}

std::shared_ptr<const Mask> forbiddenPixelsOf(const ContoursStep& step, std::uint32_t width, std::uint32_t height,
                                              const JobControl& control) {
    if (step.forbidden.empty() && !step.forbiddenPixels) {
        return nullptr;
    }
    requireForbiddenOf(step, width, height);
    Mask mask(width, height, false);
    if (step.forbiddenPixels) {
        mask = step.forbiddenPixels->mask();
    }
    if (!step.forbidden.empty()) {
        const Mask shapes = makeRegionMask(width, height, step.forbidden, false, control);
        for (std::uint32_t y = 0; y < height; ++y) {
            forEachRun(shapes, y, true,
                       [&](std::uint32_t first, std::uint32_t last) { mask.setRun(first, last, y, true); });
        }
    }
    return std::make_shared<const Mask>(std::move(mask));
}

} // namespace pollard
