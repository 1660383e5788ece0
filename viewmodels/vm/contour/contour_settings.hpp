#pragma once

#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/contour/contour_run.hpp"
#include "vm/image/region_edit.hpp"

#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// Pixels that no contour may contain: painted with a round brush, read from an image, or taken from selected
/// components. The area stays for other pages of a stack and is dropped with another file, part or size of the image.
class ForbiddenArea : public QObject {
    Q_OBJECT

public:
    static constexpr int kLargestBrush = 500; ///< px

    /// @param document must outlive this
    explicit ForbiddenArea(DocumentViewModel& document, QObject* parent = nullptr);

    /// Null if no pixel is forbidden. Constant while a stroke is painted.
    [[nodiscard]] std::shared_ptr<const Mask> mask() const noexcept { return mask_; }
    /// The displayed mask including the present stroke; null if there is none.
    [[nodiscard]] const Mask* shown() const noexcept { return stroke_ ? &*stroke_ : mask_.get(); }

    /// The mouse paints on the image.
    [[nodiscard]] bool isPainting() const noexcept { return painting_; }
    [[nodiscard]] bool isErasing() const noexcept { return erasing_; }
    [[nodiscard]] int brush() const noexcept { return brush_; } ///< diameter, px
    [[nodiscard]] bool isStroking() const noexcept { return stroke_.has_value(); }
    /// A mask is being made.
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::load); }

public slots:
    void setPainting(bool painting);
    void setErasing(bool erasing) { change(this, erasing_, erasing, &ForbiddenArea::brushChanged); }
    void setBrush(int diameter) {
        change(this, brush_, std::clamp(diameter, 1, kLargestBrush), &ForbiddenArea::brushChanged);
    }

    /// Paints, or with @p erase clears, all pixels with centres within half the brush of the pointer's path. The
    /// pointer is at the centre of its pixel.
    void beginStroke(const QPointF& image, bool erase);
    void strokeTo(const QPointF& image);
    void endStroke();
    void cancelStroke();

    void clear();
    /// @param mask of the image's size; null for none
    void set(const std::shared_ptr<const pollard::Mask>& mask);
    /// Forbids the pixels of an image file that are not 0, and reads the same part of this file as of the open one.
    /// Ends with changed() or failed().
    void load(const QString& path, const pollard::ReadLimits& limits);
    /// The pixels of components. Ends with changed().
    void takeNodes(const std::shared_ptr<const pollard::NodeSet>& nodes);

signals:
    void changed(); ///< mask()
    void shownChanged();
    void brushChanged();
    void failed(const QString& title, const QString& text);

private:
    void onImage();
    void make(const std::function<Mask(const JobControl& control)>& job);

    DocumentViewModel& document_;
    std::shared_ptr<const Mask> mask_;
    std::optional<Mask> stroke_;
    bool strokeErases_ = false;
    QPointF last_; ///< of the stroke, px
    bool painting_ = false;
    bool erasing_ = false;
    int brush_ = 20;
    QString path_;            ///< of the mask's image
    ImagePlace place_;        ///< of the mask's pixels
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

/// Sets the pixels with centres within @p radius of the line between two points.
void paintStroke(Mask& mask, const QPointF& from, const QPointF& to, double radius, bool value);

/// Settings of the current run, and of the next one.
class ContourSettings : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kUsualMargin = 20; ///< px around a start that its contour can reach

    /// @param document must outlive this
    explicit ContourSettings(DocumentViewModel& document) : forbidden_(document) {}

    [[nodiscard]] const SnakeSpec& spec() const noexcept { return spec_; }
    /// setReach() determines the reach of contours of a new run.
    [[nodiscard]] const ContourEngine& engine() const noexcept { return engine_; }
    /// Reach of the current run, or without one of a single contour that starts.
    [[nodiscard]] std::optional<std::uint32_t> reach(bool hasRun) const noexcept {
        return hasRun || reach_ ? engine_.apart : std::optional(kUsualMargin);
    }
    /// Reach of @p count contours that start.
    [[nodiscard]] std::optional<std::uint32_t> reachOfNew(std::size_t count) const noexcept {
        return reach_ ? *reach_ : count == 1 ? std::optional(kUsualMargin) : std::nullopt;
    }
    /// Pixels that no contour may contain.
    [[nodiscard]] ForbiddenArea& forbidden() noexcept { return forbidden_; }
    [[nodiscard]] const ForbiddenArea& forbidden() const noexcept { return forbidden_; }

    /// Takes over the settings of a run: no edit, isAdopting() until all signals are emitted.
    void adopt(const SnakeSpec& spec, ContourEngine engine, const std::shared_ptr<const Mask>& forbidden);
    void adopt(const ContourRun& run) { adopt(run.spec, run.engine, run.forbidden); }
    [[nodiscard]] bool isAdopting() const noexcept { return adopting_; }
    /// New contours take chosenLaw().
    [[nodiscard]] bool isLawAutomatic() const noexcept { return lawIsAutomatic_; }
    /// New runs have the reach of the time before setReach().
    void forgetReach() noexcept { reach_.reset(); }

public slots:
    void setSpec(const pollard::SnakeSpec& spec) {
        change(this, spec_, spec, &ContourSettings::specChanged, &ContourSettings::edited);
    }
    void setLawAutomatic(bool automatic) {
        change(this, lawIsAutomatic_, automatic, &ContourSettings::lawAutomaticChanged);
    }
    void setEngine(const pollard::ContourEngine& engine);
    /// Reach of the contours of the current run and of all new ones: @p margin px around their starts, each contour by
    /// itself, or the whole image, which they share, if empty. Until this is called, or setEngine() with another
    /// margin, a single start reaches kUsualMargin px, and several starts share the whole image.
    void setReach(const std::optional<std::uint32_t>& margin);

signals:
    void specChanged();
    void lawAutomaticChanged();
    void engineSet(); ///< engine()
    void edited();    ///< spec() or engine(), by setSpec() or setEngine()

private:
    ForbiddenArea forbidden_;
    SnakeSpec spec_;
    ContourEngine engine_{false, {}, kUsualMargin};
    std::optional<std::optional<std::uint32_t>> reach_; ///< for new runs; empty: by the number of contours
    bool adopting_ = false;
    bool lawIsAutomatic_ = true;
};

} // namespace pollard::vm
