#include "vm/session/leave_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/session/session_draft.hpp"
#include "vm/session/session_view_model.hpp"
#include "vm/session/stored_sessions.hpp"
#include "vm/settings/settings_view_model.hpp"

#include <QFileInfo>
#include <QLocale>

#include <utility>

namespace pollard::vm {

LeaveViewModel::LeaveViewModel(DocumentViewModel& document, SessionViewModel& sessions, SettingsViewModel& settings,
                               QObject* parent)
    : QObject(parent), document_(document), sessions_(sessions), settings_(settings) {
    connect(&document_, &DocumentViewModel::documentAboutToChange, this, &LeaveViewModel::onAboutToChange);
    connect(&sessions_, &SessionViewModel::saved, this, [this](const QString& path) {
        if (!saving_.isEmpty() && path == saving_) {
            saving_.clear();
            go();
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
            self->go();
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
void LeaveViewModel::go() {
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
