#include "vm/session/work_summary.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace pollard::vm {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(WorkSummary)
};

std::size_t startedContours(const std::vector<SessionRun>& runs) {
    std::size_t contours = 0;
    for (const SessionRun& run : runs) {
        const bool isBranch = run.parent != 0 && std::ranges::any_of(runs, [&run](const SessionRun& other) {
                                  return other.page == run.page && other.id == run.parent;
                              });
        contours += isBranch ? 0 : run.starts.size();
    }
    return contours;
}

bool demands(const CriterionEntry& criterion) { return criterion.enabled && !criterion.bounds().isEmpty(); }

} // namespace

WorkSummary WorkSummary::of(const SavedSession& session) {
    WorkSummary summary;
    summary.contours = startedContours(session.contours.runs);
    summary.regions = session.region.shapes.size();
    summary.criteria = static_cast<std::size_t>(std::ranges::count_if(session.filter.criteria.entries, demands));
    summary.earlier = session.earlier.size();
    summary.picks = session.filter.picks.size();
    summary.selections = session.selections.size();
    summary.selected = session.selected.size();
    summary.removed = session.removed.labels.size();
    return summary;
}

WorkSummary WorkSummary::of(const SessionDraft& draft) {
    WorkSummary summary = of(draft.session);
    summary.contours = startedContours(draft.contours.contours.runs);
    if (draft.removed) {
        summary.removed =
            static_cast<std::size_t>(std::ranges::count_if(*draft.removed, [](std::uint8_t out) { return out != 0; }));
    }
    if (draft.tree) {
        summary.selections = draft.named.size();
        summary.selected = draft.selected ? draft.selected->size() : 0;
    }
    return summary;
}

QString WorkSummary::text() const {
    QStringList parts;
    const auto add = [&parts](std::size_t count, const QString& one, const QString& several) {
        if (count > 0) {
            parts << (count == 1 ? one : several.arg(QLocale().toString(static_cast<qulonglong>(count))));
        }
    };
    add(contours, Texts::tr("1 contour"), Texts::tr("%1 contours"));
    add(regions, Texts::tr("1 region"), Texts::tr("%1 regions"));
    add(criteria, Texts::tr("a filter of 1 criterion"), Texts::tr("a filter of %1 criteria"));
    add(earlier, Texts::tr("1 earlier filter"), Texts::tr("%1 earlier filters"));
    add(picks, Texts::tr("1 picked component"), Texts::tr("%1 picked components"));
    add(selections, Texts::tr("1 named selection"), Texts::tr("%1 named selections"));
    add(selected, Texts::tr("1 selected component"), Texts::tr("%1 selected components"));
    add(removed, Texts::tr("1 removed object"), Texts::tr("%1 removed objects"));
    return parts.isEmpty() ? Texts::tr("settings") : parts.join(QStringLiteral(", "));
}

} // namespace pollard::vm
