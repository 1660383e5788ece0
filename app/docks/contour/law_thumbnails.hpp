#pragma once

#include "snake/region_law.hpp"
#include "vm/contour/contour_laws.hpp"

#include <QImage>
#include <QPixmap>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <array>

namespace pollard::vm {
class ContourViewModel;
class DisplayViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// Small images of the contours that the laws of the levels find from the starts of the current run, in the tone of
/// the canvas. A click makes the contours of a law the current run. Hidden without a run.
class LawThumbnails : public QWidget {
    Q_OBJECT

public:
    /// @param contours,display must outlive this
    LawThumbnails(vm::ContourViewModel& contours, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] const vm::ContourLaws& laws() const noexcept { return laws_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showLaws();
    void showTone();
    [[nodiscard]] QString messageText() const;
    [[nodiscard]] QString textOf(const vm::LawContours& found, bool isChosen) const;
    [[nodiscard]] QPixmap pictureOf(const QImage& grey, const vm::LawContours& found) const;

    vm::ContourViewModel& contours_;
    vm::DisplayViewModel& display_;
    vm::ContourLaws laws_;
    ElidedLabel* message_;
    std::array<QToolButton*, kRegionLaws.size()> buttons_{};
};

} // namespace pollard::app
