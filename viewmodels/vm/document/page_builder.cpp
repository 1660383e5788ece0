#include "vm/document/page_builder.hpp"

#include "vm/document/image_units.hpp"
#include "vm/image/even_levels.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/result_tags.hpp"
#include "recipe/run_recipe.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

// Ends of the steps on the progress bar, in proportion to their times for a 20 MPix photo.
constexpr double kTreeEnd = 0.85;
constexpr double kMeasureEnd = 0.95;

/// Sets the result of the earlier filters; null without them.
void setInput(ShownImage& shown, std::shared_ptr<const Image> input) {
    shown.volumeInput = shown.volume ? input : nullptr;
    shown.input =
        shown.volume && input ? std::make_shared<const Image>(sliceOf(*input, shown.slice)) : std::move(input);
}

} // namespace

FilterSpec pixelsOf(const FilterSpec& spec, const Picture& picture) {
    return inPixelsWherePossible(spec, picture.units());
}

bool dependsOnPixelSize(std::span<const FilterStage> earlier) {
    return std::ranges::any_of(earlier, [](const FilterStage& stage) { return stage.on && hasUnits(stage.filter); });
}

std::shared_ptr<const AttributeColumn> columnOf(Session& session, AttributeId id, const JobControl& control) {
    const auto tree = session.tree();
    if (!tree || isMeasured(id, tree->extent().isVolume())) {
        return session.attribute(id, control);
    }
    Buffer<double> undefined(tree->nodeCount());
    std::ranges::fill(undefined, std::numeric_limits<double>::quiet_NaN());
    return std::make_shared<const AttributeColumn>(AttributeColumn{id, std::move(undefined)});
}

bool areRanks(const Picture& picture, const FilterSpec& spec) {
    return picture.mapping && !picture.mapping->isProportional() && spec.output == Output::filtered;
}

bool isStretched(Output output) { return output == Output::residue || output == Output::labels; }

PageBuilder::PageBuilder(const DocumentServices& services, const PictureReader& reader)
    : services_(services), reader_(reader) {}

std::shared_ptr<const Image> PageBuilder::inputOf(Engine& engine, const Picture& picture, const FilterStages& earlier,
                                                  const OpenedPage* present, const JobContext& context) const {
    const FilterStages stages = effectiveStages(earlier);
    LoadedImage left{picture.whole(), picture.wholeValid(), {}};
    const std::optional<ValueMapping> original = picture.fileInfo ? picture.fileInfo->mapping : std::nullopt;
    std::size_t done = 0;
    if (present != nullptr && present->picture.whole() == picture.whole()) {
        const FilterStages known = effectiveStages(present->request.earlier);
        const bool sameBounds = !dependsOnPixelSize(known) || present->tree.pixelSize == picture.pixelSize;
        if (sameBounds && known.size() <= stages.size() && std::equal(known.begin(), known.end(), stages.begin())) {
            left.image = present->picture.analysed();
            done = known.size();
        }
    }
    const auto count = static_cast<double>(stages.size() - done);
    for (std::size_t i = done; i < stages.size(); ++i) {
        const auto before = static_cast<double>(i - done);
        const JobContext part = context.share(before / count, (before + 1) / count);
        try {
            FilterStage stage = stages[i];
            left.info.mapping = mappingAfter(original, resultValuesOf(std::span(stages).first(i)));
            const ImageUnits units{picture.pixelSize, left.info.mapping, picture.volume != nullptr};
            stage.filter = inPixelsWherePossible(stage.filter, units);
            if (needsProportional(stage.filter)) {
                requireProportional(left.info.mapping, "differences of values");
            }
            stage.tree.connectivity = correspondingConnectivity(left.image->extent(), stage.tree.connectivity);
            const Recipe one{"earlier", {}, {}, recipeStepsOf(std::span(&stage, 1))};
            left.image = runRecipe(one, left, engine, services_.sessionOptions, part.stop, part.progress).image;
        } catch (const Error& error) {
            throw Error(error.code(), "earlier filter " + std::to_string(i + 1) + ": " + error.what());
        }
    }
    return stages.empty() ? nullptr : left.image;
}

OpenedPage PageBuilder::build(Engine& engine, const Picture& picture, const TreeRequest& request,
                              const OpenedPage* present, const JobContext& context) {
    const auto filters = static_cast<double>(effectiveStages(request.earlier).size());
    const double treeFrom = filters / (filters + 1);
    const JobContext rest = context.share(treeFrom, 1);
    OpenedPage opened;
    opened.picture = picture;
    opened.picture.mapping =
        mappingAfter(picture.fileInfo ? picture.fileInfo->mapping : std::nullopt, resultValuesOf(request.earlier));
    setInput(opened.picture, inputOf(engine, picture, request.earlier, present, context.share(0, treeFrom)));
    opened.request = request;
    opened.session = engine.openSession(services_.sessionOptions);
    opened.session->open(opened.picture.analysed(), picture.inside, opened.picture.mapping);
    opened.tree.spec = request.spec;
    opened.tree.spec.connectivity = correspondingConnectivity(picture.whole()->extent(), request.spec.connectivity);
    opened.tree.domain = request.domain;
    opened.tree.earlier = request.earlier;
    opened.tree.pixelSize = picture.pixelSize;
    opened.tree.report = opened.session->buildTree(opened.tree.spec, rest.part(0, kTreeEnd));
    opened.tree.tree = opened.session->tree();
    opened.tree.nodes = opened.session->deviceNodes();
    for (const AttributeId id : request.attributes) {
        opened.tree.attributes.emplace_back(id, columnOf(*opened.session, id, rest.part(kTreeEnd, kMeasureEnd)));
    }
    opened.tree.frame = filter(engine, *opened.session, opened.picture, request.filter, rest.part(kMeasureEnd, 1));
    opened.tree.engine = {request.engine, engine.name(), engine.device(), {}, &engine};
    return opened;
}

FrameResult PageBuilder::filter(Engine& engine, Session& session, const Picture& picture, const FilterSpec& spec,
                                const JobControl& control) {
    FrameResult frame;
    const bool isSection = picture.across != VolumeAxis::z; // shown beside the slices, whose memory is reused
    const Image& image = !isSection ? *picture.analysed() : picture.input ? *picture.input : *picture.image;
    const std::shared_ptr<Image> target = isSection
                                              ? std::make_shared<Image>(image.type(), image.width(), image.height())
                                              : frames_.acquire(image.type(), image.width(), image.height());
    frame.report = picture.volume ? session.filterPlane(pixelsOf(spec, picture), picture.plane(), *target, control)
                                  : session.filter(pixelsOf(spec, picture), *target, control);
    const bool isEven = areRanks(picture, spec); // the device has ranks, which are not displayed
    frame.deviceFrame = isSection || isEven ? nullptr : session.deviceFrame();
    frame.image = target;
    if (picture.isShown() && isStretched(spec.output)) {
        frame.brightLevel = brightLevel(*target);
    }
    if (picture.isShown() && (wantsPyramids_ || !frame.deviceFrame)) {
        frame.pyramid = reader_.pyramidOf(picture, isEven ? inEvenLevels(target, picture.mapping) : target,
                                          picture.pyramid->coverage(), control);
    }
    frame.engine = &engine;
    frame.spec = spec;
    return frame;
}

} // namespace pollard::vm
