#include "vm/objects/best_learning.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_regions.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "base/parallel.hpp"
#include "components/best/best_rule.hpp"
#include "components/best/best_weights.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace pollard::vm {

namespace {

/// The labels of the listed objects, as the truth of an image.
std::vector<std::uint32_t> acceptedLabels(const ObjectListing& listing, const JobControl& control) {
    const auto& labels = listing.found->components.labels;
    std::vector<std::uint32_t> accepted(labels.size());
    forEachIndex(labels.size(), control,
                 [&](std::size_t i) { accepted[i] = listing.lists(labels[i]) ? labels[i] : 0; });
    return accepted;
}

} // namespace

BestLearning::BestLearning(ObjectsViewModel& objects) : objects_(objects) {
    connect(&objects_, &ObjectsViewModel::changed, this, &BestLearning::onObjects);
    connect(&objects_, &ObjectsViewModel::settingsChanged, this, &BestLearning::changed);
}

bool BestLearning::canLearn() const {
    const auto found = objects_.objects();
    return found && found->candidates && objects_.regions().way() == FindBy::best && !isBusy() &&
           objects_.state() == ObjectsViewModel::State::ready;
}

bool BestLearning::canAsk() const { return canLearn() && !objects_.isEdited(); }

bool BestLearning::hasWeights() const { return objects_.regions().best().weights != BestWeights{}; }

void BestLearning::onObjects() {
    if (of_ != objects_.objects()) {
        of_ = objects_.objects();
        unsure_.clear();
        next_ = 0;
        question_.reset();
        problem_.clear();
        if (objects_.regions().way() != FindBy::best || !of_) {
            asksAgain_ = false;
        }
    }
    if (asksAgain_ && canAsk()) {
        asksAgain_ = false;
        askNext();
    }
    emit changed();
}

template <class Work, class Take> void BestLearning::post(Work work, Take take) {
    isBusy_ = true;
    problem_.clear();
    worker_.post(Lane::measure, std::move(work),
                 [this, found = of_, take = std::move(take)](const JobOutcome& outcome, auto& result) {
                     isBusy_ = false;
                     problem_ = QString::fromStdString(outcome.message);
                     if (outcome.ok() && found == of_) {
                         take(result);
                     }
                     emit changed();
                 });
    emit changed();
}

void BestLearning::askNext() {
    if (!canAsk()) {
        return;
    }
    if (next_ < unsure_.size()) {
        ask();
        return;
    }
    post(
        [found = of_, rule = objects_.regions().best(),
         size = objects_.document().pixelSizes().present()](const std::stop_token& stop) {
            const BestChoice choice = rule.choiceFor(size, found->components.isVolume());
            const Extent extent = found->components.extent();
            std::vector<BestMark> marks;
            std::ranges::transform(found->candidates->leastSure(choice, kMostUnsure, JobControl(stop)),
                                   std::back_inserter(marks), [&extent](const UnsureRegion& region) {
                                       const Voxel at = voxelAt(static_cast<std::uint32_t>(region.pixel), extent);
                                       return BestMark{at.x, at.y, region.isObject, at.z};
                                   });
            return marks;
        },
        [this](std::vector<BestMark>& marks) {
            unsure_ = std::move(marks);
            next_ = 0;
            if (unsure_.empty()) {
                problem_ = tr("No candidate is left to ask about");
            } else {
                ask();
            }
        });
}

void BestLearning::ask() {
    question_ = unsure_[next_++];
    emit askedAbout(*question_);
    emit changed();
}

void BestLearning::answer(bool isObject) {
    ObjectRule rule = objects_.rule();
    if (!question_ || !rule.best || !canAsk()) {
        return;
    }
    BestMark mark = *std::exchange(question_, std::nullopt);
    mark.isObject = isObject;
    rule.best->marks.push_back(mark);
    asksAgain_ = true;
    objects_.setRule(rule);
    emit changed();
}

void BestLearning::learn(const std::shared_ptr<const ObjectListing>& listing) {
    if (!canLearn() || !listing || listing->found != objects_.objects()) {
        return;
    }
    post(
        [listing, rule = objects_.regions().best(),
         size = objects_.document().pixelSizes().present()](const std::stop_token& stop) {
            const JobControl control(stop);
            const FoundObjects& found = *listing->found;
            const BestChoice choice = rule.choiceFor(size, found.components.isVolume());
            const BestLesson lesson(*found.candidates, choice.size, acceptedLabels(*listing, control), control);
            const std::array lessons{&lesson};
            return learnBestWeights(lessons, control);
        },
        [this](const BestWeights& weights) { setWeights(weights); });
}

void BestLearning::setWeights(const BestWeights& weights) {
    ObjectRule rule = objects_.rule();
    if (rule.best) {
        rule.best->weights = weights;
        objects_.setRule(rule);
    }
}

} // namespace pollard::vm
