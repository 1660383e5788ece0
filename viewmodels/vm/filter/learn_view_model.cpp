#include "vm/filter/learn_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criteria_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/filter/picks_model.hpp"

#include "base/job_control.hpp"
#include "filter/filter_units.hpp"
#include "filter/node_decision.hpp"
#include "image/value_mapping.hpp"
#include "io/metadata/scene_units.hpp"
#include "learn/forest_learner.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stop_token>
#include <utility>

namespace pollard::vm {

LearnViewModel::LearnViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : Analysis(parent), document_(document), filter_(filter) {
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        result_.clear(); // the proposal is of another tree
        update();
    });
    connect(&document_, &DocumentViewModel::attributeReady, this, [this] {
        if (result_.awaitsInput()) {
            post();
        }
    });
    connect(&filter_.picks(), &PicksModel::changed, this, &LearnViewModel::update);
    connect(&filter_.criteria(), &CriteriaModel::changed, this, &LearnViewModel::changed); // their unit
}

std::vector<Example> LearnViewModel::examples() const {
    std::vector<Example> examples;
    for (const PicksModel::Pick& pick : filter_.picks().state()) {
        const auto node = nodeOfCanonical(*document_.tree(), pick.canonical);
        if (node && pick.effect != PicksModel::PickEffect::only) {
            examples.push_back({*node, pick.effect == PicksModel::PickEffect::kept});
        }
    }
    return examples;
}

void LearnViewModel::setForest(bool isForest) {
    if (isForest != isForest_) {
        isForest_ = isForest;
        result_.clear();
        update();
    }
}

void LearnViewModel::update() {
    result_.stop();
    unsure_.stop();
    question_.reset();
    next_ = 0;
    const PicksModel& picks = filter_.picks();
    if (!isActive() || !document_.tree() || picks.kept().empty() || picks.removed().empty()) {
        asksAgain_ = false;
        result_.clear();
        emit changed();
        return;
    }
    result_.begin(result_.value());
    post();
}

void LearnViewModel::post() {
    CriteriaLearner::Columns columns;
    std::vector<AttributeId> missing;
    for (const AttributeId id : attributesToLearn(document_.isVolume())) {
        if (auto column = document_.attribute(id)) {
            columns.push_back(std::move(column));
        } else {
            missing.push_back(id);
        }
    }
    if (missing.empty()) {
        compute(std::move(columns), document_.attribute(AttributeId::area));
        return;
    }
    try {
        requireMemoryToLearn(document_.tree()->nodeCount(), missing.size());
    } catch (const Error& error) {
        result_.compute([error](const std::stop_token&) -> LearnProposal { throw error; });
        return;
    }
    for (const AttributeId id : missing) {
        document_.requestAttribute(id);
    }
}

void LearnViewModel::compute(CriteriaLearner::Columns columns, std::shared_ptr<const AttributeColumn> area) {
    const auto tree = document_.tree();
    if (isForest_) {
        result_.compute([columns = std::move(columns), area = std::move(area), tree, examples = examples(),
                         mapping = mappingOf(document_)](const std::stop_token& stop) {
            ForestLearner learner(tree, columns, area, mapping, LearnedSize::ofKept);
            for (const Example& example : examples) {
                learner.add(std::span(&example, 1), JobControl(stop));
            }
            return LearnProposal{learner.learned(), examples.size(), tree, nullptr, nullptr};
        });
        return;
    }
    auto untaught = proposal() && proposal()->tree == tree ? proposal()->untaught : nullptr;
    result_.compute([columns = std::move(columns), area = std::move(area), tree, untaught = std::move(untaught),
                     examples = examples(), mapping = mappingOf(document_)](const std::stop_token& stop) {
        const JobControl control(stop);
        const auto start =
            untaught ? untaught
                     : std::make_shared<const CriteriaLearner>(columns, area, mapping, LearnedSize::ofKept, control);
        CriteriaLearner learner = *start;
        for (const Example& example : examples) {
            learner.add(std::span(&example, 1), control);
        }
        return LearnProposal{learner.learned(), examples.size(), tree, std::make_shared<const CriteriaLearner>(learner),
                             start};
    });
}

void LearnViewModel::onResult() {
    if (result_.state() == AsyncState::ready && proposal()->taught) {
        findUnsure();
    } else if (!proposal() || !proposal()->taught) {
        unsure_.clear();
    }
    emit changed();
}

void LearnViewModel::findUnsure() {
    unsure_.begin(unsure_.value());
    unsure_.compute([tree = proposal()->tree, learner = proposal()->taught](const std::stop_token& stop) {
        return learner->leastSure(*tree, kMostUnsure, JobControl(stop));
    });
}

void LearnViewModel::onUnsure() {
    if (unsure_.state() == AsyncState::ready && std::exchange(asksAgain_, false)) {
        askNext();
    }
    emit changed();
}

namespace {

/// A criterion in pixels as one in a unit of length; the criterion itself if the attribute has none in such an image.
Criterion inLengths(Criterion ofPixels, LengthUnit unit, const ImageUnits& units) {
    const AttributeId id = ofPixels.attribute;
    if (unit == LengthUnit::pixel || !whyNoUnit(id, units.pixelSize, units.isVolume).empty()) {
        return ofPixels;
    }
    const Dimension dimension = dimensionOf(id, units.isVolume);
    ofPixels.unit = unit == LengthUnit::hectare && dimension != Dimension::area ? LengthUnit::metre : unit;
    ofPixels.cubed = dimension == Dimension::volume;
    for (double* bound : {&ofPixels.minimum, &ofPixels.maximum}) {
        const PixelSize side = sizeFor(id, *units.pixelSize, units.isVolume);
        *bound = std::isinf(*bound) ? *bound : shortestInUnit(*bound, ofPixels.unit, dimension, side);
    }
    return ofPixels;
}

/// A text that ends with a number of this criterion's attribute, with px for a length without another unit.
QString withPixels(const QString& text, const Criterion& criterion) {
    const bool isPixels = criterion.unit == LengthUnit::pixel && dimensionOf(criterion) != Dimension::none;
    return isPixels ? withUnit(text, columnUnitText(criterion.attribute, std::nullopt)) : text;
}

/// A number of the column of a criterion's attribute, in its unit.
QString valueText(const Criterion& stated, double ofColumn, const ImageUnits& units) {
    if (stated.unit != LengthUnit::pixel) {
        const Criterion bound{stated.attribute, ofColumn, std::numeric_limits<double>::infinity()};
        return boundsText(inLengths(bound, stated.unit, units), QLocale());
    }
    const bool isGrey = attributeInfo(stated.attribute).grey != Grey::none;
    const QString number = columnText(stated.attribute, ofColumn, units.mapping);
    return isGrey && !unitOf(units.mapping).empty() ? withUnit(number, columnUnitText(stated.attribute, units.mapping))
                                                    : withPixels(number, stated);
}

} // namespace

std::vector<Criterion> LearnViewModel::criteria() const {
    const std::vector<CriterionEntry> entries = filter_.state().criteria.entries;
    const auto listed = std::ranges::find_if(
        entries, [](const CriterionEntry& entry) { return entry.bounds().unit != LengthUnit::pixel; });
    const ImageUnits units = unitsOf(document_);
    std::vector<Criterion> criteria = proposal() ? proposal()->learned.criteria : std::vector<Criterion>();
    for (Criterion& criterion : criteria) {
        criterion = listed == entries.end() ? criterion : inLengths(criterion, listed->bounds().unit, units);
    }
    return criteria;
}

QString LearnViewModel::questionText() const {
    const auto node = asked();
    const Criterion criterion = node ? criteria().at(question_->criterion) : Criterion{};
    const auto column = node ? document_.attribute(criterion.attribute) : nullptr;
    if (!column) {
        return {};
    }
    const QString value = valueText(criterion, column->at(*node), unitsOf(document_));
    return (question_->isKept ? tr("The criteria keep the component in question: %1 %2.")
                              : tr("The criteria remove the component in question: %1 %2."))
        .arg(attributeTitle(criterion.attribute), value);
}

QString LearnViewModel::text() const {
    if (!isActive()) {
        return {};
    }
    if (result_.state() == AsyncState::failed) {
        return result_.problem();
    }
    if (!proposal()) {
        return isIdle() ? tr("Keep one component and remove another one by hand: the simplest criteria that decide so "
                             "appear here.")
                        : tr("Looking for criteria …");
    }
    const LearnedCriteria& learned = proposal()->learned;
    QStringList criteria;
    for (const Criterion& criterion : this->criteria()) {
        criteria.push_back(withPixels(shownCriterion(readable(criterion, mappingOf(document_))), criterion));
    }
    QStringList sentences;
    if (!criteria.empty()) {
        sentences.push_back(criteria.join(tr(" and ")) + QLatin1Char('.'));
        sentences.push_back(
            isForest_ ? tr("Also decides: %1.").arg(FilterViewModel::forestText(learned.forest))
                      : tr("Margin: %1 % of the ranks.").arg(QLocale().toString(learned.margin * 100, 'f', 1)));
    }
    if (!learned.wrong.empty()) {
        sentences.push_back((isForest_ ? tr("Picks that are decided otherwise: %1.")
                                       : tr("No three criteria agree with all picks. Removed components that would "
                                            "stay: %1."))
                                .arg(learned.wrong.size()));
    }
    if (const QString question = questionText(); !question.isEmpty()) {
        sentences.push_back(question);
    }
    return sentences.join(QLatin1Char(' '));
}

std::optional<std::uint32_t> LearnViewModel::asked() const {
    const bool isOfTree = question_ && proposal() && proposal()->tree == document_.tree();
    return isOfTree ? std::optional(question_->node) : std::nullopt;
}

void LearnViewModel::use() {
    if (!canUse()) {
        return;
    }
    FilterViewModel::State state = filter_.state();
    state.criteria = criteriaOf(criteria(), Match::all);
    state.forest = proposal()->learned.forest;
    std::erase_if(state.picks, [](const FilterPick& pick) { return pick.effect != FilterPick::PickEffect::only; });
    filter_.setState(state);
}

void LearnViewModel::askNext() {
    asksAgain_ = !isIdle();
    if (asksAgain_ || !canAsk()) {
        return;
    }
    question_ = (*unsure())[next_ % unsure()->size()];
    ++next_;
    emit askedAbout(question_->node);
    emit changed();
}

void LearnViewModel::answer(bool keep) {
    if (const auto node = asked()) {
        asksAgain_ = true;
        filter_.picks().pick(proposal()->tree->canonical[*node],
                             keep ? PicksModel::PickEffect::kept : PicksModel::PickEffect::removed);
    }
}

} // namespace pollard::vm
