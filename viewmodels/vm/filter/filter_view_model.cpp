#include "vm/filter/filter_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/channel_filters.hpp"

#include "filter/filter_units.hpp"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace pollard::vm {

FilterViewModel::FilterViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), criteria_(document), bounds_(criteria_, document), picks_(document),
      published_(spec()) {
    connect(&bounds_, &CriterionBounds::attributeChanged, this, &FilterViewModel::attributeChanged);
    connect(&bounds_, &CriterionBounds::unitChanged, this, &FilterViewModel::unitChanged);
    connect(&bounds_, &CriterionBounds::domainChanged, this, &FilterViewModel::domainChanged);
    connect(&bounds_, &CriterionBounds::rangeChanged, this, &FilterViewModel::rangeChanged);
    connect(&criteria_, &CriteriaModel::changed, this, &FilterViewModel::checkProblem);
    connect(&criteria_, &CriteriaModel::changed, this, &FilterViewModel::onPart);
    connect(&picks_, &PicksModel::changed, this, &FilterViewModel::onPart);
    connect(&document_, &DocumentViewModel::frameReady, this, &FilterViewModel::countersChanged);
    connect(&document_, &DocumentViewModel::frameReady, this, &FilterViewModel::checkCounters);
    connect(&document_.activity(), &DocumentActivity::stateChanged, this, &FilterViewModel::checkCounters);
    const DocumentChoices& choices = document_.choices();
    connect(&choices, &DocumentChoices::earlierFiltersChanged, this, &FilterViewModel::checkProblem);
    connect(&choices, &DocumentChoices::earlierFiltersChanged, this, &FilterViewModel::checkCounters);
    connect(&choices, &DocumentChoices::treeSpecChanged, this, &FilterViewModel::checkCounters);
    connect(&choices, &DocumentChoices::domainChanged, this, &FilterViewModel::checkCounters);
    channels_ = std::make_unique<ChannelFilters>(document_, *this);
}

FilterViewModel::~FilterViewModel() = default;

bool FilterViewModel::lacksDistances() const {
    const auto mapping = mappingOf(document_);
    return enabled_ && mapping && !mapping->isProportional() && needsProportional(spec());
}

QString FilterViewModel::problem() const {
    QStringList problems;
    for (int row = 0; enabled_ && row < criteria_.count(); ++row) {
        if (criteria_.entry(row).enabled) {
            problems << criteria_.problem(row);
        }
    }
    if (document_.hasImage()) {
        const ImageUnits units = unitsOf(document_);
        int number = 0;
        for (const FilterStage& stage : document_.choices().earlierFilters()) {
            ++number;
            for (const Criterion& criterion : stage.filter.criteria) {
                if (const std::string why = stage.on ? criterionProblem(criterion, units) : std::string();
                    !why.empty()) {
                    problems << tr("earlier filter %1: %2").arg(number).arg(QString::fromStdString(why));
                }
            }
        }
    }
    if (lacksDistances()) {
        problems << tr("The levels of this image are ranks of its values, which have no distances: set the range of "
                       "values in the Image panel to smallest to largest.");
    }
    problems.removeAll(QString());
    return problems.join(u'\n');
}

FilterSpec FilterViewModel::spec() const { return specOf(state(), criteria_.criteria()); }

QString FilterViewModel::criterionText() const {
    const FilterSpec present = spec();
    if (present.criteria.empty() && present.forest.trees.empty()) {
        return tr("every node");
    }
    const std::optional<ValueMapping> mapping = mappingOf(document_);
    QStringList texts;
    texts.reserve(static_cast<qsizetype>(present.criteria.size()));
    for (const Criterion& criterion : present.criteria) {
        texts << vm::criterionText(readable(criterion, mapping));
    }
    QString criteria = texts.join(present.match == Match::all ? tr(" and ") : tr(" or "));
    if (present.forest.trees.empty()) {
        return criteria;
    }
    const QString forest = forestText(present.forest);
    return criteria.isEmpty() ? forest : tr("%1, and %2").arg(criteria, forest);
}

QString FilterViewModel::forestText(const Forest& forest) {
    return tr("a forest of %1 decision trees").arg(forest.trees.size());
}

quint64 FilterViewModel::keptNodes() const noexcept { return document_.shown().frame.report.keptNodes; }
quint64 FilterViewModel::removedNodes() const noexcept { return document_.shown().frame.report.removedNodes; }
quint64 FilterViewModel::changedPixels() const noexcept { return document_.shown().frame.report.changedPixels; }
double FilterViewModel::milliseconds() const noexcept { return document_.shown().frame.report.milliseconds; }

bool FilterViewModel::isRootKeptAnyway() const {
    const FilterSpec spec = inPixelsOf(document_, document_.resultSpec());
    const auto tree = document_.tree();
    if (!tree || spec.criteria.empty()) {
        return false;
    }
    bool all = true;
    bool any = false;
    for (const Criterion& criterion : spec.criteria) {
        const auto column = document_.attribute(criterion.attribute);
        if (!column) {
            return false;
        }
        const double value = column->at(0);
        const bool meets = value >= criterion.minimum && value <= criterion.maximum;
        all = all && meets;
        any = any || meets;
    }
    return spec.match == Match::all ? !all : !any;
}

void FilterViewModel::checkCounters() {
    change(this, countersCurrent_, document_.choices().isResultAsWanted() && !pending_,
           &FilterViewModel::countersCurrentChanged);
}

void FilterViewModel::setSpec(const FilterSpec& wanted) {
    taking_ = true; // prevents filtering with an incomplete spec
    criteria_.assign(wanted.criteria, wanted.match);
    picks_.assign(wanted.removed, wanted.kept, wanted.only);
    setProminent(wanted.prominent.has_value(), wanted.prominent.value_or(prominent_));
    setRule(wanted.rule);
    setOutput(wanted.output);
    setForest(wanted.forest);
    setEnabled(true);
    taking_ = false;
    onPart();
}

FilterViewModel::State FilterViewModel::state() const {
    return {criteria_.state(), picks_.state(), prominentOnly_, prominent_, rule_, output_, enabled_, forest_};
}

void FilterViewModel::setState(const State& wanted) {
    if (wanted == state()) {
        return;
    }
    taking_ = true;
    if (wanted.criteria != criteria_.state()) {
        criteria_.setState(wanted.criteria);
    }
    picks_.setState(wanted.picks);
    setProminent(wanted.prominentOnly, wanted.prominent);
    setRule(wanted.rule);
    setOutput(wanted.output);
    setForest(wanted.forest);
    setEnabled(wanted.enabled);
    taking_ = false;
    onPart();
}

void FilterViewModel::setProminentOnly(bool only) { setProminent(only, prominent_); }

void FilterViewModel::setProminentCount(int count) {
    const auto wanted = static_cast<std::uint32_t>(std::clamp(count, 1, kMaxProminent));
    setProminent(prominentOnly_, {prominent_.measure, wanted});
}

void FilterViewModel::setProminence(Prominence measure) { setProminent(prominentOnly_, {measure, prominent_.count}); }

void FilterViewModel::setProminent(bool only, const Prominent& prominent) {
    const bool switched = change(prominentOnly_, only);
    if (change(prominent_, prominent) || switched) {
        emit prominentChanged();
        onPart();
    }
}

void FilterViewModel::setLive(bool live) {
    if (change(live_, live)) {
        emit liveChanged();
        if (live_) {
            apply();
        }
    }
}

void FilterViewModel::apply() {
    document_.requestFilter(spec());
    setPending(false);
}

void FilterViewModel::onPart() {
    if (!taking_) {
        publishIfChanged();
        emit edited();
    }
}

void FilterViewModel::publishIfChanged() {
    if (!change(published_, spec())) {
        return;
    }
    checkProblem(); // a rule or an output may not fit
    emit specAboutToChange();
    if (live_) {
        document_.requestFilter(published_);
    }
    setPending(!live_ && published_ != document_.choices().filterSpec());
    checkCounters();
    emit specChanged();
}

CriteriaModel::State criteriaOf(const std::vector<Criterion>& criteria, Match match) {
    CriteriaModel::State state{std::vector<CriterionEntry>(std::max<std::size_t>(criteria.size(), 1)), 0, match};
    for (std::size_t i = 0; i < criteria.size(); ++i) {
        state.entries[i].take(criteria[i]);
    }
    return state;
}

std::vector<PicksModel::Pick> picksOf(const std::vector<std::uint32_t>& removed, const std::vector<std::uint32_t>& kept,
                                      const std::vector<std::uint32_t>& only) {
    std::vector<PicksModel::Pick> picks;
    picks.reserve(removed.size() + kept.size() + only.size());
    const auto add = [&](const std::vector<std::uint32_t>& pixels, PicksModel::PickEffect effect) {
        std::ranges::transform(pixels, std::back_inserter(picks), [effect](std::uint32_t canonical) {
            return PicksModel::Pick{canonical, effect};
        });
    };
    add(removed, PicksModel::PickEffect::removed);
    add(kept, PicksModel::PickEffect::kept);
    add(only, PicksModel::PickEffect::only);
    return picks;
}

FilterSpec specOf(const FilterViewModel::State& filter) {
    return specOf(filter, statedCriteria(filter.criteria.entries, filter.criteria.match,
                                         [](AttributeId) { return AttributeDomain{}; }));
}

FilterSpec specOf(const FilterViewModel::State& filter, std::vector<Criterion> criteria) {
    FilterSpec spec;
    spec.rule = filter.rule;
    spec.output = filter.output;
    if (!filter.enabled) {
        return spec;
    }
    spec.criteria = std::move(criteria);
    spec.forest = filter.forest;
    // Ignored for a single criterion: specs with the same effect must be equal.
    spec.match = spec.criteria.size() > 1 ? filter.criteria.match : Match::all;
    spec.prominent = filter.prominentOnly ? std::optional(filter.prominent) : std::nullopt;
    for (const PicksModel::Pick& pick : filter.picks) {
        (pick.effect == PicksModel::PickEffect::removed ? spec.removed
         : pick.effect == PicksModel::PickEffect::kept  ? spec.kept
                                                        : spec.only)
            .push_back(pick.canonical);
    }
    for (std::vector<std::uint32_t>* picks : {&spec.removed, &spec.kept, &spec.only}) {
        std::ranges::sort(*picks);
    }
    return spec;
}

FilterViewModel::State stateOf(const FilterSpec& spec) {
    FilterViewModel::State state;
    state.criteria = criteriaOf(spec.criteria, spec.match);
    state.picks = picksOf(spec.removed, spec.kept, spec.only);
    state.prominentOnly = spec.prominent.has_value();
    state.prominent = spec.prominent.value_or(Prominent{Prominence::dynamics, 20});
    state.rule = spec.rule;
    state.output = spec.output;
    state.forest = spec.forest;
    return state;
}

bool mayChange(const FilterSpec& spec) {
    FilterSpec nothing;
    nothing.rule = spec.rule;
    nothing.match = spec.match;
    return spec != nothing;
}

} // namespace pollard::vm
