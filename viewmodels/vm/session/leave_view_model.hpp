#pragma once

#include "vm/base/change.hpp"
#include "vm/contour/contour_run.hpp"
#include "vm/image/open_request.hpp"
#include "vm/session/edit_state.hpp"
#include "vm/session/session_view_model.hpp"

#include "image/mask.hpp"
#include "session/session.hpp"
#include "tree/node_set.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class SessionViewModel;
class SettingsViewModel;
class StoredSessions;

/// The work on an image that could be lost. Large parts are shared with the window, not copied.
struct WorkState {
    EditState edit;
    std::vector<std::pair<QString, std::shared_ptr<const NodeSet>>> named;
    SessionDisplay look;
    ObjectsLook objectsLook;
    std::vector<ContourRunMark> runs;
    std::shared_ptr<const Mask> forbidden;
    std::optional<SessionTruth> truth;
    bool awaitsSelections = false; ///< selections follow with the tree
};

/// The work when the image was opened, or its session opened or saved, for comparison with the present work.
/// Automatic changes (selections and contours of a session, the settings of the current run) are added as they happen.
class SavedWork : public QObject {
    Q_OBJECT

public:
    explicit SavedWork(const SessionViewModel::Subjects& subjects, QObject* parent = nullptr);

    [[nodiscard]] WorkState present() const;
    /// Starts from an image that was just opened, ignoring leftovers of the previous one.
    void begin();
    void set(WorkState state) { state_ = std::move(state); }
    /// Sets no saved work: the present work never equals it.
    void drop() { state_.reset(); }
    [[nodiscard]] bool isPresent() const { return state_ && equals(*state_); }
    /// Whether the present work equals the saved one.
    [[nodiscard]] bool equals(const WorkState& state) const;

signals:
    void moved(); ///< an automatic change

private:
    void onSelections();
    void onRestored(int page, int first);
    void onSettings();

    SessionViewModel::Subjects subjects_;
    std::optional<WorkState> state_;
    ContourChoice lastChoice_;                  ///< at the last signal
    std::shared_ptr<const Mask> lastForbidden_; ///< the same
};

/// Prevents the loss of modified work when its image is closed, for another one or with the window: the work is kept,
/// saved as a session, or discarded, and only then the image is closed.
///
/// Work that changes while another image is being loaded, and work whose image is closed in any other way, is kept
/// without a question.
class LeaveViewModel : public QObject {
    Q_OBJECT

public:
    /// All must be created before this object and outlive it.
    LeaveViewModel(DocumentViewModel& document, SessionViewModel& sessions, SettingsViewModel& settings,
                   QObject* parent = nullptr);

    /// Sets the storage of kept work. Without one there are no questions and nothing is kept. @param kept may be
    /// destroyed before this
    void setKept(StoredSessions* kept);
    [[nodiscard]] StoredSessions* kept() const noexcept { return kept_; }

    /// Whether no work could be lost.
    [[nodiscard]] bool isFree() const;
    /// A call of answer() is pending.
    [[nodiscard]] bool isAsking() const noexcept { return asking_; }
    /// "Keep the work on cells.tif?"
    [[nodiscard]] QString question() const;
    /// The work, and the kept work that it would replace: "The work consists of 3 contours, 2 regions."
    [[nodiscard]] QString details() const;

    using Then = std::function<void()>;
    /// Leaves the work in the window, at once if isFree(): asks first, or keeps the work if questions are switched off.
    /// The last of several calls counts.
    /// @param context @p then is not called after its destruction
    /// @param then called at the end
    void leave(QObject* context, Then then);
    /// Leaves the work without a question: keeps it.
    void leaveKept(QObject* context, Then then);

    enum class Answer { keep, save, discard, cancel };

public slots:
    /// @param path file of the session, for saving
    void answer(pollard::vm::LeaveViewModel::Answer answer, const QString& path = {});
    /// The window is closed finally.
    void finish();

signals:
    void askingChanged();
    /// End of leave(). @param gone then() was called
    void ended(bool gone);
    /// The work was not left.
    void failed(const QString& title, const QString& text);

private:
    void keep();
    void save(const QString& path);
    void proceed();
    void end(bool gone);
    void setAsking(bool asking) { change(this, asking_, asking, &LeaveViewModel::askingChanged); }
    void onAboutToChange(const OpenRequest& request);

    DocumentViewModel& document_;
    SessionViewModel& sessions_;
    SettingsViewModel& settings_;
    StoredSessions* kept_ = nullptr;
    bool asking_ = false;
    QPointer<QObject> context_;
    Then then_;
    bool quiet_ = false;               ///< without a question
    std::optional<WorkState> settled_; ///< kept, saved or discarded
    QString saving_;                   ///< session being written
};

} // namespace pollard::vm
