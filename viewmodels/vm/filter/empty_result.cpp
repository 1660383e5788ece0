#include "vm/filter/empty_result.hpp"

#include "vm/base/change.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

namespace pollard::vm {

EmptyResult::EmptyResult(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : QObject(parent), document_(document), filter_(filter) {
    connect(&document_, &DocumentViewModel::imageChanged, this, [this] { isDismissed_ = false; });
    connect(&document_, &DocumentViewModel::frameReady, this, &EmptyResult::refresh);
    connect(&document_, &DocumentViewModel::attributeReady, this, &EmptyResult::refresh);
    connect(&filter_, &FilterViewModel::countersCurrentChanged, this, &EmptyResult::refresh);
    connect(&filter_.criteria(), &CriteriaModel::dataChanged, this, &EmptyResult::refresh); // counted
}

bool EmptyResult::removesEverything() const {
    const FilterReport& report = document_.shown().frame.report;
    return document_.resultSpec().output != Output::residue && report.keptNodes <= 1 && report.removedNodes > 0;
}

bool EmptyResult::isEffective(int row) const {
    const CriteriaModel& criteria = filter_.criteria();
    return criteria.entry(row).enabled && isBounded(criteria.criterion(row));
}

int EmptyResult::effectiveCount() const {
    int found = 0;
    for (int row = 0; row < filter_.criteria().count(); ++row) {
        found += isEffective(row) ? 1 : 0;
    }
    return found;
}

std::optional<EmptyResult::Cause> EmptyResult::find() const {
    const CriteriaModel& criteria = filter_.criteria();
    if (criteria.matchMode() == Match::any && effectiveCount() > 1) {
        return std::nullopt; // without one criterion, still fewer components would be kept
    }
    std::optional<Cause> found;
    for (int row = 0; row < criteria.count(); ++row) {
        if (!isEffective(row)) {
            continue;
        }
        const auto column = document_.attribute(criteria.entry(row).attribute);
        const Criterion criterion = criteria.criterion(row);
        if (filter_.rule() == Rule::min && column &&
            !(column->at(0) >= criterion.minimum && column->at(0) <= criterion.maximum)) {
            return Cause{row, 0, true};
        }
        const auto kept = criteria.kept(row);
        if (!kept) {
            return std::nullopt; // until all are counted
        }
        if (!found || *kept < found->kept) {
            found = Cause{row, *kept, false};
        }
    }
    return found;
}

QString EmptyResult::reason(const std::optional<Cause>& cause) const {
    const FilterReport& report = document_.shown().frame.report;
    if (cause) {
        const QString criterion = shownCriterion(readable(filter_.criteria().stated(cause->row), mappingOf(document_)));
        const std::uint64_t all = report.keptNodes + report.removedNodes;
        if (cause->atRoot) {
            return tr("the root does not meet %1, and the rule %2 removes all components in it")
                .arg(criterion, ruleTitle(filter_.rule()));
        }
        if (cause->kept < all) {
            return tr("%1 alone removes %2 of %3 components")
                .arg(criterion, countText(all - cause->kept), countText(all));
        }
    }
    const int criteria = effectiveCount();
    return criteria == 0                                                  ? tr("components were removed by hand")
           : criteria > 1 && filter_.criteria().matchMode() == Match::any ? tr("no component meets any of the criteria")
                                                                          : QString();
}

void EmptyResult::refresh() {
    if (!document_.hasResult() || !filter_.areCountersCurrent()) {
        set({}, std::nullopt);
        return;
    }
    isDismissed_ = isDismissed_ && dismissed_ == filter_.spec();
    const FilterReport& report = document_.shown().frame.report;
    if (!isDismissed_ && removesEverything()) {
        const auto cause = find();
        const QString why = reason(cause);
        set(why.isEmpty() ? tr("The filter removes everything") : tr("The filter removes everything: %1").arg(why),
            cause);
    } else if (!isDismissed_ && report.keptNodes == 1 && !document_.shown().earlier.empty()) {
        set(tr("The filters before this one leave a single value"), std::nullopt);
    } else if (!isDismissed_ && document_.resultSpec().output == Output::residue && report.changedPixels == 0) {
        set(tr("The residue is empty: the filter changes no pixel"), std::nullopt);
    } else {
        set({}, std::nullopt);
    }
}

void EmptyResult::set(const QString& text, std::optional<Cause> cause) {
    const bool otherText = change(text_, text);
    if (change(cause_, cause) || otherText) {
        emit changed();
    }
}

QString EmptyResult::criterion() const {
    return cause_ && effectiveCount() > 1
               ? shownCriterion(readable(filter_.criteria().stated(cause_->row), mappingOf(document_)))
               : QString();
}

void EmptyResult::turnOff() {
    if (!cause_) {
        return;
    }
    filter_.criteria().setEnabled(cause_->row, false);
    if (filter_.isPending()) {
        filter_.apply();
    }
}

void EmptyResult::dismiss() {
    dismissed_ = filter_.spec();
    isDismissed_ = true;
    refresh();
}

} // namespace pollard::vm
