#include "vm/contour/contour_laws.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"
#include "snake/contour_levels.hpp"
#include "snake/snake_job.hpp"

#include <QPointF>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pollard::vm {

namespace {

/// The part of the image around contours, with a margin of a quarter of its longer side.
PixelRegion partOf(const std::vector<Contour>& contours, const Image& image) {
    Contour all;
    for (const Contour& contour : contours) {
        all.insert(all.end(), contour.begin(), contour.end());
    }
    const PixelRegion box = partAround(all, 0, image.width(), image.height());
    return partAround(all, std::max(box.width, box.height) / 4 + 2, image.width(), image.height());
}

/// A part of an image; each pixel is the mean of a square of its pixels.
std::shared_ptr<const Image> reduced(const Image& image, const PixelRegion& part, const JobControl& control) {
    const std::uint32_t block = (std::max(part.width, part.height) + ContourLaws::kSide - 1) / ContourLaws::kSide;
    auto small =
        std::make_shared<Image>(image.type(), (part.width + block - 1) / block, (part.height + block - 1) / block);
    const auto meanOfBlock = [&](std::uint32_t left, std::uint32_t top) {
        const std::uint32_t right = std::min(left + block, part.x + part.width);
        const std::uint32_t bottom = std::min(top + block, part.y + part.height);
        std::uint64_t sum = 0;
        for (std::uint32_t y = top; y < bottom; ++y) {
            for (std::uint32_t x = left; x < right; ++x) {
                sum += image.level(std::size_t{y} * image.width() + x);
            }
        }
        return sum / (std::uint64_t{right - left} * (bottom - top));
    };
    dispatch(small->type(), [&]<class T>(T) {
        T* pixel = small->pixels<T>().data();
        for (std::uint32_t y = 0; y < small->height(); ++y) {
            control.throwIfStopped();
            for (std::uint32_t x = 0; x < small->width(); ++x) {
                *pixel++ = static_cast<T>(meanOfBlock(part.x + x * block, part.y + y * block));
            }
        }
    });
    return small;
}

/// The contour in a part, without nodes closer than a pixel of the reduced image.
QPolygonF outlineIn(const PixelRegion& part, const Contour& contour) {
    constexpr double kMerged = 1.0 / ContourLaws::kSide;
    QPolygonF outline;
    for (const ContourNode node : contour) {
        const QPointF place((node.x - static_cast<double>(part.x)) / part.width,
                            (node.y - static_cast<double>(part.y)) / part.height);
        if (outline.isEmpty() || (place - outline.back()).manhattanLength() >= kMerged) {
            outline << place;
        }
    }
    return outline;
}

LawContours contoursOf(ContourRun run, const PixelRegion& part) {
    LawContours found;
    const int last = run.record.count() - 1;
    for (std::size_t i = 0; i < run.record.contours(); ++i) {
        const ContourRecord::Figures figures = run.record.figures(last, i);
        found.energy = figures.energy; // of all contours
        found.pixels += static_cast<std::uint64_t>(figures.inside.pixels);
        found.outlines << outlineIn(part, run.record.nodes(last, i));
    }
    found.run = std::move(run);
    return found;
}

/// A run without its states.
struct EndedRun {
    ContourPlan plan;
    std::vector<Contour> starts;
    std::vector<Contour> ends;
    std::size_t contour = 0; ///< the current one
    std::optional<ValueMapping> values;
};

/// The run that a law makes of the same starts; empty if it has no end within the limits.
std::optional<ContourRun> runWith(RegionLaw law, const EndedRun& ended, const ContourInput& ground,
                                  const JobControl& control) {
    ContourStart start{ended.plan, [&ended](const JobControl&) { return ended.starts; }, ended.contour};
    start.spec.law = law;
    try {
        ContourRun run = makeRun(start, ground, control);
        run.values = ended.values;
        if (evolveToEnd(run, ContourLaws::kMostBytes, control)) {
            return run;
        }
    } catch (const Error&) { // one law less to compare with
    }
    return std::nullopt;
}

LawComparison compare(const EndedRun& ended, const ContourInput& ground, const JobControl& control) {
    LawComparison made;
    std::vector<Contour> around = ended.ends;
    around.insert(around.end(), ended.starts.begin(), ended.starts.end());
    made.part = partOf(around, *ground.image);
    made.image = reduced(*ground.image, made.part, control);
    made.chosen = chosenLaw(*ground.image, ground.valid.get(), ended.starts, ended.plan.engine.apart);
    for (const RegionLaw law : kRegionLaws) {
        if (auto found = runWith(law, ended, ground, control)) {
            made.laws.push_back(contoursOf(std::move(*found), made.part));
        }
    }
    return made;
}

} // namespace

const LawContours* LawComparison::find(RegionLaw law) const noexcept {
    const auto found = std::ranges::find(laws, law, [](const LawContours& each) { return each.run.spec.law; });
    return found == laws.end() ? nullptr : &*found;
}

ContourLaws::ContourLaws(ContourViewModel& contours, QObject* parent) : QObject(parent), contours_(contours) {
    connect(&contours_.runs(), &ContourRuns::changed, this, &ContourLaws::update);
    connect(&contours_.playback(), &ContourPlayback::changed, this, &ContourLaws::update); // a start is being made
    connect(&contours_.follow(), &ContourFollow::changed, this, &ContourLaws::update);
    connect(&contours_, &ContourViewModel::activeChanged, this, &ContourLaws::update);
    connect(&contours_.document(), &DocumentViewModel::imageChanged, this, &ContourLaws::onImage);
    connect(&contours_.document(), &DocumentViewModel::sliceChanged, this, &ContourLaws::onImage);
    update();
}

std::optional<RegionLaw> ContourLaws::current() const {
    const ContourRun* run = contours_.runs().currentRun();
    return run == nullptr ? std::nullopt : std::optional(run->spec.law);
}

ContourLaws::Input ContourLaws::inputOf(const ContourRun& run) {
    Input input{run.spec, run.engine, run.forbidden, run.record.allNodes(0)};
    input.spec.law = RegionLaw::gaussian;
    return input;
}

void ContourLaws::forget() {
    input_.reset();
    comparison_.clear();
}

void ContourLaws::onImage() {
    serial_ = 0;
    forget();
    update();
}

void ContourLaws::update() {
    const ContourRun* run = contours_.runs().currentRun();
    const bool isEnded = run != nullptr && run->finished;
    if (!isEnded || !contours_.isActive() || contours_.runs().pending() || contours_.follow().isRunning()) {
        serial_ = 0;
        if (state() == AsyncState::computing || (!isEnded && state() != AsyncState::empty)) {
            forget();
        }
        return;
    }
    if (run->serial == serial_) {
        return;
    }
    serial_ = run->serial;
    Input input = inputOf(*run);
    if (input_ == input) {
        emit changed(); // another current law
        return;
    }
    forget();
    input_ = std::move(input);
    comparison_.begin(nullptr);
    comparison_.compute([ended = EndedRun{*run, input_->starts, run->record.allNodes(run->record.count() - 1),
                                          run->contour, run->values},
                         ground = contours_.computing().ground()](const std::stop_token& stop) {
        return compare(ended, ground, JobControl(stop));
    });
}

void ContourLaws::take(RegionLaw law) {
    const ContourRun* run = contours_.runs().currentRun();
    const auto comparison = comparison_.value();
    const LawContours* found = comparison ? comparison->find(law) : nullptr;
    if (serial_ == 0 || run == nullptr || found == nullptr || run->spec.law == law) {
        emit changed();
        return;
    }
    if (law != comparison->chosen) {
        contours_.settings().setLawAutomatic(false);
    }
    const std::vector<ContourRun>& all = contours_.runs().all();
    const auto same = std::ranges::find_if(
        all, [&](const ContourRun& each) { return each.finished && each.spec.law == law && inputOf(each) == input_; });
    if (same != all.end()) {
        contours_.selectRun(static_cast<int>(same - all.begin()));
        contours_.playback().scrub(contours_.runs().stateCount() - 1);
        return;
    }
    contours_.playback().pause();
    contours_.runs().cancelDrag();
    contours_.runs().setProblem({});
    ContourRun added = found->run;
    added.id = added.serial = 0; // a run of its own
    added.compared = false;
    added.shown = added.record.count() - 1;
    contours_.computing().adopt(std::move(added));
    contours_.settings().adopt(*contours_.runs().currentRun()); // after it: the step before it keeps its settings
}

} // namespace pollard::vm
