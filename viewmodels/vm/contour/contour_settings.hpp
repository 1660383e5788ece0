#pragma once

#include "vm/contour/contour_run.hpp"
#include "vm/contour/forbidden_area.hpp"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::vm {

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
    /// New runs have the reach of the time before setReach().
    void forgetReach() noexcept { reach_.reset(); }

public slots:
    void setSpec(const pollard::SnakeSpec& spec);
    void setEngine(const pollard::ContourEngine& engine);
    /// Reach of the contours of the current run and of all new ones: @p margin px around their starts, each contour by
    /// itself, or the whole picture, which they share, if empty. Until this is called, or setEngine() with another
    /// margin, a single start reaches kUsualMargin px, and several starts share the whole picture.
    void setReach(const std::optional<std::uint32_t>& margin);

signals:
    void specChanged();
    void engineSet(); ///< engine()
    void edited();    ///< spec() or engine(), by setSpec() or setEngine()

private:
    ForbiddenArea forbidden_;
    SnakeSpec spec_;
    ContourEngine engine_{false, {}, kUsualMargin};
    std::optional<std::optional<std::uint32_t>> reach_; ///< for new runs; empty: by the number of contours
    bool adopting_ = false;
};

} // namespace pollard::vm
