#include "vm/objects/objects_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/object_listing.hpp"

#include "base/error.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "engine/find_objects.hpp"
#include "filter/analysis_image.hpp"
#include "hierarchy/partition.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr qint64 kLongJob = 300; ///< ms, from which on progress is reported

/// Immutable input of a job.
struct Task {
    std::shared_ptr<const Image> source;
    std::shared_ptr<const Image> grey;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const Mask> region;
    std::vector<Engine*> engines;
    ObjectRule recipe;
    std::optional<ValueMapping> mapping; ///< of the levels of `grey`
    std::optional<ValueMapping> values;  ///< of the levels of `source`
    std::optional<PixelSize> pixelSize;
    LabelSource labels;
    int page = 0;
    HierarchyDrawing drawing = HierarchyDrawing::labels;
};

std::optional<HierarchySpec> hierarchyOf(const ObjectRule& rule) {
    return rule.hierarchy ? std::optional(rule.hierarchy->specFor(rule.connectivity)) : std::nullopt;
}

} // namespace

/// What objects are chosen from, with the input of which it was made.
class ObjectsViewModel::Kept {
public:
    [[nodiscard]] FoundObjects find(const Task& task, const JobControl& control);

private:
    [[nodiscard]] ObjectChoices& choicesFor(const Task& task) {
        if (task.source != source_ || task.valid != valid_ || task.region != region_ || task.values != values_) {
            choices_ = {};
        }
        if (!task.recipe.best) {
            choices_.candidates.reset(); // of tens of bytes a pixel
        }
        if (!task.recipe.hierarchy) {
            choices_.hierarchy.reset();
            forgetDrawing();
        }
        if (!task.recipe.watershed) {
            choices_.flood.reset();
        }
        source_ = task.source;
        valid_ = task.valid;
        region_ = task.region;
        values_ = task.values;
        return choices_;
    }

    void forgetDrawing() {
        drawn_.reset();
        boundaries_.reset();
        means_.reset();
    }
    /// What is drawn of the hierarchy of choicesFor(), and the cut of the objects.
    void addHierarchy(FoundObjects& found, const Task& task, const Mask* inside, const JobControl& control);

    std::shared_ptr<const Image> source_;
    std::shared_ptr<const Mask> valid_;
    std::shared_ptr<const Mask> region_;
    std::optional<ValueMapping> values_;
    ObjectChoices choices_;
    std::shared_ptr<const Hierarchy> drawn_; ///< of boundaries_ and means_
    std::shared_ptr<const BoundaryMap> boundaries_;
    std::shared_ptr<const RegionMeans> means_;
};

void ObjectsViewModel::Kept::addHierarchy(FoundObjects& found, const Task& task, const Mask* inside,
                                          const JobControl& control) {
    if (drawn_ != choices_.hierarchy) {
        forgetDrawing();
        drawn_ = choices_.hierarchy;
    }
    if (task.drawing == HierarchyDrawing::boundaries && !boundaries_ && !drawn_->extent().isVolume()) {
        boundaries_ = std::make_shared<const BoundaryMap>(*drawn_, VolumePlane{}, control);
    }
    if (task.drawing == HierarchyDrawing::means && !means_) {
        means_ = std::make_shared<const RegionMeans>(*drawn_, *task.grey, inside, control);
    }
    found.hierarchy = drawn_;
    found.hierarchySpec = choices_.spec;
    found.merges = drawn_->mergesUpTo(task.recipe.hierarchy->cutOf(*drawn_, task.values));
    found.regionNumbers = regionsOfLabels(*drawn_, found.merges, found.components.labels.span(),
                                          found.components.objects.size(), control);
    found.boundaries = boundaries_;
    found.means = means_;
}

FoundObjects ObjectsViewModel::Kept::find(const Task& task, const JobControl& control) {
    ObjectChoices& choices = choicesFor(task);
    const std::uint32_t slices = task.source->extent().slices;
    const auto region =
        task.region && slices > 1 ? std::make_shared<const Mask>(task.region->repeated(slices)) : task.region;
    const auto inside = intersection(task.valid, region);
    FoundObjects found;
    const LevelRange levels = task.recipe.levelsOf(*task.source, inside.get(), control);
    found.low = levels.low;
    found.high = levels.high;
    found.page = task.page;
    found.regionPixels = region ? region->count() : 0;
    const ObjectSource objects{*task.source, inside.get(), task.values, task.pixelSize, task.grey.get(), task.labels};
    found.components = objectsOf(task.recipe, levels, objects, task.mapping, task.engines, control, &choices);
    found.fluxes = task.recipe.fluxesOf(found.components, *task.grey, inside.get(), control, task.mapping);
    if (task.recipe.hierarchy) {
        addHierarchy(found, task, inside.get(), control);
    }
    found.candidates = task.recipe.best ? choices.candidates : nullptr;
    return found;
}

ObjectsViewModel::ObjectsViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), kept_(std::make_shared<Kept>()) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &ObjectsViewModel::onImage);
    connect(&document_.volumeFetch(), &VolumeFetch::made, this, &ObjectsViewModel::onFilteredVolume);
    connect(&document_.volumeFetch(), &VolumeFetch::failed, this, [this](const QString& problem) {
        if (state_ == State::computing && source_ == Source::result) {
            problem_ = problem;
            show(State::failed, nullptr);
        }
    });
    connect(&channels_, &MeasuredChannels::choiceChanged, this, &ObjectsViewModel::settingsChanged);
    connect(&classes_, &ClassList::classesChanged, this, &ObjectsViewModel::settingsChanged);
    connect(&document_.choices(), &DocumentChoices::domainChanged, this, &ObjectsViewModel::update);
    for (const auto signal : {&DocumentViewModel::frameReady, &DocumentViewModel::resultFetched}) {
        connect(&document_, signal, this, [this] {
            if (source_ == Source::result) {
                adoptDomain();
            }
        });
    }
    connect(&relay_, &ProgressRelay::progressed, this, [this](double fraction) {
        if (state_ == State::computing && started_.elapsed() > kLongJob) {
            progress_ = fraction;
            emit progressChanged();
        }
    });
    takeDomain();
}

ObjectsViewModel::~ObjectsViewModel() = default;

ObjectSettings ObjectsViewModel::settings() const {
    ObjectSettings settings{source_, rule_, channels_.choice(), classes_.classes()};
    settings.rule.connectivity = connectivity();
    settings.rule.borderXy = ofVolume_ && rule_.withoutBorder && rule_.borderXy;
    settings.rule.levels = rule_.method || rule_.values ? LevelRange{} : rule_.levels;
    settings.rule.values = rule_.method ? std::nullopt : rule_.values;
    settings.rule = withoutConflicts(settings.rule);
    return settings;
}

void ObjectsViewModel::setSettings(const ObjectSettings& settings) {
    channels_.setChoice(settings.channels);
    classes_.setClasses(settings.classes);
    ObjectRule rule = settings.rule;
    rule.borderXy = ofVolume_ && rule.withoutBorder ? rule.borderXy : rule_.borderXy;
    setRule(settings.of, rule);
}

ObjectRule ObjectsViewModel::defaultRule() {
    ObjectRule rule = ObjectSettings{}.rule;
    rule.borderXy = true;
    return rule;
}

void ObjectsViewModel::setRule(Source source, const ObjectRule& rule) {
    const ObjectSettings before = settings();
    source_ = source;
    rule_ = rule;
    const ObjectSettings after = settings();
    if (after == before) {
        return;
    }
    if (after.of != before.of) {
        takeDomain();
    }
    levels_ = rule_.method ? levels_ : inDomain(byHand());
    emit settingsChanged();
    if (!after.findsSameObjectsAs(before)) {
        if (wayOf(after.rule) != wayOf(before.rule) || after.rule.dark != before.rule.dark ||
            hierarchyOf(after.rule) != hierarchyOf(before.rule)) {
            worker_.cancelRunning(); // what it computes first is of no use any more
        }
        update();
    }
}

void ObjectsViewModel::setThreshold(std::optional<ThresholdMethod> method) {
    if (method != rule_.method || rule_.above) {
        ObjectRule rule = rule_;
        rule.above.reset();
        rule.method = method;
        setByHand(rule, levels_);
        setRule(source_, rule);
    }
}

void ObjectsViewModel::setAbove(const BackgroundThreshold& above) {
    ObjectRule rule = rule_;
    rule.method = rule.method.value_or(ThresholdMethod::otsu);
    rule.above = above;
    setRule(source_, rule);
}

void ObjectsViewModel::setConnectivity(Connectivity connectivity) {
    ObjectRule rule = rule_;
    rule.connectivity = connectivity;
    setRule(source_, rule);
}

void ObjectsViewModel::setOption(bool ObjectRule::*which, bool on) {
    ObjectRule rule = rule_;
    rule.*which = on;
    setRule(source_, rule);
}

void ObjectsViewModel::setSplit(std::optional<SplitBy> by) {
    ObjectRule rule = rule_;
    rule.split = by ? std::optional(ObjectSplit{*by, splitStrength()}) : std::nullopt;
    lastSplit_.strength = splitStrength();
    setRule(source_, rule);
}

void ObjectsViewModel::setSplitStrength(double strength) {
    if (rule_.split) {
        ObjectRule rule = rule_;
        rule.split->strength = std::clamp(strength, 0., 1.);
        setRule(source_, rule);
    }
}

Connectivity ObjectsViewModel::connectivity() const noexcept {
    return correspondingConnectivity(Extent{1, 1, ofVolume_ ? 2U : 1U}, rule_.connectivity);
}

void ObjectsViewModel::showSliceOf(std::uint32_t label) {
    if (shown_ && label != 0 && label <= shown_->components.depths.size()) {
        const DepthRecord& object = shown_->components.depths[label - 1];
        document_.setSlice(static_cast<int>((object.front + object.back) / 2));
    }
}

void ObjectsViewModel::setLevels(int low, int high) {
    const auto level = [](int value) { return static_cast<std::uint16_t>(std::clamp(value, 0, 0xffff)); };
    const LevelRange levels = inDomain({level(low), level(std::max(low, high))});
    if (rule_.method || levels != levels_) {
        ObjectRule rule = rule_;
        rule.above.reset();
        rule.method.reset();
        setByHand(rule, levels);
        setRule(source_, rule);
    }
}

void ObjectsViewModel::setByHand(ObjectRule& rule, const LevelRange& levels) const {
    rule.values.reset();
    rule.levels = withoutEnds(levels);
    if (mapping_) {
        ValueBounds bounds;
        bounds.low = levels.low == domain_.low ? bounds.low : valueOf(levels.low);
        bounds.high = levels.high == domain_.high ? bounds.high : valueOf(levels.high);
        rule.levels = {};
        rule.values = bounds;
    }
}

void ObjectsViewModel::setValues(double low, double high) {
    if (!mapping_) {
        setLevels(static_cast<int>(std::lround(low)), static_cast<int>(std::lround(high)));
        return;
    }
    ValueBounds bounds;
    bounds.low = low <= valueOf(domain_.low) ? bounds.low : low;
    bounds.high = high >= valueOf(domain_.high) ? bounds.high : std::max(low, high);
    if (rule_.method || bounds != rule_.values) {
        ObjectRule rule = rule_;
        rule.method.reset();
        rule.levels = {};
        rule.values = bounds;
        setRule(source_, rule);
    }
}

ValueBounds ObjectsViewModel::values() const {
    ValueBounds bounds{valueOf(levels_.low), valueOf(levels_.high)};
    if (rule_.values && !rule_.method && rule_.values->unit != kLevels) {
        bounds.low = std::isfinite(rule_.values->low) && levels_.low > domain_.low ? rule_.values->low : bounds.low;
        bounds.high =
            std::isfinite(rule_.values->high) && levels_.high < domain_.high ? rule_.values->high : bounds.high;
    }
    return bounds;
}

double ObjectsViewModel::valueStep() const {
    const double span = valueOf(domain_.high) - valueOf(domain_.low);
    return !mapping_                    ? 1
           : mapping_->isProportional() ? mapping_->step
           : span > 0                   ? span / std::numeric_limits<std::uint16_t>::max()
                                        : 1;
}

LevelRange ObjectsViewModel::byHand() const {
    if (!rule_.values) {
        return rule_.levels;
    }
    try {
        return levelsWithin(*rule_.values, mapping_, std::numeric_limits<std::uint16_t>::max());
    } catch (const Error&) { // values in another unit
        return kNoLevels;
    }
}

LevelRange ObjectsViewModel::inDomain(LevelRange levels) const {
    return {std::clamp(levels.low, domain_.low, domain_.high), std::clamp(levels.high, domain_.low, domain_.high)};
}

void ObjectsViewModel::setActive(bool active) {
    if (change(active_, active)) {
        channels_.setActive(active);
        if (!active) {
            regions_.setMarking(false);
        }
        emit activeChanged();
        update();
    }
}

void ObjectsViewModel::setLook(const ObjectsLook& look) {
    const HierarchyDrawing before = drawing();
    change(this, look_, look, &ObjectsViewModel::opacityChanged);
    if (drawing() != before && drawing() != HierarchyDrawing::labels && regions_.way() == FindBy::hierarchy) {
        update();
    }
}

void ObjectsViewModel::onImage() {
    edited_ = false;
    worker_.stop(Lane::measure);
    askedSource_.reset();
    DeferredRelease old;
    old.hold(std::exchange(filtered_.image, nullptr));
    old.hold(std::exchange(kept_, std::make_shared<Kept>()));
    const Connectivity before = connectivity();
    ofVolume_ = document_.isVolume();
    const bool other = state_ != State::empty || shown_;
    old.hold(std::exchange(shown_, nullptr)); // the previous objects and their levels are of another image
    state_ = State::empty;
    regions_.forgetImage();
    bool others = rule_.best && !rule_.best->marks.empty();
    if (others) {
        rule_.best->marks.clear();
    }
    others = takeDomain() || connectivity() != before || others;
    if (rule_.method && levels_ != domain_) {
        levels_ = domain_;
        others = true;
    }
    if (others) {
        emit settingsChanged();
    }
    if (other) {
        emit changed();
    }
    update();
}

void ObjectsViewModel::adoptDomain() {
    const bool other = takeDomain();
    update(); // first, so that receivers find objects() out of date
    if (other) {
        emit settingsChanged();
    }
}

bool ObjectsViewModel::takeDomain() {
    LevelRange domain{0, 255};
    if (const auto histogram = document_.shown().histogram) {
        domain = {histogram->minimum, histogram->maximum};
        if (const auto ranked = originalMappingOf(document_); ranked && !ranked->isProportional()) {
            domain = {0, static_cast<std::uint16_t>(ranked->ranks->values.size() -
                                                    1)}; // the histogram is of displayed levels
        }
        if (source_ == Source::result && document_.result()) {
            const Output output = document_.resultSpec().output;
            domain.low = output == Output::filtered ? domain.low : 0;
            if (output == Output::mask || output == Output::labels) {
                domain.high = maxLevelOf(document_.result()->type());
            }
        }
    }
    std::optional<ValueMapping> mapping =
        source_ == Source::original ? originalMappingOf(document_) : resultMappingOf(document_);
    if (domain == domain_ && mapping == mapping_) {
        return false;
    }
    domain_ = domain;
    mapping_ = std::move(mapping);
    levels_ = inDomain(rule_.method ? levels_ : byHand());
    return true;
}

void ObjectsViewModel::setEdited(bool edited) {
    if (change(edited_, edited)) {
        worker_.stop(Lane::measure);
        newest_ = 0;
        askedSource_.reset();
        emit settingsChanged();
        update();
    }
}

void ObjectsViewModel::showEdited(const std::shared_ptr<const FoundObjects>& objects) {
    if (edited_ && active_) {
        show(objects ? State::ready : State::computing, objects ? objects : shown_);
    }
}

void ObjectsViewModel::update() {
    if (edited_ && active_) {
        return;
    }
    const auto source = sourceImage();
    if (active_ && !source && document_.hasResult()) {
        newest_ = 0;
        askedSource_.reset();
        show(State::computing, shown_); // the image is being copied from the device, or all slices are filtered
        document_.volumeFetch().request();
        return;
    }
    if (!active_ || !source) {
        worker_.stop(Lane::measure);
        newest_ = 0;
        askedSource_.reset();
        DeferredRelease old;
        old.hold(std::exchange(filtered_.image, nullptr));
        old.hold(std::exchange(kept_, std::make_shared<Kept>()));
        show(State::empty, nullptr);
        return;
    }
    Task task;
    task.source = source;
    task.engines = document_.engines();
    task.grey = ofVolume_ ? document_.shown().volume : document_.image();
    task.valid = ofVolume_ ? document_.shown().volumeValid : document_.shown().valid;
    const auto domain = document_.choices().domain();
    task.region = domain && fits(*domain, ofVolume_ ? *document_.image() : *source) ? domain : nullptr;
    task.mapping = originalMappingOf(document_);
    task.values = source_ == Source::result ? resultMappingOf(document_) : task.mapping;
    task.pixelSize = document_.pixelSizes().present();
    task.labels =
        labelsOfImage(QFileInfo(document_.path()).filesystemFilePath(), document_.request().options(ReadLimits{}));
    task.recipe = recipe();
    task.drawing = drawing();
    if (!task.recipe.method) {
        const LevelRange levels = byHand();
        const bool occur = levels.low <= levels.high && levels.low <= domain_.high && levels.high >= domain_.low;
        task.recipe.values.reset();
        task.recipe.levels = occur ? levels_ : levels; // the same pixels, with levels that occur
    }
    task.page = ofVolume_ ? document_.request().page : document_.page();
    if (ofVolume_ && source == askedSource_ && task.recipe.findsSameObjectsAs(askedRule_) &&
        task.region == askedRegion_ && task.drawing == askedDrawing_) {
        return; // another slice is seen
    }
    askedSource_ = source;
    askedRegion_ = task.region;
    askedRule_ = task.recipe;
    askedDrawing_ = task.drawing;
    show(State::computing, shown_);
    progress_ = 0;
    started_.start();
    newest_ = worker_.post(
        Lane::measure,
        [task = std::move(task), kept = kept_, report = relay_.forJob({})](const std::stop_token& stop) {
            return std::make_shared<const FoundObjects>(kept->find(task, JobControl(stop, report)));
        },
        [this](LatestWinsWorker::Generation generation, const JobOutcome& outcome,
               const std::shared_ptr<const FoundObjects>& found) {
            const bool newest = generation == newest_;
            if (outcome.ok()) {
                showFound(newest ? State::ready : State::computing, found);
            } else if (newest && outcome.kind == JobOutcome::Kind::failed) {
                problem_ = QString::fromStdString(outcome.message);
                askedSource_.reset();
                show(State::failed, nullptr);
            }
        });
}

std::shared_ptr<const Image> ObjectsViewModel::sourceImage() const {
    if (!ofVolume_) {
        return source_ == Source::original ? document_.image() : document_.result();
    }
    if (source_ == Source::original) {
        return document_.shown().volume;
    }
    const bool present =
        document_.hasResult() && filtered_.tree.lock() == document_.tree() && filtered_.spec == document_.resultSpec();
    return present ? filtered_.image : nullptr;
}

void ObjectsViewModel::onFilteredVolume(const std::shared_ptr<const Image>& volume) {
    if (active_ && source_ == Source::result) {
        DeferredRelease old;
        old.hold(std::exchange(filtered_.image, volume));
        filtered_.tree = document_.tree();
        filtered_.spec = document_.resultSpec();
        update();
    }
}

LevelRange ObjectsViewModel::withoutEnds(LevelRange levels) const {
    return {levels.low == domain_.low ? std::uint16_t{0} : levels.low,
            levels.high == domain_.high ? std::uint16_t{0xffff} : levels.high};
}

ObjectRule ObjectsViewModel::recipe() const {
    ObjectRule recipe = settings().rule;
    recipe.dark = recipe.dark && (recipe.method || recipe.best || recipe.watershed);
    return recipe;
}

ObjectRule ObjectsViewModel::recipeForPages() const {
    ObjectRule rule = recipe();
    if (rule.best) {
        rule.best->marks.clear();
    }
    return rule;
}

void ObjectsViewModel::showFound(State state, std::shared_ptr<const FoundObjects> objects) {
    LevelRange levels = levels_;
    if (rule_.method) {
        levels.low = std::max(objects->low, domain_.low);
        levels.high = std::clamp(objects->high, levels.low, std::max(levels.low, domain_.high));
    }
    DeferredRelease old;
    old.hold(std::exchange(shown_, std::move(objects)));
    state_ = state;
    if (std::exchange(levels_, levels) != levels) {
        emit settingsChanged();
    }
    emit changed();
}

void ObjectsViewModel::show(State state, std::shared_ptr<const FoundObjects> objects) {
    if (state == state_ && objects == shown_) {
        return;
    }
    DeferredRelease old;
    if (objects != shown_) {
        old.hold(std::exchange(shown_, std::move(objects)));
    }
    state_ = state;
    emit changed();
}

} // namespace pollard::vm
