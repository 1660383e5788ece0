#include "vm/filter/learn_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/filter/picks_model.hpp"

#include "base/job_control.hpp"
#include "filter/node_decision.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>
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

void LearnViewModel::update() {
    result_.stop();
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
        return LearnProposal{learner.learned(), examples.size(), learner.leastSure(*tree, kMostUnsure, control), tree,
                             start};
    });
}

void LearnViewModel::onResult() {
    if (result_.state() == AsyncState::ready && std::exchange(asksAgain_, false)) {
        askNext();
    }
    emit changed();
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
    for (const Criterion& criterion : learned.criteria) {
        criteria.push_back(shownCriterion(criterion));
    }
    QStringList sentences;
    if (!criteria.empty()) {
        sentences.push_back(criteria.join(tr(" and ")) + QLatin1Char('.'));
        sentences.push_back(tr("Margin: %1 % of the ranks.").arg(QLocale().toString(learned.margin * 100, 'f', 1)));
    }
    if (!learned.wrong.empty()) {
        sentences.push_back(tr("No three criteria agree with all picks. Removed components that would stay: %1.")
                                .arg(learned.wrong.size()));
    }
    return sentences.join(QLatin1Char(' '));
}

std::optional<std::uint32_t> LearnViewModel::asked() const {
    const auto tree = document_.tree();
    return question_ && tree ? nodeOfCanonical(*tree, *question_) : std::nullopt;
}

void LearnViewModel::use() {
    if (!canUse()) {
        return;
    }
    FilterViewModel::State state = filter_.state();
    state.criteria = criteriaOf(proposal()->learned.criteria, Match::all);
    std::erase_if(state.picks, [](const FilterPick& pick) { return pick.effect != FilterPick::PickEffect::only; });
    filter_.setState(state);
}

void LearnViewModel::askNext() {
    if (!canAsk()) {
        return;
    }
    const std::uint32_t node = proposal()->unsure[next_ % proposal()->unsure.size()].node;
    ++next_;
    question_ = proposal()->tree->canonical[node];
    emit askedAbout(node);
    emit changed();
}

void LearnViewModel::answer(bool keep) {
    if (const auto canonical = question_) {
        asksAgain_ = true;
        filter_.picks().pick(*canonical, keep ? PicksModel::PickEffect::kept : PicksModel::PickEffect::removed);
    }
}

} // namespace pollard::vm
