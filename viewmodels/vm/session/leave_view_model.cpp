#include "vm/session/leave_view_model.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/labels/score_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/session/edit_history.hpp"
#include "vm/session/edit_state.hpp"
#include "vm/session/session_draft.hpp"
#include "vm/session/session_view_model.hpp"
#include "vm/session/stored_sessions.hpp"
#include "vm/settings/settings_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

/// The filter with the criteria that have a bound.
FilterSettings demanded(FilterSettings filter) {
    CriterionList& criteria = filter.criteria;
    for (CriterionEntry& entry : criteria.entries) {
        std::erase_if(entry.chosen, [](const auto& bounds) { return bounds.second.isEmpty(); });
    }
    std::erase_if(criteria.entries, [](const CriterionEntry& entry) { return entry.chosen.empty(); });
    criteria.match = criteria.entries.size() > 1 ? criteria.match : Match::all;
    criteria.current = 0;
    return filter;
}

/// The filters of all channels, by channelKey().
ChannelSettings allFilters(const EditState& state) {
    ChannelSettings all{{state.channel, demanded(state.filter)}};
    for (const auto& [channel, filter] : state.channels) {
        all.emplace(channel, demanded(filter));
    }
    return all;
}

/// Whether all channels have the filters that they had. A channel that is displayed for the first time continues with
/// the filter of another one.
bool demandTheSame(const EditState& a, const EditState& b) {
    const ChannelSettings before = allFilters(a);
    const ChannelSettings now = allFilters(b);
    const auto isFrom = [](const ChannelSettings& filters, const auto& channel) {
        const auto same = filters.find(channel.first);
        return same != filters.end()
                   ? same->second == channel.second
                   : std::ranges::any_of(filters, [&](const auto& other) { return other.second == channel.second; });
    };
    return std::ranges::all_of(now, [&](const auto& channel) { return isFrom(before, channel); }) &&
           std::ranges::all_of(before, [&](const auto& channel) { return isFrom(now, channel); });
}

template <class Shared> bool isSameContent(const Shared& a, const Shared& b) { return a == b || (a && b && *a == *b); }

/// All that is work in a state, without filters and the selection.
EditState otherWork(EditState state) {
    state.read.page = 0;
    state.read.mayReduce = false;
    state.folderSize.reset();
    state.filter = {};
    state.channels.clear();
    state.selection = {};
    state.runs = {}; // compared by their marks
    return state;
}

using Named = std::vector<std::pair<QString, std::shared_ptr<const NodeSet>>>;

bool isSameNamed(const Named& a, const Named& b) {
    return std::ranges::equal(a, b, [](const auto& left, const auto& right) {
        return left.first == right.first && isSameContent(left.second, right.second);
    });
}

} // namespace

SavedWork::SavedWork(const SessionViewModel::Subjects& subjects, QObject* parent)
    : QObject(parent), subjects_(subjects) {
    connect(&subjects_.history, &EditHistory::selectionsTaken, this, &SavedWork::onSelections);
    connect(&subjects_.contours.session(), &ContourSession::restored, this, &SavedWork::onRestored);
    for (const auto signal : {&ContourSettings::specChanged, &ContourSettings::engineSet}) {
        connect(&subjects_.contours.settings(), signal, this, &SavedWork::onSettings);
    }
    connect(&subjects_.contours.settings().forbidden(), &ForbiddenArea::changed, this, &SavedWork::onSettings);
    onSettings();
}

WorkState SavedWork::present() const {
    WorkState state;
    state.edit = subjects_.history.state();
    state.awaitsSelections = subjects_.history.awaitedSelections().has_value();
    const NodeSelection& selection = subjects_.selection;
    for (int row = 0; row < selection.rowCount() && !state.awaitsSelections; ++row) {
        state.named.emplace_back(selection.nameAt(row), selection.nodesAt(row));
    }
    state.look = sessionOf(subjects_.display);
    state.objectsLook = subjects_.objects.look();
    state.runs = subjects_.contours.session().marks();
    state.forbidden = subjects_.contours.settings().forbidden().mask();
    state.truth = subjects_.score != nullptr ? subjects_.score->stored() : std::nullopt;
    return state;
}

void SavedWork::begin() {
    state_ = present();
    state_->edit.selection = {std::make_shared<const NodeSet>(), 0};
    state_->edit.removedObjects.reset();
    state_->named.clear();
    state_->runs.clear();
    state_->awaitsSelections = false;
}

bool SavedWork::equals(const WorkState& state) const {
    const WorkState now = present();
    const bool isSelectionSame =
        state.awaitsSelections || now.awaitsSelections
            ? state.awaitsSelections == now.awaitsSelections
            : state.edit.selection == now.edit.selection && isSameNamed(state.named, now.named);
    return isSelectionSame && demandTheSame(state.edit, now.edit) &&
           isSameEdit(otherWork(state.edit), otherWork(now.edit)) && state.forbidden == now.forbidden &&
           state.look == now.look && state.objectsLook == now.objectsLook && state.runs == now.runs &&
           state.truth == now.truth;
}

void SavedWork::onSelections() {
    if (state_ && state_->awaitsSelections) {
        const WorkState now = present();
        state_->edit.selection = now.edit.selection;
        state_->named = now.named;
        state_->awaitsSelections = false;
        emit moved();
    }
}

void SavedWork::onRestored(int page, int first) {
    if (!state_) {
        return;
    }
    const std::vector<ContourRun>& runs = subjects_.contours.runs().all();
    const auto isBegunSince = [&](const ContourRunMark& mark) { // started while the runs of the session were made
        const auto end = runs.begin() + std::min<std::ptrdiff_t>(first, std::ssize(runs));
        return std::any_of(runs.begin(), end, [&mark](const ContourRun& run) { return run.id == mark.id; });
    };
    std::erase_if(state_->runs, [page](const ContourRunMark& mark) { return mark.page == page; });
    for (ContourRunMark& mark : subjects_.contours.session().marks()) {
        if (mark.page == page && !isBegunSince(mark)) {
            state_->runs.push_back(std::move(mark));
        }
    }
    std::ranges::stable_sort(state_->runs, {}, &ContourRunMark::page);
    emit moved();
}

/// The settings of the current run change with it: no edit.
void SavedWork::onSettings() {
    const ContourViewModel& contours = subjects_.contours;
    const ContourChoice choice{contours.settings().spec(), contours.settings().engine()};
    const auto forbidden = contours.settings().forbidden().mask();
    if (state_ && contours.settings().isAdopting()) {
        state_->edit.contours = state_->edit.contours == lastChoice_ ? choice : state_->edit.contours;
        state_->forbidden = state_->forbidden == lastForbidden_ ? forbidden : state_->forbidden;
    }
    lastChoice_ = choice;
    lastForbidden_ = forbidden;
}

LeaveViewModel::LeaveViewModel(DocumentViewModel& document, SessionViewModel& sessions, SettingsViewModel& settings,
                               QObject* parent)
    : QObject(parent), document_(document), sessions_(sessions), settings_(settings) {
    connect(&document_, &DocumentViewModel::documentAboutToChange, this, &LeaveViewModel::onAboutToChange);
    connect(&sessions_, &SessionViewModel::saved, this, [this](const QString& path) {
        if (!saving_.isEmpty() && path == saving_) {
            saving_.clear();
            proceed();
        }
    });
    const auto stay = [this] {
        if (!saving_.isEmpty()) { // the window shows the reason
            saving_.clear();
            end(false);
        }
    };
    connect(&sessions_, &SessionViewModel::failed, this, stay);
    connect(&sessions_, &SessionViewModel::changedOutside, this, stay);
}

void LeaveViewModel::setKept(StoredSessions* kept) {
    kept_ = kept;
    connect(kept, &QObject::destroyed, this, [this, kept] {
        if (kept_ == kept) {
            kept_ = nullptr;
        }
    });
}

bool LeaveViewModel::isFree() const { return kept_ == nullptr || !sessions_.isModified(); }

QString LeaveViewModel::question() const { return tr("Keep your changes to %1?").arg(document_.name()); }

QString LeaveViewModel::details() const {
    const QString summary = WorkSummary::of(sessions_.draft()).text();
    const StoredSessions::Entry* other =
        kept_ != nullptr && kept_->own().isEmpty() ? kept_->entryOf(document_.path()) : nullptr;
    const QString work = summary == WorkSummary().text()
                             ? tr("You changed settings: the display, the tree, or how the file is read.")
                             : tr("The work consists of %1.").arg(summary);
    return other == nullptr ? work
                            : work + u' ' +
                                  tr("It replaces the work kept on %1: %2.")
                                      .arg(QLocale().toString(other->time, QLocale::ShortFormat), other->summary);
}

void LeaveViewModel::leave(QObject* context, Then then) {
    context_ = context;
    then_ = std::move(then);
    quiet_ = false;
    if (!saving_.isEmpty()) {
        return; // runs after the write
    }
    if (isFree()) {
        setAsking(false);
        settled_.reset();
        end(true);
    } else if (settings_.isAskingAboutWork()) {
        setAsking(true);
    } else {
        keep();
    }
}

void LeaveViewModel::leaveKept(QObject* context, Then then) {
    context_ = context;
    then_ = std::move(then);
    quiet_ = true;
    setAsking(false);
    saving_.clear();
    isFree() ? end(true) : keep();
}

void LeaveViewModel::answer(Answer answer, const QString& path) {
    if (!asking_) {
        return;
    }
    setAsking(false);
    switch (answer) {
    case Answer::keep:
        quiet_ = true; // changes during the write are kept without another question
        keep();
        break;
    case Answer::save:
        save(path);
        break;
    case Answer::discard:
        settled_ = sessions_.baseline().present();
        if (kept_ != nullptr) {
            kept_->discardOwn();
        }
        end(true);
        break;
    case Answer::cancel:
        end(false);
        break;
    }
}

void LeaveViewModel::keep() {
    if (kept_ == nullptr) {
        end(true);
        return;
    }
    settled_ = sessions_.baseline().present();
    const QPointer<LeaveViewModel> self(this);
    kept_->keep(sessions_.draft(), [self](const QString& problem) {
        if (self.isNull()) {
            return;
        }
        if (problem.isEmpty()) {
            self->proceed();
        } else {
            self->settled_.reset();
            emit self->failed(tr("The work was not kept"), problem);
            self->end(false);
        }
    });
}

void LeaveViewModel::save(const QString& path) {
    saving_ = QFileInfo(path).absoluteFilePath();
    settled_ = sessions_.baseline().present();
    sessions_.save(saving_);
}

/// Continues after the work is written. Changes made meanwhile are written, too.
void LeaveViewModel::proceed() {
    if (!then_) {
        return;
    }
    if (sessions_.isModified() && !(settled_ && sessions_.baseline().equals(*settled_))) {
        quiet_ ? keep() : leave(context_, std::exchange(then_, nullptr));
    } else {
        end(true);
    }
}

void LeaveViewModel::end(bool gone) {
    setAsking(false);
    const Then then = std::exchange(then_, nullptr);
    if (!gone) {
        settled_.reset();
    } else if (then && context_ != nullptr) {
        then();
    }
    emit ended(gone);
}

void LeaveViewModel::onAboutToChange(const OpenRequest& request) {
    const bool isOther = request.path != document_.path() || request == document_.request() || sessions_.isOpening();
    if (isOther && !isFree() && !(settled_ && sessions_.baseline().equals(*settled_))) {
        kept_->keep(sessions_.draft(), [self = QPointer<LeaveViewModel>(this)](const QString& problem) {
            if (!problem.isEmpty() && !self.isNull()) {
                emit self->failed(tr("The work was not kept"), problem);
            }
        });
    }
    if (isOther) {
        settled_.reset();
    }
}

void LeaveViewModel::finish() {
    if (kept_ == nullptr) {
        return;
    }
    sessions_.isModified() ? kept_->release() : kept_->discardOwn();
}

} // namespace pollard::vm
