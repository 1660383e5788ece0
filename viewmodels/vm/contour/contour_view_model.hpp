#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/contour/contour_computing.hpp"
#include "vm/contour/contour_follow.hpp"
#include "vm/contour/contour_runs.hpp"
#include "vm/contour/contour_session.hpp"
#include "vm/contour/contour_settings.hpp"
#include "vm/objects/object_listing.hpp"

#include "image/region_shape.hpp"
#include "snake/region_law.hpp"
#include "tree/node_set.hpp"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard::vm {

/// Contours of the region snake on the open image: starts, edits, and the parts that have runs and their states.
///
/// A change of a parameter, a node, a contour or the forbidden area starts a new run from the shown state; a run
/// without moves is changed in place. Runs belong to a page; they are kept while other pages of the same stack are
/// shown, and deleted when the file is closed.
class ContourViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit ContourViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] DocumentViewModel& document() const noexcept { return document_; }
    [[nodiscard]] ContourSettings& settings() noexcept { return settings_; }
    [[nodiscard]] const ContourSettings& settings() const noexcept { return settings_; }
    [[nodiscard]] ContourRuns& runs() noexcept { return runs_; }
    [[nodiscard]] const ContourRuns& runs() const noexcept { return runs_; }
    [[nodiscard]] ContourPlayback& playback() noexcept { return playback_; }
    [[nodiscard]] const ContourPlayback& playback() const noexcept { return playback_; }
    [[nodiscard]] ContourComputing& computing() noexcept { return computing_; }
    [[nodiscard]] ContourFollow& follow() noexcept { return follow_; }
    [[nodiscard]] ContourSession& session() noexcept { return session_; }
    [[nodiscard]] const ContourSession& session() const noexcept { return session_; }

    /// The contour panel is visible; contours are drawn only then.
    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// The inside is tinted on the image.
    [[nodiscard]] bool isTinted() const noexcept { return tinted_; }
    /// Reach of the contours of the current run, or without a run of a single contour that starts; see setReach().
    [[nodiscard]] auto reach() const noexcept { return settings_.reach(runs_.current() >= 0); }
    /// A start is being made, states are computed, or runs of a session.
    [[nodiscard]] bool isComputing() const noexcept {
        return runs_.pending() || computing_.isAdvancing() || session_.isRestoring();
    }

public slots:
    void setActive(bool active);
    void setTinted(bool tinted) { change(this, tinted_, tinted, &ContourViewModel::tintedChanged); }

    /// Starts of a new run; with @p add they join the displayed contours. If there are none, problem() has the reason.
    void startFrom(const std::vector<pollard::Contour>& contours, const QString& origin, bool add = false);
    void startFromShapes(const std::vector<pollard::RegionShape>& shapes, bool add = false);
    /// Starts from a rectangle of half the width and height in the middle of the visible part of the image.
    void startInMiddle(const QRectF& part, bool add = false);
    /// Starts from the outlines of objects, thinned by ThinnedOutlines.
    void startFromObjects(const std::shared_ptr<const pollard::vm::FoundObjects>& objects,
                          const std::vector<quint32>& labels, bool add = false);
    /// Starts from the outline of the component with this canonical pixel.
    void startFromComponent(quint32 canonical, bool add = false);
    /// Starts from the outlines of the components that lie in no other of these components.
    void startFromNodes(const std::shared_ptr<const pollard::NodeSet>& nodes, bool add = false);

    /// The runs of all pages at a step of the undo history.
    void setRunList(const pollard::vm::ContourRunList& list);
    /// Lets new contours take chosenLaw(), and continues the displayed ones with it, found on another thread; a notice
    /// names it.
    void chooseLaw();
    /// Continues the displayed contours with this law, which new ones take, too.
    void setLaw(pollard::RegionLaw law);
    void selectRun(int index);
    void deleteRun(int index);
    /// Removes a contour from the run; the others continue without it. The last contour cannot be removed.
    void removeContour(int index);

    void beginDrag(int node);
    /// Moves the node to the nearest pixel corner within the image.
    void dragTo(const QPointF& image);
    /// Starts a new run, or puts the node back and reports the reason.
    void endDrag();

signals:
    void activeChanged();
    void tintedChanged();

private:
    void onImage();
    void onForbidden();
    /// @param count of contours; exact only in being one or several
    void startWith(MakeContours make, std::size_t count, const QString& origin, bool add);
    /// A start with the present settings, after the shown state.
    [[nodiscard]] ContourStart branchStart() const;
    void branch(std::vector<Contour> nodes);
    void restart();
    void takeLaw();

    DocumentViewModel& document_;
    bool active_ = false;
    bool tinted_ = true;
    ContourSettings settings_;
    ContourRuns runs_;
    ContourPlayback playback_;
    ContourComputing computing_;
    ContourFollow follow_;
    ContourSession session_;
    AsyncResult<RegionLaw> law_{[this] { takeLaw(); }}; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
