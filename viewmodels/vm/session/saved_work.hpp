#pragma once

#include "vm/contour/contour_run.hpp"
#include "vm/session/edit_state.hpp"
#include "vm/session/session_view_model.hpp"

#include "image/mask.hpp"
#include "session/session.hpp"
#include "tree/node_set.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

/// The work on an image that could be lost. Large parts are shared with the window, not copied.
struct WorkState {
    EditState edit;
    std::vector<std::pair<QString, std::shared_ptr<const NodeSet>>> named;
    SessionLook look;
    std::vector<ContourRunMark> runs;
    std::shared_ptr<const Mask> forbidden;
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

} // namespace pollard::vm
