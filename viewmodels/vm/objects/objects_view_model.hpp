#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/objects/object_listing.hpp"

#include "components/objects/object_rule.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>

namespace pollard::vm {

class DocumentViewModel;

/// The connected objects of the picture's pixels between two levels, which a person sets or a method finds. Follows
/// the document, the region and the filter live; pixels without data or outside the region belong to no object.
///
/// Nothing is computed while nobody looks (setActive()). The work is done on a thread of its own, latest wins.
class ObjectsViewModel : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty,     ///< nothing is open, or nobody looks
        computing, ///< objects are on their way; those before may still be shown
        ready,
        failed, ///< problem() says why
    };
    /// The picture whose levels decide: as it was read, or the result of the filter, whatever its output.
    enum class Source { original, filtered };
    Q_ENUM(Source)
    enum class Threshold { hand, otsu, triangle, li };

    /// @param document must outlive this
    explicit ObjectsViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] Source source() const noexcept { return source_; }
    [[nodiscard]] Threshold threshold() const noexcept { return threshold_; }
    /// A method's threshold splits off what lies below it, not what lies from it on.
    [[nodiscard]] bool isDark() const noexcept { return dark_; }
    [[nodiscard]] Connectivity connectivity() const noexcept { return connectivity_; }
    /// Holes become part of the objects around them, see pollard::fillHoles().
    [[nodiscard]] bool fillsHoles() const noexcept { return fillHoles_; }
    /// Objects at the border of the picture are not listed. They are found all the same.
    [[nodiscard]] bool isWithoutBorder() const noexcept { return withoutBorder_; }
    [[nodiscard]] bool isActive() const noexcept { return active_; }

    /// Levels that make objects: as set by hand, or found by the method for objects(); all of domain() until the method
    /// has found some in a new picture.
    [[nodiscard]] LevelRange levels() const noexcept { return levels_; }
    /// Levels set by hand, independent of domain(): 0 and 65535 stand for its ends.
    [[nodiscard]] LevelRange wantedLevels() const noexcept { return wanted_; }
    /// Levels that may be set.
    [[nodiscard]] LevelRange domain() const noexcept { return domain_; }

    /// What makes objects, of this page and of others: a bound at the end of domain() is none, so that a page with
    /// other levels is treated the same.
    [[nodiscard]] ObjectRule recipe() const;

    /// How opaque the colours of the objects lie over the picture, 0..1.
    [[nodiscard]] double opacity() const noexcept { return opacity_; }

    /// What is shown; null if there is nothing.
    [[nodiscard]] std::shared_ptr<const FoundObjects> objects() const noexcept { return shown_; }
    /// For the file that the objects are written to, and for their units.
    [[nodiscard]] const DocumentViewModel& document() const noexcept { return document_; }

public slots:
    void setSource(pollard::vm::ObjectsViewModel::Source source);
    void setThreshold(pollard::vm::ObjectsViewModel::Threshold threshold);
    void setDark(bool dark);
    void setConnectivity(pollard::Connectivity connectivity);
    void setFillHoles(bool fill);
    void setWithoutBorder(bool without);
    /// The levels by hand; makes hand the threshold. Moved into the domain; if they cross, both become @p low.
    void setLevels(int low, int high);
    /// The same for levels that wantedLevels() gave, here or for another picture.
    void setWantedLevels(LevelRange levels);
    void setOpacity(double opacity);
    /// Somebody looks; until then nothing is computed.
    void setActive(bool active);

signals:
    void settingsChanged(); ///< also levels() and domain()
    void activeChanged();
    void opacityChanged();
    void changed(); ///< state or objects

private:
    void onPicture();
    void update();
    void adoptDomain();
    /// Takes over levels that may be set. @returns whether they, or levels(), are others; it tells nothing
    bool takeDomain();
    void show(State state, std::shared_ptr<const FoundObjects> objects);
    /// Shows objects together with the levels that made them.
    void showFound(State state, std::shared_ptr<const FoundObjects> objects);
    /// Bounds at the ends of the domain are none.
    [[nodiscard]] LevelRange withoutEnds(LevelRange levels) const;
    [[nodiscard]] LevelRange inDomain(LevelRange levels) const;

    DocumentViewModel& document_;
    State state_ = State::empty;
    QString problem_;
    Source source_ = Source::filtered;
    Threshold threshold_ = Threshold::otsu;
    bool dark_ = false;
    Connectivity connectivity_ = Connectivity::eight;
    bool fillHoles_ = false;
    bool withoutBorder_ = false;
    bool active_ = false;
    double opacity_ = 0.5;
    LevelRange levels_{0, 255};
    LevelRange wanted_{0, 0xffff}; ///< levels by hand, whatever the domain of the page
    LevelRange domain_{0, 255};
    std::shared_ptr<const FoundObjects> shown_;
    LatestWinsWorker::Generation newest_ = 0;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
