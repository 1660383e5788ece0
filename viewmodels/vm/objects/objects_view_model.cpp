#include "vm/objects/objects_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/objects/page_objects.hpp"

#include "filter/analysis_image.hpp"
#include "image/mask.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

/// Immutable input of a job.
struct Task {
    std::shared_ptr<const Image> source;
    std::shared_ptr<const Image> grey;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const Mask> region;
    std::vector<Engine*> engines;
    ObjectRule recipe;
    int page = 0;
};

std::optional<ThresholdMethod> methodOf(ObjectsViewModel::Threshold threshold) {
    using Threshold = ObjectsViewModel::Threshold;
    switch (threshold) {
    case Threshold::otsu:
        return ThresholdMethod::otsu;
    case Threshold::triangle:
        return ThresholdMethod::triangle;
    case Threshold::li:
        return ThresholdMethod::li;
    case Threshold::hand:
        break;
    }
    return std::nullopt;
}

FoundObjects find(const Task& task, const JobControl& control) {
    const std::uint32_t slices = task.source->extent().slices;
    const auto region =
        task.region && slices > 1 ? std::make_shared<const Mask>(task.region->repeated(slices)) : task.region;
    const auto inside = intersection(task.valid, region);
    FoundObjects found;
    const LevelRange levels = task.recipe.levelsOf(*task.source, inside.get(), control);
    found.low = levels.low;
    found.high = levels.high;
    found.page = task.page;
    found.components = objectsOf(task.recipe, levels, *task.source, *task.grey, inside.get(), task.engines, control);
    return found;
}

} // namespace

ObjectsViewModel::ObjectsViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &ObjectsViewModel::onPicture);
    connect(&document_.volumeFetch(), &VolumeFetch::made, this, &ObjectsViewModel::onFilteredVolume);
    connect(&document_.volumeFetch(), &VolumeFetch::failed, this, [this](const QString& problem) {
        if (state_ == State::computing && source_ == Source::filtered) {
            problem_ = problem;
            show(State::failed, nullptr);
        }
    });
    connect(&channels_, &MeasuredChannels::choiceChanged, this, &ObjectsViewModel::settingsChanged);
    connect(&classes_, &ClassList::classesChanged, this, &ObjectsViewModel::settingsChanged);
    connect(&document_.choices(), &DocumentChoices::domainChanged, this, &ObjectsViewModel::update);
    for (const auto signal : {&DocumentViewModel::frameReady, &DocumentViewModel::resultFetched}) {
        connect(&document_, signal, this, [this] {
            if (source_ == Source::filtered) {
                adoptDomain();
            }
        });
    }
    takeDomain();
}

void ObjectsViewModel::setSource(Source source) {
    if (source == source_) {
        return;
    }
    source_ = source;
    takeDomain();
    emit settingsChanged();
    update();
}

void ObjectsViewModel::setThreshold(Threshold threshold) {
    if (threshold == threshold_) {
        return;
    }
    threshold_ = threshold;
    wanted_ = withoutEnds(levels_);
    emit settingsChanged();
    update();
}

void ObjectsViewModel::setDark(bool dark) {
    if (dark == dark_) {
        return;
    }
    dark_ = dark;
    emit settingsChanged();
    update();
}

void ObjectsViewModel::setConnectivity(Connectivity connectivity) {
    const Connectivity before = this->connectivity();
    connectivity_ = connectivity;
    if (this->connectivity() != before) {
        emit settingsChanged();
        update();
    }
}

Connectivity ObjectsViewModel::connectivity() const noexcept {
    return correspondingConnectivity(Extent{1, 1, ofVolume_ ? 2U : 1U}, connectivity_);
}

void ObjectsViewModel::showSliceOf(std::uint32_t label) {
    if (shown_ && label != 0 && label <= shown_->components.depths.size()) {
        const DepthRecord& object = shown_->components.depths[label - 1];
        document_.setSlice(static_cast<int>((object.front + object.back) / 2));
    }
}

void ObjectsViewModel::setFillHoles(bool fill) {
    if (fill == fillHoles_) {
        return;
    }
    fillHoles_ = fill;
    emit settingsChanged();
    update();
}

void ObjectsViewModel::setWithoutBorder(bool without) {
    if (without != withoutBorder_) {
        withoutBorder_ = without;
        emit settingsChanged();
    }
}

void ObjectsViewModel::setLevels(int low, int high) {
    const auto level = [](int value) { return static_cast<std::uint16_t>(std::clamp(value, 0, 0xffff)); };
    const LevelRange levels = inDomain({level(low), level(std::max(low, high))});
    if (threshold_ != Threshold::hand || levels != levels_) {
        setWantedLevels(withoutEnds(levels));
    }
}

void ObjectsViewModel::setWantedLevels(LevelRange levels) {
    if (threshold_ == Threshold::hand && levels == wanted_) {
        return;
    }
    threshold_ = Threshold::hand;
    wanted_ = levels;
    levels_ = inDomain(levels);
    emit settingsChanged();
    update();
}

LevelRange ObjectsViewModel::inDomain(LevelRange levels) const {
    return {std::clamp(levels.low, domain_.low, domain_.high), std::clamp(levels.high, domain_.low, domain_.high)};
}

void ObjectsViewModel::setOpacity(double opacity) {
    const double clamped = std::clamp(opacity, 0.0, 1.0);
    if (clamped != opacity_) {
        opacity_ = clamped;
        emit opacityChanged();
    }
}

void ObjectsViewModel::setActive(bool active) {
    if (active == active_) {
        return;
    }
    active_ = active;
    channels_.setActive(active);
    emit activeChanged();
    update();
}

void ObjectsViewModel::onPicture() {
    worker_.stop(Lane::measure);
    askedSource_.reset();
    RetiredData old;
    old.hold(std::exchange(filtered_.image, nullptr));
    const Connectivity before = connectivity();
    ofVolume_ = document_.isVolume();
    const bool other = state_ != State::empty || shown_;
    old.hold(std::exchange(shown_, nullptr)); // the previous objects and their levels are of another picture
    state_ = State::empty;
    bool others = takeDomain() || connectivity() != before;
    if (threshold_ != Threshold::hand && levels_ != domain_) {
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
        if (source_ == Source::filtered && document_.result()) {
            const Output output = document_.resultSpec().output;
            domain.low = output == Output::filtered ? domain.low : 0;
            if (output == Output::mask || output == Output::labels) {
                domain.high = maxLevelOf(document_.result()->type());
            }
        }
    }
    if (domain == domain_) {
        return false;
    }
    domain_ = domain;
    levels_ = inDomain(threshold_ == Threshold::hand ? wanted_ : levels_);
    return true;
}

void ObjectsViewModel::update() {
    const auto source = sourceImage();
    if (active_ && !source && document_.hasResult()) {
        newest_ = 0;
        askedSource_.reset();
        show(State::computing, shown_); // the picture is being copied from the device, or all slices are filtered
        document_.volumeFetch().request();
        return;
    }
    if (!active_ || !source) {
        worker_.stop(Lane::measure);
        newest_ = 0;
        askedSource_.reset();
        RetiredData old;
        old.hold(std::exchange(filtered_.image, nullptr));
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
    task.recipe = recipe();
    if (!task.recipe.method && wanted_.low <= domain_.high && wanted_.high >= domain_.low) {
        task.recipe.levels = levels_; // the same pixels, with levels that occur
    }
    task.page = ofVolume_ ? document_.request().page : document_.page();
    if (ofVolume_ && source == askedSource_ && task.recipe == askedRule_ && task.region == askedRegion_) {
        return; // another slice is seen
    }
    askedSource_ = source;
    askedRegion_ = task.region;
    askedRule_ = task.recipe;
    show(State::computing, shown_);
    newest_ = worker_.post(
        Lane::measure,
        [task = std::move(task)](const std::stop_token& stop) {
            return std::make_shared<const FoundObjects>(find(task, JobControl(stop)));
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
    if (active_ && source_ == Source::filtered) {
        RetiredData old;
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
    ObjectRule recipe;
    recipe.method = methodOf(threshold_);
    recipe.dark = recipe.method && dark_;
    recipe.levels = recipe.method ? LevelRange{} : wanted_;
    recipe.connectivity = connectivity();
    recipe.fillHoles = fillHoles_;
    return recipe;
}

void ObjectsViewModel::showFound(State state, std::shared_ptr<const FoundObjects> objects) {
    LevelRange levels = levels_;
    if (threshold_ != Threshold::hand) {
        levels.low = std::max(objects->low, domain_.low);
        levels.high = std::clamp(objects->high, levels.low, std::max(levels.low, domain_.high));
    }
    RetiredData old;
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
    RetiredData old;
    if (objects != shown_) {
        old.hold(std::exchange(shown_, std::move(objects)));
    }
    state_ = state;
    emit changed();
}

} // namespace pollard::vm
